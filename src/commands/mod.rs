//! Sub-commands, one module each.

pub mod bench;
pub mod config;
pub mod errors;
pub mod export;
pub mod import;
pub mod index;
pub mod jobs;
pub mod limits;
pub mod moderate;
pub mod nodes;
pub mod openapi;
pub mod page_views;
pub mod premium;
pub mod reindex;
pub mod searches;
pub mod seed;
pub mod status;
pub mod store;
pub mod texts;
pub mod up;
pub mod verify;
pub mod vocabulary;
pub mod words;
pub mod work;
