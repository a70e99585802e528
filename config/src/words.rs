//! The closed vocabularies of the wire contract: one spelling for SQL, Rust, JSON and URLs.

use std::{fmt, str::FromStr};

/// A word outside its vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is not a known {vocabulary}")]
pub struct UnknownWord {
    /// What was expected.
    pub vocabulary: &'static str,
    /// What came.
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
            /// Every value in the order of the contract.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// The wire spelling.
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
    /// Orders of a video listing.
    VideoSort, "video sort" { LatestUpdates = "latest-updates", Longest = "longest", MostCommented = "most-commented", MostPopular = "most-popular", TopRated = "top-rated", Relevance = "relevance" }
}
words! {
    /// Orders of an album listing.
    AlbumSort, "album sort" { LatestUpdates = "latest-updates", MostPopular = "most-popular", TopRated = "top-rated", MostViewed = "most-viewed", MostCommented = "most-commented" }
}
words! {
    /// Orders of a model listing.
    ModelSort, "model sort" { MostPopular = "most-popular", Alphabet = "alphabet", CountVideos = "count-videos", MostViewed = "most-viewed", LatestUpdates = "latest-updates", TopRated = "top-rated" }
}
words! {
    /// Orders of a playlist listing.
    PlaylistSort, "playlist sort" { MostPopular = "most-popular", LatestUpdates = "latest-updates", TopRated = "top-rated", MostViewed = "most-viewed", CountVideos = "count-videos" }
}
words! {
    /// Orders of the community list.
    MemberSort, "member sort" { Recent = "recent", MostViewed = "most-viewed", Alphabet = "alphabet", CountVideos = "count-videos", MostPopular = "most-popular" }
}
words! {
    /// Kind filter of a video listing.
    VideoType, "type" { All = "all", Hd = "hd", Uncensored = "uncensored" }
}
words! {
    /// Date filter; for `most-popular` it names the counting window instead.
    DateRange, "date" { All = "all", Day = "day", Week = "week", Month = "month", Year = "year" }
}
words! {
    /// Model filters in the order an address names them.
    ModelFilter, "model filter" { Alphabet = "alphabet", Race = "race", Age = "age", Country = "country", TitsSize = "tits_size", HairColor = "hair_color", Height = "height", Weight = "weight", Tattoo = "tattoo", Piercing = "piercing" }
}
words! {
    /// Member filters in the order an address names them.
    MemberFilter, "member filter" { Country = "country", Gender = "gender", Age = "age", Relationship = "relationship", Avatar = "avatar", Orientation = "orientation", ObjectId = "object_id" }
}

words! {
    /// Which categories: all that have videos, most first; those with enough for the side of a listing; by title, with the letter each stands under.
    CategorySection, "category section" { All = "all", Sidebar = "sidebar", Letters = "letters" }
}
words! {
    /// What can be commented on; a member's wall is a list of its own.
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
    /// Orders of comments.
    CommentSort, "comment sort" { Newest = "newest", Oldest = "oldest", MostLiked = "most-liked" }
}

words! {
    /// What members are told of.
    NotificationKind, "kind" { Reply = "reply", Comment = "comment", FriendRequest = "friend_request", FriendAccepted = "friend_accepted", Message = "message", UploadPublished = "upload_published", UploadRefused = "upload_refused", UploadFailed = "upload_failed" }
}
words! {
    /// How often a mail sums up what a member was told of.
    Digest, "digest" { Off = "off", Daily = "daily", Weekly = "weekly" }
}

words! {
    /// What can be seen, voted for, subscribed to and commented on.
    Section, "section" { Video = "video", Album = "album", Model = "model", Playlist = "playlist", User = "user", Channel = "channel" }
}
words! {
    /// What the index has documents of: what an outbox row is about.
    Entity, "outbox entity" { Video = "video", Album = "album", Model = "model", Category = "category", Playlist = "playlist", User = "user" }
}
words! {
    /// Who may see a playlist; forms say it with numbers, which are translated where they come in.
    Visibility, "visibility" { Public = "public", Private = "private" }
}

words! {
    /// What members say of themselves.
    MemberGender, "gender of a member" { Male = "male", Female = "female", Trans = "trans", Couple = "couple" }
}
words! {
    /// Whom a member lives with.
    Relationship, "relationship" { Single = "single", InRelationship = "in_relationship", Married = "married", Open = "open", Complicated = "complicated" }
}
words! {
    /// Whom a member likes.
    Orientation, "orientation" { Straight = "straight", Gay = "gay", Lesbian = "lesbian", Bisexual = "bisexual" }
}
words! {
    /// What a mail is about.
    MailKind, "kind of mail" {
        /// Asks whether the address of a new account is the reader's.
        Confirm = "confirm",
        /// Asks the same of the address that an account shall have.
        ConfirmNew = "confirm_new",
        /// Leads to a new password.
        Restore = "restore",
        /// Tells the reader of an address that an account has it already.
        AlreadyMember = "already_member",
        /// Tells the reader of an address that no account has it.
        NoAccount = "no_account",
        /// Tells the present address that another one was requested, and how that is stopped.
        MailAsked = "mail_asked",
        /// Sums up what a member was told of and has not read.
        Digest = "digest",
        /// Tells the former address that the account has another one now.
        MailChanged = "mail_changed",
        /// Tells that the password is another one now.
        PasswordChanged = "password_changed",
        /// Tells who signed in through a provider that the account had the password of somebody else, and lost it.
        PasswordDropped = "password_dropped",
        /// Tells somebody who wrote to us that it arrived. Nothing of it is repeated: the address may be anybody's.
        ReportReceived = "report_received",
    }
}
words! {
    /// A member's own lists.
    MemberList, "list" { FavouriteVideos = "favourite_videos", WatchLaterVideos = "watch_later_videos", History = "history", Unfinished = "continue_watching", UploadedVideos = "uploaded_videos", Albums = "albums", Playlists = "playlists", Messages = "messages", Subscriptions = "subscriptions", FriendRequests = "friend_requests", Blocks = "blocks", Feed = "feed", SavedSearches = "saved_searches", Notifications = "notifications" }
}

/// `status_id` of a video or album that was released.
pub const STATUS_ACTIVE: i16 = 1;
/// State of a video or album that a person rejected.
pub const STATUS_REJECTED: i16 = 4;
/// `status_id` of a deleted object.
pub const STATUS_DELETED: i16 = 5;
/// `status_id` of a banned member.
pub const STATUS_BANNED: i16 = 5;

/// Bounds of the `short`, `medium` and `long` durations in seconds: under 10 minutes, up to 30, above.
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
    fn an_unknown_word_is_refused_and_cut() {
        let error = "x".repeat(1000).parse::<Lang>().unwrap_err();
        assert_eq!(error.word.len(), 64);
    }
}
