//! Search engines, distinguished from those who only call themselves one: by the address, whose name the engine's own
//! name server must confirm, or which lies in a range the operator named.

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

use self::dns::{ask, reverse};

/// Names of one address that are looked at; an honest one has one.
const MOST_NAMES: usize = 4;

/// The engines and how to verify them.
pub struct Crawlers {
    settings: Settings,
    server: Option<SocketAddr>,
    names: Cache<IpAddr, Arc<[String]>>,
    lookups: Semaphore,
}

impl Crawlers {
    /// # Errors
    /// When `crawlers.name_server` is neither a word it may be nor an address with a port.
    pub fn new(settings: &Settings) -> anyhow::Result<Self> {
        let mut settings = settings.clone();
        for word in settings.engines.iter_mut().flat_map(|engine| engine.agents.iter_mut().chain(&mut engine.domains)) {
            word.make_ascii_lowercase();
        }
        Ok(Self {
            server: match settings.name_server.as_str() {
                "" => None,
                SYSTEM_NAME_SERVER => dns::system(),
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

    /// Whether there is a way to know any engine.
    pub fn can_verify(&self) -> bool {
        self.server.is_some() || self.settings.engines.iter().any(|engine| !engine.ranges.is_empty())
    }

    /// Whether a request with this `User-Agent` from this address is a known engine's. Answers no where nobody can tell.
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
        match self.names.try_get_with(address, self.look_up(server, address)).await {
            Ok(names) => names.iter().any(|name| is_within(name, &engine.domains)),
            Err(error) => {
                tracing::debug!(%address, %error, "a crawler could not be verified");
                false
            }
        }
    }

    /// The names of the address that lead back to it. Failures are not remembered.
    async fn look_up(&self, server: SocketAddr, address: IpAddr) -> io::Result<Arc<[String]>> {
        let _permit = self.lookups.try_acquire().map_err(|_| io::Error::other("too many look-ups at once"))?;
        let limit = Duration::from_millis(self.settings.lookup_ms);
        timeout(limit, self.confirmed(server, address)).await.map_err(|_| io::ErrorKind::TimedOut)?
    }

    async fn confirmed(&self, server: SocketAddr, address: IpAddr) -> io::Result<Arc<[String]>> {
        let names = ask(server, &reverse(address), TYPE::PTR).await?;
        let known = |name: &String| self.settings.engines.iter().any(|engine| is_within(name, &engine.domains));
        let mut confirmed = Vec::new();
        for name in names.into_iter().take(MOST_NAMES).filter(known) {
            let kind = if address.is_ipv4() { TYPE::A } else { TYPE::AAAA };
            if ask(server, &name, kind).await?.contains(&address.to_string()) {
                confirmed.push(name);
            }
        }
        Ok(confirmed.into())
    }
}

/// Whether a host lies below one of the domains, letter case apart.
fn is_within(host: &str, domains: &[String]) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    domains.iter().any(|domain| host.strip_suffix(domain.as_str()).is_some_and(|rest| rest.ends_with('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_lies_within_a_domain_at_a_dot_only() {
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
    fn there_may_be_no_way_to_know_an_engine() {
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
