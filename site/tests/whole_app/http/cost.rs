//! The cost of uncached responses is charged to the client that requests them.

use axum::http::Method;
use lantern_config::{Config, Gcra, Policy};

use crate::support::{App, Reply, listing};

const HEAVY: &str = "192.0.2.1";
const OTHER: &str = "192.0.2.2";
/// Budget of a client in milliseconds. A computation costs at least one.
const BUDGET: u32 = 40;

fn small_budget(config: &mut Config) {
    config.server.trusted_proxies = vec!["127.0.0.1".to_owned()];
    // The budget refills after an hour, which is longer than any test.
    config.limits.compute =
        Policy::Gcra(Gcra { burst: BUDGET, per_seconds: 3600 * 100, cells: 100, exempt_loopback: true });
}

async fn get_from(app: &App, address: &str, path: &str) -> Reply {
    app.send(Method::GET, path, &[("x-forwarded-for", address)]).await
}

/// Returns the path of a listing that is not cached.
fn uncached(number: u32) -> String {
    listing("longest", 20, &format!("all..1.all.{number}-{}.all", number + 1))
}

/// Requests one path after another until a request is refused. Returns the number of requests answered and the refusal.
async fn exhaust(app: &App, paths: impl Iterator<Item = String>) -> (u32, Reply) {
    let mut answered = 0;
    for path in paths {
        let reply = get_from(app, HEAVY, &path).await;
        if reply.status == 429 {
            return (answered, reply);
        }
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        answered += 1;
    }
    panic!("all {answered} were answered");
}

#[tokio::test]
async fn uncached_listings_are_charged_to_their_client() {
    let app = App::configured(small_budget).await;
    let (answered, reply) = exhaust(&app, (0..=BUDGET + 1).map(uncached)).await;
    assert!((1..=BUDGET).contains(&answered), "{answered}");
    reply.refused(429, "too_many_attempts");
    assert!(reply.header("retry-after").parse::<u32>().unwrap() > 0);
    // Cached responses are free, even those that another client paid for.
    assert_eq!(get_from(&app, HEAVY, &uncached(0)).await.status, 200);
    assert_eq!(get_from(&app, OTHER, &uncached(500)).await.status, 200);
    assert_eq!(get_from(&app, HEAVY, &uncached(500)).await.status, 200);
    assert_eq!(app.get(&uncached(501)).await.status, 200, "loopback is exempt in development");
    let figures = app.watch("/metrics").await.text();
    assert!(figures.contains("lantern_limit_refused_total{action=\"compute\"} 1\n"), "{figures}");
    app.finish().await;
}

#[tokio::test]
async fn searches_without_hits_and_pages_are_charged_too() {
    let app = App::configured(small_budget).await;
    let search =
        |number: u32| format!("/api/videos2.php?params=86400/str/relevance/60/search..1.all.all.all&s=nothing{number}");
    exhaust(&app, (0..=BUDGET + 1).map(search)).await.1.refused(429, "too_many_attempts");
    let page = "/videos/most-commented/1/";
    assert_eq!(get_from(&app, HEAVY, page).await.status, 429);
    assert_eq!(get_from(&app, OTHER, page).await.status, 200);
    assert_eq!(get_from(&app, HEAVY, page).await.status, 200, "it is cached now");
    app.finish().await;
}
