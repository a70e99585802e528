//! Limits on a single moderator session, and how its decisions are undone.

use lantern_catalog::{
    moderation::{
        Actor, members,
        quarantine::{self, RestoreOutcome},
        uploads,
    },
    status::UploadStatus,
};
use serde_json::json;
use time::{Duration, OffsetDateTime};

use super::{consent::record, decide::DECIDE};
use crate::support::{App, Reply, SECOND_STEP, Session, code};

const TAKE_DOWN: &str = "/api/moderate/take_down";
const RESTORE: &str = "/api/moderate/restore";
const QUARANTINE: &str = "/api/moderate/quarantine";
const BAN: &str = "/api/moderate/ban";

async fn take_down(moderator: &Session, id: i64) -> Reply {
    moderator.post(TAKE_DOWN, &[("section", "video"), ("id", &id.to_string())]).await
}

async fn restore(moderator: &Session, section: &str, id: i64) -> Reply {
    moderator.post(RESTORE, &[("section", section), ("id", &id.to_string()), ("note", "A mistake")]).await
}

#[tokio::test]
async fn grave_decisions_are_limited_per_code_and_per_hour() {
    let app = App::configured(|config| {
        config.limits.grave_decision =
            serde_json::from_value(json!({ "kind": "exact", "attempts": 8, "per_seconds": 3600 })).unwrap();
        config.limits.decision = serde_json::from_value(
            json!({ "kind": "gcra", "burst": 3, "per_seconds": 3600, "cells": 1, "exempt_loopback": false }),
        )
        .unwrap();
    })
    .await;
    let nils = app.moderator("nils").await;
    for id in 1..=5 {
        assert_eq!(take_down(&nils, id).await.status, 200, "{id}");
    }
    for _ in 0..4 {
        take_down(&nils, 6).await.refused(403, "step_up_needed");
    }
    nils.post(BAN, &[("username", "member-07"), ("reason", "spam")]).await.refused(403, "step_up_needed");
    nils.post(SECOND_STEP, &[("code", &code(0))]).await.refused(422, "wrong_code");
    take_down(&nils, 6).await.refused(403, "step_up_needed");
    assert_eq!(nils.post(SECOND_STEP, &[("code", &code(1))]).await.status, 200);
    for id in 6..=8 {
        assert_eq!(take_down(&nils, id).await.status, 200, "{id}: refusals do not count");
    }
    // All sessions of a moderator share the allowance.
    take_down(&nils, 9).await.refused(429, "too_many_attempts");
    let other = app.sign_in(nils.id, "nils").await;
    app.sql(&format!("update staff set totp_step = 0 where user_id = {}", nils.id)).await;
    assert_eq!(other.post(SECOND_STEP, &[("code", &code(0))]).await.status, 200);
    take_down(&other, 9).await.refused(429, "too_many_attempts");
    // Ordinary decisions are rate-limited, too.
    let reject = async |id: &str| {
        let form = [("section", "video"), ("id", id), ("revision", "0"), ("verdict", "reject"), ("reason", "quality")];
        nils.post(DECIDE, &form).await
    };
    app.sql("update videos set status_id = in_review() where id between 20 and 23").await;
    for id in ["20", "21", "22"] {
        assert_eq!(reject(id).await.status, 200, "{id}");
    }
    reject("23").await.refused(429, "too_many_attempts");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn moderators_cannot_decide_on_their_own_objects_or_on_staff() {
    let app = App::start().await;
    let (nils, olga) = (app.moderator("nils").await, app.moderator("olga").await);
    app.change(&format!(
        "update videos set user_id = {0}, status_id = in_review() where id = 3; update albums set user_id = {0} where id = 1;
         insert into video_models (video_id, model_id) select 3, id from models where dir = 'mika-sato' on conflict do nothing;
         insert into comments (id, section, object_id, user_id, body) overriding system value values (900, 'video', 21, {0}, 'A word');
         insert into reports (subject, email, message, section, object_id) values ('', 'a@b.example', 'Look', 'album', 1),
             ('', 'a@b.example', 'Look', 'comment', 900), ('', 'a@b.example', 'Look', 'user', {1}), ('', 'a@b.example', 'Look', 'user', {0})",
        nils.id, olga.id
    ))
    .await;
    let approve = [("section", "video"), ("id", "3"), ("revision", "0"), ("verdict", "approve"), ("nobody", "1")];
    nils.post(DECIDE, &approve).await.refused(403, "own_object");
    take_down(&nils, 3).await.refused(403, "own_object");
    nils.post(TAKE_DOWN, &[("section", "album"), ("id", "1")]).await.refused(403, "own_object");
    let consent = [
        ("section", "video"),
        ("id", "3"),
        ("model", "mika-sato"),
        ("signed_on", "2026-08-30"),
        ("document", "passport"),
    ];
    record(&nils, &[&consent[..], &[("reference", "Folder 1")]].concat(), None).await.refused(403, "own_object");
    nils.post("/api/moderate/revoke_consent", &consent[..3]).await.refused(403, "own_object");
    let reports = app.numbers("select id from reports where state = 'open' order by id").await;
    let close = async |report: i64| {
        nils.post("/api/moderate/reports", &[("id", &*report.to_string()), ("verdict", "reject")]).await
    };
    close(reports[0]).await.refused(403, "own_object");
    close(reports[1]).await.refused(403, "own_object");
    close(reports[2]).await.refused(403, "staff_member");
    close(reports[3]).await.refused(403, "own_object");
    nils.post(BAN, &[("username", "olga"), ("reason", "spam")]).await.refused(403, "staff_member");
    nils.post(BAN, &[("username", "nils"), ("reason", "spam")]).await.refused(403, "own_object");
    assert_eq!(app.numbers("select count(*) from decisions where actor_id is not null").await, [0]);

    // Another moderator may decide on the objects.
    assert_eq!(close_as(&olga, reports[0]).await.status, 200);
    assert_eq!(take_down(&olga, 3).await.status, 200);
    restore(&nils, "video", 3).await.refused(403, "own_object");
    assert_eq!(restore_by_operator(&app, 3).await, RestoreOutcome::Done(UploadStatus::InReview));
    assert!(members::ban(app.pool(), &Actor::OPERATOR, "olga", "spam", false).await.unwrap().is_some());
    app.drain().await;
    app.finish().await;
}

async fn close_as(moderator: &Session, report: i64) -> Reply {
    moderator.post("/api/moderate/reports", &[("id", &*report.to_string()), ("verdict", "reject")]).await
}

async fn restore_by_operator(app: &App, id: i64) -> RestoreOutcome {
    quarantine::restore(app.pool(), &Actor::OPERATOR, "video", id, "").await.unwrap()
}

#[tokio::test]
async fn take_down_is_undone_only_by_another_moderator_or_the_operator() {
    let app = App::start().await;
    let (nils, olga) = (app.moderator("nils").await, app.moderator("olga").await);
    app.change(
        "insert into uploads (token, user_id, kind, file_name, size_bytes, state, expires_at, sha256, video_id)
             values ('t', 1, 'video', 'f', 10, 'done', now(), sha256('0123456789'), 1);
         insert into fingerprints (video_id, seconds, frames) values (1, 9, array_fill(0::bigint, array[10]));
         insert into reports (subject, email, message, section, object_id, reason) values ('', 'a@b.example', 'Look', 'video', 1, 'illegal')",
    )
    .await;
    let banned = "select (select count(*) from media_prints where banned_at is not null)
                         + (select count(*) from fingerprints where banned_at is not null)";
    assert_eq!(take_down(&nils, 1).await.status, 200);
    assert_eq!(nils.post(TAKE_DOWN, &[("section", "album"), ("id", "1")]).await.status, 200);
    app.drain().await;
    let state = async || app.json("/api/json/video/86400/0/1.json").await["video"]["status_id"].as_i64().unwrap();
    assert_eq!(state().await, 5);
    assert_eq!(app.numbers(banned).await, [2]);

    let listed = nils.get(QUARANTINE).await.json();
    let [album, video] = &listed["objects"].as_array().unwrap()[..] else { panic!("{listed}") };
    assert_eq!(
        (&album["section"], &video["section"], &video["moderator"]),
        (&json!("album"), &json!("video"), &json!("nils"))
    );
    assert_eq!(
        (&video["may_restore"], &olga.get(QUARANTINE).await.json()["objects"][1]["may_restore"]),
        (&json!(false), &json!(true))
    );
    app.member("mona").await.get(QUARANTINE).await.refused(403, "dont_have_permission");
    restore(&nils, "video", 1).await.refused(403, "second_moderator_needed");
    assert_eq!(restore(&olga, "video", 1).await.json(), json!({ "status_id": 1 }));
    assert_eq!(restore(&olga, "album", 1).await.json(), json!({ "status_id": 1 }));
    restore(&olga, "video", 1).await.refused(404, "not_quarantined");
    restore(&olga, "video", 2).await.refused(404, "not_quarantined");
    app.drain().await;
    assert_eq!(state().await, 1);
    assert_eq!(app.numbers(banned).await, [0], "it may be uploaded again");
    let open = "select count(*) from reports where section = 'video' and object_id = 1 and state = 'open' and handled_by is null";
    assert_eq!(app.numbers(open).await, [1], "the report is open again");

    // Only the operator can restore what the operator has taken down.
    assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "video", 1, "").await.unwrap());
    restore(&olga, "video", 1).await.refused(403, "second_moderator_needed");
    assert_eq!(restore_by_operator(&app, 1).await, RestoreOutcome::Done(UploadStatus::Published));
    // After the quarantine, nothing can be restored.
    assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "video", 1, "").await.unwrap());
    let after = |days| OffsetDateTime::now_utc() + Duration::days(days);
    assert_eq!(quarantine::end_due(app.pool(), 30, after(29)).await.unwrap(), 0);
    assert_eq!(quarantine::end_due(app.pool(), 30, after(31)).await.unwrap(), 1);
    assert_eq!(restore_by_operator(&app, 1).await, RestoreOutcome::NotQuarantined);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn restored_videos_await_review_where_needed() {
    let app = App::start().await;
    app.change(
        "insert into performer_consents (model_id, video_id, signed_on, document_kind, document_ref, verified_by, verified_at, revoked_at)
             select id, 1, '2026-01-01', 'passport', 'x', 'nils', now(), now() from models where dir = 'mika-sato';
         update videos set restore_status_id = published(), status_id = deleted(), readd_at = to_timestamp(1900000000) where id = 4;
         update videos set status_id = rejected(), rejection = 'quality' where id = 5",
    )
    .await;
    for id in [1, 2, 4, 5] {
        assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "video", id, "").await.unwrap(), "{id}");
    }
    app.sql("update videos set user_id = null where id = 2").await;
    for (id, status) in [
        (1, UploadStatus::InReview),
        (2, UploadStatus::InReview),
        (4, UploadStatus::Deleted),
        (5, UploadStatus::Rejected),
    ] {
        assert_eq!(restore_by_operator(&app, id).await, RestoreOutcome::Done(status), "{id}");
    }
    let back = "select count(*) from videos where id = 4 and restore_status_id = published() and readd_at = to_timestamp(1900000000)";
    assert_eq!(app.numbers(back).await, [1], "the owner's scheduled restoration remains");
    app.drain().await;
    app.finish().await;
}
