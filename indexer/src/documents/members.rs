//! Index `members`.

use std::collections::BTreeMap;

use lantern_catalog::documents::members::MemberRow;
use serde::Serialize;

use super::{filter_labels, midnight};

#[derive(Debug, Serialize)]
pub struct Member {
    id: i64,
    username: String,
    gender: Option<String>,
    /// Seconds since 1970 of the birth date; ages are asked as ranges of it.
    birth: Option<i64>,
    country: Option<String>,
    relationship: Option<String>,
    orientation: Option<String>,
    avatar: &'static str,
    avatar_key: Option<String>,
    added_date: i64,
    viewed: i64,
    subscribers: i32,
    total_videos: i64,
    labels: BTreeMap<&'static str, BTreeMap<&'static str, String>>,
}

pub fn document(row: MemberRow) -> Member {
    let avatar = if row.avatar_key.is_some() { "yes" } else { "no" };
    Member {
        id: row.id,
        labels: filter_labels(&[
            ("gender", row.gender.as_deref()),
            ("country", row.country.as_deref()),
            ("relationship", row.relationship.as_deref()),
            ("orientation", row.orientation.as_deref()),
        ]),
        username: row.username,
        gender: row.gender,
        birth: row.birth_date.map(midnight),
        country: row.country,
        relationship: row.relationship,
        orientation: row.orientation,
        avatar,
        avatar_key: row.avatar_key,
        added_date: row.created_at.unix_timestamp(),
        viewed: row.viewed,
        subscribers: row.subscribers,
        total_videos: row.total_videos,
    }
}
