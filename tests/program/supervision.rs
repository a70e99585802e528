//! Roles that fail while the program is running. They must be restarted, the health check must report them, and the
//! time for a shutdown must be limited in every state.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use reqwest::Client;
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::{Ports, database, lantern, ready, stop};

/// Time limit that is generous for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Time limit within which writes must work again after Postgres was killed. It covers the pause before the restart,
/// the recovery, and a busy machine.
const OUTAGE: Duration = Duration::from_secs(20);
/// `server.shutdown_grace` in these tests, and the time limit for the other shutdown steps on a busy machine.
const GRACE: Duration = Duration::from_secs(2);
const STEPS: Duration = Duration::from_secs(8);
const POLL_EVERY: Duration = Duration::from_millis(50);

/// A Lantern that is killed when dropped.
struct Site {
    folder: tempfile::TempDir,
    child: Option<Child>,
    ports: Ports,
    client: Client,
}

impl Site {
    fn start(settings: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut up = lantern(folder.path());
        up.args(["up", "--port", "0", "--seed-videos", "40"]).envs(settings.iter().copied());
        up.env("LANTERN__SERVER__SHUTDOWN_GRACE", GRACE.as_secs().to_string()).stderr(Stdio::piped());
        let (child, ports) = ready(up.stdout(Stdio::piped()).spawn().unwrap());
        Self { folder, child: Some(child), ports, client: Client::new() }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    async fn database(&self) -> PgPool {
        database(self.path()).await
    }

    fn kill_postgres(&self) {
        let file = fs::read_to_string(self.path().join("postgres/postmaster.pid")).unwrap();
        let pid: i32 = file.lines().next().unwrap().parse().unwrap();
        kill(Pid::from_raw(pid), Signal::SIGKILL).unwrap();
    }

    async fn health(&self) -> (u16, Value) {
        let url = format!("http://127.0.0.1:{}/health/ready", self.ports.metrics);
        let reply = self.client.get(url).send().await.unwrap();
        (reply.status().as_u16(), reply.json().await.unwrap())
    }

    async fn health_is(&self, status: u16, expected: &Value) {
        let since = Instant::now();
        loop {
            let (found, body) = self.health().await;
            if found == status && expected.as_object().unwrap().iter().all(|(key, value)| body[key] == *value) {
                return;
            }
            assert!(since.elapsed() < TIMEOUT, "not {status} {expected}, but {found} {body}");
            tokio::time::sleep(POLL_EVERY).await;
        }
    }

    async fn restarts(&self, role: &str) -> u64 {
        let url = format!("http://127.0.0.1:{}/metrics", self.ports.metrics);
        let metrics = self.client.get(url).send().await.unwrap().text().await.unwrap();
        let name = format!("lantern_role_restarts_total{{role=\"{role}\"}} ");
        metrics.lines().find_map(|line| line.strip_prefix(&name)?.parse().ok()).unwrap()
    }

    /// Returns whether a member can begin an upload, which writes a row.
    async fn writes(&self) -> bool {
        let request = self.client.post(format!("http://127.0.0.1:{}/api/uploads/", self.ports.site));
        let request = request.header("cookie", format!("session={}", "t".repeat(43)));
        let request = request.header("sec-fetch-site", "same-origin").header("tus-resumable", "1.0.0");
        request.header("upload-length", 1000).send().await.unwrap().status() == 201
    }

    async fn titles(&self) -> String {
        let list = "api/json/videos2/86400/str/latest-updates/100/all..1.all.all.all.json";
        let url = format!("http://127.0.0.1:{}/{list}", self.ports.site);
        self.client.get(url).send().await.unwrap().text().await.unwrap()
    }

    /// Sends SIGTERM. Returns standard error, whether the exit was successful, and how long it took.
    fn terminate(mut self) -> (String, bool, Duration) {
        let child = self.child.take().unwrap();
        kill(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGTERM).unwrap();
        let since = Instant::now();
        let output = child.wait_with_output().unwrap();
        (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.success(), since.elapsed())
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // Even if a test fails, nothing must keep running.
            child.kill().and_then(|()| child.wait()).ok();
        }
    }
}

const SESSION: &str = "insert into sessions (user_id, token_hash, expires_at)
    select id, sha256(repeat('t', 43)::bytea), now() + interval '1 day' from users where username = 'demo'";

