//! Additions to a search: groups of matching objects, exclusions, spelling suggestions and relaxed searches.

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::{
    search::log::{HERE, behind_a_proxy, visit},
    support::{App, video_ids},
};

/// Returns the path of a search. `tail` is the part of `params` after the sort order.
fn path(text: &str, lang: &str, tail: &str, rest: &str) -> String {
    let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("/api/videos2.php?params=86400/str/relevance/{tail}&s={encoded}&lang={lang}{rest}")
}

async fn search(app: &App, text: &str, lang: &str, rest: &str) -> Value {
    app.json(&path(text, lang, "100/search..1.all.all.all", rest)).await
}

async fn expected(app: &App, condition: &str) -> Vec<i64> {
    app.numbers(&format!("select v.id from videos v where visible and gender = 'str' and {condition} order by 1")).await
}

fn sorted(answer: &Value) -> Vec<i64> {
    let mut ids = video_ids(answer);
    ids.sort_unstable();
    ids
}

/// Returns the ids of the matches, or none if popular videos are shown instead.
fn found(answer: &Value) -> Vec<i64> {
    if words(&answer["relaxed"]).contains(&"popular") { Vec::new() } else { sorted(answer) }
}

fn texts(list: &Value, field: &str) -> Vec<String> {
    list.as_array().unwrap().iter().map(|card| card[field].as_str().unwrap().to_owned()).collect()
}

fn words(list: &Value) -> Vec<&str> {
    list.as_array().map(|list| list.iter().map(|word| word.as_str().unwrap()).collect()).unwrap_or_default()
}

#[tokio::test]
async fn search_returns_matching_models_categories_and_playlists() {
    let app = App::start().await;
    for (text, lang, title) in [
        ("music", "en", "Music"),
        ("Музыка", "ru", "Музыка"),
        ("音楽", "ja", "音楽"),
        ("музыку", "en", "Music"),
        ("muzic", "en", "Music"),
    ] {
        let answer = search(&app, text, lang, "").await;
        let categories = &answer["groups"]["categories"];
        assert_eq!(texts(categories, "title"), [title], "{text}");
        let of_music = "exists (select from video_categories where video_id = v.id and category_id = 5)";
        assert_eq!(
            categories[0]["total_videos"],
            expected(&app, of_music).await.len(),
            "{text}: same count as on its page"
        );
        assert!(categories[0]["thumb"].as_str().unwrap().starts_with("/media/p/"));
    }
    for (text, lang) in [("mika sato", "en"), ("Мика Сато", "ru"), ("別名1", "ja")] {
        let models = search(&app, text, lang, "").await["groups"]["models"].clone();
        assert_eq!(texts(&models, "title").first().map(String::as_str), Some("Mika Sato"), "{text}");
        assert!(models[0]["thumbs"].is_string() && models[0]["age"].is_i64());
    }
    // Models with another orientation are left out.
    let other = app.numbers("select id from models where gender = 'gay' limit 1").await[0];
    app.change(&format!("update models set title = 'Anna Lindgren' where id = {other}")).await;
    let models = search(&app, "lindgren", "en", "").await["groups"]["models"].clone();
    assert_eq!(texts(&models, "title").iter().filter(|title| *title == "Anna Lindgren").count(), 0);
    // Neither later pages nor searches without words have groups.
    let second = app.json(&path("harbour", "en", "10/search..2.all.all.all", "")).await;
    assert!(second["groups"].is_null() && !video_ids(&second).is_empty());
    assert_eq!(search(&app, "!!!", "en", "").await["groups"]["models"], serde_json::json!([]));
    app.finish().await;
}

