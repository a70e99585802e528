//! Pages of albums, playlists and members.

use axum::http::StatusCode;
use lantern_config::{AlbumSort, MemberSort, PlaylistSort, labels};
use serde_json::{Value, json};

use super::{
    address,
    body::{self, Tile},
    calls::Part,
    community::{Chosen, Community, Tab},
    describe::{DESCRIPTION, Scene, around, beyond},
    document::{self, Document},
    texts::fill,
    view::{
        AlbumAnswer, AlbumCard, Albums, Comment, Comments, Member, MemberAnswer, MemberCard, Members, Playlist,
        PlaylistAnswer, Playlists, Subscription, Subscriptions, Videos, beginning,
    },
};

impl Scene<'_> {
    /// The page of a screen.
    pub(super) fn community(&self, screen: Community) -> Option<Document> {
        match screen {
            Community::Albums(..) => {
                let Albums { albums, pages } = self.answers.read(Part::Albums)?;
                let page = self.collection("nav.albums", "community.aboutAlbums", screen);
                Some(self.tiles(page, screen, &self.albums(&albums), pages, "community.noAlbums"))
            }
            Community::Playlists(..) => {
                let Playlists { playlists, pages } = self.answers.read(Part::Playlists)?;
                let page = self.collection("nav.playlists", "community.aboutPlaylists", screen);
                Some(self.tiles(page, screen, &self.playlists(&playlists), pages, "community.noPlaylists"))
            }
            Community::Members(_, Chosen::Filtered, _) => {
                let mut page = self.collection("nav.community", "community.aboutCommunity", screen);
                page.indexed = false;
                page.address = Some(screen.address(screen.page()));
                Some(page)
            }
            Community::Members(_, chosen, _) => {
                let Members { members, pages } = self.answers.read(Part::Members)?;
                let page = self.collection("nav.community", "community.aboutCommunity", screen);
                let mut page = self.tiles(page, screen, &self.members(&members), pages, "community.noMembers");
                page.indexed &= chosen == Chosen::All;
                Some(page)
            }
            Community::Album(id) => self.album(id),
            Community::Playlist(..) => self.playlist(screen),
            Community::Member(id, tab, _) => self.member(id, tab, screen),
        }
    }

    /// The top of a list of its own.
    fn collection(&self, title: &str, about: &str, screen: Community) -> Document {
        let heading = self.text(title);
        let mut page = Document::new(self.numbered(&heading, screen.page()), self.text(about));
        page.trail = vec![self.top(), (heading.clone(), screen.address(1).in_lang(None))];
        body::heading(&mut page.main, &heading);
        body::nav(&mut page.main, &self.text("sort.label"), self.sorted(screen).into_iter());
        page
    }

    /// The list in its other orders.
    fn sorted(&self, screen: Community) -> Vec<(String, String)> {
        let other = |name: &str, screen: Community| {
            let key = if name == "recent" { "community.recent".to_owned() } else { format!("sort.{name}") };
            (screen.address(1).in_lang(None), self.text(&key))
        };
        match screen {
            Community::Albums(..) => {
                AlbumSort::ALL.iter().map(|sort| other(sort.as_str(), Community::Albums(*sort, 1))).collect()
            }
            Community::Playlists(..) => {
                PlaylistSort::ALL.iter().map(|sort| other(sort.as_str(), Community::Playlists(*sort, 1))).collect()
            }
            Community::Members(_, chosen, _) => {
                let sorts = MemberSort::ALL.iter();
                sorts.map(|sort| other(sort.as_str(), Community::Members(*sort, chosen, 1))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Where the page is among those of its list; 404 where there is no such page.
    fn placed(&self, mut page: Document, screen: Community, pages: u32) -> Document {
        // Members and single objects are the same to every orientation.
        let at = |number: u32| match screen {
            Community::Albums(..) | Community::Playlists(..) => screen.address(number).gender(self.visitor.gender),
            _ => screen.address(number),
        };
        page.address = Some(at(screen.page()));
        page.around = around(screen.page(), pages, |number| at(number).in_lang(self.visitor.asked_lang));
        if beyond(screen.page(), pages) { page.not_there(StatusCode::NOT_FOUND) } else { page }
    }

    fn tiles(&self, mut page: Document, screen: Community, tiles: &[Tile], pages: u32, none: &str) -> Document {
        if tiles.is_empty() {
            body::paragraph(&mut page.main, &self.text(none));
        }
        body::tiles(&mut page.main, tiles);
        page.image = page.image.or_else(|| tiles.iter().map(|tile| tile.picture.clone()).find(|path| !path.is_empty()));
        let listed = tiles.iter().filter_map(|tile| Some((tile.title.as_str(), tile.path.clone()?)));
        page.data.push(document::item_list(listed, self.origin));
        self.placed(page, screen, pages)
    }

    fn videos_of(&self, mut page: Document, screen: Community) -> Option<Document> {
        let Videos { videos, pages, .. } = self.answers.read(Part::Videos)?;
        if videos.is_empty() {
            body::paragraph(&mut page.main, &self.text("empty.videos"));
        }
        body::videos(&mut page.main, &videos);
        page.image = page.image.or_else(|| videos.first().map(|card| card.img.clone()));
        page.posters = document::posters(&videos);
        page.data.push(document::item_list(document::videos(&videos), self.origin));
        Some(self.placed(page, screen, pages))
    }

    fn fill(&self, key: &str, name: &str, value: &str) -> String {
        fill(self.visitor.lang(), key, &[(name, value)])
    }

    fn albums(&self, albums: &[AlbumCard]) -> Vec<Tile> {
        let tile = |card: &AlbumCard| Tile {
            path: Some(address::album(card.album_id, &card.dir)),
            title: card.title.clone(),
            picture: card.thumb.clone(),
            note: self.fill("community.photos", "count", &card.photos_amount.to_string()),
        };
        albums.iter().map(tile).collect()
    }

    fn playlists(&self, playlists: &[Playlist]) -> Vec<Tile> {
        let tile = |card: &Playlist| Tile {
            path: Some(address::playlist(card.playlist_id)),
            title: card.title.clone(),
            picture: card.thumb.clone(),
            note: self.fill("community.videos", "count", &card.total_videos.to_string()),
        };
        playlists.iter().map(tile).collect()
    }

    fn members(&self, members: &[MemberCard]) -> Vec<Tile> {
        let tile = |card: &MemberCard| Tile {
            path: Some(address::member(card.user_id)),
            title: card.username.clone(),
            picture: card.avatar.clone().unwrap_or_default(),
            note: self.about_member(card),
        };
        members.iter().map(tile).collect()
    }

    /// Age and country, as far as they are known.
    fn about_member(&self, card: &MemberCard) -> String {
        let country =
            card.country.as_deref().map(|code| labels::label("country", code, self.visitor.lang()).to_owned());
        card.age.map(|age| age.to_string()).into_iter().chain(country).collect::<Vec<_>>().join(" · ")
    }

    fn album(&self, id: i64) -> Option<Document> {
        let AlbumAnswer { album } = self.answers.read(Part::Album)?;
        let card = &album.card;
        let about = self.about("community.aboutAlbum", &card.title);
        let described = !album.description.trim().is_empty();
        let about = if described { beginning(&album.description, DESCRIPTION) } else { about };
        let mut page = Document::new(card.title.clone(), about);
        let own = address::album(id, &card.dir);
        let albums = (self.text("nav.albums"), "/albums/latest-updates/1/".to_owned());
        page.trail = vec![self.top(), albums, (card.title.clone(), own.clone())];
        page.image = Some(card.thumbsrc.clone()).filter(|path| !path.is_empty());
        body::heading(&mut page.main, &card.title);
        if let Some(user) = &album.user {
            let by = self.fill("community.by", "name", &user.username);
            body::nav(&mut page.main, &by, [(address::member(user.user_id), by.clone())].into_iter());
        }
        body::paragraph(&mut page.main, &album.description);
        let words = |at: usize| self.fill("community.photo", "number", &(at + 1).to_string());
        body::photos(&mut page.main, album.photos.iter().enumerate().map(|(at, photo)| (photo, words(at))));
        body::names(&mut page.main, &self.text("nav.models"), &card.models, address::model);
        body::names(&mut page.main, &self.text("nav.categories"), &card.categories, address::category);
        page.data.push(json!({
            "@type": "ImageGallery",
            "name": card.title,
            "url": format!("{}{own}", self.origin),
            "datePublished": card.post_date,
            "inLanguage": self.visitor.lang(),
            "isFamilyFriendly": false,
            "image": album.photos.iter().map(|photo| format!("{}{}", self.origin, photo.src)).collect::<Vec<_>>(),
        }));
        page.address = Some(address::Address::new(own));
        Some(page)
    }

    fn playlist(&self, screen: Community) -> Option<Document> {
        let PlaylistAnswer { playlist } = self.answers.read(Part::Playlist)?;
        let described = !playlist.description.trim().is_empty();
        let about = self.about("community.aboutPlaylist", &playlist.title);
        let about = if described { beginning(&playlist.description, DESCRIPTION) } else { about };
        let mut page = Document::new(self.numbered(&playlist.title, screen.page()), about);
        let playlists = (self.text("nav.playlists"), "/playlists/most-popular/1/".to_owned());
        page.trail = vec![self.top(), playlists, (playlist.title.clone(), screen.address(1).in_lang(None))];
        page.image = Some(playlist.thumbsrc.clone()).filter(|path| !path.is_empty());
        body::heading(&mut page.main, &playlist.title);
        let by = self.fill("community.by", "name", &playlist.username);
        body::nav(&mut page.main, &by, [(address::member(playlist.user_id), by.clone())].into_iter());
        body::paragraph(&mut page.main, &playlist.description);
        self.videos_of(page, screen)
    }

    fn member(&self, id: i64, tab: Tab, screen: Community) -> Option<Document> {
        let MemberAnswer { member } = self.answers.read(Part::Member)?;
        let name = &member.card.username;
        let shown = if tab == Tab::Videos { name.clone() } else { format!("{name} – {}", self.text(tab.title())) };
        let about = member.about.as_deref().filter(|about| !about.trim().is_empty());
        let sentence = self.about("community.aboutMember", name);
        let description = about.map_or(sentence, |about| beginning(about, DESCRIPTION));
        let mut page = Document::new(self.numbered(&shown, screen.page()), description);
        page.image.clone_from(&member.card.avatar);
        let members = (self.text("nav.community"), "/community/recent/1/".to_owned());
        page.trail = vec![self.top(), members, (name.clone(), address::member(id))];
        if tab != Tab::Videos {
            page.trail.push((self.text(tab.title()), screen.address(1).in_lang(None)));
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
            facts(&mut page, &member, |key| self.text(key));
            return Some(self.placed(page, screen, 1));
        }
        self.tab(tab, page, screen)
    }

    /// A list of what is a member's.
    fn tab(&self, tab: Tab, mut page: Document, screen: Community) -> Option<Document> {
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
                    body::paragraph(&mut page.main, &self.text("community.noComments"));
                }
                written(&mut page, comments);
                Some(self.placed(page, screen, pages))
            }
            Tab::Info | Tab::Favourites | Tab::WatchLater | Tab::History | Tab::Messages => None,
        }
    }

    fn person(&self, id: i64, member: &Member) -> Value {
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

/// The profile, in the member's own words.
fn facts(page: &mut Document, member: &Member, text: impl Fn(&str) -> String) {
    body::paragraph(&mut page.main, member.about.as_deref().unwrap_or_default());
    for (key, value) in [
        ("community.city", &member.city),
        ("community.interests", &member.interests),
        ("community.occupation", &member.occupation),
    ] {
        if let Some(value) = value {
            body::paragraph(&mut page.main, &format!("{}: {value}", text(key)));
        }
    }
}

/// What members wrote, each with who did.
pub(super) fn written(page: &mut Document, comments: Vec<Comment>) {
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
