//! Who may decide: moderators, once their session took the second step.

use lantern_catalog::moderation::{Actor, members, staff};
use serde_json::json;

use crate::support::{App, NOW, SECOND_STEP, Session, code};

const QUEUE: &str = "/api/moderate/queue";

#[tokio::test]
async fn only_a_moderator_whose_session_took_the_second_step_sees_what_waits() {
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

    // Another session takes the step for itself, and not with a password that was used, or an earlier one.
    let other = app.sign_in(nils.id, "nils").await;
    other.get(QUEUE).await.refused(403, "second_step_needed");
    other.post(SECOND_STEP, &[("code", &code(0))]).await.refused(422, "wrong_code");
    app.finish().await;
}

#[tokio::test]
async fn passwords_are_not_guessed_and_rights_end_at_once() {
    let app = App::start().await;
    let nils = app.new_moderator("nils").await;
    for _ in 0..5 {
        nils.post(SECOND_STEP, &[("code", "000000")]).await.refused(422, "wrong_code");
    }
    nils.post(SECOND_STEP, &[("code", &code(0))]).await.refused(429, "too_many_attempts");

    let ends = async |end: &str, name: &str| {
        let moderator = app.moderator(name).await;
        assert_eq!(moderator.get(QUEUE).await.status, 200, "{end}");
        moderator
    };
    let late = ends("time", "late").await;
    app.sql(&format!("update sessions set staff_until = to_timestamp({NOW}) where user_id = {}", late.id)).await;
    late.get(QUEUE).await.refused(403, "second_step_needed");
    let gone = ends("revoked", "gone").await;
    assert!(staff::revoke(app.pool(), &Actor::OPERATOR, gone.id).await.unwrap());
    gone.get(QUEUE).await.refused(403, "dont_have_permission");
    let banned = ends("banned", "banned").await;
    members::ban(app.pool(), &Actor::OPERATOR, "banned", "spam", false).await.unwrap().unwrap();
    banned.get(QUEUE).await.refused(401, "need_auth");
    let renewed = ends("renewed", "renewed").await;
    let sealed = app.state().seal.seal(&staff::place(renewed.id), b"another secret of 20").unwrap();
    staff::grant(app.pool(), &Actor::OPERATOR, renewed.id, &sealed).await.unwrap();
    renewed.get(QUEUE).await.refused(403, "second_step_needed");
    renewed.post(SECOND_STEP, &[("code", &code(1))]).await.refused(422, "wrong_code");
    app.finish().await;
}

/// The same browser, known by the cookie it got with the second step.
fn known(session: &Session, cookie: &str) -> Session {
    Session { cookie: format!("{}; {cookie}", session.cookie), ..session.at("127.0.0.1") }
}

#[tokio::test]
async fn wrong_codes_of_strangers_lock_no_known_browser_out_and_are_few_a_day() {
    let app = App::start().await;
    let nils = app.new_moderator("nils").await;
    let stepped = nils.post(SECOND_STEP, &[("code", &code(-1))]).await;
    let cookie = stepped.header("set-cookie").to_owned();
    assert!(cookie.starts_with("staff-device=") && cookie.contains("; HttpOnly; SameSite=Strict"), "{cookie}");
    let device = cookie.split(';').next().unwrap();

    // Whoever knows the password begins session after session, and guesses.
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
    assert_eq!(guesses, 10, "a day's, however many sessions");
    let stranger = app.sign_in(nils.id, "late").await;
    stranger.post(SECOND_STEP, &[("code", &code(0))]).await.refused(429, "too_many_attempts");

    // The session that took the step takes it anew, and so does another one in the same browser, from anywhere.
    assert_eq!(nils.get(QUEUE).await.status, 200);
    assert_eq!(known(&nils, device).post(SECOND_STEP, &[("code", &code(0))]).await.status, 200);
    let again = known(&app.sign_in(nils.id, "again").await, device).at("198.51.100.7");
    assert_eq!(again.post(SECOND_STEP, &[("code", &code(1))]).await.status, 200);
    // A known browser's own wrong codes are counted, and another moderator's browser is none of theirs.
    for _ in 0..5 {
        again.post(SECOND_STEP, &[("code", "000000")]).await.refused(422, "wrong_code");
    }
    again.post(SECOND_STEP, &[("code", &code(1))]).await.refused(429, "too_many_attempts");
    let olga = app.new_moderator("olga").await;
    let foreign = known(&app.sign_in(olga.id, "foreign").await, device);
    assert_eq!(foreign.post(SECOND_STEP, &[("code", &code(0))]).await.status, 200);
    assert_eq!(app.numbers("select count(*) from staff_devices group by user_id").await, [1, 1]);

    // It is known for a time, and until the moderator gets another key.
    app.sql(&format!("update staff_devices set used_at = to_timestamp({NOW}) - interval '91 days'")).await;
    let late = known(&app.sign_in(nils.id, "rusty").await, device);
    late.post(SECOND_STEP, &[("code", &code(1))]).await.refused(429, "too_many_attempts");
    staff::grant(app.pool(), &Actor::OPERATOR, nils.id, b"sealed").await.unwrap();
    assert_eq!(app.numbers("select count(*) from staff_devices").await, [1]);
    app.finish().await;
}

#[tokio::test]
async fn few_browsers_of_a_moderator_are_known() {
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
