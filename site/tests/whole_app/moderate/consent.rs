//! No model is shown without a record of consent.

use axum::{body::Body, http::Method};
use lantern_catalog::{
    managed,
    moderation::{Actor, consents, quarantine, uploads},
    reports::queue,
};
use serde_json::json;
use time::{Duration, OffsetDateTime};

use super::decide::{DECIDE, inspect};
use crate::{
    report::send::WRONG,
    support::{App, NOW, Reply, Session},
};

const CONSENT: &str = "/api/moderate/consent";
const PDF: &[u8] = b"%PDF-1.7\nA scan of a document";

/// Posts the form, with a copy of the document if one is given.
pub async fn record(moderator: &Session, fields: &[(&str, &str)], proof: Option<&[u8]>) -> Reply {
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend(format!("--x\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").into_bytes());
    }
    if let Some(proof) = proof {
        body.extend(b"--x\r\ncontent-disposition: form-data; name=\"proof\"; filename=\"a\"\r\n\r\n");
        body.extend(proof);
        body.extend(b"\r\n");
    }
    body.extend(b"--x--\r\n");
    let headers = [("content-type", "multipart/form-data; boundary=x"), ("sec-fetch-site", "same-origin")];
    moderator.send(Method::POST, CONSENT, &headers, Body::from(body)).await
}

#[tokio::test]
async fn video_is_approved_only_with_consent_of_every_model() {
    let app = App::start().await;
    let nils = app.moderator("nils").await;
    app.sql(
        "update videos set status_id = in_review() where id = 3; delete from video_models where video_id = 3;
         insert into video_models (video_id, model_id) select 3, id from models where dir in ('anna-lind', 'mika-sato')",
    )
    .await;
    let approve = async || {
        nils.post(DECIDE, &[("section", "video"), ("id", "3"), ("revision", "0"), ("verdict", "approve")]).await
    };
    approve().await.refused(409, "consent_missing");
    let form = |model: &'static str, signed_on: &'static str, reference: &'static str| {
        [
            ("section", "video"),
            ("id", "3"),
            ("model", model),
            ("signed_on", signed_on),
            ("document", "passport"),
            ("reference", reference),
        ]
    };
    let day = "2026-08-30";
    record(&nils, &form("nobody", day, "Folder 1"), None).await.refused(404, "model_not_found");
    record(&nils, &form("anna-lind", "2000-01-01", "Folder 1"), None).await.refused(422, "not_adult");
    record(&nils, &form("anna-lind", "2999-01-01", "Folder 1"), None).await.refused(422, "invalid");
    record(&nils, &form("anna-lind", "yesterday", "Folder 1"), None).await.refused(422, "invalid");
    record(&nils, &form("anna-lind", day, ""), None).await.refused(422, "required");
    record(&nils, &form("anna-lind", day, ""), Some(b"<script>")).await.refused(422, "file_invalid_type");
    record(&nils, &form("anna-lind", day, ""), Some(b"RIFF....WAVE")).await.refused(422, "file_invalid_type");
    let mona = app.member("mona").await;
    record(&mona, &form("anna-lind", day, "Folder 1"), None).await.refused(403, "dont_have_permission");
    assert_eq!(record(&nils, &form("anna-lind", day, "Folder 1"), None).await.status, 200);
    approve().await.refused(409, "consent_missing");
    let recorded = record(&nils, &form("mika-sato", day, ""), Some(PDF)).await;
    assert_eq!(recorded.status, 200, "{}", recorded.text());

    let proof = "/api/moderate/proof?section=video&id=3&model=mika-sato";
    let performers = inspect(&nils, 3).await["performers"].clone();
    assert_eq!(
        (&performers[0]["dir"], &performers[0]["proof"], &performers[1]["proof"], &performers[1]["verified_by"]),
        (&json!("anna-lind"), &json!(null), &json!(proof), &json!("nils")),
        "{performers}"
    );
    // The copy is encrypted in the catalog, and moderators can read it.
    let copy = nils.get(proof).await;
    assert_eq!((copy.status, copy.header("content-type"), &*copy.body), (200, "application/pdf", PDF));
    assert_eq!((copy.header("content-disposition"), copy.header("cache-control")), ("attachment", "private, no-store"));
    mona.get(proof).await.refused(403, "dont_have_permission");
    nils.get("/api/moderate/proof?section=video&id=3&model=anna-lind").await.refused(404, "file_not_found");
    let plain = "select count(*) from performer_consents where position('document'::bytea in proof) > 0";
    assert_eq!(app.numbers(plain).await, [0]);

    assert_eq!(approve().await.status, 200);
    app.sql("update performer_consents set revoked_at = now(); update videos set status_id = in_review() where id = 3")
        .await;
    approve().await.refused(409, "consent_missing");
    app.drain().await;
    app.finish().await;
}

