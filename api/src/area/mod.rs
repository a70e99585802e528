//! The member area: a member's own profile and lists. Nothing here is cached, and the member always comes from the session.

mod answers;
mod cards;
mod feed;
pub mod lists;
pub mod profile;
mod profile_fields;
mod profile_form;
