//! Members as others see them: one, and the community.

pub mod list;
pub mod show;

use crate::openapi::errors::{Refusal, refusal};

/// There is no such member.
pub const fn no_member() -> Refusal {
    refusal(404, &[("member_not_found", "no such member, or another bucket than theirs")])
}