#[tokio::test(flavor = "multi_thread")]
async fn killed_postgres_is_restarted_and_writes_recover() {
    let site = Site::start(&[]);
    let pool = site.database().await;
    sqlx::raw_sql(SESSION).execute(&pool).await.unwrap();
    assert!(site.writes().await);
    // A backend in an endless loop does not notice that its server has died.
    let busy = tokio::spawn({
        let pool = pool.clone();
        async move { sqlx::raw_sql("do $$ begin loop end loop; end $$").execute(&pool).await }
    });
    let computing = "select count(*) from pg_stat_activity where query like 'do %' and state = 'active'";
    while sqlx::query_scalar::<_, i64>(computing).fetch_one(&pool).await.unwrap() == 0 {
        tokio::time::sleep(POLL_EVERY).await;
    }
    for killed in 1..=2 {
        site.kill_postgres();
        let since = Instant::now();
        site.health_is(200, &json!({ "status": "ok" })).await;
        while site.restarts("postgres").await < killed || !site.writes().await {
            assert!(since.elapsed() < OUTAGE, "no write {:?} after Postgres was killed", since.elapsed());
            tokio::time::sleep(POLL_EVERY).await;
        }
    }
    assert!(busy.await.unwrap().is_err());
    pool.close().await;
    let (stderr, succeeded, _) = site.terminate();
    assert!(succeeded && stderr.contains("role ended; restarting role=\"postgres\""), "{stderr}");
}

#[tokio::test(flavor = "multi_thread")]
async fn shutdown_without_postgres_is_bounded() {
    let site = Site::start(&[("LANTERN__SUPERVISION__RESTARTS", "2")]);
    // Postgres can't start without this file.
    let control = site.path().join("postgres/global/pg_control");
    fs::rename(&control, control.with_extension("away")).unwrap();
    site.kill_postgres();
    site.health_is(503, &json!({ "status": "failing", "roles": ["postgres"] })).await;
    let (stderr, succeeded, time) = site.terminate();
    assert!(time < GRACE + STEPS, "{time:?}: {stderr}");
    assert!(!succeeded && stderr.contains("shutdown, lease of the index: "), "{stderr}");
}

#[test]
fn interrupted_start_ends_in_time_and_leaves_nothing_running() {
    for step in ["Metrics and health ", "Postgres "] {
        let folder = tempfile::tempdir().unwrap();
        let mut up = lantern(folder.path());
        let mut child = up.args(["up", "--port", "0", "--seed-videos", "40"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        lines.find(|line| line.starts_with(step)).unwrap();
        let since = Instant::now();
        kill(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGTERM).unwrap();
        let after: Vec<String> = lines.collect();
        assert!(child.wait().unwrap().success(), "{step}: {after:?}");
        assert!(since.elapsed() < GRACE + STEPS, "{step}: {:?}", since.elapsed());
        assert!(after.iter().all(|line| !line.starts_with("Lantern is ready")), "{after:?}");
        assert!(!folder.path().join("postgres/postmaster.pid").exists(), "{step}");
    }
}

/// Sets a date that Postgres supports but Rust's `time` doesn't, so that reading the row panics.
const POISON: &str = "update videos set post_date = 'infinity' where id = $1";

#[tokio::test(flavor = "multi_thread")]
async fn panicking_role_is_restarted_and_reported_while_site_serves() {
    let site = Site::start(&[("LANTERN__SUPERVISION__RESTARTS", "3")]);
    let pool = site.database().await;
    let [poison, other]: [i64; 2] = sqlx::query_scalar("select id from videos where visible order by id limit 2")
        .fetch_all(&pool)
        .await
        .unwrap()
        .try_into()
        .unwrap();
    site.health_is(200, &json!({ "status": "ok" })).await;
    sqlx::query(POISON).bind(poison).execute(&pool).await.unwrap();
    site.health_is(503, &json!({ "status": "failing", "roles": ["indexer"] })).await;
    assert!(site.restarts("indexer").await >= 3);
    assert_eq!(site.restarts("worker").await, 0);
    assert!(site.titles().await.contains("\"videos\":["), "listings are not served");

    // Rows that were claimed before the panic don't wait until a lease expires.
    sqlx::query("update videos set post_date = now() where id = $1").bind(poison).execute(&pool).await.unwrap();
    let rename = "update videos set title = 'Restarted harbour', post_date = now() where id = $1";
    sqlx::query(rename).bind(other).execute(&pool).await.unwrap();
    let since = Instant::now();
    while !site.titles().await.contains("Restarted harbour") {
        assert!(since.elapsed() < Duration::from_secs(30), "the indexer doesn't continue");
        tokio::time::sleep(POLL_EVERY).await;
    }
    pool.close().await;
    let mut site = site;
    stop(site.child.take().unwrap());
}
