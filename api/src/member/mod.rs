//! Members as others see them: one, and the community.

pub mod list;
pub mod show;

use lantern_http::openapi::{Refusal, refusal};

/// Why there is no member.
pub const NO_MEMBER: (&str, &str) = ("member_not_found", "no such member, or another bucket than theirs");

/// There is no such member.
pub const fn no_member() -> Refusal {
    refusal(404, &[NO_MEMBER])
}
