//! Finished answers: what outdates them, on this node and on others, and what can't get in.

use std::time::{Duration, Instant};

use axum::http::Method;

use crate::support::{App, listing, video_ids};

async fn metric(app: &App, name: &str) -> u64 {
    let text = app.get("/metrics").await.text();
    let line = text.lines().find(|line| line.starts_with(&format!("lantern_cache_{name} "))).unwrap();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_hidden_video_leaves_every_node_and_the_rest_stays() {
    let app = App::start().await;
    let other = app.another_node().await;
    let list = listing("longest", 10, "all..1.all.all.all");
    let elsewhere = listing("longest", 10, "all..3.all.all.all");
    let hidden = app.ids(&list).await[0];
    for node in [&app, &other] {
        assert!(video_ids(&node.json(&list).await).contains(&hidden));
        assert!(!video_ids(&node.json(&elsewhere).await).contains(&hidden));
    }
    app.change(&format!("update videos set is_private = true where id = {hidden}")).await;

    // The node that made the change knows at once, the other hears of it.
    assert!(!video_ids(&app.json(&list).await).contains(&hidden));
    let told = Instant::now();
    while video_ids(&other.json(&list).await).contains(&hidden) {
        assert!(told.elapsed() < Duration::from_secs(1), "the other node still shows a hidden video");
        tokio::task::yield_now().await;
    }
    for node in [&app, &other] {
        let misses = metric(node, "misses_total").await;
        node.json(&elsewhere).await;
        assert_eq!(metric(node, "misses_total").await, misses, "an answer without the video is still in memory");
    }
    other.finish().await;
    app.finish().await;
}

#[tokio::test]
async fn a_removed_category_takes_its_name_along() {
    let app = App::start().await;
    let list = listing("longest", 60, "all..1.all.all.all");
    let category = app.json(&list).await["categories"][0]["dir"].as_str().unwrap().to_owned();
    app.change(&format!("delete from categories where dir = '{category}'")).await;
    let named = app.json(&list).await;
    assert!(named["categories"].as_array().unwrap().iter().all(|counted| counted["dir"] != category.as_str()));
    app.finish().await;
}

#[tokio::test]
async fn only_the_contract_s_keys_get_in() {
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
async fn an_answer_from_memory_has_the_same_headers() {
    let app = App::start().await;
    let list = listing("longest", 30, "all..1.all.all.all");
    for headers in [&[][..], &[("accept-encoding", "gzip, br")], &[("accept-encoding", "zstd")]] {
        let ask = async || app.send(Method::GET, &list, headers).await;
        let (first, second, again) = (ask().await, ask().await, ask().await);
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
        // The first compressed form is a quick one.
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
async fn metrics_are_for_this_machine() {
    let app = App::start().await;
    let passed_on = app.send(Method::GET, "/metrics", &[("x-forwarded-for", "203.0.113.9")]).await;
    passed_on.refused(404, "not_found");
    assert!(app.get("/metrics").await.text().contains("lantern_cache_hits_total"));
    app.finish().await;
}
