//! Verifies search engine crawlers, because any client can send their `User-Agent`. The host name of the address must be in a domain of
//! the engine and resolve back to the address, or the address must be in a configured range.

mod dns;

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use lantern_config::{Crawlers as Settings, SYSTEM_NAME_SERVER};
use moka::future::Cache;
use simple_dns::TYPE;
use tokio::{sync::Semaphore, time::timeout};

use self::dns::{query, reverse_name};

/// Maximum number of host names checked for an address. Real crawlers have one.
const MAX_NAMES: usize = 4;

/// Verifies crawlers of the configured search engines and caches the host names of their addresses.
pub struct Crawlers {
    settings: Settings,
    server: Option<SocketAddr>,
    names: Cache<IpAddr, Arc<[String]>>,
    lookups: Semaphore,
}

impl Crawlers {
    /// Creates the verifier.
    ///
    /// # Errors
    /// `crawlers.name_server` is neither empty, nor [`SYSTEM_NAME_SERVER`], nor an address with a port.
    pub fn new(settings: &Settings) -> anyhow::Result<Self> {
        let mut settings = settings.clone();
        for word in settings.engines.iter_mut().flat_map(|engine| engine.agents.iter_mut().chain(&mut engine.domains)) {
            word.make_ascii_lowercase();
        }
        Ok(Self {
            server: match settings.name_server.as_str() {
                "" => None,
                SYSTEM_NAME_SERVER => dns::system_server(),
                address => Some(address.parse()?),
            },
            names: Cache::builder()
                .max_capacity(settings.remembered)
                .time_to_live(Duration::from_secs(settings.remember_seconds))
                .build(),
            lookups: Semaphore::new(settings.lookups),
            settings,
        })
    }

    /// Returns whether any engine can be verified: a name server or an address range is configured.
    pub fn can_verify(&self) -> bool {
        self.server.is_some() || self.settings.engines.iter().any(|engine| !engine.ranges.is_empty())
    }

    /// Returns whether a request with this `User-Agent` from this address comes from a known engine. Returns false if this cannot be
    /// verified.
    pub async fn verified(&self, agent: &str, address: IpAddr) -> bool {
        let agent = agent.to_ascii_lowercase();
        let named = |name: &String| agent.contains(name.as_str());
        let Some(engine) = self.settings.engines.iter().find(|engine| engine.agents.iter().any(named)) else {
            return false;
        };
        let address = address.to_canonical();
        if engine.ranges.iter().any(|range| range.holds(address)) {
            return true;
        }
        let Some(server) = self.server else { return false };
        match self.names.try_get_with(address, self.lookup(server, address)).await {
            Ok(names) => names.iter().any(|name| is_within(name, &engine.domains)),
            Err(error) => {
                tracing::debug!(%address, %error, "failed to verify a crawler");
                false
            }
        }
    }

    /// Returns the confirmed host names of the address, within the time and concurrency limits. Errors are not cached.
    async fn lookup(&self, server: SocketAddr, address: IpAddr) -> io::Result<Arc<[String]>> {
        let _permit = self.lookups.try_acquire().map_err(|_| io::Error::other("too many concurrent lookups"))?;
        let limit = Duration::from_millis(self.settings.lookup_ms);
        timeout(limit, self.confirmed(server, address)).await.map_err(|_| io::ErrorKind::TimedOut)?
    }

    /// Returns the host names in a domain of any engine that resolve back to the address.
    async fn confirmed(&self, server: SocketAddr, address: IpAddr) -> io::Result<Arc<[String]>> {
        let names = query(server, &reverse_name(address), TYPE::PTR).await?;
        let known = |name: &String| self.settings.engines.iter().any(|engine| is_within(name, &engine.domains));
        let mut confirmed = Vec::new();
        for name in names.into_iter().take(MAX_NAMES).filter(known) {
            let kind = if address.is_ipv4() { TYPE::A } else { TYPE::AAAA };
            if query(server, &name, kind).await?.contains(&address.to_string()) {
                confirmed.push(name);
            }
        }
        Ok(confirmed.into())
    }
}

/// Returns whether a host is a subdomain of one of the domains, ignoring case.
fn is_within(host: &str, domains: &[String]) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    domains.iter().any(|domain| host.strip_suffix(domain.as_str()).is_some_and(|rest| rest.ends_with('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_subdomains_are_within_a_domain() {
        let domains = ["googlebot.com".to_owned()];
        for (host, within) in [
            ("crawl-1.googlebot.com", true),
            ("Crawl-1.GoogleBot.com.", true),
            ("googlebot.com", false),
            ("fakegooglebot.com", false),
            ("googlebot.com.evil.example", false),
        ] {
            assert_eq!(is_within(host, &domains), within, "{host}");
        }
    }

    #[test]
    fn verification_requires_a_name_server_or_a_range() {
        let mut settings = lantern_config::Config::default().crawlers;
        settings.name_server.clear();
        let can = |settings: &Settings| Crawlers::new(settings).expect("settings").can_verify();
        assert!(!can(&settings));
        settings.engines[1].ranges = vec!["192.0.2.0/24".parse().expect("range")];
        assert!(can(&settings));
        settings.engines[1].ranges.clear();
        settings.name_server = "127.0.0.53:53".to_owned();
        assert!(can(&settings));
    }
}
