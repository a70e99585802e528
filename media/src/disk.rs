//! Disk space on the file systems to which Lantern writes.

use std::path::Path;

use nix::sys::statvfs::statvfs;

/// Size and free space of a file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disk {
    /// Size in bytes.
    pub size: u64,
    /// Free space in bytes that is available to unprivileged users.
    pub free: u64,
}

impl Disk {
    /// Queries the file system that holds `folder`. Returns `None` if the folder doesn't exist.
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
    fn reports_space_of_existing_folders_only() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::of(folder.path()).unwrap();
        assert!(disk.free > 0 && disk.free <= disk.size, "{disk:?}");
        assert_eq!(Disk::of(&folder.path().join("missing")), None);
    }
}
