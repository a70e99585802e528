//! The web app: its files inside the binary, and which address shows which page.

mod files;
mod routes;
mod template;

pub use files::{File, WebApp};
pub use routes::{Page, resolve};
pub use template::Template;
