//! Sources of films and pictures: the folder given by `--files`, or a listed origin.

use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::{
    check::{Refusal, refuse},
    fetch,
};

/// The two fields of a line that name a source: one by path, the other by URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fields {
    pub file: &'static str,
    pub address: &'static str,
}

/// Fields for a film.
pub const FILM: Fields = Fields { file: "file", address: "address" };
/// Fields for a picture.
pub const PICTURE: Fields = Fields { file: "picture_file", address: "picture_address" };

/// A source as a line specifies it, by field and value.
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

    /// Returns a digest of the field and its value.
    pub fn digest(&self) -> [u8; 32] {
        let (Self::File(field, value) | Self::Address(field, value)) = self;
        Sha256::digest(format!("{field}\n{value}")).into()
    }
}

/// A source that is permitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    File(PathBuf),
    Address(String),
}

/// The permitted folder and origins.
#[derive(Debug)]
pub struct Places<'a> {
    /// Folder that contains the files, if there is one.
    pub folder: Option<PathBuf>,
    pub origins: &'a [String],
}

impl Places<'_> {
    /// Resolves a source. Refuses one that is not permitted.
    pub fn find(&self, from: &From) -> Result<Place, Refusal> {
        match from {
            From::Address(_, address) if fetch::may_fetch(self.origins, address) => Ok(Place::Address(address.clone())),
            From::Address(field, address) => refuse("origin_not_listed", field, address),
            From::File(field, name) => self.file(field, name).map(Place::File),
        }
    }

    /// Resolves a file. After links are followed, it must be in the folder.
    fn file(&self, field: &'static str, name: &str) -> Result<PathBuf, Refusal> {
        let Some(folder) = &self.folder else { return refuse("no_folder", field, name) };
        let (Ok(folder), Ok(path)) = (folder.canonicalize(), folder.join(name).canonicalize()) else {
            return refuse("not_found", field, name);
        };
        if path.starts_with(&folder) && path.is_file() { Ok(path) } else { refuse("not_found", field, name) }
    }
}
