//! Pictures members upload and lines of other systems bring: checked, decoded and written anew, so that nothing of the file itself is stored.
//!
//! A file says how large it will be before it is decoded; what is too large is refused there, however small the file is.
//! What is stored is the picture alone: no metadata, no second frame, nothing appended. Files are JPEG under a name that is
//! never used twice, so browsers may store them for ever.

mod apart;
mod look;
mod names;
mod render;
mod spool;

use std::{
    collections::BTreeMap,
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
    apart::{COMMAND, Decoder, run},
    names::{file_of, is_members, is_uploaded},
    render::{PICTURE_TYPES, RefusedPicture, Shape},
    spool::Spool,
};

/// What a picture is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// Square, beside the name.
    Avatar,
    /// Five times as wide as high, above the profile.
    Cover,
    /// One of an album, of any shape.
    Photo,
    /// Of a video whose film isn't here, in the shape of a film's.
    Poster,
}

impl Kind {
    /// Widths it is stored in, the largest first.
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

/// Every width that some kind is stored in.
const WIDTHS: [u32; 5] = [1600, 1280, 1250, 640, 320];

/// A picture that is on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPicture {
    /// Stem of its files.
    pub key: String,
    /// What it is known by.
    pub print: PicturePrint,
    /// Pixels of the picture as it was sent, upright.
    pub width: u32,
    /// Pixels of the picture as it was sent, upright.
    pub height: u32,
}

