//! Types of search parameters.

use deserr::Deserr;

use crate::http::parameter::Parameter;

/// Which query words a hit may lack.
#[derive(Debug, Clone, Copy, Deserr)]
#[deserr(rename_all = lowercase)]
pub enum Matching {
    Last,
    All,
    Frequency,
}

impl Parameter for Matching {}
