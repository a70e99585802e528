//! Turns the answers of a screen's calls into a page.

mod community;
mod fixed;
mod lists;
mod member;
mod models;
mod video;

use axum::{
    extract::FromRef,
    http::{StatusCode, request::Parts},
};
use futures_util::{
    FutureExt,
    future::{self, BoxFuture},
};
use lantern_api::{AppState, home::blocks::HomeAnswer, sources::Sources};
use lantern_config::Gender;
use lantern_errors::{ApiError, ApiResult};
use lantern_listing::pages::{
    address::{self, Address},
    screen::Screen,
};
use maud::html;
use serde_json::json;

use crate::{
    answers::Answers,
    body,
    document::{self, Document},
    request::PageRequest,
    shorten::beginning,
    texts::{fill, text},
    visitor::Visitor,
};

/// Maximum length of a description in characters. Search engines show fewer.
pub const DESCRIPTION: usize = 160;

/// What is needed to describe a page.
pub struct Scene<'a> {
    pub app: &'a AppState,
    pub sources: Sources,
    /// The request without its body.
    pub parts: &'a Parts,
    pub visitor: &'a Visitor,
    /// Origin of the site, without a trailing slash.
    pub origin: &'a str,
    /// Answers to embed for the app.
    pub answers: Answers,
    /// Whether a search is neither relaxed nor counted. Feeds set this, because a follower of a list wants exactly that
    /// list.
    pub strict: bool,
}

impl<'a> Scene<'a> {
    /// Creates the scene for a request by `visitor`.
    pub fn of(app: &'a AppState, request: &'a PageRequest, visitor: &'a Visitor, strict: bool) -> Self {
        let (parts, origin, sources) = (&request.parts, request.origin.as_str(), Sources::from_ref(app));
        Self { app, sources, parts, visitor, origin, answers: Answers::default(), strict }
    }
}

