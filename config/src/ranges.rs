//! IP address ranges in settings.

use std::{net::IpAddr, str::FromStr};

use serde::Deserialize;

/// IP address range in CIDR notation. A bare address is a range of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct AddressRange {
    address: IpAddr,
    bits: u8,
}

impl AddressRange {
    /// Whether the range contains `address`. IPv4-mapped IPv6 addresses count as IPv4.
    #[must_use]
    pub fn holds(&self, address: IpAddr) -> bool {
        let (range, address, width) = match (self.address, address.to_canonical()) {
            (IpAddr::V4(range), IpAddr::V4(address)) => {
                (u128::from(range.to_bits()), u128::from(address.to_bits()), 32)
            }
            (IpAddr::V6(range), IpAddr::V6(address)) => (range.to_bits(), address.to_bits(), 128),
            _ => return false,
        };
        let shift = width - u32::from(self.bits);
        range.checked_shr(shift).unwrap_or(0) == address.checked_shr(shift).unwrap_or(0)
    }
}

impl FromStr for AddressRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (address, bits) = text.split_once('/').map_or((text, None), |(a, b)| (a, Some(b)));
            let address: IpAddr = address.parse().ok()?;
            let widest = if address.is_ipv4() { 32 } else { 128 };
            let bits = bits.map_or(Some(widest), |b| b.parse().ok())?;
            (bits <= widest).then_some(Self { address, bits })
        };
        read().ok_or_else(|| format!("{text:?} is not an address range"))
    }
}

impl TryFrom<String> for AddressRange {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> AddressRange {
        text.parse().unwrap()
    }

    fn holds(range_text: &str, address: &str) -> bool {
        range(range_text).holds(address.parse().unwrap())
    }

    #[test]
    fn ranges_contain_their_addresses() {
        assert!(holds("10.0.0.0/8", "10.255.1.2") && !holds("10.0.0.0/8", "11.0.0.0"));
        assert!(holds("10.0.0.0/8", "::ffff:10.1.1.1"));
        assert!(holds("0.0.0.0/0", "198.51.100.1") && !holds("0.0.0.0/0", "2001:db8::1"));
        assert!(holds("2001:db8::/32", "2001:db8:1::1") && !holds("2001:db8::/32", "2001:db9::1"));
        assert!(holds("192.0.2.1", "192.0.2.1") && !holds("192.0.2.1", "192.0.2.2"));
    }

    #[test]
    fn invalid_ranges_are_rejected() {
        for text in ["10.0.0.0/33", "10.0.0/8", "host", "::/129", "", "/8", "10.0.0.0/"] {
            assert!(text.parse::<AddressRange>().is_err(), "{text}");
        }
    }
}
