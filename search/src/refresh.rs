//! Learns words and their meanings, and loads them into the memory of this node.

use std::time::Duration;

use lantern_catalog::schedules::{self, ScheduleName};
use lantern_config::Config;
use lantern_errors::ApiResult;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use super::{
    lexicon::Lexicon,
    meaning::{self, Corpus},
    words,
};

/// Learns the words from titles and their synonyms if this is due, then loads what has been learned.
pub async fn words(pool: &PgPool, config: &Config, lexicon: &Lexicon, stop: &CancellationToken) -> ApiResult<()> {
    let every = Duration::from_secs(config.sync.words_interval);
    let sync = &config.sync;
    let learn = async {
        let mut corpus = Corpus::new(sync.aligned_videos);
        words::learn::learn(pool, sync.known_words, &mut corpus).await?;
        meaning::learn(pool, corpus, sync.known_meanings).await
    };
    schedules::run_if_due(pool, ScheduleName::Words, every, stop, learn).await?;
    lexicon.words.load(pool).await?;
    lexicon.meanings.load(pool).await
}
