//! Ranking of words with similar spellings, and corrections in place of matches by typo tolerance.

use serde_json::{Value, json};

use crate::support::{App, video_ids};

async fn search(app: &App, text: &str, lang: &str) -> Value {
    let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let params = "86400/str/relevance/100/search..1.all.all.all";
    app.json(&format!("/api/videos2.php?params={params}&s={encoded}&lang={lang}")).await
}

#[tokio::test]
async fn misspelled_word_is_replaced_by_the_nearest_known_one() {
    let app = App::start().await;
    app.change(
        "update videos set title = 'Zeppelinen en wolken', lang = 'nl' where id = 3;
         update videos set title = 'Zeppelins boven de stad', lang = 'nl' where id = 5",
    )
    .await;
    let unknown = search(&app, "zeppelyns", "en").await;
    assert_eq!(unknown["relaxed"], json!(["popular"]), "no words learned yet");
    app.learn_words().await;
    let nearest = search(&app, "zeppelyns", "en").await;
    assert_eq!((&nearest["relaxed"], &nearest["shown_for"]), (&json!(["spelling"]), &json!(["zeppelins"])));
    for known in ["zeppelins", "zeppelin", "zep"] {
        assert_eq!(search(&app, known, "en").await["relaxed"], Value::Null, "{known}");
    }
    // A word in a description is not a typo, even if no title contains it.
    app.change("update videos set description = 'A zeppelyns story' where id = 7").await;
    let described = search(&app, "zeppelyns", "en").await;
    assert_eq!((&described["relaxed"], video_ids(&described).contains(&7)), (&Value::Null, true));
    // Typos are replaced if they are tolerated in any language variant of the query.
    app.change(
        "delete from video_translations where video_id in (3, 5);
         update videos set title = 'Katten en bloemen' where id = 3;
         update videos set title = 'Katoenen doeken' where id = 5",
    )
    .await;
    app.learn_words().await;
    let nearest = search(&app, "kattee", "nl").await;
    assert_eq!((&nearest["shown_for"], video_ids(&nearest)[0]), (&json!(["katten"]), 3));
    app.finish().await;
}

#[tokio::test]
async fn titles_in_the_visitors_language_outrank_similarly_spelled_words() {
    let app = App::start().await;
    app.change(
        "delete from video_translations where video_id in (3, 5, 7);
         update videos set title = 'Sauna e acqua fredda', lang = 'it' where id = 3;
         update videos set title = 'Сауна и холодная вода', lang = 'ru' where id = 5;
         update videos set title = 'Ночная сауна', lang = 'ru' where id = 7;
         update video_stats set viewed = 10000000 / video_id where video_id in (3, 5, 7)",
    )
    .await;
    app.learn_words().await;
    assert_eq!(video_ids(&search(&app, "сауна", "ru").await), [5, 7, 3]);
    assert_eq!(video_ids(&search(&app, "sauna", "it").await)[0], 3);
    app.finish().await;
}
