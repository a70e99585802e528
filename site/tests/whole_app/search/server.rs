//! The site with a search server, which scans every hit before a page. Pages are entered by key and have the same
//! results.

use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

use crate::support::{App, listing};

const SORTS: [&str; 5] = ["latest-updates", "longest", "most-commented", "most-popular", "top-rated"];
const DATES: [&str; 4] = ["all", "day", "week", "month"];
const DURATIONS: [&str; 4] = ["all", "short", "long", "3-40"];
const LISTS: [&str; 3] = ["all.", "categories.{category}", "top-country.JP"];

#[tokio::test]
async fn pages_at_any_depth_equal_those_of_the_embedded_engine() {
    let app = App::demo().await;
    let Some(behind_http) = app.behind_http().await else {
        eprintln!("skipped: the suite already runs on a server, there is nothing to compare with");
        return app.finish().await;
    };
    let categories = app.json("/api/json/categories/86400/str.all.en.json").await;
    let category = categories["categories"][0]["dir"].as_str().unwrap().to_owned();
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut deep = 0;
    for _ in 0..200 {
        let sort = SORTS.choose(&mut random).unwrap();
        let list = LISTS.choose(&mut random).unwrap().replace("{category}", &category);
        let [duration, date] = [DURATIONS.choose(&mut random).unwrap(), DATES.choose(&mut random).unwrap()];
        let count = random.random_range(20..60);
        let path = |page: u64| listing(sort, count, &format!("{list}.{page}.all.{duration}.{date}"));
        let pages = app.json(&path(1)).await["pages"].as_u64().unwrap();
        let page = random.random_range(1..=pages + 1);
        let path = path(page);
        let (near, far) = (app.get(&path).await, behind_http.get(&path).await);
        assert_eq!(near.status, 200, "{path}");
        assert_eq!(near.text(), far.text(), "{path}");
        deep += usize::from(page > 5 && near.json()["videos"].as_array().is_some_and(|list| !list.is_empty()));
    }
    assert!(deep > 20, "{deep}");
    behind_http.finish().await;
    app.finish().await;
}
