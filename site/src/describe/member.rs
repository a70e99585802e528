//! Pages of members.

use std::sync::Arc;

use futures_util::join;
use lantern_api::{
    comment::item::{CommentItem, CommentsAnswer},
    member::show::MemberProfile,
    subscription::list::SubscriptionItem,
};
use lantern_config::{AlbumSort, PlaylistSort, lifetimes};
use lantern_errors::ApiResult;
use lantern_listing::{
    Section,
    pages::{
        address::{self, Address},
        community::{Community, Tab},
    },
};
use lantern_search::index::VideosAnswer;
use maud::{Markup, html};
use serde_json::{Value, json};

use crate::{
    body::{self, Tile},
    describe::{DESCRIPTION, Scene},
    document::Document,
    shorten::beginning,
};

/// Content of a tab on a member's page.
enum TabContent {
    Videos(Arc<VideosAnswer>),
    /// Tiles, the number of results pages, and the key of the text for an empty list.
    Tiles(Vec<Tile>, usize, &'static str),
    Wall(Arc<CommentsAnswer>),
    Info,
    /// Content that only the app shows, and only to the member.
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
        let description = self.with_title(name, &title, &description);
        let mut page = Document::new(title, description);
        page.image.clone_from(&member.card.avatar);
        let members = (self.text("nav.community"), Address::new("/community/recent/1/"));
        page.trail = vec![self.top(), members, (name.clone(), Address::new(address::member(id)))];
        if tab != Tab::Videos {
            page.trail.push((self.text(tab.title()), screen.address(1)));
        }
        let tabs = Tab::ALL
            .into_iter()
            .map(|tab| (Community::Member(id, tab, 1).address(1).in_lang(None), self.text(tab.title())));
        page.main = html! { h1 { (name) } p { (self.about_member(&member.card)) } (body::nav(name, tabs)) };
        Ok(match content {
            TabContent::Videos(videos) => self.videos_of(page, screen, videos),
            TabContent::Tiles(tiles, pages, none) => self.tiles(page, screen, &tiles, pages, none),
            TabContent::Wall(wall) => {
                page.indexed &= !wall.comments.is_empty();
                page.add(&html! {
                    @if wall.comments.is_empty() { p { (self.text("community.noComments")) } }
                    (written_comments(&wall.comments))
                });
                self.placed(page, screen, usize::try_from(wall.pages).unwrap_or_default())
            }
            TabContent::Info => {
                page.data.push(self.person(id, member));
                let facts = self.facts(member);
                page.indexed = !facts.is_empty();
                page.add(&html! { @for fact in facts { p { (fact) } } });
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
            Tab::Videos => TabContent::Videos(self.owned_videos(lifetimes::MEMBER, Section::Member(id), page).await?),
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
                let tiles = found.subscriptions.iter().map(subscription_tile).collect();
                TabContent::Tiles(tiles, found.totals.pages, "community.noSubscriptions")
            }
            Tab::Wall => TabContent::Wall(self.wall(id, page).await?),
            Tab::Info => TabContent::Info,
            Tab::Favourites | Tab::WatchLater | Tab::History | Tab::Messages | Tab::Notifications => TabContent::Own,
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

    /// Returns the free-form texts in the profile.
    fn facts(&self, member: &MemberProfile) -> Vec<String> {
        let filled = |value: &Option<String>| value.clone().filter(|value| !value.trim().is_empty());
        let lines = [
            ("community.city", &member.city),
            ("community.interests", &member.interests),
            ("community.occupation", &member.occupation),
        ];
        let lines = lines.map(|(key, value)| filled(value).map(|value| format!("{}: {value}", self.text(key))));
        [filled(&member.about)].into_iter().chain(lines).flatten().collect()
    }
}

/// Renders comments, each with its author.
pub fn written_comments(comments: &[CommentItem]) -> Markup {
    html! {
        @for CommentItem { user_id, username, comment, .. } in comments {
            @if let Some(author) = user_id {
                (body::nav(username, [(address::member(*author), username)]))
                p { (comment) }
            }
        }
    }
}

/// Returns the tile for a subscription. Channels have no page.
fn subscription_tile(item: &SubscriptionItem) -> Tile {
    let path = match (item.section.as_str(), &item.dir) {
        ("model", Some(dir)) => Some(address::model(dir)),
        ("user", _) => Some(address::member(item.object_id)),
        _ => None,
    };
    Tile { path, title: item.title.clone(), lang: None, picture: item.thumb.clone(), note: String::new() }
}
