//! Sign-in with an OpenID provider.

use lantern_config::Config;
use serde_json::Value;

use crate::support::{
    App, Reply,
    openid_provider::{CLIENT, Fault, MIKA, Provider, SECRET, Someone},
};

/// Configures a provider that is trusted for every domain.
pub fn google(provider: &Provider) -> impl FnOnce(&mut Config) {
    let default_trust = default_trust(provider);
    move |config| {
        default_trust(config);
        config.openid.trusted_domains = vec!["*".to_owned()];
    }
}

fn default_trust(provider: &Provider) -> impl FnOnce(&mut Config) {
    let issuer = provider.url();
    move |config| {
        config.openid.issuer = issuer;
        config.openid.client_id = CLIENT.to_owned();
        config.openid.client_secret = SECRET.to_owned();
    }
}

/// Starts an adult's sign-in. Returns the browser's cookies and the callback path.
async fn begin(app: &App, provider: &Provider) -> (String, String) {
    begin_with(app, provider, "/api/login.g.php?agree18=1").await
}

async fn begin_with(app: &App, provider: &Provider, call: &str) -> (String, String) {
    let reply = app.get(call).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let cookie = reply.header("set-cookie").to_owned();
    assert!(cookie.contains("; HttpOnly; SameSite=Lax") && cookie.contains("Max-Age=600"), "{cookie}");
    let back = provider.visit(reply.json()["url"].as_str().unwrap()).await;
    let path = back.strip_prefix("http://127.0.0.1:8080").unwrap().to_owned();
    let set = reply.headers.get_all("set-cookie").iter().map(|set| set.to_str().unwrap().split(';').next().unwrap());
    (set.collect::<Vec<_>>().join("; "), path)
}

async fn call_back(app: &App, cookie: &str, path: &str) -> Reply {
    let reply = app.send(axum::http::Method::GET, path, &[("cookie", cookie)]).await;
    assert_eq!(reply.status, 303, "{path}: {}", reply.text());
    let is_removed =
        reply.headers.get_all("set-cookie").iter().any(|set| set.to_str().unwrap().starts_with("openid=; "));
    assert!(is_removed, "the attempt's cookie is removed in any case");
    reply
}

pub async fn sign_in(app: &App, provider: &Provider) -> Reply {
    let (cookie, path) = begin(app, provider).await;
    call_back(app, &cookie, &path).await
}

/// Returns the session cookie that a response sets.
fn session(reply: &Reply) -> Option<String> {
    let set = reply.headers.get_all("set-cookie").iter().map(|set| set.to_str().unwrap());
    set.filter_map(|set| set.strip_prefix("session="))
        .find(|set| !set.starts_with(';'))
        .map(|set| format!("session={}", set.split(';').next().unwrap()))
}

#[track_caller]
fn failed(reply: &Reply, code: &str) {
    assert_eq!(reply.header("location"), format!("/signin/?error={code}"));
    assert_eq!(session(reply), None);
}

async fn signed_in_user(app: &App, reply: &Reply) -> Value {
    assert_eq!(reply.header("location"), "/");
    let cookie = session(reply).expect("a session");
    let me = app.send(axum::http::Method::GET, "/api/me.php", &[("cookie", &cookie)]).await;
    me.json()["user"].clone()
}

#[tokio::test]
async fn returns_404_without_a_provider() {
    let app = App::empty(|_| {}).await;
    app.get("/api/login.g.php").await.refused(404, "not_configured");
    app.get("/api/login.g.callback?state=a&code=b").await.refused(404, "not_configured");
    app.finish().await;
}

