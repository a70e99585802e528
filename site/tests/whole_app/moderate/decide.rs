//! Decisions on queued uploads, and the record of these decisions.

use lantern_catalog::moderation::record;
use lantern_testing::film;
use serde_json::{Value, json};

use crate::{
    support::{App, Session},
    upload::films::{self, EDIT, described, latest, work, worker},
};

pub const QUEUE: &str = "/api/moderate/queue";
pub const DECIDE: &str = "/api/moderate/decide";

/// Uploads a film that awaits a decision, and returns its id.
pub async fn pending(app: &App, member: &Session, number: u8) -> i64 {
    described(member, &film("4", number)).await;
    choose_poster(app, member).await
}

/// Processes the member's latest film, chooses its poster, and returns its id.
pub async fn choose_poster(app: &App, member: &Session) -> i64 {
    assert!(work(&worker(app, |_| {})).await);
    let id = latest(member).await["video"]["video_id"].as_i64().unwrap();
    assert_eq!(member.post(EDIT, &[("video_id", &id.to_string()), ("shot", "5")]).await.json()["status_id"], 2);
    id
}

pub async fn inspect(moderator: &Session, id: i64) -> Value {
    moderator.get(&format!("/api/moderate/upload?section=video&id={id}")).await.json()
}

#[tokio::test]
async fn pending_upload_is_visible_to_moderators_and_approved_as_reviewed() {
    let app = films::app().await;
    let (mona, nils) = (app.member("mona").await, app.moderator("nils").await);
    let id = pending(&app, &mona, 31).await;
    let queue = nils.get(QUEUE).await.json();
    let row = queue["uploads"].as_array().unwrap().iter().find(|row| row["id"] == id).unwrap().clone();
    assert_eq!(
        (&row["section"], &row["username"], &row["has_terms"], &row["reports"]),
        (&json!("video"), &json!("mona"), &json!(false), &json!(0)),
        "{row}"
    );
    let seen = inspect(&nils, id).await;
    assert_eq!(
        (&seen["upload"], &seen["duration"], &seen["categories"], &seen["uploader"]["rejected"]),
        (&row, &json!(4), &json!(["city", "dance"]), &json!(0)),
        "{seen}"
    );
    // Only moderators can open its pictures and streams.
    let other = app.member("olga").await;
    let stream = seen["file"]["video_url"][0]["url"].as_str().unwrap();
    for address in [stream, seen["frames"][3].as_str().unwrap(), row["thumb"].as_str().unwrap()] {
        let statuses = [nils.get(address).await.status, other.get(address).await.status, app.get(address).await.status];
        assert_eq!(statuses, [200, 404, 404], "{address}");
    }

    // If the member makes a change before the decision, the reviewed revision becomes invalid.
    let (number, revision) = (id.to_string(), row["revision"].to_string());
    let decide = |revision: &str, more: &[(&'static str, &'static str)]| {
        let form = [("section", "video"), ("id", &*number), ("revision", revision)];
        let form: Vec<(String, String)> =
            form.iter().chain(more).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let nils = nils.at("127.0.0.1");
        async move {
            let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            nils.post(DECIDE, &form).await
        }
    };
    let mut changed = films::form("", "Something else").to_vec();
    changed[0] = ("video_id", &number);
    assert_eq!(mona.post(EDIT, &changed).await.status, 200);
    decide(&revision, &[("verdict", "approve"), ("nobody", "1")]).await.refused(409, "changed_meanwhile");
    let revision = inspect(&nils, id).await["upload"]["revision"].to_string();
    decide(&revision, &[("verdict", "approve")]).await.refused(409, "no_performers");
    decide(&revision, &[("verdict", "reject")]).await.refused(422, "required");
    decide(&revision, &[("verdict", "reject"), ("reason", "boredom")]).await.refused(422, "invalid");
    decide(&revision, &[("verdict", "perhaps")]).await.refused(422, "invalid");
    mona.post(DECIDE, &[("section", "video"), ("id", &number), ("revision", "0"), ("verdict", "approve")])
        .await
        .refused(403, "dont_have_permission");
    let rejected = decide(&revision, &[("verdict", "reject"), ("reason", "quality"), ("note", "Too dark")]).await;
    assert_eq!(rejected.status, 200, "{}", rejected.text());
    assert_eq!(latest(&mona).await["video"]["reason"], "quality");
    decide(&revision, &[("verdict", "approve"), ("nobody", "1")]).await.refused(409, "not_waiting");
    // After it has been corrected, it is queued again and approved.
    changed[1] = ("title", "Something better");
    assert_eq!(mona.post(EDIT, &changed).await.json()["status_id"], 2);
    assert_eq!(latest(&mona).await["video"]["reason"], json!(null));
    let revision = inspect(&nils, id).await["upload"]["revision"].to_string();
    assert_eq!(decide(&revision, &[("verdict", "approve"), ("nobody", "1")]).await.status, 200);
    app.drain().await;
    assert_eq!(app.get(&format!("/api/videofile.php?video_id={id}")).await.status, 200);

    let acts: Vec<Value> = inspect(&nils, id).await["decisions"].as_array().unwrap().clone();
    let recorded: Vec<_> =
        acts.iter().map(|row| (row["actor"].as_str().unwrap(), row["act"].as_str().unwrap())).collect();
    assert_eq!(recorded, [("nils", "approve"), ("nils", "reject")]);
    assert_eq!(
        (&acts[1]["details"]["reason"], &acts[1]["details"]["note"], &acts[0]["details"]["nobody"]),
        (&json!("quality"), &json!("Too dark"), &json!(true))
    );
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn record_is_append_only_and_tampering_is_detected() {
    let app = App::start().await;
    for id in [3, 4, 5] {
        app.sql(&format!(
            "update videos set status_id = in_review() where id = {id}; delete from video_models where video_id = {id}"
        ))
        .await;
        app.approve(id).await;
    }
    let whole = record::verify(app.pool(), None).await.unwrap();
    assert_eq!((whole.rows, whole.broken, whole.holds), (3, None, true));
    let head = whole.head.unwrap();
    for change in [
        "update decisions set actor = 'somebody' where number = 2",
        "delete from decisions where number = 2",
        "truncate decisions",
    ] {
        let refused = sqlx::query(change).execute(app.pool()).await.unwrap_err().to_string();
        assert!(refused.contains("decisions are never changed"), "{change}: {refused}");
    }
    // The table's owner can disable the trigger, but the hash chain still reveals changes.
    let tamper = async |change: &str| {
        app.sql(&format!(
            "alter table decisions disable trigger user; {change}; alter table decisions enable trigger user"
        ))
        .await;
        record::verify(app.pool(), Some(&head)).await.unwrap()
    };
    app.approve(6).await;
    assert_eq!(tamper("update decisions set act = 'approve' where number = 2").await.broken, None, "no value changed");
    assert_eq!(tamper("update decisions set actor = 'somebody' where number = 2").await.broken, Some(2));
    assert_eq!(tamper("update decisions set actor = 'operator' where number = 2").await.broken, None);
    assert!(!tamper("delete from decisions where number = 3").await.holds, "truncated");
    assert_eq!(tamper("delete from decisions where number = 1").await.broken, Some(1));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn uploads_with_prohibited_terms_precede_older_ones() {
    // The queue shows only two rows, although older uploads exist.
    let app = App::configured(|config| config.moderation.queue_max = 2).await;
    let nils = app.moderator("nils").await;
    let term = app.state().config.safety.prohibited_terms[0].clone();
    app.sql(&format!(
        "update videos set status_id = in_review(), created_at = now() - id * interval '1 day' where id in (3, 4, 5);
         update videos set description = 'Some {term} here' where id = 3;
         insert into reports (subject, email, message, section, object_id) values ('', 'a@b.example', 'Look', 'video', 4)"
    ))
    .await;
    let queue = nils.get(QUEUE).await.json();
    let order: Vec<i64> = queue["uploads"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect();
    assert_eq!(order, [3, 4]);
    assert_eq!(inspect(&nils, 4).await["reports"][0]["message"], "Look");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn album_is_reviewed_with_its_photos_and_approved() {
    let app = App::start().await;
    let nils = app.moderator("nils").await;
    app.sql("update albums set status_id = in_review() where id = 2; delete from album_models where album_id = 2")
        .await;
    let queue = nils.get(QUEUE).await.json();
    let rows = queue["uploads"].as_array().unwrap();
    let row = rows.iter().find(|row| row["section"] == "album" && row["id"] == 2).unwrap();
    let seen = nils.get("/api/moderate/upload?section=album&id=2").await.json();
    assert_eq!((&seen["upload"], &seen["file"]), (row, &json!(null)));
    let photos = app.numbers("select count(*) from photos where album_id = 2").await[0];
    assert_eq!(i64::try_from(seen["frames"].as_array().unwrap().len()).unwrap(), photos);
    assert!(row["thumb"].as_str().unwrap().starts_with("/media/p/"), "{row}");
    let form = [("section", "album"), ("id", "2"), ("revision", "0"), ("verdict", "approve"), ("nobody", "1")];
    assert_eq!(nils.post(DECIDE, &form).await.status, 200);
    assert_eq!(app.numbers("select status_id::bigint from albums where id = 2").await, [1]);
    app.drain().await;
    app.finish().await;
}
