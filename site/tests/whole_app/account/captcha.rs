//! Captcha proofs, which can be used once, have a limited lifetime, and are bound to one form.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::{Arc, Mutex},
};

use axum::{Json, Router, body::Bytes, extract::State, http::StatusCode, response::IntoResponse, routing::post};
use lantern_accounts::captcha::{Captcha, Purpose};
use lantern_config::{CaptchaProvider, Config};
use lantern_media::links::Signer;
use serde_json::{Value, json};

use crate::support::{
    App, NOW,
    mails::to_base64,
    proof::{payload, prove, solve},
};

const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Returns a verifier with the site's key, like that of another node or at another time.
fn other_node(app: &App, now: fn() -> i64) -> Captcha {
    let key = Signer::new(b"secret of the tests").key("captcha");
    Captcha::new(&app.state().config, app.pool().clone(), key, now).unwrap()
}

async fn refusal(captcha: &Captcha, purpose: Purpose, proof: &str) -> Option<&'static str> {
    captcha.verify(purpose, proof, CLIENT).await.err().map(|error| error.code())
}

fn challenge(captcha: &Captcha, purpose: Purpose) -> Value {
    serde_json::to_value(captcha.challenge(purpose)).unwrap()
}

#[tokio::test]
async fn proof_is_accepted_once_across_nodes() {
    let app = App::empty(|_| {}).await;
    let (site, other) = (&app.state().captcha, other_node(&app, || NOW));
    let proof = app.proof("signup").await;
    assert_eq!(refusal(site, Purpose::Signup, &proof).await, None);
    assert_eq!(refusal(site, Purpose::Signup, &proof).await, Some("captcha_invalid"));
    assert_eq!(refusal(&other, Purpose::Signup, &proof).await, Some("captcha_invalid"));
    // Of 16 concurrent attempts, exactly one succeeds.
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
async fn proof_is_bound_to_its_form_and_expires() {
    let app = App::empty(|_| {}).await;
    let site = &app.state().captcha;
    for purpose in Purpose::ALL {
        let proof = app.proof(purpose.as_str()).await;
        for other in Purpose::ALL.into_iter().filter(|other| *other != purpose) {
            assert_eq!(refusal(site, other, &proof).await, Some("captcha_invalid"));
        }
        assert_eq!(refusal(site, purpose, &proof).await, None, "a refusal for another form does not use it up");
    }
    let lifetime = app.state().config.captcha.lifetime;
    assert_eq!(lifetime, 1200);
    let fresh = prove(&challenge(&other_node(&app, || NOW - 1199), Purpose::Login));
    let late = prove(&challenge(&other_node(&app, || NOW - 1200), Purpose::Login));
    assert_eq!(refusal(site, Purpose::Login, &late).await, Some("captcha_invalid"));
    assert_eq!(refusal(site, Purpose::Login, &fresh).await, None);
    app.finish().await;
}

#[tokio::test]
async fn refuses_guessed_and_forged_proofs() {
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
    // This is a forged challenge with a known number and the signature of another challenge.
    let mut own = json!({ "algorithm": "SHA-256", "salt": "x?expires=9999999999&for=report&", "maxnumber": 1,
        "signature": text("signature") });
    own["challenge"] =
        format!("{:x}", <sha2::Sha256 as sha2::Digest>::digest("x?expires=9999999999&for=report&1")).into();
    wrong(&payload(&own, 1)).await;
    // The same hashed bytes are split differently, which would change the expiry.
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
async fn expired_used_proofs_are_deleted() {
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
async fn challenges_require_a_form_and_are_rate_limited() {
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
async fn captcha_can_be_disabled() {
    let app = App::empty(|config| config.captcha.provider = CaptchaProvider::Off).await;
    assert_eq!(app.json("/api/captcha.php?for=login").await, json!({ "provider": "off" }));
    assert_eq!(refusal(&app.state().captcha, Purpose::Login, "").await, None);
    app.finish().await;
}

/// Names and values of form fields.
type Form = Vec<(String, String)>;

/// Mock of the Turnstile and reCAPTCHA servers. The token encodes the response.
#[derive(Clone, Default)]
struct Provider {
    url: String,
    requests: Arc<Mutex<Vec<Form>>>,
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
        provider.requests.lock().unwrap().iter().any(|form| form.contains(&("response".to_owned(), token.clone())));
    provider.requests.lock().unwrap().push(form);
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
async fn turnstile_and_recaptcha_tokens_are_bound_to_form_and_site() {
    let server = Provider::start().await;
    for (provider, name) in [(CaptchaProvider::Turnstile, "turnstile"), (CaptchaProvider::Recaptcha, "recaptcha")] {
        server.requests.lock().unwrap().clear();
        let app = App::empty(remote(provider, &server.url)).await;
        let offered = app.json("/api/captcha.php?for=signup").await;
        assert_eq!(offered, json!({ "provider": name, "site_key": "public-key" }));
        let page = app.get("/signin/").await;
        let policy = page.header("content-security-policy");
        let host = if name == "turnstile" { "https://challenges.cloudflare.com" } else { "https://www.google.com" };
        assert!(policy.contains(&format!("script-src 'self' {host}")) && policy.contains(&format!("frame-src {host}")));
        let refused = async |token: &str| refusal(&app.state().captcha, Purpose::Signup, token).await;
        assert_eq!(refused("good/signup").await, None);
        assert_eq!(refused("good/signup").await, Some("captcha_invalid"), "the provider accepts a token once");
        assert_eq!(refused("bad/signup").await, Some("captcha_invalid"));
        assert_eq!(refused("good/login").await, Some("captcha_invalid"));
        assert_eq!(refused("good/signup/0.9/evil.example").await, Some("captcha_invalid"));
        assert_eq!(refused("").await, Some("captcha_required"));
        let low = refused("good/signup/0.4").await;
        assert_eq!(
            low,
            (provider == CaptchaProvider::Recaptcha).then_some("captcha_invalid"),
            "{name}: only reCAPTCHA has a score"
        );
        for failure in ["down", "nonsense"] {
            assert_eq!(refused(failure).await, Some("unavailable"), "fails closed");
        }
        let request = server.requests.lock().unwrap()[0].clone();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            request,
            [pair("secret", "secret-key"), pair("response", "good/signup"), pair("remoteip", "127.0.0.1")]
        );
        app.finish().await;
    }
}
