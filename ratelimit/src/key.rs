//! Who is counted as one client.

use std::net::IpAddr;

/// A client address as it is counted: an IPv4 address, or the /64 an IPv6 address is in.
///
/// One household or server usually owns a whole /64, so counting single IPv6 addresses would
/// limit nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientKey {
    bytes: [u8; 8],
    len: u8,
}

impl ClientKey {
    /// Whether this is the machine itself: 127.0.0.0/8, or ::1, which has its /64 to itself.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        match self.as_ref() {
            [127, _, _, _] => true,
            v6 => v6 == [0; 8],
        }
    }
}

impl From<IpAddr> for ClientKey {
    fn from(address: IpAddr) -> Self {
        let mut bytes = [0; 8];
        let len = match address.to_canonical() {
            IpAddr::V4(v4) => {
                bytes[..4].copy_from_slice(&v4.octets());
                4
            }
            IpAddr::V6(v6) => {
                bytes.copy_from_slice(&v6.octets()[..8]);
                8
            }
        };
        Self { bytes, len }
    }
}

impl AsRef<[u8]> for ClientKey {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> ClientKey {
        ClientKey::from(text.parse::<IpAddr>().expect("an address"))
    }

    #[test]
    fn ipv6_is_counted_by_its_64() {
        assert_eq!(key("2001:db8:1:2::1"), key("2001:db8:1:2:ffff::9"));
        assert_ne!(key("2001:db8:1:2::1"), key("2001:db8:1:3::1"));
    }

    #[test]
    fn loopback_is_recognised() {
        assert!(key("127.0.0.9").is_loopback() && key("::1").is_loopback());
        assert!(!key("192.0.2.7").is_loopback() && !key("2001:db8::1").is_loopback());
        assert!(!key("0.0.0.0").is_loopback());
    }

    #[test]
    fn ipv4_is_counted_by_address_in_either_notation() {
        assert_eq!(key("192.0.2.7"), key("::ffff:192.0.2.7"));
        assert_ne!(key("192.0.2.7"), key("192.0.2.8"));
        assert_ne!(key("192.0.2.7").as_ref(), key("c000:207::").as_ref());
    }
}