#[tokio::test]
async fn only_public_playlists_are_shown() {
    let app = App::start().await;
    app.change(
        "insert into playlists (user_id, title, description, visibility, orientation)
         select 1, t, 'About it', v, 'str' from (values ('Zenith evenings', 'public'), ('Zenith mornings', 'private')) p(t, v);
         insert into playlist_items (playlist_id, video_id, position) select id, 2, 1 from playlists where title like 'Zenith%'",
    )
    .await;
    let shown = async |lang| texts(&search(&app, "zenith evening", lang, "").await["groups"]["playlists"], "title");
    for lang in ["en", "de", "ru"] {
        assert_eq!(shown(lang).await, ["Zenith evenings"], "{lang}: playlist titles have no language");
    }
    assert_eq!(texts(&search(&app, "zenith", "en", "").await["groups"]["playlists"], "title"), ["Zenith evenings"]);
    app.change("update playlists set visibility = 'private' where title = 'Zenith evenings'").await;
    assert!(texts(&search(&app, "zenith", "en", "").await["groups"]["playlists"], "title").is_empty());
    app.finish().await;
}

#[tokio::test]
async fn search_without_hits_drops_its_filters_in_order() {
    let app = App::start().await;
    // Recent harbour videos are short, so a search for long ones finds none.
    let recent = "title like 'Harbour%' and post_date >= to_timestamp(1790000000 - 86400)";
    app.change(&format!("update videos set duration = 700 where {recent}")).await;
    let harbour = expected(&app, "title like 'Harbour%'").await;
    let at =
        async |tail: &str, rest: &str| app.json(&path("harbour", "en", &format!("100/search..{tail}"), rest)).await;

    let answer = at("1.all.long.day", "").await;
    assert_eq!(words(&answer["relaxed"]), ["duration"]);
    assert_eq!(sorted(&answer), expected(&app, recent).await);
    assert_eq!(answer["total_count"], expected(&app, recent).await.len());

    app.change(&format!(
        "delete from video_categories where category_id = 6 and video_id in (select id from videos where {recent})"
    ))
    .await;
    let answer = at("1.all.all.day", "&categories=yoga").await;
    let yoga =
        "title like 'Harbour%' and exists (select from video_categories where video_id = v.id and category_id = 6)";
    assert_eq!(words(&answer["relaxed"]), ["date"]);
    assert_eq!(sorted(&answer), expected(&app, yoga).await);

    app.change("delete from video_categories where category_id = 6 and video_id in (select id from videos where title like 'Harbour%')").await;
    let answer = at("1.all.short.all", "&categories=yoga").await;
    assert_eq!(words(&answer["relaxed"]), ["duration", "category"], "only requested filters can be dropped");
    assert_eq!(sorted(&answer), harbour);
    assert!(answer["shown_for"].is_null() && answer["tried"].is_null());

    // Type and models are never dropped.
    app.change("update videos set is_uncensored = false where title like 'Harbour%'").await;
    let answer = at("1.uncensored.short.week", "&categories=yoga").await;
    assert_eq!(words(&answer["relaxed"]), ["duration", "date", "category", "popular"]);
    assert!(video_ids(&answer).iter().all(|id| !harbour.contains(id)));
    // If there are no videos of the type at all, the filters that were tried are named.
    app.change("update videos set is_uncensored = false").await;
    let answer = at("1.uncensored.short.week", "&categories=yoga").await;
    assert_eq!((answer["total_count"].as_u64(), words(&answer["relaxed"])), (Some(0), vec![]));
    assert_eq!(words(&answer["tried"]), ["duration", "date", "category"]);
    assert_eq!(answer["code"], "videos_not_found");
    app.finish().await;
}

#[tokio::test]
async fn relaxed_search_finds_the_same_as_the_remaining_words() {
    let app = App::start().await;
    let harbour = expected(&app, "title like 'Harbour%'").await;
    let direct = search(&app, "harbour", "en", "").await;
    let relaxed = search(&app, "harbour zeppelinfahrt", "en", "").await;
    assert_eq!((sorted(&direct), sorted(&relaxed)), (harbour.clone(), harbour.clone()));
    assert_eq!(direct["total_count"], relaxed["total_count"]);
    app.finish().await;
}

