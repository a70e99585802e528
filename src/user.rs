//! Started as root, Lantern goes on as a user who is nobody special: before it opens a port, with what it writes handed over.

use std::{
    fs, io,
    os::unix::fs::{DirBuilderExt, MetadataExt, lchown},
    path::{Path, PathBuf},
};

use anyhow::{Context, bail, ensure};
use lantern_catalog::cluster::SystemUser;
use lantern_config::{Config, DataDir};
use nix::unistd::{Gid, Uid, User, geteuid, setegid, seteuid, setgid, setgroups, setuid};

/// What tells a data folder from another folder that somebody named by mistake.
const MARKS: [&str; 3] = ["lock", "postgres", "secret.key"];
/// What Lantern itself writes in a media folder, where everything else is its operator's.
const MEDIA: [&str; 3] = ["demo", "members", "films"];
/// And in the folder of a storage group.
const FILMS: &str = "films";

/// Who to go on as.
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

/// Becomes somebody else when we are root, for good. Called before there are threads, ports or other processes.
///
/// # Errors
/// There is nobody to become, or he can't get at the folders; each in a sentence with a way out.
pub fn leave_root(config: &mut Config) -> anyhow::Result<()> {
    if !geteuid().is_root() {
        return Ok(());
    }
    let data = std::path::absolute(&config.data_dir)?;
    let target = choose(&config.security.user, &data)?;
    // None of root's groups either.
    setgroups(&[]).with_context(|| format!("root can't become the user {} here", target.name()))?;
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
    setgid(target.gid).with_context(|| format!("root can't become the user {} here", target.name()))?;
    setuid(target.uid).with_context(|| format!("root can't become the user {} here", target.name()))?;
    ensure!(seteuid(Uid::from_raw(0)).is_err(), "root's rights could not be given up for good");
    keep_temporary_files(&config.data_dir)
}

/// The configured user, else the owner of what is there, else the one that Postgres takes when root starts it.
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
        // Who is in no list of users has a group of the same number.
        let gid = User::from_uid(uid)?.map_or_else(|| Gid::from_raw(found.uid()), |user| user.gid);
        return Ok(Target { uid, gid });
    }
    let account = SystemUser::for_folder(&DataDir::new(data).postgres())?;
    let (uid, gid) = account.ids().context("there is no user to become")?;
    Ok(Target { uid, gid })
}

/// Makes the folder unless it is there, once it is known that the user can get to it.
fn prepare(path: &Path, target: &Target, key: &str) -> anyhow::Result<PathBuf> {
    if let Some(barrier) = barrier(path, target)? {
        bail!(
            "started as root, Lantern goes on as the user {}, who may not enter {}: name a folder elsewhere with {key}, such as \
             /var/lib/lantern, or start Lantern as an ordinary user",
            target.name(),
            barrier.display()
        );
    }
    fs::DirBuilder::new()
        .recursive(true)
        // Folders on the way, which the user passes.
        .mode(0o755)
        .create(path)
        .with_context(|| format!("the folder {} can't be created", path.display()))?;
    Ok(fs::canonicalize(path)?)
}

/// The first folder on the way to `path` that the user may not enter.
fn barrier(path: &Path, target: &Target) -> anyhow::Result<Option<PathBuf>> {
    let mut way: Vec<&Path> = path.ancestors().skip(1).collect();
    way.reverse();
    setegid(target.gid)?;
    seteuid(target.uid)?;
    let denied = |folder: &&&Path| matches!(fs::metadata(folder.join(".")), Err(error) if error.kind() == io::ErrorKind::PermissionDenied);
    let barrier = way.iter().find(denied).map(|folder| folder.to_path_buf());
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
    hand_over(data, target).with_context(|| format!("{} can't be handed to the user {}", data.display(), target.name()))
}

/// Gives the path and all below it to the user, a folder after what is in it: what belongs to the user is done, so the next start
/// doesn't look into it, and goes on where this one was interrupted. Links aren't followed.
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

/// Root's `TMPDIR` may be closed to the user; then temporary files are kept beside the data.
fn keep_temporary_files(data: &Path) -> anyhow::Result<()> {
    if tempfile::tempfile().is_ok() {
        return Ok(());
    }
    let own = DataDir::new(data).temporary();
    fs::create_dir_all(&own).with_context(|| own.display().to_string())?;
    let earlier = tempfile::env::override_temp_dir(&own);
    earlier.map_err(|other| anyhow::anyhow!("temporary files are kept in {} already", other.display()))
}
