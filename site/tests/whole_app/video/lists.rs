//! `videos2`: contents, order and counts of lists.

use std::sync::atomic::{AtomicI64, Ordering};

use lantern_config::Config;
use serde_json::json;

use crate::support::{App, NOW, listing, video_ids};

const VISIBLE: &str =
    "select v.id from videos v join video_stats s on s.video_id = v.id where visible and gender = 'str'";

#[tokio::test]
async fn every_order_matches_the_catalog() {
    let app = App::start().await;
    for (sort, date, key) in [
        ("latest-updates", "all", "post_date"),
        ("longest", "all", "duration"),
        ("most-commented", "all", "comments"),
        ("most-popular", "all", "viewed"),
        ("most-popular", "day", "viewed_day"),
        ("most-popular", "week", "viewed_week"),
        ("most-popular", "month", "viewed_month"),
        ("top-rated", "all", "standing"),
    ] {
        let expected = app.numbers(&format!("{VISIBLE} order by {key} desc, v.id desc limit 60")).await;
        let found = app.ids(&listing(sort, 60, &format!("all..1.all.all.{date}"))).await;
        assert_eq!(found, expected, "{sort} {date}");
    }
    app.finish().await;
}

#[tokio::test]
async fn pages_cover_the_whole_list() {
    let app = App::start().await;
    let expected = app.numbers(&format!("{VISIBLE} order by duration desc, v.id desc")).await;
    let mut found = Vec::new();
    let mut page = 1;
    loop {
        let answer = app.json(&listing("longest", 25, &format!("all..{page}.all.all.all"))).await;
        assert_eq!(answer["total_count"], expected.len());
        assert_eq!(answer["pages"], expected.len().div_ceil(25));
        let ids = video_ids(&answer);
        if ids.is_empty() {
            break;
        }
        found.extend(ids);
        page += 1;
    }
    assert_eq!(found, expected);
    app.finish().await;
}

#[tokio::test]
async fn filters_match_sql_conditions() {
    let app = App::start().await;
    // Videos with a future date are not within any past period.
    let ahead = "update videos set post_date = to_timestamp(1790000000 + id * 3600) where id in (1, 2)";
    app.change(ahead).await;
    let listed = app.ids(&listing("latest-updates", 60, "all..1.all.all.all")).await;
    assert_eq!(listed[..4], [2, 1, 3, 4], "lists without a date filter contain them");
    for (file, condition) in [
        ("all..1.hd.all.all", "is_hd"),
        ("all..1.uncensored.all.all", "is_uncensored"),
        ("all..1.all.short.all", "duration < 600"),
        ("all..1.all.medium.all", "duration between 600 and 1800"),
        ("all..1.all.long.all", "duration > 1800"),
        ("all..1.all.5-7.all", "duration between 300 and 420"),
        ("all..1.all.all.day", "post_date between to_timestamp(1790000000 - 86400) and to_timestamp(1790000000)"),
        ("all..1.all.all.week", "post_date between to_timestamp(1790000000 - 7 * 86400) and to_timestamp(1790000000)"),
        (
            "all..1.all.all.month",
            "post_date between to_timestamp(1790000000 - 30 * 86400) and to_timestamp(1790000000)",
        ),
        ("channel.1.1.all.all.all", "channel_id = 1"),
        ("member.2.1.all.all.all", "user_id = 2"),
        (
            "model.mika-sato.1.all.all.all",
            "v.id in (select video_id from video_models l join models m on m.id = l.model_id where m.dir = 'mika-sato')",
        ),
    ] {
        // Lists for a channel, member or model don't depend on the orientation.
        let of = if file.starts_with("all") { "gender = 'str'" } else { "true" };
        let sql = format!(
            "select v.id from videos v where visible and {of} and {condition} order by post_date desc, v.id desc"
        );
        let expected = app.numbers(&sql).await;
        assert!(!expected.is_empty(), "{file} matches nothing");
        let answer = app.json(&listing("latest-updates", 100, file)).await;
        assert_eq!(answer["total_count"], expected.len(), "{file}");
        assert_eq!(video_ids(&answer), expected[..expected.len().min(100)], "{file}");
    }
    let others = app.numbers("select id from videos where visible and gender = 'gay' and channel_id = 1").await;
    assert!(!others.is_empty(), "the channel has videos of another orientation");
    let past = app.json(&listing("latest-updates", 100, "channel.1.99.all.all.all")).await;
    assert_eq!((&past["videos"], &past["code"]), (&json!([]), &json!("channels_not_found")));
    app.finish().await;
}