#[tokio::test]
async fn partial_matches_fill_a_page_with_few_results() {
    let app = App::start().await;
    let mut harbour = expected(&app, "title like 'Harbour%'").await;
    let both = harbour.split_off(harbour.len() - 2);
    app.change(&format!("update videos set title = 'Zeppelin in the harbour' where id in ({}, {})", both[0], both[1]))
        .await;
    let found = async |sort: &str, page: u32| {
        let params = format!("86400/str/{sort}/4/search..{page}.all.all.all");
        app.json(&format!("/api/videos2.php?params={params}&s=harbour%20zeppelin&lang=en")).await
    };
    let first = found("relevance", 1).await;
    assert_eq!((sorted(&first), &first["total_count"], &first["relaxed"]), (both.clone(), &2.into(), &Value::Null));
    let partial = &first["partial"];
    assert_eq!(partial["shown_for"], json!(["harbour"]), "zeppelin alone has no other videos");
    let others = sorted(partial);
    assert!(others.len() == 2 && others.iter().all(|id| harbour.contains(id)), "fills the page: {others:?}");
    let marked = partial["videos"][0]["_formatted"]["title"].as_str().unwrap();
    assert!(marked.starts_with("<mark>Harbour</mark>"), "{marked}");
    let second = found("relevance", 2).await;
    assert_eq!((video_ids(&second).len(), &second["partial"]), (0, &Value::Null));

    let newest = found("latest-updates", 1).await;
    assert_eq!((sorted(&newest), &newest["relaxed"]), (both.clone(), &Value::Null));
    let latest = "select id from videos where visible and gender = 'str' and title like 'Harbour%' order by post_date desc, id desc limit 2";
    assert_eq!(video_ids(&newest["partial"]), app.numbers(latest).await, "in the requested order");
    for text in ["harbour", "zeppelin"] {
        assert!(search(&app, text, "en", "").await["partial"].is_null(), "{text}: nothing to drop");
    }

    // The name is kept, so its videos are the results, and those of the other word fill the page.
    let ids = format!("({}, {})", both[0], both[1]);
    app.change(&format!(
        "update videos set title = 'Shanghai at noon' where id in {ids}; delete from video_translations where video_id in {ids}"
    ))
    .await;
    app.learn_words().await;
    let params = "params=86400/str/relevance/4/search..1.all.all.all&lang=en";
    let named = app.json(&format!("/api/videos2.php?{params}&s=market%20shanghai")).await;
    assert_eq!((sorted(&named), words(&named["relaxed"])), (both, vec!["words"]));
    assert_eq!((&named["shown_for"], &named["partial"]["shown_for"]), (&json!(["shanghai"]), &json!(["market"])));
    assert_eq!(video_ids(&named["partial"]).len(), 2, "fills the page");
    app.finish().await;
}

#[tokio::test]
async fn words_without_hits_are_dropped_at_any_position() {
    let app = App::start().await;
    let harbour = expected(&app, "title like 'Harbour%'").await;
    for (text, lang, shown_for, condition) in [
        ("harbour zeppelinfahrt", "en", "harbour", "title like 'Harbour%'"),
        ("zeppelinfahrt harbour", "en", "harbour", "title like 'Harbour%'"),
        ("harbour lights zeppelinfahrt qqqqqqq", "en", "harbour lights", "title like 'Harbour%'"),
        ("harbour zeppelinfahrt -walk", "en", "harbour -walk", "title like 'Harbour%'"),
        ("ночной рынок цеппелин", "ru", "ночной рынок", "id % 4 = 0"),
        ("温泉飛行船", "ja", "温泉", "id % 5 = 0"),
    ] {
        let answer = search(&app, text, lang, "").await;
        assert_eq!(words(&answer["relaxed"]), ["words"], "{text}");
        assert_eq!(answer["shown_for"], json!([shown_for]), "{text}");
        assert_eq!(sorted(&answer), expected(&app, condition).await, "{text}");
    }
    let answer = search(&app, "zeppelinfahrt", "en", "").await;
    assert_eq!((words(&answer["relaxed"]), &answer["tried"]), (vec!["popular"], &Value::Null));
    let marked = search(&app, "harbour zeppelinfahrt", "en", "").await["videos"][0]["_formatted"]["title"].clone();
    assert!(marked.as_str().unwrap().starts_with("<mark>Harbour</mark>"), "{marked}");

    // The pages of a relaxed search form a single list.
    let mut found = Vec::new();
    for page in 1..=harbour.len().div_ceil(7) {
        let answer =
            app.json(&path("harbour zeppelinfahrt", "en", &format!("7/search..{page}.all.short.all"), "")).await;
        assert_eq!(words(&answer["relaxed"]), ["duration", "words"], "{page}");
        assert_eq!(answer["total_count"], harbour.len());
        found.extend(video_ids(&answer));
    }
    found.sort_unstable();
    assert_eq!(found, harbour);
    app.finish().await;
}

