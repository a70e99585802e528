//! Sign-in at an OpenID provider: where a visitor is sent ([`OpenId::start`]) and what is believed of who comes back
//! ([`OpenId::finish`]).

mod attempt;
pub mod login;

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

/// Where the provider sends visitors back to.
pub const CALLBACK: &str = "/api/login.g.callback";
/// Seconds between two readings of the provider's keys because of a token that none of them signed.
const KEYS_AGAIN: i64 = 60;
/// Signatures that are believed: only the provider can make them. (With HMAC we could, too, and so could whoever steals our
/// client secret.)
const SIGNATURES: [CoreJwsSigningAlgorithm; 5] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// What Google says beside the standard's claims.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Hosting {
    /// The domain whose mailboxes it runs for the person's employer.
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

/// The standard's client, whose tokens have [`Hosting`], with the addresses that discovery tells.
type Asking = Client<
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Issuer and subject: the same person has the same one for ever.
    pub subject: String,
    /// The address, which the provider has checked.
    pub email: String,
    /// Whether the provider is believed about addresses of this domain (`openid.trusted_domains`).
    pub is_trusted: bool,
    /// A public name the person chose there.
    pub nickname: Option<String>,
}

/// Why nobody came back; [`OpenIdError::code`] is what the page is told.
#[derive(Debug, thiserror::Error)]
pub enum OpenIdError {
    #[error("the visitor cancelled")]
    Cancelled,
    /// The answer is none to a question of this browser, or not the provider's word.
    #[error("{0}")]
    Wrong(String),
    /// The provider doesn't vouch for the address.
    #[error("the address is not verified")]
    Unverified,
}

impl OpenIdError {
    pub fn code(&self) -> &'static str {
        match self {
            Self::Cancelled => "openid_cancelled",
            Self::Wrong(_) => "openid_failed",
            Self::Unverified => "openid_mail_unverified",
        }
    }
}

/// The provider, as the configuration names it.
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
    /// The configured provider; `None` when there is none. Fails when an address is none.
    pub fn new(config: &Config, signer: &Signer, now: fn() -> i64) -> anyhow::Result<Option<Self>> {
        let settings = &config.openid;
        if !settings.is_on() {
            return Ok(None);
        }
        let http = reqwest::Client::builder()
            .timeout(Duration::from_millis(settings.timeout_ms))
            // The provider's word says where its parts are; a redirect could lead into our own network.
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

    /// Where to send the visitor, and what their browser keeps meanwhile.
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

    /// Who came back with this attempt: the provider is asked for the code's token, and its signature, issuer, audience, time
    /// and nonce are checked.
    ///
    /// # Errors
    /// Why nobody is believed to have; 503 while the provider is away.
    pub async fn finish(
        &self,
        attempt: Option<OpenIdAttempt>,
        back: &Back<'_>,
    ) -> ApiResult<Result<Person, OpenIdError>> {
        let wrong = |why: &str| Ok(Err(OpenIdError::Wrong(why.to_owned())));
        let Some(attempt) = attempt.filter(|attempt| attempt.expires > (self.now)()) else {
            return wrong("no attempt of this browser, or too late");
        };
        if !attempt.is_state(&self.key, back.state) {
            return wrong("another state");
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
        let Some(token) = tokens.id_token() else { return wrong("no identity") };
        let nonce = Nonce::new(secrets.nonce);
        let mut claims = token.claims(&client.id_token_verifier().set_allowed_algs(SIGNATURES), &nonce).cloned();
        if claims.is_err() {
            // A key that is new since we looked.
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

    fn client(&self, metadata: &CoreProviderMetadata) -> Asking {
        let (id, secret) = (self.client_id.clone(), self.client_secret.clone());
        Asking::from_provider_metadata(metadata.clone(), id, Some(secret)).set_redirect_uri(self.redirect.clone())
    }

    /// What the provider says of itself, no older than so many seconds. One request asks for all who wait.
    async fn metadata(&self, seconds: i64) -> ApiResult<Arc<CoreProviderMetadata>> {
        let mut kept = self.metadata.lock().await;
        let now = (self.now)();
        if let Some((read_at, metadata)) = kept.as_ref()
            && (0..seconds).contains(&(now - read_at))
        {
            return Ok(Arc::clone(metadata));
        }
        let read = CoreProviderMetadata::discover_async(self.issuer.clone(), &self.http).await;
        let metadata = Arc::new(read.map_err(ApiError::unavailable)?);
        *kept = Some((now, Arc::clone(&metadata)));
        Ok(metadata)
    }
}

/// What the visitor brought back in the address.
#[derive(Debug, Clone, Copy)]
pub struct Back<'a> {
    pub state: &'a str,
    /// What the provider gives a token for.
    pub code: Option<&'a str>,
    pub error: Option<&'a str>,
}
