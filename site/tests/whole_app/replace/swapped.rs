//! How an approved film takes the place of the former one.

use lantern_catalog::moderation::{
    Actor, quarantine, record,
    uploads::{self, Verdict},
};
use lantern_testing::film;
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::{
    moderate::decide::{DECIDE, QUEUE, choose_poster, inspect, pending},
    support::{App, Reply, Session},
    upload::films::{self, described, latest, replaced, work, worker},
};

/// Uploads a film and publishes it, and returns the video's id.
pub async fn published(app: &App, member: &Session, film: u8) -> i64 {
    let id = pending(app, member, film).await;
    app.approve(id).await;
    app.drain().await;
    id
}

/// Returns the video as its page shows it to everyone.
pub async fn page(app: &App, id: i64) -> Value {
    app.json(&format!("/api/json/video/86400/{}/{id}.json", id / 1000)).await["video"].clone()
}

/// Returns the address of the video's film.
pub async fn stream(app: &App, id: i64) -> String {
    let file = app.json(&format!("/api/videofile.php?video_id={id}")).await;
    file["video_url"][0]["url"].as_str().unwrap().to_owned()
}

/// Returns the only text that a query returns.
pub async fn text(app: &App, query: &str) -> String {
    sqlx::query_scalar(AssertSqlSafe(query.to_owned())).fetch_one(app.pool()).await.unwrap()
}

/// Returns the path of a signed address, which names the film.
fn folder(address: &str) -> &str {
    address.split('?').next().unwrap()
}

/// Decides as the moderator on the upload that is to replace a film.
pub async fn decide(moderator: &Session, replacement: i64, more: &[(&str, &str)]) -> Reply {
    let revision = inspect(moderator, replacement).await["upload"]["revision"].to_string();
    let id = replacement.to_string();
    let form = [("section", "video"), ("id", id.as_str()), ("revision", revision.as_str())];
    moderator.post(DECIDE, &[&form, more].concat()).await
}

pub const APPROVE: [(&str, &str); 2] = [("verdict", "approve"), ("nobody", "1")];