#[tokio::test]
async fn minus_excludes_words_phrases_and_categories() {
    let app = App::learned().await;
    let market = expected(&app, "title like 'Night market%'").await;
    for text in ["night", "night -rooftop", "night -rooftop-dance"] {
        assert_eq!(sorted(&search(&app, text, "en", "").await), market, "{text}");
    }
    let all_markets = expected(&app, "(title like 'Night market%' or id % 4 = 0)").await;
    assert_eq!(
        sorted(&search(&app, "market -\"market night\"", "en", "").await),
        all_markets,
        "a phrase in another order"
    );
    let none: Vec<i64> = Vec::new();
    for text in ["night -walk", "night -walks", "night -\"night market\"", "night -\"market walk", "night −market"] {
        assert_eq!(found(&search(&app, text, "en", "").await), none, "{text}");
    }
    let japanese = expected(&app, "id % 5 = 0").await;
    assert_eq!(found(&search(&app, "温泉 -夏旅", "ja", "").await), none, "adjacent character pairs");
    assert_eq!(sorted(&search(&app, "温泉 －海", "ja", "").await), japanese);
    // Exclusions alone show popular videos without what they exclude.
    for text in ["-night", "--", "- -", "-\"night market\" -walk"] {
        let answer = search(&app, text, "en", "").await;
        assert_eq!(words(&answer["relaxed"]), ["popular"], "{text}");
        let shown = video_ids(&answer);
        assert!(
            !shown.is_empty() && (!text.contains("night") || shown.iter().all(|id| !market.contains(id))),
            "{text}"
        );
    }
    let without = "title like 'Harbour%' and not exists (select from video_categories where video_id = v.id and category_id in (1, 5))";
    let answer = search(&app, "harbour", "en", "&not_categories=travel,music").await;
    assert_eq!(sorted(&answer), expected(&app, without).await);
    assert!(!texts(&answer["categories"], "dir").iter().any(|dir| dir == "travel" || dir == "music"));
    let facets = app.json("/api/facets.php?facet=categories&lang=en&gender=str&not_categories=travel").await;
    assert!(!texts(&facets["facets"], "value").contains(&"travel".to_owned()));
    let dance = "exists (select from video_categories where video_id = v.id and category_id = 2) and not exists (select from video_categories where video_id = v.id and category_id = 1)";
    let counted = facets["facets"].as_array().unwrap().iter().find(|facet| facet["value"] == "dance").unwrap();
    assert_eq!(counted["total"], expected(&app, dance).await.len());
    for (dirs, status, code) in [
        ("travel,nowhere", 404, "category_not_found"),
        ("a,b,c,d", 422, "invalid"),
        ("..%2F", 404, "category_not_found"),
    ] {
        let rest = format!("&not_categories={dirs}");
        app.get(&path("harbour", "en", "100/search..1.all.all.all", &rest)).await.refused(status, code);
        app.get(&format!("/api/facets.php?facet=categories{rest}")).await.refused(status, code);
    }
    // Exclusions are never dropped.
    let answer = search(&app, "harbour", "en", "&categories=travel&not_categories=travel").await;
    assert_eq!(words(&answer["relaxed"]), ["category"]);
    assert!(!texts(&answer["categories"], "dir").contains(&"travel".to_owned()));
    app.finish().await;
}

