//! Ranking by clicks. Results opened by many visitors move up, and repeated clicks by one visitor don't count.

use crate::support::{App, BROWSER, done, video_ids};

const PATH: &str = "/api/videos2.php?params=86400/str/relevance/10/search..1.all.all.all&s=harbour&lang=en";
/// Positions of the videos that the test's visitors open.
const LIKED: [usize; 2] = [8, 5];

async fn app() -> App {
    App::configured(|config| {
        config.server.trusted_proxies = vec!["127.0.0.0/8".to_owned()];
        config.visitors.age_gate_countries.clear();
    })
    .await
}

async fn open(app: &App, address: &str, agent: &str, video: i64, place: usize) {
    let (video, place) = (video.to_string(), place.to_string());
    let form = [("act", "found"), ("object_id", &*video), ("s", "Harbour "), ("lang", "en"), ("position", &*place)];
    done(&app.guest_acts(address, agent, &form).await);
}

/// Returns the first page after all clicks have been loaded.
async fn page(app: &App) -> Vec<i64> {
    app.flush().await;
    app.state().clicks.load(&app.state().pool, &app.state().config.search_log).await.unwrap();
    video_ids(&app.json(PATH).await)
}

/// Returns the nDCG@10 of a page with `liked` as the relevant videos.
fn ndcg(page: &[i64], liked: &[i64]) -> f64 {
    let gain = |at: usize| 1.0 / (at as f64 + 2.0).log2();
    let found: f64 = page.iter().enumerate().filter(|(_, id)| liked.contains(id)).map(|(at, _)| gain(at)).sum();
    found / (0..liked.len()).map(gain).sum::<f64>()
}

#[tokio::test]
async fn clicks_of_many_visitors_improve_ranking() {
    let app = app().await;
    let before = page(&app).await;
    let liked = LIKED.map(|at| before[at]);
    // Nine of ten visitors open a relevant video, and the others open the first one. Each visitor is in a different
    // network.
    for visitor in 0..40 {
        let at = match visitor % 10 {
            0..5 => LIKED[0],
            5..9 => LIKED[1],
            _ => 0,
        };
        open(&app, &format!("198.51.{visitor}.7"), BROWSER, before[at], at + 1).await;
    }
    let after = page(&app).await;
    let (was, is) = (ndcg(&before, &liked), ndcg(&after, &liked));
    assert!(is > was + 0.2, "{was} {is}: {before:?} {after:?}");
    let [mut same, mut now] = [before.clone(), after.clone()];
    same.sort_unstable();
    now.sort_unstable();
    assert_eq!(same, now, "the same videos in another order");
    // Other sort orders and languages are not affected.
    let sorted = app.ids(&PATH.replace("relevance", "longest")).await;
    assert_ne!(sorted, after);
    assert_eq!(app.ids(&PATH.replace("lang=en", "lang=de")).await, before);
    assert_eq!(app.numbers("select count(*) from search_clicks where query = 'harbour' and visitors >= 5").await, [2]);
    app.finish().await;
}

#[tokio::test]
async fn clicks_of_one_network_change_nothing() {
    let app = app().await;
    let before = page(&app).await;
    for visitor in 0..200 {
        open(&app, &format!("2001:db8:77:{visitor:x}::1"), BROWSER, before[9], 10).await;
        open(&app, &format!("198.51.100.{visitor}"), BROWSER, before[9], 10).await;
    }
    assert_eq!(page(&app).await, before);
    assert_eq!(app.numbers("select visitors::bigint from search_clicks").await, [2], "one /48 and one /24");
    app.finish().await;
}

#[tokio::test]
async fn clicks_of_robots_and_on_special_searches_are_ignored() {
    let app = app().await;
    for visitor in 0..6 {
        let address = format!("198.51.{visitor}.7");
        open(&app, &address, "curl/8.5.0", 1, 1).await;
        for text in ["me@example.org", "harbour -walk", "\"harbour\"", "forbidden"] {
            let form = [("act", "found"), ("object_id", "1"), ("s", text), ("lang", "en"), ("position", "1")];
            done(&app.guest_acts(&address, BROWSER, &form).await);
        }
        open(&app, &address, BROWSER, 41, 1).await;
        open(&app, &address, BROWSER, 9999, 1).await;
    }
    app.flush().await;
    assert_eq!(
        app.numbers("select count(*) from search_clicks").await,
        [0],
        "nor are clicks on private and missing videos"
    );
    for missing in ["object_id", "s", "lang", "position"] {
        let form = [("act", "found"), ("object_id", "1"), ("s", "harbour"), ("lang", "en"), ("position", "1")];
        let form: Vec<_> = form.into_iter().filter(|(name, _)| *name != missing).collect();
        app.guest_acts("198.51.100.7", BROWSER, &form).await.refused(422, "required");
    }
    app.finish().await;
}
