//! Friends and friend requests.

pub(crate) mod ask;
pub mod list;
