//! Sort keys of lists. The last key is unique, so each order is total.

use std::{fmt::Display, str::FromStr};

use lantern_config::{AlbumSort, MemberSort, ModelSort, PlaylistSort};

use crate::section::Section;

/// A vocabulary of sort orders.
pub trait SortWord: Copy + FromStr + Display {
    /// Returns the key before the id.
    fn key(self) -> &'static str;

    /// Returns the sort keys.
    fn keys(self) -> [&'static str; 2] {
        [self.key(), "id:desc"]
    }
}

/// Sort orders of a list of objects.
pub trait ObjectSort: SortWord {
    /// Name of the list's call.
    const CALL: &'static str;

    /// Returns whether the call supports a section.
    fn has(section: &Section) -> bool;
}

impl SortWord for AlbumSort {
    /// Daily views of albums aren't stored, so "most popular" means "most viewed".
    fn key(self) -> &'static str {
        match self {
            Self::LatestUpdates => "post_date:desc",
            Self::MostPopular | Self::MostViewed => "viewed:desc",
            Self::TopRated => "standing:desc",
            Self::MostCommented => "comments:desc",
        }
    }
}

impl ObjectSort for AlbumSort {
    const CALL: &'static str = "albums";

    fn has(section: &Section) -> bool {
        matches!(section, Section::All | Section::Categories(_) | Section::Model(_) | Section::Member(_))
    }
}

impl SortWord for PlaylistSort {
    fn key(self) -> &'static str {
        match self {
            Self::MostPopular | Self::MostViewed => "viewed:desc",
            Self::LatestUpdates => "post_date:desc",
            Self::TopRated => "standing:desc",
            Self::CountVideos => "total_videos:desc",
        }
    }
}

impl ObjectSort for PlaylistSort {
    const CALL: &'static str = "playlists";

    fn has(section: &Section) -> bool {
        matches!(section, Section::All | Section::Member(_))
    }
}

impl SortWord for ModelSort {
    fn key(self) -> &'static str {
        match self {
            Self::MostPopular => "subscribers:desc",
            Self::Alphabet => "title:asc",
            Self::CountVideos => "total_videos:desc",
            Self::MostViewed => "viewed:desc",
            Self::LatestUpdates => "added_date:desc",
            Self::TopRated => "standing:desc",
        }
    }
}

impl SortWord for MemberSort {
    fn key(self) -> &'static str {
        match self {
            Self::Recent => "added_date:desc",
            Self::MostViewed => "viewed:desc",
            Self::Alphabet => "username:asc",
            Self::CountVideos => "total_videos:desc",
            Self::MostPopular => "subscribers:desc",
        }
    }
}
