//! Pages for albums and playlists, and for lists of members.

use std::sync::Arc;

use axum::http::StatusCode;
use futures_util::join;
use lantern_config::{AlbumSort, CommentSection, Gender, MemberSort, PlaylistSort, labels, lifetimes};
use lantern_errors::ApiResult;
use lantern_listing::{
    Section,
    pages::{
        MemberPage,
        address::{self, Address},
        community::Community,
        feed_address,
    },
};
use lantern_search::index::{AlbumCard, MemberCard, PlaylistCard, VideosAnswer};
use maud::{Markup, html};
use serde_json::json;

use crate::{
    body::{self, Tile},
    describe::{DESCRIPTION, Scene, around, beyond},
    document::{self, Document},
    shorten::beginning,
    texts::fill,
};

impl Scene<'_> {
    /// Describes the page for a screen.
    pub async fn community(&self, screen: &Community) -> ApiResult<Document> {
        Ok(match *screen {
            Community::Albums(sort, number) => {
                let found = self.album_list(sort, None, number).await?;
                let sort = (sort != AlbumSort::LatestUpdates).then(|| sort.as_str());
                let page = self.collection("nav.albums", "community.aboutAlbums", sort, screen);
                self.tiles(page, screen, &self.albums(&found.albums), found.totals.pages, "community.noAlbums")
            }
            Community::Playlists(sort, number) => {
                let found = self.playlist_list(sort, None, number).await?;
                let sort = (sort != PlaylistSort::MostPopular).then(|| sort.as_str());
                let page = self.collection("nav.playlists", "community.aboutPlaylists", sort, screen);
                let tiles = self.playlists(&found.playlists);
                self.tiles(page, screen, &tiles, found.totals.pages, "community.noPlaylists")
            }
            Community::Members(ref list) => {
                let found = self.member_list(list).await?;
                let sort = (list.sort != MemberSort::Recent).then(|| list.sort.as_str());
                let page = self.collection("nav.community", "community.aboutCommunity", sort, screen);
                let tiles = self.members(&found.members);
                let mut page = self.tiles(page, screen, &tiles, found.totals.pages, "community.noMembers");
                page.indexed &= list.filters.is_empty();
                page
            }
            Community::Album(id) => self.album(id).await?,
            Community::Playlist(id, number) => self.playlist(id, number, screen).await?,
            Community::Member(id, tab, number) => self.member(id, tab, number, screen).await?,
        })
    }

    /// Starts the page for a whole list, with its heading and its sort orders.
    fn collection(&self, name: &str, about: &str, sort: Option<&str>, screen: &Community) -> Document {
        let name = self.text(name);
        let heading = if oriented(screen) { self.named(&name, sort) } else { self.sorted_name(&name, sort) };
        let title = self.numbered(&heading, screen.page());
        let about = self.with_title(&name, &title, &self.text(about));
        let mut page = Document::new(title, about);
        page.orientations = oriented(screen).then(|| screen.address(1));
        page.trail = vec![self.top(), (heading.clone(), self.results_page(screen, 1))];
        page.main = html! { h1 { (heading) } (body::nav(&self.text("sort.label"), self.sorted(screen))) };
        page
    }

    /// Returns the address of a results page for the visitor's orientation.
    fn results_page(&self, screen: &Community, page: u32) -> Address {
        if oriented(screen) { self.own(screen.address(page)) } else { screen.address(page) }
    }

    /// Returns links to the list in each sort order.
    fn sorted(&self, screen: &Community) -> Vec<(String, String)> {
        let other = |name: &str, screen: Community| (self.results_page(&screen, 1).in_lang(None), self.order(name));
        match screen {
            Community::Albums(..) => {
                AlbumSort::ALL.iter().map(|sort| other(sort.as_str(), Community::Albums(*sort, 1))).collect()
            }
            Community::Playlists(..) => {
                PlaylistSort::ALL.iter().map(|sort| other(sort.as_str(), Community::Playlists(*sort, 1))).collect()
            }
            Community::Members(list) => {
                let sorted = |sort| Community::Members(MemberPage { sort, ..list.clone() });
                MemberSort::ALL.iter().map(|sort| other(sort.as_str(), sorted(*sort))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Adds the address and neighbors of a results page. Returns a 404 page past the end of the list.
    pub fn placed(&self, mut page: Document, screen: &Community, pages: usize) -> Document {
        let at = |number: u32| self.results_page(screen, number);
        page.address = Some(at(screen.page()));
        page.around = around(screen.page(), pages, |number| at(number).in_lang(self.visitor.address_lang));
        if beyond(screen.page(), pages) { page.into_error(StatusCode::NOT_FOUND) } else { page }
    }

    pub fn tiles(&self, mut page: Document, screen: &Community, tiles: &[Tile], pages: usize, none: &str) -> Document {
        page.indexed &= !tiles.is_empty();
        page.add(&html! { @if tiles.is_empty() { p { (self.text(none)) } } (body::tiles(tiles)) });
        page.image = page.image.or_else(|| tiles.iter().map(|tile| tile.picture.clone()).find(|path| !path.is_empty()));
        let listed = tiles.iter().filter_map(|tile| Some((tile.title.as_str(), tile.path.clone()?)));
        page.data.extend(document::item_list(listed, self.origin));
        self.placed(page, screen, pages)
    }

    pub fn videos_of(&self, mut page: Document, screen: &Community, found: Arc<VideosAnswer>) -> Document {
        let VideosAnswer { videos, pages, .. } = &*found;
        page.indexed &= !videos.is_empty();
        page.add(&html! { @if videos.is_empty() { p { (self.text("empty.videos")) } } (body::videos(videos, document::ROW)) });
        page.image = page.image.or_else(|| document::picture(videos));
        page.posters = document::posters(videos, document::ROW);
        page.feed = feed_address::of_community(screen).map(|feed| feed.in_lang(self.visitor.address_lang));
        page.data.extend(document::item_list(document::videos(videos), self.origin));
        let page = self.placed(page, screen, *pages);
        Document { videos: Some(found), ..page }
    }

    pub fn fill(&self, key: &str, name: &str, value: &str) -> String {
        fill(self.visitor.lang(), key, &[(name, value)])
    }

    fn by(&self, id: i64, name: &str) -> Markup {
        let by = self.fill("community.by", "name", name);
        body::nav(&by, [(address::member(id), &by)])
    }

    pub fn albums(&self, albums: &[AlbumCard]) -> Vec<Tile> {
        let tile = |card: &AlbumCard| Tile {
            path: Some(address::album(card.album_id, &card.dir)),
            title: card.title.clone(),
            lang: Some(card.title_lang.clone()),
            picture: card.thumb.clone(),
            note: self.fill("community.photos", "count", &card.photos_amount.to_string()),
        };
        albums.iter().map(tile).collect()
    }

    pub fn playlists(&self, playlists: &[PlaylistCard]) -> Vec<Tile> {
        let tile = |card: &PlaylistCard| Tile {
            path: Some(address::playlist(card.playlist_id)),
            title: card.title.clone(),
            lang: None,
            picture: card.pictures.thumb.clone(),
            note: self.fill("community.videos", "count", &card.total_videos.to_string()),
        };
        playlists.iter().map(tile).collect()
    }

    pub fn members(&self, members: &[MemberCard]) -> Vec<Tile> {
        let tile = |card: &MemberCard| Tile {
            path: Some(address::member(card.user_id)),
            title: card.username.clone(),
            lang: None,
            picture: card.avatar.clone().unwrap_or_default(),
            note: self.about_member(card),
        };
        members.iter().map(tile).collect()
    }

    /// Returns age and country, if known.
    pub fn about_member(&self, card: &MemberCard) -> String {
        let country =
            card.country.as_deref().map(|code| labels::label("country", code, self.visitor.lang()).to_owned());
        card.age.map(|age| age.to_string()).into_iter().chain(country).collect::<Vec<_>>().join(" · ")
    }

    async fn album(&self, id: i64) -> ApiResult<Document> {
        let (found, _) = join!(self.one_album(id), self.comments(CommentSection::Album, id));
        let found = found?;
        let album = &found.album;
        let (card, gender) = (&album.card, album.gender.parse().unwrap_or(Gender::Str));
        let about = self.about("community.aboutAlbum", &card.title);
        let described = !album.description.trim().is_empty();
        let about = if described { beginning(&album.description, DESCRIPTION) } else { about };
        let mut page = Document::new(card.title.clone(), about);
        let own = address::album(id, &card.dir);
        // The album is in the lists for its orientation.
        let own_list = |path: &str| Address::new(path).gender(gender);
        let albums = (self.text("nav.albums"), own_list("/albums/latest-updates/1/"));
        let top = (self.text("home.title"), own_list("/"));
        page.trail = vec![top, albums, (card.title.clone(), Address::new(own.clone()))];
        page.image = Some(card.thumbsrc.clone()).filter(|path| !path.is_empty());
        let words = |at: usize| self.fill("community.photo", "number", &(at + 1).to_string());
        let models = card.models.iter().map(|item| (address::model(&item.dir), &item.title));
        page.main = html! {
            h1 lang=(album.lang) { (card.title) }
            @if let Some(user) = &album.user { (self.by(user.user_id, &user.username)) }
            p lang=(album.lang) { (album.description) }
            (body::photos(album.photos.iter().enumerate().map(|(at, photo)| (photo, words(at)))))
            (body::nav(&self.text("nav.models"), models))
        };
        page.data.push(json!({
            "@type": "ImageGallery",
            "name": card.title,
            "url": format!("{}{own}", self.origin),
            "datePublished": card.post_date,
            "inLanguage": album.lang,
            "isFamilyFriendly": false,
            "image": album.photos.iter().map(|photo| format!("{}{}", self.origin, photo.src)).collect::<Vec<_>>(),
        }));
        page.address = Some(Address::new(own));
        Ok(page)
    }

    async fn playlist(&self, id: i64, number: u32, screen: &Community) -> ApiResult<Document> {
        let (found, _, videos) = join!(
            self.one_playlist(id),
            self.comments(CommentSection::Playlist, id),
            self.owned_videos(lifetimes::DEFAULT, Section::Playlist(id), number)
        );
        let found = found?;
        let playlist = &found.playlist.card;
        let described = !playlist.description.trim().is_empty();
        let about = self.about("community.aboutPlaylist", &playlist.title);
        let about = if described { beginning(&playlist.description, DESCRIPTION) } else { about };
        let title = self.numbered(&playlist.title, screen.page());
        let about = self.with_title(&playlist.title, &title, &about);
        let mut page = Document::new(title, about);
        let playlists = (self.text("nav.playlists"), self.own(Address::new("/playlists/most-popular/1/")));
        page.trail = vec![self.top(), playlists, (playlist.title.clone(), screen.address(1))];
        page.image = Some(playlist.pictures.thumbsrc.clone()).filter(|path| !path.is_empty());
        page.main = html! {
            h1 { (playlist.title) }
            (self.by(playlist.user_id, &playlist.username))
            p { (playlist.description) }
        };
        Ok(self.videos_of(page, screen, videos?))
    }
}

/// Whether the content differs by orientation. Members and everything that belongs to a member are the same for all
/// orientations.
fn oriented(screen: &Community) -> bool {
    matches!(screen, Community::Albums(..) | Community::Playlists(..))
}
