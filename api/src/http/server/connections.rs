//! How many connections are held, in all and of each client.

use std::{
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use lantern_config::{Config, Mode};
use lantern_ratelimit::ClientKey;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::http::{
    per_client::{PerClient, Share},
    proxies::TrustedProxies,
};

/// The places for connections of one process.
pub struct Connections {
    most: usize,
    free: Arc<Semaphore>,
    clients: PerClient,
    refused: AtomicU64,
    proxies: TrustedProxies,
    /// In development loopback has no bound of its own: benchmarks and tests come from there.
    free_loopback: bool,
}

/// What a connection holds while it is open.
pub struct ConnectionSlot {
    _room: OwnedSemaphorePermit,
    _share: Option<Share>,
}

impl Connections {
    /// As `[server]` bounds them; proxies have no bound of their own, because all visitors come through them.
    pub fn new(config: &Config, proxies: TrustedProxies) -> Self {
        let most = config.server.connections.min(Semaphore::MAX_PERMITS);
        Self {
            most,
            free: Arc::new(Semaphore::new(most)),
            clients: PerClient::new(config.server.connections_per_client),
            refused: AtomicU64::new(0),
            proxies,
            free_loopback: config.mode == Mode::Development,
        }
    }

    /// Waits until one more connection can be held.
    pub async fn room(&self) {
        // Never closed, so there is a permit in the end.
        let _ = self.free.acquire().await;
    }

    /// The place of a connection from `peer`; `None` when there is none any more, or that client holds the most already.
    pub fn place(&self, peer: IpAddr) -> Option<ConnectionSlot> {
        let room = Arc::clone(&self.free).try_acquire_owned().ok()?;
        let unbounded = self.proxies.trusts(peer) || (self.free_loopback && peer.to_canonical().is_loopback());
        let share = if unbounded { None } else { self.clients.take(ClientKey::from(peer)) };
        if !unbounded && share.is_none() {
            self.refused.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        Some(ConnectionSlot { _room: room, _share: share })
    }

    /// Connections that are open, in the text format of Prometheus.
    pub(crate) fn metrics(&self) -> String {
        let open = self.most - self.free.available_permits();
        let refused = self.refused.load(Ordering::Relaxed);
        format!(
            "# HELP lantern_connections Connections that are open.\n# TYPE lantern_connections gauge\n\
             lantern_connections {open}\n\
             # HELP lantern_connections_refused_total Connections closed because their client held the most already.\n\
             # TYPE lantern_connections_refused_total counter\nlantern_connections_refused_total {refused}\n"
        )
    }
}
