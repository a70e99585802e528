//! Uploaders who try to evade a takedown by using another node.

use std::{
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use image::{DynamicImage, ImageFormat, RgbImage, imageops};
use lantern_testing::film;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgPool};

use crate::{browser::Browser, node::Node, nodes::database};

const ALBUM: &str = "/api/album_edit.php";
const PROFILE: &str = "/api/member.php";
const TAKE_DOWN: &str = "/api/moderate/take_down";
/// Time limit that is generous for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(90);

/// Generates the picture for a seed.
fn scene(seed: u32) -> RgbImage {
    lantern_testing::scene(seed, 600, 600)
}

fn png(picture: &RgbImage) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(picture.clone()).write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// Returns a variant of the picture for a repeated upload, which is two pixels smaller.
fn smaller(picture: &RgbImage) -> Vec<u8> {
    png(&imageops::resize(picture, 598, 598, imageops::FilterType::Triangle))
}

/// Starts two nodes that share a catalog and a media folder.
async fn nodes() -> (lantern_testing::TestDb, tempfile::TempDir, [Node; 2]) {
    let (db, shared) = (database().await, tempfile::tempdir().unwrap());
    take_clips(&shared.path().join("media"));
    // The nodes drop root privileges, so the folder must be open to all.
    std::fs::set_permissions(shared.path(), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    let settings = [
        ("LANTERN__MEDIA__FOLDER", shared.path().join("media").display().to_string()),
        ("LANTERN__UPLOADS__FOLDER", shared.path().join("uploads").display().to_string()),
        ("LANTERN__FILMS__OTHER_SECONDS", "3".to_owned()),
        ("LANTERN__SERVER__TRUSTED_PROXIES", "[\"127.0.0.1\"]".to_owned()),
    ];
    let nodes = [Node::on(&db.url, &settings), Node::on(&db.url, &settings)];
    (db, shared, nodes)
}

/// Copies demo clips that were rendered earlier into a media folder, because rendering takes minutes.
fn take_clips(media: &Path) {
    std::fs::create_dir(media).unwrap();
    if let Some(folder) = std::env::var_os("LANTERN__MEDIA__FOLDER") {
        // Clips that another test is still rendering are incomplete. The node renders the missing ones.
        Command::new("cp").arg("-R").args([&Path::new(&folder).join("demo"), media]).status().unwrap();
    }
}

async fn number(pool: &PgPool, sql: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(pool).await.unwrap()
}

/// Waits until the query returns this number.
async fn becomes(pool: &PgPool, sql: &str, wanted: i64) {
    let until = Instant::now() + TIMEOUT;
    while number(pool, sql).await != wanted {
        assert!(Instant::now() < until, "{sql}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

const DETAILS: [(&str, &str); 4] =
    [("title", "By the harbour"), ("lang", "en"), ("orientation", "str"), ("categories", "")];

/// Returns metadata for an upload, with a category that exists.
async fn details(pool: &PgPool) -> Vec<(&'static str, String)> {
    let dir: String = sqlx::query_scalar("select min(dir) from categories").fetch_one(pool).await.unwrap();
    DETAILS
        .iter()
        .map(|(name, value)| (*name, if *name == "categories" { dir.clone() } else { (*value).to_owned() }))
        .collect()
}

fn fields<'a>(details: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
    details.iter().map(|(name, value)| (*name, value.as_str())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn takedown_holds_on_every_node() {
    let (db, _shared, [a, b]) = nodes().await;
    let pool = &db.pool;
    let (mona, olga) = (Browser::member(pool, "mona").await, Browser::member(pool, "olga").await);
    let (nils, rita) = (Browser::moderator(pool, "nils").await, Browser::member(pool, "rita").await);
    let details = details(pool).await;

    // An album is reported, and its member removes the picture and closes the account together with all uploads.
    let files: Vec<(&str, &str, Vec<u8>)> = [1, 2].map(|seed| ("photos", "a.png", png(&scene(seed)))).to_vec();
    let sent: Vec<(&str, &str, &[u8])> =
        files.iter().map(|(field, name, bytes)| (*field, *name, bytes.as_slice())).collect();
    let (status, album) = mona.send(&a, ALBUM, &fields(&details), &sent).await;
    assert_eq!(status, 200, "{album}");
    let id = album["album_id"].to_string();
    sqlx::query("update albums set status_id = published() where id = $1::bigint")
        .bind(album["album_id"].as_i64())
        .execute(pool)
        .await
        .unwrap();
    let report = [("section", "album"), ("object_id", id.as_str()), ("reason", "illegal")];
    assert_eq!(rita.post(&b, "/api/report.php", &report).await.0, 200);
    let first = album["photos"][0]["photo_id"].to_string();
    assert_eq!(mona.post(&a, ALBUM, &[("album_id", &id), ("remove", &first)]).await.0, 200);
    let (status, left) = mona.post(&a, "/api/account.php", &[("act", "delete"), ("uploads", "1")]).await;
    assert_eq!(status, 200, "{left}");
    let upload = nils.json(&b, &format!("/api/moderate/upload?section=album&id={id}")).await;
    let frames = upload["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 2, "{upload}");
    for frame in frames {
        assert_eq!(nils.get(&b, frame.as_str().unwrap()).await.0, 200, "{frame}");
        assert_eq!(olga.get(&a, frame.as_str().unwrap()).await.0, 404, "{frame}");
    }
    assert_eq!(nils.post(&b, TAKE_DOWN, &[("section", "album"), ("id", &id)]).await.0, 200);
    for (node, seed) in [(&a, 1), (&b, 2)] {
        let again = smaller(&scene(seed));
        let (status, refused) = olga.send(node, ALBUM, &fields(&details), &[("photos", "a.png", &again)]).await;
        assert_eq!((status, &refused["code"]), (422, &json!("photo_banned")), "{refused}");
        let (status, refused) = olga.send(node, PROFILE, &[], &[("u_ava", "a.png", &again)]).await;
        assert_eq!((status, &refused["code"]), (422, &json!("photo_banned")), "{refused}");
    }

    // A member uploads a film and then closes the account without deleting it.
    let paul = Browser::member(pool, "paul").await;
    let bytes = film("4", 32);
    let (status, sent) =
        paul.send(&b, "/api/video_edit.php", &fields(&details), &[("video", "film.mp4", &bytes)]).await;
    assert_eq!(status, 200, "{sent}");
    becomes(pool, "select count(*) from uploads where state = 'done'", 1).await;
    let video = number(pool, "select max(video_id) from uploads").await;
    sqlx::query("update videos set status_id = published() where id = $1").bind(video).execute(pool).await.unwrap();
    assert_eq!(paul.post(&a, "/api/account.php", &[("act", "delete"), ("uploads", "0")]).await.0, 200);
    assert_eq!(number(pool, "select count(*) from uploads").await, 0);
    let form = [("section", "video"), ("id", &*video.to_string())];
    assert_eq!(nils.post(&b, TAKE_DOWN, &form).await.0, 200);
    let (status, sent) =
        olga.send(&a, "/api/video_edit.php", &fields(&details), &[("video", "film.mp4", &bytes)]).await;
    assert_eq!(status, 200, "{sent}");
    becomes(pool, "select count(*) from uploads where state = 'failed' and error_code = 'video_banned'", 1).await;
    for node in [a, b] {
        node.end();
    }
}

/// Requests a member's public profile.
async fn page(viewer: &Browser, node: &Node, id: i64) -> (u16, Value) {
    let (status, body) = viewer.get(node, &format!("/api/json/member/7200/0/{id}.json")).await;
    (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
}

/// Waits until the public profile is as wanted.
async fn shows(viewer: &Browser, node: &Node, id: i64, wanted: impl Fn(&(u16, Value)) -> bool) {
    let until = Instant::now() + TIMEOUT;
    loop {
        let seen = page(viewer, node, id).await;
        if wanted(&seen) {
            return;
        }
        assert!(Instant::now() < until, "{seen:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Waits until a file is public, because an earlier refusal may be cached for a moment.
async fn opens(viewer: &Browser, node: &Node, address: &str) {
    let until = Instant::now() + TIMEOUT;
    while viewer.get(node, address).await.0 != 200 {
        assert!(Instant::now() < until, "{address} is still refused");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn profile_review_applies_on_every_node() {
    let (db, _shared, [a, b]) = nodes().await;
    let pool = &db.pool;
    let (mona, olga) = (Browser::member(pool, "mona").await, Browser::member(pool, "olga").await);
    let nils = Browser::moderator(pool, "nils").await;

    let (status, sent) = mona.send(&a, PROFILE, &[("about", "About me")], &[("u_ava", "a.png", &png(&scene(1)))]).await;
    assert_eq!((status, &sent["waiting"]), (200, &json!(["avatar", "texts"])), "{sent}");
    let avatar = sent["user"]["avatar"].as_str().unwrap().to_owned();
    for node in [&a, &b] {
        shows(&olga, node, mona.id, |(status, _)| *status == 200).await;
        let (_, seen) = page(&olga, node, mona.id).await;
        assert_eq!((&seen["member"]["avatar"], &seen["member"]["about"]), (&json!(null), &json!(null)));
        let pictures =
            [olga.get(node, &avatar).await.0, mona.get(node, &avatar).await.0, nils.get(node, &avatar).await.0];
        assert_eq!(pictures, [404, 200, 200]);
    }
    let waiting = nils.json(&b, "/api/moderate/community").await["profiles"].clone();
    for row in waiting.as_array().unwrap() {
        let (user, revision) = (row["user_id"].to_string(), row["revision"].to_string());
        let kind = row["kind"].as_str().unwrap();
        let form = [("user_id", user.as_str()), ("kind", kind), ("revision", &revision), ("verdict", "approve")];
        assert_eq!(nils.post(&b, "/api/moderate/profile", &form).await.0, 200);
    }
    for node in [&a, &b] {
        shows(&olga, node, mona.id, |(_, seen)| {
            seen["member"]["avatar"] == avatar && seen["member"]["about"] == "About me"
        })
        .await;
        opens(&olga, node, &avatar).await;
    }

    // Reports hide the profile on every node, and what a moderator clears stays removed.
    for n in 1..=4 {
        let juror = Browser::member(pool, &format!("juror{n}")).await.at(&format!("198.51.{n}.7"));
        // The member has a record of justified reports.
        sqlx::query(
            "insert into reports (subject, email, message, section, object_id, reason, is_severe, user_id, state, closed_at)
             select '', 'a@b.example', 'Right', 'video', id, 'illegal', true, $1, 'resolved', now() - interval '1 day'
             from generate_series(900001, 900004) id",
        )
        .bind(juror.id)
        .execute(pool)
        .await
        .unwrap();
        let id = mona.id.to_string();
        let report = [("section", "user"), ("object_id", id.as_str()), ("reason", "non_consensual")];
        assert_eq!(juror.post(&a, "/api/report.php", &report).await.0, 200);
    }
    assert_eq!(number(pool, "select count(*) from report_hides where section = 'user'").await, 1);
    for node in [&a, &b] {
        shows(&olga, node, mona.id, |(status, _)| *status == 404).await;
        assert_eq!((olga.get(node, &avatar).await.0, nils.get(node, &avatar).await.0), (404, 200));
    }
    assert_eq!(nils.post(&b, "/api/moderate/clear", &[("what", "avatar"), ("id", &mona.id.to_string())]).await.0, 200);
    for node in [&a, &b] {
        shows(&olga, node, mona.id, |(_, seen)| {
            seen["member"]["avatar"].is_null() && seen["member"]["about"] == "About me"
        })
        .await;
        let (status, refused) = mona.send(node, PROFILE, &[], &[("u_ava", "a.png", &smaller(&scene(1)))]).await;
        assert_eq!((status, &refused["code"]), (422, &json!("photo_banned")), "{refused}");
    }
    for node in [a, b] {
        node.end();
    }
}
