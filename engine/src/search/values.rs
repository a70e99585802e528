//! Values only searches take.

use deserr::Deserr;

use crate::http::parameter::Parameter;

/// Which words of a query may be missing from a hit.
#[derive(Debug, Clone, Copy, Deserr)]
#[deserr(rename_all = lowercase)]
pub enum Matching {
    Last,
    All,
    Frequency,
}

impl Parameter for Matching {}
