//! Scheduled publication: an approved video is hidden until its time, and then appears everywhere.

use std::{io::Read as _, time::Instant};

use flate2::read::GzDecoder;
use lantern_catalog::{
    account_removal, films, managed,
    moderation::{
        Actor, members, quarantine,
        uploads::{self, DecisionOutcome, Verdict},
    },
};
use lantern_testing::film;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};

use crate::{
    page::dom::ADULT,
    support::{App, PATIENCE, Session, done, listing, video_ids},
    upload::films::{EDIT, form, latest, sent, short, work, worker},
};

/// A time this many hours ahead, as a form sends it from a zone east of Greenwich.
fn ahead(hours: i64) -> String {
    let at = OffsetDateTime::now_utc() + Duration::hours(hours);
    at.to_offset(time::UtcOffset::from_hms(5, 30, 0).unwrap()).format(&Rfc3339).unwrap()
}

/// Creates a video of the member that awaits a decision, with a time of publication a day ahead.
async fn waiting(app: &App, owner: &Session) -> i64 {
    let insert = format!(
        "insert into videos (dir, title, lang, gender, duration, user_id, status_id, media_key, publish_at)
         values ('lanterns', 'Lanterns on the canal', 'en', 'str', 700, {}, in_review(), 'films/01/film', now() + interval '1 day')
         returning id",
        owner.id
    );
    app.numbers(&insert).await[0]
}

/// Creates a video of the member that is approved and waits for its time.
async fn scheduled(app: &App, owner: &Session) -> i64 {
    let id = waiting(app, owner).await;
    assert_eq!(app.approve(id).await, DecisionOutcome::Done);
    assert_eq!(status(app, id).await, 6);
    id
}

/// Makes the video's time come. No statement could set a time in the past, so triggers are off.
async fn time_comes(app: &App, id: i64) {
    app.sql(&format!(
        "begin; set local session_replication_role = replica;
         update videos set publish_at = now() - interval '1 minute' where id = {id}; commit"
    ))
    .await;
}

async fn due(app: &App) -> u64 {
    films::publish_due(app.pool()).await.unwrap()
}

async fn status(app: &App, id: i64) -> i64 {
    app.number(&format!("select status_id::bigint from videos where id = {id}")).await
}

/// Seconds since the video's publication date.
async fn age(app: &App, id: i64) -> i64 {
    app.number(&format!("select extract(epoch from now() - post_date)::bigint from videos where id = {id}")).await
}

async fn own(member: &Session, id: i64) -> Value {
    member.get(&format!("{EDIT}?video_id={id}")).await.json()
}

async fn edit(member: &Session, id: i64, form: &[(&str, &str)]) -> Value {
    done(&member.post(EDIT, &[&[("video_id", &*id.to_string())], form].concat()).await)
}

/// Returns the places where the video is missing: lists, a search, a feed, the sitemap, and its own pages and files.
async fn missing(app: &App, id: i64, owner: i64, files: &[String]) -> Vec<String> {
    let mut missing = Vec::new();
    for list in [
        listing("latest-updates", 60, "all..1.all.all.all"),
        listing("latest-updates", 60, "categories.dance.1.all.all.all"),
        listing("latest-updates", 60, &format!("member.{owner}.1.all.all.all")),
        "/api/videos2.php?params=86400/str/relevance/10/search..1.all..&s=lanterns+canal".to_owned(),
        "/api/json/videos_related2/432000/20/0/11.all.1.json".to_owned(),
    ] {
        if !video_ids(&app.get(&list).await.json()).contains(&id) {
            missing.push(list);
        }
    }
    let home = app.json("/api/json/home/3600/str.JP.en.json").await.to_string();
    let feed = app.get("/videos/latest-updates/feed/").await.text();
    let sitemap = app.get("/sitemap/videos-0.xml.gz").await;
    let mut listed = String::new();
    GzDecoder::new(&*sitemap.body).read_to_string(&mut listed).unwrap();
    for (place, text) in [("home", home), ("feed", feed), ("sitemap", listed)] {
        if !text.to_lowercase().contains("lanterns") {
            missing.push(place.to_owned());
        }
    }
    let pages = [
        format!("/videos/{id}/lanterns-on-the-canal/"),
        format!("/api/json/video/86400/0/{id}.json"),
        format!("/api/videofile.php?video_id={id}"),
        format!("/embed/{id}/"),
        format!("/oembed?url=http://127.0.0.1:8080/videos/{id}/"),
    ];
    for page in pages.iter().chain(files) {
        match app.send(axum::http::Method::GET, page, &[ADULT]).await.status {
            200 => {}
            404 => missing.push(page.clone()),
            other => panic!("{page}: {other}"),
        }
    }
    missing
}

