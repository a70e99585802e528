//! Proxies in front of the site: which are believed about the address of a visitor.

use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::http::HeaderMap;
use lantern_config::{AddressRange, NO_PROXY};

/// The configured proxies, as address ranges.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies {
    ranges: Arc<[AddressRange]>,
    /// One on this machine that isn't among them was noticed.
    noticed: Arc<AtomicBool>,
}

impl TrustedProxies {
    /// Reads CIDR ranges, or [`NO_PROXY`] alone; a bare address is a range of one.
    ///
    /// # Errors
    /// Names the first entry that is no range.
    pub fn parse(ranges: &[String]) -> Result<Self, String> {
        let read = |text: &String| text.parse().map_err(|why| format!("server.trusted_proxies: {why}"));
        let named: &[String] = if ranges == [NO_PROXY] { &[] } else { ranges };
        Ok(Self { ranges: named.iter().map(read).collect::<Result<_, _>>()?, noticed: Arc::default() })
    }

    /// Whether this is one of them.
    pub fn trusts(&self, address: IpAddr) -> bool {
        self.ranges.iter().any(|range| range.holds(address))
    }

    /// Whether a proxy on this machine passes requests on and isn't named: true the first time it is seen.
    pub fn is_news_of_forgotten(&self, peer: IpAddr, headers: &HeaderMap) -> bool {
        let passed_on = headers.contains_key("x-forwarded-for") && peer.to_canonical().is_loopback();
        passed_on && !self.trusts(peer) && !self.noticed.swap(true, Ordering::Relaxed)
    }

    /// The address of the visitor: the nearest one on the way here that is not a trusted proxy.
    /// Whatever stands further left in `X-Forwarded-For` was written by that visitor. An entry that is no address ends the way.
    pub fn visitor(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !self.trusts(peer) {
            return peer;
        }
        let lines: Vec<&str> =
            headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok()).collect();
        lines
            .iter()
            .rev()
            .flat_map(|line| line.rsplit(','))
            .map_while(hop_address)
            .find(|hop| !self.trusts(*hop))
            .unwrap_or(peer)
    }
}

/// The address in an entry of `X-Forwarded-For`. Proxies write it bare, with the port of the connection (`203.0.113.9:50123`,
/// `[2001:db8::1]:443`), in brackets, with a zone (`fe80::1%eth0`) or in quotes, as `Forwarded` has it.
fn hop_address(hop: &str) -> Option<IpAddr> {
    let hop = hop.trim();
    let hop = hop.strip_prefix('"').and_then(|hop| hop.strip_suffix('"')).unwrap_or(hop).trim();
    let bracketed = hop.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match bracketed {
        Some((inside, port)) => {
            let is_port = port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
            if port.is_empty() || is_port { without_zone(inside).map(IpAddr::V6) } else { None }
        }
        None => {
            let bare = hop.parse().ok().or_else(|| without_zone(hop).map(IpAddr::V6));
            // Without brackets only IPv4 can have a port.
            bare.or_else(|| hop.parse::<SocketAddr>().ok().map(|address| address.ip()))
        }
    }
}

