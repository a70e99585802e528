//! Limiter for an action. It limits either the action's keys or the networks of one size, and uses the local or the shared store.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use lantern_catalog::limits::Slot;
use lantern_config::Policy;
use sqlx::PgPool;

use crate::{
    clock::TimeSource,
    commit::Commit,
    key::Key,
    local::Local,
    refusal::{LimitRefusal, StoreError},
    rule::Rule,
    shared::Shared,
};

/// Limiter with counters that start at zero when the process starts.
pub(crate) struct Gate {
    /// Name in the stores.
    name: String,
    local: Local,
    /// This is set if all nodes count together.
    shared: Option<Shared>,
    commit: Arc<Commit>,
    /// Whether attempts are made durable before they are accepted.
    durable: bool,
    exempt_loopback: bool,
    accepted: AtomicU64,
    refused: AtomicU64,
}

pub(crate) struct Stores<'a> {
    pub db: &'a sled::Db,
    pub commit: &'a Arc<Commit>,
    pub time: &'a Arc<dyn TimeSource>,
    /// This is set if all nodes count together.
    pub pool: Option<&'a PgPool>,
}

/// What an attempt wrote, so that it can be reverted.
pub(crate) enum Mark {
    Local(u64),
    Shared(Slot),
}

impl Gate {
    pub fn open(name: String, policy: &Policy, rule: Rule, stores: &Stores<'_>) -> sled::Result<Self> {
        Ok(Self {
            local: Local::new(stores.db.open_tree(&name)?, rule, stores.time)?,
            shared: stores.pool.map(|pool| Shared::new(pool.clone(), name.clone(), rule)),
            commit: Arc::clone(stores.commit),
            // A network's rule has a tolerance even if the network's addresses are counted exactly.
            durable: matches!(policy, Policy::Exact(_)) && rule.tolerance().is_zero(),
            exempt_loopback: policy.exempts_loopback(),
            name,
            accepted: AtomicU64::new(0),
            refused: AtomicU64::new(0),
        })
    }

    /// Counts an attempt on this node, in memory. Returns `None` if `key` is exempt.
    pub fn take_local(&self, key: &Key) -> Result<Option<u64>, LimitRefusal> {
        if self.exempts(key) {
            return Ok(None);
        }
        let answer = self.local.take(key);
        self.count(answer.is_ok());
        answer.map(Some)
    }

    /// Checks whether any allowance is left on this node.
    pub fn afford_local(&self, key: &Key) -> Result<(), LimitRefusal> {
        if self.exempts(key) {
            return Ok(());
        }
        let answer = self.local.peek(key);
        if answer.is_err() {
            self.count(false);
        }
        answer
    }

    /// Counts several units on this node, even beyond the allowance.
    pub fn charge_local(&self, key: &Key, units: u32) -> sled::Result<()> {
        if self.exempts(key) {
            return Ok(());
        }
        self.accepted.fetch_add(units.into(), Ordering::Relaxed);
        self.local.charge(key, units)
    }

    /// Counts an attempt in the action's store, durably if exact. Returns `None` if `key` is exempt.
    pub async fn take(&self, key: &Key) -> Result<Option<Mark>, LimitRefusal> {
        if let Some(shared) = &self.shared {
            if self.exempts(key) {
                return Ok(None);
            }
            let answer = shared.take(key).await;
            self.count(answer.is_ok());
            return answer.map(|slot| Some(Mark::Shared(slot)));
        }
        let moment = self.take_local(key)?;
        if moment.is_some() && self.durable {
            self.commit.wait().await?;
        }
        Ok(moment.map(Mark::Local))
    }

    pub async fn peek(&self, key: &Key) -> Result<(), LimitRefusal> {
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
            // This is unreachable, because marks come from this gate.
            (Mark::Shared(_), None) => Ok(()),
        }
    }

    /// Reverts [`Gate::take_local`]. This becomes durable within half a second.
    pub fn give_back_local(&self, key: &Key, moment: u64) -> sled::Result<()> {
        self.local.give_back(key, moment)
    }

    pub async fn clear(&self, key: &Key) -> Result<(), StoreError> {
        if let Some(shared) = &self.shared {
            return shared.clear(key).await;
        }
        self.local.clear(key)?;
        self.commit.wait().await
    }

    /// Removes idle keys of this node.
    pub fn sweep_local(&self) -> sled::Result<usize> {
        self.local.sweep()
    }

    pub fn shared(&self) -> Option<&Shared> {
        self.shared.as_ref()
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of attempts that this node has accepted, or of units if the action is charged in units.
    pub fn accepted(&self) -> u64 {
        self.accepted.load(Ordering::Relaxed)
    }

    /// Number of attempts that this node has rejected.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Number of stored keys. For the shared store, it is the number at the last sweep.
    pub fn tracked(&self) -> usize {
        self.shared.as_ref().map_or_else(|| self.local.tracked(), Shared::tracked)
    }

    fn count(&self, accepted: bool) {
        let counter = if accepted { &self.accepted } else { &self.refused };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether this key is exempt.
    pub fn exempts(&self, key: &Key) -> bool {
        self.exempt_loopback && key.is_loopback()
    }
}
