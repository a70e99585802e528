//! Index `playlists`: public playlists.

use crate::document::document;

document! {
    /// Playlist.
    PlaylistDoc {
        /// Id in the catalog.
        id: i64 = [Retrieved, Filterable],
        /// Title as written by the owner.
        title: String = [Retrieved],
        /// Description as written by the owner.
        description: String = [Retrieved],
        /// Companions of the title. Its language is unknown, so it is spelled like a name, with the stems of every language.
        names: Vec<String>,
        /// Japanese companions of title and description.
        ja: Vec<String>,
        /// Owner.
        user_id: i64 = [Retrieved, Filterable],
        /// Name of the owner.
        username: String = [Retrieved],
        /// Orientation code.
        gender: String = [Filterable],
        /// Creation date in Unix seconds.
        post_date: i64 = [Retrieved],
        /// Total views.
        viewed: i64 = [Retrieved],
        /// Share of likes, scaled to 0 to 5.
        rating: f64 = [Retrieved],
        /// Rating that lists are sorted by, as for videos.
        standing: f64,
        /// Visible videos.
        total_videos: i64 = [Retrieved, Filterable],
        /// Folder of the first video's pictures.
        media_key: Option<String> = [Retrieved],
        /// Number of the screenshot used as picture.
        shot: Option<i64> = [Retrieved],
    }
    searchable: ["names", "ja", "title", "description"],
    sortable: ["id", "post_date", "viewed", "standing", "total_videos"],
    tie: "viewed:desc",
}
