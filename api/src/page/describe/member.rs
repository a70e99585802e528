//! The pages of members.

use serde_json::{Value, json};

use super::{DESCRIPTION, Scene};
use crate::page::{
    address::{self, Address},
    body::{self, Tile},
    calls::Part,
    community::{Community, Tab},
    document::Document,
    shorten::beginning,
    view::community::{
        Albums, Comment, Comments, MemberData, MemberFacts, Members, Playlists, Subscription, Subscriptions,
    },
};

impl Scene<'_> {
    pub fn member(&self, id: i64, tab: Tab, screen: &Community) -> Option<Document> {
        let MemberData { member } = self.answers.read(Part::Member)?;
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
        if Tab::OWN.contains(&tab) {
            // The app shows it to the member.
            page.indexed = false;
            page.address = Some(screen.address(screen.page()));
            return Some(page);
        }
        if tab == Tab::Info {
            page.data.push(self.person(id, &member));
            page.indexed = facts(&mut page, &member, |key| self.text(key));
            return Some(self.placed(page, screen, 1));
        }
        self.tab(tab, page, screen)
    }

    /// A list of what is a member's.
    fn tab(&self, tab: Tab, mut page: Document, screen: &Community) -> Option<Document> {
        match tab {
            Tab::Videos => self.videos_of(page, screen),
            Tab::Albums => {
                let Albums { albums, pages } = self.answers.read(Part::Albums)?;
                Some(self.tiles(page, screen, &self.albums(&albums), pages, "community.noAlbums"))
            }
            Tab::Playlists => {
                let Playlists { playlists, pages } = self.answers.read(Part::Playlists)?;
                Some(self.tiles(page, screen, &self.playlists(&playlists), pages, "community.noPlaylists"))
            }
            Tab::Friends => {
                let Members { members, pages } = self.answers.read(Part::Members)?;
                Some(self.tiles(page, screen, &self.members(&members), pages, "community.noMembers"))
            }
            Tab::Subscriptions => {
                let Subscriptions { subscriptions, pages } = self.answers.read(Part::Subscriptions)?;
                let tiles: Vec<Tile> = subscriptions.iter().map(followed).collect();
                Some(self.tiles(page, screen, &tiles, pages, "community.noSubscriptions"))
            }
            Tab::Wall => {
                let Comments { comments, pages } = self.answers.read(Part::Comments)?;
                if comments.is_empty() {
                    page.indexed = false;
                    body::paragraph(&mut page.main, &self.text("community.noComments"));
                }
                written(&mut page, comments);
                Some(self.placed(page, screen, pages))
            }
            Tab::Info | Tab::Favourites | Tab::WatchLater | Tab::History | Tab::Messages => None,
        }
    }

    fn person(&self, id: i64, member: &MemberFacts) -> Value {
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
fn facts(page: &mut Document, member: &MemberFacts, text: impl Fn(&str) -> String) -> bool {
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
pub fn written(page: &mut Document, comments: Vec<Comment>) {
    for comment in comments {
        let writer = (address::member(comment.user_id), comment.username.clone());
        body::nav(&mut page.main, &comment.username, [writer].into_iter());
        body::paragraph(&mut page.main, &comment.comment);
    }
}

/// Channels have no page here.
fn followed(item: &Subscription) -> Tile {
    let path = match (item.section.as_str(), &item.dir) {
        ("model", Some(dir)) => Some(address::model(dir)),
        ("user", _) => Some(address::member(item.object_id)),
        _ => None,
    };
    Tile { path, title: item.title.clone(), picture: item.thumb.clone(), note: String::new() }
}
