//! `[accounts]`: sign-up, sign-in, sessions and passwords.

use serde::Deserialize;

use crate::{Config, ConfigError, Mode, niceness, reject};

/// `[accounts]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accounts {
    /// Maximum lifetime of a session in seconds, regardless of activity.
    pub session_seconds: u32,
    /// Seconds of inactivity after which a session ends.
    pub session_idle_seconds: u32,
    /// Seconds between updates of a session's last-used time.
    pub session_touch_seconds: u32,
    /// Seconds for which a confirmation link is valid.
    pub confirm_seconds: u32,
    /// Seconds for which a password reset link is valid.
    pub restore_seconds: u32,
    /// Minimum length of a password in characters, at least 5.
    pub password_min: usize,
    /// Maximum length of a password in characters.
    pub password_max: usize,
    /// Seconds between confirmation mails to the same account.
    pub confirm_again_seconds: u32,
    /// Days after which an unconfirmed account is removed.
    pub unconfirmed_days: u32,
    /// Seconds for which a sign-in counts as fresh for accounts without a password.
    pub fresh_seconds: u32,
    /// Whether forms reveal that an address has an account. Otherwise only a mail to the address reveals it.
    pub disclose_addresses: bool,
    /// Reserved names, in lower case. Names that look like them are reserved too.
    pub reserved_names: Vec<String>,
    /// Maximum number of sessions per member. A further one ends the least recently used session.
    pub sessions_most: u32,
    /// Parameters for Argon2id.
    pub argon2: Argon2,
}

/// `[accounts.argon2]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Argon2 {
    /// Memory per hash in KiB.
    pub memory_kib: u32,
    /// Number of passes over the memory.
    pub passes: u32,
    /// Number of lanes, which are computed one after another.
    pub lanes: u32,
    /// Number of hashes computed concurrently.
    pub at_once: usize,
    /// Niceness of the hashing threads, 0 to 19.
    pub niceness: u8,
    /// Number of queued sign-ins without a captcha above which further sign-ins require one, at most 1000.
    pub captcha_waiting: usize,
    /// Milliseconds that a hash may wait in the queue before the request is rejected with status 503.
    pub wait_ms: u64,
}

/// Minimum length of a password in characters. Sites may only raise it.
pub const PASSWORD_MIN: usize = 5;

impl Config {
    /// Whether security-relevant cookies carry `Secure` and the `__Host-` prefix.
    #[must_use]
    pub fn secure_cookies(&self) -> bool {
        self.mode == Mode::Production || self.server.public_url.starts_with("https://")
    }
}

/// Rejects invalid values.
pub(crate) fn check(accounts: &Accounts) -> Result<(), ConfigError> {
    for (key, seconds) in [
        ("accounts.session_seconds", accounts.session_seconds),
        ("accounts.session_idle_seconds", accounts.session_idle_seconds),
        ("accounts.confirm_seconds", accounts.confirm_seconds),
        ("accounts.restore_seconds", accounts.restore_seconds),
        ("accounts.unconfirmed_days", accounts.unconfirmed_days),
        ("accounts.sessions_most", accounts.sessions_most),
    ] {
        if seconds == 0 {
            return reject(key, "must be at least 1");
        }
    }
    if accounts.session_touch_seconds >= accounts.session_idle_seconds {
        let why = format!("must be below accounts.session_idle_seconds ({})", accounts.session_idle_seconds);
        return reject("accounts.session_touch_seconds", why);
    }
    if accounts.password_min < PASSWORD_MIN || accounts.password_max < accounts.password_min {
        let why = format!("is {}, must be between {PASSWORD_MIN} and password_max", accounts.password_min);
        return reject("accounts.password_min", why);
    }
    let argon2 = &accounts.argon2;
    if argon2.lanes == 0 || argon2.passes == 0 || argon2.memory_kib / 8 < argon2.lanes || argon2.at_once == 0 {
        return reject("accounts.argon2", "needs at least 1 pass, 1 lane, 8 KiB per lane and 1 concurrent hash");
    }
    if argon2.captcha_waiting > 1000 {
        let why = format!("is {}, must be at most 1000", argon2.captcha_waiting);
        return reject("accounts.argon2.captcha_waiting", why);
    }
    niceness::check("accounts.argon2.niceness", argon2.niceness)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_outside_their_ranges_are_named() {
        let refused = |change: fn(&mut Accounts)| {
            let mut accounts = Config::default().accounts;
            change(&mut accounts);
            check(&accounts).unwrap_err().to_string()
        };
        check(&Config::default().accounts).unwrap();
        assert!(refused(|accounts| accounts.session_seconds = 0).contains("session_seconds"));
        assert!(refused(|accounts| accounts.session_touch_seconds = u32::MAX).contains("session_touch_seconds"));
        assert!(refused(|accounts| accounts.password_min = 4).contains("password_min"));
        assert!(refused(|accounts| accounts.argon2.memory_kib = 4).contains("argon2"));
        assert!(refused(|accounts| accounts.argon2.at_once = 0).contains("argon2"));
        assert!(refused(|accounts| accounts.argon2.captcha_waiting = 1001).contains("captcha_waiting"));
        assert!(refused(|accounts| accounts.argon2.niceness = 20).contains("niceness"));
    }

    #[test]
    fn cookies_are_secure_over_https() {
        let mut config = Config::default();
        assert!(!config.secure_cookies());
        config.server.public_url = "https://tube.example".to_owned();
        assert!(config.secure_cookies());
        assert!(Config { mode: Mode::Production, ..Config::default() }.secure_cookies());
    }
}
