//! Result of a search.

use std::collections::BTreeMap;

use lantern_config::Lang;

use super::{groups::Groups, relax::Relaxation};
use crate::index::{Found, VideoDoc};

/// Result of a search.
#[derive(Default)]
pub struct Outcome {
    /// Results page to show.
    pub found: Found<VideoDoc>,
    /// Number of videos that match the whole search.
    pub hits: usize,
    /// Queries whose results are shown.
    pub shown: Vec<String>,
    /// Words to highlight in titles of each language.
    pub words: BTreeMap<Lang, String>,
    /// Relaxations that found something.
    pub relaxed: Vec<Relaxation>,
    /// Relaxations that found nothing.
    pub tried: Vec<Relaxation>,
    /// A better known spelling with more hits.
    pub did_you_mean: Option<String>,
    /// Matching groups, only on the first page.
    pub groups: Option<Groups>,
    /// Videos that match fewer words, only below a first page with few results.
    pub partial: Option<Partial>,
}

/// Videos that match all words but one.
pub struct Partial {
    /// The best videos.
    pub videos: Vec<VideoDoc>,
    /// The words that they match: each choice with videos.
    pub shown: Vec<String>,
}

impl Outcome {
    /// Shows these results instead. The time spent in the engine adds up.
    pub fn show(&mut self, found: Found<VideoDoc>) {
        self.found = Found { took: self.found.took + found.took, ..found };
    }
}
