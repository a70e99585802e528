//! Index `playlists`: public ones.

use crate::document::document;

document! {
    /// A playlist.
    PlaylistDoc {
        /// Id in the catalog.
        id: i64 = [Retrieved, Filterable],
        /// Title as its owner wrote it.
        title: String = [Retrieved],
        /// Description as its owner wrote it.
        description: String = [Retrieved],
        /// Companion of the title, whose language nobody named: as of a name, with the endings of every language.
        names: Vec<String>,
        /// Japanese companions of title and description.
        ja: Vec<String>,
        /// Its owner.
        user_id: i64 = [Retrieved, Filterable],
        /// The owner's name.
        username: String = [Retrieved],
        /// Code.
        gender: String = [Filterable],
        /// Unix seconds.
        post_date: i64 = [Retrieved],
        /// All views.
        viewed: i64 = [Retrieved],
        /// 0 to 5, the share of likes.
        rating: f64 = [Retrieved],
        /// What lists are ordered by, as of videos.
        standing: f64,
        /// Visible videos.
        total_videos: i64 = [Retrieved, Filterable],
        /// Folder of the first video's pictures.
        media_key: Option<String> = [Retrieved],
        /// Which screenshot is the picture.
        shot: Option<i64> = [Retrieved],
    }
    searchable: ["names", "ja", "title", "description"],
    sortable: ["id", "post_date", "viewed", "standing", "total_videos"],
    tie: "viewed:desc",
}
