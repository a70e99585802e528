//! Room on the disks that Lantern writes to.

use std::path::Path;

use nix::sys::statvfs::statvfs;

/// The file system below a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disk {
    /// Its size in bytes.
    pub size: u64,
    /// Bytes that may still be written.
    pub free: u64,
}

impl Disk {
    /// Asks the system about the file system that holds `folder`; `None` where there is no such folder.
    pub fn of(folder: &Path) -> Option<Self> {
        let found = statvfs(folder).ok()?;
        let block = found.fragment_size();
        Some(Self { size: found.blocks() * block, free: found.blocks_available() * block })
    }
}

#[cfg(test)]
mod tests {
    use super::Disk;

    #[test]
    fn a_folder_has_room_and_a_missing_one_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::of(folder.path()).unwrap();
        assert!(disk.free > 0 && disk.free <= disk.size, "{disk:?}");
        assert_eq!(Disk::of(&folder.path().join("missing")), None);
    }
}
