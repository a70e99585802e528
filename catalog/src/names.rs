//! Normalized usernames and e-mail addresses, for comparison.

/// Normalized form of a username or e-mail address. ASCII letters are in lower case, and everything else is unchanged.
/// Lookups, unique indexes (`name_key` in the database) and rate limits use this form, so any spelling that finds an
/// account is counted for that account.
///
/// Other letters are not folded: addresses with `ß` and `ss`, or with `İ` and `i`, can belong to two people, and an
/// account must never be found by another person's address.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NameKey(String);

impl NameKey {
    /// Normalizes what a person typed.
    #[must_use]
    pub fn of(typed: &str) -> Self {
        Self(typed.to_ascii_lowercase())
    }

    /// Returns the form that is stored and compared.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
