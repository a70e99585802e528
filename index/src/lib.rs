//! Contents of the search index: the contract between the indexer, which writes it, and the API, which reads it.
//!
//! - [`VideoDoc`] and the other documents declare all fields and their uses. Start there to add a field.
//! - [`settings`] derives the engine's settings from them.
//! - [`filter`] builds filter expressions, and [`SearchClient`] sends requests to an engine, in this process or elsewhere.
//! - [`text`] normalizes texts and queries according to their language.

mod albums;
mod captions;
mod categories;
mod charts;
mod client;
mod document;
pub mod filter;
mod members;
mod models;
mod playlists;
pub mod settings;
mod suggestions;
pub mod text;
mod transport;
mod videos;

pub use albums::AlbumDoc;
pub use captions::{CaptionsDoc, LINE_CHARS, PASSAGE_LINES};
pub use categories::CategoryDoc;
pub use charts::ChartDoc;
pub use client::SearchClient;
pub use document::{ByLang, Labels, ShownText, display, shown};
pub use filter::{Filter, Value as FilterValue};
pub use members::MemberDoc;
pub use models::{ModelDoc, all_names};
pub use playlists::PlaylistDoc;
pub use settings::IndexName;
pub use suggestions::SuggestionDoc;
pub use transport::Transport;
pub use videos::{EVERY, VideoCounts, VideoDoc};
