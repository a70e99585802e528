//! What isn't kept is paid for by who asks, and by nobody else.

use axum::http::Method;
use lantern_config::{Config, Gcra, Policy};

use crate::support::{App, Reply, listing};

const MANY: &str = "192.0.2.1";
const OTHER: &str = "192.0.2.2";
/// Milliseconds the tests' clients have; a computation costs one at least.
const BUDGET: u32 = 40;

fn poor(config: &mut Config) {
    config.server.trusted_proxies = vec!["127.0.0.1".to_owned()];
    // Back after an hour, which no test takes.
    config.limits.compute =
        Policy::Gcra(Gcra { burst: BUDGET, per_seconds: 3600 * 100, cells: 100, exempt_loopback: true });
}

async fn ask(app: &App, address: &str, path: &str) -> Reply {
    app.send(Method::GET, path, &[("x-forwarded-for", address)]).await
}

/// A listing nobody asked for before.
fn fresh(number: u32) -> String {
    listing("longest", 20, &format!("all..1.all.{number}-{}.all", number + 1))
}

/// Asks for one after the other until it is refused; how many were answered, and the refusal.
async fn exhaust(app: &App, paths: impl Iterator<Item = String>) -> (u32, Reply) {
    let mut answered = 0;
    for path in paths {
        let reply = ask(app, MANY, &path).await;
        if reply.status == 429 {
            return (answered, reply);
        }
        assert!([200, 404].contains(&reply.status), "{path}: {}", reply.text());
        answered += 1;
    }
    panic!("all {answered} were answered");
}

#[tokio::test]
async fn random_durations_are_paid_for_by_who_asks() {
    let app = App::configured(poor).await;
    let (answered, reply) = exhaust(&app, (0..=BUDGET + 1).map(fresh)).await;
    assert!((1..=BUDGET).contains(&answered), "{answered}");
    reply.refused(429, "too_many_attempts");
    assert!(reply.header("retry-after").parse::<u32>().unwrap() > 0);
    // What is kept costs nothing, whoever has it computed pays alone, and the page says the same as its call.
    assert_eq!(ask(&app, MANY, &fresh(0)).await.status, 200);
    assert_eq!(ask(&app, OTHER, &fresh(500)).await.status, 200);
    assert_eq!(ask(&app, MANY, &fresh(500)).await.status, 200);
    assert_eq!(app.get(&fresh(501)).await.status, 200, "loopback in development");
    let figures = app.watch("/metrics").await.text();
    assert!(figures.contains("lantern_limit_refused_total{action=\"compute\"} 1\n"), "{figures}");
    app.finish().await;
}

#[tokio::test]
async fn searches_without_hits_and_pages_cost_as_well() {
    let app = App::configured(poor).await;
    let search =
        |number: u32| format!("/api/videos2.php?params=86400/str/relevance/60/search..1.all.all.all&s=nothing{number}");
    exhaust(&app, (0..=BUDGET + 1).map(search)).await.1.refused(429, "too_many_attempts");
    let page = "/videos/most-commented/1/";
    assert_eq!(ask(&app, MANY, page).await.status, 429);
    assert_eq!(ask(&app, OTHER, page).await.status, 200);
    assert_eq!(ask(&app, MANY, page).await.status, 200, "it is kept now");
    app.finish().await;
}