#[tokio::test]
async fn videos_must_match_every_category_of_a_combination() {
    let app = App::start().await;
    let of = |dir: &str| {
        format!(
            "exists (select from video_categories l join categories c on c.id = l.category_id where l.video_id = v.id and c.dir = '{dir}')"
        )
    };
    let sql = format!("{VISIBLE} and {} and {} order by post_date desc, v.id desc", of("dance"), of("city"));
    let expected = app.numbers(&sql).await;
    assert!(expected.len() > 5);
    for dirs in ["dance,city", "city,dance", "city,dance,city"] {
        let file = format!("categories.{dirs}.1.all.all.all");
        assert_eq!(app.ids(&listing("latest-updates", 100, &file)).await, expected, "{dirs}");
    }
    app.finish().await;
}

#[tokio::test]
async fn country_chart_counts_its_own_views_and_world_chart_all() {
    let app = App::start().await;
    let chart = "select v.id from videos v join view_countries c on c.video_id = v.id
        where visible and gender = 'str' and country = 'JP'";
    let expected = app.numbers(&format!("{chart} order by viewed desc, v.id desc limit 30")).await;
    assert_eq!(app.ids(&listing("most-popular", 30, "top-country.JP.1.all.all.all")).await, expected);
    let expected = app
        .numbers(&format!("{chart} and is_uncensored and duration > 1800 order by viewed desc, v.id desc limit 30"))
        .await;
    assert_eq!(app.ids(&listing("most-popular", 30, "top-country.JP.1.uncensored.long.all")).await, expected);
    let expected = app.numbers(&format!("{VISIBLE} order by viewed desc, v.id desc limit 30")).await;
    assert_eq!(app.ids(&listing("most-popular", 30, "top-country.XX.1.all.all.all")).await, expected);
    // Other sort orders sort the videos watched in the country, and dates filter by publication.
    for (sort, key) in [
        ("longest", "duration"),
        ("latest-updates", "post_date"),
        ("top-rated", "standing"),
        ("most-commented", "s.comments"),
    ] {
        let sql = chart.replace("where", "join video_stats s on s.video_id = v.id where");
        let expected = app.numbers(&format!("{sql} and is_hd order by {key} desc, v.id desc")).await;
        let mut found = Vec::new();
        for page in 1..=2 {
            let answer = app.json(&listing(sort, 100, &format!("top-country.JP.{page}.hd.all.all"))).await;
            assert_eq!(answer["total_count"], expected.len(), "{sort}");
            found.extend(video_ids(&answer));
        }
        assert_eq!(found, expected, "{sort}");
        let expected = app.numbers(&format!("{VISIBLE} order by {key} desc, v.id desc limit 30")).await;
        assert_eq!(app.ids(&listing(sort, 30, "top-country.XX.1.all.all.all")).await, expected, "{sort}");
    }
    let expected = app
        .numbers(&format!(
            "{chart} and post_date >= to_timestamp(1790000000 - 30 * 86400) order by viewed desc, v.id desc"
        ))
        .await;
    assert_eq!(app.ids(&listing("most-popular", 100, "top-country.JP.1.all.all.month")).await, expected);
    let none = app.json(&listing("most-popular", 30, "top-country.NZ.1.all.all.all")).await;
    assert_eq!((video_ids(&none).len(), &none["code"]), (0, &json!("videos_not_found")));
    assert_eq!(app.json(&listing("longest", 30, "top-country.NZ.1.all.all.all")).await["total_count"], 0);
    app.finish().await;
}

