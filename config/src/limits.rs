//! `[limits]`: rate limits per action.

use serde::Deserialize;

use crate::{ConfigError, Mode, reject};

/// Declares the table of policies.
macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $action:ident;)+) => {
        /// `[limits]`: one policy per rate-limited action.
        #[derive(Debug, Clone, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Limits {
            /// Store that attempts are counted in.
            pub store: LimitStore,
            /// Allowances for IPv6 networks.
            pub ipv6: Ipv6,
            $($(#[doc = $doc])+ pub $action: Policy,)+
        }

        impl Limits {
            fn policies(&self) -> [(&'static str, &Policy); 26] {
                [$((concat!("limits.", stringify!($action)), &self.$action)),+]
            }

            fn policies_mut(&mut self) -> [&mut Policy; 26] {
                [$(&mut self.$action),+]
            }
        }
    };
}

limits! {
    /// `videos2.php` and `facets.php`, per address.
    search;
    /// Milliseconds spent computing uncached responses, per address. This is a rate.
    compute;
    /// `suggester.php`, per address.
    suggest;
    /// `pageview.php`, per address.
    page_view;
    /// Comments, per member.
    comment;
    /// Failed logins to an account from one address.
    login_account;
    /// Failed logins to an account from any address, until a captcha is required.
    login_account_anywhere;
    /// Failed logins, per address.
    login_address;
    /// Wrong one-time passwords entered by a moderator, per known browser or session.
    second_step;
    /// Wrong one-time passwords entered by a moderator per day. Each known browser is counted separately, and all unknown browsers
    /// together.
    second_step_day;
    /// Decisions of a moderator.
    decision;
    /// Take-downs, bans and revocations of a moderator.
    grave_decision;
    /// Document copies that a moderator opens.
    proof;
    /// Sign-ups, per address.
    signup;
    /// Password reset mails, per address and per recipient.
    restore;
    /// Uses of mailed links, per address.
    confirm;
    /// Uses of unsubscribe links, per address.
    unsubscribe;
    /// Reports and messages to the site, per member or address.
    contact;
    /// Messages between members, per sender.
    message;
    /// Uploads that a member starts.
    upload;
    /// Upload chunks, per address. This is a rate.
    upload_piece;
    /// Pictures that a member adds to albums.
    photo;
    /// All other actions of a member.
    act;
    /// Votes without an account, per address.
    guest_vote;
    /// Captchas issued, per address.
    captcha;
    /// Requests by id for hidden or missing objects, per address and per member.
    hidden;
}

/// `limits.ipv6`: allowances for IPv6 networks as multiples of one address's allowance (a /64).
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ipv6 {
    /// Multiple for a /56, at least 1.
    pub times_56: u32,
    /// Multiple for a /48, at least as large as for a /56 and at most [`TIMES_MOST`].
    pub times_48: u32,
}

/// Largest multiple, which is the number of /64s in a /48.
pub const TIMES_MOST: u32 = 65_536;

/// Store that all attempts except reads are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LimitStore {
    /// A store in this node's data folder.
    Local,
    /// A store in Postgres for all nodes of the site.
    Shared,
}

/// Rate limit policy.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Policy {
    /// Exact sliding window.
    Exact(Exact),
    /// A burst, then a rate.
    Gcra(Gcra),
}

/// Sliding window with at most `attempts` in any `per_seconds`. Each attempt frees its slot once it leaves the window.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exact {
    /// Number of attempts accepted per window, 1 to [`ATTEMPTS_MOST`].
    pub attempts: u16,
    /// Length of the window in seconds, at least 1.
    pub per_seconds: u64,
}

/// Maximum number of attempts in an exact policy. Each is stored as a timestamp, and every attempt reads all timestamps of its key.
pub const ATTEMPTS_MOST: u16 = 100;

/// Generic cell rate algorithm (GCRA): `burst` at once, then `cells` spread over `per_seconds`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gcra {
    /// Number of attempts accepted at once, at least 1.
    pub burst: u32,
    /// Length of the period in seconds, at least 1.
    pub per_seconds: u64,
    /// Number of attempts refilled per period, at least 1.
    pub cells: u32,
    /// Whether loopback clients are exempt. This is only for development (benchmarks and tests).
    pub exempt_loopback: bool,
}

/// Long-term allowance of a policy, for display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// Number of attempts.
    pub attempts: u32,
    /// Period in seconds.
    pub per_seconds: u64,
}

