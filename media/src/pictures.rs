//! Pictures that members upload or that are imported from other systems. They are checked, decoded and encoded again, so that nothing from
//! the original file is stored.
//!
//! A file's declared dimensions are checked before decoding. Pictures that are too large are refused at that point, however small the file
//! is. So are incomplete ones. Only the picture is stored, in sRGB, without metadata, further frames or appended data. Files are JPEGs whose
//! names are never reused, so browsers can cache them forever.
//!
//! New pictures are stored in the media folder, or in the storage group `storage.new_pictures`.

mod addresses;
mod apart;
mod cmyk;
mod colors;
mod crop;
mod decode;
mod look;
mod names;
mod render;
mod spool;
mod sweep;

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime},
};

use futures_util::future::try_join_all;
use lantern_catalog::{prints::PicturePrint, storage::pictures as groups};
use lantern_config::Pictures as Rules;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::PgPool;
use tokio::{
    fs::{self, File},
    io::{AsyncReadExt, AsyncWriteExt},
    sync::Semaphore,
};

use self::{
    apart::{Job, Rendering},
    names::is_name,
};
use crate::{
    Error, Result,
    stores::{Store, StoreFailure, Stores},
};
pub(crate) use names::{is_file, key_of};
pub use {
    addresses::{avatar, cover, large_picture, largest_picture, picture, shots, sized},
    apart::{COMMAND, Decoder, run},
    crop::Crop,
    names::{file_of, is_members, is_uploaded},
    render::{PICTURE_TYPES, RefusedPicture, Shape},
    spool::Spool,
    sweep::SweepFailure,
};

/// Purpose of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A square picture next to the name.
    Avatar,
    /// A picture above the profile, five times as wide as it is high.
    Cover,
    /// A photo in an album, of any shape.
    Photo,
    /// The poster of a video whose film is hosted elsewhere. It has the shape of a film.
    Poster,
}

impl Kind {
    /// Returns the stored widths, largest first.
    #[must_use]
    pub const fn widths(self) -> &'static [u32] {
        match self {
            Self::Avatar => &[640, 320],
            Self::Cover => &[1250, 640],
            Self::Photo => &[1600, 640, 320],
            Self::Poster => &[1280, 640, 320],
        }
    }
}

/// All widths of all kinds.
const WIDTHS: [u32; 5] = [1600, 1280, 1250, 640, 320];

/// A stored picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPicture {
    /// Stem of its files.
    pub key: String,
    /// Fingerprint for recognizing the picture.
    pub print: PicturePrint,
    /// Width of the original picture in pixels, after rotating it upright.
    pub width: u32,
    /// Height of the original picture in pixels, after rotating it upright.
    pub height: u32,
}

/// Accepts pictures, with limited concurrency.
#[derive(Debug, Clone)]
pub struct Pictures {
    stores: Stores,
    rules: Arc<Rules>,
    decoder: Decoder,
    decoding: Arc<Semaphore>,
}

impl Pictures {
    /// Stores pictures in `stores`.
    #[must_use]
    pub fn new(stores: Stores, rules: Rules, decoder: Decoder) -> Self {
        let decoding = Arc::new(Semaphore::new(rules.concurrency));
        Self { stores, rules: Arc::new(rules), decoder, decoding }
    }

    /// Returns the acceptance rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Stores a member's picture in all sizes under a new key. `name` consists of 24 hexadecimal digits that the caller generates from
    /// random bytes.
    ///
    /// # Errors
    /// Returns [`Error::Picture`] if the picture isn't accepted, [`Error::TimedOut`] if the machine is too busy, [`Error::Io`] if a file
    /// cannot be written, and [`Error::Store`] or [`Error::Catalog`] if the store or the catalog is unavailable. Nothing is left behind.
    pub async fn store(&self, kind: Kind, user_id: i64, name: &str, bytes: Vec<u8>) -> Result<StoredPicture> {
        debug_assert!(is_name(name), "{name}");
        let rendered = self.render(Some(kind), None, bytes).await?;
        self.write_new(names::of_member(user_id, name), rendered).await
    }

