//! What pages read of the API's answers about albums, playlists, members and what they write.

use lantern_config::{Gender, Lang};
use serde::Deserialize;

use super::{Named, Uploader};

/// An album in a list, or the beginning of a whole one.
#[derive(Debug, Deserialize)]
pub struct AlbumEntry {
    pub album_id: i64,
    pub dir: String,
    pub title: String,
    pub thumb: String,
    pub thumbsrc: String,
    pub photos_amount: i64,
    pub post_date: String,
    pub models: Vec<Named>,
    pub categories: Vec<Named>,
}

/// A page of albums.
#[derive(Debug, Deserialize)]
pub struct Albums {
    pub albums: Vec<AlbumEntry>,
    pub pages: u32,
}

/// One album.
#[derive(Debug, Deserialize)]
pub struct AlbumData {
    pub album: AlbumFacts,
}

/// An album with its photos.
#[derive(Debug, Deserialize)]
pub struct AlbumFacts {
    #[serde(flatten)]
    pub card: AlbumEntry,
    pub description: String,
    pub lang: Lang,
    pub gender: Gender,
    pub user: Option<Uploader>,
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
pub struct PlaylistFacts {
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
    pub playlists: Vec<PlaylistFacts>,
    pub pages: u32,
}

/// One playlist.
#[derive(Debug, Deserialize)]
pub struct PlaylistData {
    pub playlist: PlaylistFacts,
}

/// A member in a list, or the beginning of a whole one.
#[derive(Debug, Deserialize)]
pub struct MemberEntry {
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
    pub members: Vec<MemberEntry>,
    pub pages: u32,
}

/// One member.
#[derive(Debug, Deserialize)]
pub struct MemberData {
    pub member: MemberFacts,
}

/// A member's profile.
#[derive(Debug, Deserialize)]
pub struct MemberFacts {
    #[serde(flatten)]
    pub card: MemberEntry,
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