#[tokio::test]
async fn approved_film_is_hidden_until_its_time_and_then_shown_everywhere() {
    let app = App::configured(|config| {
        short(config);
        // A guest requests every hidden page several times.
        config.limits.hidden = config.limits.search.clone();
    })
    .await;
    let mona = app.member("mona").await;
    let nils = app.moderator("nils").await;
    let fan = app.member("fan").await;
    let follow =
        [("act", "subscribe"), ("section", "add"), ("object_type", "user"), ("object_id", &*mona.id.to_string())];
    fan.acts(&follow).await;
    // A video that has no model or category is related to others by its title alone.
    app.change(
        "update videos set title = 'Canal lights', gender = 'str' where id = 11;
         delete from video_models where video_id = 11; delete from video_categories where video_id = 11",
    )
    .await;
    let at = ahead(24);
    let token = sent(&mona, &film("4", 1)).await;
    let described = [&form(&token, "Lanterns on the canal")[..], &[("publish_at", &at)]].concat();
    assert_eq!(mona.post(EDIT, &described).await.json(), json!({ "ok": 1 }));
    assert!(work(&worker(&app, |_| {})).await);
    let upload = latest(&mona).await;
    let id = upload["video"]["video_id"].as_i64().unwrap();
    let utc = OffsetDateTime::parse(&at, &Rfc3339).unwrap().to_offset(time::UtcOffset::UTC);
    let utc = utc.replace_nanosecond(0).unwrap().format(&Rfc3339).unwrap();
    assert_eq!(upload["video"]["publish_at"], utc);
    assert_eq!(edit(&mona, id, &[("shot", "7")]).await["status_id"], 2);

    // Everything that is cached now lacks the video.
    app.make_sitemaps().await;
    let files: Vec<String> =
        upload["video"]["shots"].as_array().unwrap().iter().map(|shot| shot.as_str().unwrap().to_owned()).collect();
    let everywhere = missing(&app, id, mona.id, &files).await;
    assert_eq!(everywhere.len(), 8 + 5 + 10, "{everywhere:?}");
    app.sql("update videos set post_date = now() - interval '3 days' where status_id = in_review()").await;
    assert_eq!(app.approve(id).await, DecisionOutcome::Done);
    app.drain().await;
    assert_eq!((status(&app, id).await, due(&app).await), (6, 0));
    assert_eq!(missing(&app, id, mona.id, &files).await, everywhere);
    assert_eq!(mona.get("/api/member_lists.php?list=notifications").await.json()["code"], "notifications_not_found");

    // Its owner and moderators see it and its time.
    let page = format!("/api/json/video/86400/0/{id}.json");
    assert_eq!(mona.get(&page).await.json()["video"]["status_id"], 6);
    assert_eq!((mona.get(&files[0]).await.status, fan.get(&files[0]).await.status), (200, 404));
    let listed = mona.get("/api/member_lists.php?list=uploaded_videos").await.json()["videos"][0].clone();
    assert_eq!((&listed["status_id"], &listed["publish_at"]), (&json!(6), &json!(utc)));
    assert_eq!(own(&mona, id).await["publish_at"], utc);
    let review = nils.get(&format!("/api/moderate/upload?section=video&id={id}")).await.json();
    assert_eq!((&review["status_id"], &review["publish_at"]), (&json!(6), &json!(utc)));

    let other = app.another_node().await;
    // It has no copies of the files.
    assert_eq!(missing(&other, id, mona.id, &[]).await, everywhere[..13]);
    time_comes(&app, id).await;
    let (first, second) = tokio::join!(films::publish_due(app.pool()), films::publish_due(other.pool()));
    assert_eq!(first.unwrap() + second.unwrap(), 1, "two nodes publish it once");
    app.drain().await;
    lantern_site::sitemap::make_stale(app.pool(), &app.state().config).await.unwrap();
    assert_eq!(missing(&app, id, mona.id, &files).await, [""; 0], "no cached answer is served without it");
    let published = Instant::now();
    while !missing(&other, id, mona.id, &[]).await.is_empty() {
        assert!(published.elapsed() < PATIENCE);
        tokio::task::yield_now().await;
    }
    assert_eq!(app.ids(&listing("latest-updates", 10, "all..1.all.all.all")).await[0], id);
    assert!(age(&app, id).await < 60, "its date is that of its publication");
    let feed = fan.get("/api/member_lists.php?list=feed").await.json();
    assert_eq!(video_ids(&feed)[0], id);
    let told = mona.get("/api/member_lists.php?list=notifications").await.json()["notifications"].clone();
    assert_eq!((told.as_array().unwrap().len(), &told[0]["kind"]), (1, &json!("upload_published")));
    assert!(own(&mona, id).await.get("publish_at").is_none());
    app.finish().await;
}

