//! What a viewer wants in no list: categories, models, members, and what was watched. A guest's browser knows it and sends it along, a
//! member's is in the catalog. Cached answers know nothing of it: a list without it is a call of its own.

pub mod act;
pub mod form;
pub mod show;
pub mod unmuted;
