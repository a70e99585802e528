//! `videos2.php` with a query: words, typos, languages, validation and limits.

use lantern_config::{Gcra, Mode, Policy};

use crate::{
    search::log::{HERE, behind_a_proxy, visit},
    support::{App, video_ids},
};

fn path(text: &str, lang: &str, rest: &str) -> String {
    let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("/api/videos2.php?params=86400/str/relevance/100/search..1.all.all.all&s={encoded}&lang={lang}{rest}")
}

async fn expected(app: &App, condition: &str) -> Vec<i64> {
    app.numbers(&format!("select v.id from videos v where visible and gender = 'str' and {condition} order by 1")).await
}

fn sorted(answer: &serde_json::Value) -> Vec<i64> {
    let mut ids = video_ids(answer);
    ids.sort_unstable();
    ids
}

#[tokio::test]
async fn finds_and_highlights_words_with_and_without_typos() {
    let app = App::learned().await;
    let harbour = expected(&app, "title like 'Harbour%'").await;
    for text in ["harbour", "harbor", "hrabour", "lights harbour", "HARBOUR"] {
        let answer = app.json(&path(text, "en", "")).await;
        assert_eq!(answer["total_count"], harbour.len(), "{text}");
        assert_eq!(sorted(&answer), harbour, "{text}");
        let is_misspelled = text == "hrabour";
        let relaxed = if is_misspelled { serde_json::json!(["spelling"]) } else { serde_json::Value::Null };
        assert!(answer["relaxed"] == relaxed && answer["query_id"].is_string(), "{text}: {answer}");
    }
    let answer = app.json(&path("neon rain", "en", "")).await;
    let marked = answer["videos"][0]["_formatted"]["title"].as_str().unwrap();
    assert!(marked.starts_with("<mark>Neon</mark> &lt;city&gt; &amp; <mark>rain</mark>"), "{marked}");
    app.finish().await;
}

#[tokio::test]
async fn finds_words_of_every_language() {
    let app = App::learned().await;
    let markets = expected(&app, "(id % 4 = 0 or title like 'Night market%')").await;
    for text in ["рынок", "ночной рынок", "рынак"] {
        let answer = app.json(&path(text, "ru", "")).await;
        assert_eq!(sorted(&answer), markets, "{text}");
    }
    let answer = app.json(&path("рынок", "ru", "")).await;
    let title = answer["videos"][0]["_formatted"]["title"].as_str().unwrap();
    assert!(title.contains("<mark>рынок</mark>"), "{title}");
    // These are parts of words in a Japanese title, which a plain tokenizer doesn't split.
    let japanese = expected(&app, "id % 5 = 0").await;
    for text in ["温泉", "箱根", "夏旅行", "箱根温泉", "温泉 旅行"] {
        let answer = app.json(&path(text, "ja", "")).await;
        assert_eq!(sorted(&answer), japanese, "{text}");
        let title = answer["videos"][0]["_formatted"]["title"].as_str().unwrap();
        assert!(title.contains("<mark>"), "{text}: {title}");
    }
    // The interface language doesn't exclude titles in other languages.
    assert_eq!(sorted(&app.json(&path("рынок", "en", "")).await), markets);
    app.finish().await;
}

#[tokio::test]
async fn finds_names_of_models_and_filters_by_models_and_categories() {
    let app = App::start().await;
    let of_model = "id in (select video_id from video_models where model_id = 3)";
    assert_eq!(sorted(&app.json(&path("yuki mori", "en", "")).await), expected(&app, of_model).await);
    let answer = app.json(&path("harbour", "en", "&categories=dance,travel")).await;
    let both = "title like 'Harbour%' and 2 = (select count(*) from video_categories where video_id = v.id and category_id in (1, 2))";
    assert_eq!(sorted(&answer), expected(&app, both).await);
    assert!(answer["relaxed"].is_null() && answer["total_count"].as_u64() > Some(0));
    let answer = app.json(&path("harbour", "en", "&models=yuki-mori")).await;
    assert_eq!(sorted(&answer), expected(&app, &format!("title like 'Harbour%' and {of_model}")).await);
    for (rest, status, code) in [
        ("&models=nobody", 404, "model_not_found"),
        ("&models=yuki-mori,nobody", 404, "model_not_found"),
        ("&models=..%2F", 404, "model_not_found"),
        ("&models=a,b,c,d", 422, "invalid"),
        ("&categories=nowhere", 404, "category_not_found"),
        ("&categories=a,b,c,d", 422, "invalid"),
    ] {
        app.get(&path("harbour", "en", rest)).await.refused(status, code);
    }
    app.finish().await;
}

#[tokio::test]
async fn title_outranks_category_and_both_outrank_either() {
    let app = App::start().await;
    let outside = expected(&app, "id not in (select video_id from video_categories where category_id = 1)").await;
    let (titled, both) = (outside[0], outside[1]);
    app.change(&format!(
        "update category_titles set title = 'Zeppelin' where category_id = 1 and lang = 'en';
         update videos set title = 'A quiet zeppelin' where id in ({titled}, {both});
         insert into video_categories values ({both}, 1);"
    ))
    .await;
    let answer = app.json(&path("zeppelin", "en", "")).await;
    let tagged = expected(&app, "id in (select video_id from video_categories where category_id = 1)").await;
    assert_eq!(answer["total_count"], 1 + tagged.len());
    assert_eq!(video_ids(&answer)[..2], [both, titled]);
    app.finish().await;
}