#[tokio::test]
async fn owner_changes_or_removes_the_time() {
    let app = App::start().await;
    let (mona, eve) = (app.member("mona").await, app.member("eve").await);
    let id = scheduled(&app, &mona).await;
    let later = ahead(48);
    assert_eq!(edit(&mona, id, &[("publish_at", &later)]).await["status_id"], 6, "no new review");
    let shown = own(&mona, id).await["publish_at"].as_str().unwrap().to_owned();
    let seconds = |time: &str| OffsetDateTime::parse(time, &Rfc3339).unwrap().unix_timestamp();
    assert_eq!(seconds(&shown), seconds(&later));
    for (publish_at, code) in [
        ("2027-01-31T18:00:00", "invalid"),
        ("2027-01-31", "invalid"),
        ("tomorrow", "invalid"),
        (&*ahead(24 * 366), "publish_too_late"),
    ] {
        let form = [("video_id", &*id.to_string()), ("publish_at", publish_at)];
        mona.post(EDIT, &form).await.refused(422, code);
    }
    eve.post(EDIT, &[("video_id", &id.to_string()), ("publish_at", "now")]).await.refused(404, "video_not_found");
    assert_eq!(status(&app, id).await, 6);
    // A time in the past publishes at once, and so does none.
    app.sql("update videos set post_date = now() - interval '3 days' where status_id = scheduled()").await;
    assert_eq!(edit(&mona, id, &[("publish_at", &ahead(-1))]).await["status_id"], 1);
    assert!(age(&app, id).await < 60);
    let other = scheduled(&app, &mona).await;
    assert_eq!(edit(&mona, other, &[("publish_at", "now")]).await["status_id"], 1);
    let told = "select count(*) from notifications where kind = 'upload_published'";
    assert_eq!(app.number(told).await, 2);
    // What was public is not withdrawn by a time, but may stay without one.
    let again = [("video_id", &*id.to_string()), ("publish_at", &*later)];
    mona.post(EDIT, &again).await.refused(422, "already_published");
    assert_eq!(edit(&mona, id, &[("publish_at", "now")]).await["status_id"], 1);
    app.sql(&format!("update videos set publish_at = now() + interval '1 day' where id = {id}")).await;
    assert_eq!(status(&app, id).await, 1);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn time_that_comes_during_a_review_publishes_at_approval() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    let details = [("title", "Lanterns again"), ("lang", "en"), ("orientation", "str"), ("categories", "dance")];
    let id = scheduled(&app, &mona).await;
    assert_eq!(edit(&mona, id, &details).await["status_id"], 2, "other details are reviewed again");
    assert!(own(&mona, id).await["publish_at"].is_string(), "a form without the field keeps the time");
    time_comes(&app, id).await;
    assert_eq!((due(&app).await, status(&app, id).await), (0, 2));
    app.sql(&format!(
        "begin; set local session_replication_role = replica;
         update videos set post_date = now() - interval '3 days' where id = {id}; commit"
    ))
    .await;
    assert_eq!(app.approve(id).await, DecisionOutcome::Done);
    assert_eq!(status(&app, id).await, 1);
    assert!(age(&app, id).await < 60);
    let rejected = waiting(&app, &mona).await;
    assert_eq!(app.decide(rejected, Verdict::Reject("quality")).await, DecisionOutcome::Done);
    time_comes(&app, rejected).await;
    assert_eq!((due(&app).await, status(&app, rejected).await), (0, 4));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn deleted_or_taken_down_video_is_not_published_until_it_is_restored() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    app.change(&format!("update users set status_id = manages_uploads() where id = {}", mona.id)).await;
    let (taken, away, back) =
        (scheduled(&app, &mona).await, scheduled(&app, &mona).await, scheduled(&app, &mona).await);
    assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "video", taken, "").await.unwrap());
    edit(&mona, away, &[("act", "2")]).await;
    edit(&mona, back, &[("act", "4"), ("days", "1")]).await;
    for id in [taken, away, back] {
        time_comes(&app, id).await;
    }
    assert_eq!(due(&app).await, 0);
    for id in [taken, away, back] {
        assert_eq!(status(&app, id).await, 5);
    }
    let tomorrow = OffsetDateTime::now_utc() + Duration::days(2);
    assert_eq!(managed::bring_back(app.pool(), tomorrow).await.unwrap(), 1);
    assert_eq!(status(&app, back).await, 1, "its time has come");
    quarantine::restore(app.pool(), &Actor::OPERATOR, "video", taken, "").await.unwrap();
    assert_eq!(status(&app, taken).await, 1);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn bans_revoked_consents_and_closed_accounts_stop_a_publication() {
    let app = App::start().await;
    let (mona, olga, eve) = (app.member("mona").await, app.member("olga").await, app.member("eve").await);
    let (banned, reviewed, gone) =
        (scheduled(&app, &mona).await, scheduled(&app, &olga).await, scheduled(&app, &eve).await);
    let ban = async |name: &str, uploads: bool| {
        members::ban(app.pool(), &Actor::OPERATOR, name, "spam", uploads).await.unwrap().unwrap().uploads
    };
    assert_eq!((ban("mona", false).await, ban("olga", true).await), (0, 1));
    let mut transaction = app.pool().begin().await.unwrap();
    account_removal::remove(&mut transaction, eve.id, false).await.unwrap();
    transaction.commit().await.unwrap();
    for id in [banned, reviewed, gone] {
        time_comes(&app, id).await;
    }
    assert_eq!(due(&app).await, 0);
    let states = [status(&app, banned).await, status(&app, reviewed).await, status(&app, gone).await];
    assert_eq!(states, [6, 2, 5], "a video that nobody has seen goes with its member");
    assert!(members::unban(app.pool(), &Actor::OPERATOR, "mona").await.unwrap());
    assert_eq!((due(&app).await, status(&app, banned).await), (1, 1));

    let nils = app.moderator("nils").await;
    let id = scheduled(&app, &app.member("ida").await).await;
    app.sql(&format!(
        "insert into video_models (video_id, model_id) select {id}, id from models where dir = 'mika-sato';
         insert into performer_consents (video_id, model_id, signed_on, document_kind, document_ref, verified_by, verified_at)
         select {id}, id, '2026-08-30', 'passport', 'Folder 1', 'nils', now() from models where dir = 'mika-sato'"
    ))
    .await;
    let revoked = [("section", "video"), ("id", &*id.to_string()), ("model", "mika-sato")];
    assert_eq!(nils.post("/api/moderate/revoke_consent", &revoked).await.status, 200);
    time_comes(&app, id).await;
    assert_eq!((due(&app).await, status(&app, id).await), (0, 2));
    app.drain().await;
    app.finish().await;
}
