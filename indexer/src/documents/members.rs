//! Index `members`.

use lantern_catalog::documents::members::MemberRow;
use lantern_index::MemberDoc;

use super::{filter_labels, midnight};

pub fn from_row(row: MemberRow) -> MemberDoc {
    MemberDoc {
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
        avatar: if row.avatar_key.is_some() { "yes" } else { "no" }.to_owned(),
        avatar_key: row.avatar_key,
        added_date: row.created_at.unix_timestamp(),
        viewed: row.viewed,
        subscribers: row.subscribers.into(),
        total_videos: row.total_videos,
    }
}
