//! Files in an S3-compatible bucket.

use std::{
    fmt,
    ops::Range,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    http::{HeaderValue, Method},
};
use futures_util::{FutureExt, StreamExt, TryStreamExt, future::BoxFuture, stream};
use lantern_config::{Storage, StorageGroup};
use moka::future::Cache;
use object_store::{
    Attribute, BackoffConfig, GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt, RetryConfig,
    aws::{AmazonS3, AmazonS3Builder},
    buffered::BufWriter,
    path::Path,
    signer::{SignedUrlOptions, Signer},
};
use tokio::io::{AsyncRead, AsyncWriteExt};
use tokio_util::io::StreamReader;

use super::{Files, Seal, Seals, Store, connector::Connector, content_type, seal};
use crate::conditions::Version;

/// Number of retries per request. If a connection is closing, the request is retried immediately. Outages are handled elsewhere.
const RETRIES: usize = 1;
/// Number of parts uploaded concurrently, in addition to the one being read.
const PARTS_AT_ONCE: usize = 2;

/// Failures of a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreFailure {
    /// The bucket is unavailable or refuses the request.
    #[error(transparent)]
    Bucket(#[from] object_store::Error),
    /// Transferring a file to or from a bucket failed.
    #[error("can't transfer a file: {0}")]
    Way(#[from] std::io::Error),
    /// A file was read back with other content than was written.
    #[error("{file} was read back with {found} of {length} bytes or other content")]
    Differs {
        /// Path of the file in its store.
        file: String,
        /// Number of bytes read back.
        found: u64,
        /// Number of bytes written.
        length: u64,
    },
    /// The HTTP client could not be created.
    #[error("can't create the HTTP client for a bucket: {0}")]
    Client(#[from] reqwest::Error),
    /// An operation in a local folder failed.
    #[error(transparent)]
    Folder(#[from] crate::Error),
}

impl StoreFailure {
    /// Returns whether the requested file doesn't exist.
    pub(crate) fn is_missing(&self) -> bool {
        match self {
            Self::Bucket(object_store::Error::NotFound { .. }) => true,
            Self::Folder(crate::Error::Io { source, .. }) => source.kind() == std::io::ErrorKind::NotFound,
            _ => false,
        }
    }
}

/// A bucket. Clones share it.
#[derive(Clone)]
pub struct Bucket(Arc<SharedBucket>);

struct SharedBucket {
    group: i32,
    store: Arc<AmazonS3>,
    /// Signs URLs for players, which may reach the store at another address. It is `None` if players aren't redirected.
    public: Option<AmazonS3>,
    prefix: String,
    part_bytes: usize,
    files_at_once: usize,
    redirect_for: Duration,
    known: Cache<String, Version>,
    log_every: Duration,
    logged: Mutex<Option<Instant>>,
    failures: AtomicU64,
}

impl fmt::Debug for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bucket(group {})", self.0.group)
    }
}

impl Bucket {
    pub(super) fn new(number: i32, group: &StorageGroup, storage: &Storage) -> Result<Self, StoreFailure> {
        let silent = Duration::from_millis(storage.silent_ms);
        let client = reqwest::Client::builder()
            .connect_timeout(Duration::from_millis(storage.connect_ms))
            .read_timeout(silent)
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        let retry = RetryConfig { max_retries: RETRIES, retry_timeout: silent, backoff: BackoffConfig::default() };
        let client = Connector(client);
        let build = |endpoint: &str| {
            let builder = AmazonS3Builder::new()
                .with_region(group.region())
                .with_bucket_name(&group.bucket)
                .with_access_key_id(&group.access_key)
                .with_secret_access_key(&group.secret_key)
                .with_virtual_hosted_style_request(group.bucket_in_host)
                .with_allow_http(true)
                .with_retry(retry.clone())
                .with_http_connector(client.clone());
            if endpoint.is_empty() { builder.build() } else { builder.with_endpoint(endpoint).build() }
        };
        let public = if group.public_endpoint.is_empty() { &group.endpoint } else { &group.public_endpoint };
        Ok(Self(Arc::new(SharedBucket {
            group: number,
            store: Arc::new(build(&group.endpoint)?),
            public: group.redirect.then(|| build(public)).transpose()?,
            prefix: if group.prefix.is_empty() { String::new() } else { format!("{}/", group.prefix) },
            part_bytes: usize::try_from(storage.part_bytes).unwrap_or(usize::MAX),
            files_at_once: storage.files_at_once,
            redirect_for: Duration::from_secs(storage.redirect_seconds.into()),
            known: Cache::new(storage.known_files),
            log_every: Duration::from_secs(storage.log_seconds),
            logged: Mutex::new(None),
            failures: AtomicU64::new(0),
        })))
    }

    fn at(&self, path: &str) -> Path {
        Path::from(format!("{}{path}", self.0.prefix))
    }

    /// Returns the version of a file, or `None` if it doesn't exist. The version is cached, because a file with a given name never changes.
    pub async fn find(&self, path: &str) -> Result<Option<Version>, StoreFailure> {
        if let Some(version) = self.0.known.get(path).await {
            return Ok(Some(version));
        }
        match self.0.store.head(&self.at(path)).await {
            Ok(meta) => {
                let version = version(&meta);
                self.0.known.insert(path.to_owned(), version.clone()).await;
                Ok(Some(version))
            }
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the version of a file and all of it as a response body, or `None` if it doesn't exist. Without a cached version, this saves a
    /// request.
    pub(super) async fn whole(&self, path: &str) -> Result<Option<(Version, Body)>, StoreFailure> {
        match self.0.store.get(&self.at(path)).await {
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            found => {
                let found = found?;
                let version = version(&found.meta);
                self.0.known.insert(path.to_owned(), version.clone()).await;
                Ok(Some((version, Body::from_stream(found.into_stream()))))
            }
        }
    }

    /// Returns a range of a file as a response body, or `None` if the file is missing or its version isn't `known`.
    pub(super) async fn body(
        &self,
        path: &str,
        range: Range<u64>,
        known: &Version,
    ) -> Result<Option<Body>, StoreFailure> {
        // Some gateways answer a range of all bytes with the whole file, so the whole file is requested without a range.
        let range = Some(range).filter(|range| *range != (0..known.length)).map(GetRange::Bounded);
        let options = GetOptions { range, ..GetOptions::default() };
        let found = match self.0.store.get_opts(&self.at(path), options).await {
            Err(object_store::Error::NotFound { .. }) => None,
            found => Some(found?).filter(|found| version(&found.meta) == *known),
        };
        if found.is_none() {
            self.0.known.invalidate(path).await;
        }
        Ok(found.map(|found| Body::from_stream(found.into_stream())))
    }

    /// Returns a signed URL of the store that is valid for at most `seconds`, or `None` if players aren't redirected.
    pub(super) async fn address(
        &self,
        method: &Method,
        path: &str,
        seconds: u64,
        disposition: Option<&HeaderValue>,
    ) -> Result<Option<HeaderValue>, StoreFailure> {
        let Some(public) = &self.0.public else { return Ok(None) };
        let life = self.0.redirect_for.min(Duration::from_secs(seconds));
        let said = disposition.and_then(|value| value.to_str().ok());
        let query = said.map(|value| ("response-content-disposition", value));
        let options = SignedUrlOptions::new().with_query(query);
        let url = public.signed_url_opts(method.clone(), &self.at(path), life, &options).await?;
        let url = HeaderValue::try_from(String::from(url));
        Ok(Some(url.map_err(|error| StoreFailure::Way(std::io::Error::other(error)))?))
    }

    pub(super) async fn files(&self, key: &str) -> Result<Files, StoreFailure> {
        let folder = self.at(key);
        let (mut listing, below) = (self.0.store.list(Some(&folder)), format!("{folder}/"));
        let mut files = Files::new();
        while let Some(meta) = listing.try_next().await? {
            if let Some(name) = meta.location.as_ref().strip_prefix(&below) {
                files.insert(name.to_owned(), meta.size);
            }
        }
        Ok(files)
    }

    pub(super) async fn read(&self, path: &str) -> Result<Box<dyn AsyncRead + Send + Unpin>, StoreFailure> {
        let found = self.0.store.get(&self.at(path)).await?;
        Ok(Box::new(StreamReader::new(found.into_stream().map_err(std::io::Error::other))))
    }

    pub(super) async fn remove(&self, key: &str) -> Result<(), StoreFailure> {
        let found = self.0.store.list(Some(&self.at(key))).map_ok(|meta| meta.location).boxed();
        let mut removing = self.0.store.delete_stream(found);
        while removing.try_next().await?.is_some() {}
        Ok(())
    }

    pub(super) async fn remove_files(&self, paths: Vec<String>) -> Result<(), StoreFailure> {
        let found: Vec<_> = paths.iter().map(|path| Ok(self.at(path))).collect();
        let mut removing = self.0.store.delete_stream(stream::iter(found).boxed());
        while let Some(removed) = removing.next().await {
            match removed {
                Err(object_store::Error::NotFound { .. }) => {}
                removed => drop(removed?),
            }
        }
        Ok(())
    }

    /// Copies a folder from another store. Only the list of files shows its progress, because a file becomes visible once it is complete.
    pub(crate) async fn take(
        &self,
        key: &str,
        (from, folder): (&Store, &str),
        files: &Files,
    ) -> Result<Seals, StoreFailure> {
        let put = |file: String| async move {
            let reading = from.read(&format!("{folder}/{file}")).await?;
            let seal = self.put(&format!("{key}/{file}"), reading).await?;
            Ok((file, seal))
        };
        let putting: Vec<BoxFuture<'_, _>> = files.keys().map(|file| put(file.clone()).boxed()).collect();
        stream::iter(putting).buffer_unordered(self.0.files_at_once).try_collect().await
    }

    pub(super) async fn put(&self, path: &str, reading: impl AsyncRead + Unpin) -> Result<Seal, StoreFailure> {
        let store: Arc<dyn ObjectStore> = Arc::clone(&self.0.store) as _;
        let kind = content_type(path).map(|kind| (Attribute::ContentType, kind));
        let mut writing = BufWriter::with_capacity(store, self.at(path), self.0.part_bytes)
            .with_max_concurrency(PARTS_AT_ONCE)
            .with_attributes(kind.into_iter().collect());
        let seal = match seal::copy(reading, &mut writing).await {
            Ok(seal) => seal,
            Err(error) => {
                // Leftover parts are invisible. The store's lifecycle rule for incomplete uploads removes them.
                if let Err(left) = writing.abort().await {
                    tracing::debug!(%left, "can't remove parts of a file from a bucket");
                }
                return Err(error.into());
            }
        };
        // A failed shutdown aborts the upload itself.
        writing.shutdown().await?;
        Ok(seal)
    }

    /// Logs that the store is unavailable. These log lines are rate-limited.
    pub(crate) fn log(&self, failed: &StoreFailure) {
        let failures = self.0.failures.fetch_add(1, Ordering::Relaxed) + 1;
        let mut logged = self.0.logged.lock().unwrap_or_else(PoisonError::into_inner);
        if logged.is_none_or(|at| at.elapsed() >= self.0.log_every) {
            *logged = Some(Instant::now());
            self.0.failures.store(0, Ordering::Relaxed);
            tracing::error!(group = self.0.group, failures, error = %failed, "a store is unavailable; its files can't be served");
        }
    }
}

/// Returns the version of an object. It uses the store's tag if that is strong and contains no comma.
fn version(meta: &ObjectMeta) -> Version {
    let version = Version::new(meta.last_modified.into(), meta.size);
    let is_strong = |tag: &&String| tag.len() > 2 && tag.starts_with('"') && tag.ends_with('"') && !tag.contains(',');
    match meta.e_tag.as_ref().filter(is_strong) {
        Some(tag) => Version { tag: tag.clone(), ..version },
        None => version,
    }
}
