//! `lantern jobs` and `lantern import --status`, as operators use them.

use std::{fs, process::Stdio, time::Duration};

use lantern_testing::{TestDb, film};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    import::{on, open_folder, text},
    lantern, stop,
};

/// Time limit that is generous for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(300);

/// Runs a worker until the condition is met.
pub async fn work(db: &TestDb, folder: &TempDir, settings: &[(&str, &str)], until: &'static str) {
    let mut work = lantern(&folder.path().join("data"));
    work.arg("work").env("LANTERN__DATABASE__URL", &db.url).env("LANTERN__UPLOADS__RESERVE_BYTES", "0");
    work.env("LANTERN__MEDIA__FOLDER", folder.path().join("made")).env("LANTERN__FILMS__POLL_MS", "10");
    work.envs(settings.iter().copied()).stdout(Stdio::null());
    let worker = work.spawn().unwrap();
    let since = std::time::Instant::now();
    while text(db, until).await != "true" {
        assert!(
            since.elapsed() < TIMEOUT,
            "{until}: {}",
            text(db, "select string_agg(j::text, E'\\n') from jobs j").await
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stop(worker);
}

/// Parses the lines of a command's output.
fn lines((is_done, output): (bool, String)) -> Vec<Value> {
    assert!(is_done, "{output}");
    output.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{output}"))).collect()
}

const NOTHING_WAITS: &str =
    "select (not exists (select from jobs where kind = 'film' and state in ('queued', 'running')))::text";

#[tokio::test(flavor = "multi_thread")]
async fn failed_films_are_listed_and_retried_while_their_files_exist() {
    let (db, folder) = (TestDb::create().await.unwrap(), open_folder());
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    sqlx::query("insert into users (username, email) values ('studio', 'studio@mail.example')")
        .execute(&db.pool)
        .await
        .unwrap();
    fs::create_dir(path("films")).unwrap();
    fs::write(path("films/good.mp4"), film("3", 1)).unwrap();
    fs::write(path("films/bad.mp4"), b"no film").unwrap();
    let films = r#"{"category":{"titles":{"en":"City"}}}
{"id":"good","title":"A good film","file":"good.mp4","nobody":true}
{"id":"bad","title":"A bad film","file":"bad.mp4"}
{"id":"late","title":"Without a film yet","duration":60}
{"id":"none","title":""}
"#;
    fs::write(path("films.jsonl"), films).unwrap();
    let lantern = |words: &[&str]| on(&db, folder.path(), words);
    let import =
        ["import", "--source", "oldsite", "--member", "studio", "--files", &path("films"), &path("films.jsonl")];
    let (is_done, output) = lantern(&import);
    assert!(is_done && output.contains("2 films enqueued"), "{output}");

    // Both wait for a worker.
    let (is_done, output) = lantern(&["jobs"]);
    assert!(is_done && output.contains("film         waiting"), "{output}");
    assert!(output.contains("“A good film” (good) of studio"), "{output}");
    let (_, output) = lantern(&["jobs", "--state", "failed"]);
    assert_eq!(output, "No jobs.\n");
    let status = |words: &[&str]| lantern(&[&["import", "--status", "--source", "oldsite"], words].concat());
    let found = lines(status(&["--json"]));
    assert_eq!(found[0]["counts"], json!({ "no_film": 1, "waiting": 2 }), "{found:?}");

    // The disk is too full for the one, and the other is no film.
    let full = [("LANTERN__UPLOADS__RESERVE_BYTES", "1000000000000000000"), ("LANTERN__FILMS__ATTEMPTS", "1")];
    work(&db, &folder, &full, NOTHING_WAITS).await;
    let failed = lines(lantern(&["jobs", "--kind", "film", "--state", "failed", "--json"]));
    let why: Vec<&str> = failed.iter().map(|job| job["last_error"].as_str().unwrap()).collect();
    assert!(failed.len() == 2 && why.iter().any(|why| why.starts_with("the disk has ")), "{failed:?}");
    assert!(failed.iter().all(|job| job["state"] == "failed" && job["attempts"] == 1), "{failed:?}");
    let found = lines(status(&["--json", "--state", "refused"]));
    let refused: Vec<_> = found[1..].iter().map(|row| [&row["id"], &row["code"]]).collect();
    assert_eq!(refused.len(), 2, "{found:?}");
    assert!(refused.contains(&[&json!("bad"), &json!("video_corrupted_file")]), "{found:?}");
    assert!(refused.contains(&[&json!("good"), &json!("video_upload_error")]), "{found:?}");
    assert!(found[1..].iter().all(|row| !row["why"].as_str().unwrap().is_empty()), "{found:?}");

    // The file of the one exists, and that of the other was removed.
    let (is_done, output) = lantern(&["jobs", "retry", "--kind", "film", "--failed"]);
    assert!(!is_done && output.contains("1 of 2 jobs can't be retried"), "{output}");
    assert!(output.contains("“A good film” (good) of studio: retried\n"), "{output}");
    assert!(output.contains("“A bad film” (bad) of studio: not retried: its file is gone"), "{output}");
    assert_eq!(text(&db, "select string_agg(state, ' ' order by id) from uploads").await, "processing failed");
    let good = lines(lantern(&["jobs", "--json", "--state", "waiting"]));
    assert_eq!((good.len(), &good[0]["attempts"]), (1, &json!(0)), "{good:?}");
    let id = good[0]["id"].to_string();
    let (is_done, output) = lantern(&["jobs", "retry", &id, "999999", "--json"]);
    assert!(!is_done && output.contains("it is waiting, not failed"), "{output}");
    assert!(output.contains(r#""why":"there is no such job""#), "{output}");

    // It becomes a video that awaits its review.
    work(&db, &folder, &[], NOTHING_WAITS).await;
    let (is_done, output) = status(&[&path("films.jsonl")]);
    assert!(is_done, "{output}");
    let shown: Vec<&str> = output.lines().collect();
    assert_eq!(shown[0], "4 videos: 1 in_review, 1 no_film, 1 not_imported, 1 refused");
    assert!(shown[1].starts_with("       2  good                      in_review     video "), "{output}");
    assert!(shown[1].ends_with("“A good film”"), "{output}");
    assert!(shown[2].starts_with("       3  bad                       refused       job "), "{output}");
    assert!(shown[2].contains("; video_corrupted_file: ffprobe failed while reading"), "{output}");
    assert!(shown[3].starts_with("       4  late                      no_film       video "), "{output}");
    assert!(shown[4].starts_with("       5  none                      not_imported  refused"), "{output}");
    let (is_done, output) = lantern(&["jobs", "retry", "--kind", "film_move", "--failed"]);
    assert_eq!((is_done, output.as_str()), (true, "No failed jobs.\n"));

    // The reason outlives the upload, and a deleted video is reported.
    sqlx::raw_sql("delete from uploads where state = 'failed'; update videos set status_id = deleted() where media_key is not null")
        .execute(&db.pool)
        .await
        .unwrap();
    let (_, output) = status(&["--limit", "1"]);
    assert!(output.starts_with("3 videos: 1 deleted, 1 no_film, 1 refused\n"), "{output}");
    assert!(output.ends_with("and 2 more (--limit)\n"), "{output}");
    let found = lines(status(&["--json", "--state", "refused"]));
    assert_eq!((found.len(), &found[1]["code"]), (2, &json!("video_corrupted_file")), "{found:?}");
    let bad = found[1]["job_id"].clone();
    assert_eq!(bad, json!(null));
    let (is_done, output) = lantern(&["jobs", "retry", "--kind", "film", "--failed"]);
    assert!(!is_done && output.contains("which is gone: not retried: its upload is gone"), "{output}");
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_that_need_another_command_say_so() {
    let (db, folder) = (TestDb::create().await.unwrap(), open_folder());
    sqlx::raw_sql(
        r#"insert into jobs (kind, payload, state, attempts, last_error, finished_at) values
               ('mail', '{}', 'failed', 5, 'refused', now()),
               ('reindex abc', '{"index": "videos", "done": 5, "total": 9}', 'failed', 1, 'broke', now()),
               ('film_move', '{"video": 7, "key": "films/ab/cd", "to": 1}', 'failed', 3, 'no store', now());
           insert into jobs (kind, payload, run_at, attempts, last_error) values
               ('mail', '{"kind": "report", "to": "a@mail.example", "link": "/secret/?token=x", "stop": "?token=y"}', now() + interval '10 minutes', 1, 'down');
           insert into jobs (kind, payload, state, claimed_until, attempts) values
               ('purge', '{"tag": "video-7"}', 'running', now() - interval '1 minute', 1);"#,
    )
    .execute(&db.pool)
    .await
    .unwrap();
    let lantern = |words: &[&str]| on(&db, folder.path(), words);
    let (is_done, output) = lantern(&["jobs"]);
    assert!(is_done && output.contains("report to a@mail.example") && !output.contains("token"), "{output}");
    assert!(
        output.contains("purge        waiting") && output.contains("its worker stopped without a result"),
        "{output}"
    );
    assert!(output.contains("last error: down"), "{output}");
    let (_, output) = lantern(&["jobs", "--json"]);
    assert!(!output.contains("token"), "{output}");
    let (_, output) = lantern(&["jobs", "--limit", "2"]);
    assert!(output.ends_with("and 3 more (--limit)\n"), "{output}");
    let (_, output) = lantern(&["jobs", "--kind", "reindex"]);
    assert!(output.contains("index videos of abc") && output.contains("last error: broke"), "{output}");

    for (kind, why) in [
        ("mail", "the content of a mail is deleted"),
        ("reindex", "run `lantern reindex` again"),
        ("film_move", "the video or its film is gone"),
    ] {
        let (is_done, output) = lantern(&["jobs", "retry", "--kind", kind, "--failed"]);
        assert!(!is_done && output.contains(&format!("not retried: {why}")), "{kind}: {output}");
    }
    for words in [&["jobs", "retry"][..], &["jobs", "retry", "--kind", "film"], &["jobs", "retry", "--failed"]] {
        assert!(!lantern(words).0, "{words:?}");
    }
    assert_eq!(text(&db, "select count(*)::text from jobs where state = 'failed'").await, "3");
}
