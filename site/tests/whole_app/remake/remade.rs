//! How films are encoded anew while they are shown.

use std::{pin::pin, process::Command, time::Duration};

use axum::http::Method;
use lantern_catalog::films::{self, Remake, Selection};
use lantern_config::{Config, KeepOriginal, Preset, Rung, SecondCodec};
use lantern_media::{
    film::{EncodingSettings, Ladder},
    worker::Worker,
};
use lantern_testing::film;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::originals::{app, kept};
use crate::{
    moderate::decide::choose_poster,
    replace::swapped::{page, published, stream, text},
    support::{App, bucket::Bucket},
    upload::films::{described, latest, work, worker},
};

/// Adds a rung and HEVC.
pub fn bigger(config: &mut Config) {
    let first = config.films.ladder[0];
    config.films.ladder.insert(0, Rung { height: 120, ..first });
    (config.films.second_codec, config.films.hevc.preset) = (SecondCodec::Hevc, Preset::Ultrafast);
}

pub async fn remakes(worker: &Worker) -> bool {
    worker.remake_once(&CancellationToken::new()).await.unwrap()
}

/// Requests a remake of a video's film.
pub async fn requested(app: &App, video: i64, from_rendition: bool) -> Remake {
    let key = text(app, &format!("select media_key from videos where id = {video}")).await;
    let remake = Remake { video, key, from_rendition, step: None, percent: 0 };
    let mut conn = app.pool().acquire().await.unwrap();
    assert_eq!(films::request_remakes(&mut conn, std::slice::from_ref(&remake)).await.unwrap(), 1);
    assert_eq!(films::request_remakes(&mut conn, std::slice::from_ref(&remake)).await.unwrap(), 0, "it waits");
    remake
}

/// Returns the folder and group of a video's film.
pub async fn place(app: &App, video: i64) -> (String, i32) {
    let query = "select media_key, sg_id from videos where id = $1";
    sqlx::query_as(query).bind(video).fetch_one(app.pool()).await.unwrap()
}

/// Returns the state of the latest remake, with the reason for its failure.
pub async fn state(app: &App) -> String {
    text(app, "select state || coalesce(': ' || last_error, '') from jobs where kind = 'film_remake' order by id desc limit 1").await
}

/// Returns the names of unfinished folders.
pub fn unfinished(app: &App) -> Vec<String> {
    app.media_files("films").into_iter().filter(|name| name.starts_with('.')).collect()
}

#[tokio::test]
async fn film_is_remade_while_it_is_watched_and_keeps_everything_else() {
    let app = app(KeepOriginal::Always, |_| {}).await;
    let (mona, olga) = (app.member("mona").await, app.member("olga").await);
    let id = published(&app, &mona, 121).await;
    olga.acts(&[("act", "comm"), ("section", "video"), ("object_id", &id.to_string()), ("msg", "A fine harbour")])
        .await;
    app.change(&format!(
        "update videos set chapters = E'0:00 Opening\\n0:03 The end' where id = {id};
         insert into captions (video_id, lang, kind, cues) values
             ({id}, 'en', 'subtitles', '[{{\"from\": 0, \"to\": 900, \"text\": \"Here\"}}]')"
    ))
    .await;
    app.drain().await;
    let (before, old, (former, _)) = (page(&app, id).await, stream(&app, id).await, place(&app, id).await);
    app.media(&format!("{former}/shot-5-320.webp"), b"the chosen picture");
    let revision = app.numbers(&format!("select revision::bigint from videos where id = {id}")).await;
    requested(&app, id, false).await;

    let worker = worker(&app, bigger);
    let stop = CancellationToken::new();
    let (mut remaking, mut watched) = (pin!(worker.remake_once(&stop)), 0);
    loop {
        tokio::select! {
            remade = &mut remaking => break assert!(remade.unwrap()),
            shown = app.get(&old) => {
                assert_eq!(shown.status, 200);
                watched += 1;
            }
        }
    }
    assert!(watched > 0);
    assert_eq!(state(&app).await, "done");
    app.drain().await;

    let (after, new, (key, _)) = (page(&app, id).await, stream(&app, id).await, place(&app, id).await);
    assert!(key != former && new.contains(&key) && unfinished(&app).is_empty());
    let playlist = app.get(&new).await;
    assert_eq!((playlist.status, playlist.text().matches("RESOLUTION=").count()), (200, 2), "{}", playlist.text());
    let streams = app.json(&format!("/api/videofile.php?video_id={id}")).await["video_url"].clone();
    let hevc = streams.as_array().unwrap().iter().find(|stream| stream["codec"] == "hevc").unwrap().clone();
    assert_eq!(app.get(hevc["url"].as_str().unwrap()).await.status, 200);
    for same in ["title", "duration", "post_date", "url", "comments", "dir"] {
        assert_eq!(after[same], before[same], "{same}");
    }
    let thumb = after["thumb"].as_str().unwrap();
    assert!(thumb.contains(&key) && thumb.ends_with("shot-5-320.webp"), "{thumb}");
    assert_eq!(app.get(thumb).await.text(), "the chosen picture");
    assert_eq!(app.numbers(&format!("select revision::bigint from videos where id = {id}")).await, revision);
    let said = format!(
        "select count(*) from captions where video_id = {id} union all
         select count(*) from videos where id = {id} and chapters = E'0:00 Opening\\n0:03 The end'"
    );
    assert_eq!(app.numbers(&said).await, [1, 1]);
    let found = app.ids("/api/videos2.php?params=86400/str/relevance/10/search..1.all..&s=evenings").await;
    assert_eq!(found, [id]);

    // Links to the former files and their pictures work until these are removed.
    assert_eq!(app.get(&old).await.status, 200);
    assert_eq!(app.get(before["thumb"].as_str().unwrap()).await.status, 200);
    let later = std::time::SystemTime::now() + Duration::from_secs(7200);
    assert_eq!((worker.sweep_films(later).await.unwrap(), worker.remove_due().await.unwrap()), (0, 0));
    app.change(&format!("update videos set is_private = true where id = {id}")).await;
    assert_eq!((app.get(&old).await.status, olga.get(&old).await.status), (404, 200));
    app.change(&format!("update videos set is_private = false where id = {id}")).await;
    let soonest = "select count(*) from former_films where remove_at > now() + interval '167 hours'";
    assert_eq!(app.numbers(soonest).await, [1]);
    app.sql("update former_films set remove_at = now()").await;
    assert_eq!(worker.remove_due().await.unwrap(), 1);
    assert!(!app.state().stores.root().join(&former).exists());
    assert_eq!((app.get(&old).await.status, app.get(&new).await.status), (404, 200));
    assert_eq!(kept(&app).len(), 1);
    app.finish().await;
}

