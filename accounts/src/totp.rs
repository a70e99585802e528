//! One-time passwords according to RFC 6238 with SHA-1, six digits and 30 seconds, which every authenticator app
//! supports.

use totp_rs::{Algorithm, TOTP};

const DIGITS: usize = 6;
/// Length of an interval in seconds.
const INTERVAL: u64 = 30;
/// Number of intervals accepted before and after the current one, because clocks differ and typing takes time.
const SKEW: u64 = 1;
/// Length of a secret in bytes. It is the length of a SHA-1 digest, as RFC 4226 recommends.
pub const SECRET: usize = 20;

fn totp(secret: &[u8], site: &str, account: &str) -> anyhow::Result<TOTP> {
    // The library's skew is 0, because it doesn't tell which interval matched. [`interval`] tries the intervals itself.
    TOTP::new(Algorithm::SHA1, DIGITS, 0, INTERVAL, secret.to_vec(), Some(site.to_owned()), account.to_owned())
        .map_err(anyhow::Error::from)
}

/// Returns the `otpauth://` address for authenticator apps, usually shown as a QR code.
///
/// # Errors
/// Fails if the secret is too short, or a name contains a colon.
pub fn address(secret: &[u8], site: &str, account: &str) -> anyhow::Result<String> {
    Ok(totp(secret, site, account)?.get_url())
}

/// Returns the interval to which the password belongs if it is valid at `now`, in Unix seconds.
///
/// # Errors
/// Fails if the secret is too short.
pub fn interval(secret: &[u8], password: &str, now: i64) -> anyhow::Result<Option<i64>> {
    let totp = totp(secret, "site", "account")?;
    let present = u64::try_from(now)? / INTERVAL;
    let fitting = (present.saturating_sub(SKEW)..=present + SKEW).find(|at| totp.check(password, at * INTERVAL));
    Ok(fitting.map(i64::try_from).transpose()?)
}

#[cfg(test)]
mod tests {
    use super::{address, interval};

    /// The secret and some values from RFC 6238, appendix B, truncated to six digits.
    const SECRET: &[u8] = b"12345678901234567890";

    #[test]
    fn matches_rfc_values_within_one_interval() {
        for (time, password) in [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")] {
            for (seconds, fits) in [(-30, true), (0, true), (30, true), (60, false), (3000, false)] {
                let found = interval(SECRET, password, time + seconds).unwrap();
                assert_eq!(found, fits.then_some(time / 30), "{time} {seconds}");
            }
        }
        assert_eq!(interval(SECRET, "081804", 1_111_111_109 - 60).unwrap(), None);
        for wrong in ["", "28708", "2870820", "abcdef", "２８７０８２"] {
            assert_eq!(interval(SECRET, wrong, 59).unwrap(), None, "{wrong}");
        }
    }

    #[test]
    fn address_contains_account_and_secret() {
        let address = address(SECRET, "Lantern", "mona").unwrap();
        assert!(address.starts_with("otpauth://totp/Lantern:mona?"), "{address}");
        assert!(address.contains("secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"), "{address}");
    }
}
