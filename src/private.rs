//! What Lantern writes is for its user alone.

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

/// Rights of the group and of everybody else.
const OTHERS: u32 = 0o077;

/// From here on, files and folders that this process makes are for its user alone.
pub fn begin() {
    umask(Mode::S_IRWXG | Mode::S_IRWXO);
}

/// Takes the folder and what lies directly in it from everybody else, also what an earlier version left open. Below its folders
/// nobody gets anyway. What belongs to somebody else, such as an operator's notes, is left alone.
pub fn close(folder: &Path) -> anyhow::Result<()> {
    shut(folder, &fs::symlink_metadata(folder)?)?;
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        shut(&entry.path(), &entry.metadata()?)?;
    }
    Ok(())
}

fn shut(path: &Path, found: &fs::Metadata) -> anyhow::Result<()> {
    let mode = found.permissions().mode();
    if found.is_symlink() || mode & OTHERS == 0 || found.uid() != geteuid().as_raw() {
        return Ok(());
    }
    fs::set_permissions(path, Permissions::from_mode(mode & !OTHERS))
        .with_context(|| format!("{} can't be closed to others", path.display()))
}
