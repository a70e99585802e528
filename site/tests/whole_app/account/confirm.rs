//! Mailed links. Opening one changes nothing; only the button on its page does.

use axum::{body::Body, http::Method};
use serde_json::json;

use crate::{
    account::limits::signed_in_member,
    account::signup::{FORM, link, login, signed_up, site},
    support::{App, Reply, Session},
};

/// Returns the token of a mailed link.
pub fn token(link: &str) -> &str {
    link.split_once("token=").unwrap().1
}

/// Opens a mailed link and presses the button on its page.
pub async fn open_and_confirm(browser: &Session, link: &str) -> Reply {
    browser.get(link).await;
    browser.post("/api/confirm.php", &[("token", token(link))]).await
}

/// Requests a link like a mail scanner.
async fn prefetch(app: &App, link: &str) {
    for path in [link.to_owned(), format!("/api/confirm.php?token={}", token(link))] {
        for method in [Method::HEAD, Method::GET] {
            app.guest().send(method, &path, &[], Body::empty()).await;
        }
    }
}

#[tokio::test]
async fn opening_a_link_confirms_nothing() {
    let app = site(|_| {}).await;
    let browser = app.guest();
    browser.post("/api/signup.php", &FORM).await;
    let sent = link(&app).await;
    prefetch(&app, &sent).await;
    login(&browser, "Mika", "correct horse").await.refused(403, "not_confirmed");
    let page = browser.get(&sent).await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    let about = browser.get(&format!("/api/confirm.php?token={}", token(&sent))).await;
    assert_eq!(about.json(), json!({"purpose": "confirm", "used": false}));
    assert_eq!(about.header("cache-control"), "private, no-store");
    assert_eq!(open_and_confirm(&browser, &sent).await.json(), json!({"ok": 1}));
    let mut mika = Session { cookie: login(&browser, "Mika", "correct horse").await.cookies(), ..app.guest() };

    // The same applies to a new address.
    let form = [("act", "mail"), ("pwd_now", "correct horse"), ("eml", "new@example.org")];
    mika.cookie = mika.post("/api/account.php", &form).await.cookies();
    let change = link(&app).await;
    prefetch(&app, &change).await;
    assert_eq!(mika.get("/api/account.php").await.json()["email"], "mika@example.org");
    assert_eq!(open_and_confirm(&mika, &change).await.json(), json!({"ok": 1}));
    assert_eq!(mika.get("/api/account.php").await.json()["email"], "new@example.org");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn used_link_is_reported_as_used() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    let sent = link(&app).await;
    let about = browser.get(&format!("/api/confirm.php?token={}", token(&sent))).await;
    assert_eq!(about.json(), json!({"purpose": "confirm", "used": true}));
    let again = open_and_confirm(&browser, &sent).await;
    again.refused(422, "token_used");
    assert_eq!(again.json()["field"], "token");
    for wrong in ["", "x", &*"A".repeat(43)] {
        open_and_confirm(&browser, &format!("/confirm/?token={wrong}")).await.refused(422, "token_invalid");
        browser.get(&format!("/api/confirm.php?token={wrong}")).await.refused(422, "token_invalid");
    }
    browser.get("/api/confirm.php").await.refused(422, "token_invalid");
    let foreign_headers = [("content-type", "application/x-www-form-urlencoded"), ("sec-fetch-site", "cross-site")];
    let forged = browser.send(Method::POST, "/api/confirm.php", &foreign_headers, Body::from("token=x")).await;
    forged.refused(403, "cross_site");
    app.finish().await;
}

/// Runs a future while all but one of the pool's connections are in use.
async fn with_one_connection<T>(app: &App, task: impl Future<Output = T>) -> T {
    let most = app.pool().options().get_max_connections();
    let others = futures_util::future::join_all((1..most).map(|_| app.pool().acquire())).await;
    assert!(others.iter().all(Result::is_ok));
    task.await
}

#[tokio::test]
async fn confirmation_needs_only_one_database_connection() {
    let app = site(|_| {}).await;
    signed_in_member(&app).await;
    assert_eq!(app.guest().post("/api/restore.php", &[("eml", "mika@example.org")]).await.status, 200);
    let restore = link(&app).await;
    let (guest, form) = (app.guest(), [("token", token(&restore)), ("pwd", "battery staple")]);
    let set = with_one_connection(&app, guest.post("/api/restore_confirm.php", &form)).await;
    assert_eq!(set.json(), json!({"ok": 1}));
    let mika = Session { cookie: login(&guest, "Mika", "battery staple").await.cookies(), ..app.guest() };
    let form = [("act", "mail"), ("pwd_now", "battery staple"), ("eml", "new@example.org")];
    let reply = mika.post("/api/account.php", &form).await;
    let (change, mika) = (link(&app).await, Session { cookie: reply.cookies(), ..mika });
    let confirmation = with_one_connection(&app, open_and_confirm(&mika, &change)).await;
    assert_eq!(confirmation.json(), json!({"ok": 1}));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn confirmation_mail_is_resent_on_request() {
    let app = site(|_| {}).await;
    let browser = app.guest();
    browser.post("/api/signup.php", &FORM).await;
    let first = link(&app).await;
    let again = async |usr: &str| browser.post("/api/confirm_again.php", &[("usr", usr)]).await;
    again(" ").await.refused(422, "required");
    let mails = async || app.queued_mails().await.len();
    // An unknown address gets the same response and no mail.
    assert_eq!(again("nobody@example.org").await.json(), json!({"ok": 1}));
    assert_eq!(mails().await, 1);
    for usr in ["MIKA@example.org", "mika"] {
        assert_eq!(again(usr).await.json(), json!({"ok": 1}));
    }
    assert_eq!(mails().await, 3);
    let last = app.queued_mails().await.pop().unwrap();
    assert_eq!((&last["kind"], &last["to"]), (&json!("confirm"), &json!("mika@example.org")));
    // The limit is that of password resets: three per address.
    again("mika").await.refused(429, "too_many_attempts");
    // Any of the links confirms the account. The others then count as used, and a confirmed account gets no more mails.
    let latest = link(&app).await;
    assert_ne!(first, latest);
    assert_eq!(open_and_confirm(&browser, &first).await.json(), json!({"ok": 1}));
    open_and_confirm(&browser, &latest).await.refused(422, "token_used");
    assert_eq!(
        app.guest().at("192.0.2.9").post("/api/confirm_again.php", &[("usr", "mika")]).await.json(),
        json!({"ok": 1})
    );
    assert_eq!(mails().await, 3);
    app.drain().await;
    app.finish().await;
}
