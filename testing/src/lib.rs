//! Helpers shared by the tests of several crates: a database and a search engine per test, videos and pictures.
//!
//! Only integration tests in `tests/` may use this crate. In unit tests, the crate under test would be linked a second time through this
//! one.

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