#[tokio::test]
async fn excluded_words_are_not_completed() {
    let app = App::start().await;
    let titles = async |text: &str| {
        let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
        texts(&app.json(&format!("/api/suggester.php?c={encoded}&lang=en")).await["suggestions"], "title")
    };
    assert!(titles("mus").await.contains(&"Music".to_owned()));
    for text in ["-mus", "-", "--", "-\"mus"] {
        assert!(titles(text).await.is_empty(), "{text}");
    }
    assert_eq!(titles("mus -yoga").await, titles("mus").await);
    assert_eq!(titles("-yoga mus").await, titles("mus").await);
    app.finish().await;
}

#[tokio::test]
async fn spelling_with_more_hits_is_suggested() {
    let app = App::learned().await;
    for (text, lang, meant) in [
        ("yoag", "en", Some("Yoga")),
        ("Mkia Staoo", "en", Some("Mika Sato")),
        ("yoag hrbuor", "en", Some("yoga harbour")),
        ("yoag -walk", "en", Some("yoga -walk")),
        ("Йгоа", "ru", Some("Йога")),
        ("yoag", "ru", Some("Yoga")),
        ("yoag", "ja", Some("Yoga")),
        ("音樂家", "ja", None),
        ("harbour", "en", None),
        ("yoga", "en", None),
        ("zeppelinfahrt", "en", None),
        ("-yoag", "en", None),
    ] {
        let answer = search(&app, text, lang, "").await;
        let is_shown = answer["relaxed"] == json!(["spelling"]);
        let corrected = if is_shown { &answer["shown_for"][0] } else { &answer["did_you_mean"] };
        assert_eq!(corrected.as_str(), meant, "{text}");
        let again = search(&app, text, lang, "").await;
        assert_eq!((&answer["did_you_mean"], &answer["shown_for"]), (&again["did_you_mean"], &again["shown_for"]));
        if let Some(meant) = meant {
            let better = search(&app, meant, lang, "").await;
            let [found, better] = [&answer, &better].map(|answer| answer["total_count"].as_u64());
            assert!(if is_shown { better == found } else { better > found }, "{text}: must find more");
        }
    }
    // A spelling isn't suggested if it finds no more with the search's filters.
    assert!(search(&app, "yoag", "en", "&not_categories=yoga").await["did_you_mean"].is_null());
    // Words that guests can't see are not suggested.
    app.change(
        "update videos set is_private = true where id in (select video_id from video_models where model_id = 1)",
    )
    .await;
    assert!(search(&app, "Mkia Staoo", "en", "").await["did_you_mean"].is_null());
    app.finish().await;
}

#[tokio::test]
async fn search_for_two_things_shows_both_the_rarer_first() {
    let app = App::start().await;
    app.change(
        "update videos set title = 'A quiet zeppelin' where id in (5, 7);
         update videos set title = 'Bathyscaphe dreams' where id = 3",
    )
    .await;
    let both = search(&app, "zeppelin bathyscaphe", "en", "").await;
    assert_eq!((words(&both["relaxed"]), &both["shown_for"]), (vec!["words"], &json!(["zeppelin", "bathyscaphe"])));
    assert_eq!((both["total_count"].as_u64(), video_ids(&both)[0], sorted(&both)), (Some(3), 3, vec![3, 5, 7]));
    let mut pages = Vec::new();
    for page in 1..=2 {
        let answer = app.json(&path("zeppelin bathyscaphe", "en", &format!("2/search..{page}.all.all.all"), "")).await;
        assert_eq!((&answer["total_count"], &answer["shown_for"]), (&json!(3), &both["shown_for"]), "{page}");
        pages.extend(video_ids(&answer));
    }
    assert_eq!(pages, video_ids(&both), "the pages form one list");
    app.finish().await;
}

