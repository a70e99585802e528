//! Keys that attempts are counted by.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use sha2::{Digest, Sha256};

/// Normalized client address: an IPv4 address, or the /64 of an IPv6 address.
///
/// A household or server usually owns a whole /64, so counting single IPv6 addresses would limit nothing. Many own more, so the surrounding
/// networks are counted too ([`NETWORKS`]).
///
/// An IPv6 address that embeds an IPv4 address is counted as the latter: mapped (`::ffff:0:0/96`), translated (`::ffff:0:0:0/96`), NAT64
/// (`64:ff9b::/96`), 6to4 (`2002::/16`) and Teredo (`2001::/32`). Otherwise all users of a translator would share one /64, or one user
/// would have many. Network-specific NAT64 prefixes (`64:ff9b:1::/48`, RFC 8215) are visible only inside their network and are counted
/// unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientKey {
    bytes: [u8; IPV6],
    len: u8,
}

impl ClientKey {
    /// Whether this is loopback: 127.0.0.0/8 or ::1. Here, ::1 has a separate /64.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        is_loopback(self.as_ref())
    }

    /// Returns the surrounding network, which may have a single owner: an IPv4 /24 or an IPv6 /48.
    #[must_use]
    pub fn network(&self) -> Self {
        let kept = if usize::from(self.len) == IPV6 { 6 } else { 3 };
        let mut bytes = [0; IPV6];
        bytes[..kept].copy_from_slice(&self.bytes[..kept]);
        // The length is at most 6.
        Self { bytes, len: kept as u8 }
    }
}

impl From<IpAddr> for ClientKey {
    fn from(address: IpAddr) -> Self {
        let mut bytes = [0; IPV6];
        let address = match address.to_canonical() {
            IpAddr::V6(v6) => embedded(v6).map_or(IpAddr::V6(v6), IpAddr::V4),
            v4 @ IpAddr::V4(_) => v4,
        };
        let len = match address {
            IpAddr::V4(v4) => {
                bytes[..4].copy_from_slice(&v4.octets());
                4
            }
            IpAddr::V6(v6) => {
                bytes.copy_from_slice(&v6.octets()[..IPV6]);
                // The rest of ::1's /64 is reserved and must not count as loopback.
                if bytes == [0; IPV6] && !v6.is_loopback() {
                    bytes[IPV6 - 1] = 1;
                }
                // The length is 8.
                IPV6 as u8
            }
        };
        Self { bytes, len }
    }
}

/// Returns the public IPv4 address embedded in an IPv6 address, or `None` if there is none.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let v4 = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    let found = match address.segments() {
        [0, 0, 0, 0, 0xffff, 0, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => v4(high, low),
        [0x2002, high, low, ..] => v4(high, low),
        // Teredo inverts the bits of the client's address (RFC 4380, 4).
        [0x2001, 0, .., high, low] => v4(!high, !low),
        _ => return None,
    };
    // Embedding a local address must not make a client count as loopback or a local neighbor.
    let is_local = found.is_loopback() || found.is_private() || found.is_link_local() || found.is_unspecified();
    (!is_local).then_some(found)
}

impl AsRef<[u8]> for ClientKey {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

/// Key whose attempts are counted together: an address, a member, or a text such as an account name.
///
/// Texts are hashed, so that the stores hold no names or mail addresses. Callers must normalize case and whitespace first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    bytes: [u8; 1 + TEXT],
    len: u8,
}

/// Prefix lengths of the IPv6 networks that are counted in addition to the /64. They are typical allocations to homes, and the smallest
/// allocations to businesses and server customers (RFC 6177).
pub(crate) const NETWORKS: [u8; 2] = [56, 48];

/// Number of stored bytes of a text's hash. They are enough to make collisions infeasible.
const TEXT: usize = 16;
/// Significant bytes of an IPv6 address.
const IPV6: usize = 8;

impl Key {
    /// Creates the key for a client address.
    #[must_use]
    pub fn client(client: &ClientKey) -> Self {
        Self::new(b'c', client.as_ref())
    }

    /// Creates the key for a member, identified by id.
    #[must_use]
    pub fn member(id: i64) -> Self {
        Self::new(b'm', &id.to_be_bytes())
    }

    /// Creates the key for a text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::new(b't', &Sha256::digest(text)[..TEXT])
    }

    /// Creates the key for a text and a client address, for instance an account and the address of its login attempts.
    #[must_use]
    pub fn text_at(text: &str, client: &ClientKey) -> Self {
        let mut hash = Sha256::new_with_prefix(client.as_ref());
        // Addresses have two lengths. Hashing the length separates address and text unambiguously.
        hash.update([client.len]);
        hash.update(text);
        Self::new(b'a', &hash.finalize()[..TEXT])
    }

    /// Returns the network with prefix length `bits` that contains an IPv6 address, or `None` for any other key.
    pub(crate) fn network(&self, bits: u8) -> Option<Self> {
        match self.as_ref() {
            [b'c', address @ ..] if address.len() == IPV6 => Some(Self::new(b'c', &address[..usize::from(bits / 8)])),
            _ => None,
        }
    }

    /// Whether this is a loopback address.
    pub(crate) fn is_loopback(&self) -> bool {
        match self.as_ref() {
            [b'c', address @ ..] => is_loopback(address),
            _ => false,
        }
    }

    fn new(kind: u8, value: &[u8]) -> Self {
        let mut bytes = [0; 1 + TEXT];
        bytes[0] = kind;
        bytes[1..=value.len()].copy_from_slice(value);
        // The length is at most 17.
        Self { bytes, len: 1 + value.len() as u8 }
    }
}

