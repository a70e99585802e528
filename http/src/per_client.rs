//! How many of something each client has at once.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use lantern_ratelimit::ClientKey;

/// Counts what clients hold, up to a bound for each; a clone is another handle to the same counts.
#[derive(Clone)]
pub struct PerClient {
    most: usize,
    held: Arc<Mutex<HashMap<ClientKey, usize>>>,
}

/// One of what a client may hold; given back when dropped.
pub struct Share {
    client: ClientKey,
    held: Arc<Mutex<HashMap<ClientKey, usize>>>,
}

impl PerClient {
    /// At most `most` for each.
    pub fn new(most: usize) -> Self {
        Self { most, held: Arc::default() }
    }

    /// One more for `client`; `None` when it holds the most already.
    pub fn take(&self, client: ClientKey) -> Option<Share> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let count = held.entry(client).or_default();
        if *count >= self.most {
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
    fn each_client_has_its_own_bound_and_nothing_is_kept_of_who_left() {
        let client = |last| ClientKey::from(IpAddr::V4(Ipv4Addr::new(192, 0, 2, last)));
        let bound = PerClient::new(2);
        let first = [bound.take(client(1)), bound.take(client(1))];
        assert!(first.iter().all(Option::is_some) && bound.take(client(1)).is_none());
        let second = bound.take(client(2));
        assert!(second.is_some());
        drop(first);
        assert!(bound.take(client(1)).is_some());
        drop(second);
        assert!(bound.held.lock().unwrap().is_empty());
    }
}
