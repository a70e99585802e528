//! `suggester.php`: completions from words in titles, models and videos.

use serde_json::Value;

use crate::support::App;

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Returns the suggestions, each with its number of videos.
async fn suggested(app: &App, text: &str, rest: &str) -> Vec<(String, u64)> {
    let answer = app.json(&format!("/api/suggester.php?c={}{rest}", encoded(text))).await;
    let one = |one: &Value| (one["title"].as_str().unwrap().to_owned(), one["total"].as_u64().unwrap());
    answer["suggestions"].as_array().unwrap().iter().map(one).collect()
}

#[tokio::test]
async fn every_prefix_of_a_title_word_is_completed() {
    let app = App::learned().await;
    for (lang, words) in
        [("en", &["rooftop", "quiet", "garden"][..]), ("ru", &["ночной", "rooftop"]), ("ja", &["夏旅行"])]
    {
        for word in words {
            let letters: Vec<char> = word.chars().collect();
            for typed in 2..=letters.len() {
                let typed: String = letters[..typed].iter().collect();
                let found = suggested(&app, &typed, &format!("&lang={lang}")).await;
                assert!(found.iter().any(|(_, videos)| *videos > 0), "{lang} {typed}: {found:?}");
            }
        }
    }
    assert_eq!(suggested(&app, "zzyzx", "&lang=en").await, []);
    app.finish().await;
}

#[tokio::test]
async fn completed_search_finds_the_suggested_number_of_videos() {
    let app = App::learned().await;
    for (typed, whole, gender) in [
        ("roof", "rooftop", "str"),
        ("quiet ga", "quiet garden", "str"),
        ("quiet ga", "quiet garden", "she"),
        ("neon ci", "neon city", "str"),
        ("NEON & ra", "NEON & rain", "she"),
    ] {
        let params = format!("params=86400/{gender}/relevance/10/search..1.all.all.all&s={}", encoded(whole));
        let videos = app.json(&format!("/api/videos2.php?{params}")).await["total_count"].as_u64().unwrap();
        let found = suggested(&app, typed, &format!("&lang=en&gender={gender}")).await;
        assert!(videos > 0 && found.contains(&(whole.to_owned(), videos)), "{gender} {typed}: {found:?}, not {videos}");
    }
    assert_eq!(suggested(&app, "roof", "&lang=en&gender=gay").await, [], "none has this orientation");
    app.get("/api/suggester.php?c=roof&gender=x").await.refused(422, "invalid");
    assert_eq!(suggested(&app, "ro", "&lang=en&count=1").await.len(), 1);
    app.finish().await;
}

#[tokio::test]
async fn suggestions_count_videos_of_the_visitors_orientation() {
    let app = App::start().await;
    for gender in ["str", "she", "gay"] {
        let visible = format!("from videos v where visible and gender = '{gender}'");
        let of_music = "exists (select from video_categories where video_id = v.id and category_id = 5)";
        let of_mika = "exists (select from video_models l join models m on m.id = l.model_id
            where video_id = v.id and m.title = 'Mika Sato')";
        for (typed, title, condition) in [("musi", "Music", of_music), ("mika", "Mika Sato", of_mika)] {
            let videos = app.numbers(&format!("select v.id {visible} and {condition}")).await.len() as u64;
            let found = suggested(&app, typed, &format!("&lang=en&gender={gender}")).await;
            let total = found.iter().find(|(known, _)| known == title).map(|(_, total)| *total);
            assert_eq!(total, Some(videos).filter(|videos| *videos > 0), "{gender} {title}: {found:?}");
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn titles_hidden_from_guests_are_not_suggested() {
    let app = App::learned().await;
    app.change("update videos set title = 'A quiet zeppelin', is_private = true where id = 4").await;
    assert_eq!(suggested(&app, "zepp", "&lang=en").await, []);
    app.change("update videos set is_private = false where id = 4").await;
    app.learn_words().await;
    assert_eq!(suggested(&app, "zepp", "&lang=en").await, [("zeppelin".to_owned(), 1)]);
    app.finish().await;
}

#[tokio::test]
async fn models_and_best_videos_are_suggested_with_pictures() {
    let app = App::learned().await;
    app.change("update models set picture_key = 'demo/pictures/01' where title = 'Mika Sato'").await;
    let answer = app.json("/api/suggester.php?c=mika&lang=en").await;
    let mika = answer["suggestions"].as_array().unwrap().iter().find(|one| one["title"] == "Mika Sato").unwrap();
    assert_eq!(mika["thumb"], "/media/p/demo/pictures/01-320.webp");
    app.change("update videos set title = 'A quiet zeppelin' where id = 4").await;
    app.learn_words().await;
    let answer = app.json("/api/suggester.php?c=zepp&lang=en&gender=str").await;
    let [video] = &answer["videos"].as_array().unwrap()[..] else { panic!("{answer}") };
    assert_eq!((&video["video_id"], &video["title"]), (&Value::from(4), &Value::from("A quiet zeppelin")));
    assert!(video["thumb"].is_string() && video["_formatted"]["title"].as_str().unwrap().contains("<mark>"), "{video}");
    assert!(app.json("/api/suggester.php?c=ga&lang=en").await["videos"].as_array().unwrap().len() <= 3);
    app.change("update videos set is_private = true where id = 4").await;
    assert!(app.json("/api/suggester.php?c=zepp&lang=en").await["videos"].is_null(), "visible videos only");
    app.finish().await;
}
