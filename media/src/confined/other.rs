//! Systems other than Linux enforce the limits only.

use super::{Confinement, Sandbox};

/// Restricts no files.
#[expect(clippy::unnecessary_wraps, reason = "same signature as on Linux, where it can fail")]
pub(super) fn confine(_: &Sandbox) -> Option<Confinement> {
    Some(Confinement::default())
}
