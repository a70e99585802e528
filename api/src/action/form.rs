//! Parses the form fields of all actions.

use std::num::NonZeroU32;

use lantern_config::{Section, Visibility};
use serde::{
    Deserialize,
    de::value::{Error as NoWord, StrDeserializer},
};

use lantern_errors::{ApiError, ApiResult};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    Favourite,
    WatchLater,
    Playlist,
    Comm,
    CommDel,
    CommUndel,
    CommLike,
    Wall,
    WallDel,
    WallUndel,
    WallLike,
    Vote,
    View,
    Subscribe,
    Friend,
    History,
    Block,
    Mute,
    Found,
    SavedSearch,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "i64")]
pub struct Id(i64);

impl TryFrom<i64> for Id {
    type Error = &'static str;

    fn try_from(id: i64) -> Result<Self, Self::Error> {
        if id > 0 { Ok(Self(id)) } else { Err("ids start at 1") }
    }
}

impl From<Id> for i64 {
    fn from(id: Id) -> Self {
        id.0
    }
}

/// Kind of object to follow or mute.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObjectType {
    Category,
    Model,
    Channel,
    User,
}

impl ObjectType {
    /// Returns the section to follow. Fails with 422 for categories, which cannot be followed.
    pub fn followed(self) -> ApiResult<Section> {
        match self {
            Self::Model => Ok(Section::Model),
            Self::Channel => Ok(Section::Channel),
            Self::User => Ok(Section::User),
            Self::Category => Err(ApiError::invalid("object_type")),
        }
    }
}

/// A like, a dislike, or the withdrawal of either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "i8")]
pub enum Vote {
    Up,
    Down,
    Withdrawn,
}

impl TryFrom<i8> for Vote {
    type Error = &'static str;

    fn try_from(vote: i8) -> Result<Self, Self::Error> {
        match vote {
            1 => Ok(Self::Up),
            -1 => Ok(Self::Down),
            0 => Ok(Self::Withdrawn),
            _ => Err("1, -1 or 0"),
        }
    }
}

/// Visibility, encoded as in the playlist form.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "u8")]
pub struct VisibleList(pub Visibility);

impl TryFrom<u8> for VisibleList {
    type Error = &'static str;

    fn try_from(visible: u8) -> Result<Self, Self::Error> {
        Visibility::from_playlist_form(visible).map(Self).ok_or("0 or 1")
    }
}

/// The form as sent. A malformed value is rejected even if the action does not read the field. The acting member is never a field.
#[derive(Debug, Deserialize)]
pub(crate) struct StatForm {
    pub act: Act,
    pub section: Option<String>,
    pub object_type: Option<ObjectType>,
    pub object_id: Option<Id>,
    pub dir: Option<String>,
    pub video_id: Option<Id>,
    pub comment_id: Option<Id>,
    pub wall_id: Option<Id>,
    pub parent_id: Option<Id>,
    pub msg: Option<String>,
    pub title: Option<String>,
    pub desc: Option<String>,
    pub visible: Option<VisibleList>,
    pub orientation: Option<lantern_config::Gender>,
    pub position: Option<NonZeroU32>,
    pub vote: Option<Vote>,
    pub nogeo: Option<bool>,
    pub stopped_at: Option<u32>,
    pub s: Option<String>,
    pub address: Option<String>,
    pub seen_at: Option<u32>,
    pub lang: Option<lantern_config::Lang>,
}

impl StatForm {
    /// Returns the required `object_id`.
    pub fn object(&self) -> ApiResult<i64> {
        id("object_id", self.object_id)
    }

    /// Parses the required `section`.
    pub fn section<'a, T: Deserialize<'a>>(&'a self) -> ApiResult<T> {
        let word = StrDeserializer::<NoWord>::new(required("section", self.section.as_deref())?);
        T::deserialize(word).map_err(|_| ApiError::invalid("section"))
    }
}

/// Returns the value of a required field.
pub fn required<T>(field: &'static str, value: Option<T>) -> ApiResult<T> {
    value.ok_or(ApiError::required(field))
}

/// Returns a required id.
pub fn id(field: &'static str, value: Option<Id>) -> ApiResult<i64> {
    required(field, value).map(i64::from)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Toggle {
    Add,
    Rem,
}
