//! Albums: consent of the people shown, and take-downs.

use serde_json::json;

use super::edit::{approve, files, form, ids, photo, send, sent, with};
use crate::{moderate::consent::record, support::App};

#[tokio::test]
async fn album_needs_consent_and_pictures_taken_down_are_refused_again() {
    let app = App::start().await;
    let (mona, nils, olga) = (app.member("mona").await, app.moderator("nils").await, app.member("olga").await);
    let made = sent(&mona, &with(&form("Two of us"), &[("models", "mika-sato")]), &[&photo(1), &photo(2)]).await;
    let id = made["album_id"].as_i64().unwrap();
    let album = id.to_string();
    approve(&nils, id, &[("nobody", "1")]).await.refused(409, "consent_missing");
    let consent = |section: &'static str, model: &'static str| {
        [("section", section), ("id", &*album), ("model", model), ("signed_on", "2026-08-30"), ("document", "passport")]
    };
    let scan: Option<&[u8]> = Some(b"%PDF-1.7 A scan");
    // The video with the same id has other models.
    app.sql(&format!("delete from video_models where video_id = {id}")).await;
    record(&nils, &consent("video", "mika-sato"), scan).await.refused(404, "model_not_found");
    record(&nils, &consent("album", "anna-lind"), scan).await.refused(404, "model_not_found");
    for _ in 0..2 {
        assert_eq!(record(&nils, &consent("album", "mika-sato"), scan).await.status, 200, "the second one renews it");
    }
    let seen = nils.get(&format!("/api/moderate/upload?section=album&id={id}")).await.json();
    let proof = format!("/api/moderate/proof?section=album&id={id}&model=mika-sato");
    assert_eq!(
        (&seen["performers"][0]["signed_on"], &seen["performers"][0]["proof"]),
        (&json!("2026-08-30"), &json!(proof))
    );
    assert_eq!((nils.get(&proof).await.status, olga.get(&proof).await.status), (200, 403));
    assert_eq!(approve(&nils, id, &[]).await.status, 200);
    app.drain().await;
    let picture = made["photos"][0]["large"].as_str().unwrap();
    assert_eq!(app.get(picture).await.status, 200);

    // A take-down is permanent.
    let away = [("section", "album"), ("id", &*album), ("note", "Asked for by the owner of the rights")];
    assert_eq!(nils.post("/api/moderate/take_down", &away).await.status, 200);
    app.drain().await;
    assert_eq!(app.get(picture).await.status, 404);
    let mut bytes = photo(2);
    bytes.extend(b"the same picture in another file");
    send(&olga, &form("Once more"), &[&bytes]).await.refused(422, "photo_banned");
    let other = sent(&olga, &form("Once more"), &[&bytes, &photo(3)]).await;
    assert_eq!((ids(&other).len(), &other["refused"]), (1, &json!([{ "index": 0, "code": "photo_banned" }])));
    let next = sent(&mona, &form("Another"), &[&photo(4)]).await["album_id"].clone();
    let seen = nils.get(&format!("/api/moderate/upload?section=album&id={next}")).await.json();
    assert_eq!(seen["uploader"]["taken_down"], 1);
    assert_eq!(files(&app).len(), 12, "files taken down are retained for investigations");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn album_hidden_by_reports_needs_review_after_new_pictures() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    let made = sent(&mona, &form("Reported"), &[&photo(1)]).await;
    let album = made["album_id"].to_string();
    app.sql(&format!("insert into report_hides (section, object_id, before) values ('album', {album}, '1')")).await;
    let hides = format!("select count(*) from report_hides where section = 'album' and object_id = {album}");
    let of = ("album_id", album.as_str());
    assert_eq!(mona.post("/api/album_edit.php", &[of, ("order", &ids(&made)[0].to_string())]).await.status, 200);
    assert_eq!(app.numbers(&hides).await, [1], "the same pictures reappear if the reports are rejected");
    sent(&mona, &[of], &[&photo(2)]).await;
    assert_eq!(app.numbers(&hides).await, [0]);
    app.drain().await;
    app.finish().await;
}
