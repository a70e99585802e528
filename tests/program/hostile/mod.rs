//! Hostile uploads. They must have no effect except an error code for the uploader.

mod bytes;
pub mod films;
pub mod pictures;

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs::{self, Permissions},
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use base64::prelude::{BASE64_STANDARD, Engine};
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};
use reqwest::{Client, RequestBuilder};
use sqlx::PgPool;

use self::films::{Hostile, Lure, MARK};
use crate::{database, lantern, ready, stop};

/// Runs a command in a network namespace in which all addresses lead to the loopback device, so that every packet is
/// counted.
const APART: &str = "ip link set lo up && ip route add local default dev lo && exec \"$@\"";

#[tokio::test(flavor = "multi_thread")]
async fn hostile_films_only_get_error_codes() {
    let (folder, lures) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    films::write_bases(lures.path());
    let lure = Lure {
        folder: lures.path().join("theirs").display().to_string(),
        address: listener.local_addr().unwrap().to_string(),
    };
    fs::create_dir(&lure.folder).unwrap();
    for name in ["mp4", "ts"] {
        fs::copy(lures.path().join(format!("base.{name}")), format!("{}/secret.{name}", lure.folder)).unwrap();
    }
    // The file permissions allow access, so only the sandbox prevents it.
    for path in [lures.path(), Path::new(&lure.folder)] {
        fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
    }
    let watched = Inotify::init(InitFlags::IN_NONBLOCK).unwrap();
    watched.add_watch(Path::new(&lure.folder), AddWatchFlags::IN_ALL_EVENTS).unwrap();

    let mut up = lantern(folder.path());
    up.args(["up", "--port", "0", "--seed-videos", "40"]).env("LANTERN__FILMS__AT_ONCE", "0");
    up.env("LANTERN__UPLOADS__RESERVE_BYTES", "0").env("LANTERN__FILMS__OTHER_SECONDS", "1");
    let (up, ports) = ready(up.stdout(Stdio::piped()).spawn().unwrap());
    let pool = database(folder.path()).await;
    let sender = Sender::of(&pool, ports.site).await;
    let hostile = films::films(lures.path(), &lure);
    for film in &hostile {
        sender.send(film).await;
    }

    let (worker, is_apart) = worker(folder.path());
    let mut seen = BTreeSet::new();
    let since = Instant::now();
    while sqlx::query_scalar::<_, bool>("select exists (select from uploads where state = 'processing')")
        .fetch_one(&pool)
        .await
        .unwrap()
    {
        programs_of(worker.id(), &mut seen);
        assert!(since.elapsed() < Duration::from_secs(600), "processing doesn't end");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(seen.contains("ffmpeg") && seen.contains("ffprobe"), "programs did not run: {seen:?}");

    let ended: Vec<(String, Option<String>)> =
        sqlx::query_as("select file_name, error_code from uploads order by id").fetch_all(&pool).await.unwrap();
    let codes: Vec<String> = ended.iter().map(|(_, code)| format!("{code:?}")).collect();
    let wrong: Vec<String> = hostile
        .iter()
        .zip(&codes)
        .filter(|(film, code)| **code != format!("{:?}", film.code))
        .map(|(film, code)| format!("{}: {code}, not {:?}", film.name, film.code))
        .collect();
    assert_eq!((ended.len(), wrong), (hostile.len(), Vec::new()));

    assert!(listener.accept().is_err(), "a connection was made");
    if is_apart {
        let counted = fs::read_to_string(format!("/proc/{}/net/dev", worker.id())).unwrap();
        assert_eq!(packets(&counted), 0, "{counted}");
    }
    assert_eq!(watched.read_events().unwrap_err(), nix::errno::Errno::EAGAIN, "a foreign file was accessed");
    assert_eq!(programs_of(worker.id(), &mut seen), 0, "a program is still running");
    let keys: Vec<String> = sqlx::query_scalar("select v.media_key from uploads u join videos v on v.id = u.video_id")
        .fetch_all(&pool)
        .await
        .unwrap();
    let films: BTreeSet<PathBuf> = keys.iter().map(|key| folder.path().join("made").join(key)).collect();
    let strange = || -> Vec<PathBuf> {
        let is_of_film = |file: &Path| films.iter().any(|film| film.starts_with(file) || file.starts_with(film));
        made(folder.path()).into_iter().filter(|file| !is_of_film(file)).collect()
    };
    // Uploads are removed shortly after their state has been reported.
    let since = Instant::now();
    while !strange().is_empty() && since.elapsed() < Duration::from_secs(60) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stop(worker);
    assert_eq!(strange(), Vec::<PathBuf>::new(), "files other than the films");
    for film in films {
        nothing_is_left_in(&film);
    }
    pool.close().await;
    stop(up);
}

/// A member who uploads files.
struct Sender {
    client: Client,
    site: String,
    token: String,
}

impl Sender {
    async fn of(pool: &PgPool, port: u16) -> Self {
        let token = "t".repeat(43);
        let begin = "insert into sessions (user_id, token_hash, expires_at)
                     select id, sha256($1::text::bytea), now() + interval '1 day' from users where username = 'demo'";
        sqlx::query(begin).bind(&token).execute(pool).await.unwrap();
        Self { client: Client::new(), site: format!("http://127.0.0.1:{port}"), token }
    }

    async fn ask(&self, request: RequestBuilder) -> reqwest::Response {
        let session = format!("session={}", self.token);
        let request = request.header("cookie", session).header("sec-fetch-site", "same-origin");
        let reply = request.header("tus-resumable", "1.0.0").send().await.unwrap();
        let status = reply.status();
        if status.is_success() { reply } else { panic!("{status}: {}", reply.text().await.unwrap()) }
    }

    async fn send(&self, film: &Hostile) {
        let name = format!("filename {}", BASE64_STANDARD.encode(film.name));
        let request = self.client.post(format!("{}/api/uploads/", self.site)).header("upload-metadata", name);
        let begun = self.ask(request.header("upload-length", film.bytes.len())).await;
        let path = begun.headers()["location"].to_str().unwrap().to_owned();
        let request = self.client.patch(format!("{}{path}", self.site)).header("upload-offset", 0);
        let request = request.header("content-type", "application/offset+octet-stream");
        self.ask(request.body(film.bytes.clone())).await;
        let token = path.rsplit('/').next().unwrap();
        let form =
            [("upload", token), ("title", "Evenings"), ("lang", "en"), ("orientation", "str"), ("categories", "dance")];
        self.ask(self.client.post(format!("{}/api/video_edit.php", self.site)).form(&form)).await;
    }
}

/// Starts a worker, in a network namespace of its own if that is permitted. Returns whether it is.
fn worker(folder: &Path) -> (Child, bool) {
    let apart = |program: &OsStr, args: Vec<&OsStr>| {
        let mut command = Command::new("unshare");
        command.args(["--net", "sh", "-c", APART, "sh"]).arg(program).args(args);
        command
    };
    // This checks that an attempted connection from the namespace is counted.
    let call = "exec 3<>/dev/tcp/192.0.2.1/9; cat /proc/net/dev";
    let called = apart(OsStr::new("bash"), vec![OsStr::new("-c"), OsStr::new(call)]).output().unwrap();
    let is_apart = packets(&String::from_utf8_lossy(&called.stdout)) > 0;
    let mut work = lantern(folder);
    work.arg("work");
    let mut command = if is_apart {
        let mut command = apart(work.get_program(), work.get_args().collect());
        command.envs(work.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command
    } else {
        eprintln!("SKIPPED: no network namespaces permitted; only connections to this machine are detected");
        work
    };
    for (name, value) in [
        ("AT_ONCE", "2"),
        ("OTHER_SECONDS", "1"),
        ("MAX_SECONDS", "360"),
        ("MAX_PIXELS", "1000000"),
        ("MEMORY", "4000000000"),
        ("POLL_MS", "10"),
        ("STEP_SECONDS", "60"),
        // Several of the films are the same one in different containers.
        ("LIKENESS__SPREAD_PERCENT", "0"),
    ] {
        command.env(format!("LANTERN__FILMS__{name}"), value);
    }
    // The default media folder is shared by other tests.
    command.env("LANTERN__MEDIA__FOLDER", folder.join("made"));
    command.env("LANTERN__UPLOADS__RESERVE_BYTES", "0").stdin(Stdio::null());
    (command.spawn().unwrap(), is_apart)
}

/// Parses the number of packets sent from `/proc/net/dev`.
fn packets(counted: &str) -> u64 {
    let lines = counted.lines().filter_map(|line| line.split_once(':'));
    lines.filter_map(|(_, numbers)| numbers.split_whitespace().nth(9)?.parse::<u64>().ok()).sum()
}

/// Counts the running child processes and asserts that each ffmpeg program is confined.
fn programs_of(process: u32, seen: &mut BTreeSet<String>) -> usize {
    let mut running = 0;
    for folder in fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path()) {
        let Ok(status) = fs::read_to_string(folder.join("status")) else { continue };
        let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        if field("PPid:") != Some(&process.to_string()) || field("State:").is_some_and(|state| state.starts_with('Z')) {
            continue;
        }
        running += 1;
        let name = field("Name:").unwrap_or_default();
        // The process has not been replaced with ffmpeg yet.
        if !name.starts_with("ff") {
            continue;
        }
        assert_eq!((field("Seccomp:"), field("NoNewPrivs:")), (Some("2"), Some("1")), "{status}");
        let files = fs::read_dir(folder.join("fd")).into_iter().flatten().flatten();
        let mut files = files.filter_map(|file| fs::read_link(file.path()).ok());
        assert!(files.all(|file| !file.display().to_string().starts_with("socket:")), "{status}");
        seen.insert(name.to_owned());
    }
    running
}

/// Returns all files and folders that films and uploads have.
fn made(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.join("made"), folder.join("uploads")];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path.clone());
            }
            found.insert(path);
        }
    }
    found
}

/// Asserts that a film doesn't contain the marker and that its playlists refer only to its own files.
fn nothing_is_left_in(film: &Path) {
    for entry in [film.to_owned(), film.join("hls")].iter().flat_map(|folder| fs::read_dir(folder).unwrap()) {
        let file = entry.unwrap().path();
        let Ok(bytes) = fs::read(&file) else { continue };
        assert!(!bytes.windows(MARK.len()).any(|window| window == MARK.as_bytes()), "{}", file.display());
        if file.extension().is_some_and(|kind| kind == "m3u8") {
            let text = String::from_utf8(bytes).unwrap();
            let mut names = text.lines().filter(|line| !line.starts_with('#'));
            assert!(names.all(|name| film.join("hls").join(name).is_file() && !name.contains('/')), "{text}");
        }
    }
}
