//! What the index holds: the contract between the indexer, which writes it, and the api, which reads it.
//!
//! - [`VideoDoc`] and the other documents say what there is and what each field is for; adding one begins here;
//! - [`settings`] is what the engine is told of it;
//! - [`filter`] makes conditions, [`SearchClient`] carries them and everything else to an engine, in this process or elsewhere;
//! - [`text`] is how texts and queries are spelled, by language.

mod albums;
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
pub use categories::CategoryDoc;
pub use charts::ChartDoc;
pub use client::SearchClient;
pub use document::{ByLang, Labels, ShownText, display, shown};
pub use filter::{Filter, Value as FilterValue};
pub use members::MemberDoc;
pub use models::ModelDoc;
pub use playlists::PlaylistDoc;
pub use settings::IndexName;
pub use suggestions::SuggestionDoc;
pub use transport::Transport;
pub use videos::{VideoCounts, VideoDoc};
