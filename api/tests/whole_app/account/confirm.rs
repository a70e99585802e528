//! Mailed links: opening one changes nothing, the button of its page does.

use axum::{body::Body, http::Method};
use serde_json::json;

use crate::{
    account::limits::entered,
    account::signup::{FORM, link, login, signed_up, site},
    support::{App, Reply, Session},
};

/// What a mailed link has.
pub fn token(link: &str) -> &str {
    link.split_once("token=").unwrap().1
}

/// Does with a mailed link what people do: opens it and presses the button of its page.
pub async fn press(browser: &Session, link: &str) -> Reply {
    browser.get(link).await;
    browser.post("/api/confirm.php", &[("token", token(link))]).await
}

/// What programs that read mails do with a link.
async fn look(app: &App, link: &str) {
    for path in [link.to_owned(), format!("/api/confirm.php?token={}", token(link))] {
        for method in [Method::HEAD, Method::GET] {
            app.guest().send(method, &path, &[], Body::empty()).await;
        }
    }
}

#[tokio::test]
async fn who_only_looks_at_a_link_confirms_nothing() {
    let app = site(|_| {}).await;
    let browser = app.guest();
    browser.post("/api/signup.php", &FORM).await;
    let sent = link(&app).await;
    look(&app, &sent).await;
    login(&browser, "Mika", "correct horse").await.refused(403, "not_confirmed");
    let page = browser.get(&sent).await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    let about = browser.get(&format!("/api/confirm.php?token={}", token(&sent))).await;
    assert_eq!(about.json(), json!({"purpose": "confirm", "used": false}));
    assert_eq!(about.header("cache-control"), "private, no-store");
    assert_eq!(press(&browser, &sent).await.json(), json!({"ok": 1}));
    let mut mika = Session { cookie: login(&browser, "Mika", "correct horse").await.cookies(), ..app.guest() };

    // The same goes for a new address.
    let form = [("act", "mail"), ("pwd_now", "correct horse"), ("eml", "new@example.org")];
    mika.cookie = mika.post("/api/account.php", &form).await.cookies();
    let change = link(&app).await;
    look(&app, &change).await;
    assert_eq!(mika.get("/api/account.php").await.json()["email"], "mika@example.org");
    assert_eq!(press(&mika, &change).await.json(), json!({"ok": 1}));
    assert_eq!(mika.get("/api/account.php").await.json()["email"], "new@example.org");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn a_second_click_is_told_that_it_is_done() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    let sent = link(&app).await;
    let about = browser.get(&format!("/api/confirm.php?token={}", token(&sent))).await;
    assert_eq!(about.json(), json!({"purpose": "confirm", "used": true}));
    let again = press(&browser, &sent).await;
    again.refused(422, "token_used");
    assert_eq!(again.json()["field"], "token");
    for wrong in ["", "x", &*"A".repeat(43)] {
        press(&browser, &format!("/confirm/?token={wrong}")).await.refused(422, "token_invalid");
        browser.get(&format!("/api/confirm.php?token={wrong}")).await.refused(422, "token_invalid");
    }
    browser.get("/api/confirm.php").await.refused(422, "token_invalid");
    let elsewhere = [("content-type", "application/x-www-form-urlencoded"), ("sec-fetch-site", "cross-site")];
    let forged = browser.send(Method::POST, "/api/confirm.php", &elsewhere, Body::from("token=x")).await;
    forged.refused(403, "cross_site");
    app.finish().await;
}

/// With all connections but one in use by others.
async fn with_one_connection<T>(app: &App, doing: impl Future<Output = T>) -> T {
    let most = app.pool().options().get_max_connections();
    let others = futures_util::future::join_all((1..most).map(|_| app.pool().acquire())).await;
    assert!(others.iter().all(Result::is_ok));
    doing.await
}

#[tokio::test]
async fn links_are_followed_with_a_single_connection() {
    let app = site(|_| {}).await;
    entered(&app).await;
    assert_eq!(app.guest().post("/api/restore.php", &[("eml", "mika@example.org")]).await.status, 200);
    let restore = link(&app).await;
    let (guest, form) = (app.guest(), [("token", token(&restore)), ("pwd", "battery staple")]);
    let set = with_one_connection(&app, guest.post("/api/restore_confirm.php", &form)).await;
    assert_eq!(set.json(), json!({"ok": 1}));
    let mika = Session { cookie: login(&guest, "Mika", "battery staple").await.cookies(), ..app.guest() };
    let form = [("act", "mail"), ("pwd_now", "battery staple"), ("eml", "new@example.org")];
    let asked = mika.post("/api/account.php", &form).await;
    let (change, mika) = (link(&app).await, Session { cookie: asked.cookies(), ..mika });
    let pressed = with_one_connection(&app, press(&mika, &change)).await;
    assert_eq!(pressed.json(), json!({"ok": 1}));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn a_confirmation_mail_is_sent_again_to_who_waits_for_it() {
    let app = site(|_| {}).await;
    let browser = app.guest();
    browser.post("/api/signup.php", &FORM).await;
    let first = link(&app).await;
    let again = async |usr: &str| browser.post("/api/confirm_again.php", &[("usr", usr)]).await;
    again(" ").await.refused(422, "required");
    let mails = async || app.queued_mails().await.len();
    // The same answer for somebody nobody knows, and no mail.
    assert_eq!(again("nobody@example.org").await.json(), json!({"ok": 1}));
    assert_eq!(mails().await, 1);
    for usr in ["MIKA@example.org", "mika"] {
        assert_eq!(again(usr).await.json(), json!({"ok": 1}));
    }
    assert_eq!(mails().await, 3);
    let last = app.queued_mails().await.pop().unwrap();
    assert_eq!((&last["kind"], &last["to"]), (&json!("confirm"), &json!("mika@example.org")));
    // As many as restore a password: three of an address.
    again("mika").await.refused(429, "too_many_attempts");
    // Any of the mails does it, then the others say that it is done, and who has confirmed waits for nothing.
    let latest = link(&app).await;
    assert_ne!(first, latest);
    assert_eq!(press(&browser, &first).await.json(), json!({"ok": 1}));
    press(&browser, &latest).await.refused(422, "token_used");
    assert_eq!(
        app.guest().at("192.0.2.9").post("/api/confirm_again.php", &[("usr", "mika")]).await.json(),
        json!({"ok": 1})
    );
    assert_eq!(mails().await, 3);
    app.drain().await;
    app.finish().await;
}
