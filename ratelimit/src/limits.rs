//! The questions the product asks.

use std::{path::Path, sync::Arc};

use lantern_catalog::limits as catalog;
use sqlx::PgPool;

use crate::{
    action::Action,
    clock::{ResumedClock, TimeSource},
    commit::Commit,
    gate::{Figures, Gate, Mark},
    key::{ClientKey, Key},
    refused::{Refused, RetryAfter, StoreError},
    store::{self, OpenError},
};

/// All limits of the product. Shared by reference; every method is thread-safe.
pub struct Limits {
    gates: Vec<Arc<Gate>>,
    commit: Arc<Commit>,
    pool: Option<PgPool>,
}

/// An attempt that was counted. It stays counted unless it is given back.
pub struct Taken(Option<(Arc<Gate>, Key, Mark)>);

impl Limits {
    /// Opens (or creates) the store in the folder `path` and sets up one limiter per action. Everything is counted by
    /// this node alone.
    ///
    /// # Errors
    /// When another process holds the store, or neither it nor an empty one can be opened.
    pub fn open(path: &Path, table: &lantern_config::Limits, time: &Arc<dyn TimeSource>) -> Result<Self, OpenError> {
        Self::with(path, table, time, None)
    }

    /// As [`Limits::open`], but everything except reads is counted in Postgres, together with all other nodes that do
    /// so, and on its clock.
    ///
    /// # Errors
    /// As [`Limits::open`].
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
        let gate = |action: Action| Gate::open(action, action.policy(table), &db, &commit, &clock, pool.as_ref());
        let gates = Action::ALL.into_iter().map(|action| gate(action).map(Arc::new)).collect::<Result<_, _>>()?;
        Ok(Self { gates, commit, pool })
    }

    /// Counts one read of `client` on this node, or says how long it has to wait (then nothing is counted). A read that
    /// can't be counted is let through.
    ///
    /// # Errors
    /// [`RetryAfter`] when the client did it too often.
    pub fn check(&self, action: Action, client: ClientKey) -> Result<(), RetryAfter> {
        match self.gate(action).take_here(&Key::client(&client)) {
            Ok(_) => Ok(()),
            Err(Refused::Wait(wait)) => Err(wait),
            Err(Refused::Store(error)) => {
                tracing::error!(%error, action = action.as_str(), "limits store failed, letting the request through");
                Ok(())
            }
        }
    }

    /// Counts one attempt of `key`. An exact count is durable before the answer; others follow within half a second.
    ///
    /// # Errors
    /// [`Refused::Wait`] with the exact time until the next attempt passes, when nothing is counted;
    /// [`Refused::Store`] when it could not be counted.
    pub async fn take(&self, action: Action, key: &Key) -> Result<Taken, Refused> {
        let gate = self.gate(action);
        let mark = gate.take(key).await?;
        Ok(Taken(mark.map(|mark| (Arc::clone(gate), *key, mark))))
    }

    /// Whether [`Limits::take`] would be refused now; counts nothing.
    ///
    /// # Errors
    /// As [`Limits::take`].
    pub async fn peek(&self, action: Action, key: &Key) -> Result<(), Refused> {
        self.gate(action).peek(key).await
    }

    /// Forgets what was counted of `key`.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn clear(&self, action: Action, key: &Key) -> Result<(), StoreError> {
        self.gate(action).clear(key).await
    }

    /// Removes what is at rest and says how much it was; to be called now and then, or addresses pile up for ever.
    ///
    /// # Errors
    /// When a store can't be read.
    pub async fn sweep(&self) -> Result<usize, StoreError> {
        let gates = self.gates.clone();
        let here = tokio::task::spawn_blocking(move || gates.iter().map(|gate| gate.sweep_here()).sum());
        let here: sled::Result<usize> = here.await.map_err(std::io::Error::other)?;
        let mut removed = here?;
        self.commit.wait().await?;
        if let Some(pool) = &self.pool {
            removed += usize::try_from(catalog::sweep(pool).await?).unwrap_or(usize::MAX);
            let tracked = catalog::tracked(pool).await?;
            for gate in &self.gates {
                let Some(shared) = gate.shared() else { continue };
                shared.pull_back().await?;
                let keys = tracked.iter().find(|(action, _)| action == gate.action().as_str());
                shared.set_tracked(keys.map_or(0, |(_, keys)| usize::try_from(*keys).unwrap_or(0)));
            }
        }
        Ok(removed)
    }

    /// What this node counted, for each action.
    pub fn figures(&self) -> impl Iterator<Item = Figures> {
        self.gates.iter().map(|gate| gate.figures())
    }

    /// Writes everything to disk; for a clean stop. (sled does it by itself twice a second.)
    ///
    /// # Errors
    /// When the disk refuses.
    pub async fn flush(&self) -> Result<(), StoreError> {
        self.commit.wait().await
    }

    fn gate(&self, action: Action) -> &Arc<Gate> {
        &self.gates[action as usize]
    }
}

impl Taken {
    /// The attempt did not count after all.
    ///
    /// # Errors
    /// When the store fails; it stays counted then.
    pub async fn give_back(self) -> Result<(), StoreError> {
        let Some((gate, key, mark)) = self.0 else { return Ok(()) };
        gate.give_back(&key, mark).await
    }
}
