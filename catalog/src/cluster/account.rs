//! The user that the server runs as. Postgres refuses to run as root.

use std::{
    os::unix::{fs::MetadataExt, process::CommandExt},
    path::Path,
    process::Command,
};

use nix::unistd::{Gid, Uid, User, geteuid};

use crate::{Error, Result};

/// The user to switch to. `None` keeps the current user.
#[derive(Debug, Clone, Copy)]
pub struct SystemUser(Option<(Uid, Gid)>);

impl SystemUser {
    /// Returns the current user if it is unprivileged. For root, returns the owner of an existing cluster, otherwise
    /// `postgres`, otherwise `nobody`.
    ///
    /// # Errors
    /// [`Error::Cluster`] if none of these users exists.
    pub fn for_folder(dir: &Path) -> Result<Self> {
        if !geteuid().is_root() {
            return Ok(Self(None));
        }
        let meta = std::fs::metadata(dir.join("PG_VERSION"));
        if let Ok(meta) = meta
            && meta.uid() != 0
        {
            return Ok(Self(Some((Uid::from_raw(meta.uid()), Gid::from_raw(meta.gid())))));
        }
        for name in ["postgres", "nobody"] {
            let found =
                User::from_name(name).map_err(|e| Error::Cluster(format!("looking up the user {name} failed: {e}")))?;
            if let Some(user) = found {
                return Ok(Self(Some((user.uid, user.gid))));
            }
        }
        Err(Error::Cluster(
            "Postgres refuses to run as root, and this system has neither a user `postgres` nor `nobody`; \
             start Lantern as an ordinary user"
                .to_owned(),
        ))
    }

    /// Returns the ids of user and group, unless no switch is needed.
    #[must_use]
    pub const fn ids(self) -> Option<(Uid, Gid)> {
        self.0
    }

    /// Returns whether the server runs as a different user.
    pub(super) const fn switches_user(self) -> bool {
        self.0.is_some()
    }

    /// Changes a folder's owner to the user.
    pub(super) fn chown(self, path: &Path) -> Result<()> {
        match self.0 {
            Some((uid, gid)) => {
                std::os::unix::fs::chown(path, Some(uid.as_raw()), Some(gid.as_raw())).map_err(Error::io(path))
            }
            None => Ok(()),
        }
    }

    /// Makes a command run as the user.
    pub(super) fn apply(self, command: &mut Command) {
        if let Some((uid, gid)) = self.0 {
            command.uid(uid.as_raw()).gid(gid.as_raw());
        }
    }
}
