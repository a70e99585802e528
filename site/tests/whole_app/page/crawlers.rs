//! Verified search engines bypass the age gate, but clients that only claim to be a search engine don't.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use axum::http::Method;
use lantern_config::Config;
use simple_dns::{
    CLASS, Name, Packet, QTYPE, RCODE, ResourceRecord, TYPE,
    rdata::{A, AAAA, PTR, RData},
};
use tokio::net::UdpSocket;

use crate::{
    page::dom::Dom,
    support::{App, Reply},
};

const GOOGLE: &str = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const BING: &str = "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)";

/// Records of the tests' name server, each with its name, type and value.
const ZONE: &[(&str, TYPE, &str)] = &[
    ("1.66.249.66.in-addr.arpa", TYPE::PTR, "crawl-66-249-66-1.googlebot.com"),
    ("crawl-66-249-66-1.googlebot.com", TYPE::A, "66.249.66.1"),
    ("1.39.55.157.in-addr.arpa", TYPE::PTR, "msnbot-157-55-39-1.search.msn.com"),
    ("msnbot-157-55-39-1.search.msn.com", TYPE::A, "157.55.39.1"),
    ("144.81.43.100.in-addr.arpa", TYPE::PTR, "spider-100-43-81-144.yandex.com"),
    ("spider-100-43-81-144.yandex.com", TYPE::A, "100.43.81.144"),
    ("179.101.58.17.in-addr.arpa", TYPE::PTR, "17-58-101-179.applebot.apple.com"),
    ("17-58-101-179.applebot.apple.com", TYPE::A, "17.58.101.179"),
    ("120.66.125.123.in-addr.arpa", TYPE::PTR, "baiduspider-123-125-66-120.crawl.baidu.com"),
    ("baiduspider-123-125-66-120.crawl.baidu.com", TYPE::A, "123.125.66.120"),
    ("1.77.75.77.in-addr.arpa", TYPE::PTR, "fulltextrobot-77-75-77-1.seznam.cz"),
    ("fulltextrobot-77-75-77-1.seznam.cz", TYPE::A, "77.75.77.1"),
    // The owner of an address may give it any name, but the forward lookup detects this.
    ("5.113.0.203.in-addr.arpa", TYPE::PTR, "crawl-66-249-66-1.googlebot.com"),
    ("6.113.0.203.in-addr.arpa", TYPE::PTR, "googlebot.com.evil.example"),
    ("googlebot.com.evil.example", TYPE::A, "203.0.113.6"),
    ("1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.0.1.0.8.4.0.6.8.4.1.0.0.2.ip6.arpa", TYPE::PTR, "crawl-v6.googlebot.com"),
    ("crawl-v6.googlebot.com", TYPE::AAAA, "2001:4860:4801:10::1"),
];

/// Starts a name server on loopback that counts its queries and doesn't reply to those about 198.51.100.0/24.
async fn name_server() -> (SocketAddr, Arc<AtomicUsize>) {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let (address, queries) = (socket.local_addr().unwrap(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&queries);
    tokio::spawn(async move {
        let mut buffer = [0; 512];
        loop {
            let (length, from) = socket.recv_from(&mut buffer).await.unwrap();
            counted.fetch_add(1, Ordering::Relaxed);
            let query = Packet::parse(&buffer[..length]).unwrap();
            if query.questions[0].qname.to_string().ends_with(".100.51.198.in-addr.arpa") {
                continue;
            }
            // A forged response to another query must be ignored.
            let mut stray = reply(&query);
            stray.set_id(query.id() ^ 1);
            stray.answers = vec![record("x", &RData::A(A { address: 0x01020304 }))];
            socket.send_to(&stray.build_bytes_vec().unwrap(), from).await.unwrap();
            socket.send_to(&reply(&query).build_bytes_vec().unwrap(), from).await.unwrap();
        }
    });
    (address, queries)
}

fn record(name: &'static str, data: &RData<'static>) -> ResourceRecord<'static> {
    ResourceRecord::new(Name::new_unchecked(name), CLASS::IN, 60, data.clone())
}

fn reply<'a>(query: &Packet<'a>) -> Packet<'a> {
    let mut reply = Packet::new_reply(query.id());
    reply.questions.clone_from(&query.questions);
    let question = &query.questions[0];
    for (name, kind, value) in ZONE {
        if question.qname.to_string() == *name && question.qtype == QTYPE::TYPE(*kind) {
            reply.answers.push(record(
                name,
                &match kind {
                    TYPE::PTR => RData::PTR(PTR(Name::new_unchecked(value))),
                    TYPE::A => RData::A(A { address: value.parse::<std::net::Ipv4Addr>().unwrap().to_bits() }),
                    _ => RData::AAAA(AAAA { address: value.parse::<std::net::Ipv6Addr>().unwrap().to_bits() }),
                },
            ));
        }
    }
    if reply.answers.is_empty() {
        *reply.rcode_mut() = RCODE::NameError;
    }
    reply
}

async fn app(change: impl FnOnce(&mut Config)) -> App {
    App::configured(|config| {
        config.server.trusted_proxies = vec!["127.0.0.0/8".to_owned()];
        change(config);
    })
    .await
}