#[tokio::test]
async fn films_are_selected_by_what_they_are() {
    let app = app(KeepOriginal::Always, |_| {}).await;
    let mona = app.member("mona").await;
    let mut ids = Vec::new();
    for (number, change) in [(122, (|_| {}) as fn(&mut Config)), (123, bigger)] {
        described(&mona, &film("4", number)).await;
        assert!(work(&worker(&app, change)).await);
        ids.push(latest(&mona).await["video"]["video_id"].as_i64().unwrap());
    }
    app.sql(&format!(
        "update uploads set created_at = '2026-01-31 23:30Z' where video_id = {}; delete from originals where video_id = {}",
        ids[0], ids[1]
    ))
    .await;
    let mut conn = app.pool().acquire().await.unwrap();
    let day =
        |text: &str| Some(time::Date::parse(text, time::macros::format_description!("[year]-[month]-[day]")).unwrap());
    let codec = lantern_catalog::video_codec::VideoCodec::Hevc;
    let all = Selection::default;
    for (wanted, expected) in [
        (all(), ids.clone()),
        (Selection { video: Some(ids[1]), ..all() }, vec![ids[1]]),
        (Selection { video: Some(1), ..all() }, vec![]),
        (Selection { member: Some("MONA".to_owned()), ..all() }, ids.clone()),
        (Selection { member: Some("nobody".to_owned()), ..all() }, vec![]),
        (Selection { height: Some(240), ..all() }, ids.clone()),
        (Selection { height: Some(480), ..all() }, vec![]),
        (Selection { second_codec: Some(None), ..all() }, vec![ids[0]]),
        (Selection { second_codec: Some(Some(codec)), ..all() }, vec![ids[1]]),
        (Selection { before: day("2026-02-01"), ..all() }, vec![ids[0]]),
        (Selection { before: day("2026-01-31"), ..all() }, vec![]),
        (Selection { since: day("2026-02-01"), ..all() }, vec![ids[1]]),
        (Selection { since: day("2026-01-31"), before: day("2026-02-01"), ..all() }, vec![ids[0]]),
    ] {
        let found = films::select(&mut conn, &wanted, 0).await.unwrap();
        assert_eq!(found.iter().map(|film| film.video_id).collect::<Vec<_>>(), expected, "{wanted:?}");
    }
    let found = films::select(&mut conn, &all(), ids[0]).await.unwrap();
    assert_eq!(found.iter().map(|film| film.video_id).collect::<Vec<_>>(), [ids[1]], "the next page");
    let found = films::select(&mut conn, &all(), 0).await.unwrap();
    assert_eq!(found.iter().map(|film| film.has_original).collect::<Vec<_>>(), [true, false]);
    let mut config = Config::clone(&app.state().config);
    let is_current = |config: &Config| {
        let recorded = |encoding: &Option<Value>| serde_json::from_value(encoding.clone().unwrap()).unwrap();
        let settings = found.iter().map(|film| recorded(&film.encoding));
        settings.map(|made: EncodingSettings| made.is_current(Ladder::from(&config.films))).collect::<Vec<_>>()
    };
    assert_eq!(is_current(&config), [true, false]);
    bigger(&mut config);
    assert_eq!(is_current(&config), [false, true]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn remade_film_goes_back_to_its_bucket_and_waits_for_an_unavailable_one() {
    let bucket = Bucket::start().await;
    let app = app(KeepOriginal::Always, |config| {
        config.storage.groups.insert(1, bucket.group());
        (config.storage.new_films, config.storage.originals) = (1, 1);
    })
    .await;
    let mona = app.member("mona").await;
    let id = published(&app, &mona, 130).await;
    let worker = worker(&app, |config| {
        bigger(config);
        config.storage.retry_seconds = 0;
    });
    let moved = async || while worker.move_once(&CancellationToken::new()).await.unwrap() {};
    moved().await;
    assert_eq!(worker.remove_due().await.unwrap(), 2);
    assert_eq!(app.numbers("select count(*) from originals where sg_id = 1").await, [1]);
    let (former, group) = place(&app, id).await;
    assert_eq!(group, 1);
    let old = stream(&app, id).await;

    requested(&app, id, false).await;
    bucket.refuse(&[Method::GET, Method::HEAD], 0);
    assert!(remakes(&worker).await);
    let waits = "select (attempts = 0 and state = 'queued' and last_error is not null)::integer::bigint from jobs where kind = 'film_remake'";
    assert_eq!(app.numbers(waits).await, [1], "{}", state(&app).await);
    bucket.refuse(&[], 0);
    assert!(remakes(&worker).await);
    let (key, group) = place(&app, id).await;
    assert_eq!((key != former, group), (true, 0));
    assert_eq!((app.get(&stream(&app, id).await).await.status, app.get(&old).await.status), (200, 200));
    moved().await;
    assert_eq!(place(&app, id).await, (key.clone(), 1));
    assert_eq!((app.get(&stream(&app, id).await).await.status, app.get(&old).await.status), (200, 200));
    app.sql("update former_films set remove_at = now()").await;
    assert_eq!(worker.remove_due().await.unwrap(), 2);
    let names = bucket.names();
    assert!(
        names.iter().any(|name| name.contains(&key)) && !names.iter().any(|name| name.contains(&former)),
        "{names:?}"
    );
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn audio_tracks_survive_a_remake_of_the_largest_rendition() {
    let app = app(KeepOriginal::Never, |_| {}).await;
    let mona = app.member("mona").await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("film.mp4"), film("4", 131)).unwrap();
    let inputs = ["-i", "film.mp4", "-f", "lavfi", "-i", "sine=f=440", "-f", "lavfi", "-i", "sine=f=880"];
    let tracks =
        ["-map", "0:v", "-map", "1", "-map", "2", "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu"];
    let written =
        ["-metadata:s:a:1", "title=Kommentar", "-disposition:a:1", "comment", "-c:v", "copy", "-t", "4", "two.mkv"];
    let mut made = Command::new("ffmpeg");
    made.current_dir(folder.path()).args(["-nostdin", "-v", "error"]).args(inputs).args(tracks).args(written);
    assert!(made.status().unwrap().success());
    described(&mona, &std::fs::read(folder.path().join("two.mkv")).unwrap()).await;
    let id = choose_poster(&app, &mona).await;
    app.approve(id).await;
    let tracks = async || text(&app, &format!("select audio_tracks::text from videos where id = {id}")).await;
    let before = tracks().await;
    let named: Value = serde_json::from_str(&before).unwrap();
    assert_eq!((&named[1]["title"], &named[1]["kind"]), (&json!("Kommentar"), &json!("commentary")), "{named}");
    requested(&app, id, true).await;
    assert!(remakes(&worker(&app, bigger)).await);
    assert_eq!((state(&app).await.as_str(), tracks().await), ("done", before));
    app.drain().await;
    let playlist = app.get(&stream(&app, id).await).await.text();
    assert_eq!(playlist.matches("TYPE=AUDIO").count(), 2, "{playlist}");
    app.finish().await;
}
