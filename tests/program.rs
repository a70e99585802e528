//! The program as an operator meets it: clear sentences, right exit codes, nothing left behind.
#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Output, Stdio},
    time::Duration,
};

use sqlx::PgPool;

fn lantern(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lantern"));
    command
        .arg("--data-dir")
        .arg(folder)
        .env("LANTERN__SEARCH__LISTEN", "127.0.0.1:0")
        .env_remove("LANTERN_CONFIG")
        .stdin(Stdio::null());
    command
}

fn run(command: &mut Command) -> (Output, String) {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, text)
}

/// Starts `up` with a few videos and returns it once it is ready.
fn up(folder: &Path) -> Child {
    up_at(folder).0
}

/// The same, and the port it listens on.
fn up_at(folder: &Path) -> (Child, u16) {
    let mut child =
        lantern(folder).args(["up", "--port", "0", "--seed-videos", "40"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let port = lines.find_map(|line| {
        let address = line.unwrap().strip_prefix("Lantern is ready at http://127.0.0.1:")?.to_owned();
        address.split('/').next()?.parse().ok()
    });
    let Some(port) = port else { panic!("up ended before it was ready: {}", child.wait().unwrap()) };
    // Whoever reads its lines goes on reading, or the program would end at the next one.
    std::thread::spawn(move || lines.for_each(drop));
    (child, port)
}

fn stop(mut child: Child) {
    let pid = nix::unistd::Pid::from_raw(child.id().try_into().unwrap());
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGINT).unwrap();
    assert!(child.wait().unwrap().success(), "Ctrl-C is a clean end");
}

#[test]
fn a_taken_port_is_said_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let (output, text) = run(lantern(folder.path()).args(["up", "--port", &port]));
    assert!(!output.status.success());
    assert!(text.contains(&format!("port {port} on 127.0.0.1 is taken")), "{text}");
    assert_eq!(text.trim().lines().count(), 1, "{text}");
}

#[test]
fn production_refuses_demo_data_and_missing_settings() {
    let folder = tempfile::tempdir().unwrap();
    let secret = "0123456789abcdef0123456789abcdef";
    let (output, text) = run(lantern(folder.path()).arg("seed").env("LANTERN__MODE", "production"));
    assert!(!output.status.success());
    assert!(text.contains("security.secret"), "{text}");
    let (output, text) = run(lantern(folder.path())
        .arg("up")
        .env("LANTERN__MODE", "production")
        .env("LANTERN__SECURITY__SECRET", secret));
    assert!(!output.status.success());
    assert!(text.contains("server.public_url: is empty: set it to"), "{text}");
    assert_eq!(text.trim().lines().count(), 1, "{text}");
    let (output, text) = run(lantern(folder.path())
        .arg("seed")
        .env("LANTERN__MODE", "production")
        .env("LANTERN__SERVER__PUBLIC_URL", "https://tube.example")
        .env("LANTERN__SECURITY__SECRET", secret));
    assert!(!output.status.success());
    assert!(text.contains("production mode refuses demo data"), "{text}");
}

#[test]
fn a_setting_that_does_not_exist_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lantern.toml");
    std::fs::write(&file, "[server]\nprot = 80\n").unwrap();
    let (output, text) = run(lantern(folder.path()).arg("seed").arg("--config").arg(&file));
    assert!(!output.status.success());
    assert!(text.contains("prot"), "{text}");
}

#[test]
fn it_starts_stops_starts_again_and_refuses_the_demo_in_production() {
    let folder = tempfile::tempdir().unwrap();
    let child = up(folder.path());

    let (output, text) = run(lantern(folder.path()).args(["up", "--port", "0"]));
    assert!(!output.status.success(), "a second Lantern on the same folder");
    assert!(text.contains("another Lantern is running"), "{text}");

    // The running one is asked, visitors are served meanwhile.
    let (output, text) = run(lantern(folder.path()).arg("reindex"));
    assert!(output.status.success(), "{text}");
    stop(child);

    let (output, text) = run(lantern(folder.path()).arg("verify"));
    assert!(output.status.success(), "{text}");

    let (output, text) = run(lantern(folder.path())
        .args(["up", "--port", "0"])
        .env("LANTERN__MODE", "production")
        .env("LANTERN__SERVER__PUBLIC_URL", "https://tube.example")
        .env("LANTERN__SECURITY__SECRET", "0123456789abcdef0123456789abcdef"));
    assert!(!output.status.success());
    assert!(text.contains("demo member"), "{text}");

    let child = up(folder.path());
    stop(child);
}

/// Looks at the videos, which all must be there.
fn watch(port: u16, videos: &[i64]) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut answers = BufReader::new(stream.try_clone().unwrap());
    for video in videos {
        let form = format!("act=view&section=video&object_id={video}");
        let length = form.len();
        write!(
            stream,
            "POST /api/stat.php HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: Mozilla/5.0\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n{form}"
        )
        .unwrap();
        let (mut line, mut body) = (String::new(), 0);
        answers.read_line(&mut line).unwrap();
        assert!(line.starts_with("HTTP/1.1 200"), "{video}: {line}");
        while line != "\r\n" {
            line.clear();
            answers.read_line(&mut line).unwrap();
            if let Some(length) = line.strip_prefix("content-length: ") {
                body = length.trim().parse().unwrap();
            }
        }
        answers.read_exact(&mut vec![0; body]).unwrap();
    }
}

/// Videos seen in the last half hour, and the views of all videos ever.
async fn counted(pool: &PgPool) -> (Vec<i64>, i64) {
    let seen = sqlx::query_scalar("select object_id from recent_views where section = 'video' order by 1");
    let views = sqlx::query_scalar("select sum(viewed)::bigint from video_stats");
    (seen.fetch_all(pool).await.unwrap(), views.fetch_one(pool).await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_program_loses_the_views_of_its_last_second_at_most_and_counts_none_twice() {
    let folder = tempfile::tempdir().unwrap();
    let open = async || {
        let url = std::fs::read_to_string(folder.path().join("database.url")).unwrap();
        lantern_catalog::connect(url.trim(), 2).await.unwrap()
    };
    let (mut child, port) = up_at(folder.path());
    let pool = open().await;
    let public = sqlx::query_scalar("select id from videos where visible_to('video', id, null) order by id limit 30");
    let videos: Vec<i64> = public.fetch_all(&pool).await.unwrap();
    let (none, before) = counted(&pool).await;
    assert_eq!((none, videos.len()), (Vec::new(), 30));
    let (early, late) = videos.split_at(20);
    watch(port, early);
    // `views.flush_ms`, and a second for a machine that is busy.
    tokio::time::sleep(Duration::from_secs(2)).await;
    watch(port, late);
    child.kill().unwrap();
    child.wait().unwrap();
    pool.close().await;

    let (child, port) = up_at(folder.path());
    let pool = open().await;
    let (seen, views) = counted(&pool).await;
    assert!(early.iter().all(|video| seen.contains(video)), "{early:?} were there before the last second: {seen:?}");
    assert_eq!(views - before, i64::try_from(seen.len()).unwrap());
    // The same viewer again: only what was lost counts. Ctrl-C writes what waits.
    watch(port, &videos);
    pool.close().await;
    stop(child);
    let (child, _) = up_at(folder.path());
    let pool = open().await;
    assert_eq!(counted(&pool).await, (videos, before + 30));
    pool.close().await;
    stop(child);
}