async fn visit(app: &App, agent: &str, address: &str) -> (bool, Reply) {
    let headers = [("user-agent", agent), ("x-forwarded-for", address)];
    let reply = app.send(Method::GET, "/videos/4/video-4/", &headers).await;
    (Dom::parse(&reply).boot()["age_gate"] == true, reply)
}

#[tokio::test]
async fn search_engine_is_verified_by_reverse_and_forward_dns() {
    let (server, queries) = name_server().await;
    let app = app(|config| config.crawlers.name_server = server.to_string()).await;
    let (is_gated, reply) = visit(&app, GOOGLE, "66.249.66.1").await;
    assert!(!is_gated);
    assert_eq!(reply.text(), app.page("/videos/4/video-4/").await.0.text(), "the same page as an adult gets");
    assert_eq!(queries.load(Ordering::Relaxed), 2, "reverse and forward lookup");
    assert!(!visit(&app, GOOGLE, "66.249.66.1").await.0 && visit(&app, BING, "66.249.66.1").await.0);
    assert!(visit(&app, "Mozilla/5.0", "66.249.66.1").await.0, "an address alone is not a crawler");
    assert_eq!(queries.load(Ordering::Relaxed), 2, "the result is cached, other clients are not looked up");
    assert!(!visit(&app, GOOGLE, "2001:4860:4801:10::1").await.0);
    for address in ["203.0.113.5", "203.0.113.6", "203.0.113.7", "66.249.66.1, 203.0.113.7"] {
        assert!(visit(&app, GOOGLE, address).await.0, "{address}");
    }
    app.finish().await;
}

#[tokio::test]
async fn slow_name_server_does_not_delay_pages() {
    let (server, queries) = name_server().await;
    let app = app(|config| {
        config.crawlers.name_server = server.to_string();
        config.crawlers.lookup_ms = 50;
        config.crawlers.lookups = 2;
    })
    .await;
    assert!(visit(&app, GOOGLE, "198.51.100.1").await.0, "a timeout verifies nothing");
    let addresses: Vec<String> = (2..20).map(|last| format!("198.51.100.{last}")).collect();
    let visits = addresses.iter().map(|address| visit(&app, GOOGLE, address));
    assert!(futures_util::future::join_all(visits).await.iter().all(|(is_gated, _)| *is_gated));
    assert!(queries.load(Ordering::Relaxed) <= 3, "{queries:?}: two at a time, the rest are not looked up");
    assert!(!visit(&app, GOOGLE, "66.249.66.1").await.0, "later lookups work");
    app.finish().await;
}

#[tokio::test]
async fn search_engine_is_verified_by_configured_address_ranges() {
    let app = app(|config| {
        config.crawlers.engines[0].ranges =
            ["66.249.64.0/19", "2001:4860:4801::/48"].map(|r| r.parse().unwrap()).to_vec();
    })
    .await;
    assert!(!visit(&app, GOOGLE, "66.249.66.1").await.0 && !visit(&app, GOOGLE, "2001:4860:4801:10::1").await.0);
    assert!(visit(&app, GOOGLE, "203.0.113.5").await.0 && visit(&app, BING, "66.249.66.1").await.0);
    app.finish().await;
}

#[tokio::test]
async fn without_a_name_server_no_search_engine_is_verified() {
    let app = app(|config| config.crawlers.name_server.clear()).await;
    for agent in [GOOGLE, BING] {
        assert!(visit(&app, agent, "66.249.66.1").await.0, "{agent}");
    }
    app.finish().await;
}

#[test]
fn default_name_server_is_the_systems() {
    assert_eq!(Config::default().crawlers.name_server, lantern_config::SYSTEM_NAME_SERVER);
}

/// The robot names and hosts are taken from each search engine's documentation.
#[tokio::test]
async fn default_search_engines_are_verified_under_every_robot_name() {
    let (server, _) = name_server().await;
    let app = app(|config| config.crawlers.name_server = server.to_string()).await;
    for (agent, address) in [
        ("Mozilla/5.0 (compatible; Google-InspectionTool/1.0;)", "66.249.66.1"),
        ("Googlebot-Image/1.0", "66.249.66.1"),
        ("MOZILLA/5.0 (COMPATIBLE; GOOGLEBOT/2.1)", "66.249.66.1"),
        (BING, "157.55.39.1"),
        ("Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)", "100.43.81.144"),
        ("Mozilla/5.0 (compatible; YandexRenderResourcesBot/1.0)", "100.43.81.144"),
        ("Mozilla/5.0 (compatible; YandexVideo/3.0)", "100.43.81.144"),
        ("Mozilla/5.0 (Macintosh) AppleWebKit/600.2.5 (Applebot/0.1)", "17.58.101.179"),
        ("Mozilla/5.0 (compatible; Baiduspider/2.0)", "123.125.66.120"),
        ("Mozilla/5.0 (compatible; SeznamBot/4.0)", "77.75.77.1"),
    ] {
        assert!(!visit(&app, agent, address).await.0, "{agent}");
        assert!(visit(&app, agent, "203.0.113.6").await.0, "{agent} from another address");
    }
    assert!(visit(&app, "Mozilla/5.0 (compatible; Applebot/0.1)", "66.249.66.1").await.0, "another engine's address");
    assert!(visit(&app, "Mozilla/5.0 YaBrowser/24.1 Yandex/1.0", "100.43.81.144").await.0, "a browser is not a robot");
    app.finish().await;
}
