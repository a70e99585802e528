//! Errors of the catalog. Each message is one sentence for the operator.

use std::path::PathBuf;

use lantern_config::UnknownWord;

/// Result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of the catalog.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// `database.url` can't be parsed.
    #[error("database.url is not a Postgres URL: {0}")]
    Url(#[source] sqlx::Error),
    /// The server is not reachable.
    #[error("Postgres is not reachable at {place}: {source}")]
    Unreachable {
        /// Host or socket, without credentials.
        place: String,
        /// Underlying error.
        source: sqlx::Error,
    },
    /// The schema could not be migrated.
    #[error("the database schema could not be migrated: {0}")]
    Migrate(#[source] sqlx::migrate::MigrateError),
    /// A query failed.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// The embedded Postgres could not be started or stopped.
    #[error("{0}")]
    Cluster(String),
    /// An I/O error of the embedded Postgres.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// The demo data was not loaded, for the given reason.
    #[error("{0}")]
    Seed(String),
    /// Another process took over as writer of an index.
    #[error("another Lantern process writes this index now")]
    Superseded,
    /// Encrypting or decrypting a sealed value failed.
    #[error("sealed: {0}")]
    Sealed(String),
    /// A row holds a value that the schema should have refused.
    #[error("database inconsistency: {0}")]
    Inconsistent(String),
}

impl From<UnknownWord> for Error {
    fn from(unknown: UnknownWord) -> Self {
        Self::Inconsistent(format!("{} {:?}", unknown.vocabulary, unknown.word))
    }
}

impl Error {
    /// Name of the violated constraint, which is mapped to an error code of the API.
    #[must_use]
    pub fn constraint(&self) -> Option<&str> {
        match self {
            Self::Database(sqlx::Error::Database(e)) => e.constraint(),
            _ => None,
        }
    }

    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }
}
