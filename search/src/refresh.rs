//! Learns words and their meanings, and loads them into the memory of this node.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

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

/// Minimum ratio between the interval of learning and its duration, so that a small catalog learns new words within minutes and a large one
/// is not read all the time.
const INTERVAL_PER_DURATION: u32 = 50;

/// How long learning last took on this node.
#[derive(Default)]
pub struct LearningTime(AtomicU64);

impl LearningTime {
    fn set(&self, duration: Duration) {
        self.0.store(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Returns the time from one learning to the next, at most `most`.
    fn interval(&self, most: Duration) -> Duration {
        Duration::from_millis(self.0.load(Ordering::Relaxed)).saturating_mul(INTERVAL_PER_DURATION).min(most)
    }
}

/// Learns the words from titles and their synonyms if this is due, then loads what has been learned.
pub async fn words(pool: &PgPool, config: &Config, lexicon: &Lexicon, stop: &CancellationToken) -> ApiResult<()> {
    let every = lexicon.learning_time.interval(Duration::from_secs(config.sync.words_interval));
    let sync = &config.sync;
    let learn = async {
        let (begun, mut corpus) = (Instant::now(), Corpus::new(sync.aligned_videos));
        words::learn::learn(pool, sync.known_words, &mut corpus).await?;
        meaning::learn(pool, corpus, sync.known_meanings).await?;
        lexicon.learning_time.set(begun.elapsed());
        ApiResult::Ok(())
    };
    schedules::run_if_due(pool, ScheduleName::Words, every, stop, learn).await?;
    load(pool, config, lexicon).await
}

/// Loads what has been learned, if that has changed since the last call.
///
/// # Errors
///
/// Fails if the catalog doesn't respond.
pub async fn load(pool: &PgPool, config: &Config, lexicon: &Lexicon) -> ApiResult<()> {
    lexicon.words.load(pool, config.sync.known_words).await?;
    lexicon.meanings.load(pool).await
}
