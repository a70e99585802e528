//! Dropping of root privileges. This happens before any port is opened, and it hands the data over to an unprivileged
//! user.

use std::{
    fs, io,
    os::unix::fs::{DirBuilderExt, MetadataExt, lchown},
    path::{Path, PathBuf},
};

use anyhow::{Context, bail, ensure};
use lantern_catalog::cluster::SystemUser;
use lantern_config::{Config, DataDir};
use nix::unistd::{Gid, Uid, User, geteuid, setegid, seteuid, setgid, setgroups, setuid};

/// Entries by which a data folder is recognized, as opposed to a folder named by mistake.
const MARKS: [&str; 3] = ["lock", "postgres", "secret.key"];
/// Folders in a media folder that Lantern writes to. Everything else there belongs to the operator.
const MEDIA: [&str; 3] = ["demo", "members", "films"];
/// Folder in a storage group that Lantern writes to.
const FILMS: &str = "films";

/// The user to switch to.
struct Target {
    uid: Uid,
    gid: Gid,
}

impl Target {
    fn name(&self) -> String {
        let known = User::from_uid(self.uid).ok().flatten();
        known.map_or_else(|| format!("of id {}", self.uid), |user| format!("`{}`", user.name))
    }
}

/// Drops root privileges permanently if the program was started as root. Call this before starting threads or processes
/// or opening ports.
///
/// # Errors
/// There is no suitable user, or that user can't access the folders. The message says how to fix it.
pub fn drop_root(config: &mut Config) -> anyhow::Result<()> {
    if !geteuid().is_root() {
        return Ok(());
    }
    let data = std::path::absolute(&config.data_dir)?;
    let target = choose(&config.security.user, &data)?;
    // Root's supplementary groups are dropped too.
    setgroups(&[]).with_context(|| format!("root can't switch to the user {} here", target.name()))?;
    config.data_dir = prepare(&data, &target, "--data-dir")?;
    hand_over_data(&config.data_dir, &target)?;
    if !config.media.folder.is_empty() {
        let media = prepare(&std::path::absolute(&config.media.folder)?, &target, "media.folder")?;
        for name in MEDIA {
            hand_over(&media.join(name), &target).with_context(|| media.display().to_string())?;
        }
        lchown(&media, Some(target.uid.as_raw()), Some(target.gid.as_raw()))?;
        config.media.folder = media.to_str().context("media.folder is not UTF-8")?.to_owned();
    }
    if !config.uploads.folder.is_empty() {
        let uploads = prepare(&std::path::absolute(&config.uploads.folder)?, &target, "uploads.folder")?;
        lchown(&uploads, Some(target.uid.as_raw()), Some(target.gid.as_raw()))?;
        config.uploads.folder = uploads.to_str().context("uploads.folder is not UTF-8")?.to_owned();
    }
    for group in config.storage.groups.values_mut().filter(|group| !group.folder.is_empty()) {
        let films = prepare(&std::path::absolute(&group.folder)?, &target, "storage.groups")?;
        hand_over(&films.join(FILMS), &target).with_context(|| films.display().to_string())?;
        lchown(&films, Some(target.uid.as_raw()), Some(target.gid.as_raw()))?;
        group.folder = films.to_str().context("storage.groups: a folder is not UTF-8")?.to_owned();
    }
    setgid(target.gid).with_context(|| format!("root can't switch to the user {} here", target.name()))?;
    setuid(target.uid).with_context(|| format!("root can't switch to the user {} here", target.name()))?;
    ensure!(seteuid(Uid::from_raw(0)).is_err(), "root privileges could not be dropped permanently");
    ensure_temporary_folder(&config.data_dir)
}

