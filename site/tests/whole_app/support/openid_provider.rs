//! An OpenID provider in this process: discovery, keys, authorization with PKCE, signed tokens, and faults on demand.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Query, State},
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use openidconnect::{
    AccessToken, AdditionalClaims, Audience, AuthorizationCode, EmptyExtraTokenFields, EndUserEmail, EndUserUsername,
    IdToken, IdTokenClaims, IdTokenFields, IssuerUrl, JsonWebKeyId, Nonce, PkceCodeChallenge, PkceCodeVerifier,
    PrivateSigningKey, StandardClaims, StandardTokenResponse, SubjectIdentifier,
    core::{
        CoreEdDsaPrivateSigningKey, CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm,
        CoreTokenType,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::mails::to_base64;

/// A user with an account at the provider.
#[derive(Clone)]
pub struct Someone {
    pub subject: &'static str,
    pub email: &'static str,
    pub verified: bool,
    pub username: Option<&'static str>,
    /// The domain whose mailboxes the provider hosts.
    pub hosts: Option<&'static str>,
}

pub const MIKA: Someone =
    Someone { subject: "1001", email: "mika@mail.example", verified: true, username: Some("Mika"), hosts: None };

/// Google's claim that names the hosted domain.
#[derive(Debug, Serialize, Deserialize)]
struct Hosting {
    hd: Option<String>,
}

impl AdditionalClaims for Hosting {}

/// An authorization code that has been issued but not exchanged yet.
struct Grant {
    challenge: String,
    nonce: String,
    redirect: String,
}

/// A fault that a malicious or broken provider has.
#[derive(Clone, Copy, PartialEq)]
pub enum Fault {
    None,
    Nonce,
    Audience,
    Issuer,
    Key,
    Expired,
    Unsigned,
}

struct Inner {
    url: String,
    key: Mutex<Vec<u8>>,
    someone: Mutex<Someone>,
    fault: Mutex<Fault>,
    grants: Mutex<HashMap<String, Grant>>,
    issued: Mutex<u32>,
}

#[derive(Clone)]
pub struct Provider(Arc<Inner>);

pub const CLIENT: &str = "lantern-here";
pub const SECRET: &str = "a secret of the client";

impl Provider {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let provider = Self(Arc::new(Inner {
            url: format!("http://{}", listener.local_addr().unwrap()),
            key: Mutex::new(rand_bytes()),
            someone: Mutex::new(MIKA),
            fault: Mutex::new(Fault::None),
            grants: Mutex::default(),
            issued: Mutex::default(),
        }));
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/jwks", get(jwks))
            .route("/authorize", get(authorize))
            .route("/token", post(token))
            .with_state(provider.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        provider
    }

    /// Returns the provider's URL, which is the issuer of its tokens.
    pub fn url(&self) -> String {
        self.0.url.clone()
    }

    /// Makes this user the one who is signed in at the provider from now on.
    pub fn is(&self, someone: Someone) {
        *self.0.someone.lock().unwrap() = someone;
    }

    /// Makes tokens have this fault from now on.
    pub fn fault(&self, fault: Fault) {
        *self.0.fault.lock().unwrap() = fault;
    }

    fn key(&self, seed: &[u8]) -> CoreEdDsaPrivateSigningKey {
        // PKCS #8 encodes an Ed25519 key as a fixed header and the 32 bytes.
        let head = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
        let pem = format!(
            "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
            to_base64(&[&head[..], seed].concat())
        );
        CoreEdDsaPrivateSigningKey::from_ed25519_pem(&pem, Some(JsonWebKeyId::new("key-1".to_owned()))).unwrap()
    }

    /// Follows the link as the browser of a signed-in user, and returns the address to which it is redirected.
    pub async fn visit(&self, url: &str) -> String {
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        let answer = client.get(url).send().await.unwrap();
        let status = answer.status();
        let back = answer.headers().get("location").map(|to| to.to_str().unwrap().to_owned());
        back.unwrap_or_else(|| panic!("{status}"))
    }
}

fn rand_bytes() -> Vec<u8> {
    let mut bytes = vec![0; 32];
    rand::RngCore::fill_bytes(&mut rand::rng(), &mut bytes);
    bytes
}

async fn discovery(State(Provider(inner)): State<Provider>) -> Json<Value> {
    let url = &inner.url;
    Json(
        json!({ "issuer": url, "authorization_endpoint": format!("{url}/authorize"), "token_endpoint": format!("{url}/token"),
        "jwks_uri": format!("{url}/jwks"), "response_types_supported": ["code"], "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["EdDSA"] }),
    )
}

async fn jwks(State(provider): State<Provider>) -> Json<Value> {
    let seed = provider.0.key.lock().unwrap().clone();
    Json(json!({ "keys": [provider.key(&seed).as_verification_key()] }))
}

async fn authorize(State(Provider(inner)): State<Provider>, Query(query): Query<HashMap<String, String>>) -> Response {
    let known =
        query["client_id"] == CLIENT && query["response_type"] == "code" && query["code_challenge_method"] == "S256";
    let scopes: Vec<&str> = query["scope"].split(' ').collect();
    if !known || !["openid", "email", "profile"].iter().all(|scope| scopes.contains(scope)) {
        return StatusCode::BAD_REQUEST.into_response();
    }
    let code = {
        let mut n = inner.issued.lock().unwrap();
        *n += 1;
        format!("code-{n}")
    };
    let grant = Grant {
        challenge: query["code_challenge"].clone(),
        nonce: query["nonce"].clone(),
        redirect: query["redirect_uri"].clone(),
    };
    let back = format!("{}?state={}&code={code}", grant.redirect, query["state"]);
    inner.grants.lock().unwrap().insert(code, grant);
    Redirect::to(&back).into_response()
}

/// Exchanges a code once, for the client that has the secret and the verifier.
async fn token(State(provider): State<Provider>, headers: axum::http::HeaderMap, body: Bytes) -> Response {
    let form: HashMap<String, String> = form_urlencoded::parse(&body).into_owned().collect();
    let refuse = |error: &str| (StatusCode::BAD_REQUEST, Json(json!({ "error": error }))).into_response();
    let basic = format!("Basic {}", to_base64(format!("{CLIENT}:{}", SECRET.replace(' ', "+")).as_bytes()));
    if headers.get("authorization").is_none_or(|sent| sent.to_str().unwrap() != basic) {
        return refuse("invalid_client");
    }
    let Some(grant) = provider.0.grants.lock().unwrap().remove(&form["code"]) else { return refuse("invalid_grant") };
    let verifier = PkceCodeVerifier::new(form["code_verifier"].clone());
    let challenge = PkceCodeChallenge::from_code_verifier_sha256(&verifier);
    if challenge.as_str() != grant.challenge || form["redirect_uri"] != grant.redirect {
        return refuse("invalid_grant");
    }
    Json(provider.tokens(&grant, &form["code"])).into_response()
}

impl Provider {
    fn tokens(&self, grant: &Grant, code: &str) -> Value {
        let (fault, someone) = (*self.0.fault.lock().unwrap(), self.0.someone.lock().unwrap().clone());
        let or = |is: Fault, lie: &str, truth: &str| if fault == is { lie.to_owned() } else { truth.to_owned() };
        let claims = StandardClaims::new(SubjectIdentifier::new(someone.subject.to_owned()))
            .set_email(Some(EndUserEmail::new(someone.email.to_owned())))
            .set_email_verified(Some(someone.verified))
            .set_preferred_username(someone.username.map(|name| EndUserUsername::new(name.to_owned())));
        let at = |seconds: i64| {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() as i64;
            serde_json::from_value(json!(
                time::OffsetDateTime::from_unix_timestamp(now + seconds)
                    .unwrap()
                    .format(&time::format_description::well_known::Rfc3339)
                    .unwrap()
            ))
            .unwrap()
        };
        let claims = IdTokenClaims::<Hosting, CoreGenderClaim>::new(
            IssuerUrl::new(or(Fault::Issuer, "https://evil.example", &self.0.url)).unwrap(),
            vec![Audience::new(or(Fault::Audience, "somebody-else", CLIENT))],
            at(if fault == Fault::Expired { -30 } else { 300 }),
            at(-60),
            claims,
            Hosting { hd: someone.hosts.map(str::to_owned) },
        )
        .set_nonce(Some(Nonce::new(or(Fault::Nonce, "another", &grant.nonce))));
        let seed = if fault == Fault::Key { rand_bytes() } else { self.0.key.lock().unwrap().clone() };
        let (access, code) = (AccessToken::new("opens-nothing".to_owned()), AuthorizationCode::new(code.to_owned()));
        let (key, signing) = (self.key(&seed), CoreJwsSigningAlgorithm::EdDsa);
        let token: IdToken<_, _, CoreJweContentEncryptionAlgorithm, _> =
            IdToken::new(claims, &key, signing, Some(&access), Some(&code)).unwrap();
        let fields = IdTokenFields::new(Some(token), EmptyExtraTokenFields {});
        let mut tokens =
            serde_json::to_value(StandardTokenResponse::new(access, CoreTokenType::Bearer, fields)).unwrap();
        if fault == Fault::Unsigned {
            // `{"alg":"none"}` with the same claims and no signature.
            let token = tokens["id_token"].as_str().unwrap().to_owned();
            tokens["id_token"] = format!("eyJhbGciOiJub25lIn0.{}.", token.split('.').nth(1).unwrap()).into();
        }
        tokens
    }
}
