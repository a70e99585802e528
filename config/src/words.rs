//! Closed vocabularies, with one spelling for SQL, Rust, JSON and URLs.

use std::{fmt, str::FromStr};

/// Error for a word outside its vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is not a known {vocabulary}")]
pub struct UnknownWord {
    /// Expected vocabulary.
    pub vocabulary: &'static str,
    /// Rejected word, cut to 64 characters.
    pub word: String,
}

macro_rules! words {
    ($(#[doc = $doc:literal])+ $name:ident, $vocabulary:literal { $($(#[$vmeta:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$vmeta])* #[doc = concat!("`", $word, "`")] #[serde(rename = $word)] $variant),+
        }
        impl $name {
            /// All values, in the order in which they are declared.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// Returns the wire spelling.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }
        impl FromStr for $name {
            type Err = UnknownWord;
            fn from_str(word: &str) -> Result<Self, UnknownWord> {
                match word {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(UnknownWord { vocabulary: $vocabulary, word: word.chars().take(64).collect() }),
                }
            }
        }
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                let words = Self::ALL.iter().map(|word| word.as_str());
                let string = utoipa::openapi::schema::Type::String;
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(string)
                    .description(Some(concat!($($doc),+).trim()))
                    .enum_values(Some(words))
                    .into()
            }
        }
        impl utoipa::ToSchema for $name {}
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// Interface languages.
    Lang, "language" { En = "en", Ru = "ru", De = "de", Fr = "fr", Es = "es", Pl = "pl", It = "it", Pt = "pt", Ja = "ja", Nl = "nl" }
}
words! {
    /// Orientation of a video, album or model.
    Gender, "gender" {
        /// Straight.
        Str = "str",
        /// Trans.
        She = "she",
        /// Gay.
        Gay = "gay",
    }
}
words! {
    /// Sort orders of a video listing.
    VideoSort, "video sort" { LatestUpdates = "latest-updates", Longest = "longest", MostCommented = "most-commented", MostPopular = "most-popular", TopRated = "top-rated", Relevance = "relevance" }
}
words! {
    /// Sort orders of an album listing.
    AlbumSort, "album sort" { LatestUpdates = "latest-updates", MostPopular = "most-popular", TopRated = "top-rated", MostViewed = "most-viewed", MostCommented = "most-commented" }
}
words! {
    /// Sort orders of a model listing.
    ModelSort, "model sort" { MostPopular = "most-popular", Alphabet = "alphabet", CountVideos = "count-videos", MostViewed = "most-viewed", LatestUpdates = "latest-updates", TopRated = "top-rated" }
}
words! {
    /// Sort orders of a playlist listing.
    PlaylistSort, "playlist sort" { MostPopular = "most-popular", LatestUpdates = "latest-updates", TopRated = "top-rated", MostViewed = "most-viewed", CountVideos = "count-videos" }
}
words! {
    /// Sort orders of the community list.
    MemberSort, "member sort" { Recent = "recent", MostViewed = "most-viewed", Alphabet = "alphabet", CountVideos = "count-videos", MostPopular = "most-popular" }
}
words! {
    /// Type filter of a video listing.
    VideoType, "type" { All = "all", Hd = "hd", Uncensored = "uncensored" }
}
words! {
    /// Date filter; for `most-popular` it selects the counting window instead.
    DateRange, "date" { All = "all", Day = "day", Week = "week", Month = "month", Year = "year" }
}
words! {
    /// Model filters in the order of the URL.
    ModelFilter, "model filter" { Alphabet = "alphabet", Race = "race", Age = "age", Country = "country", TitsSize = "tits_size", HairColor = "hair_color", Height = "height", Weight = "weight", Tattoo = "tattoo", Piercing = "piercing" }
}
words! {
    /// Member filters in the order of the URL.
    MemberFilter, "member filter" { Country = "country", Gender = "gender", Age = "age", Relationship = "relationship", Avatar = "avatar", Orientation = "orientation", ObjectId = "object_id" }
}

words! {
    /// Category lists: all with videos, most videos first; those with enough videos for the sidebar; by title, with their initials.
    CategorySection, "category section" { All = "all", Sidebar = "sidebar", Letters = "letters" }
}
words! {
    /// Objects that accept comments; a member's wall is a separate list.
    CommentSection, "comment section" { Video = "video", Album = "album", Model = "model", Playlist = "playlist" }
}
impl From<CommentSection> for Section {
    fn from(section: CommentSection) -> Self {
        match section {
            CommentSection::Video => Self::Video,
            CommentSection::Album => Self::Album,
            CommentSection::Model => Self::Model,
            CommentSection::Playlist => Self::Playlist,
        }
    }
}

