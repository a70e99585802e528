//! `[openid]`: sign-in with an OpenID provider.

use serde::Deserialize;

use crate::{ConfigError, at_least_one, reject};

/// Entry in `openid.trusted_domains` that trusts every verified address.
const TRUST_ALL: &str = "*";
/// Entry in `openid.trusted_domains` that trusts addresses in a domain whose mailboxes the provider claims to host.
const TRUST_HOSTED: &str = "hosted";

/// `[openid]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenId {
    /// URL of the provider, which serves `/.well-known/openid-configuration`.
    pub issuer: String,
    /// Client id at the provider. If it is empty, this sign-in is disabled.
    pub client_id: String,
    /// Client secret at the provider.
    pub client_secret: String,
    /// Mail domains for which the provider's verification is trusted, in lower case. `hosted` and `*` are allowed too.
    pub trusted_domains: Vec<String>,
    /// Seconds allowed between leaving for the provider's site and returning, at least 1.
    pub attempt_seconds: i64,
    /// Seconds for which the provider's metadata and keys are cached, at least 1.
    pub metadata_seconds: i64,
    /// Timeout of a request to the provider in milliseconds, at least 1.
    pub timeout_ms: u64,
}

impl OpenId {
    /// Whether this sign-in is enabled.
    #[must_use]
    pub fn is_on(&self) -> bool {
        !self.client_id.is_empty()
    }

    /// Whether to trust the provider's verification of `email`. `hosted` is the domain whose mailboxes it claims to host.
    #[must_use]
    pub fn trusts(&self, email: &str, hosted: Option<&str>) -> bool {
        let Some((_, domain)) = email.rsplit_once('@') else { return false };
        self.trusted_domains.iter().any(|trusted| match trusted.as_str() {
            TRUST_ALL => true,
            TRUST_HOSTED => hosted.is_some_and(|hosted| hosted.eq_ignore_ascii_case(domain)),
            named => named.eq_ignore_ascii_case(domain),
        })
    }

    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        if self.is_on() && self.client_secret.is_empty() {
            return reject("openid.client_secret", "is empty while openid.client_id is not");
        }
        if self.is_on() && !["https://", "http://"].iter().any(|scheme| self.issuer.starts_with(scheme)) {
            return reject("openid.issuer", "must be like \"https://accounts.google.com\"");
        }
        let is_domain = |domain: &str| {
            domain.contains('.') && domain.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-'))
        };
        if !self.trusted_domains.iter().all(|named| [TRUST_ALL, TRUST_HOSTED].contains(&&**named) || is_domain(named)) {
            return reject("openid.trusted_domains", "must hold domains in lower case, \"hosted\" or \"*\"");
        }
        if self.attempt_seconds < 1 {
            return reject("openid.attempt_seconds", "must be at least 1");
        }
        if self.metadata_seconds < 1 {
            return reject("openid.metadata_seconds", "must be at least 1");
        }
        at_least_one("openid.timeout_ms", self.timeout_ms)
    }
}

#[cfg(test)]
mod tests {
    use crate::Config;

    #[test]
    fn provider_is_trusted_for_listed_domains_only() {
        let mut openid = Config::default().openid;
        for (email, hosted, trusted) in [
            ("mika@gmail.com", None, true),
            ("Mika@GMail.COM", None, true),
            ("mika@mail.example", None, false),
            ("mika@mail.example", Some("mail.example"), true),
            ("mika@mail.example", Some("other.example"), false),
            ("mika@gmail.com.mail.example", None, false),
            ("mika@xgmail.com", None, false),
            ("mika@hosted", None, false),
            ("gmail.com", None, false),
            ("\"a@gmail.com\"@mail.example", None, false),
        ] {
            assert_eq!(openid.trusts(email, hosted), trusted, "{email}");
        }
        openid.trusted_domains = vec!["*".to_owned()];
        assert!(openid.trusts("mika@mail.example", None));
        openid.trusted_domains.clear();
        assert!(!openid.trusts("mika@gmail.com", Some("gmail.com")));
    }

    #[test]
    fn trusted_domains_must_be_lower_case() {
        let mut openid = Config::default().openid;
        assert!(openid.check().is_ok());
        for wrong in ["Gmail.com", "@gmail.com", "gmail", "", "*.gmail.com"] {
            openid.trusted_domains = vec![wrong.to_owned()];
            assert!(openid.check().unwrap_err().to_string().contains("trusted_domains"), "{wrong}");
        }
    }
}
