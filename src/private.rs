//! Access restrictions: files and folders that Lantern writes are accessible only to the user it runs as.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
};

use anyhow::Context;
use nix::{
    sys::stat::{Mode, umask},
    unistd::geteuid,
};

/// Permission bits for the group and for others.
const OTHERS: u32 = 0o077;

/// Sets the umask so that new files and folders are accessible to this user only.
pub fn set_umask() {
    umask(Mode::S_IRWXG | Mode::S_IRWXO);
}

/// Removes the permissions of group and others from the folder and its direct entries, including any that an earlier
/// version left open. Deeper levels are then unreachable. Entries that belong to other users, such as an operator's
/// notes, are skipped.
pub fn restrict(folder: &Path) -> anyhow::Result<()> {
    restrict_entry(folder, &fs::symlink_metadata(folder)?)?;
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        restrict_entry(&entry.path(), &entry.metadata()?)?;
    }
    Ok(())
}

fn restrict_entry(path: &Path, found: &fs::Metadata) -> anyhow::Result<()> {
    let mode = found.permissions().mode();
    if found.is_symlink() || mode & OTHERS == 0 || found.uid() != geteuid().as_raw() {
        return Ok(());
    }
    fs::set_permissions(path, Permissions::from_mode(mode & !OTHERS))
        .with_context(|| format!("can't remove permissions of others from {}", path.display()))
}