/// A zone names an interface of the machine that wrote it.
fn without_zone(address: &str) -> Option<Ipv6Addr> {
    match address.split_once('%') {
        Some((address, zone)) if !zone.is_empty() => address.parse().ok(),
        Some(_) => None,
        None => address.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxies(ranges: &[&str]) -> TrustedProxies {
        let ranges: Vec<String> = ranges.iter().map(|r| (*r).to_owned()).collect();
        TrustedProxies::parse(&ranges).expect("ranges")
    }

    fn visitor(proxies: &TrustedProxies, peer: &str, forwarded: &str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", forwarded.parse().expect("header"));
        proxies.visitor(peer.parse().expect("address"), &headers).to_string()
    }

    #[test]
    fn a_stranger_can_not_name_his_own_address() {
        assert_eq!(visitor(&proxies(&[]), "203.0.113.5", "1.2.3.4"), "203.0.113.5");
        let trusted = proxies(&["10.0.0.0/8", "2001:db8::/32"]);
        assert_eq!(visitor(&trusted, "203.0.113.5", "1.2.3.4"), "203.0.113.5");
        // The left-most entry came from the visitor; the one our proxy added counts.
        assert_eq!(visitor(&trusted, "10.1.1.1", "1.2.3.4, 203.0.113.5"), "203.0.113.5");
        assert_eq!(visitor(&trusted, "10.1.1.1", "1.2.3.4, 203.0.113.5, 10.9.9.9"), "203.0.113.5");
        assert_eq!(visitor(&trusted, "2001:db8::7", "203.0.113.5"), "203.0.113.5");
        assert_eq!(visitor(&trusted, "10.1.1.1", "nonsense, 203.0.113.5"), "203.0.113.5");
        assert_eq!(visitor(&trusted, "10.1.1.1", "1.2.3.4, nonsense"), "10.1.1.1");
    }

    #[test]
    fn an_address_is_read_however_a_proxy_writes_it() {
        let trusted = proxies(&["10.0.0.0/8", "fe80::/10"]);
        for (written, address) in [
            ("203.0.113.9:50123", "203.0.113.9"),
            ("\"203.0.113.9:50123\"", "203.0.113.9"),
            ("\"203.0.113.9\"", "203.0.113.9"),
            ("[2001:db8::1]:443", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("\"[2001:db8::1]:443\"", "2001:db8::1"),
            (" 2001:db8::1 ", "2001:db8::1"),
            ("2001:db8::1%eth0", "2001:db8::1"),
            ("[2001:db8::1%eth0]:443", "2001:db8::1"),
            ("[::ffff:203.0.113.9]:443", "::ffff:203.0.113.9"),
            // Trusted hops are recognised in every spelling.
            ("203.0.113.9:50123, 10.9.9.9:8080", "203.0.113.9"),
            ("203.0.113.9:50123,[fe80::1%eth0]:443,fe80::2%eth1", "203.0.113.9"),
            // Entries that are no address leave the proxy's own.
            ("unknown", "10.1.1.1"),
            ("_hidden", "10.1.1.1"),
            ("203.0.113.9:", "10.1.1.1"),
            ("203.0.113.9:65536", "10.1.1.1"),
            ("[203.0.113.9]:80", "10.1.1.1"),
            ("[2001:db8::1", "10.1.1.1"),
            ("[2001:db8::1]443", "10.1.1.1"),
            ("2001:db8::1%", "10.1.1.1"),
            ("", "10.1.1.1"),
        ] {
            assert_eq!(visitor(&trusted, "10.1.1.1", written), address, "{written:?}");
        }
    }

    #[test]
    fn a_forgotten_proxy_is_news_once() {
        let warns = |proxies: &TrustedProxies, peer: &str, forwarded: bool| {
            let mut headers = HeaderMap::new();
            if forwarded {
                headers.insert("x-forwarded-for", "203.0.113.5".parse().expect("header"));
            }
            proxies.is_news_of_forgotten(peer.parse().expect("address"), &headers)
        };
        let none = proxies(&["none"]);
        assert!(
            !warns(&none, "127.0.0.1", false) && !warns(&none, "203.0.113.5", true),
            "a visitor may write anything"
        );
        assert!(warns(&none, "::1", true) && !warns(&none, "127.0.0.1", true));
        assert!(!warns(&proxies(&["127.0.0.1"]), "127.0.0.1", true));
    }

    #[test]
    fn ranges_are_checked() {
        for text in ["10.0.0.0/33", "10.0.0/8", "host", "::/129", ""] {
            assert!(TrustedProxies::parse(&[text.to_owned()]).is_err(), "{text}");
        }
        assert!(proxies(&["0.0.0.0/0"]).trusts("198.51.100.1".parse().expect("address")));
        assert!(!proxies(&["192.0.2.1"]).trusts("192.0.2.2".parse().expect("address")));
    }
}