    /// Stores an album photo in all sizes under a new key. `name` is the same as in [`Pictures::store`].
    pub async fn store_photo(&self, name: &str, sent: Spool) -> Result<StoredPicture> {
        debug_assert!(is_name(name), "{name}");
        let rendered = {
            // Pictures stay on disk while they wait.
            let _turn = self.decoding.acquire().await;
            apart::decode(&self.decoder, self.job(Some(Kind::Photo), None), sent.read().await?).await?
        };
        self.write_new(names::of_album(name), rendered).await
    }

    /// Stores a video's poster in all sizes under a new key: this part of the picture, or all of it. `name` is the same as in
    /// [`Pictures::store`].
    pub async fn store_poster(&self, name: &str, crop: Option<Crop>, bytes: Vec<u8>) -> Result<StoredPicture> {
        debug_assert!(is_name(name), "{name}");
        let rendered = self.render(Some(Kind::Poster), crop, bytes).await?;
        self.write_new(names::of_video(name), rendered).await
    }

    /// Checks whether a poster would be accepted.
    pub async fn check_poster(&self, bytes: Vec<u8>) -> Result<()> {
        self.render(Some(Kind::Poster), None, bytes).await.map(|_| ())
    }

    /// Returns the fingerprint of a stored picture, or `None` if its file is missing or unreadable.
    ///
    /// # Errors
    /// Same as [`Pictures::store`], except for pictures that aren't accepted.
    pub async fn print_of(&self, key: &str) -> Result<Option<PicturePrint>> {
        if !is_uploaded(key) || !crate::links::is_plain(key) {
            return Ok(None);
        }
        let store = self.stores.of(key).await?;
        for file in files_of(key) {
            let Some(bytes) = read(store, &file).await? else { continue };
            let digest = Sha256::digest(&bytes).to_vec();
            return match self.render(None, None, bytes).await {
                Ok(rendered) => Ok(Some(print(digest, &rendered))),
                Err(Error::Picture(_)) => Ok(None),
                Err(error) => Err(error),
            };
        }
        Ok(None)
    }

    async fn render(&self, kind: Option<Kind>, crop: Option<Crop>, bytes: Vec<u8>) -> Result<Rendering> {
        // The semaphore is never closed, so a permit is always granted.
        let _turn = self.decoding.acquire().await;
        apart::decode(&self.decoder, self.job(kind, crop), bytes).await
    }

    fn job(&self, kind: Option<Kind>, crop: Option<Crop>) -> Job {
        Job { kind, crop, rules: (*self.rules).clone() }
    }

    /// Writes the files of a new picture. If one cannot be written, removes all of them.
    async fn write_new(&self, key: String, rendered: Rendering) -> Result<StoredPicture> {
        match self.stores.for_pictures()? {
            Some((group, store, pool)) => self.put(pool, (group, store), &key, &rendered).await?,
            None => {
                if let Err(error) = self.write(&key, &rendered).await {
                    remove(self.stores.root(), &key).await?;
                    return Err(error);
                }
            }
        }
        let digest = rendered.sizes.first().map_or_else(Vec::new, |(_, largest)| Sha256::digest(largest).to_vec());
        Ok(StoredPicture { key, print: print(digest, &rendered), width: rendered.width, height: rendered.height })
    }

    /// Writes the files of a key to a store. If no row names the picture later, or this node stops, the announced removal removes them.
    async fn put(&self, pool: &PgPool, (group, store): (i32, &Store), key: &str, rendered: &Rendering) -> Result<()> {
        let named_within = Duration::from_secs(60 * u64::from(self.rules.orphan_minutes));
        groups::announce(pool, key, group, named_within).await?;
        let writing = rendered.sizes.iter().map(|(width, jpeg)| {
            let path = file_of(key, *width);
            async move { store.put(&path, jpeg.as_slice()).await }
        });
        if let Err(failed) = try_join_all(writing).await {
            store.log(&failed);
            groups::discard(pool, key).await?;
            return Err(failed.into());
        }
        Ok(())
    }

