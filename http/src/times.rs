//! Times in responses.

use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// Formats a time as RFC 3339, without fractions of a second.
#[must_use]
pub fn rfc3339(at: OffsetDateTime) -> String {
    at.truncate_to_second().format(&Rfc3339).unwrap_or_default()
}
