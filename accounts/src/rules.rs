//! Validation of names, mail addresses and passwords.

use lantern_config::Accounts;
use lantern_errors::FieldError;
use lantern_index::text::TermList;
use lettre::Address;

use super::reserved::is_reserved;

/// Length of a name in characters, which must match the catalog's constraint.
pub const NAME: std::ops::RangeInclusive<usize> = 3..=20;
/// Maximum length of a mail address (RFC 5321, minus the angle brackets).
const MAX_ADDRESS: usize = 254;

fn wrong(field: &'static str, code: &'static str, bound: Option<usize>) -> Result<(), FieldError> {
    Err(FieldError { field, code, bound, line: None })
}

/// Checks a name: 3 to 20 letters, digits, `_` or `-`. Fails with `required`, `bad_symbols`, `min_length` or `max_length`.
pub fn username(name: &str) -> Result<(), FieldError> {
    let length = name.chars().count();
    match name {
        "" => wrong("usr", "required", None),
        _ if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)) => {
            wrong("usr", "bad_symbols", None)
        }
        _ if length < *NAME.start() => wrong("usr", "min_length", Some(*NAME.start())),
        _ if length > *NAME.end() => wrong("usr", "max_length", Some(*NAME.end())),
        _ => Ok(()),
    }
}

/// Checks a public name, which additionally must not contain a prohibited term or look like a staff name.
pub fn public_name(name: &str, prohibited: &TermList, accounts: &Accounts) -> Result<(), FieldError> {
    username(name)?;
    if is_reserved(name, accounts) {
        return wrong("usr", "name_reserved", None);
    }
    if prohibited.found_in_name(name) { wrong("usr", "prohibited_terms", None) } else { Ok(()) }
}

/// Returns whether this is a mail address at a named host. All forms, the OpenID sign-in and the catalog's constraint use the same rule:
/// one `@`, no whitespace, and no quotes. Quotes are valid, but no mailbox here needs them.
pub fn is_address(text: &str) -> bool {
    let is_named = |parsed: Address| {
        let host = parsed.domain();
        host.contains('.') && !host.starts_with('[') && host.parse::<std::net::IpAddr>().is_err()
    };
    text.len() <= MAX_ADDRESS
        && text.matches('@').count() == 1
        && !text.contains(|c: char| c == '"' || c == '\\' || c.is_whitespace() || c.is_control())
        && text.parse::<Address>().is_ok_and(is_named)
}

/// Checks a mail address in the form field `eml`. Fails with `required` or `eml_invalid`.
pub fn email(address: &str) -> Result<(), FieldError> {
    match address {
        "" => wrong("eml", "required", None),
        _ if is_address(address) => Ok(()),
        _ => wrong("eml", "eml_invalid", None),
    }
}

/// Checks a new password in the form field `pwd`. Fails with `required`, `min_length` or `max_length`.
pub fn password(password: &str, accounts: &Accounts) -> Result<(), FieldError> {
    let length = password.chars().count();
    if password.is_empty() {
        wrong("pwd", "required", None)
    } else if length < accounts.password_min {
        wrong("pwd", "min_length", Some(accounts.password_min))
    } else if length > accounts.password_max {
        wrong("pwd", "max_length", Some(accounts.password_max))
    } else {
        Ok(())
    }
}

/// Collects the results of all fields, in form order. Fails with 422 and every invalid field.
pub fn all<const N: usize>(checked: [Result<(), FieldError>; N]) -> Result<(), lantern_errors::ApiError> {
    let wrong: Vec<FieldError> = checked.into_iter().filter_map(Result::err).collect();
    if wrong.is_empty() { Ok(()) } else { Err(lantern_errors::ApiError::Fields(wrong)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn username_matches_catalog_constraint() {
        for name in ["abc", "A-b_9", &"x".repeat(20)] {
            assert!(username(name).is_ok(), "{name}");
        }
        for (name, code) in [
            ("", "required"),
            ("ab", "min_length"),
            (&*"x".repeat(21), "max_length"),
            ("a b", "bad_symbols"),
            ("a@b", "bad_symbols"),
            ("Мика", "bad_symbols"),
            ("ab\n", "bad_symbols"),
        ] {
            assert_eq!(username(name).unwrap_err().code, code, "{name}");
        }
    }

    #[test]
    fn email_requires_a_named_host() {
        for address in ["a@b.example", "a.b+c@mail.b.example", "ü@münchen.example"] {
            assert!(email(address).is_ok(), "{address}");
        }
        let long = format!("{}@b.example", "x".repeat(250));
        for address in [
            "a",
            "@",
            "a@",
            "a@b",
            "@b.example",
            "a b@c.example",
            "a@b@c.example",
            "a@[127.0.0.1]",
            "a@192.0.2.1",
            "a@b.example\n",
            "\"a@b\"@c.example",
            "\"a\"@c.example",
            "a\u{a0}b@c.example",
            &long,
        ] {
            assert_eq!(email(address).unwrap_err().code, "eml_invalid", "{address}");
        }
        assert_eq!(email("").unwrap_err().code, "required");
    }

    #[test]
    fn password_length_counts_characters() {
        let accounts = lantern_config::Config::default().accounts;
        assert!(password("日本語日本", &accounts).is_ok());
        assert_eq!(password("日本語日", &accounts).unwrap_err().bound, Some(5));
        assert_eq!(password(&"x".repeat(129), &accounts).unwrap_err().code, "max_length");
    }
}
