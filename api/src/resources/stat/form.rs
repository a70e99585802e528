//! The fields of all actions, and how they are read.

use std::str::FromStr;

use serde::Deserialize;

use crate::error::{ApiError, ApiResult};

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Act {
    Favourite,
    WatchLater,
    Playlist,
    Comm,
    CommDel,
    Wall,
    WallDel,
    Vote,
    View,
    Subscribe,
    Friend,
    History,
    Block,
}

/// As it was sent. Each action looks at its own fields only; who acts is never one of them.
#[derive(Debug, Deserialize)]
pub(crate) struct StatForm {
    pub(super) act: Act,
    pub(super) section: Option<String>,
    pub(super) object_type: Option<String>,
    pub(super) object_id: Option<i64>,
    pub(super) video_id: Option<i64>,
    pub(super) comment_id: Option<i64>,
    pub(super) wall_id: Option<i64>,
    pub(super) msg: Option<String>,
    pub(super) title: Option<String>,
    pub(super) desc: Option<String>,
    pub(super) visible: Option<u8>,
    pub(super) orientation: Option<lantern_config::Gender>,
    pub(super) position: Option<u32>,
    pub(super) vote: Option<i8>,
    pub(super) nogeo: Option<bool>,
    pub(super) stopped_at: Option<u32>,
}

impl StatForm {
    /// What the action is about.
    pub(super) fn object(&self) -> ApiResult<i64> {
        id("object_id", self.object_id)
    }

    /// A word of `section`.
    pub(super) fn section<T: FromStr>(&self) -> ApiResult<T> {
        word("section", self.section.as_deref())
    }
}

/// A field that must be there.
pub(super) fn required<T>(field: &'static str, value: Option<T>) -> ApiResult<T> {
    value.ok_or(ApiError::Field { field, code: "required", bound: None })
}

/// An id that must be there.
pub(super) fn id(field: &'static str, value: Option<i64>) -> ApiResult<i64> {
    Some(required(field, value)?).filter(|id| *id > 0).ok_or(ApiError::invalid(field))
}

/// A word that must be there.
pub(super) fn word<T: FromStr>(field: &'static str, value: Option<&str>) -> ApiResult<T> {
    required(field, value)?.parse().map_err(|_| ApiError::invalid(field))
}

/// Adding and taking away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Toggle {
    Add,
    Rem,
}

impl FromStr for Toggle {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        match word {
            "add" => Ok(Self::Add),
            "rem" => Ok(Self::Rem),
            _ => Err(()),
        }
    }
}