/// Makes video 3 show one model, with recorded consent and a copy of the document.
async fn with_proof(app: &App, moderator: &Session) {
    app.change(
        "delete from video_models where video_id = 3;
         insert into video_models (video_id, model_id) select 3, id from models where dir = 'mika-sato'",
    )
    .await;
    assert_eq!(record(moderator, &form("2026-08-30"), Some(PDF)).await.status, 200);
}

fn form(signed_on: &'static str) -> [(&'static str, &'static str); 6] {
    [
        ("section", "video"),
        ("id", "3"),
        ("model", "mika-sato"),
        ("signed_on", signed_on),
        ("document", "passport"),
        ("reference", "Folder 1"),
    ]
}

const PROOF: &str = "/api/moderate/proof?section=video&id=3&model=mika-sato";

#[tokio::test]
async fn reads_of_document_copies_are_recorded_and_rate_limited() {
    let app = App::start().await;
    let (nils, olga) = (app.moderator("nils").await, app.moderator("olga").await);
    with_proof(&app, &nils).await;
    let recorded = async || {
        app.numbers("select count(*) from decisions where act = 'read proof' and section = 'video' and object_id = 3")
            .await[0]
    };
    let mut read = 0;
    while nils.get(PROOF).await.status == 200 {
        read += 1;
        assert_eq!(recorded().await, read, "each read is recorded before the copy is sent");
    }
    assert_eq!(read, 20);
    nils.get(PROOF).await.refused(429, "too_many_attempts");
    assert_eq!(recorded().await, read);
    let mine = "select count(*) from decisions where act = 'read proof' and actor = 'nils'
                and details::jsonb->>'model' = 'mika-sato'";
    assert_eq!(app.numbers(mine).await, [read]);
    // Requests for missing copies count too.
    for _ in 0..20 {
        olga.get("/api/moderate/proof?section=video&id=1&model=mika-sato").await.refused(404, "file_not_found");
    }
    olga.get(PROOF).await.refused(429, "too_many_attempts");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn revoked_consent_hides_the_video_until_renewed() {
    let app = App::start().await;
    let nils = app.moderator("nils").await;
    with_proof(&app, &nils).await;
    let revoke = async |fields: &[(&str, &str)]| nils.post("/api/moderate/revoke_consent", fields).await;
    let fields = &form("")[..3];
    app.member("mona").await.post("/api/moderate/revoke_consent", fields).await.refused(403, "dont_have_permission");
    revoke(&[("section", "video"), ("id", "3"), ("model", "anna-lind")]).await.refused(404, "consent_not_found");
    assert_eq!(app.get("/api/json/video/86400/0/3.json").await.status, 200);
    assert_eq!(revoke(fields).await.json(), json!({ "hidden": true }));
    revoke(fields).await.refused(404, "consent_not_found");
    app.drain().await;
    app.get("/api/json/video/86400/0/3.json").await.refused(404, "video_not_found");
    let seen = inspect(&nils, 3).await;
    let performer = &seen["performers"][0];
    assert_eq!((&performer["signed_on"], &performer["proof"]), (&json!(null), &json!(null)), "{performer}");
    assert!(performer["revoked_at"].is_string(), "{performer}");
    assert_eq!(seen["decisions"][0]["act"], "revoke consent");
    let approve = [("section", "video"), ("id", "3"), ("revision", "0"), ("verdict", "approve")];
    nils.post(DECIDE, &approve).await.refused(409, "consent_missing");
    // Only a consent that was signed after the revocation counts.
    record(&nils, &form("2026-08-30"), Some(PDF)).await.refused(409, "consent_revoked");
    app.sql("update performer_consents set revoked_at = '2026-09-01' where video_id = 3").await;
    assert_eq!(record(&nils, &form("2026-09-02"), Some(PDF)).await.status, 200);
    assert_eq!(nils.post(DECIDE, &approve).await.status, 200);
    app.drain().await;
    assert_eq!(app.get("/api/json/video/86400/0/3.json").await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn videos_without_consent_are_not_restored_automatically() {
    let app = App::start().await;
    let nils = app.moderator("nils").await;
    with_proof(&app, &nils).await;
    // The video is hidden by reports that are later rejected. Its owner then deletes it and schedules its restoration.
    app.change("insert into report_hides (section, object_id, before) values ('video', 3, '1'); update videos set status_id = in_review() where id = 3;
                insert into reports (subject, email, message, section, object_id) values ('', 'a@b.example', 'Look', 'video', 3)").await;
    assert_eq!(
        consents::revoke(app.pool(), &Actor::OPERATOR, ("video", 3), "mika-sato", "").await.unwrap(),
        Some(false)
    );
    let report = app.numbers("select max(id) from reports").await[0];
    queue::close(app.pool(), &Actor::OPERATOR, report, WRONG).await.unwrap().unwrap();
    let status = "select status_id::bigint from videos where id = 3";
    assert_eq!(app.numbers(status).await, [2]);
    app.change("update performer_consents set revoked_at = null; update videos set restore_status_id = published(), status_id = deleted(), readd_at = to_timestamp(1790000000) where id = 3").await;
    assert!(consents::revoke(app.pool(), &Actor::OPERATOR, ("video", 3), "mika-sato", "").await.unwrap().is_some());
    managed::bring_back(app.pool(), OffsetDateTime::from_unix_timestamp(NOW + 1).unwrap()).await.unwrap();
    assert_eq!(app.numbers(status).await, [2]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn document_copies_are_deleted_after_a_retention_period() {
    let app = App::start().await;
    let nils = app.moderator("nils").await;
    with_proof(&app, &nils).await;
    let copies = async || app.numbers("select count(*) from performer_consents where proof is not null").await[0];
    let day = async |days: i64| {
        let now = OffsetDateTime::now_utc() + Duration::days(days);
        consents::drop_unneeded(app.pool(), 100, now).await.unwrap()
    };
    assert_eq!((day(0).await, day(5000).await), (0, 0), "the video is public");
    // A video that was taken down or deleted may be restored, so retention begins afterwards.
    assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "video", 3, "").await.unwrap());
    assert_eq!((day(0).await, day(200).await), (0, 0));
    quarantine::end_due(app.pool(), 0, OffsetDateTime::now_utc() + Duration::days(1)).await.unwrap();
    assert_eq!((day(0).await, day(99).await, copies().await), (0, 0, 1));
    // The video has been restored in the meantime, so retention begins again.
    app.sql("update videos set status_id = published() where id = 3").await;
    assert_eq!(day(101).await, 0);
    app.sql("update videos set status_id = deleted() where id = 3").await;
    assert_eq!((day(200).await, day(299).await, copies().await), (0, 0, 1));
    assert_eq!((day(300).await, copies().await, day(300).await), (1, 0, 0));
    let retained = "select count(*) from performer_consents where video_id = 3 and document_ref = 'Folder 1' and verified_by = 'nils'";
    assert_eq!(app.numbers(retained).await, [1], "the record of the check remains");
    let recorded = "select count(*) from decisions where act = 'delete proof' and object_id = 3 and actor = 'site'";
    assert_eq!(app.numbers(recorded).await, [1]);
    app.drain().await;
    app.finish().await;
}
