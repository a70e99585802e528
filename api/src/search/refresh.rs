//! What this node remembers for searches: words, what they mean, what was opened.

use std::time::Duration;

use lantern_catalog::schedules::Scheduled;
use tokio_util::sync::CancellationToken;

use super::{
    meaning::{self, Corpus},
    words,
};
use crate::{http::ApiResult, schedule, state::AppState};

/// Learns the words of titles, and which of them mean the same, where that is due, and takes over what was learned.
pub async fn words(state: &AppState, stop: &CancellationToken) -> ApiResult<()> {
    let every = Duration::from_secs(state.config.sync.words_interval);
    let sync = &state.config.sync;
    let learn = async {
        let mut corpus = Corpus::new(sync.aligned_videos);
        words::learn::learn(&state.pool, sync.known_words, &mut corpus).await?;
        meaning::learn(&state.pool, corpus, sync.known_meanings).await
    };
    schedule::run_if_due(&state.pool, Scheduled::Words, every, stop, learn).await?;
    state.lexicon.words.load(&state.pool).await?;
    state.lexicon.meanings.load(&state.pool).await
}

/// Takes over what was clicked on since the last time.
pub async fn clicks(state: &AppState) -> ApiResult<()> {
    state.clicks.load(&state.pool, &state.config.search_log).await
}
