//! What came of a search.

use super::{groups::Groups, relax::Relaxation};
use crate::index::{Found, VideoDoc};

/// What came of a search.
#[derive(Default)]
pub struct Outcome {
    /// What is shown.
    pub found: Found<VideoDoc>,
    /// How many videos match the whole search.
    pub hits: usize,
    /// The queries that are shown for.
    pub shown: Vec<String>,
    /// What was given up to find something.
    pub relaxed: Vec<Relaxation>,
    /// What was given up in vain.
    pub tried: Vec<Relaxation>,
    /// A better known spelling that finds more.
    pub did_you_mean: Option<String>,
    /// On the first page.
    pub groups: Option<Groups>,
}
