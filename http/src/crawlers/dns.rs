//! Questions to a name server.

use std::{
    fs, io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use simple_dns::{CLASS, Name, Packet, PacketFlag, Question, RCODE, TYPE, rdata::RData};
use tokio::net::UdpSocket;
use uuid::Uuid;

/// Largest answer over UDP that every path carries.
const LARGEST: usize = 1232;
/// Where the system names its servers (resolv.conf(5)).
const RESOLV_CONF: &str = "/etc/resolv.conf";
const PORT: u16 = 53;

/// The server that the system asks first, if it names one.
pub fn system() -> Option<SocketAddr> {
    match fs::read_to_string(RESOLV_CONF) {
        Ok(text) => first_server(&text),
        Err(error) => {
            tracing::info!(%error, "{RESOLV_CONF} can't be read, so no name server is known");
            None
        }
    }
}

fn first_server(text: &str) -> Option<SocketAddr> {
    let servers = text.lines().filter_map(|line| {
        let mut words = line.split_ascii_whitespace();
        words.next().filter(|word| *word == "nameserver").and(words.next())
    });
    // One with a zone (fe80::1%eth0) is no address to everybody; the next one is.
    servers.filter_map(|server| server.parse().ok()).map(|server: IpAddr| SocketAddr::new(server, PORT)).next()
}

/// The name under which an address is found.
pub fn reverse(address: IpAddr) -> String {
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
pub async fn ask(server: SocketAddr, name: &str, kind: TYPE) -> io::Result<Vec<String>> {
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
    let name_of = |packet: &Packet<'_>| packet.questions.first().map(|question| question.qname.to_string());
    let same = |one: Option<String>, other: Option<String>| match (one, other) {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(&other),
        _ => false,
    };
    if reply.id() != query.id() || !reply.has_flags(PacketFlag::RESPONSE) || !same(name_of(&reply), name_of(query)) {
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
        code => Err(io::Error::other(format!("the name server answers {code:?}"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_names_its_servers_in_a_file() {
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
    fn addresses_are_found_backwards() {
        let of = |address: &str| reverse(address.parse().expect("address"));
        assert_eq!(of("192.0.2.1"), "1.2.0.192.in-addr.arpa");
        assert_eq!(
            of("2001:db8::567:89ab"),
            "b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa"
        );
    }
}
