//! Keeps uploaded files as originals, from which films can be encoded anew.

use std::{
    fs::{self, OpenOptions},
    io,
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use lantern_catalog::{films::Film, originals::NewOriginal, queue::Job};
use lantern_config::KeepOriginal;
use tokio::task::spawn_blocking;

use super::{Failure, Worker, placing::Placed, sweep::unfinished};
use crate::Error;

/// Folder of originals below the media folder, and in other stores.
pub(super) const FOLDER: &str = "originals";
/// Name of an original in its folder. Files without an extension are never served.
pub(super) const NAME: &str = "original";

impl Worker {
    /// Puts an uploaded file in a folder of its own if it is to be kept. The upload keeps its file.
    pub(super) async fn place_original(
        &self,
        job: &Job,
        film: &Film,
        sha256: &[u8],
    ) -> Result<Option<Placed>, Failure> {
        if self.settings.keep_original == KeepOriginal::Never {
            return Ok(None);
        }
        let folder = unfinished(&self.films(), job).await?;
        let (from, to) = (self.incoming.path(&film.token), folder.path().join(NAME));
        let path = to.clone();
        let linking = spawn_blocking(move || link_or_copy(&from, &to)).await;
        let is_linked = linking.map_err(io::Error::other).and_then(|linked| linked).map_err(Error::at(&path))?;
        let placed = self.place(&folder, FOLDER, self.storage.originals).await?;
        if !is_linked {
            self.check_copy(&placed, film, sha256).await?;
        }
        Ok(Some(placed))
    }

    /// Compares a copy with the uploaded file, which is removed soon.
    async fn check_copy(&self, copy: &Placed, film: &Film, sha256: &[u8]) -> Result<(), Failure> {
        let later = |error: String| Failure::Later(format!("can't keep the original: {error}"));
        let store = self.stores.group(copy.group).map_err(|error| later(error.to_string()))?;
        let seal = store.seal(&format!("{}/{NAME}", copy.key)).await.map_err(|error| later(error.to_string()))?;
        if seal.is_of(film.size_bytes, sha256) {
            return Ok(());
        }
        self.discard(copy).await?;
        Err(later(format!("its copy was read back with {} bytes or other content", seal.length)))
    }

    /// Returns what the catalog needs to know about an original.
    pub(super) fn new_original<'a>(&self, placed: Option<&'a Placed>, film: &Film) -> Option<NewOriginal<'a>> {
        placed.map(|placed| NewOriginal {
            key: &placed.key,
            home: placed.group,
            size_bytes: film.size_bytes,
            until_approved: self.settings.keep_original == KeepOriginal::UntilApproved,
            group: self.storage.originals,
        })
    }
}

/// Gives a file a second name, or copies it if the system can't do that, as between disks. Returns whether it is the same file.
fn link_or_copy(from: &Path, to: &Path) -> io::Result<bool> {
    if fs::hard_link(from, to).is_ok() {
        return Ok(true);
    }
    let mut writing = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to)?;
    io::copy(&mut fs::File::open(from)?, &mut writing)?;
    Ok(false)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    #[test]
    fn file_is_linked_or_copied_for_this_user_alone() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link, other] = ["file", "link", "other"].map(|name| folder.path().join(name));
        fs::write(&file, "a film").unwrap();
        assert!(link_or_copy(&file, &link).unwrap());
        assert_eq!(fs::metadata(&link).unwrap().ino(), fs::metadata(&file).unwrap().ino());
        // `/proc` is another file system.
        assert!(!link_or_copy(Path::new("/proc/self/comm"), &other).unwrap());
        assert_eq!(fs::read(&other).unwrap(), fs::read("/proc/self/comm").unwrap());
        assert_eq!(fs::metadata(&other).unwrap().mode() & 0o777, 0o600);
        assert!(link_or_copy(&folder.path().join("none"), &folder.path().join("new")).is_err());
    }
}
