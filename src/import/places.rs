//! Where what a line names comes from: below the folder that the command names, or from a listed origin.

use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::{
    check::{Refusal, refuse},
    fetch,
};

/// Fields of a line that name one thing: by its path, and by its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fields {
    pub file: &'static str,
    pub address: &'static str,
}

/// Those of a film.
pub const FILM: Fields = Fields { file: "file", address: "address" };
/// Those of a picture.
pub const PICTURE: Fields = Fields { file: "picture_file", address: "picture_address" };

/// What a line says, with its field.
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

    /// What tells it from another one.
    pub fn digest(&self) -> [u8; 32] {
        let (Self::File(field, said) | Self::Address(field, said)) = self;
        Sha256::digest(format!("{field}\n{said}")).into()
    }
}

/// Where it may be taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    File(PathBuf),
    Address(String),
}

/// The folder and the origins.
#[derive(Debug)]
pub struct Places<'a> {
    /// The folder that lines may name files of.
    pub folder: Option<PathBuf>,
    pub origins: &'a [String],
}

impl Places<'_> {
    pub fn find(&self, from: &From) -> Result<Place, Refusal> {
        match from {
            From::Address(_, address) if fetch::may_fetch(self.origins, address) => Ok(Place::Address(address.clone())),
            From::Address(field, address) => refuse("origin_not_listed", field, address),
            From::File(field, name) => self.file(field, name).map(Place::File),
        }
    }

    /// A file below the folder, wherever links in its path lead.
    fn file(&self, field: &'static str, name: &str) -> Result<PathBuf, Refusal> {
        let Some(folder) = &self.folder else { return refuse("no_folder", field, name) };
        let (Ok(folder), Ok(path)) = (folder.canonicalize(), folder.join(name).canonicalize()) else {
            return refuse("not_found", field, name);
        };
        if path.starts_with(&folder) && path.is_file() { Ok(path) } else { refuse("not_found", field, name) }
    }
}
