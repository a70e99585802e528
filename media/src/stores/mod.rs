//! Storage for films, their originals, uploaded pictures and uploads: the media folder, or the folder or bucket of the storage group that
//! the catalog records for them. The demo's clips and pictures are always in the media folder.

mod bucket;
mod connector;
mod fetch;
mod folder;
mod ranges;
mod seal;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use lantern_catalog::storage::{self, pictures};
use lantern_config::{Config, LOCAL_GROUP};
use moka::future::Cache;
use sqlx::PgPool;
use tokio::{
    fs::File,
    io::{AsyncRead, AsyncWriteExt},
    time::timeout,
};

pub use self::{
    bucket::{Bucket, StoreFailure},
    fetch::fetch,
    folder::Folder,
};
pub(crate) use fetch::Remote;
pub(crate) use seal::{Seal, Seals, copy};

use crate::pictures::is_uploaded;

/// Prefix of film folders in a store.
pub const FILMS: &str = "films/";
/// Prefix of folders with originals in a store. Nothing serves their files.
pub const ORIGINALS: &str = "originals/";
/// Number of seconds after which a client may retry if a store is unavailable.
pub const RETRY_AFTER: u64 = 5;

/// File names below a folder with their sizes in bytes.
pub type Files = BTreeMap<String, u64>;

/// A place for files.
#[derive(Debug, Clone)]
pub enum Store {
    /// A local folder.
    Folder(Folder),
    /// A bucket.
    Bucket(Bucket),
}

impl Store {
    /// Lists the files in a folder. The list is empty if the folder doesn't exist.
    pub async fn files(&self, key: &str) -> Result<Files, StoreFailure> {
        match self {
            Self::Folder(folder) => folder.files(key).await,
            Self::Bucket(bucket) => bucket.files(key).await,
        }
    }

    /// Returns the size of a file in bytes, or `None` if it doesn't exist.
    pub async fn length(&self, path: &str) -> Result<Option<u64>, StoreFailure> {
        match self {
            Self::Folder(folder) => folder.length(path).await,
            Self::Bucket(bucket) => {
                let found = bucket.find(path).await.inspect_err(|failed| bucket.log(failed));
                Ok(found?.map(|version| version.length))
            }
        }
    }

    /// Reads a file from the start.
    pub(crate) async fn read(&self, path: &str) -> Result<Box<dyn AsyncRead + Send + Unpin>, StoreFailure> {
        match self {
            Self::Folder(folder) => folder.read(path).await,
            Self::Bucket(bucket) => bucket.read(path).await,
        }
    }

    /// Copies these files from a folder of another store. Returns the seals of what was read.
    pub(crate) async fn take(
        &self,
        key: &str,
        (from, folder): (&Self, &str),
        files: &Files,
    ) -> Result<Seals, StoreFailure> {
        match self {
            Self::Folder(to) => to.take(key, (from, folder), files).await,
            Self::Bucket(to) => to.take(key, (from, folder), files).await,
        }
    }

    /// Writes a file durably, and reads it back to verify it. Returns its seal.
    pub(crate) async fn put(&self, path: &str, reading: impl AsyncRead + Send + Unpin) -> Result<Seal, StoreFailure> {
        let seal = match self {
            Self::Folder(folder) => folder.put(path, reading).await?,
            Self::Bucket(bucket) => bucket.put(path, reading).await?,
        };
        let found = self.seal(path).await?;
        if found != seal {
            return Err(StoreFailure::Differs { file: path.to_owned(), found: found.length, length: seal.length });
        }
        Ok(seal)
    }

    /// Removes files. Those that don't exist are ignored.
    pub(crate) async fn remove_files(&self, paths: Vec<String>) -> Result<(), StoreFailure> {
        match self {
            Self::Folder(folder) => folder.remove_files(paths).await,
            Self::Bucket(bucket) => bucket.remove_files(paths).await,
        }
    }

