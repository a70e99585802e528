//! The product's rate limiter.

use std::{path::Path, sync::Arc};

use lantern_catalog::limits as catalog;
use sqlx::PgPool;

use crate::{
    action::Action,
    clock::{ResumedClock, TimeSource},
    commit::Commit,
    gate::{Gate, Mark, Stores},
    gates::{Figures, Gates},
    key::{ClientKey, Key},
    refusal::{LimitRefusal, RetryAfter, StoreError},
    store::{self, OpenError},
};

/// All rate limits. They are shared by reference, and every method is thread-safe.
pub struct Limits {
    gates: Arc<[Gates]>,
    commit: Arc<Commit>,
    pool: Option<PgPool>,
}

/// A counted attempt, with each gate that it passed. It stays counted unless it is given back.
pub struct Attempt(Vec<(Arc<Gate>, Key, Mark)>);

impl Limits {
    /// Opens or creates the store in the folder `path` and sets up one limiter per action. This node counts alone.
    ///
    /// # Errors
    /// If another process holds the store, or if neither the store nor an empty one can be opened.
    pub fn open(path: &Path, table: &lantern_config::Limits, time: &Arc<dyn TimeSource>) -> Result<Self, OpenError> {
        Self::with(path, table, time, None)
    }

    /// Like [`Limits::open`], but counts everything except reads in Postgres, together with all other nodes that do so. It uses the
    /// database's clock.
    pub fn open_shared(
        path: &Path,
        table: &lantern_config::Limits,
        time: &Arc<dyn TimeSource>,
        pool: PgPool,
    ) -> Result<Self, OpenError> {
        Self::with(path, table, time, Some(pool))
    }

    fn with(
        path: &Path,
        table: &lantern_config::Limits,
        time: &Arc<dyn TimeSource>,
        pool: Option<PgPool>,
    ) -> Result<Self, OpenError> {
        let db = store::open(path, time.as_ref())?;
        let clock = Arc::new(ResumedClock::open(&db, time)?);
        let commit = Arc::new(Commit::new(&db, path, &clock)?);
        let clock: Arc<dyn TimeSource> = clock;
        let stores = Stores { db: &db, commit: &commit, time: &clock, pool: pool.as_ref() };
        let gates = Action::ALL.into_iter().map(|action| Gates::open(action, table, &stores));
        let gates = gates.collect::<sled::Result<_>>()?;
        Ok(Self { gates, commit, pool })
    }

    /// Counts a read by `client` on this node. A rejected read is not counted. If the store fails, reads are let through.
    ///
    /// # Errors
    /// [`RetryAfter`] if the client has exceeded the limit.
    pub fn check(&self, action: Action, client: ClientKey) -> Result<(), RetryAfter> {
        let_through(action, self.take_local(action, &Key::client(&client)))
    }

    /// Like [`Limits::check`], but for a member at any address. The read is not counted if the address is exempt.
    ///
    /// # Errors
    /// [`RetryAfter`] if the member has exceeded the limit.
    pub fn check_member(&self, action: Action, member: i64, client: ClientKey) -> Result<(), RetryAfter> {
        if self.gates(action).own().exempts(&Key::client(&client)) {
            return Ok(());
        }
        let_through(action, self.take_local(action, &Key::member(member)))
    }

    fn take_local(&self, action: Action, key: &Key) -> Result<(), LimitRefusal> {
        let mut passed = Vec::new();
        for (gate, key) in self.gates(action).of(key) {
            match gate.take_local(&key) {
                Ok(Some(moment)) => passed.push((gate, key, moment)),
                // An exempt key is not counted for its networks either.
                Ok(None) => break,
                Err(refused) => {
                    for (gate, key, moment) in passed {
                        gate.give_back_local(&key, moment).map_err(StoreError::from)?;
                    }
                    return Err(refused);
                }
            }
        }
        Ok(())
    }

    /// Checks whether `client` has any allowance for `action` left on this node, without counting anything. If the store fails, requests
    /// are let through.
    ///
    /// # Errors
    /// [`RetryAfter`] if [`Limits::charge`] has used up the allowance.
    pub fn afford(&self, action: Action, client: ClientKey) -> Result<(), RetryAfter> {
        let key = Key::client(&client);
        let_through(action, self.gates(action).of(&key).try_for_each(|(gate, key)| gate.afford_local(&key)))
    }

