//! Proof that a form is not filled in by a robot: good once, in time, for its form.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::{Arc, Mutex},
};

use axum::{Json, Router, body::Bytes, extract::State, http::StatusCode, response::IntoResponse, routing::post};
use lantern_api::captcha::{Captcha, Purpose};
use lantern_config::{CaptchaProvider, Config};
use lantern_media::links::Signer;
use serde_json::{Value, json};

use crate::support::{
    App, NOW,
    mails::to_base64,
    proof::{payload, prove, solve},
};

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// The site's captcha at another time or on another node: the key is the same.
fn another(app: &App, now: fn() -> i64) -> Captcha {
    let key = Signer::new(b"secret of the tests").key("captcha");
    Captcha::new(&app.state().config, app.pool().clone(), key, now).unwrap()
}

async fn refusal(captcha: &Captcha, purpose: Purpose, proof: &str) -> Option<&'static str> {
    captcha.verify(purpose, proof, HERE).await.err().map(|error| error.code())
}

fn challenge(captcha: &Captcha, purpose: Purpose) -> Value {
    serde_json::to_value(captcha.challenge(purpose)).unwrap()
}

#[tokio::test]
async fn a_proof_is_good_once_on_whatever_node() {
    let app = App::empty(|_| {}).await;
    let (site, other) = (&app.state().captcha, another(&app, || NOW));
    let proof = app.proof("signup").await;
    assert_eq!(refusal(site, Purpose::Signup, &proof).await, None);
    assert_eq!(refusal(site, Purpose::Signup, &proof).await, Some("captcha_invalid"));
    assert_eq!(refusal(&other, Purpose::Signup, &proof).await, Some("captcha_invalid"));
    // Sixteen at once are one.
    let proof = app.proof("signup").await;
    let tries = (0..16).map(|n| {
        let (proof, app, other) = (&proof, &app, &other);
        async move { refusal(if n % 2 == 0 { &app.state().captcha } else { other }, Purpose::Signup, proof).await }
    });
    let outcomes = futures_util::future::join_all(tries).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_none()).count(), 1, "{outcomes:?}");
    app.finish().await;
}

#[tokio::test]
async fn a_proof_is_for_its_form_and_its_time() {
    let app = App::empty(|_| {}).await;
    let site = &app.state().captcha;
    for purpose in Purpose::ALL {
        let proof = app.proof(purpose.as_str()).await;
        for other in Purpose::ALL.into_iter().filter(|other| *other != purpose) {
            assert_eq!(refusal(site, other, &proof).await, Some("captcha_invalid"));
        }
        assert_eq!(refusal(site, purpose, &proof).await, None, "a refusal elsewhere uses nothing up");
    }
    let lifetime = app.state().config.captcha.lifetime;
    assert_eq!(lifetime, 1200);
    let fresh = prove(&challenge(&another(&app, || NOW - 1199), Purpose::Login));
    let late = prove(&challenge(&another(&app, || NOW - 1200), Purpose::Login));
    assert_eq!(refusal(site, Purpose::Login, &late).await, Some("captcha_invalid"));
    assert_eq!(refusal(site, Purpose::Login, &fresh).await, None);
    app.finish().await;
}

#[tokio::test]
async fn a_proof_can_be_neither_guessed_nor_forged() {
    let app = App::empty(|_| {}).await;
    let site = &app.state().captcha;
    let real = challenge(site, Purpose::Report);
    let number = solve(&real);
    let wrong =
        async |proof: &str| assert_eq!(refusal(site, Purpose::Report, proof).await, Some("captcha_invalid"), "{proof}");
    wrong(&payload(&real, number + 1)).await;
    let changed = |member: &str, value: Value| {
        let mut forged = real.clone();
        forged[member] = value;
        payload(&forged, number)
    };
    let text = |member: &str| real[member].as_str().unwrap().to_owned();
    wrong(&changed("signature", "0".repeat(64).into())).await;
    wrong(&changed("signature", text("signature")[..62].into())).await;
    wrong(&changed("algorithm", "SHA-1".into())).await;
    wrong(&changed("salt", text("salt").replace("for=report", "for=signup").into())).await;
    // A challenge of one's own with a number one knows, and the signature of another.
    let mut own = json!({ "algorithm": "SHA-256", "salt": "x?expires=9999999999&for=report&", "maxnumber": 1,
        "signature": text("signature") });
    own["challenge"] =
        format!("{:x}", <sha2::Sha256 as sha2::Digest>::digest("x?expires=9999999999&for=report&1")).into();
    wrong(&payload(&own, 1)).await;
    // The same bytes under the digest, cut elsewhere: another expiry, were it read.
    let digits = number.to_string();
    for at in 1..digits.len() {
        let (moved, rest) = digits.split_at(at);
        let mut spliced = real.clone();
        spliced["salt"] = format!("{}{moved}", text("salt")).into();
        wrong(&payload(&spliced, rest.parse().unwrap())).await;
    }
    for garbage in ["x", "=", "e30=", &to_base64(b"[]"), &to_base64(&[0xff; 40]), &"A".repeat(9000)] {
        wrong(garbage).await;
    }
    assert_eq!(refusal(site, Purpose::Report, "").await, Some("captcha_required"));
    assert_eq!(refusal(site, Purpose::Report, &payload(&real, number)).await, None);
    app.finish().await;
}

