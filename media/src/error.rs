//! What can go wrong while making media, each as one sentence for the person at the terminal.

use std::path::{Path, PathBuf};

/// Shorthand for results of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure of an outside program or of the file system.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The program is not on the PATH.
    #[error("{program} is not installed: `./dev up` installs it, or run `apt-get install ffmpeg`")]
    Missing {
        /// Name of the program looked for.
        program: &'static str,
    },
    /// ffmpeg lacks something the clips need.
    #[error("this ffmpeg was built without {lacking}; install your distribution's full ffmpeg package")]
    Incomplete {
        /// The encoders and filters it doesn't have, comma-separated.
        lacking: String,
    },
    /// The program outlived its time limit and was ended.
    #[error("{program} was ended after {seconds} s while {task}")]
    TimedOut {
        /// Name of the program.
        program: &'static str,
        /// Its limit, in seconds.
        seconds: u64,
        /// What it was doing, as "making X".
        task: String,
    },
    /// The program exited with an error.
    #[error("{program} failed while {task}: {detail}")]
    Failed {
        /// Name of the program.
        program: &'static str,
        /// What it was doing, as "making X".
        task: String,
        /// The last lines it wrote to standard error.
        detail: String,
    },
    /// The program was ended by the system or an operator: of its own fault or not.
    #[error("{program} was killed while {task}")]
    Killed {
        /// Name of the program.
        program: &'static str,
        /// What it was doing, as "making X".
        task: String,
    },
    /// The system doesn't let us confine a program, which then is not run.
    #[error(
        "{program} can't be confined: this system has no seccomp filters or no Landlock, refuses its limits, or keeps programs elsewhere"
    )]
    NotConfined {
        /// Name of the program.
        program: &'static str,
    },
    /// A picture is not accepted.
    #[error("{0}")]
    Picture(crate::pictures::RefusedPicture),
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
}

impl Error {
    /// Says which path an I/O error is about.
    pub(crate) fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { path, source }
    }
}
