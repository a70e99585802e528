//! Videos: details, lists, files, and editing by their owners.

pub mod counts;
pub mod details;
pub mod download;
pub mod edit;
pub mod file;
pub mod list;
pub mod own;
pub mod poster;
pub mod promo;
pub mod related;
pub mod show;
pub mod sources;
pub mod timeline;
pub mod whole;
