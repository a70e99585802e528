//! One of several Lanterns on the same catalog.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use tempfile::TempDir;

use crate::{lantern, stop};

/// Seconds of silence after which a writer is taken over from, in these tests: more than a busy machine lets it wait.
const LEASE: u64 = 4;
/// What must have happened by now, on a busy machine, will not happen.
const PATIENCE: Duration = Duration::from_secs(45);
/// Between two looks at a list: a node that is asked without a pause is slower to forget.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// One Lantern: its data folder stays when the process goes.
pub struct Node {
    folder: TempDir,
    /// What it says, in no folder of its own: a start as root takes over only what is Lantern's.
    log: tempfile::NamedTempFile,
    settings: Vec<(&'static str, String)>,
    child: Option<Child>,
    /// 0 takes another one at each start.
    wanted: u16,
    port: u16,
}

impl Node {
    pub fn on(database: &str, more: &[(&'static str, String)]) -> Self {
        Self::at(database, 0, more)
    }

    /// As [`Node::on`], always at this port.
    pub fn at(database: &str, wanted: u16, more: &[(&'static str, String)]) -> Self {
        let mut settings =
            vec![("LANTERN__DATABASE__URL", database.to_owned()), ("LANTERN__SYNC__WRITER_LEASE", LEASE.to_string())];
        settings.extend_from_slice(more);
        let (folder, log) = (tempfile::tempdir().unwrap(), tempfile::NamedTempFile::new().unwrap());
        let mut node = Self { folder, log, settings, child: None, wanted, port: 0 };
        node.start();
        node
    }

    pub fn command(&self, words: &[&str]) -> std::process::Command {
        let mut command = lantern(self.folder.path());
        command.envs(self.settings.iter().map(|(name, value)| (name, value))).args(words);
        command
    }

    pub fn start(&mut self) {
        let log = File::options().append(true).open(self.log.path()).unwrap();
        let mut child = self
            .command(&["up", "--port", &self.wanted.to_string(), "--seed-videos", "40"])
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            line.unwrap().strip_prefix("Lantern is ready at http://127.0.0.1:")?.split('/').next()?.parse().ok()
        });
        let Some(port) = port else { panic!("it ended before it was ready: {}", self.said()) };
        std::thread::spawn(move || lines.for_each(drop));
        (self.child, self.port) = (Some(child), port);
    }

    /// The address of one of its pages.
    pub fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub fn said(&self) -> String {
        std::fs::read_to_string(self.log.path()).unwrap_or_default()
    }

    pub fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.as_ref().unwrap().id().try_into().unwrap()), signal).unwrap();
    }

    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Ends it in order; it can be started again.
    pub fn stop(&mut self) {
        stop(self.child.take().unwrap());
    }

    pub fn kill(&mut self) {
        self.signal(Signal::SIGKILL);
        self.child.take().unwrap().wait().unwrap();
    }

    /// What it answers: the head, and the body as it came.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: identity\r\nConnection: close\r\n{headers}\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    /// Ids of the first videos it lists.
    pub fn listed(&self) -> Vec<i64> {
        let list = "/api/json/videos2/86400/str/longest/100/all..1.all.all.all.json";
        let (head, body) = self.ask("GET", list, &[], "");
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        let start = body.find('{').unwrap();
        let end = body.rfind('}').unwrap();
        let body: serde_json::Value = serde_json::from_str(&body[start..=end]).unwrap();
        body["videos"].as_array().unwrap().iter().map(|card| card["video_id"].as_i64().unwrap()).collect()
    }

    /// Waits until it lists none of `hidden`.
    pub fn forgets(&self, hidden: &[i64], when: &str) {
        let until = Instant::now() + PATIENCE;
        loop {
            let left: Vec<i64> = self.listed().into_iter().filter(|id| hidden.contains(id)).collect();
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < until, "{when}: {left:?} of {hidden:?} are listed still\n{}", self.said());
            std::thread::sleep(LOOK_EVERY);
        }
    }

    /// While it runs.
    pub fn verify(&self) {
        let output = self.command(&["verify"]).output().unwrap();
        let (said, text) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{said}{text}\n{}", self.said());
        assert_eq!(
            said.lines().filter(|line| line.ends_with("0 missing, 0 different, 0 surplus")).count(),
            8,
            "{said}"
        );
    }

    /// As an operator does it: SIGTERM, and up again when it has ended.
    pub fn restart(&mut self) {
        self.signal(Signal::SIGTERM);
        let ended = self.child.take().unwrap().wait().unwrap();
        assert!(ended.success(), "{ended}: {}", self.said());
        self.start();
    }

    pub fn end(mut self) {
        stop(self.child.take().unwrap());
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // A test that failed leaves nobody running; one that ended has taken it.
            child.kill().and_then(|()| child.wait()).ok();
        }
    }
}
