//! Tests of the program as operators use it, with its error messages and exit codes, and that it leaves nothing behind.
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod browser;
mod confinement;
mod damage;
mod decoding;
mod defences;
mod evasion;
mod faults;
mod first_start;
#[cfg(target_os = "linux")]
mod hostile;
mod import;
#[cfg(target_os = "linux")]
mod import_pictures;
mod jobs;
mod moderate;
mod moderators;
mod node;
mod nodes;
mod proxy;
mod remake;
mod shutdown;
mod status;
mod supervision;
mod views;

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use sqlx::PgPool;

fn lantern(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lantern"));
    command
        .arg("--data-dir")
        .arg(folder)
        .env("LANTERN__SEARCH__LISTEN", "127.0.0.1:0")
        .env("LANTERN__SERVER__MONITOR_LISTEN", "127.0.0.1:0")
        .env_remove("LANTERN_CONFIG")
        .stdin(Stdio::null());
    command
}

fn run(command: &mut Command) -> (Output, String) {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, text)
}

/// Runs a command that must fail. Returns its error. If the command becomes ready instead, it is killed.
fn refused(command: &mut Command) -> String {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let ready = lines.find(|line| line.starts_with("Lantern is ready"));
    if ready.is_some() {
        child.kill().unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(ready.is_none(), "not refused: {ready:?} {text}");
    assert!(!output.status.success(), "{text}");
    text
}

/// Starts `up` with a few videos and returns it once it is ready.
fn up(folder: &Path) -> Child {
    up_at(folder).0
}

/// Starts `up` like [`up`], and also returns the site's port.
fn up_at(folder: &Path) -> (Child, u16) {
    let (child, ports) = up_watched(folder);
    (child, ports.site)
}

/// Ports of a running Lantern.
struct Ports {
    site: u16,
    metrics: u16,
    /// The port at which the engine speaks the Meilisearch protocol.
    engine: u16,
}

/// Starts `up` like [`up`], and also returns all ports.
fn up_watched(folder: &Path) -> (Child, Ports) {
    ready(lantern(folder).args(["up", "--port", "0", "--seed-videos", "40"]).stdout(Stdio::piped()).spawn().unwrap())
}

/// Waits until an `up` that has been started is ready. Returns its ports.
fn ready(mut child: Child) -> (Child, Ports) {
    let (mut metrics, mut engine) = (0, 0);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let port = lines.find_map(|line| {
        let line = line.unwrap();
        assert!(!line.starts_with("Cache warm-up") || line.contains("  ready ("), "{line}");
        if let Some((what, address)) = line.split_once(" http://127.0.0.1:") {
            let port = address.split('/').next().and_then(|port| port.parse().ok());
            match (what.trim_end(), port) {
                ("Metrics and health", Some(port)) => metrics = port,
                ("Meilisearch protocol", Some(port)) => engine = port,
                _ => {}
            }
        }
        let address = line.strip_prefix("Lantern is ready at http://127.0.0.1:")?.to_owned();
        address.split('/').next()?.parse().ok()
    });
    let Some(site) = port else { panic!("up ended before it was ready: {}", child.wait().unwrap()) };
    // The lines are still read, so that the pipe stays open.
    std::thread::spawn(move || lines.for_each(drop));
    (child, Ports { site, metrics, engine })
}

/// Returns the number of cache misses.
fn misses(port: u16) -> u64 {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(stream, "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.lines().find_map(|line| line.strip_prefix("lantern_cache_misses_total ")?.parse().ok()).unwrap()
}

/// Connects to the database of a running Lantern.
async fn database(folder: &Path) -> PgPool {
    let url = std::fs::read_to_string(folder.join("database.url")).unwrap();
    lantern_catalog::connect(url.trim(), 2).await.unwrap()
}

fn stop(mut child: Child) {
    let pid = nix::unistd::Pid::from_raw(child.id().try_into().unwrap());
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGINT).unwrap();
    assert!(child.wait().unwrap().success(), "Ctrl-C is a clean end");
}

#[test]
fn port_in_use_is_reported_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let text = refused(lantern(folder.path()).args(["up", "--port", &port]));
    assert!(text.contains(&format!("port {port} on 127.0.0.1 is in use")), "{text}");
    assert_eq!(text.trim().lines().count(), 1, "{text}");
}

