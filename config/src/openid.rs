//! `[openid]`: sign-in at another site.

use serde::Deserialize;

use crate::ConfigError;

/// `[openid]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenId {
    /// Address of the provider, whose `/.well-known/openid-configuration` says the rest.
    pub issuer: String,
    /// Name of this site there; empty turns the sign-in off.
    pub client_id: String,
    /// Password of this site there.
    pub client_secret: String,
    /// Seconds until a visitor must have come back, at least 1.
    pub attempt_seconds: i64,
    /// Seconds the provider's addresses and keys are kept, at least 1.
    pub metadata_seconds: i64,
    /// Milliseconds one request to the provider may take, at least 1.
    pub timeout_ms: u64,
}

impl OpenId {
    /// Whether people can sign in this way.
    #[must_use]
    pub fn is_on(&self) -> bool {
        !self.client_id.is_empty()
    }

    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let refuse = |key, why: &str| Err(ConfigError::Value { key, why: why.to_owned() });
        if self.is_on() && self.client_secret.is_empty() {
            return refuse("openid.client_secret", "is empty while openid.client_id is not");
        }
        if self.is_on() && !["https://", "http://"].iter().any(|scheme| self.issuer.starts_with(scheme)) {
            return refuse("openid.issuer", "must be like \"https://accounts.google.com\"");
        }
        if self.attempt_seconds < 1 {
            return refuse("openid.attempt_seconds", "must be at least 1");
        }
        if self.metadata_seconds < 1 {
            return refuse("openid.metadata_seconds", "must be at least 1");
        }
        if self.timeout_ms == 0 {
            return refuse("openid.timeout_ms", "is 0, must be at least 1");
        }
        Ok(())
    }
}
