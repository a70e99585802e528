//! Limits the number of concurrent resources per client.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use lantern_ratelimit::ClientKey;

/// Counts resources per client, up to a limit. Clones share the counts.
#[derive(Clone)]
pub struct PerClient {
    limit: usize,
    held: Arc<Mutex<HashMap<ClientKey, usize>>>,
}

/// A counted resource of a client. Dropping it decrements the count.
pub struct Share {
    client: ClientKey,
    held: Arc<Mutex<HashMap<ClientKey, usize>>>,
}

impl PerClient {
    /// Creates a counter that allows `limit` resources per client.
    pub fn new(limit: usize) -> Self {
        Self { limit, held: Arc::default() }
    }

    /// Counts another resource of `client`. Returns `None` if the client has reached the limit.
    pub fn take(&self, client: ClientKey) -> Option<Share> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let count = held.entry(client).or_default();
        if *count >= self.limit {
            return None;
        }
        *count += 1;
        Some(Share { client, held: Arc::clone(&self.held) })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = held.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    #[test]
    fn limits_are_per_client_and_unused_counts_are_dropped() {
        let client = |last| ClientKey::from(IpAddr::V4(Ipv4Addr::new(192, 0, 2, last)));
        let counts = PerClient::new(2);
        let first = [counts.take(client(1)), counts.take(client(1))];
        assert!(first.iter().all(Option::is_some) && counts.take(client(1)).is_none());
        let second = counts.take(client(2));
        assert!(second.is_some());
        drop(first);
        assert!(counts.take(client(1)).is_some());
        drop(second);
        assert!(counts.held.lock().unwrap().is_empty());
    }
}
