//! Systems other than Linux, which enforce only the limits.

use super::{Confinement, Sandbox};

/// Does nothing, because files cannot be restricted here.
#[expect(clippy::unnecessary_wraps, reason = "same signature as on Linux, where it can fail")]
pub(super) fn confine(_: &Sandbox) -> Option<Confinement> {
    Some(Confinement::default())
}
