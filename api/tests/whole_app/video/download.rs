//! `download.php`: a ticket, a wait, a link.

use axum::http::Method;
use lantern_api::Site;

use crate::support::{App, NOW, Session};

const CALL: &str = "/api/download.php";
const FILM: &[u8] = b"0123456789";

/// The site with other waits.
fn hurried(app: &App, guest_wait: u32, ticket_seconds: u32) -> Session {
    let state = app.node_with(|config| {
        (config.downloads.guest_wait, config.downloads.member_wait) = (guest_wait, guest_wait);
        config.downloads.ticket_seconds = ticket_seconds;
    });
    Session { site: Site::new(state.unwrap()), ..app.guest() }
}

async fn ticket(asker: &Session, id: i64) -> String {
    asker.get(&format!("{CALL}?video_id={id}")).await.json()["ticket"].as_str().unwrap().to_owned()
}

/// The video's folder, with its film.
async fn film(app: &App, id: i64) {
    app.change(&format!("update videos set media_key = 'films/{id}' where id = {id}")).await;
    app.media(&format!("films/{id}/video.mp4"), FILM);
}

#[tokio::test]
async fn a_link_is_there_after_the_wait_and_not_before() {
    let app = App::start().await;
    film(&app, 1).await;
    let (guest, member) = (app.guest(), app.member("mona").await);
    for (asker, wait) in [(&guest, 60), (&member, 10)] {
        let offer = asker.get(&format!("{CALL}?video_id=1")).await.json();
        assert_eq!((&offer["wait"], &offer["bytes"]), (&wait.into(), &FILM.len().into()));
        let early = asker.post(CALL, &[("ticket", offer["ticket"].as_str().unwrap())]).await;
        early.refused(429, "download_too_early");
        assert_eq!(
            (early.header("retry-after"), &early.json()["info"]["retry_after"]),
            (&*wait.to_string(), &wait.into())
        );
    }
    let ready = hurried(&app, 0, 3600);
    let link = ready.post(CALL, &[("ticket", &ticket(&ready, 1).await)]).await.json();
    assert_eq!(link["expires"], NOW + 8_640_000);
    let (url, name) = (link["url"].as_str().unwrap(), link["name"].as_str().unwrap());
    let part = app.send(Method::GET, url, &[("range", "bytes=2-4")]).await;
    assert_eq!((part.status, &part.body[..]), (206, &FILM[2..5]), "{}", part.text());
    assert_eq!(part.header("content-disposition"), format!("attachment; filename=\"{name}\""));
    // A hundred days are nothing to what is gone.
    app.change("update videos set status_id = 5 where id = 1").await;
    app.get(url).await.refused(404, "file_not_found");
    app.finish().await;
}

#[tokio::test]
async fn a_ticket_is_for_its_video_its_asker_and_its_time() {
    let app = App::start().await;
    film(&app, 1).await;
    let ready = hurried(&app, 0, 3600);
    let (mona, max) = (app.member("mona").await, app.member("max").await);
    let on = |member: &Session| Session { site: ready.site.clone(), cookie: member.cookie.clone(), ..app.guest() };
    let own = ticket(&on(&mona), 1).await;
    for (asker, ticket) in [
        (&on(&max), own.clone()),
        (&ready, own.clone()),
        (&ready, ticket(&ready, 1).await.replacen('1', "2", 1)),
        (&ready, "1.0.5".to_owned()),
    ] {
        asker.post(CALL, &[("ticket", &ticket)]).await.refused(403, "dont_have_permission");
    }
    assert_eq!(on(&mona).post(CALL, &[("ticket", &own)]).await.status, 200);
    assert_eq!(on(&max).post(CALL, &[("ticket", &ticket(&ready, 1).await)]).await.status, 200, "a guest's of before");
    let late = hurried(&app, 0, 0);
    late.post(CALL, &[("ticket", &ticket(&late, 1).await)]).await.refused(403, "link_expired");
    // What the ticket's video became counts, not what it was.
    let waiting = ticket(&ready, 1).await;
    app.change("update videos set is_private = true where id = 1").await;
    ready.post(CALL, &[("ticket", &waiting)]).await.refused(403, "dont_have_permission");
    assert_eq!(on(&max).post(CALL, &[("ticket", &waiting)]).await.status, 200);
    ready.post(CALL, &[]).await.refused(422, "required");
    app.media("films/2/other.mp4", FILM);
    app.change("update videos set media_key = 'films/2' where id = 2").await;
    ready.get(&format!("{CALL}?video_id=2")).await.refused(404, "file_not_found");
    app.finish().await;
}

#[tokio::test]
async fn links_outlive_the_answer_they_came_in() {
    let app = App::start().await;
    for (lifetime, least) in [("", 0), ("&lifetime=864000", 864_000), ("&lifetime=8640000", 8_640_000)] {
        let answer = app.json(&format!("/api/videofile.php?video_id=1{lifetime}")).await;
        assert_eq!(answer["expires"], NOW + least + 21_600, "{lifetime}");
    }
    app.finish().await;
}
