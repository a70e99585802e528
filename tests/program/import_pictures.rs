//! Import of pictures from a folder and from listed origins. The pictures go through the confined decoder.

use std::{
    collections::BTreeMap,
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

use lantern_testing::TestDb;
use tempfile::TempDir;

use crate::{
    hostile::{
        films::MARK,
        pictures::{bomb, grey},
    },
    import::{counts, open_folder, text},
    lantern, run,
};

/// Maximum size of a picture in bytes.
const MOST: usize = 60_000;

/// HTTP server that records which paths are requested.
#[derive(Clone, Default)]
struct Site {
    requests: Arc<Mutex<Vec<String>>>,
    /// Whether `/gone` is available again.
    is_back: Arc<Mutex<bool>>,
}

impl Site {
    /// Serves until the test ends. Returns the port.
    fn serve(&self) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let site = self.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let site = site.clone();
                // The client may close the connection early.
                std::thread::spawn(move || site.answer(stream.unwrap()).ok());
            }
        });
        port
    }

    fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut request = [0; 2048];
        let read = stream.read(&mut request)?;
        let head = String::from_utf8_lossy(&request[..read]).into_owned();
        let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
        self.requests.lock().unwrap().push(path.clone());
        let picture = |stream: &mut TcpStream, bytes: &[u8]| {
            stream.write_all(format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", bytes.len()).as_bytes())?;
            stream.write_all(bytes)
        };
        match path.as_str() {
            "/good" => picture(&mut stream, &grey(200, 120, 200)),
            "/gone" if *self.is_back.lock().unwrap() => picture(&mut stream, &grey(200, 120, 90)),
            "/away" => {
                stream.write_all(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.2:9/x\r\nContent-Length: 0\r\n\r\n")
            }
            // This response is complete only after the time limit.
            "/slow" => {
                let bytes = grey(200, 120, 200);
                stream.write_all(format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", bytes.len()).as_bytes())?;
                stream.write_all(&bytes[..100])?;
                std::thread::sleep(Duration::from_secs(60));
                stream.write_all(&bytes[100..])
            }
            "/endless" => {
                stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n")?;
                loop {
                    stream.write_all(&[7; 4096])?;
                }
            }
            _ => stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
        }
    }

    fn take_requests(&self) -> Vec<String> {
        let mut requests = std::mem::take(&mut *self.requests.lock().unwrap());
        requests.sort();
        requests
    }
}

/// A catalog, a folder with pictures, and a server that has pictures.
struct Run {
    db: TestDb,
    folder: TempDir,
    site: Site,
    port: u16,
}

impl Run {
    async fn new() -> Self {
        let site = Site::default();
        let port = site.serve();
        let run = Self { db: TestDb::create().await.unwrap(), folder: open_folder(), site, port };
        fs::create_dir(run.path("pictures")).unwrap();
        for (name, bytes) in [
            ("pictures/good.png", grey(200, 120, 10)),
            ("pictures/other.png", grey(300, 169, 120)),
            ("pictures/tiny.png", grey(100, 50, 10)),
            ("pictures/bomb.png", bomb()),
            (
                "pictures/script.svg",
                format!("<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"{MARK}\"/>").into_bytes(),
            ),
            ("pictures/page.jpg", format!("<!doctype html><script>{MARK}</script>").into_bytes()),
            ("pictures/large.png", [grey(200, 120, 10), vec![0; MOST]].concat()),
            ("secret.png", grey(200, 120, 10)),
        ] {
            fs::write(run.path(name), bytes).unwrap();
        }
        std::os::unix::fs::symlink(run.path("secret.png"), run.path("pictures/link.png")).unwrap();
        run
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the command. Returns its output.
    fn lantern(&self, words: &[&str]) -> String {
        let mut command = lantern(&self.path("data"));
        let origins = format!(r#"["http://127.0.0.1:{0}", "http://localhost:{0}"]"#, self.port);
        command
            .args(words)
            .env("LANTERN__DATABASE__URL", &self.db.url)
            .env("LANTERN__MEDIA__FOLDER", self.path("data/media"))
            .env("LANTERN__EMBEDS__VIDEOS", "https://player.example/embed/{id}")
            .env("LANTERN__IMPORT__ORIGINS", origins)
            // This avoids timeouts on a busy machine.
            .env("LANTERN__PICTURES__TIME_MS", "100000")
            .env("LANTERN__PICTURES__MAX_BYTES", MOST.to_string());
        let (output, errors) = run(&mut command);
        assert!(output.status.success(), "{errors}");
        format!("{}{errors}", String::from_utf8(output.stdout).unwrap())
    }

    fn import(&self, lines: &str, more: &[&str]) -> String {
        let (file, refused, pictures) = (self.path("videos.jsonl"), self.path("refused.jsonl"), self.path("pictures"));
        fs::write(&file, lines).unwrap();
        let [file, refused, pictures] = [&file, &refused, &pictures].map(|path| path.to_str().unwrap());
        let words = ["import", "--source", "oldsite", "--files", pictures, "--refused", refused, file];
        self.lantern(&[&words, more].concat())
    }

    /// Returns the field and code of each refusal in the last run, by id.
    fn refused(&self) -> BTreeMap<String, String> {
        let lines = fs::read_to_string(self.path("refused.jsonl")).unwrap();
        let rows = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let text = |row: &serde_json::Value, name: &str| row[name].as_str().unwrap().to_owned();
        rows.map(|row| (text(&row, "id"), format!("{} {}", text(&row, "field"), text(&row, "code")))).collect()
    }

    /// Returns all files in `videos/` of the media folder.
    fn files(&self) -> Vec<PathBuf> {
        fn below(folder: &Path, found: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.path().is_dir() { below(&entry.path(), found) } else { found.push(entry.path()) }
            }
        }
        let mut found = Vec::new();
        below(&self.path("data/media/videos"), &mut found);
        found
    }

    /// Returns the key of a video's picture.
    async fn key(&self, id: &str) -> Option<String> {
        let query = "select v.picture_key from imports i join videos v on v.id = i.video_id where i.source_id = $1";
        sqlx::query_scalar(query).bind(id).fetch_one(&self.db.pool).await.unwrap()
    }
}

/// Builds a line for an embedded video.
fn line(id: &str, more: &str) -> String {
    format!(
        r#"{{"id":"{id}","title":"Video {id}","duration":600,"nobody":true,"embed":{{"site":"videos","id":"{id}"}}{more}}}"#
    ) + "\n"
}

fn file(name: &str) -> String {
    format!(r#","picture_file":"{name}""#)
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_are_imported_and_hostile_ones_refused() {
    let run = Run::new().await;
    let address = |path: &str| format!(r#","picture_address":"http://127.0.0.1:{}{path}""#, run.port);
    let inside = format!(r#","picture_address":"http://localhost:{}/good""#, run.port);
    let rows = [
        ("file", file("good.png")),
        ("address", address("/good")),
        ("none", String::new()),
        ("script", file("script.svg")),
        ("page", file("page.jpg")),
        ("bomb", file("bomb.png")),
        ("tiny", file("tiny.png")),
        ("large", file("large.png")),
        ("missing", file("nowhere.png")),
        ("outside", file("../secret.png")),
        ("link", file("link.png")),
        ("away", address("/away")),
        ("slow", address("/slow")),
        ("endless", address("/endless")),
        ("gone", address("/gone")),
        ("inside", inside),
        ("other", r#","picture_address":"http://media.example/a.png""#.to_owned()),
        ("both", format!("{}{}", file("good.png"), address("/good"))),
    ];
    let yet = r#"{"id":"yet","title":"None yet","duration":600,"picture_file":"other.png"}"#;
    let lines: String = rows.iter().map(|(id, more)| line(id, more)).collect::<String>() + yet + "\n";
    let here: &[(&str, &str)] = &[
        ("script", "picture_file file_invalid_type"),
        ("page", "picture_file file_invalid_type"),
        ("bomb", "picture_file invalid_img_size"),
        ("tiny", "picture_file invalid_img_size"),
        ("large", "picture_file file_too_large"),
        ("missing", "picture_file not_found"),
        ("outside", "picture_file not_found"),
        ("link", "picture_file not_found"),
        ("other", "picture_address origin_not_listed"),
        ("both", "picture_file, picture_address too_many"),
    ];
    let far: &[(&str, &str)] = &[
        ("away", "picture_address fetch_failed"),
        ("slow", "picture_address fetch_failed"),
        ("endless", "picture_address file_too_large"),
        ("gone", "picture_address fetch_failed"),
        ("inside", "picture_address fetch_failed"),
    ];
    let named = |rows: &[(&str, &str)]| -> BTreeMap<String, String> {
        rows.iter().map(|(id, code)| ((*id).to_owned(), (*code).to_owned())).collect()
    };

    // A dry run checks local files, but fetches and writes nothing.
    let output = run.import(&lines, &["--cleared", "--dry-run"]);
    assert!(counts(&output).starts_with("18 added, ") && counts(&output).contains(" 1 refused"), "{output}");
    assert!(output.contains("8 pictures, 9 refused"), "{output}");
    assert_eq!((run.refused(), run.site.take_requests().len(), run.files().len()), (named(here), 0, 0));

    let output = run.import(&lines, &["--cleared"]);
    assert!(counts(&output).starts_with("18 added, ") && counts(&output).contains(" 1 refused"), "{output}");
    assert!(output.contains("3 pictures, 14 refused (videos imported without)"), "{output}");
    assert_eq!(run.refused(), named(&[here, far].concat()));
    // The server was not asked for the host name that has a private address, nor for the target of the redirect.
    assert_eq!(run.site.take_requests(), ["/away", "/endless", "/gone", "/good", "/slow"]);
    let pictured = "select string_agg(source_id, ' ' order by source_id) from imports i join videos v on v.id = i.video_id where picture_key is not null";
    assert_eq!(text(&run.db, pictured).await, "address file yet");
    let files = run.files();
    assert_eq!(files.len(), 9, "three widths each, nothing of refused ones");
    for path in &files {
        let bytes = fs::read(path).unwrap();
        assert!(bytes.starts_with(b"\xff\xd8\xff"), "{}", path.display());
        assert!(!bytes.windows(MARK.len()).any(|window| window == MARK.as_bytes()), "{}", path.display());
    }
    for width in [1280, 640, 320] {
        assert!(run.path(&format!("data/media/{}-{width}.jpg", run.key("file").await.unwrap())).is_file());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn picture_is_fetched_once_and_replaced_on_change() {
    let run = Run::new().await;
    let gone = format!(r#","picture_address":"http://127.0.0.1:{}/gone""#, run.port);
    let good = format!(r#","picture_address":"http://127.0.0.1:{}/good""#, run.port);
    let before =
        [line("a", &file("good.png")), line("b", &good), line("c", &gone), line("d", &file("good.png"))].concat();
    run.import(&before, &["--cleared"]);
    let keys = async || (run.key("a").await, run.key("b").await, run.key("c").await, run.key("d").await);
    let first = keys().await;
    assert!(first.0.is_some() && first.1.is_some() && first.2.is_none() && first.3.is_some());
    run.site.take_requests();

    // Pictures that exist are not fetched again. A missing one is retried.
    let output = run.import(&before, &["--cleared"]);
    assert!(counts(&output).starts_with("0 added, 0 changed, 4 unchanged, "), "{output}");
    assert!(output.contains("0 pictures, 1 refused"), "{output}");
    assert_eq!((keys().await, run.site.take_requests()), (first.clone(), vec!["/gone".to_owned()]));

    // The video was reviewed without a picture, so a picture that is added later needs a review too.
    *run.site.is_back.lock().unwrap() = true;
    let output = run.import(&before, &[]);
    assert!(
        counts(&output).starts_with("0 added, 1 changed, 3 unchanged, ") && output.contains("1 pictures, 0 refused"),
        "{output}"
    );
    let states = "select string_agg(concat(i.source_id, v.status_id), ' ' order by i.source_id) from imports i join videos v on v.id = i.video_id";
    assert_eq!(text(&run.db, states).await, "a1 b1 c2 d1");
    let second = keys().await;
    assert!(second.2.is_some());
    run.site.take_requests();

    // A different picture replaces the old one. An unchanged picture stays when its line changes. A picture also stays
    // if its replacement fails.
    let after = [
        line("a", &file("other.png")),
        line("b", &good).replace("Video b", "Another b"),
        line("c", &gone.replace("/gone", "/nowhere")),
        line("d", ""),
    ]
    .concat();
    let output = run.import(&after, &["--cleared"]);
    assert!(
        counts(&output).starts_with("0 added, 4 changed, ") && output.contains("1 pictures, 1 refused"),
        "{output}"
    );
    let third = keys().await;
    assert!(third.0.is_some() && third.0 != second.0, "{third:?}");
    assert_eq!((&third.1, &third.2, &third.3), (&second.1, &second.2, &None));
    assert_eq!(run.site.take_requests(), ["/nowhere"]);
    let query = "select array_agg(payload->>'key' order by payload->>'key') from jobs where kind = 'film_removal'";
    let removed: Vec<String> = sqlx::query_scalar(query).fetch_one(&run.db.pool).await.unwrap();
    let mut left = [second.0.unwrap(), second.3.unwrap()];
    left.sort();
    assert_eq!(removed, left, "the worker removes them");

    // An export can be imported again with its pictures.
    let exported = run.lantern(&["export", "--source", "oldsite"]);
    let other = Run::new().await;
    fs::write(other.path("export.jsonl"), &exported).unwrap();
    let (media, file) = (run.path("data/media"), other.path("export.jsonl"));
    let words = ["import", "--source", "oldsite", "--files", media.to_str().unwrap(), file.to_str().unwrap()];
    let output = other.lantern(&words);
    assert!(counts(&output).contains(" 0 refused") && output.contains("3 pictures, 0 refused"), "{output}");
    assert!(other.key("a").await.is_some() && other.key("d").await.is_none());
}
