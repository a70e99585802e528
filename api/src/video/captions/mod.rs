//! Captions of videos: what players get, and how owners and moderators change them.

pub mod edit;
pub mod hls;
pub mod show;
pub mod tracks;