#[tokio::test]
async fn words_of_visible_titles_correct_a_search() {
    let app = App::start().await;
    app.change(
        "update videos set title = 'A quiet zeppelin' where id in (3, 5);
         update videos set title = 'A loud bathyscaphe', is_private = true where id = 4",
    )
    .await;
    let stopped = CancellationToken::new();
    stopped.cancel();
    let lantern_api::Shared { pool, config, lexicon, .. } = &***app.state();
    lantern_search::refresh::words(pool, config, lexicon, &stopped).await.unwrap();
    assert_eq!(
        search(&app, "zepelnin", "en", "").await["relaxed"],
        json!(["popular"]),
        "a stopping node does not learn words"
    );
    app.refresh_words().await;
    let pages = async |app: &App, text: &str| {
        let mut found = Vec::new();
        for page in 1..=2 {
            let answer = app.json(&path(text, "en", &format!("1/search..{page}.all.all.all"), "")).await;
            let correction = (answer["relaxed"].clone(), answer["shown_for"].clone(), answer["total_count"].clone());
            found.push((correction, video_ids(&answer)));
        }
        found
    };
    let right = pages(&app, "zeppelin").await;
    let shown = (json!(["spelling"]), json!(["zeppelin"]), json!(2));
    for wrong in ["zepelnin", "zappelim"] {
        let found = pages(&app, wrong).await;
        assert_eq!(found[0], (shown.clone(), right[0].1.clone()), "{wrong}");
        assert_eq!(found[1], (shown.clone(), right[1].1.clone()), "{wrong}: all pages belong to one search");
    }
    let hidden = search(&app, "batyscphe", "en", "").await;
    assert_eq!(
        (&hidden["relaxed"], &hidden["shown_for"]),
        (&json!(["popular"]), &Value::Null),
        "its word must not be revealed"
    );
    assert_eq!(app.numbers("select count(*) from words where list like '%bathyscaphe%'").await, [0]);

    // Another node knows the words after its refresh.
    let other = app.another_node().await;
    assert_eq!(search(&other, "zepelnin", "en", "").await["relaxed"], json!(["popular"]));
    other.refresh_words().await;
    assert_eq!(search(&other, "zepelnin", "en", "").await["total_count"], 2);
    other.finish().await;
    app.finish().await;
}

#[tokio::test]
async fn search_by_reading_finds_kanji() {
    let app = App::start().await;
    app.learn_words().await;
    let written = search(&app, "温泉", "ja", "").await;
    for reading in ["おんせん", "オンセン", "onsen"] {
        let found = search(&app, reading, "ja", "").await;
        assert_eq!((&found["relaxed"], &found["shown_for"]), (&Value::Null, &Value::Null), "{reading}");
        assert_eq!((&found["total_count"], video_ids(&found)), (&written["total_count"], video_ids(&written)));
    }
    assert_eq!(
        search(&app, "natsu", "en", "").await["relaxed"],
        json!(["popular"]),
        "romaji only for Japanese visitors"
    );
    app.finish().await;
}

#[tokio::test]
async fn inflected_words_of_any_language_are_found() {
    let app = App::start().await;
    app.change("update videos set title = 'Szerokie ulice', lang = 'pl' where id = 5").await;
    let found = search(&app, "ulicami", "de", "").await;
    assert_eq!((video_ids(&found), &found["relaxed"]), (vec![5], &Value::Null));
    app.finish().await;
}

#[tokio::test]
async fn prohibited_terms_are_neither_suggested_nor_recorded() {
    let app = App::configured(|config| {
        config.safety.prohibited_terms = vec!["yoga".to_owned(), "harbour".to_owned()];
        config.search_log.min_count = 1;
        behind_a_proxy(config);
    })
    .await;
    assert!(search(&app, "yoag", "en", "").await["did_you_mean"].is_null());
    let suggested = app.json("/api/suggester.php?c=harb&lang=en").await;
    assert!(texts(&suggested["suggestions"], "title").is_empty(), "not even as a frequent search");
    for text in ["Harbour walk", "night market"] {
        visit(&app, HERE, &path(text, "en", "100/search..1.all.all.all", "")).await;
    }
    app.flush().await;
    let today = "day = (now() at time zone 'UTC')::date";
    let recorded =
        app.numbers(&format!("select count(*) from search_days where {today} and query in ('harbour walk')")).await;
    assert_eq!(recorded, [0]);
    let market = app
        .numbers(&format!("select searches::bigint from search_days where {today} and query = 'night market'"))
        .await;
    assert_eq!(market, [8], "seven from the corpus and this one");
    app.finish().await;
}
