//! All gates of an action: one for the key itself, and one for each size of the surrounding IPv6 networks.

use std::sync::Arc;

use lantern_config::Limits as Table;

use crate::{
    action::Action,
    gate::{Gate, Stores},
    key::{Key, NETWORKS},
    rule::Rule,
};

pub(crate) struct Gates {
    action: Action,
    own: Arc<Gate>,
    networks: [(u8, Arc<Gate>); NETWORKS.len()],
}

/// Counters of an action since the start, and its number of stored keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    /// The action.
    pub action: Action,
    /// Number of attempts that this node has accepted, or of units if the action is charged in units.
    pub accepted: u64,
    /// Number of attempts that this node has rejected.
    pub refused: u64,
    /// Number of stored keys. For the shared store, it is the number at the last sweep.
    pub tracked: usize,
}

impl Gates {
    pub fn open(action: Action, table: &Table, stores: &Stores<'_>) -> sled::Result<Self> {
        let policy = action.policy(table);
        let stores = Stores { pool: stores.pool.filter(|_| !action.is_read()), ..*stores };
        let network = |bits: u8, times| -> sled::Result<_> {
            let name = format!("{}/{bits}", action.as_str());
            Ok((bits, Arc::new(Gate::open(name, policy, Rule::of_network(policy, times), &stores)?)))
        };
        let [home, provider] = NETWORKS;
        Ok(Self {
            action,
            own: Arc::new(Gate::open(action.as_str().to_owned(), policy, Rule::new(policy), &stores)?),
            networks: [network(home, table.ipv6.times_56)?, network(provider, table.ipv6.times_48)?],
        })
    }

    /// Returns the gate for keys themselves.
    pub fn own(&self) -> &Arc<Gate> {
        &self.own
    }

    /// Returns every gate that an attempt by `key` must pass, with the key to count at that gate. The gate for `key` itself comes first.
    pub fn of<'a>(&'a self, key: &Key) -> impl Iterator<Item = (&'a Arc<Gate>, Key)> {
        let (key, networks) = (*key, self.networks.iter());
        let around = networks.filter_map(move |(bits, gate)| Some((gate, key.network(*bits)?)));
        std::iter::once((&self.own, key)).chain(around)
    }

    pub fn all(&self) -> impl Iterator<Item = &Arc<Gate>> {
        std::iter::once(&self.own).chain(self.networks.iter().map(|(_, gate)| gate))
    }

    pub fn figures(&self) -> Figures {
        // Attempts that a network's gate rejected had already been accepted by the first gate.
        let refused: u64 = self.networks.iter().map(|(_, gate)| gate.refused()).sum();
        Figures {
            action: self.action,
            accepted: self.own.accepted().saturating_sub(refused),
            refused: self.own.refused() + refused,
            tracked: self.all().map(|gate| gate.tracked()).sum(),
        }
    }
}
