//! Response headers, caching, compression, limits and unavailable dependencies.

use axum::{
    body::Body,
    http::{Method, Request},
};
use lantern_config::Config;

use crate::support::{App, listing};

#[tokio::test]
async fn cacheable_responses_have_lifetimes_and_validators() {
    let app = App::start().await;
    for (path, lifetime) in [
        (listing("latest-updates", 60, "all..1.all.all.all"), 86_400),
        ("/api/json/main/14400/str.en.json".to_owned(), 14_400),
        ("/api/json/suggester/43200/10.json".to_owned(), 43_200),
        ("/api/json/videos_related2/432000/12/0/1.all.1.json".to_owned(), 432_000),
        ("/api/json/video/3600/0/1.json".to_owned(), 3_600),
    ] {
        let first = app.get(&path).await;
        assert_eq!(first.header("content-type"), "application/json");
        let control = first.header("cache-control");
        assert!(control.starts_with(&format!("public, max-age={lifetime}, stale-while-revalidate=")), "{control}");
        let tag = first.header("etag").to_owned();
        assert!(tag.starts_with('"') && tag.ends_with('"'), "strong: {tag}");
        let again = app.send(Method::GET, &path, &[("if-none-match", &tag)]).await;
        assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, tag.as_str()), "{path}");
        assert_eq!(again.header("cache-control"), control);
        let other = app.send(Method::GET, &path, &[("if-none-match", "\"other\"")]).await;
        assert_eq!((other.status, other.body), (200, first.body), "{path}");
    }
    app.finish().await;
}

