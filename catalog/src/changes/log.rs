//! What one process knows to have changed, for caches of what was read.

use std::{
    collections::VecDeque,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use sqlx::PgPool;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{Change, Listener, MOST_NAMED, Object};
use crate::Result;

/// Changed objects that are remembered; a reader that comes later must take everything as changed.
const REMEMBERED: usize = MOST_NAMED;
/// Pause before listening is tried again.
const LISTEN_AGAIN: Duration = Duration::from_secs(1);

/// The changes one process knows of. Clones share them.
#[derive(Clone)]
pub struct Changes(Arc<Inner>);

struct Inner {
    node: Uuid,
    generation: AtomicU64,
    log: RwLock<Log>,
    /// Number of objects ever logged, readable without the lock.
    end: AtomicU64,
}

#[derive(Default)]
struct Log {
    /// Number of the first object still remembered.
    start: u64,
    objects: VecDeque<Object>,
}

impl Default for Changes {
    fn default() -> Self {
        Self(Arc::new(Inner {
            node: Uuid::new_v4(),
            generation: AtomicU64::new(0),
            log: RwLock::default(),
            end: AtomicU64::new(0),
        }))
    }
}

impl Changes {
    /// Who this process is among those that tell each other.
    #[must_use]
    pub fn node(&self) -> Uuid {
        self.0.node
    }

    /// Counts every change of the index; the same number means the same index.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.0.generation.load(Ordering::Acquire)
    }

    /// How far the log of changed objects goes.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.0.end.load(Ordering::Acquire)
    }

    /// Notes a change.
    pub fn note(&self, change: &Change) {
        let mut log = self.0.log.write().unwrap_or_else(PoisonError::into_inner);
        match change {
            Change::Objects(objects) => {
                log.objects.extend(objects);
                let surplus = log.objects.len().saturating_sub(REMEMBERED);
                log.objects.drain(..surplus);
                log.start += surplus as u64;
            }
            Change::Everything => {
                log.start += log.objects.len() as u64 + 1;
                log.objects.clear();
            }
        }
        self.0.end.store(log.start + log.objects.len() as u64, Ordering::Release);
        self.0.generation.fetch_add(1, Ordering::AcqRel);
    }

    /// Whether none of `objects` (sorted) changed since the log ended at `seen`; if so, where it ends now.
    #[must_use]
    pub fn unchanged(&self, seen: u64, objects: &[Object]) -> Option<u64> {
        let log = self.0.log.read().unwrap_or_else(PoisonError::into_inner);
        let known = usize::try_from(seen.checked_sub(log.start)?).ok()?;
        let news = log.objects.range(known.min(log.objects.len())..);
        let changed = news.into_iter().any(|object| objects.binary_search(object).is_ok());
        (!changed).then_some(log.start + log.objects.len() as u64)
    }

    /// Whether one of `objects` (sorted) is named among the changes since the log ended at `seen`, as far as they are remembered:
    /// then it changed for sure, where [`Changes::unchanged`] may say no more than that it is unknown.
    #[must_use]
    pub fn named(&self, seen: u64, objects: &[Object]) -> bool {
        let log = self.0.log.read().unwrap_or_else(PoisonError::into_inner);
        let known = usize::try_from(seen.saturating_sub(log.start)).unwrap_or(usize::MAX).min(log.objects.len());
        log.objects.range(known..).any(|object| objects.binary_search(object).is_ok())
    }

    /// Notes what other processes tell, until cancelled.
    pub async fn follow(&self, pool: &PgPool, stop: CancellationToken) {
        let listen = async {
            loop {
                if let Err(error) = self.listen(pool).await {
                    tracing::warn!(%error, "changes made by other processes can't be heard; everything is read anew");
                }
                self.note(&Change::Everything);
                tokio::time::sleep(LISTEN_AGAIN).await;
            }
        };
        tokio::select! {
            () = stop.cancelled() => {}
            () = listen => {}
        }
    }

    async fn listen(&self, pool: &PgPool) -> Result<()> {
        let mut listener = Listener::start(pool, self.node()).await?;
        // What was read while nobody listened may be older than what nobody heard.
        self.note(&Change::Everything);
        loop {
            self.note(&listener.next().await?);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outbox::Entity;

    fn video(id: i64) -> Object {
        (Entity::Video, id)
    }

    #[test]
    fn only_what_changed_since_counts() {
        let changes = Changes::default();
        changes.note(&Change::Objects(vec![video(1)]));
        let seen = changes.end();
        assert_eq!(changes.unchanged(seen, &[video(1)]), Some(seen));
        changes.note(&Change::Objects(vec![video(2), video(3)]));
        assert_eq!(changes.unchanged(seen, &[video(1), video(4)]), Some(seen + 2));
        assert_eq!(changes.unchanged(seen, &[video(1), video(3)]), None);
        assert_eq!(changes.unchanged(seen, &[]), Some(seen + 2));
        assert_eq!(changes.generation(), 2);
    }

    #[test]
    fn what_is_named_is_told_from_what_is_unknown() {
        let changes = Changes::default();
        let seen = changes.end();
        changes.note(&Change::Objects(vec![video(1)]));
        assert!(changes.named(seen, &[video(1)]) && !changes.named(seen, &[video(2)]));
        assert!(!changes.named(changes.end(), &[video(1)]), "seen already");
        changes.note(&Change::Everything);
        assert!(!changes.named(seen, &[video(1)]), "forgotten");
        changes.note(&Change::Objects(vec![video(2)]));
        assert!(changes.named(seen, &[video(2)]));
    }

    #[test]
    fn everything_and_a_full_log_leave_nothing_unchanged() {
        let changes = Changes::default();
        let seen = changes.end();
        changes.note(&Change::Everything);
        assert_eq!(changes.unchanged(seen, &[]), None);
        let seen = changes.end();
        assert_eq!(changes.unchanged(seen, &[video(1)]), Some(seen));
        changes.note(&Change::Objects((0..=REMEMBERED as i64).map(video).collect()));
        assert_eq!(changes.unchanged(seen, &[video(-1)]), None);
        assert!(changes.unchanged(seen + 1, &[video(-1)]).is_some());
    }
}
