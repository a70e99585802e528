//! Other systems than Linux have the limits alone.

use super::{Cell, Confinement};

/// Opens what its user may.
#[expect(clippy::unnecessary_wraps, reason = "as on Linux, which may refuse")]
pub(super) fn confine(_: &Cell) -> Option<Confinement> {
    Some(Confinement::default())
}