#[tokio::test]
async fn card_contains_the_fields_shown_in_lists() {
    let app = App::start().await;
    let answer = app.json(&format!("{}?lang=ru", listing("latest-updates", 1, "all..1.all.all.all"))).await;
    let card = &answer["videos"][0];
    assert_eq!(
        *card,
        json!({
            "video_id": 1, "dir": "video-1", "title": "Harbour lights 1", "title_lang": "en", "duration": "2:37",
            "thumb": "/media/p/demo/01/shot-1-320.webp", "thumbsrc": "/media/p/demo/01/shot-1-640.webp",
            "scr": "/media/p/demo/01/sprite.webp", "img": "/media/p/demo/01/poster.jpg",
            "post_date": "2026-09-21T07:16:40Z", "rating": card["rating"], "video_viewed": 7919, "comments": 3,
            "is_hd": false, "is_uncensored": false,
            "models": [{"dir": "mika-sato", "title": "Mika Sato"}, {"dir": "anna-lind", "title": "Anna Lind"}],
            "categories": [{"dir": "travel", "title": "Путешествия"}, {"dir": "dance", "title": "Танцы"}],
        })
    );
    // This is the rating for 11 of 12 votes.
    assert_eq!(card["rating"].as_f64(), Some(4.58), "{card}");
    // The translation is shown if it exists, otherwise the original.
    let russian = app.json(&format!("{}?lang=ru", listing("latest-updates", 3, "all..2.all.all.all"))).await;
    let titles: Vec<&str> =
        russian["videos"].as_array().unwrap().iter().map(|card| card["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Ночной рынок 4", "Night market walk 5", "Harbour lights 6"]);
    app.finish().await;
}

#[tokio::test]
async fn facet_counts_equal_sql_counts_for_every_category_and_gender() {
    let app = App::start().await;
    assert_eq!(counts_equal_sql(&app).await, 18, "six categories, three genders");
    app.finish().await;
}

#[tokio::test]
async fn facet_counts_equal_sql_counts_on_the_demo_data() {
    let app = App::demo().await;
    assert!(counts_equal_sql(&app).await > 170, "sixty categories, three genders, few of them empty");
    app.finish().await;
}

/// Compares the counts of every API that returns them. Returns the number of pairs of category and gender that have
/// videos.
async fn counts_equal_sql(app: &App) -> usize {
    let truth: Vec<_> =
        lantern_testing::count_by_category(app.pool()).await.unwrap().into_iter().filter(|row| row.total > 0).collect();
    for gender in ["str", "she", "gay"] {
        let of_gender = truth.iter().filter(|row| row.gender == gender).count();
        let expected =
            |dir: &str| truth.iter().find(|row| row.dir == dir && row.gender == gender).map_or(0, |row| row.total);
        let calls = [
            format!("/api/json/videos2/86400/{gender}/latest-updates/1/all..1.all.all.all.json"),
            format!("/api/json/categories/86400/{gender}.all.en.json"),
            format!("/api/json/main/14400/{gender}.en.json"),
        ];
        for call in calls {
            let answer = app.json(&call).await;
            let counts = answer["categories"].as_array().unwrap();
            assert!(counts.len() >= of_gender, "{call}");
            for count in counts {
                assert_eq!(count["total_videos"], expected(count["dir"].as_str().unwrap()), "{call} {count}");
            }
        }
        let facets = app.json(&format!("/api/facets.php?facet=categories&gender={gender}&lang=ru")).await;
        for facet in facets["facets"].as_array().unwrap() {
            assert_eq!(facet["total"], expected(facet["value"].as_str().unwrap()), "{facet}");
        }
        // A category's count is the length of its list.
        for row in truth.iter().filter(|row| row.gender == gender) {
            let file = format!("categories.{}.1.all.all.all.json", row.dir);
            let answer = app.json(&format!("/api/json/videos2/86400/{gender}/longest/1/{file}")).await;
            assert_eq!(answer["total_count"], row.total, "{gender} {}", row.dir);
        }
    }
    truth.len()
}

