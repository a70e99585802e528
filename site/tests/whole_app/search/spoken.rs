//! Searches for what is said in videos: the line, its second, and who may find it.

use serde_json::{Value, json};

use crate::support::{App, done};

const EDIT: &str = "/api/video_captions.php";
const CORRECT: &str = "/api/moderate/captions";

fn address(text: &str, tail: &str, rest: &str) -> String {
    let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("/api/spoken.php?params=86400/str/relevance/10/search..1.{tail}&s={encoded}{rest}")
}

/// Returns the videos in which the text is said, each with its line.
async fn said(app: &App, text: &str, lang: &str) -> Vec<(i64, Value)> {
    found(&app.json(&address(text, "all.all.all", &format!("&lang={lang}"))).await)
}

fn found(answer: &Value) -> Vec<(i64, Value)> {
    let videos = answer["videos"].as_array().unwrap().iter();
    videos.map(|found| (found["video"]["video_id"].as_i64().unwrap(), found["line"].clone())).collect()
}

async fn ids(app: &App, text: &str, lang: &str) -> Vec<i64> {
    said(app, text, lang).await.into_iter().map(|(id, _)| id).collect()
}

/// Returns captions whose lines appear at these seconds.
fn vtt(lines: &[(u32, &str)]) -> String {
    let clock = |second: u32| format!("{:02}:{:02}.500", second / 60, second % 60);
    let cues = lines.iter().map(|(at, text)| format!("\n{} --> {}\n{text}\n", clock(*at), clock(at + 2)));
    format!("WEBVTT\n{}", cues.collect::<String>())
}

/// Adds a track, as a film's own text track is added.
async fn add(app: &App, video: i64, lang: &str, lines: &[(u32, &str)]) {
    let cues: Vec<Value> =
        lines.iter().map(|(at, text)| json!({ "from": at * 1000, "to": at * 1000 + 900, "text": text })).collect();
    let cues = Value::Array(cues).to_string().replace('\'', "''");
    app.change(&format!(
        "insert into captions (video_id, lang, kind, cues) values ({video}, '{lang}', 'subtitles', '{cues}')"
    ))
    .await;
}

#[tokio::test]
async fn uploaded_captions_are_found_by_a_line_once_they_are_reviewed() {
    let app = App::start().await;
    let owner = app.sign_in(1, "uploader").await;
    let mut lines: Vec<(u32, String)> = (0..40).map(|at| (at * 5, format!("Line number {at}"))).collect();
    lines.push((192, "Look, two <i>zeppelins</i> &amp; a kite".to_owned()));
    let lines: Vec<(u32, &str)> = lines.iter().map(|(at, text)| (*at, text.as_str())).collect();
    let captions = vtt(&lines);
    done(&owner.post(EDIT, &[("video_id", "2"), ("lang", "en"), ("captions", &captions)]).await);
    app.drain().await;
    assert_eq!(ids(&app, "zeppelin", "en").await, [0; 0], "nobody has reviewed them");

    app.change("update videos set status_id = published() where id = 2").await;
    let line = json!({
        "start": 192,
        "time": "3:12",
        "text": "Look, two <mark>zeppelins</mark> &amp; a kite",
        "lang": "en"
    });
    assert_eq!(said(&app, "zeppelin", "en").await, [(2, line)]);
    let card = app.json(&address("zeppelin", "all.all.all", "")).await["videos"][0]["video"].clone();
    assert_eq!((&card["dir"], &card["title"]), (&json!("video-2"), &json!("Rooftop dance 2")));

    let moderator = app.moderator("mona").await;
    let corrected = captions.replace("zeppelins", "airships");
    done(&moderator.post(CORRECT, &[("video_id", "2"), ("lang", "en"), ("captions", &corrected)]).await);
    app.drain().await;
    assert_eq!((ids(&app, "zeppelin", "en").await, ids(&app, "airship", "en").await), (vec![], vec![2]));
    // Fewer lines are fewer documents.
    done(&moderator.post(CORRECT, &[("video_id", "2"), ("lang", "en"), ("captions", &vtt(&[(1, "A hat")]))]).await);
    app.drain().await;
    assert_eq!((ids(&app, "airship", "en").await, ids(&app, "hat", "en").await), (vec![], vec![2]));
    done(&moderator.post(CORRECT, &[("video_id", "2"), ("lang", "en"), ("remove", "1")]).await);
    app.drain().await;
    assert_eq!(ids(&app, "hat", "en").await, [0; 0]);
    app.finish().await;
}