impl AsRef<[u8]> for Key {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

fn is_loopback(address: &[u8]) -> bool {
    match address {
        [127, _, _, _] => true,
        v6 => v6 == [0; IPV6],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_different_kinds_never_collide() {
        let here = key("192.0.2.7");
        let keys = [
            Key::client(&here),
            Key::client(&key("192.0.2.8")),
            Key::member(7),
            Key::member(8),
            Key::text("lena"),
            Key::text("7"),
            Key::text_at("lena", &here),
            Key::text_at("lena", &key("192.0.2.8")),
            Key::text_at("mira", &here),
        ];
        for (i, a) in keys.iter().enumerate() {
            assert!(keys[i + 1..].iter().all(|b| a.as_ref() != b.as_ref()), "{a:?}");
        }
        assert_eq!(Key::text_at("lena", &here), Key::text_at("lena", &key("::ffff:192.0.2.7")));
        assert!(Key::client(&key("127.0.0.1")).is_loopback() && !Key::member(127).is_loopback());
    }

    fn key(text: &str) -> ClientKey {
        ClientKey::from(text.parse::<IpAddr>().expect("an address"))
    }

    #[test]
    fn ipv6_is_counted_by_its_64_prefix() {
        assert_eq!(key("2001:db8:1:2::1"), key("2001:db8:1:2:ffff::9"));
        assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
    }

    #[test]
    fn networks_contain_the_ipv6_address() {
        let network = |text: &str, bits| Key::client(&key(text)).network(bits);
        assert_eq!(network("2001:db8:1:2fe::1", 56), network("2001:db8:1:200::9", 56));
        assert_ne!(network("2001:db8:1:2fe::1", 56), network("2001:db8:1:3fe::1", 56));
        assert_eq!(network("2001:db8:1:2::1", 48), network("2001:db8:1:ffff::1", 48));
        assert_ne!(network("2001:db8:1:2::1", 48), network("2001:db8:2:2::1", 48));
        assert_ne!(
            network("2001:db8::1", 56),
            network("2001:db8::1", 48),
            "networks of different sizes have different keys"
        );
        assert_eq!(network("192.0.2.7", 48), None);
        assert_eq!(Key::member(7).network(48), None, "same length as an address, but not an address");
        assert_eq!(Key::text("lena").network(48), None);
    }

    #[test]
    fn loopback_is_detected() {
        assert!(key("127.0.0.9").is_loopback() && key("::1").is_loopback());
        assert!(!key("192.0.2.7").is_loopback() && !key("2001:db8::1").is_loopback());
        assert!(!key("0.0.0.0").is_loopback());
    }

    #[test]
    fn translated_addresses_count_as_their_ipv4_address() {
        for text in [
            "::ffff:192.0.2.7",
            "::ffff:0:192.0.2.7",
            "64:ff9b::192.0.2.7",
            "2002:c000:207::1",
            "2002:c000:207:5::1",
            "2001:0:c633:6401:8000:63bf:3fff:fdf8",
        ] {
            assert_eq!(key(text), key("192.0.2.7"), "{text}");
        }
        assert_ne!(key("64:ff9b::192.0.2.7"), key("64:ff9b::192.0.2.8"));
        // Embedded local addresses don't count as loopback.
        for text in [
            "::ffff:0:127.0.0.1",
            "::127.0.0.1",
            "64:ff9b::127.0.0.1",
            "2002:7f00:1::1",
            "2002:a00:1::1",
            "64:ff9b::10.0.0.1",
            "2001:0:1::80ff:fffe",
        ] {
            assert_eq!(key(text).as_ref().len(), IPV6, "{text}");
            assert!(!key(text).is_loopback(), "{text}");
        }
        assert_eq!(key("64:ff9b:1::192.0.2.7").as_ref().len(), IPV6, "network-specific prefix");
        assert_eq!(key("2001:db8::1").as_ref().len(), IPV6);
    }

    #[test]
    fn ipv4_is_counted_by_address_in_either_notation() {
        assert_eq!(key("192.0.2.7"), key("::ffff:192.0.2.7"));
        assert_ne!(key("192.0.2.7"), key("192.0.2.8"));
        assert_ne!(key("192.0.2.7").as_ref(), key("c000:207::").as_ref());
    }
}
