//! What tests of several crates share: a database and a search engine for each, films and pictures.
//!
//! Only tests in `tests/` folders use it: a crate's unit tests would meet the crate a second time here.

mod counts;
mod database;
mod film;
mod scene;
mod search;

pub use counts::{CategoryCount, count_by_category};
pub use database::TestDb;
pub use film::film;
pub use scene::scene;
pub use search::TestSearch;
