//! Limits of open connections, in total and per client.

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

/// Connection limits of the process.
pub struct Connections {
    limit: usize,
    free: Arc<Semaphore>,
    clients: PerClient,
    refused: Counter,
    proxies: TrustedProxies,
    /// In development, the limit per client does not apply to loopback, because benchmarks and tests connect from there.
    unlimited_loopback: bool,
}

/// Slot of an open connection. Dropping it frees the slot.
pub struct ConnectionSlot {
    _permit: OwnedSemaphorePermit,
    _share: Option<Share>,
}

impl Connections {
    /// Creates the limits configured in `[server]`. The limit per client does not apply to trusted proxies, because all visitors connect
    /// through them.
    pub fn new(config: &Config, proxies: TrustedProxies) -> Self {
        let limit = config.server.connections.min(Semaphore::MAX_PERMITS);
        Self {
            limit,
            free: Arc::new(Semaphore::new(limit)),
            clients: PerClient::new(config.server.connections_per_client),
            refused: Counter::default(),
            proxies,
            unlimited_loopback: config.mode == Mode::Development,
        }
    }

    /// Waits until a slot is free.
    pub async fn wait_for_slot(&self) {
        // The semaphore is never closed, so this cannot fail.
        let _ = self.free.acquire().await;
    }

    /// Claims a slot for a connection from `peer`. Returns `None` if no slot is free or the client has reached its limit.
    pub fn claim(&self, peer: IpAddr) -> Option<ConnectionSlot> {
        let permit = Arc::clone(&self.free).try_acquire_owned().ok()?;
        let unlimited = self.proxies.trusts(peer) || (self.unlimited_loopback && peer.to_canonical().is_loopback());
        let share = if unlimited { None } else { self.clients.take(ClientKey::from(peer)) };
        if !unlimited && share.is_none() {
            self.refused.inc();
            return None;
        }
        Some(ConnectionSlot { _permit: permit, _share: share })
    }

    /// Registers the number of open and of refused connections.
    pub fn register(&self, registry: &mut Registry) {
        let open = (self.limit - self.free.available_permits()) as u64;
        registry.register("connections", "Open connections", ConstGauge::new(open));
        let help = "Connections closed because the client had reached its limit";
        registry.register("connections_refused", help, self.refused.clone());
    }
}
