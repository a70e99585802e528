//! Sign-in at an OpenID provider: builds the authorization address ([`OpenId::start`]) and verifies the callback
//! ([`OpenId::finish`]).

mod attempt;

use std::{sync::Arc, time::Duration};

use lantern_config::Config;
use lantern_media::links::Signer;
use openidconnect::{
    AdditionalClaims, AuthenticationFlow, AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken,
    EmptyExtraTokenFields, EndpointMaybeSet, EndpointNotSet, EndpointSet, IdTokenFields, IssuerUrl, Nonce,
    PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope, StandardErrorResponse, StandardTokenResponse,
    TokenResponse,
    core::{
        CoreAuthDisplay, CoreAuthPrompt, CoreErrorResponseType, CoreGenderClaim, CoreJsonWebKey,
        CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm, CoreProviderMetadata, CoreResponseType,
        CoreRevocableToken, CoreRevocationErrorResponse, CoreTokenIntrospectionResponse, CoreTokenType,
    },
    reqwest,
};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

pub use attempt::OpenIdAttempt;
use lantern_errors::{ApiError, ApiResult};

/// Path to which the provider redirects visitors back.
pub const CALLBACK: &str = "/api/login.g.callback";
/// Minimum number of seconds between refreshes of the provider's keys after a token with an unknown signature.
const KEYS_AGAIN: i64 = 60;
/// Accepted signature algorithms, which are all asymmetric. (With HMAC, anyone who has our client secret could sign
/// tokens.)
const SIGNATURES: [CoreJwsSigningAlgorithm; 5] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// Google's claims beyond the standard ones.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Hosting {
    /// Domain of the Google Workspace account.
    hd: Option<String>,
}

impl AdditionalClaims for Hosting {}

type Tokens = StandardTokenResponse<
    IdTokenFields<
        Hosting,
        EmptyExtraTokenFields,
        CoreGenderClaim,
        CoreJweContentEncryptionAlgorithm,
        CoreJwsSigningAlgorithm,
    >,
    CoreTokenType,
>;

/// Standard client with [`Hosting`] claims and the endpoints found by discovery.
type DiscoveredClient = Client<
    Hosting,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    Tokens,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// A person according to the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Issuer and subject, which never change for a person.
    pub subject: String,
    /// Mail address, verified by the provider.
    pub email: String,
    /// Whether the provider is trusted for addresses of this domain (`openid.trusted_domains`).
    pub is_trusted: bool,
    /// Public name that the person chose at the provider.
    pub nickname: Option<String>,
}

/// Why the sign-in failed. [`OpenIdError::code`] is passed to the page.
#[derive(Debug, thiserror::Error)]
pub enum OpenIdError {
    /// The person canceled the sign-in.
    #[error("the visitor cancelled")]
    Cancelled,
    /// The callback doesn't belong to this browser's attempt, or the provider didn't issue it.
    #[error("{0}")]
    Wrong(String),
    /// The provider hasn't verified the address.
    #[error("the address is not verified")]
    Unverified,
}

impl OpenIdError {
    /// Returns the error code from `config/errors.toml`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Cancelled => "openid_cancelled",
            Self::Wrong(_) => "openid_failed",
            Self::Unverified => "openid_mail_unverified",
        }
    }
}

/// The configured provider.
pub struct OpenId {
    http: reqwest::Client,
    issuer: IssuerUrl,
    client_id: ClientId,
    client_secret: ClientSecret,
    redirect: RedirectUrl,
    key: [u8; 32],
    settings: lantern_config::OpenId,
    now: fn() -> i64,
    metadata: Mutex<Option<(i64, Arc<CoreProviderMetadata>)>>,
}

