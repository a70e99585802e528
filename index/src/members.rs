//! Index `members`: the community. It contains only public data and never mail addresses.

use crate::document::{ByLang, Labels, document};

document! {
    /// Member.
    MemberDoc {
        /// Id in the catalog.
        id: i64 = [Retrieved, Filterable],
        /// Name.
        username: String = [Retrieved],
        /// Gender code.
        gender: Option<String> = [Retrieved, Filterable],
        /// Birth date in Unix seconds. Ages are filtered as ranges of birth dates.
        birth: Option<i64> = [Retrieved, Filterable],
        /// Country, ISO 3166-1 alpha-2.
        country: Option<String> = [Retrieved, Filterable],
        /// Relationship code.
        relationship: Option<String> = [Filterable],
        /// Orientation code.
        orientation: Option<String> = [Filterable],
        /// Whether the member has a picture, `yes` or `no`.
        avatar: String = [Filterable],
        /// Stem of the picture.
        avatar_key: Option<String> = [Retrieved],
        /// Sign-up date in Unix seconds.
        added_date: i64 = [Retrieved],
        /// Page views.
        viewed: i64 = [Retrieved],
        /// Number of subscribers.
        subscribers: i64 = [Retrieved],
        /// Visible videos.
        total_videos: i64 = [Retrieved],
        /// Labels of the filter codes.
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
