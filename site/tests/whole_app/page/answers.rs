//! The app's boot data: the visitor's data, and exactly the responses to the app's first API requests.

use axum::http::Method;
use serde_json::Value;

use crate::{page::dom::Dom, support::App};

pub async fn boot(app: &App, path: &str, cookies: &str) -> Value {
    let reply = app.send(Method::GET, path, &[("cookie", &format!("age_agreed=1; {cookies}"))]).await;
    Dom::parse(&reply).boot()
}

fn urls(boot: &Value) -> Vec<&str> {
    boot["answers"].as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn page_embeds_responses_of_its_first_requests() {
    let app = App::start().await;
    let main = "/api/json/main/14400/str.en.json";
    for (path, calls) in [
        ("/", &["/api/json/home/3600/str.US.en.json"][..]),
        ("/categories/", &["/api/json/categories/86400/str.all.en.json"]),
        (
            "/videos/latest-updates/2/",
            &["/api/json/videos2/3600/str/latest-updates/60/all..2.all.all.all.json?lang=en"],
        ),
        (
            "/categories/travel,city/top-rated/1/?type=hd&duration=long&date=year",
            &["/api/json/videos2/86400/str/top-rated/60/categories.city,travel.1.hd.long.year.json?lang=en"],
        ),
        (
            "/top-country/1/?country=JP",
            &["/api/json/videos2/86400/str/most-popular/60/top-country.JP.1.all.all.all.json?lang=en"],
        ),
        (
            "/models/alphabet/1/?tattoo=no&age=25.&alphabet=M&height=150.170",
            &[
                "/api/json/models/86400/str/filt-alphabet~M-age~25.999-height~150.170-tattoo~no/alphabet/60/1.json?lang=en",
            ],
        ),
        (
            "/model/mika-sato/",
            &[
                "/api/json/model/86400/mi/mika-sato.json?lang=en",
                "/api/json/videos2/3600/str/latest-updates/60/model.mika-sato.1.all.all.all.json?lang=en",
            ],
        ),
        ("/model/mika-sato/info/", &["/api/json/model/86400/mi/mika-sato.json?lang=en"]),
        (
            "/videos/12/anything/",
            &[
                "/api/json/video/86400/0/12.json?lang=en",
                "/api/json/comments/86400/video/0/12.json",
                "/api/json/videos_related2/432000/12/0/12.all.1.json?lang=en",
            ],
        ),
        (
            "/model/mika-sato/wall/",
            &["/api/json/model/86400/mi/mika-sato.json?lang=en", "/api/json/model_wall/86400/mi/mika-sato.1.json"],
        ),
        ("/videos/history/1/", &[]),
        ("/saved-searches/", &[]),
        ("/members/3/favourite_videos/1/", &["/api/json/member/7200/0/3.json"]),
    ] {
        let boot = boot(&app, path, "").await;
        let expected: Vec<&str> = std::iter::once(main).chain(calls.iter().copied()).collect();
        assert_eq!(urls(&boot), expected, "{path}");
        for url in expected {
            assert_eq!(boot["answers"][url], app.json(url).await, "{path} {url}");
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn search_page_embeds_its_results() {
    let app = App::start().await;
    let boot = boot(&app, "/search/1/?s=night+market&categories=travel,city&sort=longest", "").await;
    let url = "/api/videos2.php?params=86400%2Fstr%2Flongest%2F60%2Fsearch..1.all.all.all&s=night+market&lang=en\
               &categories=city%2Ctravel";
    assert_eq!(urls(&boot).last(), Some(&url));
    // The id of the query and the time it took differ each time.
    let (mut embedded, mut requested) = (boot["answers"][url].clone(), app.json(url).await);
    for answer in [&mut embedded, &mut requested] {
        let answer = answer.as_object_mut().unwrap();
        answer.remove("query_id");
        answer.remove("processing_ms");
    }
    assert_eq!(embedded, requested);
    let short = crate::page::answers::boot(&app, "/search/1/?s=x", "").await;
    assert_eq!(urls(&short).len(), 1, "too short to search");
    app.finish().await;
}

#[tokio::test]
async fn cookies_set_language_and_orientation_and_links_override_them() {
    let app = App::start().await;
    let seen = boot(&app, "/videos/longest/1/", "app_lang=ja; gender=gay").await;
    assert_eq!((&seen["lang"], &seen["gender"], &seen["country"]), (&"ja".into(), &"gay".into(), &"JP".into()));
    assert_eq!(seen["country_code"], "XX");
    assert!(urls(&seen)[1].contains("/gay/longest/") && urls(&seen)[1].ends_with("lang=ja"));
    let seen = boot(&app, "/videos/longest/1/?lang=de&gender=she", "app_lang=ja; gender=gay").await;
    assert_eq!((&seen["lang"], &seen["gender"]), (&"de".into(), &"she".into()));
    let seen = boot(&app, "/videos/longest/1/?lang=xx&gender=", "app_lang=ja; gender=gay").await;
    assert_eq!((&seen["lang"], &seen["gender"]), (&"ja".into(), &"gay".into()), "unknown values are ignored");
    let chart = "/api/json/videos2/86400/str/most-popular/60/top-country.DE.1.all.all.all.json?lang=ja";
    let seen = boot(&app, "/top-country/1/", "app_lang=ja; chart_country=DE").await;
    assert_eq!((seen["country"].as_str(), urls(&seen).last()), (Some("DE"), Some(&chart)), "chosen on another page");
    for unknown in ["ZZ", "de", "XX", ""] {
        let seen = boot(&app, "/", &format!("app_lang=ja; chart_country={unknown}")).await;
        assert_eq!(seen["country"], "JP", "{unknown}");
    }
    let seen = boot(&app, "/", "app_lang=<b>; gender=x").await;
    assert_eq!((&seen["lang"], &seen["gender"]), (&"en".into(), &"str".into()));
    app.finish().await;
}

#[tokio::test]
async fn first_visit_is_in_the_language_of_the_browser() {
    let app = App::start().await;
    let accepted = [("accept-language", "fi, de-AT;q=0.9, en;q=0.8")];
    let reply = app.send(Method::GET, "/videos/longest/1/", &accepted).await;
    assert_eq!(reply.header("content-language"), "de");
    assert!(reply.header("vary").contains("accept-language"));
    let chosen = [accepted[0], ("cookie", "app_lang=ja")];
    assert_eq!(app.send(Method::GET, "/videos/longest/1/", &chosen).await.header("content-language"), "ja");
    assert_eq!(app.send(Method::GET, "/videos/longest/1/?lang=fr", &chosen).await.header("content-language"), "fr");
    assert_eq!(app.get("/videos/longest/1/").await.header("content-language"), "en");
    app.finish().await;
}

#[tokio::test]
async fn missing_page_embeds_only_its_frame() {
    let app = App::start().await;
    for path in ["/nothing/", "/videos/999999/", "/categories/nowhere/longest/1/"] {
        assert_eq!(urls(&boot(&app, path, "").await), ["/api/json/main/14400/str.en.json"], "{path}");
    }
    app.finish().await;
}
