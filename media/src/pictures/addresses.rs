//! Addresses of pictures, in the sizes that the site shows.

use crate::film::SHOTS;

use super::{Kind, file_of, is_members, is_uploaded};

/// Returns the address of the 320-pixel version of a picture, or an empty string if there is no picture.
#[must_use]
pub fn picture(key: Option<&str>) -> String {
    key.map_or_else(String::new, |key| sized(key, 320))
}

/// Returns the address of the 640-pixel version of a picture, or an empty string if there is no picture.
#[must_use]
pub fn large_picture(key: Option<&str>) -> String {
    key.map_or_else(String::new, |key| sized(key, 640))
}

/// Returns the address of the largest version of a picture.
#[must_use]
pub fn largest_picture(key: &str) -> String {
    sized(key, if is_uploaded(key) { Kind::Photo.widths()[0] } else { 640 })
}

/// Returns the address of an avatar, or `None` if the member has none.
#[must_use]
pub fn avatar(key: Option<&str>) -> Option<String> {
    key.map(|key| picture(Some(key)))
}

/// Returns the address of a profile's cover. Uploaded covers have an aspect ratio of 5:1.
#[must_use]
pub fn cover(key: Option<&str>) -> Option<String> {
    key.map(|key| sized(key, if is_members(key) { 1250 } else { 320 }))
}

/// Returns the addresses of the screenshots in a film's folder.
#[must_use]
pub fn shots(media_key: Option<&str>) -> Vec<String> {
    media_key
        .map_or_else(Vec::new, |key| (0..SHOTS).map(|shot| format!("/media/p/{key}/shot-{shot}-320.webp")).collect())
}

/// Returns the address of a picture at the given width. Uploads are JPEG; the site's own pictures are WebP.
#[must_use]
pub fn sized(key: &str, width: u32) -> String {
    if is_uploaded(key) { format!("/media/p/{}", file_of(key, width)) } else { format!("/media/p/{key}-{width}.webp") }
}
