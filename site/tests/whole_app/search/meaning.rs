//! Searches by meaning: words in other languages, and synonyms, which are learned from translated titles.

use serde_json::{Value, json};

use crate::support::{App, video_ids};

async fn search(app: &App, text: &str, lang: &str, tail: &str) -> Value {
    let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    app.json(&format!("/api/videos2.php?params=86400/str/relevance/{tail}&s={encoded}&lang={lang}")).await
}

async fn all(app: &App, text: &str, lang: &str) -> Value {
    search(app, text, lang, "100/search..1.all.all.all").await
}

/// Creates English titles about four subjects at three places, half of them with Polish translations.
async fn app() -> App {
    let app = App::start().await;
    app.change(
        "delete from video_translations where video_id <= 24;
         update videos set title = w.en || ' in ' || p.en, lang = 'en'
         from (values (0, 'Bassoon recital'), (1, 'Glassblowing class'), (2, 'Falconry show'), (3, 'Origami table')) w(n, en),
              (values (0, 'Hanoi'), (1, 'Reykjavik'), (2, 'Marrakesh')) p(n, en)
         where w.n = videos.id % 4 and p.n = videos.id % 3 and videos.id <= 24;
         insert into video_translations (video_id, lang, title)
         select v.id, 'pl', w.pl || ' ' || p.pl from videos v,
              (values (0, 'Koncert fagotowy'), (1, 'Lekcja szklarska'), (2, 'Pokaz sokolniczy'), (3, 'Stolik papierowy')) w(n, pl),
              (values (0, 'Hanojska'), (1, 'Islandzka'), (2, 'Marokańska')) p(n, pl)
         where w.n = v.id % 4 and p.n = v.id % 3 and v.id <= 12
         on conflict (video_id, lang) do update set title = excluded.title",
    )
    .await;
    app.learn_words().await;
    app
}

async fn titled(app: &App, like: &str) -> Vec<i64> {
    app.numbers(&format!("select id from videos where visible and gender = 'str' and title like '{like}' order by 1"))
        .await
}

fn sorted(answer: &Value) -> Vec<i64> {
    let mut ids = video_ids(answer);
    ids.sort_unstable();
    ids
}

#[tokio::test]
async fn meanings_are_learned_from_translated_titles() {
    let app = app().await;
    let bassoons = titled(&app, "Bassoon%").await;
    // Half of them have no Polish title.
    let answer = all(&app, "fagotowy", "pl").await;
    assert_eq!((sorted(&answer), &answer["relaxed"]), (bassoons.clone(), &Value::Null));
    let polish = "id in (select video_id from video_translations where lang = 'pl' and title like '%fagotowy%')";
    let polish = app.numbers(&format!("select id from videos where visible and gender = 'str' and {polish}")).await;
    assert!(!polish.is_empty() && polish.len() < bassoons.len());
    assert!(video_ids(&answer)[..polish.len()].iter().all(|id| polish.contains(id)), "Polish titles come first");

    let both = all(&app, "fagotowy hanojska", "de").await;
    assert_eq!(sorted(&both), titled(&app, "Bassoon recital in Hanoi").await);
    let mut pages = Vec::new();
    for page in 1..=bassoons.len() {
        let answer = search(&app, "fagotowy", "pl", &format!("1/search..{page}.all.all.all")).await;
        assert_eq!((&answer["total_count"], &answer["relaxed"]), (&json!(bassoons.len()), &Value::Null));
        pages.extend(video_ids(&answer));
    }
    assert_eq!(pages, video_ids(&answer), "the pages form one list");
    let path = "/api/videos2.php?params=86400/str/longest/100/search..1.all.all.all&s=fagotowy&lang=en";
    let longest = "select id from videos where visible and gender = 'str' and title like 'Bassoon%' order by duration desc, id desc";
    assert_eq!(app.ids(path).await, app.numbers(longest).await, "in the requested order");
    app.finish().await;
}

#[tokio::test]
async fn operators_add_and_refuse_meanings() {
    let app = app().await;
    let execute = async |statement: &str| {
        app.sql(statement).await;
        app.refresh_words().await;
    };
    // The word is unknown.
    assert_eq!(all(&app, "qwertzon", "en").await["relaxed"], json!(["popular"]));
    execute("insert into meanings (lang, word, other_lang, other, kind, origin) values ('en', 'bassoon', 'en', 'qwertzon', 'synonym', 'operator')").await;
    let found = all(&app, "qwertzon", "en").await;
    assert_eq!((sorted(&found), &found["relaxed"]), (titled(&app, "Bassoon%").await, &Value::Null));
    assert!(all(&app, "qwertzon -hanoi", "en").await["total_count"].as_u64() < found["total_count"].as_u64());

    execute("update meanings set refused = true, origin = 'operator'").await;
    assert_eq!(all(&app, "qwertzon", "en").await["relaxed"], json!(["popular"]));
    // Learning again does not override a refusal.
    app.learn_words().await;
    assert_eq!(app.numbers("select count(*) from meanings where not refused").await, [0]);
    app.finish().await;
}

