//! The web app: its embedded files, and the page for each address.

mod files;
mod routes;
mod template;

pub use files::{AppFile, WebApp};
pub use routes::{Page, ScreenMatch, TOPICS, resolve, topic_path};
pub use template::Template;
