//! Minimal DNS client.

use std::{
    fs, io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use simple_dns::{CLASS, Name, Packet, PacketFlag, Question, RCODE, TYPE, rdata::RData};
use tokio::net::UdpSocket;
use uuid::Uuid;

/// Maximum UDP payload in bytes that avoids fragmentation on any path.
const MAX_RESPONSE: usize = 1232;
/// System resolver configuration (resolv.conf(5)).
const RESOLV_CONF: &str = "/etc/resolv.conf";
/// DNS port.
const PORT: u16 = 53;

/// Returns the first name server in the system configuration, if any.
pub fn system_server() -> Option<SocketAddr> {
    match fs::read_to_string(RESOLV_CONF) {
        Ok(text) => first_server(&text),
        Err(error) => {
            tracing::info!(%error, "failed to read {RESOLV_CONF}; crawlers can't be verified by DNS");
            None
        }
    }
}

fn first_server(text: &str) -> Option<SocketAddr> {
    let servers = text.lines().filter_map(|line| {
        let mut words = line.split_ascii_whitespace();
        words.next().filter(|word| *word == "nameserver").and(words.next())
    });
    // Skips addresses with a zone (fe80::1%eth0), which do not parse.
    servers.filter_map(|server| server.parse().ok()).map(|server: IpAddr| SocketAddr::new(server, PORT)).next()
}

/// Returns the name for a reverse lookup (PTR) of an address.
pub fn reverse_name(address: IpAddr) -> String {
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

/// Queries `server` and returns the names or addresses in the answer as text, or nothing if the name does not exist.
///
/// # Errors
/// The server is unreachable, `name` is malformed, or the server responded with an error. Does not time out.
pub async fn query(server: SocketAddr, name: &str, kind: TYPE) -> io::Result<Vec<String>> {
    // A fresh port and a random id for each query, so that answers cannot be forged.
    let any: IpAddr = if server.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0)).await?;
    socket.connect(server).await?;
    let [high, low, ..] = Uuid::new_v4().into_bytes();
    let mut question = Packet::new_query(u16::from_be_bytes([high, low]));
    question.set_flags(PacketFlag::RECURSION_DESIRED);
    let name = Name::new(name).map_err(io::Error::other)?;
    question.questions.push(Question::new(name, kind.into(), CLASS::IN.into(), false));
    socket.send(&question.build_bytes_vec().map_err(io::Error::other)?).await?;
    let mut buffer = [0; MAX_RESPONSE];
    loop {
        let length = socket.recv(&mut buffer).await?;
        if let Some(answer) = parse_response(&buffer[..length], &question) {
            return answer;
        }
    }
}

/// Parses the response to `question`; `None` if it is malformed or belongs to another query.
fn parse_response(bytes: &[u8], question: &Packet<'_>) -> Option<io::Result<Vec<String>>> {
    let reply = Packet::parse(bytes).ok()?;
    let name_of = |packet: &Packet<'_>| packet.questions.first().map(|question| question.qname.to_string());
    let same = |one: Option<String>, other: Option<String>| match (one, other) {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(&other),
        _ => false,
    };
    if reply.id() != question.id()
        || !reply.has_flags(PacketFlag::RESPONSE)
        || !same(name_of(&reply), name_of(question))
    {
        return None;
    }
    let value = |data: &RData<'_>| match data {
        RData::PTR(name) => Some(name.to_string()),
        RData::A(a) => Some(Ipv4Addr::from_bits(a.address).to_string()),
        RData::AAAA(a) => Some(Ipv6Addr::from_bits(a.address).to_string()),
        _ => None,
    };
    Some(match reply.rcode() {
        RCODE::NoError => Ok(reply.answers.iter().filter_map(|record| value(&record.rdata)).collect()),
        RCODE::NameError => Ok(Vec::new()),
        code => Err(io::Error::other(format!("the name server responded with {code:?}"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_server_is_parsed_from_resolv_conf() {
        let of = |text: &str| first_server(text).map(|server| server.to_string());
        let usual = "# nameserver 192.0.2.9\nsearch example\nnameserver 192.0.2.1\nnameserver 192.0.2.2\n";
        assert_eq!(of(usual).as_deref(), Some("192.0.2.1:53"));
        assert_eq!(
            of("nameserver fe80::1%eth0\nnameserver\t2001:db8::1 # second").as_deref(),
            Some("[2001:db8::1]:53")
        );
        for text in ["", "nameserver", "options edns0", "nameserver dns.example"] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn reverse_names_are_in_arpa() {
        let of = |address: &str| reverse_name(address.parse().expect("address"));
        assert_eq!(of("192.0.2.1"), "1.2.0.192.in-addr.arpa");
        assert_eq!(
            of("2001:db8::567:89ab"),
            "b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa"
        );
    }
}
