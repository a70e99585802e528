//! Albums, playlists and members: what an address asks for, and its own spelling
//! (`web/src/shared/address/community-route.ts`).

use lantern_config::{AlbumSort, MemberSort, PlaylistSort};

use super::{address::Address, member_filters::MemberListFilters, query::Params};

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
    /// `/community/{sort}/{page}/`, perhaps only some of them
    Members(MemberSort, MemberListFilters, u32),
    /// `/members/{id}/{tab}/{page}/`
    Member(i64, Tab, u32),
}

/// What is shown of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tab {
    /// Uploaded videos, which the member's page begins with.
    Videos,
    /// Albums.
    Albums,
    /// Public playlists.
    Playlists,
    /// What others wrote.
    Wall,
    /// Friends.
    Friends,
    /// What the member follows.
    Subscriptions,
    /// The profile.
    Info,
    /// Favourite videos, the member's own.
    Favourites,
    /// Videos to be watched later, the member's own.
    WatchLater,
    /// What was watched, the member's own.
    History,
    /// Conversations, the member's own.
    Messages,
}

impl Tab {
    /// What any viewer may see, in the order of the page.
    pub const ALL: [Self; 7] =
        [Self::Videos, Self::Albums, Self::Playlists, Self::Wall, Self::Friends, Self::Subscriptions, Self::Info];
    /// What only the member may see.
    pub const OWN: [Self; 4] = [Self::Favourites, Self::WatchLater, Self::History, Self::Messages];

    /// Name in URLs.
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
        }
    }

    /// Key of its title.
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
        }
    }
}

impl Community {
    /// The screen of a path's segments.
    pub fn of(segments: &[&str], params: &Params) -> Option<Self> {
        let tab = |name: &str| Tab::ALL.into_iter().chain(Tab::OWN).find(|tab| tab.as_str() == name);
        Some(match *segments {
            ["albums", sort, page] => Self::Albums(sort.parse().ok()?, page.parse().ok()?),
            ["album", id] | ["album", id, _] => Self::Album(id.parse().ok()?),
            ["playlists", sort, page] => Self::Playlists(sort.parse().ok()?, page.parse().ok()?),
            ["playlist", id, page] => Self::Playlist(id.parse().ok()?, page.parse().ok()?),
            ["community", sort, page] => {
                Self::Members(sort.parse().ok()?, MemberListFilters::of(params), page.parse().ok()?)
            }
            ["members", id] => Self::Member(id.parse().ok()?, Tab::Videos, 1),
            ["members", id, name] => Self::Member(id.parse().ok()?, tab(name)?, 1),
            ["members", id, name, page] => Self::Member(id.parse().ok()?, tab(name)?, page.parse().ok()?),
            _ => return None,
        })
    }

    /// Number of its page.
    pub fn page(&self) -> u32 {
        match *self {
            Self::Albums(_, page)
            | Self::Playlists(_, page)
            | Self::Playlist(_, page)
            | Self::Members(_, _, page)
            | Self::Member(_, _, page) => page,
            Self::Album(_) => 1,
        }
    }

    /// The address of a page of it. An album's own has its name too ([`super::address::album`]).
    pub fn address(&self, page: u32) -> Address {
        match self {
            Self::Albums(sort, _) => Address::new(format!("/albums/{sort}/{page}/")),
            Self::Album(id) => Address::new(format!("/album/{id}/")),
            Self::Playlists(sort, _) => Address::new(format!("/playlists/{sort}/{page}/")),
            Self::Playlist(id, _) => Address::new(format!("/playlist/{id}/{page}/")),
            Self::Members(sort, filters, _) => Address::new(format!("/community/{sort}/{page}/")).chosen(filters),
            Self::Member(id, Tab::Videos, _) if page == 1 => Address::new(format!("/members/{id}/")),
            Self::Member(id, tab @ (Tab::Info | Tab::Subscriptions | Tab::Messages), _) => {
                Address::new(format!("/members/{id}/{}/", tab.as_str()))
            }
            Self::Member(id, tab, _) => Address::new(format!("/members/{id}/{}/{page}/", tab.as_str())),
        }
    }
}
