//! Proxies in front of the site: which are believed about the address of a visitor.

use std::{
    net::IpAddr,
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
    /// Whatever stands further left in `X-Forwarded-For` was written by that visitor.
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
            .map_while(|hop| hop.trim().parse().ok())
            .find(|hop| !self.trusts(*hop))
            .unwrap_or(peer)
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
