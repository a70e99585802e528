//! Index `charts`: the most viewed videos per country and gender, with the fields that listings filter by.

use crate::document::document;

document! {
    /// Entry of a video in a country's chart.
    ChartDoc {
        /// `<country>-<video id>`.
        id: String,
        /// ISO 3166-1 alpha-2.
        country: String = [Filterable],
        /// Id of the video.
        video_id: i64 = [Retrieved, Filterable],
        /// Views from that country.
        viewed: i64 = [Retrieved, Filterable],
        /// Orientation code.
        gender: String = [Filterable],
        /// Duration in seconds.
        duration: i64 = [Filterable],
        /// Publication date in Unix seconds.
        post_date: i64 = [Filterable],
        /// Whether the video has at least 720 lines.
        is_hd: bool = [Filterable],
        /// Whether the video has no mosaics.
        is_uncensored: bool = [Filterable],
        /// Spoken language.
        spoken: Option<String> = [Filterable],
        /// Its categories.
        category_dirs: Vec<String> = [Filterable],
        /// Its models.
        model_dirs: Vec<String> = [Filterable],
    }
    searchable: ["country"],
    sortable: ["video_id", "viewed"],
    tie: "viewed:desc",
}
