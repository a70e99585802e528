//! Pictures members upload: checked, decoded, cropped and written anew, so that nothing of the file itself is stored.
//!
//! A file says how large it will be before it is decoded; what is too large is refused there, however small the file is.
//! What is stored is the picture alone: no metadata, no second frame, nothing appended. Files are JPEG under a name that is
//! never used twice, so browsers may store them for ever.

mod apart;
mod render;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use lantern_config::Pictures as Rules;
use serde::{Deserialize, Serialize};
use tokio::{fs, sync::Semaphore};

use crate::{Error, Result};
pub use apart::{COMMAND, Decoder, run};
pub use render::{Refused, Shape};

/// Folder of all of them below the media folder.
const FOLDER: &str = "members";
/// Digits of a picture's name.
const NAME_DIGITS: usize = 24;

/// Which of a member's pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// Square, beside the name.
    Avatar,
    /// Five times as wide as high, above the profile.
    Cover,
}

impl Kind {
    /// Widths it is stored in, the largest first.
    #[must_use]
    pub const fn widths(self) -> &'static [u32] {
        match self {
            Self::Avatar => &[640, 320],
            Self::Cover => &[1250, 640],
        }
    }
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

    /// Writes the picture in its sizes under a new key, `members/{user_id}/{name}`, with `name` 24 hexadecimal digits that
    /// the caller makes of random bytes.
    ///
    /// # Errors
    /// [`Error::Picture`] for what is not accepted, [`Error::Io`] when the disk refuses.
    pub async fn store(&self, kind: Kind, user_id: i64, name: &str, bytes: Vec<u8>) -> Result<String> {
        debug_assert!(is_name(name), "{name}");
        let sizes = {
            // Never closed, so there is always a permit in the end.
            let _turn = self.decoding.acquire().await;
            apart::decode(&self.decoder, Some(kind), &self.rules, bytes).await?
        };
        let key = format!("{FOLDER}/{user_id}/{name}");
        let folder = self.root.join(FOLDER).join(user_id.to_string());
        fs::create_dir_all(&folder).await.map_err(Error::at(&folder))?;
        for (width, jpeg) in sizes {
            let file = self.root.join(file_of(&key, width));
            fs::write(&file, jpeg).await.map_err(Error::at(&file))?;
        }
        Ok(key)
    }

    /// Writes the whole picture as `name` below `folder`, which is no folder of ours that anybody may read: only this user
    /// gets at it.
    ///
    /// # Errors
    /// As [`Pictures::store`].
    pub async fn store_private(&self, folder: &Path, name: &str, bytes: Vec<u8>) -> Result<()> {
        let sizes = {
            let _turn = self.decoding.acquire().await;
            apart::decode(&self.decoder, None, &self.rules, bytes).await?
        };
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).await.map_err(Error::at(folder))?;
        let file = folder.join(name);
        let (_, jpeg) = sizes.into_iter().next().ok_or(Error::Picture(Refused::Type))?;
        fs::write(&file, jpeg).await.map_err(Error::at(&file))
    }

    /// Removes the files of a picture nobody refers to any more. A key that is no member's picture is left alone, and so is
    /// a file that is gone already.
    ///
    /// # Errors
    /// [`Error::Io`] when a file can't be removed.
    pub async fn remove(&self, key: &str) -> Result<()> {
        if !is_members(key) || !crate::links::is_plain(key) {
            return Ok(());
        }
        for width in [Kind::Avatar, Kind::Cover].into_iter().flat_map(Kind::widths) {
            let file = self.root.join(file_of(key, *width));
            match fs::remove_file(&file).await {
                Err(source) if source.kind() != std::io::ErrorKind::NotFound => return Err(Error::at(&file)(source)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Members who have a folder of pictures, in no order.
    ///
    /// # Errors
    /// [`Error::Io`] when the folders can't be read.
    pub async fn members(&self) -> Result<Vec<i64>> {
        let folder = self.root.join(FOLDER);
        let names = names_in(&folder).await?;
        Ok(names.into_iter().filter_map(|(name, _)| name.parse().ok()).collect())
    }

    /// Keys of a member's pictures that were written before `before`, the last of their files too.
    ///
    /// # Errors
    /// [`Error::Io`] when the folder can't be read.
    pub async fn older_than(&self, user_id: i64, before: SystemTime) -> Result<Vec<String>> {
        let folder = self.root.join(FOLDER).join(user_id.to_string());
        let mut written = BTreeMap::new();
        for (file, at) in names_in(&folder).await? {
            let path = format!("{FOLDER}/{user_id}/{file}");
            if let Some((key, _)) = path.rsplit_once('-').filter(|_| is_file(&path)) {
                let last = written.entry(key.to_owned()).or_insert(at);
                *last = at.max(*last);
            }
        }
        Ok(written.into_iter().filter(|(_, at)| *at <= before).map(|(key, _)| key).collect())
    }

    /// Removes every picture of a member whose account ends.
    ///
    /// # Errors
    /// [`Error::Io`] when the folder can't be removed.
    pub async fn remove_all(&self, user_id: i64) -> Result<()> {
        let folder = self.root.join(FOLDER).join(user_id.to_string());
        match fs::remove_dir_all(&folder).await {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(Error::at(&folder)(source)),
            _ => Ok(()),
        }
    }
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

/// Whether a media key is that of a member's own picture; all others are ours.
#[must_use]
pub fn is_members(key: &str) -> bool {
    key.split('/').next() == Some(FOLDER)
}

/// The file of a member's picture in a width, below the media folder.
#[must_use]
pub fn file_of(key: &str, width: u32) -> String {
    format!("{key}-{width}.jpg")
}

/// Whether a path below the media folder is a file of such a picture.
pub(crate) fn is_file(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let [FOLDER, user, file] = parts[..] else { return false };
    let Some((name, width)) = file.strip_suffix(".jpg").and_then(|stem| stem.split_once('-')) else { return false };
    let kinds = [Kind::Avatar, Kind::Cover];
    let known = kinds.into_iter().flat_map(Kind::widths).any(|known| known.to_string() == width);
    user.bytes().all(|byte| byte.is_ascii_digit()) && is_name(name) && known
}

fn is_name(name: &str) -> bool {
    name.len() == NAME_DIGITS && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
