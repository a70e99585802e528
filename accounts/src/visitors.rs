//! Identifies visitors for counting. Keyed hashes distinguish visitors without revealing who they are.

use hmac::{Hmac, Mac};
use lantern_catalog::views::VIEWER_BYTES;
use lantern_media::links::Signer;
use lantern_ratelimit::ClientKey;
use sha2::Sha256;
use time::Date;

/// Computes the hashes with a key that is specific to this site.
pub struct Visitors {
    keyed: Hmac<Sha256>,
}

impl Visitors {
    /// Derives the key from the site's secret.
    pub fn new(signer: &Signer) -> Self {
        let key = signer.key("visitors");
        let keyed = <Hmac<Sha256> as Mac>::new_from_slice(&key)
            .unwrap_or_else(|_| unreachable!("HMAC takes keys of any length"));
        Self { keyed }
    }

    /// Identifies a viewer. A member is identified regardless of the address, and a guest is identified by address,
    /// because a browser controls everything else that it sends.
    pub fn viewer(&self, member: Option<i64>, address: &ClientKey) -> [u8; VIEWER_BYTES] {
        match member {
            Some(member) => self.hash(b"member view", &member.to_be_bytes()),
            None => self.hash(b"guest view", address.as_ref()),
        }
    }

    /// Identifies a guest's vote for one day. Hashes for different days can't be linked to the same address.
    pub fn guest_voter(&self, address: &ClientKey, today: Date) -> [u8; VIEWER_BYTES] {
        self.hash(b"guest vote", &[&today.to_julian_day().to_be_bytes(), address.as_ref()].concat())
    }

    fn hash(&self, purpose: &[u8], of: &[u8]) -> [u8; VIEWER_BYTES] {
        let mut mac = self.keyed.clone();
        // No purpose is a prefix of another.
        mac.update(purpose);
        mac.update(of);
        let mut hash = [0; VIEWER_BYTES];
        hash.copy_from_slice(&mac.finalize().into_bytes()[..VIEWER_BYTES]);
        hash
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use time::macros::date;

    use super::*;

    #[test]
    fn visitors_are_distinguished_by_member_or_address() {
        let visitors = Visitors::new(&Signer::new(b"one"));
        let address = |text: &str| ClientKey::from(text.parse::<IpAddr>().unwrap());
        let (here, there) = (address("192.0.2.1"), address("192.0.2.2"));
        assert_eq!(visitors.viewer(Some(1), &here), visitors.viewer(Some(1), &there));
        assert_ne!(visitors.viewer(Some(1), &here), visitors.viewer(Some(2), &here));
        assert_ne!(visitors.viewer(Some(1), &here), visitors.viewer(None, &here));
        assert_ne!(visitors.viewer(None, &here), visitors.viewer(None, &there));
        let (today, tomorrow) = (date!(2026 - 03 - 01), date!(2026 - 03 - 02));
        assert_eq!(visitors.guest_voter(&here, today), visitors.guest_voter(&here, today));
        assert_ne!(visitors.guest_voter(&here, today), visitors.guest_voter(&here, tomorrow));
        assert_ne!(visitors.guest_voter(&here, today), visitors.guest_voter(&there, today));
        let elsewhere = Visitors::new(&Signer::new(b"another secret"));
        assert_ne!(visitors.viewer(None, &here), elsewhere.viewer(None, &here));
    }
}
