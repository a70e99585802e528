//! Wrapper scripts for ffmpeg and ffprobe that can be held at a stage.

use std::{
    fs::{self, File, OpenOptions, Permissions},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    time::Instant,
};

use nix::{libc::O_NONBLOCK, sys::stat::Mode, unistd::mkfifo};

use super::{POLL_EVERY, TIMEOUT};

/// Writes the scripts to `root`.
pub fn write_scripts(root: &Path) {
    let tools = root.join("tools");
    fs::create_dir(&tools).unwrap();
    for program in ["ffmpeg", "ffprobe"] {
        let real = std::env::split_paths(&std::env::var_os("PATH").unwrap())
            .map(|folder| folder.join(program))
            .find(|path| path.is_file())
            .unwrap();
        let script = format!(
            "#!/bin/sh\ncase \"{program} $*\" in *coders|*codecs|*muxers|*filters) at=none;; ffprobe*) at=probe;; *timeline.jpg*) at=timeline;; \
             *preview.mp4*) at=short;; *sprite.webp*) at=shots;; *) at=encode;; esac\nif [ -p '{0}'/$at ]; then read line < '{0}'/$at; fi\n\
             exec '{1}' \"$@\"\n",
            tools.display(),
            real.display()
        );
        fs::write(tools.join(program), script).unwrap();
        fs::set_permissions(tools.join(program), Permissions::from_mode(0o755)).unwrap();
    }
}

/// A stage at which the next script waits.
pub struct Hold(PathBuf);

impl Hold {
    pub fn new(path: PathBuf) -> Self {
        mkfifo(&path, Mode::from_bits_truncate(0o666)).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o666)).unwrap();
        Self(path)
    }

    /// Waits until a script reaches the stage. Dropping the result releases the script, and later scripts don't wait.
    pub async fn reached(self) -> File {
        let since = Instant::now();
        loop {
            let opened = OpenOptions::new().write(true).custom_flags(O_NONBLOCK).open(&self.0);
            if let Ok(writer) = opened {
                fs::remove_file(&self.0).unwrap();
                return writer;
            }
            assert!(since.elapsed() < TIMEOUT, "no script reaches {}", self.0.display());
            tokio::time::sleep(POLL_EVERY).await;
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        fs::remove_file(&self.0).ok();
    }
}