    /// Logs that the store is unavailable, if it is a bucket. These log lines are rate-limited.
    pub(crate) fn log(&self, failed: &StoreFailure) {
        if let Self::Bucket(bucket) = self {
            bucket.log(failed);
        }
    }

    /// Reads a file back, bypassing the page cache if possible, and returns its seal.
    pub(crate) async fn seal(&self, path: &str) -> Result<Seal, StoreFailure> {
        if let Self::Folder(folder) = self {
            folder.forget(path).await?;
        }
        Ok(seal::seal(self.read(path).await?).await?)
    }

    /// Removes a folder with its contents, if it exists.
    pub async fn remove(&self, key: &str) -> Result<(), StoreFailure> {
        match self {
            Self::Folder(folder) => folder.remove(key).await,
            Self::Bucket(bucket) => bucket.remove(key).await,
        }
    }
}

/// Copies a file from a store to a new file on the disk with these permissions. Returns the seal of what was read.
///
/// # Errors
/// The store is unavailable, or the new file can't be written.
pub(crate) async fn download(store: &Store, path: &str, to: &Path, mode: u32) -> Result<Seal, StoreFailure> {
    let reading = store.read(path).await?;
    let at = |error| StoreFailure::Folder(crate::Error::at(to)(error));
    let mut writing = File::options().write(true).create_new(true).mode(mode).open(to).await.map_err(at)?;
    let seal = copy(reading, &mut writing).await?;
    writing.flush().await.map_err(at)?;
    Ok(seal)
}

/// Reasons why the store of a film or picture could not be determined.
#[derive(Debug, thiserror::Error)]
pub enum Unknown {
    /// The catalog failed.
    #[error(transparent)]
    Catalog(#[from] lantern_catalog::Error),
    /// The catalog timed out.
    #[error("looking up the store of a file in the catalog timed out")]
    Late,
    /// The group isn't configured.
    #[error("storage group {0} is not configured; add storage.groups.{0}")]
    Group(i32),
}

/// The storage group of a film or picture at the time of the lookup.
#[derive(Debug, Clone, Copy)]
struct Place {
    group: i32,
    looked_up: Instant,
}

/// All stores. Clones share them.
#[derive(Debug, Clone)]
pub struct Stores(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    local: Store,
    groups: BTreeMap<i32, Store>,
    /// Connections to the catalog, or `None` if the media folder is the only group.
    pool: Option<PgPool>,
    new_pictures: i32,
    new_uploads: i32,
    places: Cache<String, Place>,
    fresh_for: Duration,
    old_for: Duration,
    ask_for: Duration,
}

impl Stores {
    /// Opens the groups of the `storage` settings and the media folder.
    ///
    /// # Errors
    /// Fails if the settings of a bucket are invalid.
    pub fn new(config: &Config, media_root: PathBuf, pool: PgPool) -> Result<Self, StoreFailure> {
        let mut groups = BTreeMap::new();
        for (number, group) in &config.storage.groups {
            let store = if group.bucket.is_empty() {
                Store::Folder(Folder::new(PathBuf::from(&group.folder), group.accel_prefix.clone()))
            } else {
                Store::Bucket(Bucket::new(*number, group, &config.storage)?)
            };
            groups.insert(*number, store);
        }
        let local = Folder::new(media_root, config.media.accel_prefix.clone());
        let (media, pool) = (&config.media, (!groups.is_empty()).then_some(pool));
        let fresh_for = Duration::from_secs(media.known_seconds);
        let shared = Shared {
            places: Cache::new(media.known_files),
            ask_for: Duration::from_millis(media.ask_ms),
            old_for: fresh_for + Duration::from_secs(media.away_seconds),
            ..Shared::alone(local)
        };
        let (new_pictures, new_uploads) = (config.storage.new_pictures, config.storage.new_uploads);
        Ok(Self(Arc::new(Shared { groups, pool, fresh_for, new_pictures, new_uploads, ..shared })))
    }

