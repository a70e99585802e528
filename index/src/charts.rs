//! Index `charts`: the most viewed videos of each country and gender, with what a listing filters by.

use crate::document::document;

document! {
    /// A video's place in a country's chart.
    ChartDoc {
        /// Country and video.
        id: String,
        /// ISO 3166-1 alpha-2.
        country: String = [Filterable],
        /// Which video.
        video_id: i64 = [Retrieved, Filterable],
        /// Views from there.
        viewed: i64 = [Filterable],
        /// Code.
        gender: String = [Filterable],
        /// Seconds.
        duration: i64 = [Filterable],
        /// Unix seconds.
        post_date: i64 = [Filterable],
        /// At least 720 lines.
        is_hd: bool = [Filterable],
        /// Without mosaics.
        is_uncensored: bool = [Filterable],
        /// Its categories.
        category_dirs: Vec<String> = [Filterable],
        /// Its models.
        model_dirs: Vec<String> = [Filterable],
    }
    searchable: ["country"],
    sortable: ["video_id", "viewed"],
    tie: "viewed:desc",
}
