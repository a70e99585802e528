//! What pages read of the API's answers: the wire contract from its other side, where its fields are explained.

use lantern_config::{Gender, Lang};
use serde::Deserialize;

/// A link.
#[derive(Debug, Deserialize)]
pub struct Ref {
    /// Name in URLs.
    pub dir: String,
    /// Text to show.
    pub title: String,
}

/// A video in a list, or the beginning of a whole one.
#[derive(Debug, Deserialize)]
pub struct Card {
    pub video_id: i64,
    pub dir: String,
    pub title: String,
    pub duration: String,
    pub thumb: String,
    pub thumbsrc: String,
    pub img: String,
    pub post_date: String,
    pub models: Vec<Ref>,
    pub categories: Vec<Ref>,
}

/// A page of videos.
#[derive(Debug, Default, Deserialize)]
pub struct Videos {
    pub videos: Vec<Card>,
    #[serde(default)]
    pub pages: u32,
    /// Counts of the whole result; with titles.
    #[serde(default)]
    pub categories: Vec<Ref>,
}

/// A model in a list, or the beginning of a whole one.
#[derive(Debug, Deserialize)]
pub struct Model {
    pub dir: String,
    pub title: String,
    pub thumbs: String,
    #[serde(default)]
    pub aliases: Vec<String>,
    #[serde(default)]
    pub about: Option<String>,
}

/// A page of models.
#[derive(Debug, Deserialize)]
pub struct Models {
    pub models: Vec<Model>,
    #[serde(default)]
    pub pages: u32,
}

/// The blocks of the home page.
#[derive(Debug, Deserialize)]
pub struct Home {
    pub country: Videos,
    pub day: Videos,
    pub latest: Videos,
    pub models: Models,
}

/// One model.
#[derive(Debug, Deserialize)]
pub struct ModelAnswer {
    pub model: Model,
}

/// All categories.
#[derive(Debug, Deserialize)]
pub struct Categories {
    pub categories: Vec<Ref>,
}

/// One video.
#[derive(Debug, Deserialize)]
pub struct VideoAnswer {
    pub video: Video,
}

/// A video that may be watched, or what is told of another.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Video {
    /// All of it.
    Whole(Box<Whole>),
    /// Deleted, private or unfinished.
    Gone {
        /// 5 is deleted.
        status_id: i16,
    },
}

/// A video that may be watched.
#[derive(Debug, Deserialize)]
pub struct Whole {
    #[serde(flatten)]
    pub card: Card,
    pub description: String,
    pub lang: Lang,
    pub title_lang: Lang,
    pub description_lang: Lang,
    pub gender: Gender,
    pub user: Option<User>,
    pub statistics: Statistics,
}

/// Who uploaded it.
#[derive(Debug, Deserialize)]
pub struct User {
    pub user_id: i64,
    pub username: String,
}

/// Exact numbers.
#[derive(Debug, Deserialize)]
pub struct Statistics {
    pub viewed: i64,
    pub likes: i64,
    pub dislikes: i64,
}

/// An album in a list, or the beginning of a whole one.
#[derive(Debug, Deserialize)]
pub struct AlbumCard {
    pub album_id: i64,
    pub dir: String,
    pub title: String,
    pub thumb: String,
    pub thumbsrc: String,
    pub photos_amount: i64,
    pub post_date: String,
    pub models: Vec<Ref>,
    pub categories: Vec<Ref>,
}

/// A page of albums.
#[derive(Debug, Deserialize)]
pub struct Albums {
    pub albums: Vec<AlbumCard>,
    pub pages: u32,
}

/// One album.
#[derive(Debug, Deserialize)]
pub struct AlbumAnswer {
    pub album: Album,
}

/// An album with its photos.
#[derive(Debug, Deserialize)]
pub struct Album {
    #[serde(flatten)]
    pub card: AlbumCard,
    pub description: String,
    pub lang: Lang,
    pub gender: Gender,
    pub user: Option<User>,
    pub photos: Vec<Photo>,
}

/// A photo; the size is the original's, in pixels.
#[derive(Debug, Deserialize)]
pub struct Photo {
    pub src: String,
    pub width: u32,
    pub height: u32,
}