    /// Uses only the media folder.
    #[must_use]
    pub fn local(media_root: PathBuf, accel_prefix: String) -> Self {
        Self(Arc::new(Shared::alone(Folder::new(media_root, accel_prefix))))
    }

    /// Returns the path of the media folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        match &self.0.local {
            Store::Folder(folder) => folder.root(),
            Store::Bucket(_) => unreachable!("group 0 is a folder"),
        }
    }

    /// Returns the store of a group.
    pub fn group(&self, number: i32) -> Result<&Store, Unknown> {
        match number {
            LOCAL_GROUP => Ok(&self.0.local),
            number => self.0.groups.get(&number).ok_or(Unknown::Group(number)),
        }
    }

    /// Returns the store of a film's folder or of an uploaded picture. If there are no other groups, the catalog isn't queried.
    pub async fn of(&self, key: &str) -> Result<&Store, Unknown> {
        match &self.0.pool {
            Some(pool) if key.starts_with(FILMS) || is_uploaded(key) => self.group(self.place(pool, key).await?),
            _ => Ok(&self.0.local),
        }
    }

    /// Returns the group, store and catalog of new pictures, or `None` if they are stored in the media folder.
    pub(crate) fn for_pictures(&self) -> Result<Option<(i32, &Store, &PgPool)>, Unknown> {
        let (group, pool) = (self.0.new_pictures, self.0.pool.as_ref().filter(|_| self.0.new_pictures != LOCAL_GROUP));
        pool.map(|pool| Ok((group, self.group(group)?, pool))).transpose()
    }

    /// Returns the group of new uploads, which is 0 for files on this node.
    #[must_use]
    pub fn for_uploads(&self) -> i32 {
        self.0.new_uploads
    }

    /// Returns the connections to the catalog, or `None` if the media folder is the only group.
    pub(crate) fn pool(&self) -> Option<&PgPool> {
        self.0.pool.as_ref()
    }

    /// Returns the group of a film or picture. While the catalog is unavailable, the cached group stays valid somewhat longer.
    async fn place(&self, pool: &PgPool, key: &str) -> Result<i32, Unknown> {
        let known = self.0.places.get(key).await;
        if let Some(place) = known
            && place.looked_up.elapsed() < self.0.fresh_for
        {
            return Ok(place.group);
        }
        let looked_up = Instant::now();
        let lookup = async {
            if is_uploaded(key) {
                pictures::group_of(pool, key).await.map(Some)
            } else {
                storage::group_of(pool, key).await
            }
        };
        let answer = match timeout(self.0.ask_for, lookup).await {
            Ok(answer) => answer.map_err(Unknown::from),
            Err(_) => Err(Unknown::Late),
        };
        match (answer, known) {
            (Ok(Some(group)), _) => {
                self.0.places.insert(key.to_owned(), Place { group, looked_up }).await;
                Ok(group)
            }
            // No video refers to the folder, so the request will fail with "not found".
            (Ok(None), _) => Ok(LOCAL_GROUP),
            (Err(_), Some(place)) if place.looked_up.elapsed() < self.0.old_for => Ok(place.group),
            (Err(error), _) => Err(error),
        }
    }
}

impl Shared {
    fn alone(local: Folder) -> Self {
        Self {
            local: Store::Folder(local),
            groups: BTreeMap::new(),
            pool: None,
            new_pictures: LOCAL_GROUP,
            new_uploads: LOCAL_GROUP,
            places: Cache::new(0),
            fresh_for: Duration::ZERO,
            old_for: Duration::ZERO,
            ask_for: Duration::ZERO,
        }
    }
}

/// Returns the content type of a file that Lantern produces. Other files aren't served.
#[must_use]
pub fn content_type(path: &str) -> Option<&'static str> {
    Some(match path.rsplit('.').next()? {
        "mp4" => "video/mp4",
        "m4s" => "video/iso.segment",
        "m3u8" => "application/vnd.apple.mpegurl",
        "vtt" => "text/vtt; charset=utf-8",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "jpg" => "image/jpeg",
        _ => return None,
    })
}
