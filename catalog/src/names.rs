//! Names and mail addresses as they are compared.

/// The one form of a name or a mail address: ASCII letters are small, everything else is as it was typed. Look-ups, the unique
/// indexes (`name_key` in the catalog) and limits go by it, so whatever finds an account is counted as that account.
///
/// No other letters are folded: `ß` and `ss`, or `İ` and `i`, can be two people's mailboxes, and an account must never be found
/// by somebody else's.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NameKey(String);

impl NameKey {
    /// The form of what was typed.
    #[must_use]
    pub fn of(typed: &str) -> Self {
        Self(typed.to_ascii_lowercase())
    }

    /// As it is stored and counted.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
