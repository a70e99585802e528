//! HTTP client for films. It fetches only from configured origins, and never from a private address that a host name
//! resolves to.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use lantern_config::import;
use reqwest::{
    Client,
    dns::{Addrs, Name, Resolve, Resolving},
    redirect::Policy,
};

/// Maximum number of redirects, each of which must lead to a listed origin.
const MAX_REDIRECTS: usize = 3;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// DNS resolver that returns only public addresses.
struct PublicResolver;

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> =
                tokio::net::lookup_host((name.as_str(), 0)).await?.filter(|address| is_public(address.ip())).collect();
            if found.is_empty() {
                return Err(format!("{} has no public address", name.as_str()).into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Builds a client restricted to `origins`. An origin that is an IP address may be private, because the operator chose
/// it.
pub fn client(origins: &[String], seconds: u64) -> reqwest::Result<Client> {
    let listed = Arc::new(origins.to_vec());
    let policy = Policy::custom(move |attempt| match may_fetch(&listed, attempt.url().as_str()) {
        true if attempt.previous().len() <= MAX_REDIRECTS => attempt.follow(),
        _ => attempt.error("redirect to an origin that is not listed, or too many redirects"),
    });
    Client::builder()
        .no_proxy()
        .redirect(policy)
        .dns_resolver(Arc::new(PublicResolver))
        .connect_timeout(CONNECT_TIMEOUT)
        .read_timeout(READ_TIMEOUT)
        .timeout(Duration::from_secs(seconds))
        .build()
}

/// Returns whether the URL is at a listed origin.
pub fn may_fetch(origins: &[String], address: &str) -> bool {
    import::origin(address).is_some_and(|origin| origins.iter().any(|listed| listed == origin))
}

/// Returns whether the address is public, which means that it isn't a special-purpose address (RFC 6890 and its
/// registries).
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = matches!(
        (a, b, c),
        (0 | 10 | 127 | 224..=255, ..)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (192, 168, _)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
    );
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    // IPv6 addresses can contain IPv4 addresses: mapped, translated (RFC 6052) and 6to4.
    let [a, b, c, ..] = address.segments();
    let [.., w, x, y, z] = address.octets();
    if address.to_ipv4_mapped().is_some() || (a, b) == (0x64, 0xff9b) {
        return is_public_v4(Ipv4Addr::new(w, x, y, z));
    }
    if a == 0x2002 {
        let ([p, q], [r, s]) = (b.to_be_bytes(), c.to_be_bytes());
        return is_public_v4(Ipv4Addr::new(p, q, r, s));
    }
    // This is all allocated global unicast space except 2001::/23 (Teredo and others) and the documentation prefix.
    (0x2000..=0x3ffe).contains(&a) && !(a == 0x2001 && b < 0x200) && (a, b) != (0x2001, 0xdb8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_are_not_public() {
        for address in
            ["1.1.1.1", "93.184.215.14", "172.32.0.1", "2606:4700::1111", "2002:101:101::1", "64:ff9b::1.1.1.1"]
        {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "255.255.255.255",
            "224.0.0.1",
            "198.18.0.1",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "2001:db8::1",
            "2001::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn only_listed_origins_may_be_fetched() {
        let listed = ["https://media.example".to_owned(), "http://127.0.0.1:81".to_owned()];
        assert!(may_fetch(&listed, "https://media.example/a.mp4"));
        assert!(may_fetch(&listed, "http://127.0.0.1:81/a.mp4"));
        for address in [
            "http://media.example/a",
            "https://media.example:444/a",
            "https://media.example.evil/a",
            "https://media.example@evil/a",
            "http://127.0.0.1/a",
            "file:///etc/passwd",
            "//media.example/a",
        ] {
            assert!(!may_fetch(&listed, address), "{address}");
        }
    }

    #[tokio::test]
    async fn name_with_private_address_is_refused() {
        let listed = ["http://localhost:1".to_owned()];
        let error = client(&listed, 5).unwrap().get("http://localhost:1/a").send().await.unwrap_err();
        let text = format!("{:?}", anyhow::Error::from(error));
        assert!(text.contains("no public address"), "{text}");
    }
}
