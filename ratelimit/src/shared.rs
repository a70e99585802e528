//! Site-wide counting, which applies the same rule to slots in Postgres, using the database's clock.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use lantern_catalog::limits::{self, KeyRule, Slot};
use sqlx::PgPool;

use crate::{
    key::Key,
    refusal::{LimitRefusal, RetryAfter, StoreError},
    rule::Rule,
};

pub(crate) struct Shared {
    pool: PgPool,
    name: String,
    rule: Rule,
    tracked: AtomicUsize,
}

impl Shared {
    pub fn new(pool: PgPool, name: String, rule: Rule) -> Self {
        Self { pool, name, rule, tracked: AtomicUsize::new(0) }
    }

    pub async fn take(&self, key: &Key) -> Result<Slot, LimitRefusal> {
        let taken = limits::take(&self.pool, &self.counted(key)).await.map_err(StoreError::from)?;
        taken.map_err(|wait| LimitRefusal::Wait(RetryAfter(wait)))
    }

    pub async fn peek(&self, key: &Key) -> Result<(), LimitRefusal> {
        match limits::wait(&self.pool, &self.counted(key)).await.map_err(StoreError::from)? {
            Duration::ZERO => Ok(()),
            wait => Err(LimitRefusal::Wait(RetryAfter(wait))),
        }
    }

    pub async fn give_back(&self, key: &Key, slot: Slot) -> Result<(), StoreError> {
        Ok(limits::give_back(&self.pool, &self.counted(key), slot).await?)
    }

    pub async fn clear(&self, key: &Key) -> Result<(), StoreError> {
        Ok(limits::clear(&self.pool, &self.name, key.as_ref()).await?)
    }

    /// Pulls back timestamps written before the server's clock was set back.
    pub async fn pull_back(&self) -> Result<(), StoreError> {
        Ok(limits::pull_back(&self.pool, &self.name, self.rule.horizon()).await?)
    }

    pub fn tracked(&self) -> usize {
        self.tracked.load(Ordering::Relaxed)
    }

    pub fn set_tracked(&self, keys: usize) {
        self.tracked.store(keys, Ordering::Relaxed);
    }

    fn counted<'a>(&'a self, key: &'a Key) -> KeyRule<'a> {
        KeyRule {
            action: &self.name,
            key: key.as_ref(),
            slots: self.rule.cells,
            interval: self.rule.interval,
            tolerance: self.rule.tolerance(),
        }
    }
}
