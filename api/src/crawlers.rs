//! Search engines, told from those who only call themselves one: by the address, whose name the engine's own
//! name server must confirm, or which lies in a range the operator named.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use lantern_config::Crawlers as Settings;
use moka::future::Cache;
use simple_dns::{CLASS, Name, Packet, PacketFlag, Question, RCODE, TYPE, rdata::RData};
use tokio::{net::UdpSocket, sync::Semaphore, time::timeout};
use uuid::Uuid;

/// Names of one address that are looked at; an honest one has one.
const MOST_NAMES: usize = 4;
/// Largest answer over UDP that every path carries.
const LARGEST: usize = 1232;

/// The engines and how to verify them.
pub struct Crawlers {
    settings: Settings,
    server: Option<SocketAddr>,
    /// Confirmed names by address.
    names: Cache<IpAddr, Arc<[String]>>,
    lookups: Semaphore,
}

impl Crawlers {
    /// # Errors
    /// When `crawlers.name_server` is no address with a port.
    pub fn new(settings: &Settings) -> anyhow::Result<Self> {
        let server = Some(&settings.name_server).filter(|server| !server.is_empty());
        Ok(Self {
            server: server.map(|server| server.parse()).transpose()?,
            names: Cache::builder()
                .max_capacity(settings.remembered)
                .time_to_live(Duration::from_secs(settings.remember_seconds))
                .build(),
            lookups: Semaphore::new(settings.lookups),
            settings: settings.clone(),
        })
    }

    /// Whether a request with this `User-Agent` from this address is a known engine's. Answers no where nobody can tell.
    pub async fn verified(&self, agent: &str, address: IpAddr) -> bool {
        let Some(engine) = self.settings.engines.iter().find(|engine| agent.contains(&engine.agent)) else {
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

/// The name under which an address is found.
fn reverse(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => {
            let [a, b, c, d] = address.octets();
            format!("{d}.{c}.{b}.{a}.in-addr.arpa")
        }
        IpAddr::V6(address) => {
            let digits = format!("{:032x}", address.to_bits());
            digits.chars().rev().flat_map(|digit| [digit, '.']).chain("ip6.arpa".chars()).collect()
        }
    }
}

/// Names or addresses, as text, that the server has for a name; none when there is no such name.
async fn ask(server: SocketAddr, name: &str, kind: TYPE) -> io::Result<Vec<String>> {
    // A port and a number of its own for each question, so that nobody else can answer it.
    let any: IpAddr = if server.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0)).await?;
    socket.connect(server).await?;
    let [high, low, ..] = Uuid::new_v4().into_bytes();
    let mut query = Packet::new_query(u16::from_be_bytes([high, low]));
    query.set_flags(PacketFlag::RECURSION_DESIRED);
    let name = Name::new(name).map_err(io::Error::other)?;
    query.questions.push(Question::new(name, kind.into(), CLASS::IN.into(), false));
    socket.send(&query.build_bytes_vec().map_err(io::Error::other)?).await?;
    let mut buffer = [0; LARGEST];
    loop {
        let length = socket.recv(&mut buffer).await?;
        if let Some(answer) = read(&buffer[..length], &query) {
            return answer;
        }
    }
}

/// The answer to a question, or `None` for what answers another.
fn read(bytes: &[u8], query: &Packet<'_>) -> Option<io::Result<Vec<String>>> {
    let reply = Packet::parse(bytes).ok()?;
    let asked = |packet: &Packet<'_>| packet.questions.first().map(|question| question.qname.to_string());
    let same = |one: Option<String>, other: Option<String>| match (one, other) {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(&other),
        _ => false,
    };
    if reply.id() != query.id() || !reply.has_flags(PacketFlag::RESPONSE) || !same(asked(&reply), asked(query)) {
        return None;
    }
    let told = |data: &RData<'_>| match data {
        RData::PTR(name) => Some(name.to_string()),
        RData::A(a) => Some(Ipv4Addr::from_bits(a.address).to_string()),
        RData::AAAA(a) => Some(Ipv6Addr::from_bits(a.address).to_string()),
        _ => None,
    };
    Some(match reply.rcode() {
        RCODE::NoError => Ok(reply.answers.iter().filter_map(|record| told(&record.rdata)).collect()),
        RCODE::NameError => Ok(Vec::new()),
        code => Err(io::Error::other(format!("the name server answers {code:?}"))),
    })
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
    fn addresses_are_found_backwards() {
        let of = |address: &str| reverse(address.parse().expect("address"));
        assert_eq!(of("192.0.2.1"), "1.2.0.192.in-addr.arpa");
        assert_eq!(
            of("2001:db8::567:89ab"),
            "b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa"
        );
    }
}
