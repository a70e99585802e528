//! Videos: one, lists of them, their files, and what owners do with them.

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