words! {
    /// Sort orders of comments.
    CommentSort, "comment sort" { Newest = "newest", Oldest = "oldest", MostLiked = "most-liked" }
}

words! {
    /// Kinds of notifications.
    NotificationKind, "kind" { Reply = "reply", Comment = "comment", FriendRequest = "friend_request", FriendAccepted = "friend_accepted", Message = "message", UploadPublished = "upload_published", UploadRefused = "upload_refused", UploadFailed = "upload_failed", FilmReplaced = "film_replaced", FilmRefused = "film_refused" }
}
words! {
    /// Frequency of digest mails.
    Digest, "digest" { Off = "off", Daily = "daily", Weekly = "weekly" }
}

words! {
    /// Objects that can be viewed, voted for, subscribed to and commented on.
    Section, "section" { Video = "video", Album = "album", Model = "model", Playlist = "playlist", User = "user", Channel = "channel" }
}
words! {
    /// Kinds of indexed objects, as named by outbox rows.
    Entity, "outbox entity" { Video = "video", Album = "album", Model = "model", Category = "category", Playlist = "playlist", User = "user" }
}
words! {
    /// Visibility of a playlist; forms send numbers, which are translated on input.
    Visibility, "visibility" { Public = "public", Private = "private" }
}

words! {
    /// Gender of a member.
    MemberGender, "gender of a member" { Male = "male", Female = "female", Trans = "trans", Couple = "couple" }
}
words! {
    /// Relationship status of a member.
    Relationship, "relationship" { Single = "single", InRelationship = "in_relationship", Married = "married", Open = "open", Complicated = "complicated" }
}
words! {
    /// Sexual orientation of a member.
    Orientation, "orientation" { Straight = "straight", Gay = "gay", Lesbian = "lesbian", Bisexual = "bisexual" }
}
words! {
    /// Kinds of mail.
    MailKind, "kind of mail" {
        /// Confirms the address of a new account.
        Confirm = "confirm",
        /// Confirms the new address of an existing account.
        ConfirmNew = "confirm_new",
        /// Password reset link.
        Restore = "restore",
        /// Sign-up with an address that already has an account.
        AlreadyMember = "already_member",
        /// Password reset for an address without an account.
        NoAccount = "no_account",
        /// Notifies the current address of a requested change and how to stop it.
        MailAsked = "mail_asked",
        /// Digest of unread notifications.
        Digest = "digest",
        /// Notifies the former address of a change.
        MailChanged = "mail_changed",
        /// Notifies of a changed password.
        PasswordChanged = "password_changed",
        /// Notifies a member who signed in through a provider that someone else's password was removed from the account.
        PasswordDropped = "password_dropped",
        /// Confirms receipt of a report or message, without quoting it, because the address is unverified.
        ReportReceived = "report_received",
    }
}
words! {
    /// A member's own lists.
    MemberList, "list" { FavouriteVideos = "favourite_videos", WatchLaterVideos = "watch_later_videos", History = "history", Unfinished = "continue_watching", UploadedVideos = "uploaded_videos", Albums = "albums", Playlists = "playlists", Messages = "messages", Subscriptions = "subscriptions", FriendRequests = "friend_requests", Blocks = "blocks", Feed = "feed", SavedSearches = "saved_searches", Notifications = "notifications" }
}

/// Upper bound of a `short` duration in seconds: under 10 minutes. `medium` is up to 30 minutes ([`MEDIUM_UP_TO`]), and `long` is above.
pub const SHORT_BELOW: i64 = 600;
/// See [`SHORT_BELOW`].
pub const MEDIUM_UP_TO: i64 = 1800;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_round_trips() {
        for sort in VideoSort::ALL {
            assert_eq!(sort.as_str().parse::<VideoSort>().as_ref(), Ok(sort));
        }
        assert_eq!(Lang::ALL.len(), 10);
    }

    #[test]
    fn unknown_word_is_rejected_and_truncated() {
        let error = "x".repeat(1000).parse::<Lang>().unwrap_err();
        assert_eq!(error.word.len(), 64);
    }
}
