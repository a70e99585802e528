//! `deploy/nginx.conf` on an nginx in front of two nodes. A rolling restart must fail no request, uploads must be
//! streamed, and proxy headers sent by clients must be ignored.

use std::{
    fs,
    net::{SocketAddr, TcpListener},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use lantern_testing::TestDb;
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use reqwest::{Certificate, Client, Method, RequestBuilder, Response};
use tempfile::TempDir;

use crate::node::Node;

const HOST: &str = "tube.example";
/// Time limit that is generous for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(45);
const POLL_EVERY: Duration = Duration::from_millis(20);
/// Number of concurrent clients.
const CLIENTS: u64 = 8;
/// Minimum number of requests during the restarts, which `LANTERN_PROXY_REQUESTS` overrides.
const REQUESTS: u64 = 3000;
/// Pause between the start of one node and the stop of the next.
const APART: Duration = Duration::from_secs(3);

/// An nginx with the shipped configuration, which is stopped when dropped.
struct Nginx {
    child: Child,
    folder: TempDir,
    port: u16,
    /// Upload folder that the nodes share.
    uploads: TempDir,
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // SIGKILL would leave nginx's workers running.
        kill(Pid::from_raw(self.child.id().cast_signed()), Signal::SIGTERM).ok();
        self.child.wait().ok();
    }
}

/// Returns a free port outside the ephemeral range, so that a node can use it again after a restart.
fn port(number: u16) -> u16 {
    let first = 10_000 + u16::try_from(std::process::id() % 1000).unwrap() * 20 + number * 5;
    (first..first + 5).find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).unwrap()
}

fn replaced(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "deploy/nginx.conf has no {from:?}");
    text.replace(from, to)
}

fn certificate(folder: &Path) {
    let mut openssl = Command::new("openssl");
    openssl.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]);
    openssl.args(["-subj", "/CN=tube.example", "-addext", "subjectAltName=DNS:tube.example"]);
    let output = openssl.args(["-keyout", "key.pem", "-out", "cert.pem"]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

impl Nginx {
    /// Starts nginx with the site-specific values replaced and with shorter times.
    async fn start(nodes: [u16; 2]) -> Self {
        let (folder, [plain, port]) = (tempfile::tempdir().unwrap(), [port(2), port(3)]);
        let at = folder.path().display();
        certificate(folder.path());
        let shipped = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/nginx.conf")).unwrap();
        let live = "/etc/letsencrypt/live/tube.example";
        let site = [
            ("127.0.0.1:8080", format!("127.0.0.1:{}", nodes[0])),
            ("127.0.0.1:8081", format!("127.0.0.1:{}", nodes[1])),
            ("listen 80;", format!("listen 127.0.0.1:{plain};")),
            ("listen [::]:80;", String::new()),
            ("listen 443 ssl http2;", format!("listen 127.0.0.1:{port} ssl http2;")),
            ("listen [::]:443 ssl http2;", String::new()),
            (&*format!("{live}/fullchain.pem"), format!("{at}/cert.pem")),
            (&*format!("{live}/privkey.pem"), format!("{at}/key.pem")),
            ("keepalive_timeout 5s;", "keepalive_timeout 1s;".to_owned()),
        ];
        let site = site.iter().fold(shipped, |text, (from, to)| replaced(&text, from, to));
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {at}/{kind};\n"))
            .concat();
        let config = format!(
            "daemon off; pid {at}/nginx.pid; error_log {at}/error.log; worker_processes 1;
             events {{ worker_connections 1024; }}
             http {{ access_log off; types {{ }} {temporary} {site} }}"
        );
        fs::write(folder.path().join("nginx.conf"), config).unwrap();
        let mut nginx = Command::new(program());
        nginx.arg("-e").arg(folder.path().join("error.log")).arg("-c").arg(folder.path().join("nginx.conf"));
        let mut nginx = Self { child: nginx.spawn().unwrap(), folder, port, uploads: tempfile::tempdir().unwrap() };
        let since = Instant::now();
        while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            let ended = nginx.child.try_wait().unwrap();
            assert!(ended.is_none() && since.elapsed() < TIMEOUT, "nginx doesn't start: {}", nginx.error_log());
            tokio::time::sleep(POLL_EVERY).await;
        }
        nginx
    }

    fn error_log(&self) -> String {
        fs::read_to_string(self.folder.path().join("error.log")).unwrap_or_default()
    }

    /// Creates a client that trusts nginx's certificate.
    fn client(&self) -> Client {
        let certificate = fs::read(self.folder.path().join("cert.pem")).unwrap();
        Client::builder()
            .add_root_certificate(Certificate::from_pem(&certificate).unwrap())
            .resolve(HOST, SocketAddr::from(([127, 0, 0, 1], self.port)))
            .timeout(TIMEOUT)
            .build()
            .unwrap()
    }

    fn url(&self, path: &str) -> String {
        format!("https://{HOST}:{}{path}", self.port)
    }
}

