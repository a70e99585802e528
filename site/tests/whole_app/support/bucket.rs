//! An S3 server in this process, with a separate key and with faults on demand. The protocol is the real one, and the bucket is a folder.

use std::{
    io,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use axum::http::{HeaderValue, Method, StatusCode, header::CONTENT_LENGTH};
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use lantern_config::StorageGroup;
use s3s::{
    auth::SimpleAuth,
    service::{S3Service, S3ServiceBuilder},
};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::watch, task::JoinSet};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

const NAME: &str = "films";
const KEYS: (&str, &str) = ("lantern", "secret of the store");

/// Methods whose requests fail without a response, and how many of these requests succeed first.
#[derive(Default)]
struct Faults {
    methods: Vec<Method>,
    after: usize,
    /// Objects whose name has this suffix are stored with one byte changed.
    damaged: Option<&'static str>,
    /// Requests for a range get the whole object with status 200, as from some gateways.
    ignores_ranges: bool,
    gate: Option<Gate>,
    /// Number of requests that have failed.
    refused: usize,
}

/// Blocks requests of some methods.
#[derive(Clone)]
struct Gate {
    methods: Vec<Method>,
    waiting: watch::Sender<usize>,
    open: CancellationToken,
}

/// Blocks requests until this value is dropped.
pub struct HeldRequests(Gate);

impl HeldRequests {
    /// Returns once a request is blocked.
    pub async fn reached(&self) {
        self.0.waiting.subscribe().wait_for(|waiting| *waiting > 0).await.unwrap();
    }
}

impl Drop for HeldRequests {
    fn drop(&mut self) {
        self.0.open.cancel();
    }
}

pub struct Bucket {
    address: SocketAddr,
    folder: TempDir,
    faults: Arc<Mutex<Faults>>,
    requests: Arc<AtomicUsize>,
    _serving: JoinSet<()>,
}

impl Bucket {
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(NAME)).unwrap();
        let mut builder = S3ServiceBuilder::new(FileSystem::new(folder.path()).unwrap());
        builder.set_auth(SimpleAuth::from_single(KEYS.0, KEYS.1));
        let service = builder.build();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (faults, requests) = (Arc::<Mutex<Faults>>::default(), Arc::<AtomicUsize>::default());
        let mut serving = JoinSet::new();
        serving.spawn(serve(listener, service, Arc::clone(&faults), Arc::clone(&requests), folder.path().join(NAME)));
        Self { address, folder, faults, requests, _serving: serving }
    }

    pub fn group(&self) -> StorageGroup {
        StorageGroup {
            bucket: NAME.to_owned(),
            endpoint: format!("http://{}", self.address),
            prefix: "lantern/a".to_owned(),
            access_key: KEYS.0.to_owned(),
            secret_key: KEYS.1.to_owned(),
            ..StorageGroup::default()
        }
    }

    /// Makes requests with these methods fail without a response from now on, after `after` of them have succeeded.
    pub fn refuse(&self, methods: &[Method], after: usize) {
        *self.faults.lock().unwrap() = Faults { methods: methods.to_vec(), after, ..Faults::default() };
    }

    /// Changes one byte in each stored object whose name ends with this, from now on.
    pub fn damage(&self, ending: Option<&'static str>) {
        self.faults.lock().unwrap().damaged = ending;
    }

    /// Answers requests for a range with the whole object from now on.
    pub fn ignore_ranges(&self) {
        self.faults.lock().unwrap().ignores_ranges = true;
    }

    /// Blocks requests with these methods.
    pub fn hold(&self, methods: &[Method]) -> HeldRequests {
        let gate = Gate { methods: methods.to_vec(), waiting: watch::Sender::new(0), open: CancellationToken::new() };
        self.faults.lock().unwrap().gate = Some(gate.clone());
        HeldRequests(gate)
    }

    /// Returns the number of requests that have failed since the last call of [`Self::refuse`].
    pub fn refused(&self) -> usize {
        self.faults.lock().unwrap().refused
    }

    /// Returns the number of requests so far.
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }

    /// Returns the path of an object's file.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(NAME).join(name)
    }

    /// Returns the names of all objects.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        walk(&self.folder.path().join(NAME), "", &mut names);
        names.sort();
        names
    }
}

async fn serve(
    listener: TcpListener,
    service: S3Service,
    faults: Arc<Mutex<Faults>>,
    requests: Arc<AtomicUsize>,
    folder: PathBuf,
) {
    let mut connections = JoinSet::new();
    while let Ok((socket, _)) = listener.accept().await {
        let (service, faults, requests) = (service.clone(), Arc::clone(&faults), Arc::clone(&requests));
        let folder = folder.clone();
        let answer = service_fn(move |request: Request<Incoming>| {
            requests.fetch_add(1, Ordering::Relaxed);
            let (is_refused, gate, damaged, ignores_ranges) = {
                let mut faults = faults.lock().unwrap();
                let named = faults.methods.contains(request.method());
                let spared = named && faults.after > 0;
                faults.after -= usize::from(spared);
                faults.refused += usize::from(named && !spared);
                let gate = faults.gate.clone().filter(|gate| gate.methods.contains(request.method()));
                let damaged = faults.damaged.filter(|_| request.method() == Method::PUT);
                (named && !spared, gate, damaged, faults.ignores_ranges)
            };
            let service = service.clone();
            let path = request.uri().path().to_owned();
            let object = path.strip_prefix(&format!("/{NAME}/")).map(|object| folder.join(object));
            async move {
                if is_refused {
                    return Err(io::Error::other("the store is unavailable"));
                }
                if let Some(gate) = gate {
                    gate.waiting.send_modify(|waiting| *waiting += 1);
                    gate.open.cancelled().await;
                }
                let answer = service.oneshot(request).await;
                let mut answer = answer.map_err(|error| io::Error::other(format!("{error:?}")))?;
                let Some(object) = object else { return Ok(answer) };
                if damaged.is_some_and(|ending| path.ends_with(ending)) {
                    let mut bytes = std::fs::read(&object)?;
                    bytes[0] ^= 1;
                    std::fs::write(&object, bytes)?;
                }
                if ignores_ranges && answer.status() == StatusCode::PARTIAL_CONTENT {
                    let whole = std::fs::read(&object)?;
                    *answer.status_mut() = StatusCode::OK;
                    answer.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(whole.len()));
                    *answer.body_mut() = whole.into();
                }
                Ok(answer)
            }
        });
        connections.spawn(async move {
            // Connections that end with an injected fault return an error.
            let _ended = http1::Builder::new().serve_connection(TokioIo::new(socket), answer).await;
        });
    }
}

fn walk(folder: &Path, before: &str, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{before}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            walk(&entry.path(), &format!("{name}/"), names);
        } else {
            names.push(name);
        }
    }
}
