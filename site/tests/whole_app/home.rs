//! The calls `main`, `categories`, both suggesters, `facets.php` and `me.php`, and health.

use axum::http::Method;
use lantern_config::Lang;
use serde_json::{Value, json};

use crate::support::{App, video_ids};

fn titles(answer: &Value, list: &str) -> Vec<String> {
    answer[list].as_array().unwrap().iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn main_returns_categories_keywords_and_models() {
    let app = App::start().await;
    let answer = app.json("/api/json/main/14400/str.ru.json").await;
    assert!(titles(&answer, "categories").contains(&"Музыка".to_owned()));
    let popular = app.numbers("select m.id from models m join model_stats s on s.model_id = m.id where gender = 'str' order by subscribers desc, m.id desc").await;
    let models = answer["models"].as_array().unwrap();
    let found: Vec<i64> = models.iter().map(|model| model["model_id"].as_i64().unwrap()).collect();
    assert_eq!(found, popular);
    assert!(models[0]["thumbs"].as_str().unwrap().starts_with("/media/p/demo/pictures/"));
    for path in [
        "/api/json/main/1/str.en.json",
        "/api/json/main/14400/str.json",
        "/api/json/main/14400/str.xx.json",
        "/api/json/main/14400/all.en.json",
    ] {
        app.get(path).await.refused(404, "not_found");
    }
    app.finish().await;
}

#[tokio::test]
async fn home_page_blocks_equal_the_lists_they_link_to() {
    let app = App::start().await;
    for (gender, country) in [("str", "JP"), ("she", "DE"), ("str", "XX"), ("gay", "NL")] {
        let home = app.json(&format!("/api/json/home/3600/{gender}.{country}.ja.json")).await;
        let list = async |path: &str| app.json(&format!("/api/json/videos2/14400/{gender}/{path}.json?lang=ja")).await;
        for (block, path) in [
            ("country", format!("most-popular/25/top-country.{country}.1.all.all.all")),
            ("day", "most-popular/25/all..1.all.all.day".to_owned()),
            ("latest", "latest-updates/25/all..1.all.all.all".to_owned()),
        ] {
            let list = list(&path).await;
            assert_eq!(home[block]["videos"], list["videos"], "{block} of {gender} in {country}");
            assert_eq!(home[block]["total_count"], list["total_count"], "{block} of {gender} in {country}");
        }
        let models = app.json(&format!("/api/json/models/14400/{gender}/filt/most-popular/25/1.json?lang=ja")).await;
        assert_eq!(home["models"]["models"], models["models"]);
    }
    let charted = app.json("/api/json/home/14400/str.JP.en.json").await;
    assert!(!video_ids(&charted["country"]).is_empty());
    for path in ["1/str.DE.en", "3600/str.en", "3600/str.ZZ.en", "3600/str.de.en", "3600/str.DE.xx", "3600/all.DE.en"] {
        app.get(&format!("/api/json/home/{path}.json")).await.refused(404, "not_found");
    }
    // A hidden video disappears from its block at once.
    let hidden = video_ids(&charted["latest"])[0];
    app.change(&format!("update videos set is_private = true where id = {hidden}")).await;
    let now = app.json("/api/json/home/14400/str.JP.en.json").await;
    assert!(!video_ids(&now["latest"]).contains(&hidden));
    app.finish().await;
}

#[tokio::test]
async fn keywords_are_past_queries_filled_up_with_names() {
    let app = App::configured(|config| config.listing.keywords = 12).await;
    let keywords = async |gender: &str, lifetime: u32, lang: &str| {
        titles(&app.json(&format!("/api/json/main/{lifetime}/{gender}.{lang}.json")).await, "keywords")
    };
    app.sql(
        "insert into search_days (query, lang, hits, searches, day)
         select q, lang, hits, searches, (now() at time zone 'UTC')::date - ago from (
             select 'quiet ' || chr(96 + n), 'en', n, 5, 1 from generate_series(1, 20) n
             union all values ('found nothing', 'en', 0, 9, 1), ('asked by few', 'en', 5, 4, 1), ('asked by few', 'en', 5, 4, 2),
                 ('тихий вечер', 'ru', 5, 5, 2), ('немногие', 'ru', 5, 4, 1), ('немногие', 'ru', 5, 4, 2)
         ) s(q, lang, hits, searches, ago)",
    )
    .await;
    let english = keywords("str", 14400, "en").await;
    assert_eq!(english.len(), 12);
    assert!(english.iter().all(|word| word.starts_with("quiet ")), "{english:?}");
    // The keywords are stable all day for every gender and lifetime, regardless of what is searched and indexed in the
    // meantime.
    app.change("update videos set title = 'Another title' where id = 1").await;
    app.sql("insert into search_days (query, lang, hits, searches, day) values ('loud', 'en', 9, 50, (now() at time zone 'UTC')::date)").await;
    assert_eq!(keywords("str", 14400, "en").await, english);
    assert_eq!(keywords("gay", 86400, "en").await, english);
    // If there are few queries, categories and models with videos fill the rest, without duplicates.
    let russian = keywords("str", 14400, "ru").await;
    assert_eq!((russian.len(), &*russian[0]), (12, "тихий вечер"));
    assert!(!russian.contains(&"немногие".to_owned()), "days with few searches are not summed up");
    let known = ["Путешествия", "Танцы", "Город", "Свет", "Музыка", "Йога"];
    assert!(russian.iter().any(|word| known.contains(&word.as_str())), "{russian:?}");
    for lang in Lang::ALL {
        let mut words = keywords("str", 14400, lang.as_str()).await;
        assert_eq!(words.len(), 12, "{lang}");
        words.sort();
        words.dedup();
        assert_eq!(words.len(), 12, "{lang}: no duplicates");
    }
    app.finish().await;
}

#[tokio::test]
async fn keywords_are_equal_on_every_node_and_omit_deleted_models() {
    let app = App::configured(|config| config.listing.keywords = 12).await;
    let keywords = async |app: &App, lang: &str| {
        titles(&app.json(&format!("/api/json/main/14400/str.{lang}.json")).await, "keywords")
    };
    // Two models share a name, and one is named like a category.
    app.change("update models set title = 'Yuki Mori' where id = 4; update models set title = 'YOGA' where id = 5")
        .await;
    let words = keywords(&app, "de").await;
    let each: std::collections::HashSet<String> = words.iter().map(|word| word.to_lowercase()).collect();
    assert_eq!((words.len(), each.len()), (12, 12), "{words:?}");
    // Popularity changes, but the chosen keywords do not, not even for a node that starts later.
    app.change("update video_stats set viewed = viewed * 1000 where video_id % 7 = 0").await;
    app.sql(
        "insert into search_days (query, lang, day, searches, hits, zero_hits)
         values ('laternenfest', 'de', (now() at time zone 'UTC')::date - 1, 50, 9, 0)",
    )
    .await;
    let second_node = app.another_node().await;
    assert_eq!(keywords(&second_node, "de").await, words);
    app.sql("delete from keywords where lang = 'de'").await;
    let fresh_node = app.another_node().await;
    assert_eq!(keywords(&fresh_node, "de").await[0], "laternenfest", "chosen again from current data");

    let mut deleted_model = None;
    for word in &words {
        let models = app.numbers(&format!("select id from models where title = '{word}'")).await;
        deleted_model = deleted_model.or(models.first().map(|id| (*id, word)));
    }
    let (id, title) = deleted_model.expect("a model among the keywords");
    app.change(&format!("delete from models where id = {id}")).await;
    let left = keywords(&app, "de").await;
    assert!(!left.contains(title) && left.len() == 12, "{title}: {left:?}");
    assert!(left.iter().filter(|word| words.contains(word)).count() >= 11, "the others remain: {left:?}");
    app.finish().await;
}

#[tokio::test]
async fn categories_have_three_sections() {
    let app = App::start().await;
    let all = app.json("/api/json/categories/86400/str.all.ja.json").await;
    let totals: Vec<i64> =
        all["categories"].as_array().unwrap().iter().map(|c| c["total_videos"].as_i64().unwrap()).collect();
    assert!(totals.len() == 6 && totals.is_sorted_by(|a, b| a >= b), "most first: {totals:?}");
    assert!(titles(&all, "categories").contains(&"音楽".to_owned()));

    let sidebar = app.json("/api/json/categories/86400/str.sidebar.en.json").await;
    let expected: Vec<i64> = totals.iter().copied().filter(|total| *total >= 60).collect();
    assert!(!expected.is_empty() && expected.len() < 6, "{totals:?}");
    assert_eq!(sidebar["categories"].as_array().unwrap().len(), expected.len());
    let main = app.json("/api/json/main/14400/str.en.json").await;
    assert_eq!(main["sidebar_min_videos"], 60, "the threshold the app uses");

    let letters = app.json("/api/json/categories/86400/str.letters.en.json").await;
    assert_eq!(titles(&letters, "categories"), ["City", "Dance", "Light", "Music", "Travel", "Yoga"]);
    assert_eq!(letters["categories"][0]["letter"], "C");
    assert_eq!(letters["categories"][4]["thumb"], "/media/p/demo/01/shot-1-320.webp");
    // An accented letter is a separate letter only in languages where that is so.
    app.change("insert into category_titles (category_id, lang, title) values (1, 'fr', 'Île'), (1, 'pl', 'Świt')")
        .await;
    for (lang, title, letter) in [("fr", "Île", "I"), ("pl", "Świt", "Ś")] {
        let letters = app.json(&format!("/api/json/categories/86400/str.letters.{lang}.json")).await;
        let all = letters["categories"].as_array().unwrap();
        let at = all.iter().position(|category| category["title"] == title).unwrap();
        assert_eq!(all[at]["letter"], letter, "{letters}");
        let after = titles(&letters, "categories").split_off(at + 1);
        assert!(after.iter().all(|next| next.to_lowercase() > letter.to_lowercase().replace('ś', "s")), "{after:?}");
    }
    app.get("/api/json/categories/86400/str.top.en.json").await.refused(404, "not_found");
    app.finish().await;
}

#[tokio::test]
async fn frequent_queries_are_suggested_in_their_language() {
    let app = App::start().await;
    let answer = app.json("/api/json/suggester/43200/10.json").await;
    assert_eq!(
        answer["suggestions"],
        json!([
            {"title": "night market", "type": "query", "total": 52},
            {"title": "harbour", "type": "query", "total": 57}
        ])
    );
    assert_eq!(titles(&app.json("/api/json/suggester/43200/1.json").await, "suggestions"), ["night market"]);
    let of = async |gender| app.json(&format!("/api/json/suggester/43200/10.json?gender={gender}")).await;
    for gender in ["str", "she", "gay"] {
        for suggestion in of(gender).await["suggestions"].as_array().expect("a list") {
            let query = suggestion["title"].as_str().expect("a title").replace(' ', "+");
            let path = format!("/api/videos2.php?params=86400/{gender}/relevance/12/search..1.all.all.all&s={query}");
            assert_eq!(app.json(&path).await["total_count"], suggestion["total"], "{gender} {query}");
        }
    }
    assert_eq!(titles(&app.json("/api/json/suggester/43200/10.json?lang=ja").await, "suggestions"), ["温泉"]);
    app.get("/api/json/suggester/43200/0.json").await.refused(404, "not_found");
    app.finish().await;
}

#[tokio::test]
async fn input_is_completed_with_queries_categories_and_models() {
    let app = App::start().await;
    let answer = app.json("/api/suggester.php?c=mu&lang=en").await;
    assert_eq!(answer["suggestions"][0]["title"], "Music");
    assert_eq!(answer["suggestions"][0]["type"], "category");
    assert_eq!(answer["suggestions"][0]["dir"], "music");
    assert_eq!(answer["suggestions"][0]["_formatted"]["title"], "<mark>Mu</mark>sic");
    for (text, lang, title) in [
        ("harb", "en", "harbour"),
        ("night%20mar", "en", "night market"),
        ("mika", "de", "Mika Sato"),
        ("%D0%BC%D1%83%D0%B7", "ru", "Музыка"),
        ("%E9%9F%B3%E6%A5%BD", "ja", "音楽"),
        ("travle", "en", "Travel"),
    ] {
        let answer = app.json(&format!("/api/suggester.php?c={text}&lang={lang}")).await;
        assert!(titles(&answer, "suggestions").contains(&title.to_owned()), "{text}: {answer}");
    }
    let answer = app.json("/api/suggester.php?c=%E6%B8%A9%E6%B3%89&lang=en").await;
    assert!(titles(&answer, "suggestions").is_empty(), "a query has one language");
    let answer = app.json("/api/suggester.php?c=a&count=3").await;
    assert!(answer["suggestions"].as_array().unwrap().len() <= 3);
    app.get("/api/suggester.php").await.refused(422, "required");
    app.get("/api/suggester.php?c=a&count=0").await.refused(422, "invalid");
    app.get(&format!("/api/suggester.php?c={}", "a".repeat(70))).await.refused(422, "max_length");
    app.finish().await;
}

#[tokio::test]
async fn facets_are_searched_in_the_visitors_language() {
    let app = App::start().await;
    let answer =
        app.json("/api/facets.php?facet=categories&q=%D0%BC%D1%83%D0%B7&lang=ru&index=videos&gender=str").await;
    assert_eq!(answer["facets"].as_array().unwrap().len(), 1);
    assert_eq!((&answer["facets"][0]["value"], &answer["facets"][0]["label"]), (&json!("music"), &json!("Музыка")));
    let answer = app.json("/api/facets.php?facet=race&q=asi&lang=de&gender=str").await;
    assert_eq!(answer["facets"][0]["value"], "asian");
    let expected = app.numbers("select count(*) from models where race = 'asian' and gender = 'str'").await;
    assert_eq!(answer["facets"][0]["total"], expected[0]);
    let answer = app.json("/api/facets.php?facet=country&q=jap&index=models").await;
    assert_eq!(answer["facets"][0]["value"], "JP");
    // Members have separate facets, some of which have the same name as a model facet.
    let answer = app.json("/api/facets.php?facet=country&q=%D1%8F%D0%BF&lang=ru&index=members&gender=str").await;
    let expected = app.numbers("select count(*) from profiles p join users u on u.id = p.user_id where country = 'JP' and status_id <> banned() and email_confirmed_at is not null").await;
    assert_eq!((&answer["facets"][0]["label"], &answer["facets"][0]["total"]), (&json!("Япония"), &json!(expected[0])));
    let answer = app.json("/api/facets.php?facet=relationship&q=mar&index=members").await;
    assert_eq!(answer["facets"][0]["value"], "married");
    // A facet that exists only for members needs no `index` parameter.
    assert_eq!(app.json("/api/facets.php?facet=relationship&q=mar").await, answer);
    for query in [
        "?facet=relationship&index=models",
        "?facet=avatar",
        "?facet=age&index=members",
        "?facet=avatar&index=members",
        "?facet=race&index=members",
    ] {
        assert_eq!(app.get(&format!("/api/facets.php{query}")).await.status, 422, "{query}");
    }
    for query in
        ["", "?facet=age", "?facet=birth", "?facet=labels.en.race", "?facet=race&index=videos", "?facet=race&lang=xx"]
    {
        assert_eq!(app.get(&format!("/api/facets.php{query}")).await.status, 422, "{query}");
    }
    app.finish().await;
}

#[tokio::test]
async fn me_returns_country_language_and_age_gate_to_guests() {
    let app = App::start().await;
    let me = app.json("/api/me.php").await;
    assert_eq!(me, json!({"user": null, "country_code": "XX", "lang": "en", "age_gate": true}));
    let reply = app.send(Method::GET, "/api/me.php", &[("cookie", "app_lang=ja; age_agreed=1")]).await;
    assert_eq!(reply.json(), json!({"user": null, "country_code": "XX", "lang": "ja", "age_gate": false}));
    assert_eq!(reply.header("cache-control"), "private, no-store");
    // Without a trusted proxy, any client could set the header.
    let reply = app.send(Method::GET, "/api/me.php", &[("x-country-code", "JP")]).await;
    assert_eq!(reply.json()["country_code"], "XX");
    app.finish().await;
}

#[tokio::test]
async fn country_header_of_a_trusted_proxy_is_used() {
    let app = App::configured(|config| {
        config.server.trusted_proxies = vec!["127.0.0.0/8".to_owned()];
        config.visitors.age_gate_countries = vec!["DE".to_owned()];
    })
    .await;
    for (header, country, gate) in [("jp", "JP", false), ("DE", "DE", true), ("nowhere", "XX", false)] {
        let me = app.send(Method::GET, "/api/me.php", &[("x-country-code", header)]).await.json();
        assert_eq!((&me["country_code"], &me["age_gate"]), (&json!(country), &json!(gate)), "{header}");
    }
    app.finish().await;
}

#[tokio::test]
async fn health_reports_liveness_and_readiness() {
    let app = App::start().await;
    assert_eq!(app.watch("/health/live").await.json()["status"], "ok");
    let visible = app.numbers("select count(*) from videos where visible").await;
    assert_eq!(app.watch("/health/ready").await.json()["videos"], visible[0]);
    app.finish().await;
}
