//! The pages of members.

use std::sync::Arc;

use futures_util::join;
use lantern_config::{AlbumSort, PlaylistSort, lifetimes};
use serde_json::{Value, json};

use super::{DESCRIPTION, Scene};
use crate::page::{
    address::{self, Address},
    body::{self, Tile},
    community::{Community, Tab},
    document::Document,
    shorten::beginning,
};
use crate::{
    comment::list::{CommentItem, CommentsAnswer},
    http::error::ApiResult,
    index::VideosAnswer,
    member::show::MemberProfile,
    subscription::list::SubscriptionItem,
};

/// What stands below the top of a member's page.
enum TabContent {
    Videos(Arc<VideosAnswer>),
    /// Tiles, the number of pages, and what is said instead of none.
    Tiles(Vec<Tile>, usize, &'static str),
    Wall(Arc<CommentsAnswer>),
    Info,
    /// The app shows it to the member.
    Own,
}

impl Scene<'_> {
    pub async fn member(&self, id: i64, tab: Tab, number: u32, screen: &Community) -> ApiResult<Document> {
        let (found, content) = join!(self.one_member(id), self.tab_content(id, tab, number));
        let (found, content) = (found?, content?);
        let member = &found.member;
        let name = &member.card.username;
        let shown = if tab == Tab::Videos { name.clone() } else { format!("{name} – {}", self.text(tab.title())) };
        let about = member.about.as_deref().filter(|about| !about.trim().is_empty());
        let sentence = self.about("community.aboutMember", name);
        let description = about.map_or(sentence, |about| beginning(about, DESCRIPTION));
        let title = self.numbered(&shown, screen.page());
        let description = self.told(name, &title, &description);
        let mut page = Document::new(title, description);
        page.image.clone_from(&member.card.avatar);
        let members = (self.text("nav.community"), Address::new("/community/recent/1/"));
        page.trail = vec![self.top(), members, (name.clone(), Address::new(address::member(id)))];
        if tab != Tab::Videos {
            page.trail.push((self.text(tab.title()), screen.address(1)));
        }
        body::heading(&mut page.main, name);
        body::paragraph(&mut page.main, &self.about_member(&member.card));
        let tabs = Tab::ALL
            .into_iter()
            .map(|tab| (Community::Member(id, tab, 1).address(1).in_lang(None), self.text(tab.title())));
        body::nav(&mut page.main, name, tabs);
        Ok(match content {
            TabContent::Videos(videos) => self.videos_of(page, screen, videos),
            TabContent::Tiles(tiles, pages, none) => self.tiles(page, screen, &tiles, pages, none),
            TabContent::Wall(wall) => {
                if wall.comments.is_empty() {
                    page.indexed = false;
                    body::paragraph(&mut page.main, &self.text("community.noComments"));
                }
                written(&mut page, &wall.comments);
                self.placed(page, screen, usize::try_from(wall.pages).unwrap_or_default())
            }
            TabContent::Info => {
                page.data.push(self.person(id, member));
                page.indexed = facts(&mut page, member, |key| self.text(key));
                self.placed(page, screen, 1)
            }
            TabContent::Own => {
                page.indexed = false;
                page.address = Some(screen.address(number));
                page
            }
        })
    }

    async fn tab_content(&self, id: i64, tab: Tab, page: u32) -> ApiResult<TabContent> {
        Ok(match tab {
            Tab::Videos => TabContent::Videos(self.owned_videos(lifetimes::MEMBER, "member", id, page).await?),
            Tab::Albums => {
                let found = self.album_list(AlbumSort::LatestUpdates, Some(id), page).await?;
                TabContent::Tiles(self.albums(&found.albums), found.totals.pages, "community.noAlbums")
            }
            Tab::Playlists => {
                let found = self.playlist_list(PlaylistSort::LatestUpdates, Some(id), page).await?;
                TabContent::Tiles(self.playlists(&found.playlists), found.totals.pages, "community.noPlaylists")
            }
            Tab::Friends => {
                let found = self.friends(id, page).await?;
                TabContent::Tiles(self.members(&found.friends), found.totals.pages, "community.noMembers")
            }
            Tab::Subscriptions => {
                let found = self.subscriptions(id, page).await?;
                let tiles = found.subscriptions.iter().map(followed).collect();
                TabContent::Tiles(tiles, found.totals.pages, "community.noSubscriptions")
            }
            Tab::Wall => TabContent::Wall(self.wall(id, page).await?),
            Tab::Info => TabContent::Info,
            Tab::Favourites | Tab::WatchLater | Tab::History | Tab::Messages => TabContent::Own,
        })
    }

    fn person(&self, id: i64, member: &MemberProfile) -> Value {
        json!({
            "@type": "ProfilePage",
            "mainEntity": {
                "@type": "Person",
                "name": member.card.username,
                "url": format!("{}{}", self.origin, address::member(id)),
                "image": member.card.avatar.as_ref().map(|path| format!("{}{path}", self.origin)),
            },
        })
    }
}

/// The profile, in the member's own words; whether there are any.
fn facts(page: &mut Document, member: &MemberProfile, text: impl Fn(&str) -> String) -> bool {
    let told = |value: &Option<String>| value.clone().filter(|value| !value.trim().is_empty());
    let mut any = false;
    if let Some(about) = told(&member.about) {
        body::paragraph(&mut page.main, &about);
        any = true;
    }
    for (key, value) in [
        ("community.city", &member.city),
        ("community.interests", &member.interests),
        ("community.occupation", &member.occupation),
    ] {
        if let Some(value) = told(value) {
            body::paragraph(&mut page.main, &format!("{}: {value}", text(key)));
            any = true;
        }
    }
    any
}

/// What members wrote, each with who did.
pub fn written(page: &mut Document, comments: &[CommentItem]) {
    for comment in comments {
        let writer = (address::member(comment.user_id), comment.username.clone());
        body::nav(&mut page.main, &comment.username, [writer].into_iter());
        body::paragraph(&mut page.main, &comment.comment);
    }
}

/// Channels have no page here.
fn followed(item: &SubscriptionItem) -> Tile {
    let path = match (item.section.as_str(), &item.dir) {
        ("model", Some(dir)) => Some(address::model(dir)),
        ("user", _) => Some(address::member(item.object_id)),
        _ => None,
    };
    Tile { path, title: item.title.clone(), picture: item.thumb.clone(), note: String::new() }
}