/// Chooses the configured user, otherwise the owner of the existing data, otherwise the user that Postgres runs as
/// under root.
fn choose(wanted: &str, data: &Path) -> anyhow::Result<Target> {
    if !wanted.is_empty() {
        let user = User::from_name(wanted)?
            .with_context(|| format!("security.user is {wanted:?}, and this system has no such user"))?;
        ensure!(!user.uid.is_root(), "security.user is root; name an ordinary user, or leave it empty");
        return Ok(Target { uid: user.uid, gid: user.gid });
    }
    if let Ok(found) = fs::metadata(data)
        && found.uid() != 0
    {
        let uid = Uid::from_raw(found.uid());
        // A user who isn't in the user database gets the group that has the same id.
        let gid = User::from_uid(uid)?.map_or_else(|| Gid::from_raw(found.uid()), |user| user.gid);
        return Ok(Target { uid, gid });
    }
    let account = SystemUser::for_folder(&DataDir::new(data).postgres())?;
    let (uid, gid) = account.ids().context("no user to switch to")?;
    Ok(Target { uid, gid })
}

/// Creates the folder if it is missing, after checking that the user can reach it.
fn prepare(path: &Path, target: &Target, key: &str) -> anyhow::Result<PathBuf> {
    if let Some(barrier) = barrier(path, target)? {
        bail!(
            "started as root, Lantern switches to the user {}, who may not enter {}: name another folder with {key}, such as \
             /var/lib/lantern, or start Lantern as an ordinary user",
            target.name(),
            barrier.display()
        );
    }
    fs::DirBuilder::new()
        .recursive(true)
        // These are parent folders, which the user must be able to traverse.
        .mode(0o755)
        .create(path)
        .with_context(|| format!("can't create the folder {}", path.display()))?;
    Ok(fs::canonicalize(path)?)
}

/// Returns the first ancestor of `path` that the user may not enter.
fn barrier(path: &Path, target: &Target) -> anyhow::Result<Option<PathBuf>> {
    let mut ancestors: Vec<&Path> = path.ancestors().skip(1).collect();
    ancestors.reverse();
    setegid(target.gid)?;
    seteuid(target.uid)?;
    let denied = |folder: &&&Path| matches!(fs::metadata(folder.join(".")), Err(error) if error.kind() == io::ErrorKind::PermissionDenied);
    let barrier = ancestors.iter().find(denied).map(|folder| folder.to_path_buf());
    seteuid(Uid::from_raw(0))?;
    setegid(Gid::from_raw(0))?;
    Ok(barrier)
}

fn hand_over_data(data: &Path, target: &Target) -> anyhow::Result<()> {
    if fs::metadata(data)?.uid() == target.uid.as_raw() {
        return Ok(());
    }
    let empty = fs::read_dir(data)?.next().is_none();
    ensure!(
        empty || MARKS.iter().any(|mark| data.join(mark).exists()),
        "{} holds files that aren't Lantern's, so root doesn't hand it over to the user {}: name an empty folder with --data-dir",
        data.display(),
        target.name()
    );
    hand_over(data, target).with_context(|| format!("can't hand {} over to the user {}", data.display(), target.name()))
}

/// Changes the owner of the path and everything below it. The contents of a folder are changed before the folder
/// itself, so a folder that belongs to the user is complete. The next start skips it and resumes where this one was
/// interrupted. Links are not followed.
fn hand_over(path: &Path, target: &Target) -> io::Result<()> {
    let found = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    if found.uid() == target.uid.as_raw() {
        return Ok(());
    }
    if found.is_dir() {
        for entry in fs::read_dir(path)? {
            hand_over(&entry?.path(), target)?;
        }
    }
    lchown(path, Some(target.uid.as_raw()), Some(target.gid.as_raw()))
}

/// Moves temporary files to the data folder if the user can't write to root's `TMPDIR`.
fn ensure_temporary_folder(data: &Path) -> anyhow::Result<()> {
    if tempfile::tempfile().is_ok() {
        return Ok(());
    }
    let own = DataDir::new(data).temporary();
    fs::create_dir_all(&own).with_context(|| own.display().to_string())?;
    let earlier = tempfile::env::override_temp_dir(&own);
    earlier.map_err(|other| anyhow::anyhow!("the folder for temporary files is already set to {}", other.display()))
}