#[tokio::test]
async fn models_are_counted_over_the_whole_result() {
    let app = App::start().await;
    let answer = app.json(&listing("longest", 1, "categories.yoga.1.all.all.all")).await;
    for model in answer["models"].as_array().unwrap() {
        let dir = model["dir"].as_str().unwrap();
        let expected = app
            .numbers(&format!(
                "select count(*) from videos v join video_models l on l.video_id = v.id join models m on m.id = l.model_id
                 where visible and v.gender = 'str' and m.dir = '{dir}' and exists (select from video_categories x
                 join categories c on c.id = x.category_id where x.video_id = v.id and c.dir = 'yoga')"
            ))
            .await;
        assert_eq!(model["total_videos"], expected[0], "{dir}");
        assert_ne!(model["title"], dir, "the model's name is included");
    }
    assert!(answer["models"].as_array().unwrap().len() > 3);
    app.finish().await;
}

#[tokio::test]
async fn invalid_lists_are_not_found() {
    let app = App::start().await;
    for (file, code) in [
        ("categories.nowhere.1.all.all.all", "category_not_found"),
        ("categories.travel,nowhere.1.all.all.all", "category_not_found"),
        ("model.nobody.1.all.all.all", "model_not_found"),
        ("channel.99.1.all.all.all", "channel_not_found"),
        ("member.99.1.all.all.all", "member_not_found"),
        ("member.39.1.all.all.all", "member_not_found"),
        ("history..1.all.all.all", "not_found"),
        ("search..1.all.all.all", "not_found"),
        ("all..0.all.all.all", "not_found"),
        ("all..99999999.all.all.all", "not_found"),
    ] {
        app.get(&listing("longest", 60, file)).await.refused(404, code);
    }
    for path in [
        "/api/json/videos2/86399/str/longest/60/all..1.all.all.all.json",
        "/api/json/videos2/86400/xxx/longest/60/all..1.all.all.all.json",
        "/api/json/videos2/86400/str/relevance/60/all..1.all.all.all.json",
        "/api/json/videos2/86400/str/longest/101/all..1.all.all.all.json",
        "/api/json/videos2/86400/str/longest/60/all..1.all.all.all",
    ] {
        app.get(path).await.refused(404, "not_found");
    }
    let path = format!("{}?lang=xx", listing("longest", 60, "all..1.all.all.all"));
    app.get(&path).await.refused(422, "invalid");
    app.finish().await;
}

#[tokio::test]
async fn lists_by_date_share_recently_computed_windows() {
    static PASSED: AtomicI64 = AtomicI64::new(0);
    let app = App::start().await;
    let node = app.counted_node_of_server(|| NOW + PASSED.load(Ordering::SeqCst)).await;
    let Some((node, trips)) = node else { return };
    // The page is deep enough that the node has to find its start. Each language is cached separately.
    let page = listing("longest", 20, "all..5.all.all.year");
    let request = async |lang: &str| {
        trips.take();
        let found = node.ids(&format!("{page}?lang={lang}")).await;
        assert_eq!(found.len(), 20);
        (found, trips.take())
    };
    node.ids(&listing("longest", 20, "all..1.all.all.all")).await;
    let (first, computed) = request("en").await;
    PASSED.store(7, Ordering::SeqCst);
    let (found, shared) = request("de").await;
    assert_eq!(found, first);
    assert!(shared < computed, "{shared} requests, {computed} the first time");
    // The period still moves on.
    PASSED.store(i64::from(Config::default().listing.date_seconds), Ordering::SeqCst);
    assert_eq!(request("fr").await.1, computed);
    drop(node);
    app.finish().await;
}

#[tokio::test]
async fn page_past_the_last_costs_one_search_request() {
    let app = App::start().await;
    let Some((node, trips)) = app.counted_node_of_server(|| NOW).await else { return };
    // Each language is cached separately, and the first request fetches what all languages need.
    for lang in ["en", "de"] {
        trips.take();
        let past = node.get(&format!("{}?lang={lang}", listing("longest", 60, "all..99.all.all.all"))).await.json();
        assert_eq!(
            (past["videos"].clone(), past["total_count"].as_u64().is_some_and(|total| total > 100)),
            (json!([]), true),
            "{past}"
        );
    }
    assert_eq!(trips.take(), 1);
    drop(node);
    app.finish().await;
}