/// RFC 9110, 15.4.5: a 304 carries the same `Vary` as the 200, so that a cache finds its stored response.
#[tokio::test]
async fn not_modified_has_the_same_vary_and_cache_control() {
    let app = App::start().await;
    app.media("demo/01/poster.jpg", b"a picture");
    for path in [
        "/videos/latest-updates/feed/",
        "/search/feed/?s=harbour",
        "/members/1/feed/",
        "/api/openapi.json",
        "/api/json/main/14400/str.en.json",
        "/assets/index-Bx3kQ9_z.js",
        "/assets/lantern.svg",
        "/sitemap.xml",
        "/media/p/demo/01/poster.jpg",
    ] {
        for coding in ["identity", "gzip"] {
            let encoding = [("accept-encoding", coding)];
            let whole = app.send(Method::GET, path, &encoding).await;
            assert_eq!(whole.status, 200, "{path}");
            let tag = whole.header("etag").to_owned();
            let known = app.send(Method::GET, path, &[&encoding[..], &[("if-none-match", &tag)]].concat()).await;
            assert_eq!((known.status, known.body.len()), (304, 0), "{path} {tag}");
            for name in ["vary", "cache-control"] {
                assert_eq!(known.header(name), whole.header(name), "{path} {coding}: {name}");
            }
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn change_changes_the_etag() {
    let app = App::start().await;
    let path = listing("latest-updates", 60, "all..1.all.all.all");
    let tag = app.get(&path).await.header("etag").to_owned();
    app.change("update videos set title = 'Another' where id = 1").await;
    let reply = app.send(Method::GET, &path, &[("if-none-match", &tag)]).await;
    assert_eq!(reply.status, 200);
    assert_ne!(reply.header("etag"), tag);
    app.finish().await;
}

#[tokio::test]
async fn responses_are_compressed_on_request_with_an_etag_per_encoding() {
    let app = App::start().await;
    let path = listing("latest-updates", 60, "all..1.all.all.all");
    let plain = app.get(&path).await;
    for coding in ["gzip", "br", "zstd"] {
        let reply = app.send(Method::GET, &path, &[("accept-encoding", coding)]).await;
        assert_eq!(reply.header("content-encoding"), coding);
        assert!(reply.header("vary").contains("accept-encoding"));
        assert!(reply.body.len() * 3 < plain.body.len(), "{coding}: {} of {}", reply.body.len(), plain.body.len());
        let tag = reply.header("etag").to_owned();
        assert!(tag.starts_with('"') && tag != plain.header("etag"), "{tag}");
        let known = app.send(Method::GET, &path, &[("accept-encoding", coding), ("if-none-match", &tag)]).await;
        assert_eq!(known.status, 304);
    }
    app.finish().await;
}

#[tokio::test]
async fn every_response_has_security_headers() {
    let app = App::start().await;
    app.media("demo/01/poster.jpg", b"picture");
    for (path, status) in [
        ("/", 200),
        ("/nothing/", 404),
        ("/api/me.php", 200),
        ("/api/nothing", 404),
        ("/assets/index-Bx3kQ9_z.js", 200),
        ("/media/p/demo/01/poster.jpg", 200),
    ] {
        let reply = app.get(path).await;
        assert_eq!(reply.status, status, "{path}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(reply.header("referrer-policy"), "strict-origin-when-cross-origin", "{path}");
        assert_eq!(reply.header("rating"), "RTA-5042-1996-1400-1577-RTA", "{path}");
        let policy = reply.header("content-security-policy");
        assert!(policy.contains("script-src 'self';") && policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        let is_picture = path.starts_with("/media/p/");
        let is_shared = reply.headers.contains_key("access-control-allow-origin");
        assert_eq!(is_shared, is_picture, "{path}: only pictures are open to other sites");
        assert_eq!(reply.header("x-request-id").len(), 36, "{path}");
    }
    app.finish().await;
}

#[tokio::test]
async fn https_sites_send_hsts() {
    let list = listing("longest", 30, "all..1.all.all.all");
    // The second request for the list is answered from the cache.
    let paths = ["/", "/nothing/", "/api/me.php", "/api/nothing", "/assets/index-Bx3kQ9_z.js", &list, &list];
    let app = App::configured(|config| config.server.public_url = "https://tube.example".to_owned()).await;
    for path in paths {
        assert_eq!(app.get(path).await.header("strict-transport-security"), "max-age=31536000", "{path}");
    }
    app.finish().await;
    let wide = |config: &mut Config| {
        config.server.public_url = "https://tube.example".to_owned();
        (config.security.hsts_seconds, config.security.hsts_subdomains) = (600, true);
    };
    let app = App::configured(wide).await;
    assert_eq!(app.get("/").await.header("strict-transport-security"), "max-age=600; includeSubDomains");
    app.finish().await;
    // The header is absent without HTTPS and if it is disabled.
    for (url, seconds) in [("", 600), ("http://tube.example", 600), ("https://tube.example", 0)] {
        let plain = |config: &mut Config| {
            config.server.public_url = url.to_owned();
            config.security.hsts_seconds = seconds;
        };
        let app = App::empty(plain).await;
        let reply = app.get("/api/nothing").await;
        assert!(reply.headers.get("strict-transport-security").is_none(), "{url:?} {seconds}");
        app.finish().await;
    }
}

#[tokio::test]
async fn methods_bodies_and_urls_are_limited() {
    let app = App::start().await;
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
        app.send(method.clone(), "/api/me.php", &[]).await.refused(405, "method_not_allowed");
        for path in ["/videos/longest/1/", "/videos/longest/feed/", "/edit/", "/assets/lantern.svg"] {
            let reply = app.send(method.clone(), path, &[]).await;
            reply.refused(405, "method_not_allowed");
            assert_eq!(reply.header("allow"), "GET,HEAD", "{path}");
        }
        app.send(method, "/nothing", &[]).await.refused(404, "not_found");
    }
    let megabyte = Request::post("/api/me.php").header("content-length", 1 << 20).body(Body::from(vec![b'x'; 1 << 20]));
    app.call(megabyte.unwrap()).await.refused(413, "body_too_large");
    app.get(&format!("/api/me.php?x={}", "x".repeat(60_000))).await.refused(414, "address_too_long");
    assert_eq!(app.send(Method::HEAD, "/api/me.php", &[]).await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn only_shared_resources_can_be_embedded_by_other_sites() {
    let app = App::start().await;
    app.media("demo/04/video.mp4", b"a film");
    let film = app.json("/api/videofile.php?video_id=4").await["video_url"][1]["url"].as_str().unwrap().to_owned();
    for path in [film.as_str(), "/", "/videos/4/", "/api/me.php", "/api/json/video/3600/0/4.json", "/robots.txt"] {
        let reply = app.get(path).await;
        let policy = reply.header("cross-origin-resource-policy");
        assert_eq!((reply.status, policy), (200, "same-site"), "{path}");
        assert!(reply.headers.get("access-control-allow-origin").is_none(), "{path}");
    }
    app.finish().await;
}

#[tokio::test]
async fn edit_pages_redirect_members_to_their_profile_and_guests_to_sign_in() {
    let app = App::start().await;
    let member = app.member("mika").await;
    let profile = format!("/members/{}/info/", member.id);
    for (path, of_member) in [("/edit/", profile.as_str()), ("/edit", &profile)] {
        let reply = member.get(path).await;
        assert_eq!((reply.status, reply.header("location")), (307, of_member), "{path}");
        let reply = app.get(path).await;
        assert_eq!((reply.status, reply.header("location").starts_with("/?next=%2Fedit")), (307, true), "{path}");
    }
    assert_eq!(member.get("/edit/").await.header("cache-control"), "private, no-store");
    for (path, next) in [
        ("/upload-video/", "%2Fupload-video%2F"),
        ("/upload-album/", "%2Fupload-album%2F"),
        ("/edit/?video_id=7", "%2Fedit%2F%3Fvideo_id%3D7"),
        ("/edit/?album_id=7&lang=de", "%2Fedit%2F%3Falbum_id%3D7%26lang%3Dde"),
    ] {
        assert_eq!(member.get(path).await.status, 200, "{path}");
        let reply = app.get(path).await;
        let redirect = (reply.status, reply.header("location"), reply.header("cache-control"));
        assert_eq!(redirect, (307, &*format!("/?next={next}"), "private, no-store"), "{path}");
        assert_eq!(app.get(reply.header("location")).await.status, 200, "{path}");
    }
    assert_eq!(member.get(&profile).await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn favicon_is_served_at_the_root() {
    let app = App::start().await;
    let icon = app.get("/favicon.ico").await;
    assert_eq!((icon.status, icon.header("content-type")), (200, "image/x-icon"));
    assert!(icon.body.starts_with(&[0, 0, 1, 0]), "an icon file");
    app.finish().await;
}

#[tokio::test]
async fn returns_404_for_too_many_categories() {
    let app = App::start().await;
    for (path, status) in [
        ("/categories/travel,dance,music/longest/1/", 200),
        ("/categories/travel,dance,music,yoga/longest/1/", 404),
        ("/categories/travel,travel,travel,travel/longest/1/", 404),
    ] {
        assert_eq!(app.get(path).await.status, status, "{path}");
    }
    app.finish().await;
    let app = App::configured(|config| config.listing.max_categories = 1).await;
    assert_eq!(app.get("/categories/travel,dance/longest/1/").await.status, 404);
    assert_eq!(app.get("/categories/travel/longest/1/").await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn returns_503_with_retry_after_without_index_or_engine() {
    let app = App::empty(|_| {}).await;
    let path = listing("longest", 60, "all..1.all.all.all");
    let reply = app.get(&path).await;
    reply.refused(503, "unavailable");
    assert_eq!(reply.header("retry-after"), "5");
    assert_eq!(app.watch("/health/ready").await.status, 503);
    assert_eq!(app.watch("/health/live").await.status, 200);
    app.finish().await;

    let app = App::start().await;
    if !app.stop_engine().await {
        eprintln!("skipped: the tests' search server is not ours to stop");
        return app.finish().await;
    }
    for path in [&*path, "/api/suggester.php?c=mus", "/api/json/main/14400/str.en.json", "/health/ready"] {
        let reply = if path.starts_with("/health/") { app.watch(path).await } else { app.get(path).await };
        reply.refused(503, "unavailable");
        assert!(!reply.text().contains("engine"), "internals are not disclosed: {}", reply.text());
    }
    app.finish().await;
}

#[tokio::test]
async fn overloaded_engine_returns_503_with_retry_after() {
    let app = App::configured(|config| config.search.queue = 0).await;
    if app.owns_engine() {
        let lists: Vec<_> = (1..=64).map(|page| listing("longest", 1, &format!("all..{page}.all.all.all"))).collect();
        let replies = futures_util::future::join_all(lists.iter().map(|path| app.get(path))).await;
        let refused: Vec<_> = replies.iter().filter(|reply| reply.status != 200).collect();
        assert!((1..64).contains(&refused.len()), "{} of 64 refused", refused.len());
        for reply in refused {
            reply.refused(503, "unavailable");
            assert_eq!(reply.header("retry-after"), "5");
        }
        // The overload has no lasting effect, so a retry succeeds.
        assert_eq!(app.get(&lists[63]).await.status, 200);
    }
    app.finish().await;
}

#[tokio::test]
async fn without_a_database_lists_are_served_and_videos_return_503() {
    let app = App::start().await;
    app.pool().close().await;
    assert_eq!(app.get(&listing("longest", 60, "all..1.all.all.all")).await.status, 200);
    let reply = app.get("/api/json/video/86400/0/1.json").await;
    reply.refused(503, "unavailable");
    assert_eq!(app.get("/api/videofile.php?video_id=1").await.status, 503);
    assert_eq!(app.watch("/health/ready").await.status, 503);
}
