//! Uploads and films of nodes that share a bucket but no folder.

use axum::{body::Body, http::Method};
use lantern_config::{Config, KeepOriginal};
use lantern_media::worker::Worker;
use lantern_testing::film;
use serde_json::json;

use crate::{
    remake::remade::{bigger, remakes, requested},
    support::{App, Session, bucket::Bucket, done},
    upload::{
        films::{self, EDIT, described, form, latest, work, worker},
        tus::{OURS, PATH, PIECE, VERSION, begun},
    },
};

/// Creates a site without a shared folder, whose files are all in this bucket.
async fn site(bucket: &Bucket, change: impl FnOnce(&mut Config)) -> App {
    let group = bucket.group();
    App::configured(|config| {
        films::short(config);
        config.uploads.new_bytes = config.uploads.member_bytes;
        (config.media.known_seconds, config.media.away_seconds) = (0, 0);
        let storage = &mut config.storage;
        (storage.new_films, storage.new_pictures, storage.new_uploads, storage.shared_folder) = (1, 1, 1, false);
        storage.groups.insert(1, group);
        change(config);
    })
    .await
}

/// Sends a piece. Returns the status.
async fn send(session: &Session, url: &str, offset: usize, bytes: &[u8]) -> u16 {
    let offset = offset.to_string();
    let headers = [VERSION, OURS, PIECE, ("upload-offset", &offset)];
    session.send(Method::PATCH, url, &headers, Body::from(bytes.to_vec())).await.status
}

async fn offset(session: &Session, url: &str) -> usize {
    let reply = session.send(Method::HEAD, url, &[VERSION], Body::empty()).await;
    assert_eq!(reply.status, 200, "{url}");
    reply.header("upload-offset").parse().unwrap()
}

/// Returns the names of the files in a node's folders of media and uploads, without unfinished folders.
fn local(app: &App) -> Vec<String> {
    let uploads = app.state().incoming.path("x").parent().unwrap().to_owned();
    let mut found = Vec::new();
    for folder in [app.state().stores.root().join("films"), uploads] {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        found.extend(entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()));
    }
    found
}

/// Returns the names of the objects below a folder of the bucket.
fn objects(bucket: &Bucket, folder: &str) -> Vec<String> {
    let below = format!("lantern/a/{folder}/");
    bucket.names().into_iter().filter_map(|name| name.strip_prefix(&below).map(str::to_owned)).collect()
}

async fn remove_all(app: &App, worker: &Worker) -> usize {
    app.sql("update jobs set run_at = now() where kind = 'film_removal'").await;
    worker.remove_due().await.unwrap()
}

#[tokio::test]
async fn upload_is_continued_and_processed_by_other_nodes() {
    let bucket = Bucket::start().await;
    // Small enough for several pieces per request.
    let first = site(&bucket, |config| config.uploads.sync_bytes = 2 << 20).await;
    let second = first.another_node().await;
    let mona = first.member("mona").await;
    let elsewhere = second.sign_in(mona.id, "mona").await;
    let film = film("4", 61);
    let (a, b) = (film.len() / 3, film.len() / 2);
    let url = begun(&mona, film.len()).await;
    assert_eq!(send(&mona, &url, 0, &film[..a]).await, 204);
    assert_eq!(offset(&elsewhere, &url).await, a);
    assert_eq!(send(&elsewhere, &url, 0, &film[..b]).await, 409);
    assert_eq!(send(&elsewhere, &url, a, &film[a..b]).await, 204);
    assert_eq!(send(&mona, &url, b, &film[b..]).await, 204);
    assert_eq!((local(&first), local(&second)), (Vec::<String>::new(), Vec::new()));
    let token = url.strip_prefix(PATH).unwrap();
    assert!(objects(&bucket, "uploads").len() >= 3);
    done_form(&mona, token).await;

    // The second node processes the film.
    let worker = worker(&second, |_| {});
    assert!(work(&worker).await);
    let upload = latest(&mona).await;
    assert_eq!((&upload["state"], &upload["video"]["status_id"]), (&json!("done"), &json!(3)), "{upload}");
    assert_eq!(first.numbers("select sg_id::bigint from videos where media_key like 'films/%'").await, [1]);
    assert_eq!(first.numbers("select count(*) from jobs where kind = 'film_move'").await, [0]);
    assert_eq!((local(&first), local(&second)), (Vec::<String>::new(), Vec::new()));
    assert!(!objects(&bucket, "films").is_empty());
    assert_eq!((worker.remove_due().await.unwrap(), objects(&bucket, "uploads").len()), (1, 0));
    assert_eq!(first.numbers("select count(*) from upload_pieces").await, [0]);
    // The row of the video has cancelled the removal that was scheduled before its first file was written.
    assert_eq!(first.numbers("select count(*) from jobs where kind = 'film_removal'").await, [0]);

    // Both nodes serve its pictures and, once it is public, the film.
    let id = upload["video"]["video_id"].as_i64().unwrap();
    for shot in upload["video"]["shots"].as_array().unwrap() {
        let shot = shot.as_str().unwrap();
        assert_eq!([mona.get(shot).await.status, elsewhere.get(shot).await.status], [200, 200], "{shot}");
    }
    first.change(&format!("update videos set status_id = published(), shot = 4 where id = {id}")).await;
    for node in [&first, &second] {
        let urls = node.json(&format!("/api/videofile.php?video_id={id}")).await["video_url"].clone();
        assert_eq!(node.get(urls[1]["url"].as_str().unwrap()).await.status, 200);
    }
    // It is removed from the store like any other film.
    first.change(&format!("delete from videos where id = {id}")).await;
    assert_eq!((worker.remove_due().await.unwrap(), bucket.names()), (1, Vec::new()));
    first.drain().await;
    first.finish().await;
}

