//! The app's HTML shell, files, redirects and cookies.

use axum::http::Method;

use crate::support::App;

#[tokio::test]
async fn page_embeds_start_values_and_sets_country_cookie() {
    let app = App::start().await;
    let reply = app.send(Method::GET, "/videos/longest/1/", &[("cookie", "app_lang=ru")]).await;
    assert_eq!((reply.status, reply.header("content-type")), (200, "text/html; charset=utf-8"));
    let text = reply.text();
    assert!(text.starts_with("<!doctype html><html lang=\"ru\"><head><title>"), "{text}");
    let boot = text.split_once("id=\"boot\">").unwrap().1;
    let known = "{\"country_code\":\"XX\",\"lang\":\"ru\",\"age_gate\":true,\"country\":\"RU\",\"gender\":\"str\",\"guest\":true,\"google\":false,\"cookie_domain\":\"\",\"limits\":{\"names\":3,";
    assert!(boot.starts_with(known), "{boot}");
    assert!(boot.ends_with("},\"answers\":{}}</script></body></html>"), "{boot}");
    assert_eq!(reply.header("cache-control"), "private, no-cache");
    assert!(reply.header("vary").contains("cookie"));
    assert_eq!(reply.header("set-cookie"), "country_code=XX; Path=/; Max-Age=31536000; SameSite=Lax");
    let token = format!("session={}", "A".repeat(43));
    let maybe_member = app.send(Method::GET, "/", &[("cookie", &token)]).await;
    assert!(maybe_member.text().contains("\"guest\":false"), "only the API knows whether the session is valid");
    let known = app.send(Method::GET, "/", &[("cookie", "country_code=XX; app_lang=<b>")]).await;
    assert!(known.headers.get("set-cookie").is_none());
    assert!(known.text().contains("\"lang\":\"en\""), "an unknown language falls back to English");
    app.finish().await;
}

#[tokio::test]
async fn unknown_addresses_return_404_with_the_app_shell() {
    let app = App::start().await;
    for path in ["/nothing/", "/videos/best/1/", "/history/x/", "/404/"] {
        let reply = app.get(path).await;
        assert_eq!((reply.status, reply.header("content-type")), (404, "text/html; charset=utf-8"), "{path}");
    }
    app.get("/api/json/nothing/1.json").await.refused(404, "not_found");
    app.get("/assets/gone-12345678.js").await.refused(404, "not_found");
    app.finish().await;
}

#[tokio::test]
async fn redirects_preserve_the_query_and_stay_on_the_site() {
    let app = App::start().await;
    for (path, target) in [
        ("/main/", "/"),
        ("/videos?gender=gay", "/videos/latest-updates/1/?gender=gay"),
        ("/videos/longest/1?type=hd", "/videos/longest/1/?type=hd"),
        ("/categories/music", "/categories/music/latest-updates/1/"),
        ("/models/mika-sato/", "/model/mika-sato/videos/1/"),
    ] {
        let reply = app.get(path).await;
        assert_eq!((reply.status, reply.header("location")), (308, target), "{path}");
    }
    assert_eq!(app.get("//evil.example/").await.status, 404);
    app.finish().await;
}

#[tokio::test]
async fn hashed_files_are_cached_forever_and_others_for_a_day() {
    let app = App::start().await;
    let script = app.get("/assets/index-Bx3kQ9_z.js").await;
    assert_eq!(script.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(
        (script.header("content-type"), script.text()),
        ("text/javascript; charset=utf-8", "console.log('lantern')".to_owned())
    );
    let icon = app.get("/assets/lantern.svg").await;
    assert_eq!(icon.header("cache-control"), "public, max-age=86400");
    let tag = icon.header("etag").to_owned();
    assert_eq!(app.send(Method::GET, "/assets/lantern.svg", &[("if-none-match", &tag)]).await.status, 304);
    for (path, content_type) in [
        ("/favicon.ico", "image/x-icon"),
        ("/assets/lantern.svg", "image/svg+xml"),
        ("/assets/lantern.webmanifest", "application/manifest+json"),
        ("/assets/share.jpg", "image/jpeg"),
    ] {
        let file = app.get(path).await;
        assert_eq!((file.status, file.header("content-type")), (200, content_type), "{path}");
    }
    app.send(Method::POST, "/assets/lantern.svg", &[]).await.refused(405, "method_not_allowed");
    let robots = app.get("/robots.txt").await;
    assert!(robots.text().contains("Disallow: /api/videos2.php"));
    app.finish().await;
}
