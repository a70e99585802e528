//! Buffer of page views that have yet to be written.

use std::{
    collections::HashMap,
    mem,
    sync::{Mutex, PoisonError},
};

use lantern_catalog::page_views::{self, Count};
use sqlx::PgPool;

use lantern_errors::ApiResult;

/// Counts that have yet to be written. There are few campaigns and screens, so the buffer needs no bound.
#[derive(Default)]
pub struct PageViews(Mutex<HashMap<(String, &'static str), [i64; 3]>>);

impl PageViews {
    /// Adds one page view. `what` contains whether it is a view, an entry and a step.
    pub fn add(&self, campaign: &str, screen: &'static str, what: [bool; 3]) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = waiting.entry((campaign.to_owned(), screen)).or_default();
        for (count, is) in counts.iter_mut().zip(what) {
            *count += i64::from(is);
        }
    }

    /// Writes the buffered counts. If this fails, they stay buffered.
    pub async fn flush(&self, pool: &PgPool) -> ApiResult<()> {
        let waiting = mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        if waiting.is_empty() {
            return Ok(());
        }
        let counts: Vec<Count> = waiting
            .iter()
            .map(|((campaign, screen), [views, entries, steps])| Count {
                campaign: campaign.clone(),
                screen: (*screen).to_owned(),
                views: *views,
                entries: *entries,
                steps: *steps,
            })
            .collect();
        if let Err(error) = page_views::record(pool, &counts).await {
            let mut newer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            for (key, counts) in waiting {
                let sums = newer.entry(key).or_default();
                sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
            return Err(error.into());
        }
        Ok(())
    }
}
