//! The search log stores how many visitors searched for plain words, and nothing about the visitors.

use axum::http::Method;
use lantern_config::Config;

use crate::support::{App, BROWSER, Reply};

/// Address of most visitors in the tests.
pub const HERE: &str = "192.0.2.1";
const ADULT: &str = "age_agreed=1";
const GOOGLE: &str = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

/// Makes the site trust the `X-Forwarded-For` that the tests send.
pub fn behind_a_proxy(config: &mut Config) {
    config.server.trusted_proxies = vec!["127.0.0.0/8".to_owned()];
}

/// Requests a path as a browser that has passed the age gate. The site must be [`behind_a_proxy`].
pub async fn visit(app: &App, address: &str, path: &str) {
    let reply = request(app, Method::GET, path, address, BROWSER, ADULT).await;
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
}

async fn request(app: &App, method: Method, path: &str, address: &str, agent: &str, cookies: &str) -> Reply {
    let headers = [("x-forwarded-for", address), ("user-agent", agent), ("cookie", cookies)];
    let sent = headers.iter().filter(|(_, value)| !value.is_empty()).copied().collect::<Vec<_>>();
    app.send(method, path, &sent).await
}

fn call(text: &str, lang: &str, page: u32) -> String {
    let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("/api/videos2.php?params=86400/str/relevance/10/search..{page}.all.all.all&s={encoded}&lang={lang}")
}

async fn search(app: &App, address: &str, text: &str, lang: &str) {
    visit(app, address, &call(text, lang, 1)).await;
}

/// Returns the number of visitors who searched for the query, for each language.
async fn counted(app: &App, query: &str) -> Vec<i64> {
    app.flush().await;
    let today = "day = (now() at time zone 'UTC')::date";
    app.numbers(&format!("select searches::bigint from search_days where {today} and query = '{query}' order by lang"))
        .await
}

#[tokio::test]
async fn visitor_is_counted_once_a_day_per_query() {
    let app = App::configured(behind_a_proxy).await;
    for text in ["harbour lights", "Harbour  LIGHTS", "harbour lights "] {
        for lang in ["en", "de"] {
            search(&app, HERE, text, lang).await;
        }
        visit(&app, HERE, &format!("/search/1/?s={}", text.trim().replace(' ', "+"))).await;
    }
    assert_eq!(counted(&app, "harbour lights").await, [1]);
    search(&app, "192.0.2.2", "harbour lights", "en").await;
    search(&app, "2001:db8:1:2::1", "harbour lights", "en").await;
    search(&app, "2001:db8:1:2:ffff::9", "harbour lights", "en").await;
    assert_eq!(counted(&app, "harbour lights").await, [3], "an IPv6 network is one visitor");
    visit(&app, "192.0.2.3", "/search/1/?s=harbour+lights").await;
    assert_eq!(counted(&app, "harbour lights").await, [4], "pages count like API requests");
    // Each node remembers its visitors separately.
    let other = app.another_node().await;
    search(&other, HERE, "harbour lights", "en").await;
    search(&other, HERE, "harbour lights", "en").await;
    assert_eq!(counted(&other, "harbour lights").await, [5]);
    app.finish().await;
}

#[tokio::test]
async fn robots_and_requests_without_visible_results_are_not_counted() {
    let app = App::configured(behind_a_proxy).await;
    let (api, page) = (call("harbour lights", "en", 1), "/search/1/?s=harbour+lights");
    let inspection = "Mozilla/5.0 (compatible; Google-InspectionTool/1.0;)";
    for path in [&*api, page] {
        for agent in [GOOGLE, inspection, "Mozilla/5.0 (compatible; AhrefsBot/7.0)", "curl/8.5.0", ""] {
            request(&app, Method::GET, path, HERE, agent, ADULT).await;
        }
        request(&app, Method::HEAD, path, HERE, BROWSER, ADULT).await;
        // Only the age gate was shown, so nothing is counted.
        for cookies in ["", "age_agreed=0"] {
            request(&app, Method::GET, path, HERE, BROWSER, cookies).await;
        }
    }
    assert_eq!(counted(&app, "harbour lights").await, [0; 0]);
    visit(&app, HERE, page).await;
    assert_eq!(counted(&app, "harbour lights").await, [1]);
    app.finish().await;

    // Without an age gate, no cookie is needed.
    let open = App::configured(|config| {
        behind_a_proxy(config);
        config.visitors.age_gate_countries.clear();
    })
    .await;
    request(&open, Method::GET, &api, HERE, BROWSER, "").await;
    request(&open, Method::GET, page, "192.0.2.2", BROWSER, "").await;
    assert_eq!(counted(&open, "harbour lights").await, [2]);
    open.finish().await;
}

#[tokio::test]
async fn only_plain_words_are_recorded() {
    let app = App::configured(behind_a_proxy).await;
    let before = app.numbers("select count(*) from search_days").await;
    for text in [
        "harbour -\"cheap pills\"",
        "harbour −walk",
        "-harbour",
        "\"harbour lights\"",
        "harbour \"lights",
        "harbour evil.example",
        "harbour https://evil",
        "me@example.org",
        "harbour 192.0.2.1",
        "+49 30 901820",
    ] {
        search(&app, HERE, text, "en").await;
    }
    app.flush().await;
    assert_eq!(app.numbers("select count(*) from search_days").await, before);
    search(&app, HERE, "sci-fi harbour", "en").await;
    assert_eq!(counted(&app, "sci-fi harbour").await, [1], "a hyphen within a word is not an exclusion");
    app.finish().await;
}

#[tokio::test]
async fn only_queries_of_several_visitors_are_suggested() {
    let app = App::configured(behind_a_proxy).await;
    for _ in 0..20 {
        search(&app, HERE, "lights harbour", "en").await;
    }
    for visitor in 1..=5 {
        search(&app, &format!("192.0.2.{visitor}"), "harbour lights", "en").await;
    }
    for visitor in 1..=4 {
        search(&app, &format!("192.0.2.{visitor}"), "one take", "en").await;
    }
    app.flush().await;
    app.reindex().await;
    let suggested = async |start: &str| {
        let answer = app.json(&format!("/api/suggester.php?c={start}&lang=en")).await;
        let list = answer["suggestions"].as_array().unwrap().clone();
        list.iter().map(|one| one["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(suggested("harbour%20l").await, ["harbour lights"]);
    assert!(suggested("one%20ta").await.is_empty());
    app.finish().await;
}

#[tokio::test]
async fn searches_without_hits_are_counted_with_their_relaxation() {
    let app = App::configured(behind_a_proxy).await;
    search(&app, HERE, "Harbour  Zeppelinfahrt", "de").await;
    search(&app, "192.0.2.2", "harbour zeppelinfahrt", "de").await;
    search(&app, HERE, "zeppelinfahrt", "de").await;
    // Later pages are not counted as searches.
    visit(&app, "192.0.2.3", &call("harbour zeppelinfahrt", "de", 2)).await;
    app.flush().await;
    let sums = async |condition: &str| {
        app.numbers(&format!(
            "select n::bigint from search_days, unnest(array[searches, hits, zero_hits, rescued]) with ordinality u(n, at)
             where lang = 'de' and {condition} order by query, at"
        ))
        .await
    };
    assert_eq!(sums("query = 'harbour zeppelinfahrt' and rescued_by = 'words'").await, [2, 0, 2, 2]);
    assert_eq!(sums("query = 'zeppelinfahrt' and rescued_by is null").await, [1, 0, 1, 0]);
    assert_eq!(app.numbers("select count(*) from search_days where lang = 'de'").await, [2]);
    app.finish().await;
}