impl OpenId {
    /// Sets up the configured provider, or returns `None` if there is none. Fails if an address is invalid.
    pub fn new(config: &Config, signer: &Signer, now: fn() -> i64) -> anyhow::Result<Option<Self>> {
        let settings = &config.openid;
        if !settings.is_on() {
            return Ok(None);
        }
        let http = reqwest::Client::builder()
            .timeout(Duration::from_millis(settings.timeout_ms))
            // Discovery provides all endpoints, and a redirect could lead into our own network.
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Some(Self {
            http,
            issuer: IssuerUrl::new(settings.issuer.clone())?,
            client_id: ClientId::new(settings.client_id.clone()),
            client_secret: ClientSecret::new(settings.client_secret.clone()),
            redirect: RedirectUrl::new(format!("{}{CALLBACK}", config.public_url()))?,
            key: signer.key("openid"),
            settings: settings.clone(),
            now,
            metadata: Mutex::new(None),
        }))
    }

    /// Returns the address to send the visitor to, and the attempt to store in their browser.
    pub async fn start(&self) -> ApiResult<(String, OpenIdAttempt)> {
        let metadata = self.metadata(self.settings.metadata_seconds).await?;
        let attempt = OpenIdAttempt::begin((self.now)() + self.settings.attempt_seconds)?;
        let secrets = attempt.secrets(&self.key);
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(secrets.verifier));
        let client = self.client(&metadata);
        let (url, ..) = client
            .authorize_url(
                AuthenticationFlow::<CoreResponseType>::AuthorizationCode,
                || CsrfToken::new(secrets.state),
                || Nonce::new(secrets.nonce),
            )
            .add_scope(Scope::new("email".to_owned()))
            .add_scope(Scope::new("profile".to_owned()))
            .set_pkce_challenge(challenge)
            .url();
        Ok((url.into(), attempt))
    }

    /// Exchanges the code for an ID token and verifies its signature, issuer, audience, time and nonce.
    ///
    /// # Errors
    /// The inner error is the reason for a failed sign-in. The outer error is a 503 while the provider is unavailable.
    pub async fn finish(
        &self,
        attempt: Option<OpenIdAttempt>,
        back: &Back<'_>,
    ) -> ApiResult<Result<Person, OpenIdError>> {
        let wrong = |why: &str| Ok(Err(OpenIdError::Wrong(why.to_owned())));
        let Some(attempt) = attempt.filter(|attempt| attempt.expires > (self.now)()) else {
            return wrong("no attempt of this browser, or it expired");
        };
        if !attempt.is_state(&self.key, back.state) {
            return wrong("state mismatch");
        }
        if back.error == Some("access_denied") {
            return Ok(Err(OpenIdError::Cancelled));
        }
        let Some(code) = back.code else { return wrong("no code") };
        let secrets = attempt.secrets(&self.key);
        let metadata = self.metadata(self.settings.metadata_seconds).await?;
        let client = self.client(&metadata);
        let exchange = client.exchange_code(AuthorizationCode::new(code.to_owned())).map_err(ApiError::internal)?;
        let answered =
            exchange.set_pkce_verifier(PkceCodeVerifier::new(secrets.verifier)).request_async(&self.http).await;
        let tokens = match answered {
            Ok(tokens) => tokens,
            Err(openidconnect::RequestTokenError::Request(away)) => return Err(ApiError::unavailable(away)),
            Err(refused) => return Ok(Err(OpenIdError::Wrong(refused.to_string()))),
        };
        let Some(token) = tokens.id_token() else { return wrong("no ID token") };
        let nonce = Nonce::new(secrets.nonce);
        let mut claims = token.claims(&client.id_token_verifier().set_allowed_algs(SIGNATURES), &nonce).cloned();
        if claims.is_err() {
            // The provider may have added a key since the last refresh.
            let metadata = self.metadata(KEYS_AGAIN).await?;
            let client = self.client(&metadata);
            claims = token.claims(&client.id_token_verifier().set_allowed_algs(SIGNATURES), &nonce).cloned();
        }
        let claims = match claims {
            Ok(claims) => claims,
            Err(error) => return Ok(Err(OpenIdError::Wrong(error.to_string()))),
        };
        let Some(email) = claims.email().filter(|_| claims.email_verified() == Some(true)) else {
            return Ok(Err(OpenIdError::Unverified));
        };
        let nickname = claims.preferred_username().map(|name| name.as_str().to_owned());
        Ok(Ok(Person {
            subject: format!("{} {}", self.issuer.as_str(), claims.subject().as_str()),
            email: email.as_str().to_owned(),
            is_trusted: self.settings.trusts(email.as_str(), claims.additional_claims().hd.as_deref()),
            nickname,
        }))
    }

    fn client(&self, metadata: &CoreProviderMetadata) -> DiscoveredClient {
        let (id, secret) = (self.client_id.clone(), self.client_secret.clone());
        DiscoveredClient::from_provider_metadata(metadata.clone(), id, Some(secret))
            .set_redirect_uri(self.redirect.clone())
    }

    /// Returns the provider's metadata, at most `seconds` old. Concurrent callers share one request.
    async fn metadata(&self, seconds: i64) -> ApiResult<Arc<CoreProviderMetadata>> {
        let mut cached = self.metadata.lock().await;
        let now = (self.now)();
        if let Some((read_at, metadata)) = cached.as_ref()
            && (0..seconds).contains(&(now - read_at))
        {
            return Ok(Arc::clone(metadata));
        }
        let read = CoreProviderMetadata::discover_async(self.issuer.clone(), &self.http).await;
        let metadata = Arc::new(read.map_err(ApiError::unavailable)?);
        *cached = Some((now, Arc::clone(&metadata)));
        Ok(metadata)
    }
}

/// Query parameters of the callback.
#[derive(Debug, Clone, Copy)]
pub struct Back<'a> {
    /// The state parameter.
    pub state: &'a str,
    /// Code to exchange for a token.
    pub code: Option<&'a str>,
    /// The error code of the provider.
    pub error: Option<&'a str>,
}
