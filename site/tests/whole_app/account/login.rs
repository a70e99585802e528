//! Signing in: indistinguishable failures, rate limits, and the session cookie.

use std::collections::BTreeSet;

use axum::{body::Body, http::Method};
use lantern_config::{CaptchaProvider, Mode, Policy};
use serde_json::json;

use crate::{
    account::signup::{login, signed_up, site},
    support::{App, Reply, Session},
};

async fn name(browser: &Session) -> serde_json::Value {
    browser.get("/api/me.php").await.json()["user"]["username"].clone()
}

fn signed_in(browser: &Session, reply: &Reply) -> Session {
    Session { cookie: reply.cookies(), ..browser.at("127.0.0.1") }
}

#[tokio::test]
async fn member_signs_in_by_name_or_address() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    for usr in ["Mika", "mika", "mika@example.org", "MIKA@Example.org", " Mika "] {
        let reply = login(&browser, usr, "correct horse").await;
        assert_eq!((reply.status, reply.header("cache-control")), (200, "private, no-store"), "{usr}");
        let user = reply.json()["user"].clone();
        assert_eq!((&reply.json()["success"], &user["username"]), (&json!(1), &json!("Mika")));
        assert_eq!(user, signed_in(&browser, &reply).get("/api/me.php").await.json()["user"]);
        let set: Vec<&str> = reply.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
        let session = set[0].split_once("; ").unwrap();
        assert_eq!(session.1, "Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax");
        assert_eq!(session.0.len(), "session=".len() + 43);
        assert_eq!(set[1], "logout=; Path=/; Max-Age=0; SameSite=Lax");
    }
    assert_eq!(app.numbers("select count(*) from sessions where country = 'XX'").await, [5]);
    let hashed = "select count(*) from sessions s, users u where octet_length(token_hash) = 32 and u.password_hash like '$argon2id$%'";
    assert_eq!(app.numbers(hashed).await, [5]);
    app.finish().await;
}

#[tokio::test]
async fn https_cookie_is_bound_to_the_host() {
    let app = site(|config| {
        config.mode = Mode::Production;
        config.server.public_url = "https://tube.example".to_owned();
        config.server.cookie_domain = "tube.example".to_owned();
    })
    .await;
    let browser = signed_up(&app).await;
    let reply = login(&browser, "Mika", "correct horse").await;
    let set = reply.headers.get("set-cookie").unwrap().to_str().unwrap();
    assert!(
        set.starts_with("__Host-session=")
            && set.ends_with("; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure"),
        "{set}"
    );
    assert_eq!(name(&signed_in(&browser, &reply)).await, "Mika");
    let plain = Session { cookie: reply.cookies().replace("__Host-", ""), ..browser.at("127.0.0.1") };
    assert_eq!(name(&plain).await, json!(null), "a cookie that other hosts of the domain can set is ignored");
    app.finish().await;
}

#[tokio::test]
async fn unknown_name_and_wrong_password_get_identical_responses() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    let (wrong, unknown) =
        (login(&browser, "Mika", "wrong horse").await, login(&browser, "Nobody", "wrong horse").await);
    for reply in [&wrong, &unknown] {
        reply.refused(401, "invalid_usr_or_pwd");
        assert_eq!(reply.json()["field"], "usr");
    }
    let comparable = |reply: &Reply| {
        let mut body = reply.json();
        body.as_object_mut().unwrap().remove("request_id");
        let names: BTreeSet<String> = reply.headers.keys().map(ToString::to_string).collect();
        (body, names)
    };
    assert_eq!(comparable(&wrong), comparable(&unknown));
    // Names and passwords with impossible lengths are neither counted nor checked.
    for _ in 0..9 {
        login(&browser, "Mi", "wrong horse").await.refused(401, "invalid_usr_or_pwd");
        login(&browser, "Mika", "four").await.refused(401, "invalid_usr_or_pwd");
        login(&browser, "Mika", &"x".repeat(5000)).await.refused(401, "invalid_usr_or_pwd");
    }
    let reply = login(&browser, "", "").await;
    reply.refused(422, "required");
    assert_eq!(
        reply.json()["codes"],
        json!([{"field": "usr", "code": "required"}, {"field": "pwd", "code": "required"}])
    );
    assert_eq!(login(&browser, "Mika", "correct horse").await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn sign_in_invalidates_the_previous_session_cookie() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    let first = signed_in(&browser, &login(&browser, "Mika", "correct horse").await);
    let second = signed_in(&browser, &login(&first, "Mika", "correct horse").await);
    assert_ne!(first.cookie, second.cookie);
    assert_eq!((name(&first).await, name(&second).await), (json!(null), json!("Mika")));
    // A planted token is never adopted.
    let planted = Session { cookie: format!("session={}", "A".repeat(43)), ..browser.at("127.0.0.1") };
    let third = signed_in(&browser, &login(&planted, "Mika", "correct horse").await);
    assert_eq!((name(&planted).await, name(&third).await), (json!(null), json!("Mika")));
    app.finish().await;
}

