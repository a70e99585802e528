//! Mails about accounts: their language, and which links stay valid after changes.

use serde_json::json;

use crate::{
    account::confirm::open_and_confirm,
    account::limits::signed_in_member,
    account::signup::{link, login, site},
    support::Session,
};

#[tokio::test]
async fn password_and_address_changes_invalidate_restore_links() {
    let app = site(|_| {}).await;
    let mut mika = signed_in_member(&app).await;
    let restore_token = async || {
        let reply = app.guest().post("/api/restore.php", &[("eml", "mika@example.org")]).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        link(&app).await.split_once("token=").unwrap().1.to_owned()
    };
    let set = async |token: &str| {
        app.guest().post("/api/restore_confirm.php", &[("token", token), ("pwd", "third time")]).await
    };
    let token = restore_token().await;
    let form = [("act", "password"), ("pwd_now", "correct horse"), ("pwd", "battery staple")];
    mika.cookie = mika.post("/api/account.php", &form).await.cookies();
    set(&token).await.refused(422, "token_invalid");
    // A change of address invalidates the links mailed to the former address.
    let form = [("act", "mail"), ("pwd_now", "battery staple"), ("eml", "new@example.org")];
    mika.cookie = mika.post("/api/account.php", &form).await.cookies();
    let confirm = link(&app).await;
    let token = restore_token().await;
    assert_eq!(open_and_confirm(&mika, &confirm).await.json(), json!({"ok": 1}));
    set(&token).await.refused(422, "token_invalid");
    assert_eq!(login(&app.guest(), "new@example.org", "battery staple").await.status, 200);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn mails_use_the_language_of_the_request() {
    let app = site(|_| {}).await;
    let mika = signed_in_member(&app).await;
    let german = Session { cookie: format!("{}; app_lang=de", mika.cookie), ..mika.at("127.0.0.1") };
    assert_eq!(german.post("/api/restore.php", &[("eml", "mika@example.org")]).await.status, 200);
    let form = [("act", "password"), ("pwd_now", "correct horse"), ("pwd", "battery staple")];
    assert_eq!(german.post("/api/account.php", &form).await.status, 200);
    let mails = app.queued_mails().await;
    let sent: Vec<_> = mails.iter().map(|mail| (&mail["kind"], &mail["lang"])).collect();
    let [confirm, restore, changed] = ["confirm", "restore", "password_changed"].map(|kind| json!(kind));
    assert_eq!(sent, [(&confirm, &json!("en")), (&restore, &json!("de")), (&changed, &json!("de"))]);
    app.finish().await;
}

#[tokio::test]
async fn banned_members_get_no_restore_link() {
    let app = site(|_| {}).await;
    signed_in_member(&app).await;
    app.change("update users set status_id = banned()").await;
    let reply = app.guest().post("/api/restore.php", &[("eml", "mika@example.org")]).await;
    reply.refused(422, "eml_doesnt_exist");
    assert_eq!(app.queued_mails().await.len(), 1, "only the sign-up mail");
    app.finish().await;
}

#[tokio::test]
async fn restore_links_of_different_members_are_independent() {
    let app = site(|_| {}).await;
    signed_in_member(&app).await;
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
