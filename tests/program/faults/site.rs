//! A Lantern whose Postgres, worker and disk are controlled by the test.

use std::{
    fs::{self, OpenOptions, Permissions},
    io::Write,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Instant,
};

use lantern_catalog::cluster::Cluster;
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use reqwest::{Client, RequestBuilder, Response};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tempfile::TempDir;

use super::{
    POLL_EVERY, TIMEOUT,
    scripts::{Hold, write_scripts},
};
use crate::{lantern, ready, stop};

/// A Lantern with a separate Postgres.
pub struct Site {
    root: TempDir,
    disk: PathBuf,
    database: String,
    cluster: Option<Cluster>,
    up: Option<Child>,
    pub client: Client,
    pub url: String,
}

/// A worker, which is killed when it is dropped.
pub struct Worker(Option<Child>);

impl Worker {
    pub fn stop(mut self) {
        stop(self.0.take().unwrap());
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some(worker) = &mut self.0 {
            worker.kill().and_then(|()| worker.wait()).ok();
        }
    }
}

impl Site {
    pub async fn start(disk: &Path) -> Self {
        let root = tempfile::tempdir().unwrap();
        for path in [root.path(), disk] {
            fs::set_permissions(path, Permissions::from_mode(0o777)).unwrap();
        }
        write_scripts(root.path());
        let (client, disk) = (Client::new(), disk.to_owned());
        let (database, url) = (String::new(), String::new());
        let mut site = Self { root, disk, database, cluster: None, up: None, client, url };
        site.start_postgres().await;
        let mut up = site.command("up");
        up.args(["--port", "0", "--seed-videos", "40"]).env("LANTERN__FILMS__AT_ONCE", "0");
        let (up, ports) = ready(up.stdout(Stdio::piped()).spawn().unwrap());
        (site.up, site.url) = (Some(up), format!("http://127.0.0.1:{}", ports.site));
        site.sql(&format!(
            "insert into sessions (user_id, token_hash, expires_at)
             select id, sha256('{}'), now() + interval '1 day' from users where username = 'demo'",
            "t".repeat(43)
        ))
        .await;
        site
    }

    pub fn end(mut self) {
        stop(self.up.take().unwrap());
    }

    pub fn command(&self, word: &str) -> Command {
        let mut command = lantern(&self.root.path().join("data"));
        command.arg(word).env("LANTERN__DATABASE__URL", &self.database);
        command.env("LANTERN__UPLOADS__FOLDER", self.disk.join("uploads")).env("LANTERN__UPLOADS__RESERVE_BYTES", "0");
        command
    }

    pub fn worker(&self) -> Worker {
        let mut work = self.command("work");
        for (name, value) in [
            ("AT_ONCE", "1"),
            ("OTHER_SECONDS", "1"),
            ("POLL_MS", "10"),
            ("LEASE_SECONDS", "600"),
            ("RETRY_SECONDS", "3600"),
            ("ATTEMPTS", "50"),
        ] {
            work.env(format!("LANTERN__FILMS__{name}"), value);
        }
        let path = std::env::var("PATH").unwrap();
        work.env("PATH", format!("{}:{path}", self.root.path().join("tools").display()));
        work.env("LANTERN__MEDIA__FOLDER", self.disk.join("made")).stdout(Stdio::null());
        Worker(Some(work.spawn().unwrap()))
    }

    pub async fn start_postgres(&mut self) {
        let cluster = Cluster::start(&self.root.path().join("postgres")).await.unwrap();
        let (role, socket) = cluster.setup_url().split_once("?host=").unwrap();
        // Each start has a new socket path. A link keeps the address the same.
        let here = self.root.path().join("socket");
        fs::remove_file(&here).ok();
        symlink(socket, &here).unwrap();
        self.database = format!("{role}?host={}", here.display());
        self.cluster = Some(cluster);
        if !self.url.is_empty() {
            self.up_answers().await;
        }
    }

    pub async fn kill_postgres(&mut self) {
        let cluster = self.cluster.take().unwrap();
        // This is a crash, like `pg_ctl stop -m immediate`.
        kill(Pid::from_raw(cluster.pid().try_into().unwrap()), Signal::SIGQUIT).unwrap();
        let pid = format!("/proc/{}", cluster.pid());
        drop(cluster);
        self.wait(|| !Path::new(&pid).exists()).await;
    }