#[tokio::test]
async fn first_sign_in_creates_an_account_and_later_ones_find_it() {
    let provider = Provider::start().await;
    let app = App::empty(google(&provider)).await;
    let first = signed_in_user(&app, &sign_in(&app, &provider).await).await;
    assert_eq!(first["username"], "Mika");
    // The name and address have changed at the provider, but it is still the same person.
    provider.is(Someone { email: "other@mail.example", username: Some("Other"), ..MIKA });
    assert_eq!(signed_in_user(&app, &sign_in(&app, &provider).await).await["user_id"], first["user_id"]);
    // Another person has the same preferred name, and a third person has none.
    provider.is(Someone { subject: "1002", email: "mika2@mail.example", ..MIKA });
    let second = signed_in_user(&app, &sign_in(&app, &provider).await).await;
    assert!(second["username"].as_str().unwrap().starts_with("Mika-"), "{second}");
    provider.is(Someone { subject: "1003", email: "real.name@mail.example", username: None, ..MIKA });
    let third = signed_in_user(&app, &sign_in(&app, &provider).await).await;
    assert!(
        third["username"].as_str().unwrap().starts_with("member-"),
        "an address never becomes a public name: {third}"
    );
    assert_eq!(
        app.numbers("select count(*) from users where email_confirmed_at is not null and password_hash is null").await,
        [3]
    );
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn refuses_account_without_age_confirmation() {
    let provider = Provider::start().await;
    let app = App::empty(google(&provider)).await;
    for agreed in ["", "; age_agreed=0", "; age_agreed=10"] {
        let (cookie, path) = begin_with(&app, &provider, "/api/login.g.php").await;
        failed(&call_back(&app, &format!("{cookie}{agreed}"), &path).await, "agree18_required");
    }
    app.get("/api/login.g.php?agree18=0").await.refused(422, "invalid");
    assert_eq!(app.numbers("select count(*) from users").await, [0]);
    let known = signed_in_user(&app, &sign_in(&app, &provider).await).await;
    // A member has already confirmed their age.
    let (cookie, path) = begin_with(&app, &provider, "/api/login.g.php").await;
    assert_eq!(signed_in_user(&app, &call_back(&app, &cookie, &path).await).await["user_id"], known["user_id"]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn verified_address_links_the_existing_account() {
    let provider = Provider::start().await;
    let app = App::empty(google(&provider)).await;
    app.sql(
        "insert into users (username, email, password_hash, email_confirmed_at) values
            ('known', 'Mika@Mail.example', 'kept', now()), ('squatter', 'new@mail.example', 'of somebody else', null)",
    )
    .await;
    assert_eq!(signed_in_user(&app, &sign_in(&app, &provider).await).await["username"], "known");
    // The account was created by someone who never confirmed the address. The owner of the address takes it over, and the old password is
    // dropped.
    let squatter_session = app.sign_in(2, "squatter").await;
    provider.is(Someone { subject: "2001", email: "new@mail.example", ..MIKA });
    assert_eq!(signed_in_user(&app, &sign_in(&app, &provider).await).await["username"], "squatter");
    assert_eq!(squatter_session.get("/api/me.php").await.json()["user"], Value::Null);
    assert_eq!(app.numbers("select id from users where password_hash is not null").await, [1]);
    // An account linked to one person cannot be linked to another.
    provider.is(Someone { subject: "2002", ..MIKA });
    failed(&sign_in(&app, &provider).await, "openid_occupied");
    app.sql("update users set status_id = banned() where id = 1").await;
    provider.is(MIKA);
    failed(&sign_in(&app, &provider).await, "account_banned");
    // A ban removes the member from an index, so an index must exist.
    app.reindex().await;
    app.finish().await;
}

#[tokio::test]
async fn provider_names_follow_the_name_rules() {
    let provider = Provider::start().await;
    let app = App::empty(google(&provider)).await;
    for (subject, email, chosen) in [
        ("3001", "a@mail.example", "Forbidden"),
        ("3002", "b@mail.example", "forbidden_1"),
        ("3003", "c@mail.example", "for-bidden"),
        ("3004", "d@mail.example", "For bidden"),
        ("3005", "e@mail.example", "x_forbidden"),
    ] {
        provider.is(Someone { subject, email, username: Some(chosen), ..MIKA });
        let name = signed_in_user(&app, &sign_in(&app, &provider).await).await["username"].clone();
        assert!(name.as_str().unwrap().starts_with("member-"), "{chosen}: {name}");
    }
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn refuses_unverified_address() {
    let provider = Provider::start().await;
    let app = App::empty(google(&provider)).await;
    app.sql("insert into users (username, email, email_confirmed_at) values ('known', 'mika@mail.example', now())")
        .await;
    provider.is(Someone { verified: false, ..MIKA });
    failed(&sign_in(&app, &provider).await, "openid_mail_unverified");
    assert_eq!(app.numbers("select count(*) from users where oidc_subject is not null").await, [0]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn callback_is_bound_to_the_browser_that_started() {
    let provider = Provider::start().await;
    let app = App::empty(google(&provider)).await;
    let (cookie, path) = begin(&app, &provider).await;
    let (other, other_path) = begin(&app, &provider).await;
    failed(&call_back(&app, "openid=", &path).await, "openid_failed");
    failed(&call_back(&app, &other, &path).await, "openid_failed");
    failed(&call_back(&app, &cookie, &other_path).await, "openid_failed");
    let wrong_state = path.replace("state=", "state=A");
    failed(&call_back(&app, &cookie, &wrong_state).await, "openid_failed");
    // A changed expiry makes the cookie invalid.
    let (seed, expires) = cookie.split(';').next().unwrap().split_once('.').unwrap();
    let later = format!("{seed}.{}", expires.parse::<i64>().unwrap() + 1);
    failed(&call_back(&app, &later, &path).await, "openid_failed");
    let code_of_another =
        format!("{}&code={}", path.split("&code=").next().unwrap(), other_path.split("&code=").nth(1).unwrap());
    failed(&call_back(&app, &cookie, &code_of_another).await, "openid_failed");
    assert_eq!(signed_in_user(&app, &call_back(&app, &cookie, &path).await).await["username"], "Mika");
    // The code has been used up, so cookie and callback cannot be replayed.
    failed(&call_back(&app, &cookie, &path).await, "openid_failed");
    let state = path.split("state=").nth(1).unwrap().split('&').next().unwrap();
    failed(
        &call_back(&app, &cookie, &format!("/api/login.g.callback?state={state}&error=access_denied")).await,
        "openid_cancelled",
    );
    failed(&call_back(&app, &cookie, &format!("/api/login.g.callback?state={state}")).await, "openid_failed");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn refuses_expired_attempt() {
    let provider = Provider::start().await;
    let app = App::empty(|config| {
        google(&provider)(config);
        config.openid.attempt_seconds = 600;
    })
    .await;
    let (_, path) = begin(&app, &provider).await;
    let old = format!("openid={}.{}", "A".repeat(43), crate::support::NOW);
    failed(&call_back(&app, &old, &path).await, "openid_failed");
    app.finish().await;
}

#[tokio::test]
async fn refuses_invalid_id_tokens() {
    let provider = Provider::start().await;
    let app = App::empty(google(&provider)).await;
    for fault in [Fault::Nonce, Fault::Audience, Fault::Issuer, Fault::Key, Fault::Expired, Fault::Unsigned] {
        provider.fault(fault);
        failed(&sign_in(&app, &provider).await, "openid_failed");
    }
    provider.fault(Fault::None);
    assert_eq!(signed_in_user(&app, &sign_in(&app, &provider).await).await["username"], "Mika");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn returns_503_when_provider_is_unreachable() {
    let provider = Provider::start().await;
    let unreachable = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let app = App::empty(|config| {
        google(&provider)(config);
        config.openid.issuer = unreachable;
    })
    .await;
    app.get("/api/login.g.php").await.refused(503, "unavailable");
    app.finish().await;
}

#[tokio::test]
async fn takeover_of_unconfirmed_account_notifies_its_address() {
    let provider = Provider::start().await;
    let app = App::empty(google(&provider)).await;
    app.keep_mails().await;
    app.sql(
        "insert into users (username, email, password_hash) values ('squatter', 'mika@mail.example', 'of somebody else')",
    )
    .await;
    let squatter = app.sign_in(1, "squatter").await;
    app.sql("insert into mail_tokens (token_hash, user_id, purpose, email, expires_at) values
        (sha256('1'), 1, 'mail', 'other@mail.example', now() + interval '1 day'), (sha256('2'), 1, 'restore', null, now() + interval '1 day')")
        .await;
    assert_eq!(signed_in_user(&app, &sign_in(&app, &provider).await).await["username"], "squatter");
    assert_eq!(squatter.get("/api/me.php").await.json()["user"], Value::Null);
    assert_eq!(app.numbers("select count(*) from mail_tokens").await, [0]);
    assert_eq!(app.numbers("select count(*) from users where password_hash is not null").await, [0]);
    let sent: Vec<_> = app.queued_mails().await.iter().map(|mail| [mail["kind"].clone(), mail["to"].clone()]).collect();
    assert_eq!(sent, [["password_dropped", "mika@mail.example"]]);
    // A second sign-in sends no further mail.
    assert_eq!(signed_in_user(&app, &sign_in(&app, &provider).await).await["username"], "squatter");
    assert_eq!(app.queued_mails().await.len(), 1);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn provider_is_trusted_for_its_own_domains_only() {
    let provider = Provider::start().await;
    let app = App::empty(default_trust(&provider)).await;
    let known = "insert into users (username, email, email_confirmed_at) values ('known', 'mika@mail.example', now())";
    app.sql(known).await;
    failed(&sign_in(&app, &provider).await, "openid_mail_untrusted");
    provider.is(Someone { subject: "1002", email: "new@mail.example", ..MIKA });
    failed(&sign_in(&app, &provider).await, "openid_mail_untrusted");
    provider.is(Someone { subject: "1003", email: "mika@gmail.com.mail.example", ..MIKA });
    failed(&sign_in(&app, &provider).await, "openid_mail_untrusted");
    provider.is(Someone { hosts: Some("other.example"), ..MIKA });
    failed(&sign_in(&app, &provider).await, "openid_mail_untrusted");
    assert_eq!(app.numbers("select count(*) from users where oidc_subject is not null").await, [0]);
    // The provider hosts the mailboxes of that domain.
    provider.is(Someone { hosts: Some("mail.example"), ..MIKA });
    assert_eq!(signed_in_user(&app, &sign_in(&app, &provider).await).await["username"], "known");
    provider.is(Someone { subject: "1004", email: "Mika@GMail.com", ..MIKA });
    assert_eq!(signed_in_user(&app, &sign_in(&app, &provider).await).await["username"], "Mika");
    // A linked account is found by its subject, regardless of its current address.
    provider.is(Someone { subject: "1004", email: "mika@elsewhere.example", ..MIKA });
    assert_eq!(signed_in_user(&app, &sign_in(&app, &provider).await).await["username"], "Mika");
    app.drain().await;
    app.finish().await;
}
