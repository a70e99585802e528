//! SIGTERM while a node has work to do. Open requests are answered, everything in memory is stored, and the time is
//! limited.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use lantern_catalog::queue;
use nix::sys::signal::Signal;
use sqlx::PgPool;

use crate::{node::Node, nodes::database};

/// Time limit that is generous for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(45);
/// `server.shutdown_grace`, and the time limit for the other steps on a busy machine.
const GRACE: Duration = Duration::from_secs(2);
const STEPS: Duration = Duration::from_secs(8);

/// A form whose last byte has not been sent yet.
struct OpenForm {
    stream: TcpStream,
    last: u8,
}

impl OpenForm {
    fn begin(node: &Node, path: &str, form: &str) -> Self {
        let mut stream = TcpStream::connect(node.address("").trim_start_matches("http://")).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        let (last, beginning) = form.as_bytes().split_last().unwrap();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: Mozilla/5.0\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n",
            form.len()
        )
        .unwrap();
        stream.write_all(beginning).unwrap();
        Self { stream, last: *last }
    }

    /// Sends the rest. Returns the response.
    fn end(mut self) -> String {
        self.stream.write_all(&[self.last]).unwrap();
        let mut answer = String::new();
        self.stream.read_to_string(&mut answer).unwrap();
        answer.to_ascii_lowercase()
    }
}

/// Waits until the node accepts no more connections.
fn closes(node: &Node) {
    let address = node.address("").trim_start_matches("http://").parse().unwrap();
    let until = Instant::now() + TIMEOUT;
    while TcpStream::connect_timeout(&address, TIMEOUT).is_ok() {
        assert!(Instant::now() < until, "connections are still accepted");
    }
}

async fn number(pool: &PgPool, query: &'static str) -> i64 {
    sqlx::query_scalar(query).fetch_one(pool).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn open_requests_are_answered_and_their_effects_are_stored() {
    let db = database().await;
    let settings = [
        ("LANTERN__SERVER__SHUTDOWN_GRACE", TIMEOUT.as_secs().to_string()),
        ("LANTERN__CAPTCHA__PROVIDER", "off".to_owned()),
        // Somebody without an account gets a mail, too.
        ("LANTERN__ACCOUNTS__DISCLOSE_ADDRESSES", "false".to_owned()),
    ];
    let mut node = Node::on(&db.url, &settings);
    let [first, second]: [i64; 2] =
        sqlx::query_scalar("select id from videos where visible_to('video', id, null) order by id limit 2")
            .fetch_all(&db.pool)
            .await
            .unwrap()
            .try_into()
            .unwrap();
    let view = |video| format!("act=view&section=video&object_id={video}");
    let open = [
        OpenForm::begin(&node, "/api/stat.php", &view(first)),
        OpenForm::begin(&node, "/api/stat.php", &view(second)),
        OpenForm::begin(&node, "/api/restore.php", "eml=reader@mail.example"),
    ];
    let search = "/api/videos2.php?params=86400/str/relevance/10/search..1.all.all.all&s=quiet%20harbour&lang=en";
    let (head, body) = node.ask("GET", search, &[("User-Agent", "Mozilla/5.0"), ("Cookie", "age_agreed=1")], "");
    assert!(head.starts_with("HTTP/1.1 200"), "{head} {body}");
    node.signal(Signal::SIGTERM);
    closes(&node);

    for form in open {
        let answer = form.end();
        assert!(answer.starts_with("http/1.1 200 ok\r\n") && answer.contains("\r\nconnection: close\r\n"), "{answer}");
    }
    let ended = node.ended();
    assert!(ended.success(), "{ended}: {}", node.log());
    let seen: Vec<i64> =
        sqlx::query_scalar("select object_id from recent_views where section = 'video' order by object_id")
            .fetch_all(&db.pool)
            .await
            .unwrap();
    assert_eq!(seen, [first, second], "views are stored");
    assert_eq!(number(&db.pool, "select count(*) from search_days where query = 'quiet harbour'").await, 1);
    assert_eq!(queue::sizes(&db.pool).await.unwrap(), [], "no mail waits");
    let mails: Vec<String> = fs::read_dir(node.folder().join("mail"))
        .unwrap()
        .map(|file| fs::read_to_string(file.unwrap().path()).unwrap())
        .collect();
    assert_eq!(mails.len(), 1);
    assert!(mails[0].contains("To: reader@mail.example"), "{}", mails[0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_request_delays_shutdown_only_until_the_limit() {
    let db = database().await;
    let mut node = Node::on(&db.url, &[("LANTERN__SERVER__SHUTDOWN_GRACE", GRACE.as_secs().to_string())]);
    let video = number(&db.pool, "select min(id) from videos where visible_to('video', id, null)").await;
    let view = format!("act=view&section=video&object_id={video}");
    let (endless, short) =
        (OpenForm::begin(&node, "/api/stat.php", "act=view"), OpenForm::begin(&node, "/api/stat.php", &view));
    node.signal(Signal::SIGTERM);
    let since = Instant::now();
    closes(&node);
    assert!(short.end().starts_with("http/1.1 200 ok\r\n"));
    let ended = node.ended();
    let time = since.elapsed();
    assert!(ended.success() && time >= GRACE && time < GRACE + STEPS, "{ended} after {time:?}: {}", node.log());
    assert!(node.log().contains("role did not stop in time and was aborted role=\"site\""), "{}", node.log());
    let mut answer = Vec::new();
    // A reset connection counts as closed.
    let _ = (&endless.stream).read_to_end(&mut answer);
    assert_eq!(answer, b"", "the request was never complete");
    assert_eq!(number(&db.pool, "select count(*) from recent_views").await, 1, "later steps still run");
}
