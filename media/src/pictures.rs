//! Pictures that members upload or that are imported from other systems. They are checked, decoded and encoded again, so that nothing from
//! the original file is stored.
//!
//! A file's declared dimensions are checked before decoding. Pictures that are too large are refused at that point, however small the file
//! is. So are incomplete ones. Only the picture is stored, in sRGB, without metadata, further frames or appended data. Files are JPEGs whose
//! names are never reused, so browsers can cache them forever.

mod addresses;
mod apart;
mod cmyk;
mod colors;
mod decode;
mod look;
mod names;
mod render;
mod spool;
mod sweep;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use lantern_catalog::prints::PicturePrint;
use lantern_config::Pictures as Rules;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::{
    fs::{self, File},
    io::AsyncWriteExt,
    sync::Semaphore,
};

use self::{apart::Rendering, names::is_name};
use crate::{Error, Result};
pub(crate) use names::is_file;
pub use {
    addresses::{avatar, cover, large_picture, largest_picture, picture, shots, sized},
    apart::{COMMAND, Decoder, run},
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

/// A picture on disk.
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
    root: PathBuf,
    rules: Arc<Rules>,
    decoder: Decoder,
    decoding: Arc<Semaphore>,
}

impl Pictures {
    /// Stores pictures below the media folder `root`.
    #[must_use]
    pub fn new(root: PathBuf, rules: Rules, decoder: Decoder) -> Self {
        let decoding = Arc::new(Semaphore::new(rules.concurrency));
        Self { root, rules: Arc::new(rules), decoder, decoding }
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
    /// Returns [`Error::Picture`] if the picture isn't accepted, [`Error::TimedOut`] if the machine is too busy, and [`Error::Io`] if a
    /// file cannot be written.
    pub async fn store(&self, kind: Kind, user_id: i64, name: &str, bytes: Vec<u8>) -> Result<StoredPicture> {
        debug_assert!(is_name(name), "{name}");
        let rendered = self.render(Some(kind), bytes).await?;
        self.write_new(names::of_member(user_id, name), rendered).await
    }

    /// Stores an album photo in all sizes under a new key. `name` is the same as in [`Pictures::store`].
    pub async fn store_photo(&self, name: &str, sent: Spool) -> Result<StoredPicture> {
        debug_assert!(is_name(name), "{name}");
        let rendered = {
            // Pictures stay on disk while they wait.
            let _turn = self.decoding.acquire().await;
            apart::decode(&self.decoder, Some(Kind::Photo), &self.rules, sent.read().await?).await?
        };
        self.write_new(names::of_album(name), rendered).await
    }

    /// Stores a video's poster in all sizes under a new key. `name` is the same as in [`Pictures::store`].
    pub async fn store_poster(&self, name: &str, bytes: Vec<u8>) -> Result<StoredPicture> {
        debug_assert!(is_name(name), "{name}");
        let rendered = self.render(Some(Kind::Poster), bytes).await?;
        self.write_new(names::of_video(name), rendered).await
    }

    /// Checks whether a poster would be accepted.
    pub async fn check_poster(&self, bytes: Vec<u8>) -> Result<()> {
        self.render(Some(Kind::Poster), bytes).await.map(|_| ())
    }

    /// Returns the fingerprint of a stored picture, or `None` if its file is missing or unreadable.
    ///
    /// # Errors
    /// Same as [`Pictures::store`], except for pictures that aren't accepted.
    pub async fn print_of(&self, key: &str) -> Result<Option<PicturePrint>> {
        if !is_uploaded(key) || !crate::links::is_plain(key) {
            return Ok(None);
        }
        for width in WIDTHS {
            let file = self.root.join(file_of(key, width));
            let bytes = match fs::read(&file).await {
                Err(source) if source.kind() == std::io::ErrorKind::NotFound => continue,
                read => read.map_err(Error::at(&file))?,
            };
            let digest = Sha256::digest(&bytes).to_vec();
            return match self.render(None, bytes).await {
                Ok(rendered) => Ok(Some(print(digest, &rendered))),
                Err(Error::Picture(_)) => Ok(None),
                Err(error) => Err(error),
            };
        }
        Ok(None)
    }

    async fn render(&self, kind: Option<Kind>, bytes: Vec<u8>) -> Result<Rendering> {
        // The semaphore is never closed, so a permit is always granted.
        let _turn = self.decoding.acquire().await;
        apart::decode(&self.decoder, kind, &self.rules, bytes).await
    }

    /// Writes the files of a new picture. If one cannot be written, removes all of them.
    async fn write_new(&self, key: String, rendered: Rendering) -> Result<StoredPicture> {
        if let Err(error) = self.write(&key, &rendered).await {
            self.remove(&key).await?;
            return Err(error);
        }
        let digest = rendered.sizes.first().map_or_else(Vec::new, |(_, largest)| Sha256::digest(largest).to_vec());
        Ok(StoredPicture { key, print: print(digest, &rendered), width: rendered.width, height: rendered.height })
    }

    /// Writes the files of a key durably.
    async fn write(&self, key: &str, rendered: &Rendering) -> Result<()> {
        for (width, jpeg) in &rendered.sizes {
            let path = self.root.join(file_of(key, *width));
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).await.map_err(Error::at(folder))?;
            }
            let mut file = File::create(&path).await.map_err(Error::at(&path))?;
            file.write_all(jpeg).await.map_err(Error::at(&path))?;
            file.sync_all().await.map_err(Error::at(&path))?;
        }
        // Make the file names durable too.
        let folder = self.root.join(key).parent().map_or_else(|| self.root.clone(), Path::to_path_buf);
        File::open(&folder).await.map_err(Error::at(&folder))?.sync_all().await.map_err(Error::at(&folder))
    }

    /// Stores the whole picture as `name` below `folder`, a private folder that only this user can read.
    pub async fn store_private(&self, folder: &Path, name: &str, bytes: Vec<u8>) -> Result<()> {
        let rendered = self.render(None, bytes).await?;
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).await.map_err(Error::at(folder))?;
        let file = folder.join(name);
        let (_, jpeg) = rendered.sizes.into_iter().next().ok_or(Error::Picture(RefusedPicture::Type))?;
        fs::write(&file, jpeg).await.map_err(Error::at(&file))
    }

    /// Removes the files of an unreferenced picture. Keys that aren't uploads and missing files are ignored.
    pub async fn remove(&self, key: &str) -> Result<()> {
        remove(&self.root, key).await
    }

    /// Removes all of a member's pictures when the account is deleted.
    pub async fn remove_all(&self, user_id: i64) -> Result<()> {
        let folder = self.root.join(names::MEMBERS).join(user_id.to_string());
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

/// Removes the files of an uploaded picture below the media folder `root`, like [`Pictures::remove`].
pub(crate) async fn remove(root: &Path, key: &str) -> Result<()> {
    if !is_uploaded(key) || !crate::links::is_plain(key) {
        return Ok(());
    }
    for width in WIDTHS {
        let file = root.join(file_of(key, width));
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
