//! `download.php`: ticket, waiting time, and link.

use axum::http::Method;
use lantern_site::Site;

use crate::support::{App, NOW, Session};

const CALL: &str = "/api/download.php";
const FILM: &[u8] = b"0123456789";

/// Returns a guest of the site with different waiting times.
fn with_waits(app: &App, guest_wait: u32, ticket_seconds: u32) -> Session {
    let state = app.node_with(|config| {
        (config.downloads.guest_wait, config.downloads.member_wait) = (guest_wait, guest_wait);
        config.downloads.ticket_seconds = ticket_seconds;
    });
    Session { site: Site::new(state.unwrap()), ..app.guest() }
}

async fn ticket(session: &Session, id: i64) -> String {
    session.get(&format!("{CALL}?video_id={id}")).await.json()["ticket"].as_str().unwrap().to_owned()
}

/// Gives the video a separate folder with a film.
async fn film(app: &App, id: i64) {
    app.change(&format!("update videos set media_key = 'films/{id}' where id = {id}")).await;
    app.media(&format!("films/{id}/video.mp4"), FILM);
}

#[tokio::test]
async fn link_is_issued_only_after_the_wait() {
    let app = App::start().await;
    film(&app, 1).await;
    let (guest, member) = (app.guest(), app.member("mona").await);
    for (session, wait) in [(&guest, 60), (&member, 10)] {
        let offer = session.get(&format!("{CALL}?video_id=1")).await.json();
        assert_eq!((&offer["wait"], &offer["bytes"]), (&wait.into(), &FILM.len().into()));
        let early = session.post(CALL, &[("ticket", offer["ticket"].as_str().unwrap())]).await;
        early.refused(429, "download_too_early");
        assert_eq!(
            (early.header("retry-after"), &early.json()["info"]["retry_after"]),
            (&*wait.to_string(), &wait.into())
        );
    }
    let ready = with_waits(&app, 0, 3600);
    let link = ready.post(CALL, &[("ticket", &ticket(&ready, 1).await)]).await.json();
    assert_eq!(link["expires"], NOW + 8_640_000);
    let (url, name) = (link["url"].as_str().unwrap(), link["name"].as_str().unwrap());
    let part = app.send(Method::GET, url, &[("range", "bytes=2-4")]).await;
    assert_eq!((part.status, &part.body[..]), (206, &FILM[2..5]), "{}", part.text());
    assert_eq!(part.header("content-disposition"), format!("attachment; filename=\"{name}\""));
    // A link valid for a hundred days doesn't serve a deleted video.
    app.change("update videos set status_id = deleted() where id = 1").await;
    app.get(url).await.refused(404, "file_not_found");
    app.finish().await;
}

#[tokio::test]
async fn ticket_is_bound_to_video_visitor_and_time() {
    let app = App::start().await;
    film(&app, 1).await;
    let ready = with_waits(&app, 0, 3600);
    let (mona, max) = (app.member("mona").await, app.member("max").await);
    let on = |member: &Session| Session { site: ready.site.clone(), cookie: member.cookie.clone(), ..app.guest() };
    let own = ticket(&on(&mona), 1).await;
    for (session, ticket) in [
        (&on(&max), own.clone()),
        (&ready, own.clone()),
        (&ready, ticket(&ready, 1).await.replacen('1', "2", 1)),
        (&ready, "1.0.5".to_owned()),
    ] {
        session.post(CALL, &[("ticket", &ticket)]).await.refused(403, "dont_have_permission");
    }
    assert_eq!(on(&mona).post(CALL, &[("ticket", &own)]).await.status, 200);
    assert_eq!(on(&max).post(CALL, &[("ticket", &ticket(&ready, 1).await)]).await.status, 200, "obtained as a guest");
    let late = with_waits(&app, 0, 0);
    late.post(CALL, &[("ticket", &ticket(&late, 1).await)]).await.refused(403, "link_expired");
    // What counts is the current state of the ticket's video.
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
async fn links_outlive_their_response() {
    let app = App::start().await;
    for (lifetime, least) in [("", 0), ("&lifetime=864000", 864_000), ("&lifetime=8640000", 8_640_000)] {
        let answer = app.json(&format!("/api/videofile.php?video_id=1{lifetime}")).await;
        assert_eq!(answer["expires"], NOW + least + 21_600, "{lifetime}");
    }
    app.finish().await;
}