/// Takes pictures in, a few at a time.
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

    /// What is accepted.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Writes a member's picture in its sizes under a new key, with `name` 24 hexadecimal digits that the caller makes of random
    /// bytes.
    ///
    /// # Errors
    /// [`Error::Picture`] for what is not accepted, [`Error::TimedOut`] when the machine is too busy, [`Error::Io`] when the disk refuses.
    pub async fn store(&self, kind: Kind, user_id: i64, name: &str, bytes: Vec<u8>) -> Result<StoredPicture> {
        debug_assert!(is_name(name), "{name}");
        let rendered = self.render(Some(kind), bytes).await?;
        self.write_new(names::of_member(user_id, name), rendered).await
    }

    /// Writes a picture of an album in its sizes under a new key, with `name` as for [`Pictures::store`].
    pub async fn store_photo(&self, name: &str, sent: Spool) -> Result<StoredPicture> {
        debug_assert!(is_name(name), "{name}");
        let rendered = {
            // Those that wait for their turn are on the disk.
            let _turn = self.decoding.acquire().await;
            apart::decode(&self.decoder, Some(Kind::Photo), &self.rules, sent.read().await?).await?
        };
        self.write_new(names::of_album(name), rendered).await
    }

    /// Writes the picture of a video in its sizes under a new key, with `name` as for [`Pictures::store`].
    pub async fn store_poster(&self, name: &str, bytes: Vec<u8>) -> Result<StoredPicture> {
        debug_assert!(is_name(name), "{name}");
        let rendered = self.render(Some(Kind::Poster), bytes).await?;
        self.write_new(names::of_video(name), rendered).await
    }

    /// Sees whether a picture of a video would be accepted.
    pub async fn check_poster(&self, bytes: Vec<u8>) -> Result<()> {
        self.render(Some(Kind::Poster), bytes).await.map(|_| ())
    }

    /// What a picture that is stored already is known by. `None` where its file is gone or can't be read.
    ///
    /// # Errors
    /// As [`Pictures::store`], but for pictures that are not accepted.
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
        // Never closed, so there is always a permit in the end.
        let _turn = self.decoding.acquire().await;
        apart::decode(&self.decoder, kind, &self.rules, bytes).await
    }

    /// Writes the files of a new picture; nothing is left of one that can't be written.
    async fn write_new(&self, key: String, rendered: Rendering) -> Result<StoredPicture> {
        if let Err(error) = self.write(&key, &rendered).await {
            self.remove(&key).await?;
            return Err(error);
        }
        let digest = rendered.sizes.first().map_or_else(Vec::new, |(_, largest)| Sha256::digest(largest).to_vec());
        Ok(StoredPicture { key, print: print(digest, &rendered), width: rendered.width, height: rendered.height })
    }

    /// Writes the files of a key, so that they outlast the machine.
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
        // Their names, too.
        let folder = self.root.join(key).parent().map_or_else(|| self.root.clone(), Path::to_path_buf);
        File::open(&folder).await.map_err(Error::at(&folder))?.sync_all().await.map_err(Error::at(&folder))
    }

    /// Writes the whole picture as `name` below `folder`, which is no folder of ours that anybody may read: only this user
    /// gets at it.
    pub async fn store_private(&self, folder: &Path, name: &str, bytes: Vec<u8>) -> Result<()> {
        let rendered = self.render(None, bytes).await?;
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).await.map_err(Error::at(folder))?;
        let file = folder.join(name);
        let (_, jpeg) = rendered.sizes.into_iter().next().ok_or(Error::Picture(RefusedPicture::Type))?;
        fs::write(&file, jpeg).await.map_err(Error::at(&file))
    }

    /// Removes the files of a picture nobody refers to any more. A key that nobody uploaded is left alone, and so is a file that is
    /// gone already.
    pub async fn remove(&self, key: &str) -> Result<()> {
        remove(&self.root, key).await
    }

    /// Members who have a folder of pictures, in no order.
    pub async fn members(&self) -> Result<Vec<i64>> {
        let names = names_in(&self.root.join(names::MEMBERS)).await?;
        Ok(names.into_iter().filter_map(|(name, _)| name.parse().ok()).collect())
    }

    /// Keys of a member's pictures that were written before `before`, the last of their files too.
    pub async fn older_than(&self, user_id: i64, before: SystemTime) -> Result<Vec<String>> {
        self.old_in(&format!("{}/{user_id}", names::MEMBERS), before).await
    }

    /// Folders that pictures of albums and of videos are spread over, in no order.
    pub async fn shards(&self) -> Result<Vec<String>> {
        let mut shards = Vec::new();
        for top in [names::ALBUMS, names::VIDEOS] {
            let names = names_in(&self.root.join(top)).await?.into_iter().map(|(name, _)| name);
            shards.extend(names.filter(|name| names::is_shard(name)).map(|name| format!("{top}/{name}")));
        }
        Ok(shards)
    }

    /// Keys in one of [`Pictures::shards`] that were written before `before`, the last of their files too.
    pub async fn old_in(&self, folder: &str, before: SystemTime) -> Result<Vec<String>> {
        let mut written = BTreeMap::new();
        for (file, at) in names_in(&self.root.join(folder)).await? {
            let path = format!("{folder}/{file}");
            if let Some((key, _)) = path.rsplit_once('-').filter(|_| is_file(&path)) {
                let last = written.entry(key.to_owned()).or_insert(at);
                *last = at.max(*last);
            }
        }
        Ok(written.into_iter().filter(|(_, at)| *at <= before).map(|(key, _)| key).collect())
    }

    /// Removes every picture of a member whose account ends.
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

/// Removes the files of an uploaded picture below the media folder `root`, as [`Pictures::remove`] does.
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

/// Names in a folder and when each was last written; none in a folder that isn't there.
async fn names_in(folder: &Path) -> Result<Vec<(String, SystemTime)>> {
    let mut found = Vec::new();
    let mut entries = match fs::read_dir(folder).await {
        Err(source) if source.kind() == std::io::ErrorKind::NotFound => return Ok(found),
        opened => opened.map_err(Error::at(folder))?,
    };
    while let Some(entry) = entries.next_entry().await.map_err(Error::at(folder))? {
        // What vanishes meanwhile needs no look.
        let Ok(Ok(at)) = entry.metadata().await.map(|about| about.modified()) else { continue };
        found.extend(entry.file_name().into_string().ok().map(|name| (name, at)));
    }
    Ok(found)
}
