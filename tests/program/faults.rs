//! Faults during transcoding. At each stage, the worker is killed, Postgres is killed, or the disk is full. Nothing
//! must be lost or shown incomplete, the member must see the true state, and the job must complete once.
//!
//! The test restarts itself with a small disk in a mount namespace, which needs root or unprivileged user namespaces.

mod scripts;
mod site;

use std::{path::Path, process::Command, time::Duration};

use lantern_testing::film;
use serde_json::{Value, json};

use site::Site;

const FOLDER: &str = "LANTERN_SMALL_DISK";
const NAME: &str = "faults::film_survives_crashes_and_full_disk";
const STARTED: &str = "on the small disk";
const TMPFS: &str =
    r#"mount -t tmpfs -o size=32m,mode=1777 tmpfs "$LANTERN_SMALL_DISK" && exec "$0" --exact "$1" --nocapture"#;
/// Time limit that is generous for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(180);
const POLL_EVERY: Duration = Duration::from_millis(20);
/// SQL condition that is true while the worker is waiting to publish. Other writes to videos may be waiting too.
const PUBLISHING: &str =
    "exists (select from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into videos%')";
/// Stages at which the scripts can wait.
const STAGES: [&str; 4] = ["probe", "encode", "shots", "timeline"];
/// What the member sees at each of them.
const STEPS: [&str; 4] = ["checking", "encoding", "pictures", "pictures"];

#[test]
fn film_survives_crashes_and_full_disk() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    if let Some(folder) = std::env::var_os(FOLDER) {
        println!("{STARTED}");
        return runtime.block_on(walk(Path::new(&folder), true));
    }
    for user in [&["unshare", "--mount"][..], &["unshare", "--user", "--map-root-user", "--mount"]] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(user[0]);
        command.args(&user[1..]).args(["sh", "-c", TMPFS]).arg(std::env::current_exe().unwrap()).arg(NAME);
        let Ok(output) = command.env(FOLDER, folder.path()).output() else { continue };
        let stdout = String::from_utf8_lossy(&output.stdout);
        if stdout.contains(STARTED) {
            assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
            return;
        }
    }
    println!("SKIPPED: full disk, because this system permits no mount namespaces");
    let folder = tempfile::tempdir().unwrap();
    runtime.block_on(walk(folder.path(), false));
}

async fn walk(disk: &Path, is_small: bool) {
    let mut site = Site::start(disk).await;
    killed_workers(&site).await;
    killed_postgres(&mut site).await;
    if is_small {
        full_disk(&site).await;
    }
    site.end();
}

async fn killed_workers(site: &Site) {
    site.send(&film("3", 1)).await;
    for (tries, stage) in STAGES.iter().enumerate() {
        let held = site.hold(stage);
        let worker = site.worker();
        let held = held.reached().await;
        let reported =
            format!("exists (select from jobs where kind = 'film' and payload->>'step' = '{}')", STEPS[tries]);
        site.until(&reported).await;
        drop(worker);
        site.no_tool_runs().await;
        drop(held);
        site.assert_unfinished(tries + 1, "running").await;
        let step = site.latest_upload().await["step"].clone();
        assert_eq!(step, STEPS[tries], "until the lease ends, a worker may be working");
        site.release_job().await;
        let waits = site.latest_upload().await;
        assert_eq!((&waits["step"], &waits["percent"]), (&json!("waiting"), &json!(null)), "{waits}");
    }
    // The worker is killed while it is publishing the video.
    let mut lock = site.connection().await;
    sqlx::raw_sql("begin; lock table videos in share row exclusive mode").execute(&mut lock).await.unwrap();
    let worker = site.worker();
    site.until(PUBLISHING).await;
    drop(worker);
    sqlx::raw_sql("rollback").execute(&mut lock).await.unwrap();
    site.until("not exists (select from pg_stat_activity where wait_event_type = 'Lock')").await;
    site.assert_unfinished(STAGES.len() + 1, "running").await;
    site.release_job().await;
    let worker = site.worker();
    let id = site.assert_done_once(1).await;
    site.choose(id, "4").await;
    worker.stop();
}

async fn killed_postgres(site: &mut Site) {
    let film = film("3", 2);
    // The bytes that were received are stored, and the upload continues when Postgres is back.
    let url = site.begin(film.len()).await;
    let (half, rest) = film.split_at(film.len() / 2);
    assert_eq!(site.piece(&url, 0, half).await.status(), 204);
    site.kill_postgres().await;
    assert_eq!(site.piece(&url, half.len(), rest).await.status(), 503);
    site.start_postgres().await;
    let offset = site.ask(site.client.head(format!("{}{url}", site.url))).await;
    assert_eq!(offset.headers()["upload-offset"], half.len().to_string().as_str());
    assert_eq!(site.piece(&url, half.len(), rest).await.status(), 204);
    site.describe(&url).await;

    let mut held = site.hold(STAGES[0]);
    let worker = site.worker();
    for next in 1..=STAGES.len() {
        let at = held.reached().await;
        site.kill_postgres().await;
        assert_eq!(site.ask(site.client.get(format!("{}/api/uploads/", site.url))).await.status(), 503);
        site.start_postgres().await;
        site.assert_unfinished(1, "running").await;
        held = site.hold(STAGES.get(next).unwrap_or(&"nowhere"));
        drop(at);
    }
    drop(held);
    // Up to publishing, the worker continues undisturbed.
    let mut lock = site.connection().await;
    sqlx::raw_sql("begin; lock table videos in share row exclusive mode").execute(&mut lock).await.unwrap();
    site.until(PUBLISHING).await;
    site.kill_postgres().await;
    site.start_postgres().await;
    site.assert_unfinished(1, "").await;
    site.release_job().await;
    let id = site.assert_done_once(2).await;
    site.kill_postgres().await;
    assert_eq!(site.post_choice(id, "4").await.status(), 503);
    site.start_postgres().await;
    assert_eq!(site.latest_upload().await["video"]["status_id"], 3);
    site.choose(id, "4").await;
    worker.stop();
}

async fn full_disk(site: &Site) {
    let film = film("3", 3);
    let url = site.begin(film.len()).await;
    let (half, rest) = film.split_at(film.len() / 2);
    assert_eq!(site.piece(&url, 0, half).await.status(), 204);
    site.fill_disk();
    let refused = site.piece(&url, half.len(), rest).await;
    assert_eq!(
        (refused.status().as_u16(), refused.json::<Value>().await.unwrap()["code"].clone()),
        (507, json!("disk_full"))
    );
    let offset = site.ask(site.client.head(format!("{}{url}", site.url))).await;
    let come: usize = offset.headers()["upload-offset"].to_str().unwrap().parse().unwrap();
    assert!((half.len()..film.len()).contains(&come), "{come} of {}", film.len());
    site.free_disk();
    assert_eq!(site.piece(&url, come, &film[come..]).await.status(), 204);
    site.describe(&url).await;
    for (tries, stage) in STAGES.iter().enumerate() {
        let held = site.hold(stage);
        let worker = site.worker();
        let held = held.reached().await;
        site.fill_disk();
        drop(held);
        site.until(&format!(
            "(select (state, attempts) = ('queued', {}) from jobs where kind = 'film' order by id desc limit 1)",
            tries + 1
        ))
        .await;
        site.assert_unfinished(tries + 1, "queued").await;
        worker.stop();
        site.free_disk();
        site.release_job().await;
    }
    let worker = site.worker();
    let id = site.assert_done_once(3).await;
    site.choose(id, "4").await;
    worker.stop();
}
