//! Keys of uploaded and imported pictures, and their files below the media folder.

use super::Kind;

/// Folder of profile pictures, with one subfolder per member.
pub(super) const MEMBERS: &str = "members";
/// Folder of album pictures. They are spread over subfolders by the first two digits of their names.
pub(super) const ALBUMS: &str = "albums";
/// Folder of posters for videos hosted elsewhere. They are spread over subfolders in the same way.
pub(super) const VIDEOS: &str = "videos";
/// Number of digits in a picture's name.
const NAME_DIGITS: usize = 24;
/// Number of digits in a subfolder's name.
const SHARD_DIGITS: usize = 2;

/// Returns the key of a member's picture.
pub(super) fn of_member(user_id: i64, name: &str) -> String {
    format!("{MEMBERS}/{user_id}/{name}")
}

/// Returns the key of an album's picture.
pub(super) fn of_album(name: &str) -> String {
    format!("{ALBUMS}/{}/{name}", shard(name))
}

/// Returns the key of a video's poster.
pub(super) fn of_video(name: &str) -> String {
    format!("{VIDEOS}/{}/{name}", shard(name))
}

fn shard(name: &str) -> &str {
    &name[..SHARD_DIGITS.min(name.len())]
}

/// Returns whether a media key refers to a member's profile picture.
#[must_use]
pub fn is_members(key: &str) -> bool {
    key.split('/').next() == Some(MEMBERS)
}

/// Returns whether a media key refers to an uploaded or imported picture. All other media is produced by Lantern.
#[must_use]
pub fn is_uploaded(key: &str) -> bool {
    matches!(key.split('/').next(), Some(MEMBERS | ALBUMS | VIDEOS))
}

/// Returns the file of an uploaded picture at a width, below the media folder.
#[must_use]
pub fn file_of(key: &str, width: u32) -> String {
    format!("{key}-{width}.jpg")
}

/// Returns the key of the uploaded picture that a file belongs to, or `None` if it belongs to none.
pub(crate) fn key_of(path: &str) -> Option<&str> {
    path.rsplit_once('-').map(|(key, _)| key).filter(|_| is_file(path))
}

/// Returns whether a path below the media folder is a file of such a picture.
pub(crate) fn is_file(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let [top, folder, file] = parts[..] else { return false };
    let Some((name, width)) = file.strip_suffix(".jpg").and_then(|stem| stem.split_once('-')) else { return false };
    let kinds: &[Kind] = match top {
        MEMBERS if folder.bytes().all(|byte| byte.is_ascii_digit()) => &[Kind::Avatar, Kind::Cover],
        ALBUMS if is_shard(folder) && name.starts_with(folder) => &[Kind::Photo],
        VIDEOS if is_shard(folder) && name.starts_with(folder) => &[Kind::Poster],
        _ => return false,
    };
    is_name(name) && kinds.iter().flat_map(|kind| kind.widths()).any(|known| known.to_string() == width)
}

/// Returns whether `name` is the name of a subfolder for album or video pictures.
pub(super) fn is_shard(name: &str) -> bool {
    name.len() == SHARD_DIGITS && is_hex(name)
}

pub(super) fn is_name(name: &str) -> bool {
    name.len() == NAME_DIGITS && is_hex(name)
}

fn is_hex(name: &str) -> bool {
    name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
