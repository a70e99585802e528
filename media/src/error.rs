//! Errors in media processing. Each is worded as one sentence for the terminal.

use std::path::{Path, PathBuf};

/// Result type of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure of an external program or the file system.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The program isn't in `PATH`.
    #[error("{program} is not installed: `./dev up` installs it, or run `apt-get install ffmpeg`")]
    Missing {
        /// Name of the program.
        program: &'static str,
    },
    /// ffmpeg lacks required features.
    #[error("this ffmpeg was built without {lacking}; install your distribution's full ffmpeg package")]
    Incomplete {
        /// Missing encoders and filters, comma-separated.
        lacking: String,
    },
    /// The program exceeded its time limit and was killed.
    #[error("{program} timed out after {seconds} s while {task}")]
    TimedOut {
        /// Name of the program.
        program: &'static str,
        /// Time limit, in seconds.
        seconds: u64,
        /// What the program was doing, such as "making X".
        task: String,
    },
    /// The program exited with an error.
    #[error("{program} failed while {task}: {detail}")]
    Failed {
        /// Name of the program.
        program: &'static str,
        /// What the program was doing, such as "making X".
        task: String,
        /// The last lines of its standard error output.
        detail: String,
    },
    /// The program printed more than is read, and was killed. What was read is only a part.
    #[error("{program} printed more than {bytes} bytes while {task}")]
    TooMuchOutput {
        /// Name of the program.
        program: &'static str,
        /// Limit, in bytes.
        bytes: u64,
        /// What the program was doing, such as "making X".
        task: String,
    },
    /// The program was killed by the system or an operator, possibly through no fault of its own.
    #[error("{program} was killed while {task}")]
    Killed {
        /// Name of the program.
        program: &'static str,
        /// What the program was doing, such as "making X".
        task: String,
    },
    /// The system cannot confine the program, so it was not run.
    #[error(
        "{program} can't be confined: this system has no seccomp filters or no Landlock, refuses its limits, or keeps programs elsewhere"
    )]
    NotConfined {
        /// Name of the program.
        program: &'static str,
    },
    /// The picture is not accepted.
    #[error("{0}")]
    Picture(crate::pictures::RefusedPicture),
    /// A store is unavailable.
    #[error(transparent)]
    Store(Box<crate::stores::StoreFailure>),
    /// The store of a picture could not be determined.
    #[error(transparent)]
    Group(#[from] crate::stores::Unknown),
    /// The catalog failed.
    #[error(transparent)]
    Catalog(#[from] lantern_catalog::Error),
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
}

impl From<crate::stores::StoreFailure> for Error {
    fn from(failure: crate::stores::StoreFailure) -> Self {
        match failure {
            crate::stores::StoreFailure::Folder(error) => error,
            failure => Self::Store(Box::new(failure)),
        }
    }
}

impl Error {
    /// Adds the path to an I/O error.
    pub(crate) fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { path, source }
    }
}
