//! How many connections are held, in all and of each client.

use std::{net::IpAddr, sync::Arc};

use lantern_config::{Config, Mode};
use lantern_ratelimit::ClientKey;
use prometheus_client::{
    metrics::{counter::Counter, gauge::ConstGauge},
    registry::Registry,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{
    per_client::{PerClient, Share},
    proxies::TrustedProxies,
};

/// The places for connections of one process.
pub struct Connections {
    most: usize,
    free: Arc<Semaphore>,
    clients: PerClient,
    refused: Counter,
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
            refused: Counter::default(),
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
            self.refused.inc();
            return None;
        }
        Some(ConnectionSlot { _room: room, _share: share })
    }

    /// Connections that are open, and those that were refused.
    pub fn register(&self, registry: &mut Registry) {
        let open = (self.most - self.free.available_permits()) as u64;
        registry.register("connections", "Connections that are open", ConstGauge::new(open));
        let help = "Connections closed because their client held the most already";
        registry.register("connections_refused", help, self.refused.clone());
    }
}
