//! Albums, playlists and members: what an address asks for, its own spelling, and the calls of its screen
//! (`web/src/shared/address/community-route.ts`).

use lantern_config::{AlbumSort, MemberSort, PlaylistSort, lifetimes};

use super::{
    address::Address,
    calls::{PAGE_SIZE, Part, bucket, comments},
    member_filters::MemberListFilters,
    query::Params,
    visitor::Visitor,
};

/// Members of a page.
const MEMBERS: u32 = 96;

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

    /// Its calls.
    pub fn calls(&self, visitor: &Visitor) -> Vec<(Part, String)> {
        let (gender, lang) = (visitor.gender, visitor.lang());
        let (default, member) = (lifetimes::DEFAULT, lifetimes::MEMBER);
        let list = |what: &str, sort: &str, page: u32| {
            format!("/api/json/{what}/{default}/{gender}/{sort}/{PAGE_SIZE}/all..{page}.json")
        };
        let single = |what: &str, lifetime: u32, id: i64, rest: &str| {
            format!("/api/json/{what}/{lifetime}/{}/{id}{rest}.json", bucket(id))
        };
        // What has no titles of ours is the same in every language.
        let labelled = |url: String| format!("{url}?lang={lang}");
        match *self {
            Self::Albums(sort, page) => vec![(Part::Albums, labelled(list("albums", sort.as_str(), page)))],
            Self::Playlists(sort, page) => vec![(Part::Playlists, list("playlists", sort.as_str(), page))],
            Self::Members(sort, ref filters, page) => {
                let filters = filters.segment();
                let url = format!("/api/json/members/{member}/filt{filters}/{sort}/{MEMBERS}/{page}.json");
                vec![(Part::Members, labelled(url))]
            }
            Self::Album(id) => {
                vec![(Part::Album, labelled(single("album", default, id, ""))), (Part::Comments, comments("album", id))]
            }
            Self::Playlist(id, page) => vec![
                (Part::Playlist, single("playlist", default, id, "")),
                (Part::Comments, comments("playlist", id)),
                (
                    Part::Videos,
                    labelled(owned("videos2", default, visitor, &format!("playlist.{id}.{page}.all.all.all"))),
                ),
            ],
            Self::Member(id, tab, page) => {
                let mut calls = vec![(Part::Member, single("member", member, id, ""))];
                let mine = format!("member.{id}.{page}");
                let numbered = format!(".{page}");
                calls.extend(match tab {
                    Tab::Videos => Some((
                        Part::Videos,
                        labelled(owned("videos2", member, visitor, &format!("{mine}.all.all.all"))),
                    )),
                    Tab::Albums => Some((Part::Albums, labelled(owned("albums", member, visitor, &mine)))),
                    Tab::Playlists => Some((Part::Playlists, owned("playlists", member, visitor, &mine))),
                    Tab::Wall => Some((Part::Comments, single("member_wall", member, id, &numbered))),
                    Tab::Friends => Some((Part::Members, single("friends", member, id, &numbered))),
                    Tab::Subscriptions => Some((Part::Subscriptions, single("subscriptions", member, id, &numbered))),
                    Tab::Info | Tab::Favourites | Tab::WatchLater | Tab::History | Tab::Messages => None,
                });
                calls
            }
        }
    }
}

/// The call of a list that belongs to someone or something.
fn owned(what: &str, lifetime: u32, visitor: &Visitor, tail: &str) -> String {
    format!("/api/json/{what}/{lifetime}/{}/latest-updates/{PAGE_SIZE}/{tail}.json", visitor.gender)
}
