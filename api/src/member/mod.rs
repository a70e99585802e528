//! Public profiles of members, and lists of members.

pub mod list;
pub mod show;

use lantern_http::openapi::{Refusal, refusal};

/// Error code for a member that doesn't exist, and its explanation.
pub(crate) const NO_MEMBER: (&str, &str) = ("member_not_found", "no such member, or the wrong bucket");

/// Returns the refusal for a member that doesn't exist.
pub(crate) const fn no_member() -> Refusal {
    refusal(404, &[NO_MEMBER])
}
