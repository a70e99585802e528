//! Pages for lists of videos.

use std::sync::Arc;

use axum::http::StatusCode;
use lantern_config::{VideoSort, labels};
use lantern_errors::ApiResult;
use lantern_listing::pages::{Scope, VideoPage, address::Address, feed_address};
use lantern_search::index::{Fallback, VideosAnswer};
use maud::{Markup, html};

use crate::{
    body,
    describe::{DESCRIPTION, Scene, around, beyond},
    document::{self, Document},
    shorten::beginning,
    texts::fill,
};

/// Maximum number of alternative queries named in a heading, as in the app.
const NAMED: usize = 3;

impl Scene<'_> {
    pub async fn videos(&self, list: &VideoPage) -> ApiResult<Document> {
        let found = self.video_list(list).await?;
        let heading = self.list_name(list, found.fallback.is_some()).await?;
        let title = self.numbered(&heading, list.page);
        let about = beginning(&self.about("about.list", &title), DESCRIPTION);
        let mut page = Document::new(title, about);
        page.trail = self.list_trail(list, &heading);
        page.orientations = Some(list.address(1));
        page.layout = "list";
        if let Scope::Search(query) = &list.scope {
            page.search.clone_from(query);
        }
        page.main = html! {
            h1 { (heading) }
            @if let Scope::Browse(_) = &list.scope { (body::nav(&self.text("sort.label"), self.sorts(list))) }
        };
        Ok(self.listed(page, list, found))
    }

    /// Adds what every list of videos has, below what `page` already contains.
    pub fn listed(&self, mut page: Document, list: &VideoPage, found: Arc<VideosAnswer>) -> Document {
        let at = |number: u32| list.of_gender(number, self.visitor.gender);
        page.address = Some(at(list.page));
        page.indexed = !list.is_filtered()
            && match &list.scope {
                // Searches and combinations of categories are endless, so they are not indexed.
                Scope::Search(_) => false,
                Scope::Browse(dirs) => dirs.len() <= 1 && !found.videos.is_empty(),
                // Without a country, this is the chart for the viewer's country, which may be empty for some viewers only.
                Scope::Country(country) => country.is_none() || !found.videos.is_empty(),
                // Other orders repeat the same videos.
                Scope::Model(_) => list.sort == VideoSort::LatestUpdates && !found.videos.is_empty(),
            };
        page.around = around(list.page, found.pages, |number| at(number).in_lang(self.visitor.address_lang));
        page.image = page.image.or_else(|| document::picture(&found.videos));
        page.posters = document::posters(&found.videos, document::ROW);
        page.feed = feed_address::of_list(list, self.visitor.gender, &self.visitor.country)
            .map(|feed| feed.in_lang(self.visitor.address_lang));
        page.add(&html! {
            @if found.videos.is_empty() { p { (self.text("empty.videos")) } }
            (self.fallback_heading(found.fallback.as_ref()))
            (body::videos(&found.videos, document::ROW))
            @if let Some(partial) = &found.partial {
                h2 { (self.heading_of(&partial.shown_for)) }
                (body::videos(&partial.videos, document::ROW))
            }
        });
        page.data.extend(document::item_list(document::videos(&found.videos), self.origin));
        let beyond = beyond(list.page, found.pages);
        page.videos = Some(found);
        if beyond { page.into_error(StatusCode::NOT_FOUND) } else { page }
    }

    /// Renders the heading for videos other than those searched for, as in the app (`web/src/shared/search-help/search-help.tsx`).
    fn fallback_heading(&self, fallback: Option<&Fallback>) -> Markup {
        let text = match fallback {
            None | Some(Fallback::Nothing) => return html! {},
            Some(Fallback::Popular) => self.text("sort.most-popular"),
            Some(Fallback::Unfiltered) => self.text("filter.results"),
            Some(Fallback::Other(texts)) => self.heading_of(texts),
        };
        html! { h2 { (text) } }
    }

    /// Returns the heading for the videos of other queries.
    fn heading_of(&self, queries: &[String]) -> String {
        let queries = queries[..queries.len().min(NAMED)].join(" / ");
        fill(self.visitor.lang(), "search.heading", &[("query", &queries)])
    }

    /// Returns the name of a list, which distinguishes it from similar lists.
    async fn list_name(&self, list: &VideoPage, is_empty_search: bool) -> ApiResult<String> {
        let is_default = list.sort == VideoSort::LatestUpdates;
        let sorted = matches!(&list.scope, Scope::Browse(dirs) if !dirs.is_empty()) && !is_default;
        Ok(self.named(&self.list_heading(list, is_empty_search).await?, sorted.then(|| list.sort.as_str())))
    }

    /// Returns the name of a list, without its sort order.
    async fn list_heading(&self, list: &VideoPage, is_empty_search: bool) -> ApiResult<String> {
        let lang = self.visitor.lang();
        Ok(match &list.scope {
            Scope::Browse(dirs) if dirs.is_empty() => self.text(&format!("sort.{}", list.sort)),
            Scope::Browse(dirs) => {
                let names = self.app.reader.categories.current().await?;
                dirs.iter().map(|dir| names.title(dir, lang)).collect::<Vec<_>>().join(" + ")
            }
            Scope::Search(text) if text.is_empty() => self.text("search.label"),
            Scope::Search(text) => {
                let key = if is_empty_search { "search.none" } else { "search.heading" };
                fill(lang, key, &[("query", text)])
            }
            Scope::Country(country) => {
                let code = country.as_ref().unwrap_or(&self.visitor.country);
                format!("{}: {}", self.text("nav.topCountry"), labels::label("country", code, lang))
            }
            Scope::Model(_) => self.text("nav.videos"),
        })
    }

    fn list_trail(&self, list: &VideoPage, heading: &str) -> Vec<(String, Address)> {
        let own = (heading.to_owned(), self.own(list.address(1)));
        match &list.scope {
            Scope::Browse(dirs) if !dirs.is_empty() => {
                vec![self.top(), (self.text("nav.categories"), self.own(Address::new("/categories/"))), own]
            }
            _ => vec![self.top(), own],
        }
    }

    fn sorts(&self, list: &VideoPage) -> Vec<(String, String)> {
        let known = VideoSort::ALL.iter().filter(|sort| **sort != VideoSort::Relevance);
        known
            .map(|sort| {
                let other = VideoPage { sort: *sort, ..list.clone() };
                (self.own(other.address(1)).in_lang(None), self.order(sort.as_str()))
            })
            .collect()
    }
}