#[tokio::test]
async fn originals_and_remakes_are_in_the_store_at_once() {
    let bucket = Bucket::start().await;
    let first = site(&bucket, |config| {
        (config.films.keep_original, config.storage.originals) = (KeepOriginal::Always, 1);
    })
    .await;
    let second = first.another_node().await;
    let mona = first.member("mona").await;
    described(&mona, &film("4", 66)).await;
    assert!(work(&worker(&second, |_| {})).await);
    let id = latest(&mona).await["video"]["video_id"].as_i64().unwrap();
    first.change(&format!("update videos set status_id = published(), shot = 4 where id = {id}")).await;
    assert_eq!((objects(&bucket, "originals").len(), local(&first), local(&second)), (1, Vec::new(), Vec::new()));

    // The other node remakes the film from the original in the store.
    let former = requested(&first, id, false).await.key;
    assert!(remakes(&worker(&first, bigger)).await);
    let groups = "select sg_id::bigint from videos where media_key like 'films/%' union all select sg_id from originals
                  union all select count(*) from jobs where kind = 'film_move'";
    assert_eq!(first.numbers(groups).await, [1, 1, 0]);
    assert_eq!((local(&first), local(&second)), (Vec::<String>::new(), Vec::new()));
    for node in [&first, &second] {
        let url = node.json(&format!("/api/videofile.php?video_id={id}")).await["video_url"][0]["url"].clone();
        let url = url.as_str().unwrap();
        assert!(!url.contains(&former), "{url}");
        assert_eq!(node.get(url).await.status, 200);
    }
    // The removals that were scheduled before the first files were written are cancelled.
    assert_eq!(remove_all(&first, &worker(&first, |_| {})).await, 1, "the pieces of the upload");
    assert_eq!(objects(&bucket, "originals").len(), 1);
    first.drain().await;
    first.finish().await;
}

async fn done_form(session: &Session, token: &str) {
    let reply = session.post(EDIT, &form(token, "Evenings by the harbour")).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
}

