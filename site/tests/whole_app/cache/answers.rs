//! Response cache: invalidation on every node, cache keys, validators and encodings.

use std::time::Instant;

use axum::{
    body::Body,
    http::{Method, Request},
};
use tower::ServiceExt;

use crate::support::{App, PATIENCE, Reply, listing, video_ids};

async fn metric(app: &App, name: &str) -> u64 {
    let text = app.watch("/metrics").await.text();
    let line = text.lines().find(|line| line.starts_with(&format!("lantern_cache_{name} "))).unwrap();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn hidden_video_is_purged_on_every_node_without_flushing_others() {
    let app = App::start().await;
    let other = app.another_node().await;
    let list = listing("longest", 10, "all..1.all.all.all");
    let other_page = listing("longest", 10, "all..3.all.all.all");
    let hidden = app.ids(&list).await[0];
    for node in [&app, &other] {
        assert!(video_ids(&node.json(&list).await).contains(&hidden));
        assert!(!video_ids(&node.json(&other_page).await).contains(&hidden));
    }
    app.change(&format!("update videos set is_private = true where id = {hidden}")).await;

    // The node that made the change invalidates its cache at once, and the other node does so when notified.
    assert!(!video_ids(&app.json(&list).await).contains(&hidden));
    let changed = Instant::now();
    while video_ids(&other.json(&list).await).contains(&hidden) {
        assert!(changed.elapsed() < PATIENCE, "the other node still shows a hidden video");
        tokio::task::yield_now().await;
    }
    for node in [&app, &other] {
        let misses = metric(node, "misses_total").await;
        node.json(&other_page).await;
        assert_eq!(metric(node, "misses_total").await, misses, "a response without the video is still cached");
    }
    other.finish().await;
    app.finish().await;
}

#[tokio::test]
async fn deleted_category_disappears_from_cached_lists() {
    let app = App::start().await;
    let list = listing("longest", 60, "all..1.all.all.all");
    let category = app.json(&list).await["categories"][0]["dir"].as_str().unwrap().to_owned();
    app.change(&format!("delete from categories where dir = '{category}'")).await;
    let named = app.json(&list).await;
    assert!(named["categories"].as_array().unwrap().iter().all(|counted| counted["dir"] != category.as_str()));
    app.finish().await;
}

#[tokio::test]
async fn cache_key_ignores_unknown_parameters_and_headers() {
    let app = App::start().await;
    let list = listing("longest", 10, "all..1.all.all.all");
    let body = app.get(&list).await.text();
    let entries = metric(&app, "entries").await;
    for junk in 0..50 {
        let poisoned = [("x-forwarded-host", "other.example"), ("cookie", "app_lang=de"), ("accept", "text/html")];
        let path = format!("{list}?lang=en&junk={junk}&utm_source=%3Cb%3E");
        assert_eq!(app.send(Method::GET, &path, &poisoned).await.text(), body);
    }
    assert_eq!(metric(&app, "entries").await, entries);
    assert_eq!(app.get(&list).await.text(), body);
    app.finish().await;
}

#[tokio::test]
async fn cached_response_has_the_same_headers() {
    let app = App::start().await;
    let list = listing("longest", 30, "all..1.all.all.all");
    for headers in [&[][..], &[("accept-encoding", "gzip, br")], &[("accept-encoding", "zstd")]] {
        let fetch = async || app.send(Method::GET, &list, headers).await;
        let (first, second, again) = (fetch().await, fetch().await, fetch().await);
        assert_ne!(second.header("x-request-id"), again.header("x-request-id"));
        for name in [
            "vary",
            "cache-control",
            "cache-tag",
            "content-type",
            "content-security-policy",
            "x-content-type-options",
            "rating",
        ] {
            assert_eq!(first.header(name), again.header(name), "{name}");
        }
        // The first response is compressed quickly, and later ones are compressed better.
        for name in ["etag", "content-length"] {
            assert_eq!(second.header(name), again.header(name), "{name}");
        }
        for tag in [first.header("etag"), again.header("etag")] {
            let known = app.send(Method::GET, &list, &[headers, &[("if-none-match", tag)]].concat()).await;
            assert_eq!((known.status, known.text().len(), known.header("etag")), (304, 0, tag));
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn metrics_report_outbox_backlog_and_disk_space() {
    let app = App::start().await;
    app.drain().await;
    let figure = async |name: &str| -> f64 {
        let text = app.watch("/metrics").await.text();
        // There is one series per index, and the test's index has `state="written"`.
        let is_own = |line: &str| !name.starts_with("lantern_outbox") || line.contains(r#"state="written""#);
        let line = text.lines().find(|line| line.starts_with(name) && is_own(line)).unwrap();
        line.rsplit(' ').next().unwrap().parse().unwrap()
    };
    assert_eq!(figure("lantern_outbox_waiting").await, 0.0);
    assert_eq!(figure("lantern_outbox_oldest_seconds").await, 0.0);
    app.sql(
        "insert into outbox (consumer_id, entity, entity_id, created_at)
         select id, 'video', 1, now() - interval '90 seconds' from outbox_consumers;
         insert into outbox (consumer_id, entity, entity_id, parked, retry_at)
         select id, 'album', 1, 'no', now() + interval '1 hour' from outbox_consumers",
    )
    .await;
    assert_eq!(figure("lantern_outbox_waiting").await, 1.0);
    assert!((90.0..120.0).contains(&figure("lantern_outbox_oldest_seconds").await));
    assert_eq!(figure("lantern_outbox_parked").await, 1.0);
    let free = figure("lantern_disk_free_bytes{folder=\"data\"}").await;
    assert!(free > 0.0 && free <= figure("lantern_disk_size_bytes{folder=\"data\"}").await);
    app.sql("delete from outbox").await;
    app.finish().await;
}

#[tokio::test]
async fn metrics_and_health_are_not_public() {
    let app = App::start().await;
    for path in ["/metrics", "/health/live", "/health/ready"] {
        assert_eq!(app.get(path).await.status, 404, "{path}");
        assert_eq!(app.watch(path).await.status, 200, "{path}");
    }
    assert!(app.watch("/metrics").await.text().contains("lantern_cache_hits_total"));
    app.watch("/").await.refused(404, "not_found");
    app.finish().await;
}

#[tokio::test]
async fn monitor_port_accepts_only_its_own_host_names() {
    let app = App::configured(|config| config.server.monitor_hosts = vec!["figures.example".to_owned()]).await;
    for path in [
        "/metrics",
        "/health/live",
        "/health/ready",
        "/explain?params=86400/str/relevance/20/search..1.all.all.all&s=harbour",
    ] {
        for host in ["127.0.0.1:9464", "[::1]:9464", "10.1.2.3", "localhost:9464", "figures.example:9464"] {
            assert_eq!(app.watch_at(host, path).await.status, 200, "{path} {host}");
        }
        // This is DNS rebinding: a page in the operator's browser has a name that resolves to this address.
        for host in ["rebound.example:9464", "localhost.rebound.example", "figures.example.rebound.example"] {
            app.watch_at(host, path).await.refused(421, "wrong_host");
        }
    }
    app.finish().await;
}

/// Returns the numbers of requests answered with a fresh hit, a stale hit, the request's own computation, and another
/// request's computation.
async fn answered(app: &App) -> [u64; 4] {
    [
        metric(app, "hits_total").await,
        metric(app, "stale_total").await,
        metric(app, "misses_total").await,
        metric(app, "waited_total").await,
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn thousand_concurrent_requests_cause_one_search() {
    let app = App::start().await;
    let Some((node, trips)) = app.counted_node() else { return app.finish().await };
    // The first list reads the category names.
    node.json(&listing("longest", 10, "all..1.all.all.all")).await;
    let before = answered(&node).await;
    trips.take();
    let path = listing("most-popular", 60, "all..1.all.all.all");
    let spawn_request = |_| {
        let (site, request) = (node.guest().site, Request::get(&path).body(Body::empty()).unwrap());
        tokio::spawn(async move { Reply::read(site.oneshot(request).await.unwrap()).await })
    };
    let tasks: Vec<_> = (0..1000).map(spawn_request).collect();
    let mut bodies = Vec::new();
    for reply in tasks {
        let reply = reply.await.unwrap();
        assert_eq!(reply.status, 200);
        bodies.push(reply.body);
    }
    assert_eq!(trips.take(), 1);
    assert!(bodies.iter().all(|body| *body == bodies[0]));
    let after = answered(&node).await;
    assert_eq!(after[2] - before[2], 1, "one request computes");
    assert_eq!(after.iter().sum::<u64>() - before.iter().sum::<u64>(), 1000, "each request is counted once");
    app.finish().await;
}

#[tokio::test]
async fn home_page_blocks_need_one_search() {
    let app = App::start().await;
    let Some((node, trips)) = app.counted_node() else { return app.finish().await };
    node.json(&listing("longest", 10, "all..1.all.all.all")).await;
    trips.take();
    let home = node.json("/api/json/home/3600/str.XX.en.json").await;
    assert!(!video_ids(&home["latest"]).is_empty());
    assert_eq!(trips.take(), 1);
    let charted = node.json("/api/json/home/3600/str.JP.en.json").await;
    assert!(!video_ids(&charted["country"]).is_empty());
    assert_eq!(trips.take(), 2, "a country's chart is read from another index");
    node.json("/api/json/home/3600/str.XX.en.json").await;
    assert_eq!(trips.take(), 0);
    app.finish().await;
}

#[tokio::test]
async fn related_videos_disappear_with_their_video() {
    let app = App::start().await;
    let path = "/api/json/videos_related2/432000/12/0/1.all.1.json";
    assert!(!app.ids(path).await.is_empty());
    app.change("update videos set is_private = true where id = 1").await;
    assert!(app.ids(path).await.is_empty(), "not served stale either");
    app.finish().await;
}

#[tokio::test]
async fn responses_to_owners_are_not_cached_for_others() {
    let app = App::start().await;
    let owner = app.sign_in(2, "somebody").await;
    // Playlist 7 is private.
    for path in ["/api/json/playlist/86400/0/7.json".to_owned(), listing("longest", 60, "playlist.7.1.all.all.all")] {
        for _ in 0..2 {
            let own = owner.get(&path).await;
            assert_eq!((own.status, own.header("cache-control")), (200, "private, no-store"), "{path}");
            app.get(&path).await.refused(403, "playlist_is_private");
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn uncached_responses_are_compressed_unless_they_contain_secrets() {
    let app = App::start().await;
    let owner = app.sign_in(2, "somebody").await;
    let private = listing("longest", 60, "playlist.7.1.all.all.all");
    for path in ["/api/json/comments/0/video/0/21.json", &private, "/api/json/comments/86400/video/0/21.json"] {
        for encoding in ["br", "zstd", "gzip"] {
            let reply = owner.send(Method::GET, path, &[("accept-encoding", encoding)], Body::empty()).await;
            assert_eq!((reply.status, reply.header("content-encoding")), (200, encoding), "{path}");
            assert!(reply.header("vary").contains("accept-encoding"), "{path}");
        }
    }
    // The responses contain a signed link and a signed challenge.
    for path in ["/api/videofile.php?video_id=1", "/api/captcha.php?for=signup"] {
        let reply = owner.send(Method::GET, path, &[("accept-encoding", "gzip, br")], Body::empty()).await;
        assert_eq!((reply.status, reply.header("content-encoding")), (200, ""), "{path}");
        assert!(reply.body.len() > 100, "{path}: large enough to be compressed");
        reply.json();
    }
    app.finish().await;
}

#[tokio::test]
async fn strong_etags_identify_the_bytes_sent() {
    let app = App::start().await;
    // The response fits into one packet, so it is cached only uncompressed, and passed on unchanged.
    for path in ["/static/tf/videos.3.json", "/api/json/playlists/86400/str/top-rated/60/member.5.1.json"] {
        // The first response is computed, and later ones come from the cache.
        let first = app.send(Method::GET, path, &[("accept-encoding", "gzip")]).await;
        let plain = app.get(path).await;
        let second = app.send(Method::GET, path, &[("accept-encoding", "gzip")]).await;
        for reply in [first, second] {
            let same_tag = reply.header("etag") == plain.header("etag");
            assert_eq!(same_tag, reply.body == plain.body, "{path}");
            assert_eq!(same_tag, reply.header("content-encoding").is_empty(), "{path}");
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn conditions_and_encodings_are_parsed_in_every_spelling() {
    let app = App::start().await;
    let path = listing("longest", 30, "all..1.all.all.all");
    let tag = app.get(&path).await.header("etag").to_owned();
    let weak = format!("W/{tag}");
    let list = format!("\"other\", {tag}");
    for method in [Method::GET, Method::HEAD] {
        for conditions in [&[tag.as_str()][..], &[&weak], &[&list], &["*"], &["\"other\"", &tag]] {
            let headers: Vec<_> = conditions.iter().map(|value| ("if-none-match", *value)).collect();
            let known = app.send(method.clone(), &path, &headers).await;
            assert_eq!(
                (known.status, known.body.len(), known.header("etag")),
                (304, 0, tag.as_str()),
                "{conditions:?}"
            );
        }
        let other = app.send(method.clone(), &path, &[("if-none-match", "\"other\"")]).await;
        assert_eq!(other.status, 200);
        let length: usize = other.header("content-length").parse().unwrap();
        assert_eq!(other.body.len(), if method == Method::GET { length } else { 0 });
    }
    for refused in ["br;q=0, gzip;q=0", "br;Q=0, gzip;Q=0.00", "BR ; q=0", "identity", "deflate"] {
        let reply = app.send(Method::GET, &path, &[("accept-encoding", refused)]).await;
        assert_eq!((reply.header("content-encoding"), reply.header("etag")), ("", tag.as_str()), "{refused}");
    }
    // Ranges are not supported.
    let ranged = app.send(Method::GET, &path, &[("range", "bytes=0-9")]).await;
    assert_eq!((ranged.status, ranged.header("etag")), (200, tag.as_str()));
    app.finish().await;
}
