//! Resetting a password with a mailed link.

use lantern_config::CaptchaProvider;
use serde_json::json;

use crate::{
    account::confirm::open_and_confirm,
    account::signup::{FORM, link, login, signed_up, site},
    support::{App, Session},
};

fn token(link: &str) -> String {
    link.split_once("token=").unwrap().1.to_owned()
}

async fn request_token(app: &App, browser: &Session) -> String {
    assert_eq!(browser.post("/api/restore.php", &[("eml", "MIKA@example.org")]).await.json(), json!({"ok": 1}));
    let link = link(app).await;
    assert!(link.starts_with("/restore-password/?token="), "{link}");
    token(&link)
}

#[tokio::test]
async fn link_sets_password_once_and_ends_all_sessions() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    let signed_in =
        Session { cookie: login(&browser, "Mika", "correct horse").await.cookies(), ..browser.at("127.0.0.1") };
    let token = request_token(&app, &browser).await;
    let set = async |token: &str, pwd: &str| {
        browser.post("/api/restore_confirm.php", &[("token", token), ("pwd", pwd)]).await
    };
    set(&token, "four").await.refused(422, "min_length");
    set("", "battery staple").await.refused(422, "token_invalid");
    set(&"A".repeat(43), "battery staple").await.refused(422, "token_invalid");
    for _ in 0..5 {
        login(&browser, "Mika", "wrong horse").await.refused(401, "invalid_usr_or_pwd");
    }
    assert_eq!(set(&token, "battery staple").await.json(), json!({"ok": 1}));
    let replayed = set(&token, "third time").await;
    replayed.refused(422, "token_used");
    assert_eq!(replayed.json()["field"], "token");
    assert_eq!(signed_in.get("/api/me.php").await.json()["user"], json!(null), "the session has ended");
    assert_eq!(login(&browser, "Mika", "battery staple").await.status, 200, "failures are cleared");
    login(&browser, "Mika", "correct horse").await.refused(401, "invalid_usr_or_pwd");
    let notice = app.queued_mails().await.pop().unwrap();
    assert_eq!((&notice["kind"], &notice["to"]), (&json!("password_changed"), &json!("mika@example.org")));
    assert_eq!(notice["link"], "/restore-password/", "for a change the member did not make");
    app.finish().await;
}

#[tokio::test]
async fn concurrent_uses_of_a_link_succeed_once() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    let token = request_token(&app, &browser).await;
    let tries = ["battery staple", "another one"].map(|pwd| {
        let form = [("token", token.as_str()), ("pwd", pwd)];
        let browser = &browser;
        async move { browser.post("/api/restore_confirm.php", &form).await.status }
    });
    let mut statuses = futures_util::future::join_all(tries).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 422]);
    app.finish().await;
}

#[tokio::test]
async fn links_are_bound_to_purpose_and_lifetime_and_survive_later_requests() {
    let app = site(|_| {}).await;
    let browser = app.guest();
    browser.post("/api/signup.php", &FORM).await;
    let confirm = token(&link(&app).await);
    let first = request_token(&app, &browser).await;
    let second = request_token(&app, &browser).await;
    let set = async |token: &str| {
        browser.post("/api/restore_confirm.php", &[("token", token), ("pwd", "battery staple")]).await
    };
    set(&confirm).await.refused(422, "token_invalid");
    open_and_confirm(&browser, &format!("/confirm/?token={second}")).await.refused(422, "token_invalid");
    app.sql("update mail_tokens set expires_at = to_timestamp(1790000000) where purpose = 'restore'").await;
    set(&second).await.refused(422, "token_invalid");
    app.sql("update mail_tokens set expires_at = to_timestamp(1790000001) where purpose = 'restore'").await;
    // If a stranger makes a later request, the first link stays valid. Using it invalidates the other links.
    assert_eq!(set(&first).await.status, 200);
    set(&second).await.refused(422, "token_used");
    assert_eq!(
        login(&browser, "Mika", "battery staple").await.status,
        200,
        "using the mailed link confirms the address"
    );
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn lookups_of_addresses_are_rate_limited() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    let request_link = async |browser: &Session, eml: &str| browser.post("/api/restore.php", &[("eml", eml)]).await;
    request_link(&browser, "").await.refused(422, "required");
    request_link(&browser, "mika").await.refused(422, "eml_invalid");
    let unknown = request_link(&browser, "nobody@example.org").await;
    unknown.refused(422, "eml_doesnt_exist");
    assert_eq!(unknown.json()["field"], "eml");
    for eml in ["a@example.org", "b@example.org"] {
        request_link(&browser, eml).await.refused(422, "eml_doesnt_exist");
    }
    request_link(&browser, "c@example.org").await.refused(429, "too_many_attempts");
    // Mails to one mailbox are limited across all client addresses.
    for n in 0..4 {
        let reply = request_link(&browser.at(&format!("203.0.113.{n}")), "mika@example.org").await;
        assert_eq!(reply.status, if n < 3 { 200 } else { 429 }, "{}", reply.text());
    }
    assert_eq!(app.numbers("select count(*) from mail_tokens where purpose = 'restore'").await, [3]);
    app.change("update users set status_id = banned()").await;
    request_link(&browser.at("203.0.113.9"), "other@example.org").await.refused(422, "eml_doesnt_exist");
    app.finish().await;

    let app = site(|config| config.captcha.provider = CaptchaProvider::Altcha).await;
    for _ in 0..5 {
        request_link(&app.guest(), "nobody@example.org").await.refused(422, "captcha_required");
    }
    app.finish().await;
}