/// A playlist in a list or by itself.
#[derive(Debug, Deserialize)]
pub struct Playlist {
    pub playlist_id: i64,
    pub title: String,
    pub description: String,
    pub user_id: i64,
    pub username: String,
    pub thumb: String,
    pub thumbsrc: String,
    pub total_videos: i64,
}

/// A page of playlists.
#[derive(Debug, Deserialize)]
pub struct Playlists {
    pub playlists: Vec<Playlist>,
    pub pages: u32,
}

/// One playlist.
#[derive(Debug, Deserialize)]
pub struct PlaylistAnswer {
    pub playlist: Playlist,
}

/// A member in a list, or the beginning of a whole one.
#[derive(Debug, Deserialize)]
pub struct MemberCard {
    pub user_id: i64,
    pub username: String,
    pub avatar: Option<String>,
    pub age: Option<u32>,
    pub country: Option<String>,
}

/// A page of members.
#[derive(Debug, Deserialize)]
pub struct Members {
    #[serde(alias = "friends")]
    pub members: Vec<MemberCard>,
    pub pages: u32,
}

/// One member.
#[derive(Debug, Deserialize)]
pub struct MemberAnswer {
    pub member: Member,
}

/// A member's profile.
#[derive(Debug, Deserialize)]
pub struct Member {
    #[serde(flatten)]
    pub card: MemberCard,
    pub about: Option<String>,
    pub city: Option<String>,
    pub interests: Option<String>,
    pub occupation: Option<String>,
}

/// A page of a wall.
#[derive(Debug, Deserialize)]
pub struct Comments {
    pub comments: Vec<Comment>,
    pub pages: u32,
}

/// What someone wrote.
#[derive(Debug, Deserialize)]
pub struct Comment {
    pub user_id: i64,
    pub username: String,
    pub comment: String,
}

/// What a member follows.
#[derive(Debug, Deserialize)]
pub struct Subscriptions {
    pub subscriptions: Vec<Subscription>,
    pub pages: u32,
}

/// A model, channel or member that is followed.
#[derive(Debug, Deserialize)]
pub struct Subscription {
    pub section: String,
    pub object_id: i64,
    pub dir: Option<String>,
    pub title: String,
    pub thumb: String,
}

/// Signed links.
#[derive(Debug, Deserialize)]
pub struct VideoFile {
    pub video_url: Vec<Stream>,
}

/// One way to play a video.
#[derive(Debug, Deserialize)]
pub struct Stream {
    #[serde(rename = "type")]
    pub kind: String,
    pub url: String,
}

/// Whole seconds of `h:m:s` or `m:s`.
#[must_use]
pub fn seconds(duration: &str) -> u32 {
    duration.split(':').fold(0, |sum, part| sum * 60 + part.parse::<u32>().unwrap_or(0))
}

/// ISO 8601: `1:02:33` → `PT1H2M33S`.
#[must_use]
pub fn iso_duration(duration: &str) -> String {
    let whole = seconds(duration);
    let mut out = String::from("PT");
    for (value, unit) in [(whole / 3600, 'H'), (whole / 60 % 60, 'M'), (whole % 60, 'S')] {
        if value > 0 || (unit == 'S' && out.len() == 2) {
            out.push_str(&value.to_string());
            out.push(unit);
        }
    }
    out
}

/// The beginning of a text, at most `most` characters, cut between words where it has any.
#[must_use]
pub fn beginning(text: &str, most: usize) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((end, _)) = flat.char_indices().nth(most) else { return flat };
    let cut = &flat[..end];
    // A language without spaces is cut where the room ends.
    let cut = cut.rfind(' ').filter(|at| *at > end / 2).map_or(cut, |at| &cut[..at]);
    format!("{}…", cut.trim_end_matches([',', ';', ':', '.', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_in_iso_8601() {
        for (shown, iso) in
            [("12:05", "PT12M5S"), ("1:02:33", "PT1H2M33S"), ("0:05", "PT5S"), ("10:00", "PT10M"), ("0:00", "PT0S")]
        {
            assert_eq!(iso_duration(shown), iso);
        }
        assert_eq!(seconds("1:02:33"), 3753);
    }

    #[test]
    fn texts_are_cut_between_words() {
        assert_eq!(beginning("one  two\nthree", 40), "one two three");
        assert_eq!(beginning("one two three", 9), "one two…");
        assert_eq!(beginning("温泉旅館の夜", 3), "温泉旅…");
    }
}
