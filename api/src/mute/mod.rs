//! Mutes: categories, models, members and watched videos that a viewer's lists exclude. A guest's browser stores and sends them; a
//! member's are in the catalog. Cached answers ignore them: a list without them is a separate call.

pub mod act;
pub mod form;
pub mod show;
pub mod unmuted;