impl Scene<'_> {
    /// Describes the page for a screen.
    ///
    /// # Errors
    /// Fails if the main call fails. The page is complete without the answers of the other calls.
    pub fn describe<'a>(&'a self, screen: &'a Screen) -> BoxFuture<'a, ApiResult<Document>> {
        match screen {
            Screen::Home => self.home().boxed(),
            Screen::Categories => self.categories().boxed(),
            Screen::Videos(list) => self.videos(list).boxed(),
            Screen::Models(list) => self.models(list).boxed(),
            Screen::Model { dir, videos: Some(list) } => self.model(dir, list).boxed(),
            Screen::Model { dir, videos: None } => self.model_info(dir).boxed(),
            Screen::ModelWall(dir) => self.model_wall(dir).boxed(),
            Screen::Video(id) => self.video(*id).boxed(),
            Screen::History(page) => future::ok(self.history(*page)).boxed(),
            Screen::SavedSearches => future::ok(self.saved_searches()).boxed(),
            Screen::Muted => future::ok(self.muted()).boxed(),
            Screen::Community(screen) => self.community(screen).boxed(),
            Screen::Fixed(page) => self.fixed(*page).boxed(),
        }
    }

    /// Describes the page for an unknown address.
    pub fn missing(&self) -> Document {
        let mut page = Document::new(self.text("notFound.title"), self.text("notFound.text"));
        page.main = html! { h1 { (page.title) } p { (page.description) } };
        page.into_error(StatusCode::NOT_FOUND)
    }

    /// Describes the page for a failed call, with its status. For client errors other than 403 and 429, this is the
    /// page for an unknown address.
    pub fn failed(&self, error: &ApiError) -> Document {
        let status = error.status();
        let title = match status {
            StatusCode::FORBIDDEN => "community.private",
            StatusCode::TOO_MANY_REQUESTS => "error.title",
            _ if status.is_client_error() => return self.missing(),
            _ => "error.title",
        };
        self.bare(self.text(title)).into_error(status)
    }

    /// Returns a page with only its title.
    pub fn bare(&self, title: String) -> Document {
        let main = html! { h1 { (title) } };
        Document { main, ..Document::new(title, String::new()) }
    }

    pub fn text(&self, key: &str) -> String {
        text(self.visitor.lang(), key).into_owned()
    }

    pub fn about(&self, key: &str, name: &str) -> String {
        fill(self.visitor.lang(), key, &[("name", name)])
    }

    /// Returns the first breadcrumb of every page.
    pub fn top(&self) -> (String, Address) {
        (self.text("home.title"), self.own(Address::new("/")))
    }

    /// Adds the visitor's orientation to an address.
    pub fn own(&self, address: Address) -> Address {
        address.gender(self.visitor.gender)
    }

    /// Returns the address of a category's list, for links.
    pub fn category(&self, dir: &str) -> String {
        self.own(address::category(dir)).in_lang(None)
    }

    /// Returns the name of a sort order.
    pub fn order(&self, sort: &str) -> String {
        self.text(&if sort == "recent" { "community.recent".to_owned() } else { format!("sort.{sort}") })
    }

    /// Returns the name that distinguishes a list from similar lists, with its sort order and orientation unless they
    /// are the default. The name is the same as in the app (`web/src/lib/list-name.ts`).
    pub fn named(&self, name: &str, sort: Option<&str>) -> String {
        let gender = self.visitor.gender;
        let name = self.sorted_name(name, sort);
        if gender == Gender::Str { name } else { format!("{name} – {}", self.text(&format!("gender.{gender}"))) }
    }

    /// Returns the name of a list that is the same for all orientations, with its sort order.
    pub fn sorted_name(&self, name: &str, sort: Option<&str>) -> String {
        sort.map_or_else(|| name.to_owned(), |sort| format!("{name} – {}", self.order(sort)))
    }

    /// Returns a description. It consists of the sentence, preceded by the page's title if the title contains more than
    /// `name`.
    pub fn with_title(&self, name: &str, title: &str, sentence: &str) -> String {
        if title == name { sentence.to_owned() } else { beginning(&format!("{title} · {sentence}"), DESCRIPTION) }
    }

    pub fn numbered(&self, title: &str, page: u32) -> String {
        if page == 1 {
            return title.to_owned();
        }
        format!("{title} – {}", fill(self.visitor.lang(), "pages.page", &[("page", &page.to_string())]))
    }

    async fn home(&self) -> ApiResult<Document> {
        let blocks = self.blocks().await?;
        let name = self.text("home.title");
        let title = self.named(&name, None);
        let about = self.with_title(&name, &title, &self.text("about.home"));
        let mut page = Document::new(title, about);
        page.address = Some(self.own(Address::new("/")));
        page.orientations = Some(Address::new("/"));
        let HomeAnswer { country, day, latest, models } = &*blocks;
        let lists = [(country, "nav.topCountry"), (day, "home.day"), (latest, "sort.latest-updates")];
        page.posters = document::posters(&country.videos, document::LARGE);
        page.poster_sizes = document::LARGE.sizes;
        page.layout = "home";
        page.image = lists.iter().find_map(|(block, _)| document::picture(&block.videos));
        page.main = html! {
            h1 { (page.title) }
            @for (at, (block, key)) in lists.into_iter().enumerate() {
                @let (shelf, first) = if at == 0 { ("shelf shelf-lead", document::LARGE) } else { ("shelf", document::LATER) };
                h2 { (self.text(key)) }
                div class=(shelf) { (body::videos(&block.videos, first)) }
            }
            h2 { (self.text("home.models")) }
            div.shelf.shelf-models { (body::models(&models.models)) }
        };
        page.data.push(json!({
            "@type": "WebSite", "name": document::SITE, "url": format!("{}/", self.origin),
            "isFamilyFriendly": false, "inLanguage": self.visitor.lang(),
        }));
        Ok(page)
    }

    async fn categories(&self) -> ApiResult<Document> {
        let found = self.all_categories().await?;
        let categories = &found.categories;
        let name = self.text("nav.categories");
        let title = self.named(&name, None);
        let about = self.with_title(&name, &title, &self.text("about.categories"));
        let mut page = Document::new(title, about);
        let own = Address::new("/categories/");
        page.orientations = Some(own.clone());
        page.address = Some(self.own(own.clone()));
        page.indexed = !categories.is_empty();
        page.trail = vec![self.top(), (page.title.clone(), self.own(own))];
        let links = categories.iter().map(|item| (self.category(&item.dir), &item.title));
        page.main = html! { h1 { (page.title) } (body::nav(&page.title, links)) };
        let items = categories.iter().map(|item| (item.title.as_str(), self.category(&item.dir)));
        page.data.extend(document::item_list(items, self.origin));
        Ok(page)
    }

    /// Describes the watch history, which the app fills in from the browser.
    fn history(&self, number: u32) -> Document {
        let mut page = self.bare(self.numbered(&self.text("community.history"), number));
        page.address = Some(Address::new(format!("/videos/history/{number}/")));
        page.indexed = false;
        page
    }

    /// Describes the saved searches, which the app fills in.
    fn saved_searches(&self) -> Document {
        let mut page = self.bare(self.text("nav.saved"));
        page.address = Some(Address::new("/saved-searches/"));
        page.indexed = false;
        page
    }

    /// Describes the page that lists what the visitor has muted. The app fills in the list.
    fn muted(&self) -> Document {
        let mut page = self.bare(self.text("community.muted"));
        page.address = Some(Address::new("/muted/"));
        page.indexed = false;
        page
    }
}

/// Whether a results page is past the end. An empty list still has a first page.
pub fn beyond(page: u32, pages: usize) -> bool {
    page as usize > pages.max(1)
}

/// Returns the previous and the next results page, if they exist. For a page past the end, the previous page is the
/// last one.
pub fn around(page: u32, pages: usize, path: impl Fn(u32) -> String) -> [Option<String>; 2] {
    let last = u32::try_from(pages).unwrap_or(u32::MAX);
    let exists = |number: &u32| (1..=last).contains(number);
    let before = page.saturating_sub(1).min(last);
    [Some(before).filter(exists).map(&path), page.checked_add(1).filter(exists).map(&path)]
}

#[cfg(test)]
mod tests {
    use crate::describe::around;

    #[test]
    fn page_knows_its_neighbours_and_past_the_end_the_last() {
        let of = |page, pages| around(page, pages, |number| number.to_string()).map(Option::unwrap_or_default);
        assert_eq!(of(1, 3), ["", "2"]);
        assert_eq!(of(2, 3), ["1", "3"]);
        assert_eq!(of(3, 3), ["2", ""]);
        assert_eq!(of(4, 3), ["3", ""]);
        assert_eq!(of(9999, 3), ["3", ""]);
        assert_eq!(of(2, 1), ["1", ""]);
        assert_eq!(of(u32::MAX, usize::MAX), [(u32::MAX - 1).to_string(), String::new()]);
        for page in [1, 2, 9999] {
            assert_eq!(of(page, 0), ["", ""], "an empty list has only its first page");
        }
    }
}