#[test]
fn production_refuses_demo_data_and_missing_settings() {
    let folder = tempfile::tempdir().unwrap();
    let secret = "0123456789abcdef0123456789abcdef";
    let text = refused(lantern(folder.path()).arg("seed").env("LANTERN__MODE", "production"));
    assert!(text.contains("security.secret"), "{text}");
    let text = refused(
        lantern(folder.path()).arg("up").env("LANTERN__MODE", "production").env("LANTERN__SECURITY__SECRET", secret),
    );
    assert!(text.contains("server.public_url: is empty: set it to"), "{text}");
    assert_eq!(text.trim().lines().count(), 1, "{text}");
    let text = refused(
        lantern(folder.path())
            .arg("up")
            .env("LANTERN__MODE", "production")
            .env("LANTERN__SERVER__PUBLIC_URL", "https://tube.example")
            .env("LANTERN__SECURITY__SECRET", secret),
    );
    assert!(text.contains("server.trusted_proxies: is empty: name the addresses"), "{text}");
    assert_eq!(text.trim().lines().count(), 1, "{text}");
    let text = refused(
        lantern(folder.path())
            .arg("seed")
            .env("LANTERN__MODE", "production")
            .env("LANTERN__SERVER__PUBLIC_URL", "https://tube.example")
            .env("LANTERN__SERVER__TRUSTED_PROXIES", "none")
            .env("LANTERN__SECURITY__SECRET", secret),
    );
    assert!(text.contains("production mode refuses demo data"), "{text}");
}

#[test]
fn unknown_setting_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lantern.toml");
    std::fs::write(&file, "[server]\nprot = 80\n").unwrap();
    let text = refused(lantern(folder.path()).arg("seed").arg("--config").arg(&file));
    assert!(text.contains("prot"), "{text}");
}

#[test]
fn starts_restarts_and_refuses_demo_in_production() {
    let folder = tempfile::tempdir().unwrap();
    let (child, ports) = up_watched(folder.path());
    assert!(misses(ports.metrics) > 0, "caches were not warmed up");

    let [url, metrics_url] = [ports.site, ports.metrics].map(|port| format!("http://127.0.0.1:{port}"));
    let mixed = ["--url", &url, "mixed", "--rate", "20", "--seconds", "1", "--figures-url", &metrics_url];
    let (output, text) = run(lantern(folder.path()).arg("bench").args(mixed));
    assert!(output.status.success() && text.is_empty(), "{text}");
    let engine = format!("127.0.0.1:{}", ports.engine);
    let mut changes = lantern(folder.path());
    changes.args(["bench", "changes", "--rate", "20", "--changes", "10"]).env("LANTERN__SEARCH__LISTEN", engine);
    let (output, text) = run(&mut changes);
    assert!(output.status.success() && text.is_empty(), "{text}");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("10 changes, "), "not every change was found");

    // This starts a second Lantern on the same folder.
    let text = refused(lantern(folder.path()).args(["up", "--port", "0"]));
    assert!(text.contains("another Lantern is running"), "{text}");

    // On request, the running Lantern rebuilds the indexes while it is serving visitors.
    let (output, text) = run(lantern(folder.path()).arg("reindex"));
    assert!(output.status.success(), "{text}");
    stop(child);

    let (output, text) = run(lantern(folder.path()).arg("verify"));
    assert!(output.status.success(), "{text}");

    let text = refused(
        lantern(folder.path())
            .args(["up", "--port", "0"])
            .env("LANTERN__MODE", "production")
            .env("LANTERN__SERVER__PUBLIC_URL", "https://tube.example")
            .env("LANTERN__SERVER__TRUSTED_PROXIES", "none")
            .env("LANTERN__SECURITY__SECRET", "0123456789abcdef0123456789abcdef"),
    );
    assert!(text.contains("demo member"), "{text}");

    let child = up(folder.path());
    stop(child);
}
