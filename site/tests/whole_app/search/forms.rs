//! Searches for inflected forms and other spellings of words in titles.

use serde_json::{Value, json};

use crate::support::{App, video_ids};

async fn search(app: &App, text: &str, lang: &str, tail: &str) -> Value {
    let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    app.json(&format!("/api/videos2.php?params=86400/str/relevance/{tail}&s={encoded}&lang={lang}")).await
}

async fn found(app: &App, text: &str, lang: &str) -> Vec<i64> {
    video_ids(&search(app, text, lang, "100/search..1.all.all.all").await)
}

/// Language and title of each video, in the order of their ids.
const TITLES: [(&str, &str); 10] = [
    ("en", "A hike above the clouds"),
    ("de", "Der erste Schnee am Rathaus"),
    ("es", "La nieve sobre los tejados"),
    ("ru", "Танец под фонарями"),
    ("ru", "Дождливый вечер у моста"),
    ("de", "Märkte am Fluss"),
    ("ja", "着物の一日"),
    ("ja", "初雪の朝"),
    ("ja", "列車から見る海"),
    ("pl", "Spacer po ogrodzie"),
];

async fn app() -> (App, Vec<i64>) {
    let app = App::start().await;
    let ids = app.numbers("select id from videos where visible and gender = 'str' order by id limit 10").await;
    let values: Vec<String> =
        ids.iter().zip(TITLES).map(|(id, (lang, title))| format!("({id}, '{lang}', '{title}')")).collect();
    app.change(&format!(
        "delete from video_translations;
         delete from video_categories;
         update models set title = 'Miyuki ' || id;
         update videos set title = 'Harbour ' || id, lang = 'en';
         update videos set title = t.title, lang = t.lang from (values {}) t(id, lang, title) where videos.id = t.id",
        values.join(", ")
    ))
    .await;
    app.learn_words().await;
    (app, ids)
}

#[tokio::test]
async fn finds_words_in_every_form_and_script() {
    let (app, ids) = app().await;
    for (text, lang, title) in [
        ("hiking", "en", 0),
        ("hiking clouds", "de", 0),
        ("schneit", "de", 1),
        ("nevando", "es", 2),
        ("nevando", "en", 2),
        ("танцует", "ru", 3),
        ("танцевать", "ru", 3),
        ("дождливые", "ru", 4),
        ("Markt", "de", 5),
        ("きもの", "ja", 6),
        ("kimono", "ja", 6),
        ("ゆき", "ja", 7),
        ("yuki", "ja", 7),
        ("雪", "ja", 7),
        ("雪", "en", 7),
        ("でんしゃ", "ja", 8),
        ("spacerowała", "pl", 9),
    ] {
        assert_eq!(found(&app, text, lang).await.first(), Some(&ids[title]), "{text} in {lang}");
    }
    app.finish().await;
}

#[tokio::test]
async fn inflected_form_is_highlighted_and_not_a_relaxed_search() {
    let (app, ids) = app().await;
    let answer = search(&app, "танцует", "ru", "100/search..1.all.all.all").await;
    assert_eq!((video_ids(&answer), &answer["total_count"]), (vec![ids[3]], &json!(1)));
    assert!(answer.get("relaxed").is_none() && answer.get("shown_for").is_none(), "{answer}");
    assert_eq!(answer["videos"][0]["_formatted"]["title"], "<mark>Танец</mark> под фонарями");
    let filtered = search(&app, "танцует", "ru", "100/search..1.all.500-600.all").await;
    assert_ne!(filtered["relaxed"], Value::Null, "filters also apply to other forms");
    let text = "%D1%82%D0%B0%D0%BD%D1%86%D1%83%D0%B5%D1%82";
    let path = format!("/explain?params=86400/str/relevance/100/search..1.all.all.all&s={text}&lang=ru");
    let why = app.watch(&path).await.json()["why"][0].clone();
    assert_eq!((&why["text"], &why["places_by_clicks"]), (&json!("танцует"), &json!(0.0)));
    app.finish().await;
}

#[tokio::test]
async fn accepts_single_kanji_but_no_single_letter() {
    let app = App::start().await;
    let path = |text: &str| format!("/api/videos2.php?params=86400/str/relevance/10/search..1.all.all.all&s={text}");
    app.get(&path("a")).await.refused(422, "min_length");
    app.get(&path("%E3%81%AE")).await.refused(422, "min_length");
    app.json(&path("%E9%9B%AA")).await;
    app.finish().await;
}
