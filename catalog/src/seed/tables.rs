//! All tables that are filled with demo data. They are opened together.

use super::load::{EarlyEnd, Loader, Writer};

macro_rules! tables {
    ($($table:ident: $columns:literal,)+) => {
        /// One writer per table.
        pub(super) struct Tables { $(pub(super) $table: Writer),+ }

        impl Tables {
            pub(super) fn open(loader: &mut Loader) -> Self {
                Self { $($table: loader.open(stringify!($table), $columns)),+ }
            }

            /// Flushes and ends every table.
            pub(super) fn close(self) -> Result<(), EarlyEnd> {
                $(self.$table.close()?;)+
                Ok(())
            }
        }

        pub(super) const NAMES: &[&str] = &[$(stringify!($table)),+];
    };
}

tables! {
    users: "id, username, email, password_hash, status_id, avatar_key, email_confirmed_at, created_at",
    profiles: "user_id, gender, birth_date, relationship, orientation, about, country, created_at",
    user_stats: "user_id, viewed, comments, subscribers",
    friends: "user_id, friend_id, state, created_at, accepted_at",
    messages: "sender_id, recipient_id, body, created_at, id",
    walls: "id, user_id, author_id, body, created_at",
    categories: "id, dir, position, media_key, shot, created_at",
    category_titles: "category_id, lang, title",
    models: "id, dir, title, aliases, gender, birth_date, country, race, hair_color, tits_size, height, weight, tattoo, piercing, about, picture_key, created_at",
    model_names: "model_id, lang, name",
    model_stats: "model_id, viewed, likes, dislikes, comments, subscribers",
    channels: "id, dir, title, url, country, picture_key, cf1, created_at",
    channel_stats: "channel_id, viewed, subscribers",
    videos: "id, dir, title, lang, description, gender, duration, status_id, is_private, is_hd, is_uncensored, media_key, shot, sg_id, user_id, channel_id, post_date, created_at, spoken",
    video_translations: "video_id, lang, title, description",
    video_categories: "video_id, category_id",
    video_models: "video_id, model_id",
    video_stats: "video_id, viewed, viewed_day, viewed_week, viewed_month, likes, dislikes, comments, favourites",
    captions: "video_id, lang, kind, cues, created_at",
    view_days: "video_id, day, viewed",
    view_countries: "country, video_id, viewed",
    performer_consents: "id, model_id, video_id, signed_on, document_kind, document_ref, verified_by, verified_at, created_at",
    albums: "id, dir, title, lang, description, gender, is_private, user_id, post_date, created_at",
    album_stats: "album_id, viewed, likes, dislikes, comments",
    photos: "id, album_id, position, media_key, width, height",
    album_categories: "album_id, category_id",
    album_models: "album_id, model_id",
    playlists: "id, user_id, title, description, visibility, orientation, created_at",
    playlist_stats: "playlist_id, viewed, likes, dislikes, comments",
    playlist_items: "playlist_id, video_id, position, added_at",
    comments: "id, section, object_id, user_id, body, created_at",
    votes: "id, section, object_id, user_id, vote, voted_on",
    favourites: "user_id, video_id, added_at",
    watch_later: "user_id, video_id, added_at",
    history: "user_id, video_id, watched_at, stopped_at",
    subscriptions: "user_id, section, object_id, created_at",
    search_days: "lang, query, day, searches, hits",
}