    /// Writes the files of a key to the media folder durably.
    async fn write(&self, key: &str, rendered: &Rendering) -> Result<()> {
        for (width, jpeg) in &rendered.sizes {
            let path = self.stores.root().join(file_of(key, *width));
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).await.map_err(Error::at(folder))?;
            }
            let mut file = File::create(&path).await.map_err(Error::at(&path))?;
            file.write_all(jpeg).await.map_err(Error::at(&path))?;
            file.sync_all().await.map_err(Error::at(&path))?;
        }
        // Make the file names durable too.
        let path = self.stores.root().join(key);
        let folder = path.parent().unwrap_or(&path);
        File::open(folder).await.map_err(Error::at(folder))?.sync_all().await.map_err(Error::at(folder))
    }

    /// Stores the whole picture as `name` below `folder`, a private folder that only this user can read.
    pub async fn store_private(&self, folder: &Path, name: &str, bytes: Vec<u8>) -> Result<()> {
        let rendered = self.render(None, None, bytes).await?;
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).await.map_err(Error::at(folder))?;
        let file = folder.join(name);
        let (_, jpeg) = rendered.sizes.into_iter().next().ok_or(Error::Picture(RefusedPicture::Type))?;
        fs::write(&file, jpeg).await.map_err(Error::at(&file))
    }

    /// Removes the files of an unreferenced picture, or schedules that if they are in a store. Keys that aren't uploads and missing files
    /// are ignored.
    pub async fn remove(&self, key: &str) -> Result<()> {
        if let Some(pool) = self.stores.pool()
            && groups::discard(pool, key).await?
        {
            return Ok(());
        }
        remove(self.stores.root(), key).await
    }

    /// Removes all of a member's pictures from the media folder when the account is deleted. The catalog schedules the removal of those
    /// in stores.
    pub async fn remove_all(&self, user_id: i64) -> Result<()> {
        let folder = self.stores.root().join(names::MEMBERS).join(user_id.to_string());
        match fs::remove_dir_all(&folder).await {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(Error::at(&folder)(source)),
            _ => Ok(()),
        }
    }
}

fn print(digest: Vec<u8>, rendered: &Rendering) -> PicturePrint {
    let looks = rendered.looks.iter().map(|[look, ..]| *look).collect();
    PicturePrint { digest, looks, variants: rendered.looks.concat() }
}

/// Returns the paths that the files of an uploaded picture may have, largest first. There are none for other keys.
pub(crate) fn files_of(key: &str) -> Vec<String> {
    let widths = WIDTHS.iter().filter(|_| is_uploaded(key) && crate::links::is_plain(key));
    widths.map(|width| file_of(key, *width)).collect()
}

/// Reads a file of a picture, or returns `None` if it doesn't exist.
async fn read(store: &Store, path: &str) -> Result<Option<Vec<u8>>> {
    let reading = async {
        let mut bytes = Vec::new();
        store.read(path).await?.read_to_end(&mut bytes).await?;
        Ok::<_, StoreFailure>(bytes)
    };
    match reading.await {
        Err(failed) if failed.is_missing() => Ok(None),
        read => Ok(Some(read.inspect_err(|failed| store.log(failed))?)),
    }
}

/// Removes the files of an uploaded picture below the media folder `root`.
pub(crate) async fn remove(root: &Path, key: &str) -> Result<()> {
    for file in files_of(key) {
        let file = root.join(file);
        match fs::remove_file(&file).await {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => return Err(Error::at(&file)(source)),
            _ => {}
        }
    }
    Ok(())
}

/// Returns the names in a folder with their modification times. The list is empty if the folder doesn't exist.
async fn names_in(folder: &Path) -> Result<Vec<(String, SystemTime)>> {
    let mut found = Vec::new();
    let mut entries = match fs::read_dir(folder).await {
        Err(source) if source.kind() == std::io::ErrorKind::NotFound => return Ok(found),
        opened => opened.map_err(Error::at(folder))?,
    };
    while let Some(entry) = entries.next_entry().await.map_err(Error::at(folder))? {
        // Files removed in the meantime are skipped.
        let Ok(Ok(at)) = entry.metadata().await.map(|about| about.modified()) else { continue };
        found.extend(entry.file_name().into_string().ok().map(|name| (name, at)));
    }
    Ok(found)
}
