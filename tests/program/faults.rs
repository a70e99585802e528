//! A film on its way while its worker is killed, Postgres is killed, or the disk is full, each at each stage: nothing is lost, nothing
//! is shown half, its member is told the truth, and the work ends once.
//!
//! The test starts itself again with a small disk, in a mount namespace of its own, which root and, where the system lets them, everybody
//! else may make.

mod scripts;
mod site;

use std::{path::Path, process::Command, time::Duration};

use lantern_testing::film;
use serde_json::{Value, json};

use site::Site;

const FOLDER: &str = "LANTERN_SMALL_DISK";
const NAME: &str = "faults::a_film_gets_through_whatever_dies_or_fills_up_on_its_way";
const STARTED: &str = "on the small disk";
const TMPFS: &str =
    r#"mount -t tmpfs -o size=32m,mode=1777 tmpfs "$LANTERN_SMALL_DISK" && exec "$0" --exact "$1" --nocapture"#;
/// Far longer than any step takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// The worker waits to publish. What else the site does with videos now and then may wait as well.
const PUBLISHING: &str =
    "exists (select from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into videos%')";
/// What a script waits at.
const STAGES: [&str; 4] = ["probe", "encode", "shots", "timeline"];

#[test]
fn a_film_gets_through_whatever_dies_or_fills_up_on_its_way() {
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
        let said = String::from_utf8_lossy(&output.stdout);
        if said.contains(STARTED) {
            assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
            return;
        }
    }
    println!("this system lets nobody mount a file system: no disk is full here");
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
        drop(worker);
        site.nobody_works().await;
        drop(held);
        site.is_as_before(tries + 1, "running").await;
        site.free_the_job().await;
    }
    // While the video is published.
    let mut lock = site.connection().await;
    sqlx::raw_sql("begin; lock table videos in share row exclusive mode").execute(&mut lock).await.unwrap();
    let worker = site.worker();
    site.until(PUBLISHING).await;
    drop(worker);
    sqlx::raw_sql("rollback").execute(&mut lock).await.unwrap();
    site.until("not exists (select from pg_stat_activity where wait_event_type = 'Lock')").await;
    site.is_as_before(STAGES.len() + 1, "running").await;
    site.free_the_job().await;
    let worker = site.worker();
    let id = site.is_done_once(1).await;
    site.choose(id, "4").await;
    worker.stop();
}

async fn killed_postgres(site: &mut Site) {
    let film = film("3", 2);
    // What had come is there, and the rest is taken when Postgres is back.
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
        site.is_as_before(1, "running").await;
        held = site.hold(STAGES.get(next).unwrap_or(&"nowhere"));
        drop(at);
    }
    drop(held);
    // It goes on as if nothing had been, up to where the video is published.
    let mut lock = site.connection().await;
    sqlx::raw_sql("begin; lock table videos in share row exclusive mode").execute(&mut lock).await.unwrap();
    site.until(PUBLISHING).await;
    site.kill_postgres().await;
    site.start_postgres().await;
    site.is_as_before(1, "").await;
    site.free_the_job().await;
    let id = site.is_done_once(2).await;
    site.kill_postgres().await;
    assert_eq!(site.chosen(id, "4").await.status(), 503);
    site.start_postgres().await;
    assert_eq!(site.told().await["video"]["status_id"], 3);
    site.choose(id, "4").await;
    worker.stop();
}

async fn full_disk(site: &Site) {
    let film = film("3", 3);
    let url = site.begin(film.len()).await;
    let (half, rest) = film.split_at(film.len() / 2);
    assert_eq!(site.piece(&url, 0, half).await.status(), 204);
    site.fill();
    let refused = site.piece(&url, half.len(), rest).await;
    assert_eq!(
        (refused.status().as_u16(), refused.json::<Value>().await.unwrap()["code"].clone()),
        (507, json!("disk_full"))
    );
    let offset = site.ask(site.client.head(format!("{}{url}", site.url))).await;
    let come: usize = offset.headers()["upload-offset"].to_str().unwrap().parse().unwrap();
    assert!((half.len()..film.len()).contains(&come), "{come} of {}", film.len());
    site.empty();
    assert_eq!(site.piece(&url, come, &film[come..]).await.status(), 204);
    site.describe(&url).await;
    for (tries, stage) in STAGES.iter().enumerate() {
        let held = site.hold(stage);
        let worker = site.worker();
        let held = held.reached().await;
        site.fill();
        drop(held);
        site.until(&format!(
            "(select (state, attempts) = ('queued', {}) from jobs order by id desc limit 1)",
            tries + 1
        ))
        .await;
        site.is_as_before(tries + 1, "queued").await;
        worker.stop();
        site.empty();
        site.free_the_job().await;
    }
    let worker = site.worker();
    let id = site.is_done_once(3).await;
    site.choose(id, "4").await;
    worker.stop();
}