#[tokio::test]
async fn approved_film_is_shown_at_the_same_address_with_everything_else() {
    let app = films::app().await;
    let (mona, olga, nils) = (app.member("mona").await, app.member("olga").await, app.moderator("nils").await);
    let id = published(&app, &mona, 61).await;
    olga.acts(&[("act", "comm"), ("section", "video"), ("object_id", &id.to_string()), ("msg", "A fine harbour")])
        .await;
    app.change(&format!(
        "update videos set chapters = E'0:00 Opening\\n0:03 The end', post_date = now() - interval '3 days' where id = {id};
         update video_stats set viewed = 700, likes = 30 where video_id = {id};
         insert into captions (video_id, lang, kind, cues) values
             ({id}, 'en', 'subtitles', '[{{\"from\": 0, \"to\": 900, \"text\": \"Here\"}}, {{\"from\": 3100, \"to\": 3900, \"text\": \"There\"}}]'),
             ({id}, 'de', 'subtitles', '[{{\"from\": 3000, \"to\": 3900, \"text\": \"Dort\"}}]');
         insert into history (user_id, video_id, stopped_at) values ({}, {id}, 4)",
        olga.id
    ))
    .await;
    app.drain().await;
    let (before, old) = (page(&app, id).await, stream(&app, id).await);
    assert_eq!(app.get(&old).await.status, 200);

    let waiting = replaced(&app, &mona, id, &film("3", 62)).await;
    assert_eq!(
        (&waiting["state"], &waiting["replaces"], &waiting["title"], &waiting["video"]["status_id"]),
        (&json!("done"), &json!(id), &json!("Evenings by the harbour"), &json!(2)),
        "{waiting}"
    );
    let replacement = waiting["video"]["video_id"].as_i64().unwrap();
    assert_eq!((page(&app, id).await, folder(&stream(&app, id).await)), (before.clone(), folder(&old)));
    let queue = nils.get(QUEUE).await.json();
    let row = queue["uploads"].as_array().unwrap().iter().find(|row| row["id"] == replacement).unwrap();
    assert_eq!((&row["replaces"], &row["like"]), (&json!(id), &json!(0)), "{row}");
    assert_eq!(inspect(&nils, replacement).await["categories"], json!(["city", "dance"]));

    assert_eq!(decide(&nils, replacement, &APPROVE).await.status, 200);
    app.drain().await;
    let after = page(&app, id).await;
    assert_eq!((&before["duration"], &after["duration"]), (&json!("0:04"), &json!("0:03")));
    for kept in ["title", "post_date", "url", "viewed", "likes", "comments", "dir"] {
        assert_eq!(after[kept], before[kept], "{kept}");
    }
    let statistics = "select viewed from video_stats where video_id = {}
                      union all select likes::bigint from video_stats where video_id = {}
                      union all select comments::bigint from video_stats where video_id = {}";
    assert_eq!(app.numbers(&statistics.replace("{}", &id.to_string())).await, [700, 30, 1]);
    let new = stream(&app, id).await;
    assert_ne!(folder(&new), folder(&old));
    assert_eq!((app.get(&new).await.status, app.get(&old).await.status), (200, 404));
    assert!(after["thumb"].as_str().unwrap().ends_with("shot-4-320.webp"), "{after}");
    assert_ne!(after["thumb"], before["thumb"]);
    let found = app.ids("/api/videos2.php?params=86400/str/relevance/10/search..1.all..&s=evenings").await;
    assert_eq!(found, [id], "the index has the video once");

    let ends = format!(
        "select jsonb_array_length(cues)::bigint from captions where video_id = {id}
         union all select stopped_at::bigint from history where video_id = {id}
         union all select (chapters = '0:00 Opening')::integer::bigint from videos where id = {id}"
    );
    assert_eq!(app.numbers(&ends).await, [1, 3, 1]);
    let done = latest(&mona).await;
    assert_eq!(
        (&done["replaces"], &done["video"]["video_id"], &done["video"]["status_id"]),
        (&json!(null), &json!(id), &json!(1))
    );
    let told = mona.get("/api/member_lists.php?list=notifications").await.json()["notifications"][0].clone();
    assert_eq!((&told["kind"], &told["object_id"]), (&json!("film_replaced"), &json!(id)), "{told}");

    let decision = inspect(&nils, id).await["decisions"][0].clone();
    assert_eq!((&decision["act"], &decision["actor"]), (&json!("replace"), &json!("nils")));
    let details = &decision["details"];
    assert_eq!(
        (&details["member"], &details["replacement"], &details["nobody"]),
        (&json!(mona.id), &json!(replacement), &json!(true)),
        "{details}"
    );
    let [former, now] = ["former", "new"].map(|film| details[film].as_str().unwrap());
    assert!(old.contains(former) && new.contains(now) && former != now, "{details}");
    assert_eq!(record::verify(app.pool(), None).await.unwrap().broken, None);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn former_film_is_removed_after_the_grace_period_and_held_while_reports_wait() {
    let app = films::app().await;
    let mona = app.member("mona").await;
    let id = published(&app, &mona, 63).await;
    let former = text(&app, &format!("select media_key from videos where id = {id}")).await;
    let replacement = replaced(&app, &mona, id, &film("4", 64)).await["video"]["video_id"].as_i64().unwrap();
    app.approve(replacement).await;
    let worker = worker(&app, |_| {});
    assert_eq!(worker.remove_due().await.unwrap(), 0);
    // A report of the video may be about the film that was shown until a moment ago.
    app.change(&format!(
        "update videos set deleted_at = now() - interval '1 year' where id = {replacement};
         insert into reports (subject, email, message, section, object_id) values ('', 'a@b.example', 'Look', 'video', {id})"
    ))
    .await;
    assert_eq!(worker.remove_due().await.unwrap(), 0);
    app.sql("update reports set state = 'rejected', closed_at = now()").await;
    assert_eq!(worker.remove_due().await.unwrap(), 1);
    assert!(!app.state().stores.root().join(former).exists());
    assert_eq!(app.get(&stream(&app, id).await).await.status, 200);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn take_down_bans_every_film_that_the_video_has_shown() {
    let app = films::app().await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    let (first, second) = (film("4", 65), film("4", 66));
    described(&mona, &first).await;
    let id = choose_poster(&app, &mona).await;
    app.approve(id).await;
    let replacement = replaced(&app, &mona, id, &second).await["video"]["video_id"].as_i64().unwrap();
    app.approve(replacement).await;
    assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "video", id, "").await.unwrap());
    for bytes in [&first, &second] {
        described(&nils, bytes).await;
        assert!(work(&worker(&app, |_| {})).await);
        assert_eq!(latest(&nils).await["error_code"], "video_banned");
    }
    let banned = "select count(*) from fingerprints where banned_at is not null";
    assert_eq!(app.numbers(banned).await, [2]);
    quarantine::restore(app.pool(), &Actor::OPERATOR, "video", id, "").await.unwrap();
    assert_eq!(app.numbers(banned).await, [0]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn film_is_replaced_again_and_by_the_first_one() {
    let app = films::app().await;
    let mona = app.member("mona").await;
    let bytes = film("4", 67);
    described(&mona, &bytes).await;
    let id = choose_poster(&app, &mona).await;
    app.approve(id).await;
    app.sql(&format!("update videos set post_date = now() - interval '3 days' where id = {id}")).await;
    let rejected = replaced(&app, &mona, id, &film("4", 70)).await["video"]["video_id"].as_i64().unwrap();
    app.decide(rejected, Verdict::Reject("quality")).await;
    for next in [film("4", 68), bytes, film("5", 69)] {
        let sent = replaced(&app, &mona, id, &next).await;
        app.approve(sent["video"]["video_id"].as_i64().unwrap_or_else(|| panic!("{sent}"))).await;
    }
    app.drain().await;
    assert_eq!(page(&app, id).await["duration"], "0:05");
    let uploads = format!("select count(*) from uploads where video_id = {id}");
    assert_eq!(app.numbers(&uploads).await, [1]);
    assert_eq!(
        app.numbers("select count(*) from uploads where replaces is not null").await,
        [0],
        "the rejected one is done with"
    );
    // A new decision on the video keeps its date.
    app.sql(&format!("update videos set status_id = in_review() where id = {id}")).await;
    app.approve(id).await;
    let age = format!("select extract(epoch from now() - post_date)::bigint / 86400 from videos where id = {id}");
    assert_eq!(app.numbers(&age).await, [3]);
    app.drain().await;
    app.finish().await;
}
