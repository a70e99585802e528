//! Videos: details, lists, files, and editing by their owners.

pub(crate) mod captions;
pub mod chapters;
pub(crate) mod counts;
pub(crate) mod details;
pub(crate) mod download;
pub(crate) mod edit;
pub mod file;
pub mod list;
pub(crate) mod own;
pub(crate) mod poster;
pub(crate) mod promo;
pub mod related;
pub mod show;
pub(crate) mod sources;
pub(crate) mod timeline;
pub(crate) mod whole;
