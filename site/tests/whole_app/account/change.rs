//! The account page: password, mail address, sessions, data export, and deletion.

use serde_json::{Value, json};

use crate::{
    account::confirm::open_and_confirm,
    account::signup::{link, login, signed_up, site},
    support::{App, Session},
};

const PATH: &str = "/api/account.php";

async fn signed_in_member(app: &App) -> Session {
    let browser = signed_up(app).await;
    let reply = login(&browser, "Mika", "correct horse").await;
    let id = reply.json()["user"]["user_id"].as_i64().unwrap();
    Session { id, cookie: reply.cookies(), ..browser.at("127.0.0.1") }
}

async fn second_session(app: &App) -> Session {
    Session { cookie: login(&app.guest(), "Mika", "correct horse").await.cookies(), ..app.guest() }
}

async fn is_signed_in(session: &Session) -> bool {
    session.get(PATH).await.status == 200
}

#[tokio::test]
async fn lists_sessions_and_ends_them() {
    let app = site(|_| {}).await;
    let mika = signed_in_member(&app).await;
    let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
    let form = [("usr", "Mika"), ("pwd", "correct horse")];
    let other_browser = app.guest().post_with("/api/login.php", &form, &[("user-agent", agent)]).await;
    let other_browser = Session { cookie: other_browser.cookies(), ..app.guest() };
    let rei = app.member("Rei").await;
    let reply = mika.get(PATH).await;
    assert_eq!((reply.status, reply.header("cache-control")), (200, "private, no-store"));
    let account = reply.json();
    let facts = ["email", "new_email", "has_password", "google"].map(|name| account[name].clone());
    assert_eq!(facts, [json!("mika@example.org"), json!(null), json!(true), json!(false)]);
    let sessions = account["sessions"].as_array().unwrap();
    let shown: Vec<[&Value; 3]> =
        sessions.iter().map(|one| [&one["current"], &one["agent"], &one["country"]]).collect();
    let [unknown, firefox] = [json!(""), json!("Firefox, Linux")];
    assert_eq!(shown, [[&json!(false), &firefox, &json!("XX")], [&json!(true), &unknown, &json!("XX")]]);
    assert_eq!(sessions[0]["created_at"], "2026-09-21T14:13:20Z");

    let end = async |session: &Session, id: &Value| {
        session.post(PATH, &[("act", "end_session"), ("session_id", &id.to_string())]).await
    };
    end(&rei, &sessions[0]["session_id"]).await.refused(404, "session_not_found");
    assert!(is_signed_in(&other_browser).await, "a session of another member cannot be ended");
    assert_eq!(end(&mika, &sessions[0]["session_id"]).await.json(), json!({"ok": 1}));
    end(&mika, &sessions[0]["session_id"]).await.refused(404, "session_not_found");
    mika.post(PATH, &[("act", "end_session")]).await.refused(422, "required");
    assert!(!is_signed_in(&other_browser).await && is_signed_in(&mika).await);
    let (one, two) = (second_session(&app).await, second_session(&app).await);
    assert_eq!(mika.post(PATH, &[("act", "end_other_sessions")]).await.status, 200);
    assert_eq!((is_signed_in(&one).await, is_signed_in(&two).await, is_signed_in(&mika).await), (false, false, true));
    assert!(is_signed_in(&rei).await);
    mika.post(PATH, &[("act", "ban")]).await.refused(422, "invalid");
    app.guest().post(PATH, &[("act", "end_other_sessions")]).await.refused(401, "need_auth");
    app.finish().await;
}

#[tokio::test]
async fn password_change_requires_current_password_and_ends_other_sessions() {
    let app = site(|_| {}).await;
    let mika = signed_in_member(&app).await;
    let other = second_session(&app).await;
    let change = async |session: &Session, now: &str, pwd: &str| {
        session.post(PATH, &[("act", "password"), ("pwd_now", now), ("pwd", pwd)]).await
    };
    change(&mika, "", "battery staple").await.refused(422, "required");
    change(&mika, "correct horse", "four").await.refused(422, "min_length");
    let wrong = change(&mika, "wrong horse", "battery staple").await;
    wrong.refused(422, "wrong_password");
    assert_eq!(wrong.json()["field"], "pwd_now");
    let changed = change(&mika, "correct horse", "battery staple").await;
    assert_eq!(changed.json(), json!({"ok": 1}));
    let renewed = Session { cookie: changed.cookies(), ..app.guest() };
    assert_eq!(
        (is_signed_in(&mika).await, is_signed_in(&other).await, is_signed_in(&renewed).await),
        (false, false, true)
    );
    login(&app.guest(), "Mika", "correct horse").await.refused(401, "invalid_usr_or_pwd");
    assert_eq!(login(&app.guest(), "Mika", "battery staple").await.status, 200);
    assert_eq!(app.queued_mails().await.last().unwrap()["kind"], "password_changed");
    // Guessing the password in an open session is rate-limited too.
    for _ in 0..5 {
        change(&renewed, "wrong horse", "battery staple").await.refused(422, "wrong_password");
    }
    change(&renewed, "battery staple", "third time").await.refused(429, "too_many_attempts");
    app.finish().await;
}

