//! The questions the product asks.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use lantern_config::Policy;

use crate::{
    action::Action,
    clock::TimeSource,
    commit::Commit,
    key::{ClientKey, Key},
    local::Local,
    refused::{Refused, RetryAfter, StoreError},
    rule::Rule,
    store::{self, OpenError},
};

/// All limits of the product. Shared by reference; every method is thread-safe.
pub struct Limits {
    db: sled::Db,
    commit: Arc<Commit>,
    gates: Vec<Arc<Gate>>,
}

/// One action's limiter.
pub(crate) struct Gate {
    local: Local,
    exact: bool,
    exempt_loopback: bool,
    accepted: AtomicU64,
    refused: AtomicU64,
}

/// What was counted for an action since the start, and how many keys are remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    /// The action.
    pub action: Action,
    /// Attempts let through.
    pub accepted: u64,
    /// Attempts refused.
    pub refused: u64,
    /// Keys remembered.
    pub tracked: usize,
}

/// An attempt that was counted. It stays counted unless it is given back.
pub struct Taken(Option<Held>);

struct Held {
    gate: Arc<Gate>,
    commit: Arc<Commit>,
    key: Key,
    moment: u64,
}

impl Limits {
    /// Opens (or creates) the store in the folder `path` and sets up one limiter per action.
    ///
    /// # Errors
    /// When another process holds the store, or neither it nor an empty one can be opened.
    pub fn open(path: &Path, table: &lantern_config::Limits, time: &Arc<dyn TimeSource>) -> Result<Self, OpenError> {
        let db = store::open(path, time.as_ref())?;
        let commit = Arc::new(Commit::new(&db, path)?);
        let mut gates = Vec::with_capacity(Action::ALL.len());
        for action in Action::ALL {
            let policy = action.policy(table);
            let local = Local::new(db.open_tree(action.as_str())?, Rule::new(policy), time)?;
            gates.push(Arc::new(Gate {
                local,
                exact: matches!(policy, Policy::Exact(_)),
                exempt_loopback: policy.exempts_loopback(),
                accepted: AtomicU64::new(0),
                refused: AtomicU64::new(0),
            }));
        }
        Ok(Self { db, commit, gates })
    }

    /// Counts one read of `client` on this node, or says how long it has to wait (then nothing is counted). A read that
    /// can't be counted is let through.
    ///
    /// # Errors
    /// [`RetryAfter`] when the client did it too often.
    pub fn check(&self, action: Action, client: ClientKey) -> Result<(), RetryAfter> {
        let gate = self.gate(action);
        match gate.take(&Key::client(&client)) {
            Ok(_) => Ok(()),
            Err(Refused::Wait(wait)) => Err(wait),
            Err(Refused::Store(error)) => {
                tracing::error!(%error, action = action.as_str(), "limits store failed, letting the request through");
                Ok(())
            }
        }
    }

    /// Counts one attempt of `key`. An exact count is on the disk before the answer; others follow within half a second.
    ///
    /// # Errors
    /// [`Refused::Wait`] with the exact time until the next attempt passes, when nothing is counted;
    /// [`Refused::Store`] when it could not be counted.
    pub async fn take(&self, action: Action, key: &Key) -> Result<Taken, Refused> {
        let gate = self.gate(action);
        let Some(moment) = gate.take(key)? else { return Ok(Taken(None)) };
        if gate.exact {
            self.commit.wait().await?;
        }
        let (gate, commit) = (Arc::clone(gate), Arc::clone(&self.commit));
        Ok(Taken(Some(Held { gate, commit, key: *key, moment })))
    }

    /// Whether [`Limits::take`] would be refused now; counts nothing.
    ///
    /// # Errors
    /// As [`Limits::take`].
    pub async fn peek(&self, action: Action, key: &Key) -> Result<(), Refused> {
        let gate = self.gate(action);
        if gate.exempts(key) {
            return Ok(());
        }
        gate.local.peek(key)
    }

    /// Forgets what was counted of `key`.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn clear(&self, action: Action, key: &Key) -> Result<(), StoreError> {
        self.gate(action).local.clear(key)?;
        self.commit.wait().await
    }

    /// Removes keys at rest and says how many; to be called now and then, or addresses pile up for ever.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn sweep(&self) -> Result<usize, StoreError> {
        let gates = self.gates.clone();
        let swept = tokio::task::spawn_blocking(move || gates.iter().map(|gate| gate.local.sweep()).sum());
        let removed: sled::Result<usize> = swept.await.map_err(std::io::Error::other)?;
        Ok(removed?)
    }

    /// What was counted, for each action.
    pub fn figures(&self) -> impl Iterator<Item = Figures> {
        Action::ALL.into_iter().map(|action| {
            let gate = self.gate(action);
            Figures {
                action,
                accepted: gate.accepted.load(Ordering::Relaxed),
                refused: gate.refused.load(Ordering::Relaxed),
                tracked: gate.local.tracked(),
            }
        })
    }

    /// Writes everything to disk; for a clean stop. (sled does it by itself twice a second.)
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.db.flush()?;
        Ok(())
    }

    fn gate(&self, action: Action) -> &Arc<Gate> {
        &self.gates[action as usize]
    }
}

impl Gate {
    /// `None` when `key` is not counted.
    fn take(&self, key: &Key) -> Result<Option<u64>, Refused> {
        if self.exempts(key) {
            return Ok(None);
        }
        let answer = self.local.take(key);
        let counter = if answer.is_ok() { &self.accepted } else { &self.refused };
        counter.fetch_add(1, Ordering::Relaxed);
        answer.map(Some)
    }

    fn exempts(&self, key: &Key) -> bool {
        self.exempt_loopback && key.is_loopback()
    }
}

impl Taken {
    /// The attempt did not count after all.
    ///
    /// # Errors
    /// When the store fails; it stays counted then.
    pub async fn give_back(self) -> Result<(), StoreError> {
        let Some(held) = self.0 else { return Ok(()) };
        held.gate.local.give_back(&held.key, held.moment)?;
        held.commit.wait().await
    }
}
