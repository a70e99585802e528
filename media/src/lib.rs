//! Pictures and films: how they come in and what is made of them, the demo clips, the links that open them, and the routes that
//! serve them.
//!
//! Everything lives in one folder (`{data_dir}/media`), films also in storage groups ([`stores`]), under a *media key*, a relative
//! folder or file stem such as `demo/03` or `demo/pictures/07`. Pictures need no signed link, anything that plays does; whether either may be shown at all is
//! asked of the site for each answer ([`Served`]).

pub mod address;
pub mod clips;
mod conditions;
pub mod confined;
pub mod demo;
mod error;
mod files;
pub mod film;
pub mod incoming;
pub mod links;
pub mod pictures;
mod posters;
mod reading;
pub mod stores;
pub mod tool;
pub mod worker;

pub use error::{Error, Result};
pub use files::{FileOrigin, FileRefusal, MediaState, router};