#[tokio::test]
async fn used_proofs_are_forgotten_when_they_are_worthless() {
    let app = App::empty(|config| config.captcha.max_number = 10).await;
    app.sql(
        "insert into captcha_used select sha256(n::text::bytea), to_timestamp(1790000000 - n) from generate_series(1, 150) n",
    )
    .await;
    for left in [51, 2, 3] {
        let proof = app.proof("login").await;
        assert_eq!(refusal(&app.state().captcha, Purpose::Login, &proof).await, None);
        assert_eq!(app.numbers("select count(*) from captcha_used").await, [left]);
    }
    app.finish().await;
}

#[tokio::test]
async fn challenges_are_asked_for_by_form_and_not_without_end() {
    let app = App::empty(|_| {}).await;
    app.get("/api/captcha.php").await.refused(422, "required");
    app.get("/api/captcha.php?for=sign").await.refused(422, "invalid");
    let reply = app.get("/api/captcha.php?for=login").await;
    assert_eq!(reply.header("cache-control"), "private, no-store");
    assert_eq!(reply.json()["maxnumber"], 50_000);
    let mut refused = None;
    for _ in 0..60 {
        let reply = app.get("/api/captcha.php?for=login").await;
        if reply.status != 200 {
            refused = Some(reply);
            break;
        }
    }
    let refused = refused.unwrap();
    refused.refused(429, "too_many_attempts");
    assert!(refused.header("retry-after").parse::<u64>().unwrap() > 0);
    app.finish().await;
}

#[tokio::test]
async fn a_closed_installation_may_ask_nobody() {
    let app = App::empty(|config| config.captcha.provider = CaptchaProvider::Off).await;
    assert_eq!(app.json("/api/captcha.php?for=login").await, json!({ "provider": "off" }));
    assert_eq!(refusal(&app.state().captcha, Purpose::Login, "").await, None);
    app.finish().await;
}

/// Names and values of a form.
type Form = Vec<(String, String)>;

/// Turnstile's and reCAPTCHA's server: the token says what it answers.
#[derive(Clone, Default)]
struct Provider {
    url: String,
    asked: Arc<Mutex<Vec<Form>>>,
}

impl Provider {
    async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let provider = Self { url: format!("http://{}/siteverify", listener.local_addr().unwrap()), ..Self::default() };
        let router = Router::new().route("/siteverify", post(siteverify)).with_state(provider.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        provider
    }
}

async fn siteverify(State(provider): State<Provider>, body: Bytes) -> axum::response::Response {
    let form: Vec<(String, String)> = form_urlencoded::parse(&body).into_owned().collect();
    let token = form.iter().find(|(name, _)| name == "response").unwrap().1.clone();
    let used =
        provider.asked.lock().unwrap().iter().any(|asked| asked.contains(&("response".to_owned(), token.clone())));
    provider.asked.lock().unwrap().push(form);
    match token.as_str() {
        "down" => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        "nonsense" => "<html>".into_response(),
        _ => {
            let part = |at: usize| token.split('/').nth(at).unwrap_or_default().to_owned();
            let score: f64 = part(2).parse().unwrap_or(0.9);
            Json(json!({ "success": part(0) == "good" && !used, "action": part(1), "score": score,
                "hostname": if part(3).is_empty() { "tube.example".to_owned() } else { part(3) }, "error-codes": [] }))
            .into_response()
        }
    }
}

fn remote(provider: CaptchaProvider, url: &str) -> impl FnOnce(&mut Config) {
    let url = url.to_owned();
    move |config| {
        config.server.public_url = "https://tube.example".to_owned();
        config.captcha.provider = provider;
        config.captcha.site_key = "public-key".to_owned();
        config.captcha.secret = "secret-key".to_owned();
        config.captcha.verify_url = url;
    }
}

#[tokio::test]
async fn turnstile_and_recaptcha_are_believed_for_the_form_and_the_site() {
    let server = Provider::start().await;
    for (provider, name) in [(CaptchaProvider::Turnstile, "turnstile"), (CaptchaProvider::Recaptcha, "recaptcha")] {
        server.asked.lock().unwrap().clear();
        let app = App::empty(remote(provider, &server.url)).await;
        let offered = app.json("/api/captcha.php?for=signup").await;
        assert_eq!(offered, json!({ "provider": name, "site_key": "public-key" }));
        let page = app.get("/signin/").await;
        let policy = page.header("content-security-policy");
        let host = if name == "turnstile" { "https://challenges.cloudflare.com" } else { "https://www.google.com" };
        assert!(policy.contains(&format!("script-src 'self' {host}")) && policy.contains(&format!("frame-src {host}")));
        let refused = async |token: &str| refusal(&app.state().captcha, Purpose::Signup, token).await;
        assert_eq!(refused("good/signup").await, None);
        assert_eq!(refused("good/signup").await, Some("captcha_invalid"), "the provider takes a token once");
        assert_eq!(refused("bad/signup").await, Some("captcha_invalid"));
        assert_eq!(refused("good/login").await, Some("captcha_invalid"));
        assert_eq!(refused("good/signup/0.9/evil.example").await, Some("captcha_invalid"));
        assert_eq!(refused("").await, Some("captcha_required"));
        let low = refused("good/signup/0.4").await;
        assert_eq!(low, (provider == CaptchaProvider::Recaptcha).then_some("captcha_invalid"), "{name} has no score");
        for away in ["down", "nonsense"] {
            assert_eq!(refused(away).await, Some("unavailable"), "no answer opens no form");
        }
        let asked = server.asked.lock().unwrap()[0].clone();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            asked,
            [pair("secret", "secret-key"), pair("response", "good/signup"), pair("remoteip", "127.0.0.1")]
        );
        app.finish().await;
    }
}
