//! Who may decide: moderators, once their session took the second step.

use lantern_catalog::moderation::{Actor, members, staff};
use serde_json::json;

use crate::support::{App, NOW, SECOND_STEP, code};

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
