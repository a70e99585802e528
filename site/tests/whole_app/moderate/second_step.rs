//! Only moderators may decide, and only after the second step in their session.

use lantern_catalog::moderation::{Actor, members, staff};
use serde_json::json;

use crate::support::{App, NOW, SECOND_STEP, Session, code};

const QUEUE: &str = "/api/moderate/queue";

#[tokio::test]
async fn queue_requires_a_moderator_session_with_second_step() {
    let app = App::start().await;
    app.guest().get(QUEUE).await.refused(401, "need_auth");
    let member = app.member("mona").await;
    member.get(QUEUE).await.refused(403, "dont_have_permission");
    member.get(SECOND_STEP).await.refused(403, "dont_have_permission");
    member.post(SECOND_STEP, &[("code", &code(0))]).await.refused(403, "dont_have_permission");

    let nils = app.new_moderator("nils").await;
    nils.get(QUEUE).await.refused(403, "second_step_needed");
    assert_eq!(nils.get(SECOND_STEP).await.json()["until"], json!(null));
    for wrong in ["000000", "12345", "", &code(2), &code(-2)] {
        let reply = nils.post(SECOND_STEP, &[("code", wrong)]).await;
        reply.refused(422, if wrong.is_empty() { "required" } else { "wrong_code" });
    }
    assert_eq!(nils.post(SECOND_STEP, &[("code", &code(0))]).await.status, 200);
    assert_eq!(nils.get(QUEUE).await.status, 200);
    assert_ne!(nils.get(SECOND_STEP).await.json()["until"], json!(null));

    // Each session needs a separate second step. Used and earlier codes are refused.
    let other = app.sign_in(nils.id, "nils").await;
    other.get(QUEUE).await.refused(403, "second_step_needed");
    other.post(SECOND_STEP, &[("code", &code(0))]).await.refused(422, "wrong_code");
    app.finish().await;
}

#[tokio::test]
async fn wrong_codes_are_rate_limited_and_rights_end_at_once() {
    let app = App::start().await;
    let nils = app.new_moderator("nils").await;
    for _ in 0..5 {
        nils.post(SECOND_STEP, &[("code", "000000")]).await.refused(422, "wrong_code");
    }
    nils.post(SECOND_STEP, &[("code", &code(0))]).await.refused(429, "too_many_attempts");

    let stepped_moderator = async |end: &str, name: &str| {
        let moderator = app.moderator(name).await;
        assert_eq!(moderator.get(QUEUE).await.status, 200, "{end}");
        moderator
    };
    let late = stepped_moderator("time", "late").await;
    app.sql(&format!("update sessions set staff_until = to_timestamp({NOW}) where user_id = {}", late.id)).await;
    late.get(QUEUE).await.refused(403, "second_step_needed");
    let revoked = stepped_moderator("revoked", "revoked").await;
    assert!(staff::revoke(app.pool(), &Actor::OPERATOR, revoked.id).await.unwrap());
    revoked.get(QUEUE).await.refused(403, "dont_have_permission");
    let banned = stepped_moderator("banned", "banned").await;
    members::ban(app.pool(), &Actor::OPERATOR, "banned", "spam", false).await.unwrap().unwrap();
    banned.get(QUEUE).await.refused(401, "need_auth");
    let renewed = stepped_moderator("renewed", "renewed").await;
    let sealed = app.state().seal.seal(&staff::place(renewed.id), b"another secret of 20").unwrap();
    staff::grant(app.pool(), &Actor::OPERATOR, renewed.id, &sealed).await.unwrap();
    renewed.get(QUEUE).await.refused(403, "second_step_needed");
    renewed.post(SECOND_STEP, &[("code", &code(1))]).await.refused(422, "wrong_code");
    app.finish().await;
}

/// Returns the session in a browser that has the device cookie from a second step.
fn with_device(session: &Session, cookie: &str) -> Session {
    Session { cookie: format!("{}; {cookie}", session.cookie), ..session.at("127.0.0.1") }
}

#[tokio::test]
async fn wrong_codes_are_limited_per_day_without_locking_out_known_browsers() {
    let app = App::start().await;
    let nils = app.new_moderator("nils").await;
    let stepped = nils.post(SECOND_STEP, &[("code", &code(-1))]).await;
    let cookie = stepped.header("set-cookie").to_owned();
    assert!(cookie.starts_with("staff-device=") && cookie.contains("; HttpOnly; SameSite=Strict"), "{cookie}");
    let device = cookie.split(';').next().unwrap();

    // An attacker who knows the password guesses codes in many sessions.
    let mut guesses = 0;
    for n in 0..5 {
        let stranger = app.sign_in(nils.id, &format!("stranger{n}")).await;
        loop {
            let reply = stranger.post(SECOND_STEP, &[("code", "000000")]).await;
            if reply.status == 429 {
                break;
            }
            reply.refused(422, "wrong_code");
            guesses += 1;
        }
    }
    assert_eq!(guesses, 10, "the limit per day across sessions");
    let stranger = app.sign_in(nils.id, "late").await;
    stranger.post(SECOND_STEP, &[("code", &code(0))]).await.refused(429, "too_many_attempts");

    // The session and others in the same browser can repeat the step, from any address.
    assert_eq!(nils.get(QUEUE).await.status, 200);
    assert_eq!(with_device(&nils, device).post(SECOND_STEP, &[("code", &code(0))]).await.status, 200);
    let again = with_device(&app.sign_in(nils.id, "again").await, device).at("198.51.100.7");
    assert_eq!(again.post(SECOND_STEP, &[("code", &code(1))]).await.status, 200);
    // Wrong codes from a known browser count, and a device is known for only one moderator.
    for _ in 0..5 {
        again.post(SECOND_STEP, &[("code", "000000")]).await.refused(422, "wrong_code");
    }
    again.post(SECOND_STEP, &[("code", &code(1))]).await.refused(429, "too_many_attempts");
    let olga = app.new_moderator("olga").await;
    let foreign = with_device(&app.sign_in(olga.id, "foreign").await, device);
    assert_eq!(foreign.post(SECOND_STEP, &[("code", &code(0))]).await.status, 200);
    assert_eq!(app.numbers("select count(*) from staff_devices group by user_id").await, [1, 1]);

    // A device expires, and it is forgotten when the moderator gets a new key.
    app.sql(&format!("update staff_devices set used_at = to_timestamp({NOW}) - interval '91 days'")).await;
    let late = with_device(&app.sign_in(nils.id, "rusty").await, device);
    late.post(SECOND_STEP, &[("code", &code(1))]).await.refused(429, "too_many_attempts");
    staff::grant(app.pool(), &Actor::OPERATOR, nils.id, b"sealed").await.unwrap();
    assert_eq!(app.numbers("select count(*) from staff_devices").await, [1]);
    app.finish().await;
}

#[tokio::test]
async fn known_browsers_per_moderator_are_limited() {
    let app = App::configured(|config| config.moderation.devices_most = 2).await;
    let nils = app.new_moderator("nils").await;
    for n in 0..4 {
        let session = app.sign_in(nils.id, &format!("browser{n}")).await;
        app.sql("update staff set totp_step = 0").await;
        assert_eq!(session.post(SECOND_STEP, &[("code", &code(0))]).await.status, 200);
    }
    assert_eq!(app.numbers("select count(*) from staff_devices").await, [2]);
    app.finish().await;
}
