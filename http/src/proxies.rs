//! Trusted proxies, whose `X-Forwarded-For` determines the address of a visitor.

use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::http::HeaderMap;
use lantern_config::{AddressRange, NO_PROXY};

/// Address ranges of the trusted proxies.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies {
    ranges: Arc<[AddressRange]>,
    /// Whether an unlisted proxy on this machine was detected.
    detected: Arc<AtomicBool>,
}

impl TrustedProxies {
    /// Parses CIDR ranges and single addresses. A list that contains only [`NO_PROXY`] stands for no proxies.
    ///
    /// # Errors
    /// Names the first invalid entry.
    pub fn parse(ranges: &[String]) -> Result<Self, String> {
        let parse = |text: &String| text.parse().map_err(|why| format!("server.trusted_proxies: {why}"));
        let named: &[String] = if ranges == [NO_PROXY] { &[] } else { ranges };
        Ok(Self { ranges: named.iter().map(parse).collect::<Result<_, _>>()?, detected: Arc::default() })
    }

    /// Returns whether the address belongs to a trusted proxy.
    pub fn trusts(&self, address: IpAddr) -> bool {
        self.ranges.iter().any(|range| range.holds(address))
    }

    /// Returns whether the request comes through an unlisted proxy on this machine. Returns true only the first time.
    pub fn detects_unlisted_proxy(&self, peer: IpAddr, headers: &HeaderMap) -> bool {
        let is_forwarded = headers.contains_key("x-forwarded-for") && peer.to_canonical().is_loopback();
        is_forwarded && !self.trusts(peer) && !self.detected.swap(true, Ordering::Relaxed)
    }

    /// Returns the address of the visitor: the last hop that is not a trusted proxy. Entries of `X-Forwarded-For` further left may be
    /// forged by the visitor. The search stops at an invalid entry and then returns `peer`.
    pub fn visitor(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !self.trusts(peer) {
            return peer;
        }
        let values: Vec<&str> =
            headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok()).collect();
        values
            .iter()
            .rev()
            .flat_map(|value| value.rsplit(','))
            .map_while(hop_address)
            .find(|hop| !self.trusts(*hop))
            .unwrap_or(peer)
    }
}

/// Parses an entry of `X-Forwarded-For`. Proxies write addresses bare, with a port (`203.0.113.9:50123`, `[2001:db8::1]:443`), in
/// brackets, with a zone (`fe80::1%eth0`), or quoted as in `Forwarded`.
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
            // Without brackets, only IPv4 addresses can have a port.
            bare.or_else(|| hop.parse::<SocketAddr>().ok().map(|address| address.ip()))
        }
    }
}

/// Parses an IPv6 address and drops its zone, which only has a meaning on the machine that wrote it.
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
    fn visitors_cannot_forge_their_address() {
        assert_eq!(visitor(&proxies(&[]), "203.0.113.5", "1.2.3.4"), "203.0.113.5");
        let trusted = proxies(&["10.0.0.0/8", "2001:db8::/32"]);
        assert_eq!(visitor(&trusted, "203.0.113.5", "1.2.3.4"), "203.0.113.5");
        // The visitor sent the leftmost entry, but what counts is the entry that our proxy added.
        assert_eq!(visitor(&trusted, "10.1.1.1", "1.2.3.4, 203.0.113.5"), "203.0.113.5");
        assert_eq!(visitor(&trusted, "10.1.1.1", "1.2.3.4, 203.0.113.5, 10.9.9.9"), "203.0.113.5");
        assert_eq!(visitor(&trusted, "2001:db8::7", "203.0.113.5"), "203.0.113.5");
        assert_eq!(visitor(&trusted, "10.1.1.1", "nonsense, 203.0.113.5"), "203.0.113.5");
        assert_eq!(visitor(&trusted, "10.1.1.1", "1.2.3.4, nonsense"), "10.1.1.1");
    }

    #[test]
    fn all_spellings_of_an_address_are_parsed() {
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
            // Trusted hops are recognized in every spelling.
            ("203.0.113.9:50123, 10.9.9.9:8080", "203.0.113.9"),
            ("203.0.113.9:50123,[fe80::1%eth0]:443,fe80::2%eth1", "203.0.113.9"),
            // After an invalid entry, the address of the proxy is used.
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
    fn unlisted_proxy_is_detected_once() {
        let warns = |proxies: &TrustedProxies, peer: &str, forwarded: bool| {
            let mut headers = HeaderMap::new();
            if forwarded {
                headers.insert("x-forwarded-for", "203.0.113.5".parse().expect("header"));
            }
            proxies.detects_unlisted_proxy(peer.parse().expect("address"), &headers)
        };
        let none = proxies(&["none"]);
        assert!(
            !warns(&none, "127.0.0.1", false) && !warns(&none, "203.0.113.5", true),
            "only proxies on this machine are detected"
        );
        assert!(warns(&none, "::1", true) && !warns(&none, "127.0.0.1", true));
        assert!(!warns(&proxies(&["127.0.0.1"]), "127.0.0.1", true));
    }

    #[test]
    fn invalid_ranges_are_rejected() {
        for text in ["10.0.0.0/33", "10.0.0/8", "host", "::/129", ""] {
            assert!(TrustedProxies::parse(&[text.to_owned()]).is_err(), "{text}");
        }
        assert!(proxies(&["0.0.0.0/0"]).trusts("198.51.100.1".parse().expect("address")));
        assert!(!proxies(&["192.0.2.1"]).trusts("192.0.2.2".parse().expect("address")));
    }
}
