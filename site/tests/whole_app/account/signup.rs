//! Sign-up, the confirmation mail, and columns that a form cannot set.

use lantern_config::{CaptchaProvider, Config};
use serde_json::{Value, json};

use crate::{
    account::confirm::open_and_confirm,
    support::{App, Reply, Session},
};

/// Configures minimal hashing costs and no captcha.
pub fn simple(config: &mut Config) {
    (config.accounts.argon2.memory_kib, config.accounts.argon2.passes) = (64, 1);
    config.accounts.argon2.wait_ms = 60_000;
    // On a machine that is busy with other tests, even a cheap hash may exceed the request timeout.
    config.server.request_timeout = 120;
    config.captcha.provider = CaptchaProvider::Off;
}

/// Starts a site without content that records queued mails.
pub async fn site(change: impl FnOnce(&mut Config)) -> App {
    let app = App::empty(|config| {
        simple(config);
        change(config);
    })
    .await;
    app.reindex().await;
    app.keep_mails().await;
    app
}

pub const FORM: [(&str, &str); 4] =
    [("usr", "Mika"), ("eml", "mika@example.org"), ("pwd", "correct horse"), ("agree18", "1")];

fn with<'a>(field: &'a str, value: &'a str) -> Vec<(&'a str, &'a str)> {
    FORM.into_iter().map(|(name, usual)| (name, if name == field { value } else { usual })).collect()
}

/// Returns the path of the link in the latest mail.
pub async fn link(app: &App) -> String {
    app.queued_mails().await.last().unwrap()["link"].as_str().unwrap().to_owned()
}

/// Signs up and confirms a member. The returned browser is not signed in.
pub async fn signed_up(app: &App) -> Session {
    let browser = app.guest();
    assert_eq!(browser.post("/api/signup.php", &FORM).await.json(), json!({"ok": 1}));
    assert_eq!(open_and_confirm(&browser, &link(app).await).await.json(), json!({"ok": 1}));
    app.drain().await;
    browser
}

pub async fn login(browser: &Session, usr: &str, pwd: &str) -> Reply {
    browser.post("/api/login.php", &[("usr", usr), ("pwd", pwd)]).await
}

#[tokio::test]
async fn reports_every_invalid_field() {
    let app = site(|_| {}).await;
    let browser = app.guest();
    let nothing = browser.post("/api/signup.php", &[]).await;
    nothing.refused(422, "required");
    let required = |field| json!({"field": field, "code": "required"});
    let adult = json!({"field": "agree18", "code": "agree18_required"});
    let codes: [Value; 4] = [required("usr"), required("eml"), required("pwd"), adult];
    assert_eq!(nothing.json()["codes"], json!(codes));
    for (field, value, code, bound) in [
        ("usr", "ab", "min_length", json!(3)),
        ("usr", "a23456789012345678901", "max_length", json!(20)),
        ("usr", "mi ka", "bad_symbols", json!(null)),
        ("usr", "мика", "bad_symbols", json!(null)),
        ("usr", "Forbidden_1", "prohibited_terms", json!(null)),
        ("eml", "mika", "eml_invalid", json!(null)),
        ("eml", "mika@localhost", "eml_invalid", json!(null)),
        ("pwd", "four", "min_length", json!(5)),
        ("pwd", &"x".repeat(129), "max_length", json!(128)),
        ("agree18", "0", "agree18_required", json!(null)),
        ("agree18", "", "agree18_required", json!(null)),
        ("agree18", "maybe", "invalid", json!(null)),
    ] {
        let reply = browser.post("/api/signup.php", &with(field, value)).await;
        reply.refused(422, code);
        assert_eq!((&reply.json()["field"], &reply.json()["info"]["bound"]), (&json!(field), &bound), "{value}");
    }
    // Each error contains the bound for its field.
    let both = [("usr", "ab"), ("eml", "mika@mail.example"), ("pwd", "four"), ("agree18", "1")];
    let bounded = |field, bound| json!({"field": field, "code": "min_length", "info": {"bound": bound}});
    assert_eq!(
        browser.post("/api/signup.php", &both).await.json()["codes"],
        json!([bounded("usr", 3), bounded("pwd", 5)])
    );
    assert_eq!(app.numbers("select count(*) from users").await, [0]);
    assert!(app.queued_mails().await.is_empty());
    app.finish().await;
}

#[tokio::test]
async fn names_and_addresses_are_unique_ignoring_case() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    let refused_field = async |field, value, code| {
        let reply = browser.post("/api/signup.php", &with(field, value)).await;
        reply.refused(409, code);
        reply.json()["field"].clone()
    };
    assert_eq!(refused_field("eml", "other@example.org", "usr_occupied").await, "usr");
    assert_eq!(refused_field("usr", "other", "eml_occupied").await, "eml");
    let mut upper = FORM;
    (upper[0].1, upper[1].1) = ("MIKA", "other@example.org");
    browser.post("/api/signup.php", &upper).await.refused(409, "usr_occupied");
    (upper[0].1, upper[1].1) = ("other", "MIKA@EXAMPLE.ORG");
    browser.post("/api/signup.php", &upper).await.refused(409, "eml_occupied");
    app.finish().await;
}

