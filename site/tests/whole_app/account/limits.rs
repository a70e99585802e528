//! Account rate limits: which attempts count, toward which limits, and which are refunded.

use lantern_config::{CaptchaProvider, Policy};
use serde_json::json;

use crate::{
    account::confirm::open_and_confirm,
    account::signup::{FORM, link, login, signed_up, site},
    support::{App, Session},
};

fn attempts(policy: &mut Policy, most: u16) {
    let Policy::Exact(exact) = policy else { panic!("not an exact limit") };
    exact.attempts = most;
}

pub async fn signed_in_member(app: &App) -> Session {
    let browser = signed_up(app).await;
    Session { cookie: login(&browser, "Mika", "correct horse").await.cookies(), ..browser }
}

#[tokio::test]
async fn account_limit_ignores_case_of_names() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    for usr in ["Mika", "mika", "MIKA", "mIka", "miKa"] {
        login(&browser, usr, "wrong horse").await.refused(401, "invalid_usr_or_pwd");
    }
    login(&browser, "mikA", "correct horse").await.refused(429, "too_many_attempts");
    app.finish().await;
}

/// Spellings that some databases or locales fold to `Mika`.
const OTHER_LETTERS: [&str; 6] = ["m\u{130}ka", "M\u{130}KA", "mi\u{307}ka", "m\u{131}ka", "mi\u{212a}a", "ｍika"];

#[tokio::test]
async fn look_alike_spellings_do_not_bypass_account_limits() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    for usr in ["Mika", "MIKA", "mika", "mikA", "MIka"] {
        login(&browser, usr, "wrong horse").await.refused(401, "invalid_usr_or_pwd");
    }
    login(&browser, "mika", "correct horse").await.refused(429, "too_many_attempts");
    for usr in OTHER_LETTERS {
        login(&browser, usr, "correct horse").await.refused(401, "invalid_usr_or_pwd");
        login(&browser, &format!("{usr}@example.org"), "correct horse").await.refused(401, "invalid_usr_or_pwd");
    }
    app.finish().await;
}

#[tokio::test]
async fn look_alike_spellings_do_not_bypass_mailbox_limits() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    for (n, usr) in ["mika", "Mika", "MIKA", "mIka"].into_iter().chain(OTHER_LETTERS).enumerate() {
        let form = [("eml", &*format!("{usr}@example.org"))];
        let reply = browser.at(&format!("203.0.113.{n}")).post("/api/restore.php", &form).await;
        assert_eq!(
            reply.status,
            match n {
                0..3 => 200,
                3 => 429,
                _ => 422,
            },
            "{usr}"
        );
    }
    assert_eq!(app.queued_mails().await.len(), 4, "the sign-up and three restores");
    app.finish().await;
}

#[tokio::test]
async fn only_failed_sign_ins_count_per_client_address() {
    let app = site(|config| attempts(&mut config.limits.login_address, 7)).await;
    let browser = signed_up(&app).await;
    for _ in 0..9 {
        assert_eq!(login(&browser, "Mika", "correct horse").await.status, 200, "successes do not count");
    }
    for _ in 0..5 {
        login(&browser, "Mika", "wrong horse").await.refused(401, "invalid_usr_or_pwd");
    }
    for _ in 0..9 {
        login(&browser, "Mika", "wrong horse").await.refused(429, "too_many_attempts");
    }
    // Attempts refused by the account limit do not count toward the limit per address.
    login(&browser, "Nobody", "wrong horse").await.refused(401, "invalid_usr_or_pwd");
    login(&browser, "Nobody", "wrong horse").await.refused(401, "invalid_usr_or_pwd");
    login(&browser, "Nobody", "wrong horse").await.refused(429, "too_many_attempts");
    app.finish().await;
}