    /// Counts `units` for `client` on this node, even beyond the allowance, because the cost of a computation is known only once it is
    /// done. `action` must have a GCRA policy.
    pub fn charge(&self, action: Action, client: ClientKey, units: u32) {
        for (gate, key) in self.gates(action).of(&Key::client(&client)) {
            if let Err(error) = gate.charge_local(&key, units) {
                tracing::error!(%error, action = action.as_str(), "rate limit store failed, not charging");
            }
        }
    }

    /// Counts an attempt by `key`. Exact counts are durable when this returns, and other counts within half a second.
    ///
    /// # Errors
    /// [`LimitRefusal::Wait`] with the exact time until the next attempt can pass. A rejected attempt is not counted.
    /// [`LimitRefusal::Store`] if the attempt could not be counted.
    pub async fn take(&self, action: Action, key: &Key) -> Result<Attempt, LimitRefusal> {
        let mut taken = Attempt(Vec::new());
        for (gate, key) in self.gates(action).of(key) {
            match gate.take(&key).await {
                Ok(Some(mark)) => taken.0.push((Arc::clone(gate), key, mark)),
                // An exempt key is not counted for its networks either.
                Ok(None) => break,
                Err(refused) => {
                    taken.give_back().await?;
                    return Err(refused);
                }
            }
        }
        Ok(taken)
    }

    /// Fails like [`Limits::take`] would now, but counts nothing.
    pub async fn peek(&self, action: Action, key: &Key) -> Result<(), LimitRefusal> {
        for (gate, key) in self.gates(action).of(key) {
            gate.peek(&key).await?;
        }
        Ok(())
    }

    /// Resets the count of `key` itself. The counts of its networks remain, because others share them.
    pub async fn clear(&self, action: Action, key: &Key) -> Result<(), StoreError> {
        self.gates(action).own().clear(key).await
    }

    /// Removes idle keys and returns their number. It must be called periodically, because otherwise stored keys accumulate.
    pub async fn sweep(&self) -> Result<usize, StoreError> {
        let gates = Arc::clone(&self.gates);
        let here =
            tokio::task::spawn_blocking(move || gates.iter().flat_map(Gates::all).map(|gate| gate.sweep_local()).sum());
        let here: sled::Result<usize> = here.await.map_err(std::io::Error::other)?;
        let mut removed = here?;
        self.commit.wait().await?;
        if let Some(pool) = &self.pool {
            removed += usize::try_from(catalog::sweep(pool).await?).unwrap_or(usize::MAX);
            let tracked = catalog::tracked(pool).await?;
            for gate in self.gates.iter().flat_map(Gates::all) {
                let Some(shared) = gate.shared() else { continue };
                shared.pull_back().await?;
                let keys = tracked.iter().find(|(name, _)| name == gate.name());
                shared.set_tracked(keys.map_or(0, |(_, keys)| usize::try_from(*keys).unwrap_or(0)));
            }
        }
        Ok(removed)
    }

    /// Returns this node's counters per action.
    pub fn figures(&self) -> impl Iterator<Item = Figures> {
        self.gates.iter().map(Gates::figures)
    }

    /// Flushes to disk for a clean shutdown. (sled itself flushes twice a second.)
    pub async fn flush(&self) -> Result<(), StoreError> {
        self.commit.wait().await
    }

    fn gates(&self, action: Action) -> &Gates {
        &self.gates[action as usize]
    }
}

/// Lets the request through if the store failed.
fn let_through(action: Action, outcome: Result<(), LimitRefusal>) -> Result<(), RetryAfter> {
    match outcome {
        Ok(()) => Ok(()),
        Err(LimitRefusal::Wait(wait)) => Err(wait),
        Err(LimitRefusal::Store(error)) => {
            tracing::error!(%error, action = action.as_str(), "rate limit store failed, letting the request through");
            Ok(())
        }
    }
}

impl Attempt {
    /// Reverts the attempt.
    ///
    /// # Errors
    /// If the store fails. The attempt then stays counted.
    pub async fn give_back(self) -> Result<(), StoreError> {
        for (gate, key, mark) in self.0 {
            gate.give_back(&key, mark).await?;
        }
        Ok(())
    }
}
