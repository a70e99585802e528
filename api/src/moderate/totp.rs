//! One-time passwords: RFC 6238 with SHA-1, six digits, 30 seconds, which every authenticator app has.

use totp_rs::{Algorithm, TOTP};

const DIGITS: usize = 6;
/// Seconds of an interval.
const INTERVAL: u64 = 30;
/// Intervals before and after the present one whose passwords are taken: clocks differ, and typing takes time.
const SKEW: u64 = 1;
/// Bytes of a secret: those of SHA-1, as RFC 4226 recommends.
pub const SECRET: usize = 20;

fn totp(secret: &[u8], site: &str, account: &str) -> anyhow::Result<TOTP> {
    // Skew is looked at here, because the interval that fits is noted.
    TOTP::new(Algorithm::SHA1, DIGITS, 0, INTERVAL, secret.to_vec(), Some(site.to_owned()), account.to_owned())
        .map_err(anyhow::Error::from)
}

/// The address that an authenticator app reads, usually from a picture.
///
/// # Errors
/// The secret is too short, or a name has a colon.
pub fn address(secret: &[u8], site: &str, account: &str) -> anyhow::Result<String> {
    Ok(totp(secret, site, account)?.get_url())
}

/// The interval whose password this is, of those that count at `now` in unix seconds.
///
/// # Errors
/// The secret is too short.
pub fn interval(secret: &[u8], password: &str, now: i64) -> anyhow::Result<Option<i64>> {
    let totp = totp(secret, "site", "account")?;
    let present = u64::try_from(now)? / INTERVAL;
    let fitting = (present.saturating_sub(SKEW)..=present + SKEW).find(|at| totp.check(password, at * INTERVAL));
    Ok(fitting.map(i64::try_from).transpose()?)
}

#[cfg(test)]
mod tests {
    use super::{address, interval};

    /// The secret and some of the values of appendix B of RFC 6238, of which six digits are taken.
    const SECRET: &[u8] = b"12345678901234567890";

    #[test]
    fn passwords_are_those_of_the_standard_and_fit_an_interval_around_the_present() {
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
    fn the_address_has_what_an_app_needs() {
        let address = address(SECRET, "Lantern", "mona").unwrap();
        assert!(address.starts_with("otpauth://totp/Lantern:mona?"), "{address}");
        assert!(address.contains("secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"), "{address}");
    }
}