impl Policy {
    /// Returns the long-term allowance.
    #[must_use]
    pub fn allowance(&self) -> Allowance {
        match self {
            Self::Exact(exact) => Allowance { attempts: exact.attempts.into(), per_seconds: exact.per_seconds },
            Self::Gcra(gcra) => Allowance { attempts: gcra.cells, per_seconds: gcra.per_seconds },
        }
    }

    /// Whether loopback clients are exempt.
    #[must_use]
    pub fn exempts_loopback(&self) -> bool {
        matches!(self, Self::Gcra(Gcra { exempt_loopback: true, .. }))
    }

    fn check(&self, key: &'static str) -> Result<(), ConfigError> {
        match self {
            Self::Exact(exact) if exact.attempts < 1 || exact.attempts > ATTEMPTS_MOST => {
                reject(key, format!("has {} attempts, must have 1 to {ATTEMPTS_MOST}", exact.attempts))
            }
            Self::Gcra(gcra) if gcra.burst < 1 || gcra.cells < 1 => {
                reject(key, "has a burst or cells of 0, must be at least 1")
            }
            Self::Exact(Exact { per_seconds, .. }) | Self::Gcra(Gcra { per_seconds, .. })
                if !(1..=PERIOD_MOST).contains(per_seconds) =>
            {
                reject(key, format!("has per_seconds {per_seconds}, must be 1 to {PERIOD_MOST}"))
            }
            Self::Exact(_) | Self::Gcra(_) => Ok(()),
        }
    }
}

/// Longest window in seconds. It is a year, so that sums of timestamps cannot overflow.
const PERIOD_MOST: u64 = 31_536_000;

impl Limits {
    /// Returns the table that applies in `mode`. In production no client is exempt, because loopback may be an unlisted proxy.
    #[must_use]
    pub fn of(mut self, mode: Mode) -> Self {
        if mode == Mode::Production {
            for policy in self.policies_mut() {
                if let Policy::Gcra(gcra) = policy {
                    gcra.exempt_loopback = false;
                }
            }
        }
        self
    }

    /// Rejects invalid values.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let Ipv6 { times_56, times_48 } = self.ipv6;
        if times_56 < 1 || times_48 < times_56 || times_48 > TIMES_MOST {
            let why =
                format!("has {times_56} and {times_48}, must be 1 to {TIMES_MOST}, with times_48 at least times_56");
            return reject("limits.ipv6", why);
        }
        if matches!(self.compute, Policy::Exact(_)) {
            return reject(
                "limits.compute",
                "must be of kind gcra: the cost of a computation is known only once it is done",
            );
        }
        self.policies().into_iter().try_for_each(|(key, policy)| policy.check(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(text: &str) -> Result<Policy, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn policies_out_of_range_are_rejected() {
        for text in [
            "kind = 'exact'\nattempts = 0\nper_seconds = 1",
            "kind = 'exact'\nattempts = 101\nper_seconds = 1",
            "kind = 'exact'\nattempts = 1\nper_seconds = 0",
            "kind = 'gcra'\nburst = 0\nper_seconds = 1\ncells = 1\nexempt_loopback = false",
            "kind = 'gcra'\nburst = 1\nper_seconds = 1\ncells = 0\nexempt_loopback = false",
            "kind = 'gcra'\nburst = 1\nper_seconds = 31536001\ncells = 1\nexempt_loopback = false",
        ] {
            assert!(policy(text).unwrap().check("limits.search").is_err(), "{text}");
        }
        policy("kind = 'exact'\nattempts = 100\nper_seconds = 31536000").unwrap().check("limits.search").unwrap();
    }

    #[test]
    fn larger_network_has_at_least_the_allowance_of_smaller_one() {
        for (times_56, times_48, is_right) in
            [(4, 16, true), (1, 1, true), (0, 16, false), (4, 3, false), (4, 65_537, false)]
        {
            let limits = Limits { ipv6: Ipv6 { times_56, times_48 }, ..crate::Config::default().limits };
            assert_eq!(limits.check().is_ok(), is_right, "{times_56} {times_48}");
        }
    }

    #[test]
    fn unknown_kind_or_key_is_rejected() {
        assert!(policy("kind = 'fixed'\nattempts = 1\nper_seconds = 1").is_err());
        assert!(policy("kind = 'exact'\nattempts = 1\nper_seconds = 1\nburst = 2").is_err());
    }
}
