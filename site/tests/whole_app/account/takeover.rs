//! An attacker who knows a member's password tries to keep access after the owner has set another one.

use serde_json::json;
use sqlx::PgPool;

use crate::{
    account::confirm::{open_and_confirm, token},
    account::limits::signed_in_member,
    account::signup::{link, login, site},
    support::{App, Session},
};

const PATH: &str = "/api/account.php";

/// Requests an address change and returns the link mailed to the new address.
async fn request_address_change(app: &App, thief: &Session) -> String {
    let form = [("act", "mail"), ("pwd_now", "correct horse"), ("eml", "thief@example.org")];
    let reply = thief.post(PATH, &form).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    link(app).await
}

/// Resets the password as the owner, who reads the mails to the account's address.
async fn restore_password(app: &App) {
    let owner = app.guest();
    assert_eq!(owner.post("/api/restore.php", &[("eml", "mika@example.org")]).await.status, 200);
    let link = link(app).await;
    let form = [("token", token(&link)), ("pwd", "battery staple")];
    assert_eq!(owner.post("/api/restore_confirm.php", &form).await.json(), json!({"ok": 1}));
}

async fn addresses(pool: &PgPool) -> Vec<String> {
    sqlx::query_scalar("select email from users order by id").fetch_all(pool).await.unwrap()
}

#[tokio::test]
async fn password_restore_cancels_pending_address_change() {
    let app = site(|_| {}).await;
    let thief = signed_in_member(&app).await;
    let change = request_address_change(&app, &thief).await;
    restore_password(&app).await;
    let confirmation = open_and_confirm(&app.guest(), &change).await;
    assert_eq!(addresses(app.pool()).await, ["mika@example.org"], "address is unchanged");
    confirmation.refused(422, "token_invalid");
    assert_eq!(login(&app.guest(), "mika@example.org", "battery staple").await.status, 200);
    login(&app.guest(), "thief@example.org", "battery staple").await.refused(401, "invalid_usr_or_pwd");
    app.finish().await;
}

#[tokio::test]
async fn password_change_cancels_pending_address_change() {
    let app = site(|_| {}).await;
    let thief = signed_in_member(&app).await;
    let change = request_address_change(&app, &thief).await;
    let owner = Session { cookie: login(&app.guest(), "Mika", "correct horse").await.cookies(), ..app.guest() };
    let form = [("act", "password"), ("pwd_now", "correct horse"), ("pwd", "battery staple")];
    assert_eq!(owner.post(PATH, &form).await.status, 200);
    let confirmation = open_and_confirm(&app.guest(), &change).await;
    assert_eq!(addresses(app.pool()).await, ["mika@example.org"], "address is unchanged");
    confirmation.refused(422, "token_invalid");
    app.finish().await;
}

/// Returns once a query on the test's database is waiting for a lock.
async fn wait_for_lock_contention(pool: &PgPool) {
    let waits =
        "select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')";
    while !sqlx::query_scalar::<_, bool>(waits).fetch_one(pool).await.unwrap() {}
}

#[tokio::test]
async fn concurrent_change_with_the_old_password_is_refused() {
    let app = site(|_| {}).await;
    let thief = signed_in_member(&app).await;
    let old_hash: String = sqlx::query_scalar("select password_hash from users").fetch_one(app.pool()).await.unwrap();
    for (act, field, value) in [("mail", "eml", "thief@example.org"), ("password", "pwd", "third time")] {
        let form = [("act", act), ("pwd_now", "correct horse"), (field, value)];
        let mut transaction = app.pool().begin().await.unwrap();
        let set = "update users set password_hash = 'of the owner' where username = 'Mika'";
        sqlx::query(set).execute(&mut *transaction).await.unwrap();
        let request = thief.post(PATH, &form);
        tokio::pin!(request);
        let reply = tokio::select! {
            reply = &mut request => reply,
            () = wait_for_lock_contention(app.pool()) => {
                transaction.commit().await.unwrap();
                request.await
            }
        };
        reply.refused(422, "wrong_password");
        app.sql(&format!("update users set password_hash = '{old_hash}'")).await;
    }
    assert_eq!(app.numbers("select count(*) from mail_tokens where used_at is null").await, [0]);
    app.finish().await;
}

#[tokio::test]
async fn current_address_is_notified_and_can_cancel_the_change() {
    let app = site(|_| {}).await;
    let thief = signed_in_member(&app).await;
    let change = request_address_change(&app, &thief).await;
    let mails = app.queued_mails().await;
    let notice = mails.iter().rfind(|mail| mail["to"] == "mika@example.org").unwrap();
    assert_eq!((&notice["kind"], &notice["username"]), (&json!("mail_asked"), &json!("Mika")));
    let stop = notice["link"].as_str().unwrap();

    // Opening the link changes nothing, and confirming it needs no session.
    let owner = app.guest();
    assert_eq!(owner.get(&format!("/api/confirm.php?token={}", token(stop))).await.json()["purpose"], "stop");
    assert_eq!(app.numbers("select count(*) from mail_tokens where purpose = 'mail'").await, [1]);
    assert_eq!(open_and_confirm(&owner, stop).await.json(), json!({"ok": 1}));
    open_and_confirm(&app.guest(), &change).await.refused(422, "token_invalid");
    assert_eq!(addresses(app.pool()).await, ["mika@example.org"]);
    open_and_confirm(&owner, stop).await.refused(422, "token_used");

    // Only this change is canceled. The password and resetting it still work.
    let signed_in = login(&owner, "Mika", "correct horse").await;
    let mika = Session { cookie: signed_in.cookies(), ..app.guest() };
    assert_eq!(mika.get(PATH).await.json()["new_email"], json!(null));
    restore_password(&app).await;
    app.finish().await;
}
