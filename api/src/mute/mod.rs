//! Mutes, which are the categories, models, members and watched videos that a viewer's lists exclude. A guest's browser stores and sends
//! them, whereas a member's mutes are in the catalog. Cached answers ignore mutes; a list without muted objects is a separate call.

pub mod act;
pub mod form;
pub mod show;
pub mod unmuted;
