//! Pictures and films: uploads and their processing, the demo clips, signed links, and the routes that serve files.
//!
//! Everything is stored in one folder (`{data_dir}/media`), or in storage groups ([`stores`]). Each item has a *media key*,
//! which is a relative folder or file stem such as `demo/03` or `demo/pictures/07`. Films need a signed link, pictures don't. For each
//! response, the site decides whether the file may be shown at all ([`FileOrigin`]).

pub mod address;
pub mod captions;
pub mod clips;
mod conditions;
pub mod confined;
pub mod demo;
pub mod disk;
mod error;
mod files;
pub mod film;
pub mod incoming;
pub mod labels;
pub mod links;
pub mod pictures;
pub mod pieces;
mod posters;
mod reading;
pub mod stores;
pub mod tool;
pub mod worker;

pub use error::{Error, Result};
pub use files::{FileOrigin, FileRefusal, MediaState, router};