#[tokio::test]
async fn only_videos_that_the_list_may_show_are_found() {
    let app = App::start().await;
    add(&app, 2, "en", &[(3, "The zeppelin lands")]).await;
    assert_eq!(ids(&app, "zeppelin", "en").await, [2]);
    for (hidden, shown) in [
        ("is_private = true", "is_private = false"),
        ("status_id = in_review()", "status_id = published()"),
        ("status_id = in_review()", "publish_at = now() + interval '1 day'"),
        // Approved, it waits for its time.
        ("status_id = published()", "publish_at = null, status_id = published()"),
        ("status_id = rejected()", "status_id = published()"),
        ("gender = 'gay'", "gender = 'str'"),
        ("status_id = deleted()", "status_id = published()"),
    ] {
        app.change(&format!("update videos set {hidden} where id = 2")).await;
        assert_eq!(ids(&app, "zeppelin", "en").await, [0; 0], "{hidden}");
        app.change(&format!("update videos set {shown} where id = 2")).await;
    }
    assert_eq!(ids(&app, "zeppelin", "en").await, [2]);

    // Filters and mutes.
    app.change("delete from video_categories where video_id = 2; insert into video_categories values (2, 1)").await;
    let dir =
        sqlx::query_scalar::<_, String>("select dir from categories where id = 1").fetch_one(app.pool()).await.unwrap();
    let other =
        sqlx::query_scalar::<_, String>("select dir from categories where id = 2").fetch_one(app.pool()).await.unwrap();
    let within = async |rest: String| found(&app.json(&address("zeppelin", "all.all.all", &rest)).await).len();
    assert_eq!((within(format!("&categories={dir}")).await, within(format!("&categories={other}")).await), (1, 0));
    app.get(&address("zeppelin", "all.all.all", "&categories=none-such")).await.refused(404, "category_not_found");
    let list = address("zeppelin", "all.all.all", "");
    let unmuted = async |muted: &str| {
        let reply = app.guest_posts("/api/unmuted.php", &[("list", &list), ("categories", muted)]).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        found(&reply.json()).len()
    };
    assert_eq!((unmuted(&other).await, unmuted(&dir).await), (1, 0));
    app.change("delete from videos where id = 2").await;
    assert_eq!(ids(&app, "zeppelin", "en").await, [0; 0]);
    app.finish().await;
}

#[tokio::test]
async fn words_of_a_search_are_said_together() {
    let app = App::start().await;
    add(&app, 2, "en", &[(1, "A silver zeppelin"), (4, "over the old pier"), (8, "What a view"), (12, "at midnight")])
        .await;
    add(&app, 3, "en", &[(2, "A zeppelin in silver paint")]).await;
    let split = said(&app, "silver pier", "en").await;
    assert_eq!((split[0].0, &split[0].1["start"]), (2, &json!(1)));
    assert_eq!(split[0].1["text"], "A <mark>silver</mark> zeppelin over the old <mark>pier</mark>");
    assert_eq!(ids(&app, "silver midnight", "en").await, [0; 0], "too far apart");
    assert_eq!(ids(&app, "silver zeppelin", "en").await, [3, 2], "the newest first");
    assert_eq!(ids(&app, "\"silver zeppelin\"", "en").await, [2]);
    assert_eq!(ids(&app, "zeppelin -paint", "en").await, [2]);
    assert_eq!(ids(&app, "zeppelin -\"silver paint\"", "en").await, [2]);
    assert_eq!(ids(&app, "-paint", "en").await, [0; 0], "nothing is wanted");
    app.get(&address("", "all.all.all", "")).await.refused(422, "required");
    app.finish().await;
}

#[tokio::test]
async fn words_are_found_in_every_language() {
    let app = App::start().await;
    for (video, lang, line) in [
        (2, "de", "Der Zeppelin fährt zu den Häfen"),
        (3, "ja", "今夜は夜市へ行こう"),
        (4, "sv", "God natt, Göteborg"),
        (5, "ru", "Пойдём на ночные рынки"),
        (6, "ko", "오늘 밤 시장에 가자"),
        (7, "en", "A zeppelin has landed"),
    ] {
        add(&app, video, lang, &[(1, line)]).await;
    }
    for (text, lang, video) in [
        ("hafen", "de", 2),
        ("Hafen", "en", 2),
        ("夜市", "ja", 3),
        ("goteborg", "en", 4),
        ("ночной рынок", "ru", 5),
        ("시장", "en", 6),
    ] {
        assert_eq!(ids(&app, text, lang).await, [video], "{text}");
    }
    assert_eq!(ids(&app, "zeppelin", "de").await, [2, 7], "the visitor's language first");
    assert_eq!(ids(&app, "zeppelin", "en").await, [7, 2]);
    app.finish().await;
}

#[tokio::test]
async fn a_rebuild_contains_captions() {
    let app = App::start().await;
    let lines: Vec<String> = (0..2500).map(|at| format!("Line number {at}")).collect();
    let lines: Vec<(u32, &str)> = lines.iter().zip(0..).map(|(text, at)| (at, text.as_str())).collect();
    add(&app, 2, "en", &lines).await;
    add(&app, 3, "sv", &[(1, "zeppelin")]).await;
    app.reindex().await;
    let last = said(&app, "\"number 2499\"", "en").await;
    assert_eq!((last[0].0, &last[0].1["time"]), (2, &json!("41:39")));
    app.change("truncate captions").await;
    assert_eq!(ids(&app, "zeppelin", "en").await, [0; 0]);
    app.finish().await;
}