#[tokio::test]
async fn film_sent_in_one_form_reaches_the_store() {
    let bucket = Bucket::start().await;
    let app = site(&bucket, |_| {}).await;
    let mona = app.member("mona").await;
    let fields = [("title", "Evenings by the harbour"), ("lang", "en"), ("orientation", "str"), ("categories", "city")];
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend(format!("--x\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").into_bytes());
    }
    body.extend(b"--x\r\ncontent-disposition: form-data; name=\"video\"; filename=\"film.mp4\"\r\n\r\n");
    body.extend(film("4", 62));
    body.extend(b"\r\n--x--\r\n");
    let headers = [("content-type", "multipart/form-data; boundary=x"), OURS];
    done(&mona.send(Method::POST, EDIT, &headers, Body::from(body)).await);
    assert_eq!((objects(&bucket, "uploads").len(), local(&app).len()), (1, 0));
    assert!(work(&worker(&app, |_| {})).await);
    assert_eq!(latest(&mona).await["state"], "done");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn unavailable_store_only_delays_an_upload_and_its_film() {
    let bucket = Bucket::start().await;
    let app = site(&bucket, |config| config.uploads.sync_bytes = 1 << 20).await;
    let mona = app.member("mona").await;
    let bytes = film("4", 63);
    let url = begun(&mona, bytes.len()).await;
    assert_eq!(send(&mona, &url, 0, &bytes[..1000]).await, 204);
    for method in [Method::PUT, Method::GET] {
        bucket.refuse(&[method], 0);
        let headers = [VERSION, OURS, PIECE, ("upload-offset", "1000")];
        let reply = mona.send(Method::PATCH, &url, &headers, Body::from(bytes[1000..].to_vec())).await;
        reply.refused(503, "store_unavailable");
        assert_eq!(offset(&mona, &url).await, 1000);
    }
    bucket.refuse(&[], 0);
    assert_eq!(send(&mona, &url, 1000, &bytes[1000..]).await, 204);
    done_form(&mona, url.strip_prefix(PATH).unwrap()).await;

    // Its pieces can't be fetched, so another attempt follows.
    let worker = worker(&app, |config| (config.films.retry_seconds, config.storage.retry_seconds) = (0, 0));
    bucket.refuse(&[Method::GET], 0);
    assert!(work(&worker).await);
    assert_eq!(latest(&mona).await["state"], "processing");
    // The first attempt to put the film in its place fails too.
    bucket.refuse(&[], 0);
    let held = bucket.hold(&[Method::PUT]);
    let working = tokio::spawn({
        let worker = worker.clone();
        async move { work(&worker).await }
    });
    held.reached().await;
    bucket.refuse(&[Method::PUT], 0);
    drop(held);
    while bucket.refused() < 3 {
        tokio::task::yield_now().await;
    }
    assert_eq!(latest(&mona).await["state"], "processing");
    bucket.refuse(&[], 0);
    assert!(working.await.unwrap());
    assert_eq!(latest(&mona).await["state"], "done");
    assert_eq!(local(&app), [""; 0]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn pieces_of_ended_uploads_are_removed() {
    let bucket = Bucket::start().await;
    let app = site(&bucket, |_| {}).await;
    let mona = app.member("mona").await;
    let worker = worker(&app, |config| config.films.retry_seconds = 0);
    // Cancelled by its member.
    let url = begun(&mona, 100).await;
    assert_eq!(send(&mona, &url, 0, &[7; 50]).await, 204);
    assert_eq!(objects(&bucket, "uploads").len(), 1);
    let reply = mona.send(Method::DELETE, &url, &[VERSION, OURS], Body::empty()).await;
    assert_eq!((reply.status, worker.remove_due().await.unwrap(), bucket.names().len()), (204, 1, 0));
    // Abandoned.
    let url = begun(&mona, 100).await;
    assert_eq!(send(&mona, &url, 0, &[7; 50]).await, 204);
    app.sql("update uploads set expires_at = to_timestamp(0)").await;
    assert_eq!(lantern_uploads::sweep(&intake(&app)).await.unwrap(), 1);
    assert_eq!((worker.remove_due().await.unwrap(), bucket.names().len()), (1, 0));
    // A worker died on a node, and its job ended on another.
    let [left, held] = [7, 8].map(|job| app.state().stores.root().join(format!("films/.part-{job}-x")));
    for folder in [&left, &held] {
        std::fs::create_dir_all(folder).unwrap();
    }
    app.sql("insert into jobs (id, kind, payload, state) overriding system value values (8, 'film', '{}', 'running')")
        .await;
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(7200);
    assert_eq!(worker.sweep_films(later).await.unwrap(), 1);
    assert_eq!((left.exists(), held.exists()), (false, true));
    app.sql("delete from jobs where id = 8").await;
    assert_eq!((worker.sweep_films(later).await.unwrap(), local(&app).len()), (1, 0));
    // Not a film.
    described(&mona, &[9; 5000]).await;
    assert!(work(&worker).await);
    assert_eq!(latest(&mona).await["state"], "failed");
    assert_eq!((worker.remove_due().await.unwrap(), bucket.names().len()), (1, 0));
    // A piece whose bytes changed in the store is never taken for the film. The upload is kept for another try.
    described(&mona, &film("4", 64)).await;
    let object = bucket.path(&bucket.names()[0]);
    let mut bytes = std::fs::read(&object).unwrap();
    bytes[0] ^= 1;
    std::fs::write(&object, &bytes).unwrap();
    while work(&worker).await {}
    let failed = latest(&mona).await;
    assert_eq!((&failed["state"], &failed["is_kept"]), (&json!("failed"), &json!(true)), "{failed}");
    assert!(
        app.numbers("select count(*) from jobs where kind = 'film' and last_error like '%was read back%'").await[0] > 0
    );
    assert_eq!((remove_all(&app, &worker).await, bucket.names().len(), local(&app).len()), (0, 1, 0));
    bytes[0] ^= 1;
    std::fs::write(&object, &bytes).unwrap();
    let job = app.numbers("select job_id from uploads where is_kept").await[0];
    assert!(lantern_catalog::films::retry(app.pool(), job).await.unwrap());
    assert!(work(&worker).await);
    assert_eq!(latest(&mona).await["state"], "done");
    app.drain().await;
    app.finish().await;
}

/// Returns the state of the upload calls.
fn intake(app: &App) -> lantern_uploads::Intake {
    axum::extract::FromRef::from_ref(&app.state().app)
}
