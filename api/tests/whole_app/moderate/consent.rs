//! Nobody is shown without a record of consent.

use axum::{body::Body, http::Method};
use serde_json::json;

use super::decide::{DECIDE, look};
use crate::support::{App, Reply, Session};

const CONSENT: &str = "/api/moderate/consent";
const PDF: &[u8] = b"%PDF-1.7\nA scan of a document";

/// Sends the form with a file, if there is one.
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
async fn a_video_is_let_out_when_each_model_is_known_to_have_agreed() {
    let app = App::start().await;
    let nils = app.moderator("nils").await;
    app.sql(
        "update videos set status_id = 2 where id = 3; delete from video_models where video_id = 3;
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
    let performers = look(&nils, 3).await["performers"].clone();
    assert_eq!(
        (&performers[0]["dir"], &performers[0]["proof"], &performers[1]["proof"], &performers[1]["verified_by"]),
        (&json!("anna-lind"), &json!(null), &json!(proof), &json!("nils")),
        "{performers}"
    );
    // The copy is sealed in the catalog, and handed out to those who decide.
    let copy = nils.get(proof).await;
    assert_eq!((copy.status, copy.header("content-type"), &*copy.body), (200, "application/pdf", PDF));
    assert_eq!((copy.header("content-disposition"), copy.header("cache-control")), ("attachment", "private, no-store"));
    mona.get(proof).await.refused(403, "dont_have_permission");
    nils.get("/api/moderate/proof?section=video&id=3&model=anna-lind").await.refused(404, "file_not_found");
    let plain = "select count(*) from performer_consents where position('document'::bytea in proof) > 0";
    assert_eq!(app.numbers(plain).await, [0]);

    assert_eq!(approve().await.status, 200);
    app.sql("update performer_consents set revoked_at = now(); update videos set status_id = 2 where id = 3").await;
    approve().await.refused(409, "consent_missing");
    app.drain().await;
    app.finish().await;
}
