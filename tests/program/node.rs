//! A node, which is one of several Lanterns on the same catalog.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use lantern_index::IndexName;
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use tempfile::TempDir;

use crate::{lantern, stop};

/// Writer lease in seconds. It is longer than delays on a busy machine.
const LEASE: u64 = 4;
/// Time limit that is generous for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(45);
/// Polling interval. Constant requests would slow the node down.
const POLL_EVERY: Duration = Duration::from_millis(20);

/// A Lantern whose data folder outlives the process.
pub struct Node {
    folder: TempDir,
    /// Standard error. The file is outside the data folder, because a data folder with foreign files would not be
    /// handed over.
    log: tempfile::NamedTempFile,
    settings: Vec<(&'static str, String)>,
    child: Option<Child>,
    /// Wanted port. If it is 0, each start takes a new free port.
    wanted: u16,
    port: u16,
}

impl Node {
    pub fn on(database: &str, more: &[(&'static str, String)]) -> Self {
        Self::at(database, 0, more)
    }

    /// Creates a node like [`Node::on`], but with a fixed port.
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
        let Some(port) = port else { panic!("up ended before it was ready: {}", self.log()) };
        std::thread::spawn(move || lines.for_each(drop));
        (self.child, self.port) = (Some(child), port);
    }

    /// Returns the URL of a path.
    pub fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log.path()).unwrap_or_default()
    }

    pub fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.as_ref().unwrap().id().try_into().unwrap()), signal).unwrap();
    }

    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Stops the node cleanly. It can be started again.
    pub fn stop(&mut self) {
        stop(self.child.take().unwrap());
    }

    pub fn kill(&mut self) {
        self.signal(Signal::SIGKILL);
        self.child.take().unwrap().wait().unwrap();
    }

    /// Sends a request. Returns the response's head and raw body.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
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

    /// Returns the ids of the videos that are listed first.
    pub fn listed(&self) -> Vec<i64> {
        let list = "/api/json/videos2/86400/str/longest/100/all..1.all.all.all.json";
        let (head, body) = self.ask("GET", list, &[], "");
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        let start = body.find('{').unwrap();
        let end = body.rfind('}').unwrap();
        let body: serde_json::Value = serde_json::from_str(&body[start..=end]).unwrap();
        body["videos"].as_array().unwrap().iter().map(|card| card["video_id"].as_i64().unwrap()).collect()
    }

    /// Waits until none of `hidden` is listed anymore.
    pub fn forgets(&self, hidden: &[i64], when: &str) {
        let until = Instant::now() + TIMEOUT;
        loop {
            let left: Vec<i64> = self.listed().into_iter().filter(|id| hidden.contains(id)).collect();
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < until, "{when}: {left:?} of {hidden:?} are still listed\n{}", self.log());
            std::thread::sleep(POLL_EVERY);
        }
    }

    /// Verifies the indexes while the node is running.
    pub fn verify(&self) {
        let output = self.command(&["verify"]).output().unwrap();
        let (stdout, text) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{stdout}{text}\n{}", self.log());
        assert_eq!(
            stdout.lines().filter(|line| line.ends_with("0 missing, 0 different, 0 surplus")).count(),
            IndexName::ALL.len(),
            "{stdout}"
        );
    }

    /// Waits until the node has ended by itself.
    pub fn ended(&mut self) -> ExitStatus {
        self.child.take().unwrap().wait().unwrap()
    }

    /// Restarts the node as an operator would, with SIGTERM and then a new start.
    pub fn restart(&mut self) {
        self.signal(Signal::SIGTERM);
        let ended = self.ended();
        assert!(ended.success(), "{ended}: {}", self.log());
        self.start();
    }

    pub fn end(mut self) {
        stop(self.child.take().unwrap());
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // Even if a test fails, nothing must keep running.
            child.kill().and_then(|()| child.wait()).ok();
        }
    }
}