#[tokio::test]
async fn explicit_order_is_followed_strictly() {
    let app = App::start().await;
    let by_length = app
        .numbers("select id from videos where visible and gender = 'str' and title like 'Harbour%' order by duration desc, id desc limit 10")
        .await;
    let path = "/api/videos2.php?params=86400/str/longest/10/search..1.all.all.all&s=harbour";
    assert_eq!(app.ids(path).await, by_length);
    app.finish().await;
}

#[tokio::test]
async fn pages_of_a_search_do_not_overlap() {
    let app = App::start().await;
    let mut found = Vec::new();
    for page in 1.. {
        let path = format!("/api/videos2.php?params=86400/str/relevance/7/search..{page}...&s=harbour");
        let ids = app.ids(&path).await;
        if ids.is_empty() {
            break;
        }
        found.extend(ids);
    }
    found.sort_unstable();
    assert_eq!(found, expected(&app, "title like 'Harbour%'").await);
    app.finish().await;
}

#[tokio::test]
async fn search_without_hits_drops_words_and_reports_it() {
    let app = App::start().await;
    let answer = app.json(&path("harbour zeppelinfahrt", "en", "")).await;
    assert_eq!(
        (&answer["relaxed"], &answer["shown_for"]),
        (&serde_json::json!(["words"]), &serde_json::json!(["harbour"]))
    );
    assert_eq!(sorted(&answer), expected(&app, "title like 'Harbour%'").await);
    let answer = app.json(&path("zeppelinfahrt", "en", "")).await;
    assert_eq!(answer["relaxed"], serde_json::json!(["popular"]));
    // Punctuation contains no words.
    assert_eq!(app.json(&path("!!! ***", "en", "")).await["relaxed"], serde_json::json!(["popular"]));
    app.finish().await;
}

#[tokio::test]
async fn refuses_query_of_invalid_length() {
    let app = App::start().await;
    for (text, code) in
        [("", "required"), ("x", "min_length"), ("  x ", "min_length"), (&*"x".repeat(70), "max_length")]
    {
        let reply = app.get(&path(text, "en", "")).await;
        reply.refused(422, code);
        assert_eq!(reply.json()["field"], "s");
    }
    assert_eq!(app.get(&path(&"й".repeat(69), "ru", "")).await.status, 200, "characters, not bytes");
    app.get("/api/videos2.php?s=harbour").await.refused(422, "required");
    app.get("/api/videos2.php?s=harbour&params=86400/str/longest").await.refused(422, "invalid");
    app.get("/api/videos2.php?s=harbour&params=86400/str/longest/60/all..1.all.all.all").await.refused(422, "invalid");
    app.finish().await;
}

#[tokio::test]
async fn searches_are_recorded_after_the_response() {
    let app = App::configured(behind_a_proxy).await;
    visit(&app, HERE, &path("harbour", "de", "")).await;
    app.flush().await;
    let recorded = app.numbers("select hits::bigint from search_days where query = 'harbour' and lang = 'de'").await;
    let found = expected(&app, "title like 'Harbour%'").await;
    assert_eq!(recorded, [i64::try_from(found.len()).unwrap()]);
    app.finish().await;
}

#[tokio::test]
async fn production_limits_loopback_like_any_client() {
    for (mode, third) in [(Mode::Development, 200), (Mode::Production, 429)] {
        let app = App::configured(|config| {
            config.mode = mode;
            config.limits.search = Policy::Gcra(Gcra { burst: 2, per_seconds: 60, cells: 1, exempt_loopback: true });
        })
        .await;
        for status in [200, 200, third] {
            assert_eq!(app.get(&path("harbour", "en", "")).await.status, status, "{mode:?}");
        }
        app.finish().await;
    }
}

#[tokio::test]
async fn rate_limited_search_returns_time_to_wait() {
    let app = App::configured(|config| {
        config.limits.search = Policy::Gcra(Gcra { burst: 2, per_seconds: 60, cells: 1, exempt_loopback: false });
    })
    .await;
    for _ in 0..2 {
        app.json(&path("harbour", "en", "")).await;
    }
    let reply = app.get(&path("harbour", "en", "")).await;
    reply.refused(429, "too_many_attempts");
    let wait: u64 = reply.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait));
    assert_eq!(reply.json()["info"]["retry_after"], wait);
    assert_eq!(app.get("/api/suggester.php?c=har").await.status, 200, "suggestions have their own limit");
    let metrics = app.watch("/metrics").await.text();
    for (name, value) in [("accepted_total", 2), ("refused_total", 1), ("tracked_keys", 1)] {
        let line = format!("lantern_limit_{name}{{action=\"search\"}} {value}\n");
        assert!(metrics.contains(&line), "{line} in {metrics}");
    }
    app.finish().await;
}
