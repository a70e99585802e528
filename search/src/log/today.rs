//! Who searched what today, as keyed hashes in memory: what a visitor searches counts once a day.
//!
//! The key is random, made at the start and for each day anew, and like the hashes it is neither written nor sent.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use hmac::{Hmac, Mac};
use lantern_config::SearchLog as Settings;
use lantern_ratelimit::ClientKey;
use rand::{TryRngCore, rngs::OsRng};
use sha2::Sha256;

/// Days change at midnight, UTC.
const DAY: i64 = 86_400;
/// Bytes of a key: as many as the hash has.
const KEY_BYTES: usize = 32;

/// The system has no randomness.
type NoRandomness = <OsRng as TryRngCore>::Error;

/// What is remembered until midnight.
pub struct Today {
    settings: Settings,
    now: fn() -> i64,
    memory: Mutex<Memory>,
}

struct Memory {
    day: i64,
    keyed: Hmac<Sha256>,
    /// A visitor and a query.
    pairs: HashSet<u64>,
    /// Queries that were counted, by visitor.
    visitors: HashMap<u64, u32>,
    is_full: bool,
}

impl Today {
    pub fn new(settings: &Settings, now: fn() -> i64) -> Result<Self, NoRandomness> {
        Ok(Self { settings: settings.clone(), now, memory: Mutex::new(Memory::of(now() / DAY)?) })
    }

    /// Whether the visitor searches this (a [normal](lantern_catalog::search_log::normal) query) for the first time today.
    /// No where there is no room to remember it.
    pub fn is_first(&self, visitor: &ClientKey, query: &str) -> Result<bool, NoRandomness> {
        Ok(self.memory()?.take(visitor, query, &self.settings))
    }

    /// Forgets a day that has ended, also where nobody searches any more.
    pub fn forget(&self) -> Result<(), NoRandomness> {
        self.memory().map(drop)
    }

    /// The memory of this day.
    fn memory(&self) -> Result<MutexGuard<'_, Memory>, NoRandomness> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let day = (self.now)() / DAY;
        if memory.day != day {
            *memory = Memory::of(day)?;
        }
        Ok(memory)
    }
}

impl Memory {
    fn of(day: i64) -> Result<Self, NoRandomness> {
        let mut key = [0; KEY_BYTES];
        OsRng.try_fill_bytes(&mut key)?;
        let keyed = <Hmac<Sha256> as Mac>::new_from_slice(&key)
            .unwrap_or_else(|_| unreachable!("HMAC takes keys of any length"));
        Ok(Self { day, keyed, pairs: HashSet::new(), visitors: HashMap::new(), is_full: false })
    }

    fn take(&mut self, visitor: &ClientKey, query: &str, settings: &Settings) -> bool {
        let visitor = self.hash(b"visitor", visitor.as_ref());
        let pair = self.hash(&visitor.to_be_bytes(), query.as_bytes());
        if self.pairs.contains(&pair) {
            return false;
        }
        if self.pairs.len() >= settings.remembered {
            if !self.is_full {
                self.is_full = true;
                tracing::warn!("search_log.remembered is reached: until midnight UTC new searches are not counted");
            }
            return false;
        }
        let counted = self.visitors.entry(visitor).or_default();
        if *counted >= settings.visitor_queries {
            return false;
        }
        *counted += 1;
        self.pairs.insert(pair)
    }

    fn hash(&self, of: &[u8], and: &[u8]) -> u64 {
        let mut mac = self.keyed.clone();
        // The first part has one length for each purpose.
        mac.update(of);
        mac.update(and);
        let mut first = [0; size_of::<u64>()];
        first.copy_from_slice(&mac.finalize().into_bytes()[..size_of::<u64>()]);
        u64::from_be_bytes(first)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        net::IpAddr,
        sync::atomic::{AtomicI64, Ordering},
    };

    use super::*;

    fn address(text: &str) -> ClientKey {
        ClientKey::from(text.parse::<IpAddr>().expect("an address"))
    }

    fn today(remembered: usize, visitor_queries: u32, now: fn() -> i64) -> Today {
        let settings = Settings {
            min_count: 5,
            retention_days: 90,
            remembered,
            visitor_queries,
            click_places: 10,
            known_clicks: 100,
        };
        Today::new(&settings, now).expect("randomness")
    }

    fn is_first(today: &Today, visitor: &str, query: &str) -> bool {
        today.is_first(&address(visitor), query).expect("randomness")
    }

    #[test]
    fn what_a_visitor_searches_counts_once_a_day() {
        static NOW: AtomicI64 = AtomicI64::new(3 * DAY);
        let today = today(100, 100, || NOW.load(Ordering::Relaxed));
        assert!(is_first(&today, "192.0.2.1", "harbour") && !is_first(&today, "192.0.2.1", "harbour"));
        assert!(is_first(&today, "192.0.2.1", "night") && is_first(&today, "192.0.2.2", "harbour"));
        assert!(is_first(&today, "2001:db8:1:2::1", "harbour"));
        assert!(!is_first(&today, "2001:db8:1:2:ffff::9", "harbour"), "one network, one visitor");
        let hash = || today.memory().expect("randomness").hash(b"visitor", b"same");
        let (before, again) = (hash(), hash());
        NOW.store(4 * DAY - 1, Ordering::Relaxed);
        assert!(!is_first(&today, "192.0.2.1", "harbour") && before == again);
        NOW.store(4 * DAY, Ordering::Relaxed);
        today.forget().expect("randomness");
        let memory = today.memory.lock().expect("no panic");
        assert!(memory.pairs.is_empty() && memory.visitors.is_empty(), "nothing is left of a day");
        drop(memory);
        assert_ne!(hash(), before, "another key");
        assert!(is_first(&today, "192.0.2.1", "harbour"));
    }

    #[test]
    fn nodes_have_keys_of_their_own() {
        let hash = || today(1, 1, || 0).memory().expect("randomness").hash(b"visitor", b"same");
        assert_ne!(hash(), hash());
    }

    #[test]
    fn what_there_is_no_room_for_is_not_counted() {
        let few = today(3, 2, || 0);
        assert!(is_first(&few, "192.0.2.1", "one") && is_first(&few, "192.0.2.1", "two"));
        assert!(!is_first(&few, "192.0.2.1", "three"), "enough of this visitor");
        assert!(is_first(&few, "192.0.2.2", "one") && !is_first(&few, "192.0.2.2", "two"), "enough of all");
        for visitor in 3..100 {
            assert!(!is_first(&few, &format!("192.0.2.{visitor}"), "one"));
        }
        let memory = few.memory.lock().expect("no panic");
        assert_eq!((memory.pairs.len(), memory.visitors.len()), (3, 2), "neither grows");
    }
}
