//! The next request sees a committed change that was made with plain SQL.

use std::time::Instant;

use crate::support::{App, PATIENCE, listing, video_ids};

const SEARCH: &str = "/api/videos2.php?params=86400/str/relevance/100/search..1.all.all.all&s=";

#[tokio::test]
async fn new_title_is_searchable_and_listed() {
    let app = App::start().await;
    let list = listing("latest-updates", 60, "all..1.all.all.all");
    app.json(&list).await;
    app.json("/api/json/video/86400/0/1.json").await;
    assert_eq!(app.json(&format!("{SEARCH}submarine")).await["relaxed"], serde_json::json!(["popular"]));
    app.change("update videos set title = 'Submarine parade' where id = 1").await;
    assert_eq!(app.ids(&format!("{SEARCH}submarine")).await, [1]);
    assert_eq!(app.json(&list).await["videos"][0]["title"], "Submarine parade", "the cached list is invalidated");
    assert_eq!(app.json("/api/json/video/86400/0/1.json").await["video"]["title"], "Submarine parade");
    app.finish().await;
}

#[tokio::test]
async fn channel_changes_appear_on_pages_of_its_videos() {
    let app = App::start().await;
    let videos = app.numbers("select id from videos where channel_id = 1 and visible order by id limit 1").await;
    let page = format!("/api/json/video/86400/0/{}.json", videos[0]);
    assert_eq!(app.json(&page).await["video"]["channel"]["title"], "North");
    app.change("update channels set title = 'South', cf1 = null where id = 1").await;
    let channel = app.json(&page).await["video"]["channel"].clone();
    assert_eq!((&channel["title"], channel["cf1"].is_null()), (&"South".into(), true), "{channel}");
    app.finish().await;
}

#[tokio::test]
async fn private_video_disappears_everywhere() {
    let app = App::start().await;
    // Video 1 becomes the only one in a category and with a model, and the most watched in the country.
    app.change(
        "insert into categories (dir) values ('opera'); insert into category_titles select id, 'en', 'Opera' from categories where dir = 'opera';
         insert into video_categories select 1, id from categories where dir = 'opera';
         insert into models (dir, title, gender, birth_date) values ('ada-novak', 'Ada Novak', 'str', '1990-01-01');
         insert into video_models select 1, id from models where dir = 'ada-novak'",
    )
    .await;
    let places = [
        listing("latest-updates", 100, "all..1.all.all.all"),
        listing("latest-updates", 100, "categories.opera.1.all.all.all"),
        listing("latest-updates", 100, "model.ada-novak.1.all.all.all"),
        listing("latest-updates", 100, "channel.1.1.all.all.all"),
        format!("{SEARCH}harbour"),
        format!("{SEARCH}ada+novak"),
        "/api/json/videos_related2/432000/20/0/11.all.1.json".to_owned(),
    ];
    app.change(
        "update videos set channel_id = 1 where id = 1; update videos set title = 'Harbour lights twin' where id = 11",
    )
    .await;
    app.change("insert into video_models select 11, id from models where dir = 'ada-novak'").await;
    for place in &places {
        assert!(app.ids(place).await.contains(&1), "{place}");
    }
    let suggested = async || {
        let answer = app.json("/api/suggester.php?c=opera").await;
        answer["suggestions"].as_array().unwrap().len()
    };
    let facet = async || {
        let answer = app.json("/api/facets.php?facet=categories&q=opera&gender=str").await;
        answer["facets"].as_array().unwrap().len()
    };
    assert_eq!((suggested().await, facet().await), (1, 1));
    let total = app.json(&places[0]).await["total_count"].as_i64().unwrap();

    app.change("update videos set is_private = true where id = 1").await;
    for place in &places {
        assert!(!app.ids(place).await.contains(&1), "{place}");
    }
    assert_eq!((suggested().await, facet().await), (0, 0));
    let list = app.json(&places[0]).await;
    assert_eq!(list["total_count"], total - 1);
    assert!(list["categories"].as_array().unwrap().iter().all(|count| count["dir"] != "opera"));
    let categories = app.json("/api/json/categories/86400/str.all.en.json").await;
    assert!(categories["categories"].as_array().unwrap().iter().all(|category| category["dir"] != "opera"));
    assert_eq!(app.json("/api/json/video/86400/0/1.json").await["video"]["title"], "");
    app.get("/api/videofile.php?video_id=1").await.refused(403, "dont_have_permission");

    // A cached list without the video may be served stale once while it is being recomputed.
    app.change("update videos set is_private = false where id = 1").await;
    let changed = Instant::now();
    for place in &places {
        while !app.ids(place).await.contains(&1) {
            assert!(changed.elapsed() < PATIENCE, "{place}");
            tokio::task::yield_now().await;
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn deleted_video_leaves_the_country_chart() {
    let app = App::start().await;
    let chart = listing("most-popular", 100, "top-country.JP.1.all.all.all");
    let before = app.ids(&chart).await;
    app.change(&format!("update videos set status_id = deleted() where id = {}", before[0])).await;
    let answer = app.json(&chart).await;
    assert_eq!(video_ids(&answer), before[1..]);
    app.change(&format!("delete from videos where id = {}", before[1])).await;
    assert_eq!(app.ids(&chart).await, before[2..]);
    app.get(&format!("/api/json/video/86400/0/{}.json", before[1])).await.refused(404, "video_not_found");
    app.finish().await;
}

#[tokio::test]
async fn renamed_categories_and_models_change_on_every_card() {
    let app = App::start().await;
    let list = listing("latest-updates", 1, "all..1.all.all.all");
    app.json(&list).await;
    app.change("update category_titles set title = 'Voyages' where lang = 'en' and category_id = 1; update models set title = 'Mika S.' where id = 1")
        .await;
    let card = &app.json(&list).await["videos"][0];
    assert_eq!(card["categories"][0]["title"], "Voyages");
    assert_eq!(card["models"][0]["title"], "Mika S.");
    app.finish().await;
}
