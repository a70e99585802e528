//! Log of the changes that one process knows of, from which its caches are invalidated.

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

/// Number of changed objects kept in the log. A reader that is further behind must treat everything as changed.
const LOG_CAPACITY: usize = MOST_NAMED;
/// Delay before listening again after a failure.
const RELISTEN_DELAY: Duration = Duration::from_secs(1);

/// The changes that one process knows of. Clones share the log.
#[derive(Clone)]
pub struct Changes(Arc<Inner>);

struct Inner {
    node: Uuid,
    generation: AtomicU64,
    log: RwLock<Log>,
    /// Number of objects logged so far, which can be read without the lock.
    end: AtomicU64,
}

#[derive(Default)]
struct Log {
    /// Number of the first object still in the log.
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
    /// Id of this process in change notifications.
    #[must_use]
    pub fn node(&self) -> Uuid {
        self.0.node
    }

    /// Counter of index changes. The same number means the same index.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.0.generation.load(Ordering::Acquire)
    }

    /// Returns the current end of the log of changed objects.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.0.end.load(Ordering::Acquire)
    }

    /// Appends a change to the log.
    pub fn note(&self, change: &Change) {
        let mut log = self.0.log.write().unwrap_or_else(PoisonError::into_inner);
        match change {
            Change::Objects(objects) => {
                log.objects.extend(objects);
                let surplus = log.objects.len().saturating_sub(LOG_CAPACITY);
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

    /// Returns the current end of the log if none of `objects` (sorted) has changed since position `seen`.
    #[must_use]
    pub fn unchanged(&self, seen: u64, objects: &[Object]) -> Option<u64> {
        let log = self.0.log.read().unwrap_or_else(PoisonError::into_inner);
        let known = usize::try_from(seen.checked_sub(log.start)?).ok()?;
        let news = log.objects.range(known.min(log.objects.len())..);
        let changed = news.into_iter().any(|object| objects.binary_search(object).is_ok());
        (!changed).then_some(log.start + log.objects.len() as u64)
    }

    /// Returns whether one of `objects` (sorted) is in the log after `seen`. `true` means that it certainly changed,
    /// whereas [`Changes::unchanged`] may return `None` just because the log no longer goes back far enough.
    #[must_use]
    pub fn named(&self, seen: u64, objects: &[Object]) -> bool {
        let log = self.0.log.read().unwrap_or_else(PoisonError::into_inner);
        let known = usize::try_from(seen.saturating_sub(log.start)).unwrap_or(usize::MAX).min(log.objects.len());
        log.objects.range(known..).any(|object| objects.binary_search(object).is_ok())
    }

    /// Records notifications from other processes until canceled.
    pub async fn follow(&self, pool: &PgPool, stop: CancellationToken) {
        let listen = async {
            loop {
                if let Err(error) = self.listen(pool).await {
                    tracing::warn!(%error, "can't listen for changes of other processes; invalidating all caches");
                }
                self.note(&Change::Everything);
                tokio::time::sleep(RELISTEN_DELAY).await;
            }
        };
        tokio::select! {
            () = stop.cancelled() => {}
            () = listen => {}
        }
    }

    async fn listen(&self, pool: &PgPool) -> Result<()> {
        let mut listener = Listener::start(pool, self.node()).await?;
        // Anything cached before the process started listening may have missed a change.
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
    fn only_changes_since_the_position_count() {
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
    fn named_changes_differ_from_unknown_ones() {
        let changes = Changes::default();
        let seen = changes.end();
        changes.note(&Change::Objects(vec![video(1)]));
        assert!(changes.named(seen, &[video(1)]) && !changes.named(seen, &[video(2)]));
        assert!(!changes.named(changes.end(), &[video(1)]), "before the position");
        changes.note(&Change::Everything);
        assert!(!changes.named(seen, &[video(1)]), "no longer in the log");
        changes.note(&Change::Objects(vec![video(2)]));
        assert!(changes.named(seen, &[video(2)]));
    }

    #[test]
    fn everything_and_log_overflow_invalidate_all() {
        let changes = Changes::default();
        let seen = changes.end();
        changes.note(&Change::Everything);
        assert_eq!(changes.unchanged(seen, &[]), None);
        let seen = changes.end();
        assert_eq!(changes.unchanged(seen, &[video(1)]), Some(seen));
        changes.note(&Change::Objects((0..=LOG_CAPACITY as i64).map(video).collect()));
        assert_eq!(changes.unchanged(seen, &[video(-1)]), None);
        assert!(changes.unchanged(seen + 1, &[video(-1)]).is_some());
    }
}
