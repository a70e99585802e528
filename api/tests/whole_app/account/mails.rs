//! What mails of an account are worth after changes, and whose language they are in.

use serde_json::json;

use crate::{
    account::confirm::press,
    account::limits::entered,
    account::signup::{link, login, site},
    support::Session,
};

#[tokio::test]
async fn a_link_to_a_new_password_ends_with_what_it_was_asked_for() {
    let app = site(|_| {}).await;
    let mut mika = entered(&app).await;
    let asked = async || {
        let reply = app.guest().post("/api/restore.php", &[("eml", "mika@example.org")]).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        link(&app).await.split_once("token=").unwrap().1.to_owned()
    };
    let set = async |token: &str| {
        app.guest().post("/api/restore_confirm.php", &[("token", token), ("pwd", "third time")]).await
    };
    let token = asked().await;
    let form = [("act", "password"), ("pwd_now", "correct horse"), ("pwd", "battery staple")];
    mika.cookie = mika.post("/api/account.php", &form).await.cookies();
    set(&token).await.refused(422, "token_invalid");
    // A link to the former address is worth nothing once the address is another.
    let form = [("act", "mail"), ("pwd_now", "battery staple"), ("eml", "new@example.org")];
    mika.cookie = mika.post("/api/account.php", &form).await.cookies();
    let confirm = link(&app).await;
    let token = asked().await;
    assert_eq!(press(&mika, &confirm).await.json(), json!({"ok": 1}));
    set(&token).await.refused(422, "token_invalid");
    assert_eq!(login(&app.guest(), "new@example.org", "battery staple").await.status, 200);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn every_mail_is_in_the_language_of_whoever_caused_it() {
    let app = site(|_| {}).await;
    let mika = entered(&app).await;
    let german = Session { cookie: format!("{}; app_lang=de", mika.cookie), ..mika.at("127.0.0.1") };
    assert_eq!(german.post("/api/restore.php", &[("eml", "mika@example.org")]).await.status, 200);
    let form = [("act", "password"), ("pwd_now", "correct horse"), ("pwd", "battery staple")];
    assert_eq!(german.post("/api/account.php", &form).await.status, 200);
    let mails = app.queued_mails().await;
    let told: Vec<_> = mails.iter().map(|mail| (&mail["kind"], &mail["lang"])).collect();
    let [confirm, restore, changed] = ["confirm", "restore", "password_changed"].map(|kind| json!(kind));
    assert_eq!(told, [(&confirm, &json!("en")), (&restore, &json!("de")), (&changed, &json!("de"))]);
    app.finish().await;
}

#[tokio::test]
async fn a_banned_member_is_sent_no_link() {
    let app = site(|_| {}).await;
    entered(&app).await;
    app.change("update users set status_id = 5").await;
    let reply = app.guest().post("/api/restore.php", &[("eml", "mika@example.org")]).await;
    reply.refused(422, "eml_doesnt_exist");
    assert_eq!(app.queued_mails().await.len(), 1, "the one of the sign-up");
    app.finish().await;
}

#[tokio::test]
async fn a_new_link_takes_the_place_of_the_members_own_alone() {
    let app = site(|_| {}).await;
    entered(&app).await;
    app.member("rei").await;
    let mut links = Vec::new();
    for eml in ["mika@example.org", "rei@members.example"] {
        assert_eq!(app.guest().post("/api/restore.php", &[("eml", eml)]).await.status, 200);
        links.push(link(&app).await);
    }
    for (link, usr) in links.iter().zip(["Mika", "rei"]) {
        let form = [("token", link.split_once("token=").unwrap().1), ("pwd", "battery staple")];
        assert_eq!(app.guest().post("/api/restore_confirm.php", &form).await.status, 200, "{usr}");
        assert_eq!(login(&app.guest(), usr, "battery staple").await.status, 200);
    }
    app.drain().await;
    app.finish().await;
}