#[tokio::test]
async fn refused_proofs_do_not_count_and_success_lifts_the_captcha() {
    let app = site(|config| {
        config.captcha.provider = CaptchaProvider::Altcha;
        config.captcha.max_number = 100;
        attempts(&mut config.limits.signup, 2);
    })
    .await;
    let browser = app.guest();
    for _ in 0..5 {
        browser.post("/api/signup.php", &FORM).await.refused(422, "captcha_required");
    }
    let proof = app.proof("signup").await;
    assert_eq!(browser.post("/api/signup.php", &[&FORM[..], &[("captcha", &*proof)]].concat()).await.status, 200);
    assert_eq!(open_and_confirm(&browser, &link(&app).await).await.json(), json!({"ok": 1}));
    for n in 0..3 {
        let thief = browser.at(&format!("203.0.113.{n}"));
        login(&thief, "mika@example.org", "wrong horse").await.refused(401, "invalid_usr_or_pwd");
    }
    login(&browser, "mika@example.org", "correct horse").await.refused(422, "captcha_required");
    let proof = app.proof("login").await;
    let proven = [("usr", "mika@example.org"), ("pwd", "correct horse"), ("captcha", &*proof)];
    assert_eq!(browser.post("/api/login.php", &proven).await.status, 200);
    login(&browser.at("203.0.113.9"), "mika@example.org", "wrong horse").await.refused(401, "invalid_usr_or_pwd");
    for (purpose, status) in [("login", 422), ("restore", 200)] {
        let proof = app.proof(purpose).await;
        let form = [("eml", "mika@example.org"), ("captcha", &*proof)];
        assert_eq!(browser.post("/api/restore.php", &form).await.status, status, "{purpose}");
    }
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn unknown_names_wait_for_the_hash_queue_like_known_ones() {
    let app = site(|config| {
        let argon2 = &mut config.accounts.argon2;
        (argon2.at_once, argon2.wait_ms, argon2.memory_kib, argon2.passes) = (1, 1, 65_536, 20);
    })
    .await;
    let browser = signed_up(&app).await;
    // An earlier request occupies the only slot for far longer than a request may wait.
    let (held, ()) = tokio::join!(app.state().passwords.hash("battery staple".to_owned()), async {
        for usr in ["Nobody", "Mika", "Mika", "Mika", "Mika", "Mika"] {
            login(&browser, usr, "wrong horse").await.refused(503, "unavailable");
        }
    });
    assert!(held.is_ok());
    // A password that was not checked does not count as an attempt.
    login(&browser, "Mika", "wrong horse").await.refused(401, "invalid_usr_or_pwd");
    assert_eq!(login(&browser, "Mika", "correct horse").await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn excess_sessions_end_oldest_first() {
    let app = site(|config| config.accounts.sessions_most = 2).await;
    let browser = signed_up(&app).await;
    let mut sessions = Vec::new();
    for _ in 0..3 {
        let cookie = login(&browser, "Mika", "correct horse").await.cookies();
        sessions.push(Session { cookie, ..browser.at("127.0.0.1") });
    }
    let mut open = Vec::new();
    for session in &sessions {
        open.push(session.get("/api/account.php").await.status == 200);
    }
    assert_eq!(open, [false, true, true]);
    app.finish().await;
}

#[tokio::test]
async fn mailbox_limit_ignores_case_of_addresses() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    for (n, eml) in ["mika@example.org", "Mika@example.org", "MIKA@EXAMPLE.ORG", "mika@Example.org"].iter().enumerate()
    {
        let reply = browser.at(&format!("203.0.113.{n}")).post("/api/restore.php", &[("eml", eml)]).await;
        assert_eq!(reply.status, if n < 3 { 200 } else { 429 }, "{eml}");
    }
    app.finish().await;
}

#[tokio::test]
async fn link_attempts_are_rate_limited() {
    let app = site(|config| attempts(&mut config.limits.confirm, 3)).await;
    let [one, two, three] = [1, 2, 3].map(|n| app.guest().at(&format!("203.0.113.{n}")));
    let (token, pwd) = (("token", &*"A".repeat(43)), ("pwd", "battery staple"));
    for _ in 0..3 {
        one.post("/api/restore_confirm.php", &[token, pwd]).await.refused(422, "token_invalid");
        two.get("/api/confirm.php?token=x").await.refused(422, "token_invalid");
        three.post("/api/confirm.php", &[("token", "x")]).await.refused(422, "token_invalid");
    }
    one.post("/api/restore_confirm.php", &[token, pwd]).await.refused(429, "too_many_attempts");
    two.get("/api/confirm.php?token=x").await.refused(429, "too_many_attempts");
    three.post("/api/confirm.php", &[("token", "x")]).await.refused(429, "too_many_attempts");
    app.finish().await;
}

#[tokio::test]
async fn address_changes_are_rate_limited() {
    let app = site(|_| {}).await;
    let mut mika = signed_in_member(&app).await;
    for n in 0..4 {
        let eml = format!("new{n}@example.org");
        let form = [("act", "mail"), ("pwd_now", "correct horse"), ("eml", &*eml)];
        let reply = mika.at(&format!("203.0.113.{n}")).post("/api/account.php", &form).await;
        assert_eq!(reply.status, if n < 3 { 200 } else { 429 }, "{}", reply.text());
        if n < 3 {
            mika.cookie = reply.cookies();
        }
    }
    assert_eq!(app.queued_mails().await.len(), 7, "one for the sign-up and two per requested address");
    app.finish().await;
}