    /// Waits until the site has noticed that Postgres is back.
    pub async fn up_answers(&self) {
        let since = Instant::now();
        while self.ask(self.client.get(format!("{}/api/uploads/", self.url))).await.status() != 200 {
            assert!(since.elapsed() < TIMEOUT, "the site doesn't reconnect to its database");
            tokio::time::sleep(POLL_EVERY).await;
        }
    }

    pub async fn wait(&self, met: impl Fn() -> bool) {
        let since = Instant::now();
        while !met() {
            assert!(since.elapsed() < TIMEOUT, "condition not met in time");
            tokio::time::sleep(POLL_EVERY).await;
        }
    }

    pub async fn connection(&self) -> PgConnection {
        PgConnection::connect(&self.database).await.unwrap()
    }

    pub async fn sql(&self, sql: &str) {
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut self.connection().await).await.unwrap();
    }

    pub async fn number(&self, sql: &str) -> i64 {
        let query = sqlx::query_scalar(AssertSqlSafe(format!("select ({sql})::bigint")));
        query.fetch_one(&mut self.connection().await).await.unwrap()
    }

    pub async fn until(&self, condition: &str) {
        let since = Instant::now();
        while self.number(&format!("select ({condition})::int")).await == 0 {
            assert!(since.elapsed() < TIMEOUT, "{condition}\n{}", self.jobs().await);
            tokio::time::sleep(POLL_EVERY).await;
        }
    }

    /// Formats all jobs for the message of a failed test.
    async fn jobs(&self) -> String {
        let rows = "select coalesce(string_agg(row(state, attempts, run_at, claimed_until, payload, last_error)::text, E'\n'), '') from jobs";
        sqlx::query_scalar(rows).fetch_one(&mut self.connection().await).await.unwrap()
    }

    pub fn hold(&self, stage: &str) -> Hold {
        Hold::new(self.root.path().join("tools").join(stage))
    }

    /// Waits until no program started by a killed worker is running.
    pub async fn no_tool_runs(&self) {
        let made = self.root.path().join("tools").display().to_string();
        self.wait(|| {
            let processes = fs::read_dir("/proc").unwrap().flatten();
            !processes
                .filter_map(|process| fs::read(process.path().join("cmdline")).ok())
                .any(|line| String::from_utf8_lossy(&line).contains(&made))
        })
        .await;
    }

    /// Asserts that the latest film has no video yet, that its member sees `processing`, and that its job is queued or
    /// running.
    pub async fn assert_unfinished(&self, tries: usize, state: &str) {
        let upload = self.latest_upload().await;
        assert_eq!(
            (&upload["state"], &upload["error_code"], &upload["video"]),
            (&json!("processing"), &json!(null), &json!(null))
        );
        if state == "queued" {
            assert_eq!(upload["step"], "waiting");
            assert!(upload["retry_at"].is_string(), "{upload}");
        }
        let jobs = format!("attempts = {tries} and ('{state}' = '' or state = '{state}')");
        let jobs = self
            .number(&format!(
                "select count(*) from jobs where kind = 'film' and {jobs} and state in ('queued', 'running')"
            ))
            .await;
        let videos = self
            .number("select count(*) from videos v where media_key like 'films/%' and not exists (select from uploads u where u.video_id = v.id)")
            .await;
        assert_eq!((jobs, videos), (1, 0), "{upload}");
    }

    /// Ends the lease of a killed worker and the pause before a retry, which would take minutes.
    pub async fn release_job(&self) {
        self.sql(
            "update jobs set run_at = now(), claimed_until = case when state = 'running' then now() - interval '1 s' end
             where kind <> 'film_removal' and state in ('queued', 'running')",
        )
        .await;
    }

    /// Waits until the latest film has become exactly one video through one job, with nothing left over. Returns the id
    /// of the video.
    pub async fn assert_done_once(&self, films: i64) -> i64 {
        let since = Instant::now();
        while self.number("select count(*) from jobs where kind = 'film' and state <> 'done'").await > 0 {
            assert!(since.elapsed() < TIMEOUT, "{}\n{}", self.latest_upload().await, self.jobs().await);
            // After Postgres was killed, a worker may postpone the job as late as this.
            self.sql("update jobs set run_at = now() where kind = 'film' and state = 'queued' and run_at > now()")
                .await;
            tokio::time::sleep(POLL_EVERY).await;
        }
        let upload = self.latest_upload().await;
        assert_eq!((&upload["state"], &upload["video"]["status_id"]), (&json!("done"), &json!(3)), "{upload}");
        let videos = self.number("select count(*) from videos where media_key like 'films/%'").await;
        let jobs = self.number("select count(*) from jobs where kind = 'film'").await;
        assert_eq!((videos, jobs), (films, films));
        let key: String = sqlx::query_scalar(
            "select v.media_key from videos v join uploads u on u.video_id = v.id order by u.id desc limit 1",
        )
        .fetch_one(&mut self.connection().await)
        .await
        .unwrap();
        for file in ["video.mp4", "hls/master.m3u8", "shot-9-640.webp", "timeline.vtt"] {
            assert!(self.disk.join("made").join(&key).join(file).metadata().unwrap().len() > 0, "{file}");
        }
        let source = self.disk.join("uploads").join(format!("{}.part", upload["token"].as_str().unwrap()));
        self.wait(|| !source.exists()).await;
        let unfinished = fs::read_dir(self.disk.join("made/films")).unwrap().flatten();
        let unfinished: Vec<_> =
            unfinished.filter(|entry| entry.file_name().to_string_lossy().starts_with('.')).collect();
        assert!(unfinished.is_empty(), "{unfinished:?}");
        upload["video"]["video_id"].as_i64().unwrap()
    }

    pub fn fill_disk(&self) {
        let mut filler = OpenOptions::new().create(true).append(true).open(self.disk.join("filler")).unwrap();
        for size in [1 << 20, 4096, 1] {
            let block = vec![7; size];
            while filler.write_all(&block).is_ok() {}
        }
    }

    pub fn free_disk(&self) {
        fs::remove_file(self.disk.join("filler")).unwrap();
    }

    pub async fn ask(&self, request: RequestBuilder) -> Response {
        let session = format!("session={}", "t".repeat(43));
        let request = request.header("cookie", session).header("sec-fetch-site", "same-origin");
        request.header("tus-resumable", "1.0.0").send().await.unwrap()
    }

    /// Returns the latest upload, as the member sees it.
    pub async fn latest_upload(&self) -> Value {
        let reply = self.ask(self.client.get(format!("{}/api/uploads/", self.url))).await;
        assert_eq!(reply.status(), 200);
        reply.json::<Value>().await.unwrap()["uploads"][0].take()
    }

    pub async fn begin(&self, bytes: usize) -> String {
        let reply =
            self.ask(self.client.post(format!("{}/api/uploads/", self.url)).header("upload-length", bytes)).await;
        assert_eq!(reply.status(), 201);
        reply.headers()["location"].to_str().unwrap().to_owned()
    }

    pub async fn piece(&self, url: &str, offset: usize, bytes: &[u8]) -> Response {
        let request = self.client.patch(format!("{}{url}", self.url)).header("upload-offset", offset);
        self.ask(request.header("content-type", "application/offset+octet-stream").body(bytes.to_vec())).await
    }

    pub async fn describe(&self, url: &str) {
        let token = url.rsplit('/').next().unwrap();
        let form =
            [("upload", token), ("title", "Evenings"), ("lang", "en"), ("orientation", "str"), ("categories", "dance")];
        let reply = self.ask(self.client.post(format!("{}/api/video_edit.php", self.url)).form(&form)).await;
        assert_eq!(reply.status(), 200);
    }

    /// Uploads a film and its metadata in one form.
    pub async fn send(&self, film: &[u8]) {
        let mut body = Vec::new();
        for (name, value) in [("title", "Evenings"), ("lang", "en"), ("orientation", "str"), ("categories", "dance")] {
            write!(body, "--x\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").unwrap();
        }
        write!(body, "--x\r\ncontent-disposition: form-data; name=\"video\"; filename=\"film.mp4\"\r\n\r\n").unwrap();
        body.extend([film, b"\r\n--x--\r\n"].concat());
        let request = self.client.post(format!("{}/api/video_edit.php", self.url)).body(body);
        let reply = self.ask(request.header("content-type", "multipart/form-data; boundary=x")).await;
        assert_eq!(reply.status(), 200, "{}", reply.text().await.unwrap());
    }

    pub async fn post_choice(&self, video: i64, shot: &str) -> Response {
        let form = [("video_id", video.to_string()), ("shot", shot.to_owned())];
        self.ask(self.client.post(format!("{}/api/video_edit.php", self.url)).form(&form)).await
    }

    pub async fn choose(&self, video: i64, shot: &str) {
        assert_eq!(
            self.post_choice(video, shot).await.json::<Value>().await.unwrap(),
            json!({ "ok": 1, "status_id": 2 })
        );
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if let Some(up) = &mut self.up {
            // Even if a test fails, nothing must keep running.
            up.kill().and_then(|()| up.wait()).ok();
        }
    }
}
