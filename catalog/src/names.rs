//! Normalized usernames and e-mail addresses, for comparison.

/// Normalized form of a username or e-mail address: ASCII letters in lower case, everything else unchanged. Lookups,
/// unique indexes (`name_key` in the database) and rate limits use it, so any spelling that finds an account counts as
/// that account.
///
/// Other letters are not folded: `ß` and `ss`, or `İ` and `i`, can be two people's mailboxes, and an account must never
/// be found by another person's address.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NameKey(String);

impl NameKey {
    /// Normalizes typed input.
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