#[tokio::test]
async fn meanings_no_longer_in_titles_are_removed() {
    let app = app().await;
    let learned = "select count(*) from meanings where origin = 'learned' and 'bassoon' in (word, other)";
    assert_ne!(app.numbers(learned).await, [0]);
    app.change("delete from video_translations where lang = 'pl'").await;
    app.learn_words().await;
    assert_eq!(app.numbers(learned).await, [0]);
    assert!(app.numbers("select count(*) from meanings where origin = 'shipped'").await[0] > 50);
    app.finish().await;
}

#[tokio::test]
async fn shipped_meanings_are_known_before_any_are_learned() {
    let app = App::start().await;
    app.change("update videos set title = 'Grand piano ' || id where id in (1, 2, 3)").await;
    app.refresh_words().await;
    for (text, lang) in [("пианино", "en"), ("fortepian", "ja"), ("Klavier", "en"), ("ピアノ", "de")] {
        assert_eq!(sorted(&all(&app, text, lang).await), [1, 2, 3], "{text}");
    }
    app.finish().await;
}

#[tokio::test]
async fn search_without_hits_falls_back_to_popular_videos() {
    let app = app().await;
    // Neither word occurs in a title, but one has a known meaning.
    let words = all(&app, "qwertzon пианино", "en").await;
    assert_eq!(words["relaxed"], json!(["popular"]), "no title contains the meaning either");
    app.change("update videos set title = 'Piano', duration = 100 where id = 1").await;
    let words = all(&app, "qwertzon пианино", "en").await;
    assert_eq!((&words["relaxed"], video_ids(&words)), (&json!(["words"]), vec![1]));
    let long = search(&app, "пианино", "en", "100/search..1.all.long.all").await;
    assert_eq!((&long["relaxed"], video_ids(&long)), (&json!(["duration"]), vec![1]));

    let popular = search(&app, "qwertzon", "en", "10/search..1.uncensored.long.all").await;
    assert_eq!(popular["relaxed"], json!(["duration", "popular"]));
    let most = "select v.id from videos v join video_stats s on s.video_id = v.id where visible and gender = 'str' and is_uncensored
                order by viewed desc, v.id desc limit 10";
    assert_eq!(video_ids(&popular), app.numbers(most).await, "the requested type only");
    assert_eq!((&popular["total_count"], &popular["pages"]), (&json!(10), &json!(1)));
    assert!(popular["code"].is_null() && popular["tried"].is_null());
    let without = all(&app, "qwertzon -harbour", "en").await;
    assert_eq!(without["relaxed"], json!(["popular"]));
    let titles: Vec<&str> =
        without["videos"].as_array().unwrap().iter().map(|card| card["title"].as_str().unwrap()).collect();
    assert!(!titles.is_empty() && titles.iter().all(|title| !title.contains("Harbour")), "{titles:?}");
    let second = search(&app, "qwertzon", "en", "10/search..2.all.all.all").await;
    assert_eq!((&second["total_count"], &second["code"]), (&json!(0), &json!("videos_not_found")));
    app.finish().await;
}

#[tokio::test]
async fn videos_that_only_their_category_describes_come_after_titles_in_other_languages() {
    let app = app().await;
    let others =
        app.numbers("select id from videos where visible and gender = 'str' and id > 24 order by id limit 4").await;
    let (foreign, labelled) = others.split_first().unwrap();
    let list = labelled.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    app.change(&format!(
        "update category_titles set title = 'Bassoon' where lang = 'en' and category_id = (select min(id) from categories);
         delete from video_categories where category_id = (select min(id) from categories);
         insert into video_categories select id, (select min(id) from categories) from videos where id in ({list});
         delete from video_translations where video_id = {foreign};
         update videos set title = 'Nocny koncert fagotowy', lang = 'pl' where id = {foreign};
         update video_stats set viewed = 1000000 where video_id in ({list})"
    ))
    .await;
    let found = video_ids(&all(&app, "bassoon", "en").await);
    let titled = titled(&app, "Bassoon%").await;
    let (own, rest) = found.split_at(titled.len());
    let mut own = own.to_vec();
    own.sort_unstable();
    assert_eq!((own, rest.first()), (titled, Some(foreign)));
    let mut last = rest[1..].to_vec();
    last.sort_unstable();
    assert_eq!(last, labelled);
    app.finish().await;
}
