//! The web app: its files inside the binary, and which address shows which page.

mod files;
mod routes;
mod template;

pub use files::{AppFile, WebApp};
pub use routes::{Page, ScreenMatch, TOPICS, resolve, topic_path};
pub use template::Template;
