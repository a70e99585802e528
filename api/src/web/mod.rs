//! The web app: its files inside the binary, and which address shows which page.

mod files;
mod routes;

pub use files::{File, WebApp};
pub use routes::{Page, resolve};