#[tokio::test]
async fn concurrent_sign_ups_with_one_name_succeed_once() {
    let app = site(|_| {}).await;
    let forms: Vec<[(&str, String); 4]> = (0..8)
        .map(|n| {
            let eml = format!("m{n}@example.org");
            [("usr", "Mika".to_owned()), ("eml", eml), ("pwd", "correct horse".to_owned()), ("agree18", "1".to_owned())]
        })
        .collect();
    let tries = forms.iter().map(async |form| {
        let fields: Vec<(&str, &str)> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
        app.guest().post("/api/signup.php", &fields).await
    });
    let replies = futures_util::future::join_all(tries).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1);
    for reply in replies.iter().filter(|reply| reply.status != 200) {
        reply.refused(409, "usr_occupied");
    }
    // The check before hashing does not prevent a race, but the unique index does.
    app.sql("create function racing() returns trigger language plpgsql as $$ begin
                 insert into users (username, email) values ('Rei', 'rei@example.org'); return new; end $$;
             create trigger racing before insert on users for each row when (new.username = 'Kai') execute function racing()")
        .await;
    for (name, eml, code) in [("Kai", "rei@example.org", "eml_occupied")] {
        let form = [("usr", name), ("eml", eml), ("pwd", "correct horse"), ("agree18", "1")];
        app.guest().post("/api/signup.php", &form).await.refused(409, code);
    }
    assert_eq!(app.queued_mails().await.len(), 1);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn unconfirmed_account_cannot_sign_in_and_only_its_owner_learns_why() {
    let app = site(|_| {}).await;
    let browser = app.guest();
    let form = [&FORM[..], &[("status_id", "6"), ("user_id", "77"), ("email_confirmed_at", "2026-01-01")]].concat();
    let cookie = Session { cookie: "app_lang=de".to_owned(), ..app.guest() };
    assert_eq!(cookie.post("/api/signup.php", &form).await.json(), json!({"ok": 1}));
    assert_eq!(
        app.numbers("select status_id::bigint from users where id <> 77 and email_confirmed_at is null").await,
        [1]
    );
    let mail = app.queued_mails().await[0].clone();
    let expected = (json!("confirm"), json!("mika@example.org"), json!("Mika"), json!("de"));
    assert_eq!((mail["kind"].clone(), mail["to"].clone(), mail["username"].clone(), mail["lang"].clone()), expected);

    login(&browser, "Mika", "wrong horse").await.refused(401, "invalid_usr_or_pwd");
    let refused = login(&browser, "Mika", "correct horse").await;
    refused.refused(403, "not_confirmed");
    assert_eq!(refused.cookies(), "");
    assert_eq!(app.queued_mails().await.len(), 1, "one was sent a moment ago");

    app.sql("update mail_tokens set created_at = created_at - interval '5 minutes'").await;
    let first = link(&app).await;
    login(&browser, "Mika", "correct horse").await.refused(403, "not_confirmed");
    let second = link(&app).await;
    assert_eq!(app.queued_mails().await.len(), 2);
    assert_eq!(open_and_confirm(&browser, &second).await.json(), json!({"ok": 1}));
    open_and_confirm(&browser, &first).await.refused(422, "token_used");
    assert_eq!(login(&browser, "Mika", "correct horse").await.status, 200);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn confirmation_links_and_unconfirmed_accounts_expire() {
    let app = site(|_| {}).await;
    let browser = app.guest();
    browser.post("/api/signup.php", &FORM).await;
    let late = link(&app).await;
    app.sql("update mail_tokens set expires_at = to_timestamp(1790000000)").await;
    open_and_confirm(&browser, &late).await.refused(422, "token_invalid");
    app.sql("insert into users (username, email, created_at) values ('seeded', 's@example.org', '2020-01-01')").await;
    for (days, left) in [(6, 2), (8, 1)] {
        app.sql(&format!(
            "update users set created_at = to_timestamp(1790000000) - interval '{days} days' where username = 'Mika'"
        ))
        .await;
        app.sweep().await;
        assert_eq!(app.numbers("select count(*) from users").await, [left], "{days} days");
    }
    assert_eq!(app.numbers("select count(*) from mail_tokens").await, [0]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn sign_ups_require_a_captcha_and_are_rate_limited() {
    let app = site(|config| config.captcha.provider = CaptchaProvider::Altcha).await;
    let browser = app.guest();
    browser.post("/api/signup.php", &FORM).await.refused(422, "captcha_required");
    let forged = [&FORM[..], &[("captcha", "e30=")]].concat();
    let reply = browser.post("/api/signup.php", &forged).await;
    reply.refused(422, "captcha_invalid");
    assert_eq!(reply.json()["field"], "captcha");
    let proof = app.proof("signup").await;
    let proven = [&FORM[..], &[("captcha", proof.as_str())]].concat();
    assert_eq!(browser.post("/api/signup.php", &proven).await.status, 200);
    app.drain().await;
    app.finish().await;

    let app = site(|_| {}).await;
    let browser = app.guest();
    for n in 0..10 {
        let (usr, eml) = (format!("mika{n}"), format!("m{n}@example.org"));
        let form = [("usr", &*usr), ("eml", &*eml), ("pwd", "correct horse"), ("agree18", "1")];
        assert_eq!(browser.post("/api/signup.php", &form).await.status, 200);
    }
    let reply = browser.post_with("/api/signup.php", &FORM, &[("x-forwarded-for", "198.51.100.9")]).await;
    reply.refused(429, "too_many_attempts");
    assert_eq!(reply.json()["info"]["retry_after"], reply.header("retry-after").parse::<u64>().unwrap());
    assert_eq!(browser.at("198.51.100.9").post("/api/signup.php", &FORM).await.status, 200);
    app.drain().await;
    app.finish().await;
}
