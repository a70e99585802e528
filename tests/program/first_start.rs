//! A start that has to build its indexes first. Meanwhile, the monitor reports this, and the site returns 503.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::Stdio,
};

use sqlx::Connection;

use crate::{database, lantern, stop, up};

fn ask(port: u16, path: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// Parses the port in a line such as `name   http://127.0.0.1:123/…`.
fn port(line: &str) -> u16 {
    let (_, address) = line.split_once("http://127.0.0.1:").unwrap();
    address.split('/').next().unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn first_build_is_live_and_responds_503() {
    let folder = tempfile::tempdir().unwrap();
    stop(up(folder.path()));
    std::fs::remove_dir_all(folder.path().join("index")).unwrap();

    let mut command = lantern(folder.path());
    let mut child = command.args(["up", "--port", "0"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let monitor = port(&lines.find(|line| line.starts_with("Metrics and health")).unwrap());
    lines.find(|line| line.starts_with("Postgres ")).unwrap();
    // A build waits for transactions that were open when its index was registered.
    let pool = database(folder.path()).await;
    let mut writer = pool.acquire().await.unwrap();
    let mut open = writer.begin().await.unwrap();
    sqlx::raw_sql("update videos set title = title || '!'").execute(&mut *open).await.unwrap();
    // The site doesn't wait for words to be learned again, only for those that are known.
    let mut holder = pool.acquire().await.unwrap();
    let mut held = holder.begin().await.unwrap();
    sqlx::raw_sql("select from schedules where name = 'words' for update").execute(&mut *held).await.unwrap();
    let site = port(&lines.find(|line| line.contains("responds 503")).unwrap());

    let page = ask(site, "/videos/1/");
    assert!(page.starts_with("HTTP/1.1 503 ") && page.contains("\r\nretry-after: 30\r\n"), "{page}");
    assert!(page.contains("Please try again soon."), "{page}");
    assert!(ask(monitor, "/health/live").starts_with("HTTP/1.1 200 "));
    assert!(ask(monitor, "/health/ready").starts_with("HTTP/1.1 503 "));

    open.commit().await.unwrap();
    let ready = lines.find(|line| line.starts_with("Lantern is ready at")).unwrap();
    assert_eq!(port(&ready), site, "the same port");
    std::thread::spawn(move || lines.for_each(drop));
    assert!(ask(site, "/").starts_with("HTTP/1.1 200 "));
    assert!(ask(monitor, "/health/ready").starts_with("HTTP/1.1 200 "));
    let plan = ask(monitor, "/explain?params=86400/str/relevance/10/search..1.all.all.all&s=szanghaj&lang=pl");
    assert!(plan.contains("means en:shanghai"), "{plan}");
    held.rollback().await.unwrap();
    drop((writer, holder));
    pool.close().await;
    stop(child);
}
