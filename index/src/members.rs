//! Index `members`: the community; only what everybody may see, never an address.

use crate::document::{ByLang, Labels, document};

document! {
    /// A member.
    MemberDoc {
        /// Id in the catalog.
        id: i64 = [Retrieved, Filterable],
        /// Name.
        username: String = [Retrieved],
        /// Code.
        gender: Option<String> = [Retrieved, Filterable],
        /// Unix seconds of the birth date; ages are filtered as ranges of it.
        birth: Option<i64> = [Retrieved, Filterable],
        /// ISO 3166-1 alpha-2.
        country: Option<String> = [Retrieved, Filterable],
        /// Code.
        relationship: Option<String> = [Filterable],
        /// Code.
        orientation: Option<String> = [Filterable],
        /// Whether there is a picture, `yes` or `no`.
        avatar: String = [Filterable],
        /// Stem of the picture.
        avatar_key: Option<String> = [Retrieved],
        /// Unix seconds.
        added_date: i64 = [Retrieved],
        /// Views of the page.
        viewed: i64 = [Retrieved],
        /// Members who follow.
        subscribers: i64 = [Retrieved],
        /// Visible videos.
        total_videos: i64 = [Retrieved],
        /// What filters show.
        labels: ByLang<Labels> = [FilterableBy(
            "labels.{lang}.gender",
            "labels.{lang}.country",
            "labels.{lang}.relationship",
            "labels.{lang}.orientation"
        )],
    }
    searchable: ["username"],
    sortable: ["id", "username", "added_date", "viewed", "total_videos", "subscribers"],
    tie: "viewed:desc",
}
