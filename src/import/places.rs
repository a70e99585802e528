//! Sources of films and pictures: the folder of `--files`, or a listed origin.

use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::{
    check::{Refusal, refuse},
    fetch,
};

/// Fields of a line that name one source: by path, and by URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fields {
    pub file: &'static str,
    pub address: &'static str,
}

/// Fields of a film.
pub const FILM: Fields = Fields { file: "file", address: "address" };
/// Fields of a picture.
pub const PICTURE: Fields = Fields { file: "picture_file", address: "picture_address" };

/// Source as specified by a line: field and value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum From {
    File(&'static str, String),
    Address(&'static str, String),
}

impl From {
    pub fn of(fields: Fields, file: Option<&String>, address: Option<&String>) -> Option<Self> {
        let file = file.map(|name| Self::File(fields.file, name.clone()));
        file.or_else(|| address.map(|address| Self::Address(fields.address, address.clone())))
    }

    /// Returns a digest of field and value.
    pub fn digest(&self) -> [u8; 32] {
        let (Self::File(field, value) | Self::Address(field, value)) = self;
        Sha256::digest(format!("{field}\n{value}")).into()
    }
}

/// A permitted source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    File(PathBuf),
    Address(String),
}

/// Permitted folder and origins.
#[derive(Debug)]
pub struct Places<'a> {
    /// Folder that contains the files, if any.
    pub folder: Option<PathBuf>,
    pub origins: &'a [String],
}

impl Places<'_> {
    /// Resolves a source, or refuses one that is not permitted.
    pub fn find(&self, from: &From) -> Result<Place, Refusal> {
        match from {
            From::Address(_, address) if fetch::may_fetch(self.origins, address) => Ok(Place::Address(address.clone())),
            From::Address(field, address) => refuse("origin_not_listed", field, address),
            From::File(field, name) => self.file(field, name).map(Place::File),
        }
    }

    /// Resolves a file, which must be below the folder after following links.
    fn file(&self, field: &'static str, name: &str) -> Result<PathBuf, Refusal> {
        let Some(folder) = &self.folder else { return refuse("no_folder", field, name) };
        let (Ok(folder), Ok(path)) = (folder.canonicalize(), folder.join(name).canonicalize()) else {
            return refuse("not_found", field, name);
        };
        if path.starts_with(&folder) && path.is_file() { Ok(path) } else { refuse("not_found", field, name) }
    }
}
