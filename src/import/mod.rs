//! Import of videos from another system. A file is read, validated line by line, and written in batches.

mod check;
mod columns;
mod fetch;
mod films;
pub mod line;
mod names;
mod pictures;
mod places;
mod read;
mod report;
mod run;
pub mod status;

pub use check::Rules;
pub use columns::Columns;
pub use fetch::client;
pub use films::Films;
pub use names::{Names, Synonyms};
pub use places::Places;
pub use read::{Chunk, Form, read};
pub use report::Report;
pub use run::Import;
