//! Counts each query once per day for each visitor, using keyed hashes in memory.
//!
//! The key is random, is created at startup, and is replaced every day. Like the hashes, it is neither stored nor sent.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use hmac::{Hmac, Mac};
use lantern_config::SearchLog as Settings;
use lantern_ratelimit::ClientKey;
use rand::{TryRngCore, rngs::OsRng};
use sha2::Sha256;

/// Number of seconds in a day. Days change at midnight UTC.
const DAY: i64 = 86_400;
/// Length of a key in bytes, which is the same as that of a hash.
const KEY_BYTES: usize = 32;

/// The system's random number generator failed.
type NoRandomness = <OsRng as TryRngCore>::Error;

/// Visitors and queries counted since midnight UTC.
pub struct Today {
    settings: Settings,
    now: fn() -> i64,
    memory: Mutex<Memory>,
}

struct Memory {
    day: i64,
    keyed: Hmac<Sha256>,
    /// Hashes of pairs of visitor and query.
    pairs: HashSet<u64>,
    /// Number of counted queries for each visitor.
    visitors: HashMap<u64, u32>,
    is_full: bool,
}

impl Today {
    pub fn new(settings: &Settings, now: fn() -> i64) -> Result<Self, NoRandomness> {
        Ok(Self { settings: settings.clone(), now, memory: Mutex::new(Memory::new(now() / DAY)?) })
    }

    /// Whether this is the visitor's first search today for this [normalized](lantern_catalog::search_log::normal)
    /// query. Returns `false` if there is no room to remember it.
    pub fn is_first(&self, visitor: &ClientKey, query: &str) -> Result<bool, NoRandomness> {
        Ok(self.memory()?.insert(visitor, query, &self.settings))
    }

    /// Forgets a day that has ended, even if no further search arrives.
    pub fn forget(&self) -> Result<(), NoRandomness> {
        self.memory().map(drop)
    }

    /// Returns the memory of the current day.
    fn memory(&self) -> Result<MutexGuard<'_, Memory>, NoRandomness> {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let day = (self.now)() / DAY;
        if memory.day != day {
            *memory = Memory::new(day)?;
        }
        Ok(memory)
    }
}

impl Memory {
    fn new(day: i64) -> Result<Self, NoRandomness> {
        let mut key = [0; KEY_BYTES];
        OsRng.try_fill_bytes(&mut key)?;
        let keyed = <Hmac<Sha256> as Mac>::new_from_slice(&key)
            .unwrap_or_else(|_| unreachable!("HMAC takes keys of any length"));
        Ok(Self { day, keyed, pairs: HashSet::new(), visitors: HashMap::new(), is_full: false })
    }

    fn insert(&mut self, visitor: &ClientKey, query: &str, settings: &Settings) -> bool {
        let visitor = self.hash(b"visitor", visitor.as_ref());
        let pair = self.hash(&visitor.to_be_bytes(), query.as_bytes());
        if self.pairs.contains(&pair) {
            return false;
        }
        if self.pairs.len() >= settings.remembered {
            if !self.is_full {
                self.is_full = true;
                tracing::warn!("search_log.remembered reached: new searches are not counted until midnight UTC");
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

    fn hash(&self, prefix: &[u8], value: &[u8]) -> u64 {
        let mut mac = self.keyed.clone();
        // All prefixes for one purpose have the same length, so no two different inputs can yield the same bytes.
        mac.update(prefix);
        mac.update(value);
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
    fn each_query_of_a_visitor_counts_once_per_day() {
        static NOW: AtomicI64 = AtomicI64::new(3 * DAY);
        let today = today(100, 100, || NOW.load(Ordering::Relaxed));
        assert!(is_first(&today, "192.0.2.1", "harbour") && !is_first(&today, "192.0.2.1", "harbour"));
        assert!(is_first(&today, "192.0.2.1", "night") && is_first(&today, "192.0.2.2", "harbour"));
        assert!(is_first(&today, "2001:db8:1:2::1", "harbour"));
        assert!(!is_first(&today, "2001:db8:1:2:ffff::9", "harbour"), "same network, same visitor");
        let hash = || today.memory().expect("randomness").hash(b"visitor", b"same");
        let (before, again) = (hash(), hash());
        NOW.store(4 * DAY - 1, Ordering::Relaxed);
        assert!(!is_first(&today, "192.0.2.1", "harbour") && before == again);
        NOW.store(4 * DAY, Ordering::Relaxed);
        today.forget().expect("randomness");
        let memory = today.memory.lock().expect("no panic");
        assert!(memory.pairs.is_empty() && memory.visitors.is_empty(), "the previous day is forgotten");
        drop(memory);
        assert_ne!(hash(), before, "the key changed");
        assert!(is_first(&today, "192.0.2.1", "harbour"));
    }

    #[test]
    fn each_node_has_its_own_key() {
        let hash = || today(1, 1, || 0).memory().expect("randomness").hash(b"visitor", b"same");
        assert_ne!(hash(), hash());
    }

    #[test]
    fn searches_beyond_the_limits_are_not_counted() {
        let few = today(3, 2, || 0);
        assert!(is_first(&few, "192.0.2.1", "one") && is_first(&few, "192.0.2.1", "two"));
        assert!(!is_first(&few, "192.0.2.1", "three"), "limit per visitor");
        assert!(is_first(&few, "192.0.2.2", "one") && !is_first(&few, "192.0.2.2", "two"), "limit of all pairs");
        for visitor in 3..100 {
            assert!(!is_first(&few, &format!("192.0.2.{visitor}"), "one"));
        }
        let memory = few.memory.lock().expect("no panic");
        assert_eq!((memory.pairs.len(), memory.visitors.len()), (3, 2), "neither grows");
    }
}
