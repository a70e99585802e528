//! Pictures and films: the demo clips, the links that open them, and the routes that serve them.
//!
//! Everything lives in one folder (`{data_dir}/media`) under a *media key*, a relative folder or file stem such as
//! `demo/03` or `demo/pictures/07`. Pictures are public; anything that plays needs a signed link.

pub mod clips;
pub mod demo;
mod error;
mod files;
pub mod links;
pub mod pictures;
pub mod tool;

pub use error::{Error, Result};
pub use files::{MediaState, Refused, router};
