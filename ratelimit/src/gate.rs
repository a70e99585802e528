//! One action's limiter, wherever it counts.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use lantern_catalog::limits::Slot;
use lantern_config::Policy;
use sqlx::PgPool;

use crate::{
    action::Action,
    clock::TimeSource,
    commit::Commit,
    key::Key,
    local::Local,
    refused::{Refused, StoreError},
    rule::Rule,
    shared::Shared,
};

/// The limiter of one action, with what it counted since the start.
pub(crate) struct Gate {
    action: Action,
    local: Local,
    /// Set where all nodes count together.
    shared: Option<Shared>,
    commit: Arc<Commit>,
    /// Exact counts are on the disk before the answer.
    durable: bool,
    exempt_loopback: bool,
    accepted: AtomicU64,
    refused: AtomicU64,
}

/// What an attempt took, for the case that it is given back.
pub(crate) enum Mark {
    Local(u64),
    Shared(Slot),
}

/// What was counted for an action since the start, and how many keys are remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    /// The action.
    pub action: Action,
    /// Attempts let through by this node.
    pub accepted: u64,
    /// Attempts refused by this node.
    pub refused: u64,
    /// Keys remembered; in the shared store as of the last sweep.
    pub tracked: usize,
}

impl Gate {
    /// # Errors
    /// When the store can't be read.
    pub fn open(
        action: Action,
        policy: &Policy,
        db: &sled::Db,
        commit: &Arc<Commit>,
        time: &Arc<dyn TimeSource>,
        pool: Option<&PgPool>,
    ) -> sled::Result<Self> {
        let rule = Rule::new(policy);
        let pool = pool.filter(|_| !action.is_read());
        Ok(Self {
            action,
            local: Local::new(db.open_tree(action.as_str())?, rule, time)?,
            shared: pool.map(|pool| Shared::new(pool.clone(), action, rule)),
            commit: Arc::clone(commit),
            durable: matches!(policy, Policy::Exact(_)),
            exempt_loopback: policy.exempts_loopback(),
            accepted: AtomicU64::new(0),
            refused: AtomicU64::new(0),
        })
    }

    /// Counts on this node, in memory. `None` when `key` is not counted at all.
    pub fn take_here(&self, key: &Key) -> Result<Option<u64>, Refused> {
        if self.exempts(key) {
            return Ok(None);
        }
        let answer = self.local.take(key);
        self.count(answer.is_ok());
        answer.map(Some)
    }

    /// Counts where this action is counted, durably. `None` when `key` is not counted at all.
    pub async fn take(&self, key: &Key) -> Result<Option<Mark>, Refused> {
        if let Some(shared) = &self.shared {
            if self.exempts(key) {
                return Ok(None);
            }
            let answer = shared.take(key).await;
            self.count(answer.is_ok());
            return answer.map(|slot| Some(Mark::Shared(slot)));
        }
        let moment = self.take_here(key)?;
        if moment.is_some() && self.durable {
            self.commit.wait().await?;
        }
        Ok(moment.map(Mark::Local))
    }

    pub async fn peek(&self, key: &Key) -> Result<(), Refused> {
        match &self.shared {
            _ if self.exempts(key) => Ok(()),
            Some(shared) => shared.peek(key).await,
            None => self.local.peek(key),
        }
    }

    pub async fn give_back(&self, key: &Key, mark: Mark) -> Result<(), StoreError> {
        match (mark, &self.shared) {
            (Mark::Shared(slot), Some(shared)) => shared.give_back(key, slot).await,
            (Mark::Local(moment), _) => {
                self.local.give_back(key, moment)?;
                self.commit.wait().await
            }
            // A mark comes from the gate itself.
            (Mark::Shared(_), None) => Ok(()),
        }
    }

    pub async fn clear(&self, key: &Key) -> Result<(), StoreError> {
        if let Some(shared) = &self.shared {
            return shared.clear(key).await;
        }
        self.local.clear(key)?;
        self.commit.wait().await
    }

    /// Removes this node's keys at rest.
    pub fn sweep_here(&self) -> sled::Result<usize> {
        self.local.sweep()
    }

    pub fn shared(&self) -> Option<&Shared> {
        self.shared.as_ref()
    }

    pub fn action(&self) -> Action {
        self.action
    }

    pub fn figures(&self) -> Figures {
        Figures {
            action: self.action,
            accepted: self.accepted.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
            tracked: self.shared.as_ref().map_or_else(|| self.local.tracked(), Shared::tracked),
        }
    }

    fn count(&self, accepted: bool) {
        let counter = if accepted { &self.accepted } else { &self.refused };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    fn exempts(&self, key: &Key) -> bool {
        self.exempt_loopback && key.is_loopback()
    }
}