fn program() -> PathBuf {
    let places = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx", "/opt/homebrew/bin/nginx"];
    places.map(PathBuf::from).into_iter().find(|path| path.exists()).expect("`./dev test` installs nginx")
}

/// Starts two nodes behind nginx.
async fn site(db: &TestDb) -> ([Node; 2], Nginx) {
    sqlx::raw_sql("drop schema public cascade; create schema public").execute(&db.pool).await.unwrap();
    let ports = [port(0), port(1)];
    let nginx = Nginx::start(ports).await;
    // The nodes drop root privileges, so the folder must be open to all.
    fs::set_permissions(nginx.uploads.path(), PermissionsExt::from_mode(0o777)).unwrap();
    let settings: Vec<(&'static str, String)> = [
        ("LANTERN__SERVER__TRUSTED_PROXIES", r#"["127.0.0.1"]"#.to_owned()),
        ("LANTERN__SERVER__PUBLIC_URL", format!("https://{HOST}:{}", nginx.port)),
        ("LANTERN__SERVER__DRAIN_SECONDS", "2".to_owned()),
        ("LANTERN__UPLOADS__FOLDER", nginx.uploads.path().display().to_string()),
        ("LANTERN__UPLOADS__RESERVE_BYTES", "0".to_owned()),
        ("LANTERN__FILMS__AT_ONCE", "0".to_owned()),
        ("LANTERN__SECURITY__SECRET", "0123456789abcdef0123456789abcdef".to_owned()),
    ]
    .into();
    (ports.map(|port| Node::at(&db.url, port, &settings)), nginx)
}

/// Sends one request. Pages, listings and writes take turns. nginx may retry all of them except writes.
async fn visit(client: &Client, nginx: &Nginx, number: u64, videos: &[i64]) -> Result<(), String> {
    let request = match number % 4 {
        0 => client.get(nginx.url("/api/json/videos2/86400/str/longest/20/all..1.all.all.all.json")),
        1 => client.get(nginx.url("/videos/longest/1/")).header("cookie", "age_agreed=1"),
        2 => client.get(
            nginx.url(&format!("/api/videos2.php?params=86400/str/relevance/20/search..1.all.all.all&s=word{number}")),
        ),
        _ => {
            let video = videos[usize::try_from(number / 4).unwrap() % videos.len()];
            let form = [("act", "view".to_owned()), ("section", "video".to_owned()), ("object_id", video.to_string())];
            client.post(nginx.url("/api/stat.php")).header("sec-fetch-site", "same-origin").form(&form)
        }
    };
    let reply = request.header("user-agent", "Mozilla/5.0").send().await.map_err(|error| format!("{error:?}"))?;
    let status = reply.status();
    let text = reply.text().await.map_err(|error| format!("{error:?}"))?;
    if status == 200 { Ok(()) } else { Err(format!("{status}: {text}")) }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_request_fails_while_nodes_are_restarted_behind_nginx() {
    let wanted = std::env::var("LANTERN_PROXY_REQUESTS").map_or(REQUESTS, |number| number.parse().unwrap());
    let db = TestDb::create().await.unwrap();
    let (nodes, nginx) = site(&db).await;
    let public = sqlx::query_scalar("select id from videos where visible_to('video', id, null) order by id limit 30");
    let videos: Arc<Vec<i64>> = Arc::new(public.fetch_all(&db.pool).await.unwrap());
    let (nginx, restarted, sent) = (Arc::new(nginx), Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let (nginx, restarted, sent) = (Arc::clone(&nginx), Arc::clone(&restarted), Arc::clone(&sent));
            let (client, videos) = (nginx.client(), Arc::clone(&videos));
            tokio::spawn(async move {
                let mut failures = Vec::new();
                loop {
                    let number = sent.fetch_add(1, Ordering::Relaxed);
                    if number >= wanted && restarted.load(Ordering::Relaxed) {
                        return failures;
                    }
                    failures.extend(visit(&client, &nginx, number, &videos).await.err());
                }
            })
        })
        .collect();
    let nodes = tokio::task::spawn_blocking({
        let sent = Arc::clone(&sent);
        move || {
            let mut nodes = nodes;
            // The restarts are repeated until enough requests have been sent.
            loop {
                for node in &mut nodes {
                    node.restart();
                    std::thread::sleep(APART);
                }
                if sent.load(Ordering::Relaxed) >= wanted {
                    return nodes;
                }
            }
        }
    })
    .await
    .unwrap();
    restarted.store(true, Ordering::Relaxed);
    let mut failures = Vec::new();
    for client in clients {
        failures.extend(client.await.unwrap());
    }
    let total = sent.load(Ordering::Relaxed) - CLIENTS;
    println!("{} of {total} requests failed", failures.len());
    let first: Vec<_> = failures.iter().take(5).collect();
    assert!(failures.is_empty(), "{} of {total} failed: {first:?}\n{}", failures.len(), nginx.error_log());
    nodes.into_iter().for_each(Node::end);
}

/// Sends a request as a signed-in member.
async fn ask(request: RequestBuilder) -> Response {
    let request = request.header("cookie", format!("__Host-session={}; age_agreed=1", "t".repeat(43)));
    request.header("sec-fetch-site", "same-origin").header("tus-resumable", "1.0.0").send().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn nginx_streams_uploads_and_ignores_client_headers() {
    let db = TestDb::create().await.unwrap();
    let (nodes, nginx) = site(&db).await;
    let client = nginx.client();
    sqlx::raw_sql(
        "insert into sessions (user_id, token_hash, expires_at)
         select id, sha256(repeat('t', 43)::bytea), now() + interval '1 day' from users where username = 'demo'",
    )
    .execute(&db.pool)
    .await
    .unwrap();

    // Only the proxy may set the country.
    let me = client.get(nginx.url("/api/me.php")).header("x-country-code", "DE").send().await.unwrap();
    assert_eq!(me.status(), 200);
    assert!(!me.text().await.unwrap().contains("\"DE\""));

    // The upload is larger than nginx's default limit and its memory buffer.
    let size: usize = 3 << 20;
    let begun = ask(client.post(nginx.url("/api/uploads/")).header("upload-length", size)).await;
    assert_eq!(begun.status(), 201);
    let place = begun.headers()["location"].to_str().unwrap().to_owned();
    let (sender, chunks) = tokio::sync::mpsc::channel::<Result<Vec<u8>, std::io::Error>>(1);
    let body = futures_util::stream::unfold(chunks, async |mut chunks| Some((chunks.recv().await?, chunks)));
    let piece = client.patch(nginx.url(&place)).header("upload-offset", 0).header("content-length", size);
    let piece = piece.header("content-type", "application/offset+octet-stream").body(reqwest::Body::wrap_stream(body));
    let sending = tokio::spawn(ask(piece));
    sender.send(Ok(vec![7; size / 3])).await.unwrap();
    // Lantern receives data before the upload is complete.
    let token = place.rsplit('/').next().unwrap().to_owned();
    let file = nginx.uploads.path().join(format!("{token}.part"));
    let since = Instant::now();
    while !file.metadata().is_ok_and(|file| file.len() > 0) {
        assert!(since.elapsed() < TIMEOUT, "nothing arrives: {}", nginx.error_log());
        tokio::time::sleep(POLL_EVERY).await;
    }
    for _ in 0..2 {
        sender.send(Ok(vec![7; size / 3])).await.unwrap();
    }
    drop(sender);
    let reply = sending.await.unwrap();
    assert_eq!(
        (reply.status().as_u16(), reply.headers()["upload-offset"].to_str().unwrap()),
        (204, &*size.to_string())
    );

    // HTTP redirects to HTTPS.
    let plain = Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let request =
        plain.request(Method::GET, format!("http://127.0.0.1:{}/x/", port_of_plain(&nginx))).header("host", HOST);
    let reply = request.send().await.unwrap();
    assert_eq!(
        (reply.status().as_u16(), reply.headers()["location"].to_str().unwrap()),
        (301, &*format!("https://{HOST}/x/"))
    );
    nodes.into_iter().for_each(Node::end);
}

fn port_of_plain(nginx: &Nginx) -> u16 {
    let config = fs::read_to_string(nginx.folder.path().join("nginx.conf")).unwrap();
    let listen = config.split("listen 127.0.0.1:").nth(1).unwrap();
    listen.split(';').next().unwrap().parse().unwrap()
}
