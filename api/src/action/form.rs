//! Types of form fields that several actions have.

use lantern_config::Visibility;
use lantern_errors::{ApiError, ApiResult};
use serde::Deserialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

/// Id of an object.
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

impl PartialSchema for Id {
    fn schema() -> RefOr<Schema> {
        let id = ObjectBuilder::new().schema_type(Type::Integer).description(Some("Id of an object."));
        id.minimum(Some(1)).maximum(Some(i64::MAX)).into()
    }
}
impl ToSchema for Id {}

/// A like, a dislike, or the withdrawal of either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "i8")]
pub enum Thumb {
    Up,
    Down,
    Withdrawn,
}

impl TryFrom<i8> for Thumb {
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

impl PartialSchema for Thumb {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some([1, -1, 0])).into()
    }
}
impl ToSchema for Thumb {}

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

impl PartialSchema for VisibleList {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some([0, 1])).into()
    }
}
impl ToSchema for VisibleList {}

/// Adds or removes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Toggle {
    Add,
    Rem,
}

/// An object to add or remove.
#[derive(Clone, Copy, Deserialize, ToSchema)]
pub struct ToggleObject {
    pub section: Toggle,
    pub object_id: Id,
}

/// Returns the value of a required field.
pub fn required<T>(field: &'static str, value: Option<T>) -> ApiResult<T> {
    value.ok_or(ApiError::required(field))
}

/// Returns a required id.
pub fn id(field: &'static str, value: Option<Id>) -> ApiResult<i64> {
    required(field, value).map(i64::from)
}
