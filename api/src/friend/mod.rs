//! Friends and friend requests.

pub mod ask;
pub mod list;