#[tokio::test]
async fn new_address_takes_effect_after_confirmation() {
    let app = site(|_| {}).await;
    let mika = signed_in_member(&app).await;
    app.member("rei").await;
    let change = async |session: &Session, now: &str, eml: &str| {
        session.post(PATH, &[("act", "mail"), ("pwd_now", now), ("eml", eml)]).await
    };
    change(&mika, "wrong horse", "new@example.org").await.refused(422, "wrong_password");
    change(&mika, "correct horse", "new").await.refused(422, "eml_invalid");
    change(&mika, "correct horse", "REI@members.example").await.refused(409, "eml_occupied");
    let other = second_session(&app).await;
    let requested = change(&mika, "correct horse", "new@example.org").await;
    assert_eq!(requested.json(), json!({"ok": 1}));
    let renewed = Session { cookie: requested.cookies(), ..app.guest() };
    assert_eq!((is_signed_in(&mika).await, is_signed_in(&other).await), (false, false));
    let account = renewed.get(PATH).await.json();
    assert_eq!((&account["email"], &account["new_email"]), (&json!("mika@example.org"), &json!("new@example.org")));
    login(&app.guest(), "new@example.org", "correct horse").await.refused(401, "invalid_usr_or_pwd");
    let mail = app.queued_mails().await.pop().unwrap();
    assert_eq!((&mail["kind"], &mail["to"]), (&json!("confirm_new"), &json!("new@example.org")));

    let other_session = Session { cookie: login(&app.guest(), "Mika", "correct horse").await.cookies(), ..app.guest() };
    let link = link(&app).await;
    assert_eq!(open_and_confirm(&renewed, &link).await.json(), json!({"ok": 1}));
    assert_eq!((is_signed_in(&renewed).await, is_signed_in(&other_session).await), (true, false));
    assert_eq!(renewed.get(PATH).await.json()["email"], "new@example.org");
    assert_eq!(login(&app.guest(), "new@example.org", "correct horse").await.status, 200);
    login(&app.guest(), "mika@example.org", "correct horse").await.refused(401, "invalid_usr_or_pwd");
    let notice = app.queued_mails().await.pop().unwrap();
    assert_eq!((&notice["kind"], &notice["to"]), (&json!("mail_changed"), &json!("mika@example.org")));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn refuses_address_taken_before_confirmation() {
    let app = site(|_| {}).await;
    let mika = signed_in_member(&app).await;
    let requested =
        mika.post(PATH, &[("act", "mail"), ("pwd_now", "correct horse"), ("eml", "rei@members.example")]).await;
    assert_eq!(requested.status, 200);
    let link = link(&app).await;
    app.member("rei").await;
    open_and_confirm(&app.guest(), &link).await.refused(409, "eml_occupied");
    assert_eq!(app.numbers("select count(*) from users where email = 'mika@example.org'").await, [1]);
    app.finish().await;
}

#[tokio::test]
async fn accounts_without_password_need_recent_sign_in() {
    let app = site(|_| {}).await;
    let rei = app.member("rei").await;
    app.sql("update sessions set created_at = to_timestamp(1790000000 - 601)").await;
    let form = [("act", "password"), ("pwd", "battery staple")];
    rei.post(PATH, &form).await.refused(403, "sign_in_again");
    rei.post(PATH, &[("act", "delete")]).await.refused(403, "sign_in_again");
    app.sql("update sessions set created_at = to_timestamp(1790000000 - 600)").await;
    assert_eq!(rei.post(PATH, &form).await.status, 200);
    assert_eq!(login(&app.guest(), "rei", "battery staple").await.status, 200);
    app.finish().await;
}

/// Inserts a row for the member into every table that stores personal data.
const MEMBER_DATA: &str = "
    insert into profiles (user_id, about) values ({id}, 'About Mika');
    insert into comments (section, object_id, user_id, body) values ('video', 21, {id}, 'Mika was here');
    insert into walls (user_id, author_id, body) values ({id}, 1, 'To Mika'), (1, {id}, 'From Mika');
    insert into messages (sender_id, recipient_id, body) values ({id}, 1, 'Sent'), (1, {id}, 'Received');
    insert into messages (sender_id, recipient_id, body, recipient_deleted) values (1, {id}, 'Removed', true);
    insert into friends (user_id, friend_id) values ({id}, 3);
    insert into blocks (user_id, blocked_id) values ({id}, 4), (4, {id});
    insert into subscriptions (user_id, section, object_id) values ({id}, 'user', 1), (5, 'user', {id});
    insert into favourites (user_id, video_id) values ({id}, 1);
    insert into watch_later (user_id, video_id) values ({id}, 2);
    insert into history (user_id, video_id, stopped_at) values ({id}, 3, 42);
    insert into votes (section, object_id, user_id, vote) values ('video', 21, {id}, 1), ('user', {id}, 1, 1);
    insert into playlists (user_id, title, description) values ({id}, 'Evenings', 'Of Mika');
    insert into playlist_items (playlist_id, video_id, position) select id, 7, 1 from playlists where user_id = {id};
    insert into comments (section, object_id, user_id, body) select 'playlist', id, 1, 'On it' from playlists where user_id = {id};
    insert into reports (subject, email, message, user_id, state, closed_at) values ('A', 'mika@example.org', 'Closed', {id}, 'resolved', now());
    insert into reports (subject, email, message, user_id) values ('B', 'mika@example.org', 'Open', {id});
    update videos set user_id = {id} where id in (101, 102, 103);
    update videos set is_private = true where id = 102;
    update albums set user_id = {id} where id = 4;";

async fn member_with_data(app: &App) -> Session {
    app.keep_mails().await;
    let mika = signed_in_member(app).await;
    app.change(&MEMBER_DATA.replace("{id}", &mika.id.to_string())).await;
    mika
}

#[tokio::test]
async fn export_contains_all_member_data_and_no_secrets() {
    let app = App::configured(crate::account::signup::simple).await;
    let mika = member_with_data(&app).await;
    let reply = mika.get("/api/account_export.php").await;
    assert_eq!((reply.status, reply.header("content-disposition")), (200, "attachment; filename=\"account.json\""));
    assert_eq!(reply.header("cache-control"), "private, no-store");
    let export = reply.json();
    assert_eq!(export["account"]["email"], "mika@example.org");
    assert_eq!(export["profile"]["about"], "About Mika");
    for (table, rows) in [
        ("sessions", 1),
        ("videos", 3),
        ("albums", 1),
        ("playlists", 1),
        ("comments", 1),
        ("wall", 2),
        ("messages", 2),
        ("friends", 1),
        ("blocks", 1),
        ("subscriptions", 1),
        ("favourites", 1),
        ("watch_later", 1),
        ("history", 1),
        ("votes", 1),
        ("reports", 2),
        ("uploads", 0),
    ] {
        assert_eq!(export[table].as_array().unwrap().len(), rows, "{table}: {}", export[table]);
    }
    assert_eq!(export["playlists"][0]["videos"], json!([7]));
    for secret in ["token_hash", "password_hash", "argon2", "guest_key", "Removed"] {
        assert!(!reply.text().contains(secret), "{secret}");
    }
    app.guest().get("/api/account_export.php").await.refused(401, "need_auth");
    app.finish().await;
}

#[tokio::test]
async fn account_deletion_removes_personal_data() {
    for (uploads, left) in [("", vec![101, 103]), ("1", vec![])] {
        let app = App::configured(crate::account::signup::simple).await;
        let counters =
            "select n from video_stats, lateral (values (comments::bigint), (likes::bigint), (favourites::bigint)) v(n)
            where video_id in (1, 21) order by video_id, n";
        let before = app.numbers(counters).await;
        let mika = member_with_data(&app).await;
        assert_ne!(app.numbers(counters).await, before);
        let delete =
            async |pwd: &str| mika.post(PATH, &[("act", "delete"), ("pwd_now", pwd), ("uploads", uploads)]).await;
        delete("wrong horse").await.refused(422, "wrong_password");
        let deleted = delete("correct horse").await;
        assert_eq!((deleted.json(), deleted.cookies()), (json!({"ok": 1}), String::new()));
        app.drain().await;
        mika.get(PATH).await.refused(401, "need_auth");
        login(&app.guest(), "Mika", "correct horse").await.refused(401, "invalid_usr_or_pwd");
        assert_eq!(
            app.numbers("select id from videos where id in (101, 102, 103) and visible order by id").await,
            left
        );
        assert_eq!(
            app.numbers("select count(*) from videos where id = 102 and status_id = deleted()").await,
            [1],
            "the private video is deleted"
        );
        let references = "select count(*) from (
            select user_id from videos union all select user_id from albums union all select user_id from comments
            union all select author_id from walls union all select sender_id from messages union all select user_id from votes
            union all select user_id from reports union all select object_id from subscriptions where section = 'user'
            union all select object_id from votes where section = 'user'
            union all select blocked_id from blocks union all select user_id from playlists) as of_all
            where user_id = ";
        assert_eq!(app.numbers(&format!("{references} {}", mika.id)).await, [0]);
        assert_eq!(
            app.numbers("select count(*) from reports where email = ''").await,
            [1],
            "the open report keeps its reply address"
        );
        assert_eq!(
            app.numbers("select count(*) from comments where section = 'playlist' and body = 'On it'").await,
            [0]
        );
        let member = app.get(&format!("/api/json/member/0/0/{}.json", mika.id)).await;
        assert_eq!(member.status, 404);
        assert_eq!(app.numbers(counters).await, before, "counters are restored");
        app.finish().await;
    }
}
