//! Ids of requests: UUIDs of version 7 whose random part is a count (RFC 9562, section 6.2), because asking the kernel for
//! randomness takes longer than answering from memory.

use std::{
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use uuid::{Builder, Uuid};

/// Keeps nodes and restarts apart.
static PROCESS: LazyLock<[u8; 5]> = LazyLock::new(|| {
    let [a, b, c, d, e, ..] = Uuid::new_v4().into_bytes();
    [a, b, c, d, e]
});
static COUNT: AtomicU64 = AtomicU64::new(0);

/// A new id, different from all others.
pub fn next() -> Uuid {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
    let [_, _, _, count @ ..] = COUNT.fetch_add(1, Ordering::Relaxed).to_be_bytes();
    let mut rest = [0; 10];
    rest[..5].copy_from_slice(&*PROCESS);
    rest[5..].copy_from_slice(&count);
    Builder::from_unix_timestamp_millis(millis, &rest).into_uuid()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_are_the_same() {
        let ids: HashSet<Uuid> = (0..100_000).map(|_| next()).collect();
        assert_eq!(ids.len(), 100_000);
        assert!(ids.iter().all(|id| id.get_version_num() == 7));
    }
}
