//! Screens for albums, playlists and members, parsed from addresses, and the canonical addresses of these screens.

use lantern_config::{AlbumSort, PlaylistSort};

use super::{MemberPage, address::Address, query::Params, routes::ScreenMatch};

/// A screen of the community.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Community {
    /// `/albums/{sort}/{page}/`
    Albums(AlbumSort, u32),
    /// `/album/{id}/{dir}/`
    Album(i64),
    /// `/playlists/{sort}/{page}/`
    Playlists(PlaylistSort, u32),
    /// `/playlist/{id}/{page}/`
    Playlist(i64, u32),
    /// `/community/{sort}/{page}/`, optionally filtered
    Members(MemberPage),
    /// `/members/{id}/{tab}/{page}/`
    Member(i64, Tab, u32),
}

/// A tab of a member's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tab {
    /// Uploaded videos. This is the first tab.
    Videos,
    /// Their albums.
    Albums,
    /// Their playlists.
    Playlists,
    /// Comments on the member.
    Wall,
    /// Their friends.
    Friends,
    /// Members and objects that they follow.
    Subscriptions,
    /// Their profile.
    Info,
    /// Favorite videos, visible only to the member.
    Favourites,
    /// Videos to watch later, visible only to the member.
    WatchLater,
    /// Watch history, visible only to the member.
    History,
    /// Conversations, visible only to the member.
    Messages,
    /// Notifications, visible only to the member.
    Notifications,
}

impl Tab {
    /// Tabs that any viewer may see, in page order.
    pub const ALL: [Self; 7] =
        [Self::Videos, Self::Albums, Self::Playlists, Self::Wall, Self::Friends, Self::Subscriptions, Self::Info];
    /// Tabs that only the member may see.
    pub const OWN: [Self; 5] = [Self::Favourites, Self::WatchLater, Self::History, Self::Messages, Self::Notifications];

    fn of(shown: &ScreenMatch) -> Option<Self> {
        match shown.place("member_list").or(shown.place("member_page")) {
            Some(name) => Self::ALL.into_iter().chain(Self::OWN).find(|tab| tab.as_str() == name),
            None => Some(Self::Videos),
        }
    }

    /// Returns the name in URLs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Videos => "uploaded_videos",
            Self::Albums => "albums",
            Self::Playlists => "playlists",
            Self::Wall => "wall",
            Self::Friends => "friends",
            Self::Subscriptions => "subscriptions",
            Self::Info => "info",
            Self::Favourites => "favourite_videos",
            Self::WatchLater => "watch_later_videos",
            Self::History => "history",
            Self::Messages => "messages",
            Self::Notifications => "notifications",
        }
    }

    /// Returns the key of the title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Videos => "nav.videos",
            Self::Albums => "nav.albums",
            Self::Playlists => "nav.playlists",
            Self::Wall => "community.wall",
            Self::Friends => "community.friends",
            Self::Subscriptions => "community.subscriptions",
            Self::Info => "model.info",
            Self::Favourites => "community.favourites",
            Self::WatchLater => "community.watchLater",
            Self::History => "community.history",
            Self::Messages => "community.messages",
            Self::Notifications => "community.notifications",
        }
    }
}

impl Community {
    /// Returns the screen for a matched address, if it is a community screen.
    pub fn of(shown: &ScreenMatch, params: &Params) -> Option<Self> {
        let page = shown.parse("page").unwrap_or(1);
        let id = || shown.parse("id");
        Some(match shown.screen {
            "albums" => Self::Albums(shown.parse("album_sort")?, page),
            "album" => Self::Album(id()?),
            "playlists" => Self::Playlists(shown.parse("playlist_sort")?, page),
            "playlist" => Self::Playlist(id()?, page),
            "members" => Self::Members(MemberPage::new(shown.parse("member_sort")?, page, params)),
            "member" => Self::Member(id()?, Tab::of(shown)?, page),
            _ => return None,
        })
    }

    /// Returns the number of the results page.
    pub fn page(&self) -> u32 {
        match self {
            Self::Albums(_, page) | Self::Playlists(_, page) | Self::Playlist(_, page) | Self::Member(_, _, page) => {
                *page
            }
            Self::Members(list) => list.page,
            Self::Album(_) => 1,
        }
    }

    /// Returns the address of a results page. An album's canonical address also contains its name ([`super::address::album`]).
    pub fn address(&self, page: u32) -> Address {
        match self {
            Self::Albums(sort, _) => Address::new(format!("/albums/{sort}/{page}/")),
            Self::Album(id) => Address::new(format!("/album/{id}/")),
            Self::Playlists(sort, _) => Address::new(format!("/playlists/{sort}/{page}/")),
            Self::Playlist(id, _) => Address::new(format!("/playlist/{id}/{page}/")),
            Self::Members(list) => list.address(page),
            Self::Member(id, Tab::Videos, _) if page == 1 => Address::new(format!("/members/{id}/")),
            Self::Member(id, tab @ (Tab::Info | Tab::Subscriptions | Tab::Messages), _) => {
                Address::new(format!("/members/{id}/{}/", tab.as_str()))
            }
            Self::Member(id, tab, _) => Address::new(format!("/members/{id}/{}/{page}/", tab.as_str())),
        }
    }
}