#[tokio::test]
async fn refuses_cross_site_sign_in() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    let form = "usr=Mika&pwd=correct+horse";
    let headers = [("content-type", "application/x-www-form-urlencoded"), ("sec-fetch-site", "cross-site")];
    let reply = browser.send(Method::POST, "/api/login.php", &headers, Body::from(form)).await;
    reply.refused(403, "cross_site");
    assert_eq!(reply.cookies(), "");
    app.finish().await;
}

#[tokio::test]
async fn failures_count_per_account_and_client_address_together() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    let (thief, home) = (browser.at("203.0.113.5"), browser.at("198.51.100.9"));
    for usr in ["Mika", "Nobody"] {
        for _ in 0..5 {
            login(&thief, usr, "wrong horse").await.refused(401, "invalid_usr_or_pwd");
        }
        let reply = login(&thief, usr, "correct horse").await;
        reply.refused(429, "too_many_attempts");
        let wait: u64 = reply.header("retry-after").parse().unwrap();
        assert!((500..=600).contains(&wait), "{wait}");
        assert_eq!(reply.json()["info"]["retry_after"], wait);
    }
    // Address headers sent by the client are ignored.
    let form = [("usr", "Mika"), ("pwd", "correct horse")];
    let forged =
        [("x-forwarded-for", "198.51.100.77"), ("forwarded", "for=198.51.100.77"), ("x-real-ip", "198.51.100.77")];
    thief.post_with("/api/login.php", &form, &forged).await.refused(429, "too_many_attempts");
    assert_eq!(login(&home, "Mika", "correct horse").await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn success_clears_failures_of_the_account_but_not_of_the_client_address() {
    let app = site(|config| {
        let Policy::Exact(address) = &mut config.limits.login_address else { panic!("not an exact limit") };
        address.attempts = 8;
    })
    .await;
    let browser = signed_up(&app).await;
    for expected in [200, 429] {
        for _ in 0..4 {
            login(&browser, "mika@example.org", "wrong horse").await.refused(401, "invalid_usr_or_pwd");
        }
        let last = login(&browser, "Mika", "correct horse").await;
        assert_eq!(last.status, expected, "{}", last.text());
    }
    login(&browser, "Mika", "correct horse").await.refused(429, "too_many_attempts");
    login(&browser, "Somebody", "wrong horse").await.refused(429, "too_many_attempts");
    assert_eq!(login(&browser.at("198.51.100.9"), "mika@example.org", "correct horse").await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn failures_on_many_names_count_per_network() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    let network = browser.at("2001:db8:1:2::1");
    for n in 0..20 {
        login(&network.at(&format!("2001:db8:1:2::{n:x}")), &format!("name{n}"), "wrong horse")
            .await
            .refused(401, "invalid_usr_or_pwd");
    }
    login(&network, "Mika", "correct horse").await.refused(429, "too_many_attempts");
    assert_eq!(login(&network.at("2001:db8:1:3::1"), "Mika", "correct horse").await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn concurrent_attempts_are_counted() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    let tries = (0..12).map(|_| login(&browser, "Mika", "wrong horse"));
    let replies = futures_util::future::join_all(tries).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 401).count(), 5);
    assert_eq!(replies.iter().filter(|reply| reply.status == 429).count(), 7);
    app.finish().await;
}

#[tokio::test]
async fn repeated_failures_require_a_captcha() {
    let app = site(|config| config.captcha.provider = CaptchaProvider::Altcha).await;
    app.sql("insert into users (username, email, email_confirmed_at) values ('Rei', 'rei@example.org', now())").await;
    app.drain().await;
    for usr in ["Rei", "Nobody"] {
        for n in 0..3 {
            login(&app.guest().at(&format!("203.0.113.{n}")), usr, "wrong horse")
                .await
                .refused(401, "invalid_usr_or_pwd");
        }
        let browser = app.guest().at("198.51.100.9");
        for _ in 0..6 {
            let reply = login(&browser, usr, "wrong horse").await;
            reply.refused(422, "captcha_required");
            assert_eq!(reply.json()["field"], "captcha");
        }
        let forged = [("usr", usr), ("pwd", "wrong horse"), ("captcha", "e30=")];
        browser.post("/api/login.php", &forged).await.refused(422, "captcha_invalid");
        login(&browser, "Other", "wrong horse").await.refused(401, "invalid_usr_or_pwd");
        let proof = app.proof("login").await;
        let proven = [("usr", usr), ("pwd", "wrong horse"), ("captcha", proof.as_str())];
        browser.post("/api/login.php", &proven).await.refused(401, "invalid_usr_or_pwd");
        browser.post("/api/login.php", &proven).await.refused(422, "captcha_invalid");
        let other = app.proof("signup").await;
        let misused = [("usr", usr), ("pwd", "wrong horse"), ("captcha", other.as_str())];
        browser.post("/api/login.php", &misused).await.refused(422, "captcha_invalid");
    }
    app.finish().await;
}

#[tokio::test]
async fn ban_is_disclosed_only_after_the_right_password() {
    let app = site(|_| {}).await;
    let browser = signed_up(&app).await;
    app.change("update users set status_id = banned()").await;
    login(&browser, "Mika", "wrong horse").await.refused(401, "invalid_usr_or_pwd");
    let reply = login(&browser, "Mika", "correct horse").await;
    reply.refused(403, "account_banned");
    assert_eq!(reply.cookies(), "");
    assert_eq!(app.numbers("select count(*) from sessions").await, [0]);
    app.finish().await;
}

#[tokio::test]
async fn outdated_hashes_are_renewed_and_sessions_are_limited() {
    let app = site(|config| config.accounts.sessions_most = 3).await;
    let browser = signed_up(&app).await;
    let former = "$argon2id$v=19$m=32,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$";
    let current = "select count(*) from users where password_hash like '$argon2id$v=19$m=64,t=1,p=1$%'";
    assert_eq!(app.numbers(current).await, [1]);
    let old = argon2_of("correct horse", former);
    app.sql(&format!("update users set password_hash = '{old}'")).await;
    login(&browser, "Mika", "wrong horse").await.refused(401, "invalid_usr_or_pwd");
    assert_eq!(app.numbers(current).await, [0]);
    for _ in 0..5 {
        assert_eq!(login(&browser, "Mika", "correct horse").await.status, 200);
        assert_eq!(app.numbers(current).await, [1]);
    }
    assert_eq!(app.numbers("select count(*) from sessions").await, [3]);
    app.finish().await;
}

/// Hashes a password with the parameters and salt from the given hash prefix.
fn argon2_of(password: &str, hash_prefix: &str) -> String {
    use argon2::{Algorithm, Argon2, Params, PasswordHasher, Version, password_hash::SaltString};
    let salt = SaltString::from_b64(hash_prefix.split('$').nth(4).unwrap()).unwrap();
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(32, 1, 1, Some(32)).unwrap());
    let hash = argon2.hash_password(password.as_bytes(), &salt).unwrap().to_string();
    assert!(hash.starts_with(hash_prefix), "{hash}");
    hash
}

#[tokio::test]
async fn demo_member_signs_in() {
    let app = App::demo().await;
    let reply = login(&app.guest(), "demo", "demo-lantern").await;
    assert_eq!((reply.status, &reply.json()["user"]["status_id"]), (200, &json!(6)));
    app.finish().await;
}
