//! Somebody who knows a member's password tries to keep the account after its owner has set another one.

use serde_json::json;
use sqlx::PgPool;

use crate::{
    account::confirm::{press, token},
    account::limits::entered,
    account::signup::{link, login, site},
    support::{App, Session},
};

const PATH: &str = "/api/account.php";

/// Asks for another address and gives the link that its mailbox got.
async fn asks(app: &App, thief: &Session) -> String {
    let form = [("act", "mail"), ("pwd_now", "correct horse"), ("eml", "thief@example.org")];
    let asked = thief.post(PATH, &form).await;
    assert_eq!(asked.status, 200, "{}", asked.text());
    link(app).await
}

/// As the owner, who reads the mails to the account's address.
async fn restores(app: &App) {
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
async fn a_change_of_address_that_waits_ends_with_a_restored_password() {
    let app = site(|_| {}).await;
    let thief = entered(&app).await;
    let change = asks(&app, &thief).await;
    restores(&app).await;
    let pressed = press(&app.guest(), &change).await;
    assert_eq!(addresses(app.pool()).await, ["mika@example.org"], "the address is still the owner's");
    pressed.refused(422, "token_invalid");
    assert_eq!(login(&app.guest(), "mika@example.org", "battery staple").await.status, 200);
    login(&app.guest(), "thief@example.org", "battery staple").await.refused(401, "invalid_usr_or_pwd");
    app.finish().await;
}

#[tokio::test]
async fn a_change_of_address_that_waits_ends_with_a_changed_password() {
    let app = site(|_| {}).await;
    let thief = entered(&app).await;
    let change = asks(&app, &thief).await;
    let owner = Session { cookie: login(&app.guest(), "Mika", "correct horse").await.cookies(), ..app.guest() };
    let form = [("act", "password"), ("pwd_now", "correct horse"), ("pwd", "battery staple")];
    assert_eq!(owner.post(PATH, &form).await.status, 200);
    let pressed = press(&app.guest(), &change).await;
    assert_eq!(addresses(app.pool()).await, ["mika@example.org"], "the address is still the owner's");
    pressed.refused(422, "token_invalid");
    app.finish().await;
}

/// Until something waits for a lock of the test's database.
async fn somebody_waits(pool: &PgPool) {
    let waits =
        "select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')";
    while !sqlx::query_scalar::<_, bool>(waits).fetch_one(pool).await.unwrap() {}
}

#[tokio::test]
async fn a_change_under_way_while_the_password_is_set_comes_to_nothing() {
    let app = site(|_| {}).await;
    let thief = entered(&app).await;
    let known: String = sqlx::query_scalar("select password_hash from users").fetch_one(app.pool()).await.unwrap();
    for (act, field, value) in [("mail", "eml", "thief@example.org"), ("password", "pwd", "third time")] {
        let form = [("act", act), ("pwd_now", "correct horse"), (field, value)];
        let mut setting = app.pool().begin().await.unwrap();
        let set = "update users set password_hash = 'of the owner' where username = 'Mika'";
        sqlx::query(set).execute(&mut *setting).await.unwrap();
        let asked = thief.post(PATH, &form);
        tokio::pin!(asked);
        let reply = tokio::select! {
            reply = &mut asked => reply,
            () = somebody_waits(app.pool()) => {
                setting.commit().await.unwrap();
                asked.await
            }
        };
        reply.refused(422, "wrong_password");
        app.sql(&format!("update users set password_hash = '{known}'")).await;
    }
    assert_eq!(app.numbers("select count(*) from mail_tokens where used_at is null").await, [0]);
    app.finish().await;
}

#[tokio::test]
async fn the_address_that_counts_is_told_of_the_wish_and_can_stop_it() {
    let app = site(|_| {}).await;
    let thief = entered(&app).await;
    let change = asks(&app, &thief).await;
    let mails = app.queued_mails().await;
    let told = mails.iter().rfind(|mail| mail["to"] == "mika@example.org").unwrap();
    assert_eq!((&told["kind"], &told["username"]), (&json!("mail_asked"), &json!("Mika")));
    let stop = told["link"].as_str().unwrap();

    // Neither a mail program that looks nor a session is enough, and none is needed.
    let owner = app.guest();
    assert_eq!(owner.get(&format!("/api/confirm.php?token={}", token(stop))).await.json()["purpose"], "stop");
    assert_eq!(app.numbers("select count(*) from mail_tokens where purpose = 'mail'").await, [1]);
    assert_eq!(press(&owner, stop).await.json(), json!({"ok": 1}));
    press(&app.guest(), &change).await.refused(422, "token_invalid");
    assert_eq!(addresses(app.pool()).await, ["mika@example.org"]);
    press(&owner, stop).await.refused(422, "token_used");

    // It ended that wish alone: the password is what it was, and so is a link to another one.
    let signed_in = login(&owner, "Mika", "correct horse").await;
    let mika = Session { cookie: signed_in.cookies(), ..app.guest() };
    assert_eq!(mika.get(PATH).await.json()["new_email"], json!(null));
    restores(&app).await;
    app.finish().await;
}
