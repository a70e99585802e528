//! From the answers of a screen's calls to the page that says the same.

use axum::http::StatusCode;
use lantern_config::{ModelSort, STATUS_DELETED, VideoSort, labels};
use serde_json::{Value, json};

use super::{
    address::{self, Address},
    answers::Answers,
    body,
    calls::Part,
    describe_community::written,
    document::{self, Document},
    feed,
    screen::{ModelList, Scope, Screen, VideoList},
    texts::{fill, text},
    view::{
        Categories, Comments, Home, Model, ModelAnswer, Models, Ref, Video, VideoAnswer, Videos, Whole, beginning,
        iso_duration,
    },
    visitor::Visitor,
};
use crate::error::ApiError;

/// Longest description; search engines show less.
pub(super) const DESCRIPTION: usize = 160;
/// Longest description in structured data.
const ABOUT: usize = 2000;

/// Whose page, and where.
pub struct Scene<'a> {
    /// Who looks.
    pub visitor: &'a Visitor,
    /// The site's address without a slash.
    pub origin: &'a str,
    /// What the calls answered.
    pub answers: &'a Answers,
}

impl Scene<'_> {
    /// The page of a screen.
    #[must_use]
    pub fn describe(&self, screen: &Screen) -> Document {
        if let Some(error) = self.answers.failure() {
            return self.failed(error);
        }
        let page = match screen {
            Screen::Home => Some(self.home()),
            Screen::Categories => self.categories(),
            Screen::Videos(list) => self.videos(list),
            Screen::Models(list) => self.models(list),
            Screen::Model { dir, videos } => self.model(dir, videos.as_ref()),
            Screen::ModelWall(dir) => self.model_wall(dir),
            Screen::Video(id) => self.video(*id),
            Screen::History(page) => Some(self.history(*page)),
            Screen::Community(screen) => self.community(*screen),
            Screen::Fixed(page) => self.fixed(*page),
        };
        // An answer that can't be read was logged where it was read.
        page.unwrap_or_else(|| self.failed(&ApiError::internal("an answer can't be read")))
    }

    /// There is nothing at this address.
    #[must_use]
    pub fn missing(&self) -> Document {
        let mut page = Document::new(self.text("notFound.title"), self.text("notFound.text"));
        body::heading(&mut page.main, &page.title);
        body::paragraph(&mut page.main, &page.description);
        page.not_there(StatusCode::NOT_FOUND)
    }

    /// What the calls were refused with, as the status of a page: whatever an address can't mean is not there.
    fn failed(&self, error: &ApiError) -> Document {
        let status = error.status();
        if status == StatusCode::FORBIDDEN {
            let mut page = Document::new(self.text("community.private"), String::new());
            body::heading(&mut page.main, &page.title);
            return page.not_there(status);
        }
        if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS {
            return self.missing();
        }
        let mut page = Document::new(self.text("error.title"), String::new());
        body::heading(&mut page.main, &page.title);
        page.not_there(status)
    }

    pub(super) fn text(&self, key: &str) -> String {
        text(self.visitor.lang(), key).into_owned()
    }

    pub(super) fn about(&self, key: &str, name: &str) -> String {
        fill(self.visitor.lang(), key, &[("name", name)])
    }

    /// The beginning of every trail.
    pub(super) fn top(&self) -> (String, String) {
        (self.text("home.title"), "/".to_owned())
    }

    pub(super) fn numbered(&self, title: &str, page: u32) -> String {
        if page == 1 {
            return title.to_owned();
        }
        format!("{title} – {}", fill(self.visitor.lang(), "pages.page", &[("page", &page.to_string())]))
    }

    fn home(&self) -> Document {
        let mut page = Document::new(self.text("home.title"), self.text("about.home"));
        page.address = Some(Address::new("/").gender(self.visitor.gender));
        body::heading(&mut page.main, &page.title);
        if let Some(Home { country, day, latest, models }) = self.answers.read(Part::Home) {
            page.posters = document::posters(&country.videos);
            for (block, key) in [(country, "nav.topCountry"), (day, "home.day"), (latest, "sort.latest-updates")] {
                body::subheading(&mut page.main, &self.text(key));
                body::videos(&mut page.main, &block.videos);
                page.image = page.image.or_else(|| block.videos.first().map(|card| card.img.clone()));
            }
            body::subheading(&mut page.main, &self.text("home.models"));
            body::models(&mut page.main, &models.models);
        }
        page.data.push(json!({
            "@type": "WebSite", "name": super::head::SITE, "url": format!("{}/", self.origin),
            "isFamilyFriendly": false, "inLanguage": self.visitor.lang(),
        }));
        page
    }

    fn categories(&self) -> Option<Document> {
        let Categories { categories } = self.answers.read(Part::Categories)?;
        let mut page = Document::new(self.text("nav.categories"), self.text("about.categories"));
        page.address = Some(Address::new("/categories/").gender(self.visitor.gender));
        page.trail = vec![self.top(), (page.title.clone(), "/categories/".to_owned())];
        body::heading(&mut page.main, &page.title);
        body::names(&mut page.main, &page.title, &categories, address::category);
        let items = categories.iter().map(|item| (item.title.as_str(), address::category(&item.dir)));
        page.data.push(document::item_list(items, self.origin));
        Some(page)
    }

    fn videos(&self, list: &VideoList) -> Option<Document> {
        // A search there was nothing to ask about has no answer, and a page all the same.
        let asked = !matches!(list.scope, Scope::Search { .. }) || self.answers.has(Part::Videos);
        let found = if asked { self.answers.read(Part::Videos)? } else { Videos::default() };
        let heading = self.list_heading(list, &found);
        let mut page = Document::new(self.numbered(&heading, list.page), self.about("about.list", &heading));
        page.trail = self.list_trail(list, &heading);
        body::heading(&mut page.main, &heading);
        if let Scope::Browse(_) = &list.scope {
            body::nav(&mut page.main, &self.text("sort.label"), self.sorts(list).into_iter());
        }
        Some(self.listed(page, list, &found))
    }

    /// What every list of videos has, whatever stands above it.
    fn listed(&self, mut page: Document, list: &VideoList, found: &Videos) -> Document {
        let gender = self.visitor.gender;
        let at = |number: u32| address::videos(list, number).gender(gender);
        page.address = Some(at(list.page));
        page.indexed = match &list.scope {
            // Free texts are without end, and so are combinations.
            Scope::Search { .. } => false,
            Scope::Browse(dirs) => dirs.len() <= 1 && !list.is_filtered(),
            Scope::Country(_) | Scope::Model(_) => !list.is_filtered(),
        };
        page.around = around(list.page, found.pages, |number| at(number).in_lang(self.visitor.asked_lang));
        page.image = page.image.or_else(|| found.videos.first().map(|card| card.img.clone()));
        page.posters = document::posters(&found.videos);
        page.feed = feed::path(list).map(|path| Address::new(path).gender(gender).in_lang(self.visitor.asked_lang));
        if found.videos.is_empty() {
            body::paragraph(&mut page.main, &self.text("empty.videos"));
        }
        body::videos(&mut page.main, &found.videos);
        page.data.push(document::item_list(document::videos(&found.videos), self.origin));
        if beyond(list.page, found.pages) { page.not_there(StatusCode::NOT_FOUND) } else { page }
    }

    /// What a list is called.
    #[must_use]
    pub fn list_heading(&self, list: &VideoList, found: &Videos) -> String {
        let lang = self.visitor.lang();
        match &list.scope {
            Scope::Browse(dirs) if dirs.is_empty() => self.text(&format!("sort.{}", list.sort)),
            Scope::Browse(dirs) => {
                let titles: Vec<String> = dirs.iter().map(|dir| self.category_title(dir, &found.categories)).collect();
                titles.join(" + ")
            }
            Scope::Search { text, .. } => fill(lang, "search.heading", &[("query", text)]),
            Scope::Country(country) => {
                let code = country.as_ref().unwrap_or(&self.visitor.country);
                format!("{}: {}", self.text("nav.topCountry"), labels::label("country", code, lang))
            }
            Scope::Model(_) => self.text("nav.videos"),
        }
    }

    /// A list without videos counts no categories; the frame's answer names them all the same.
    fn category_title(&self, dir: &str, counted: &[Ref]) -> String {
        let title = |items: &[Ref]| items.iter().find(|item| item.dir == dir).map(|item| item.title.clone());
        title(counted)
            .or_else(|| title(&self.answers.read::<Categories>(Part::Main)?.categories))
            .unwrap_or_else(|| dir.to_owned())
    }

    fn list_trail(&self, list: &VideoList, heading: &str) -> Vec<(String, String)> {
        let own = (heading.to_owned(), address::videos(list, 1).in_lang(None));
        match &list.scope {
            Scope::Browse(dirs) if !dirs.is_empty() => {
                vec![self.top(), (self.text("nav.categories"), "/categories/".to_owned()), own]
            }
            _ => vec![self.top(), own],
        }
    }

    fn sorts(&self, list: &VideoList) -> Vec<(String, String)> {
        let known = VideoSort::ALL.iter().filter(|sort| **sort != VideoSort::Relevance);
        known
            .map(|sort| {
                let other = VideoList { sort: *sort, ..list.clone() };
                (address::videos(&other, 1).in_lang(None), self.text(&format!("sort.{sort}")))
            })
            .collect()
    }

    fn models(&self, list: &ModelList) -> Option<Document> {
        let found: Models = self.answers.read(Part::Models)?;
        let heading = self.text("nav.models");
        let mut page = Document::new(self.numbered(&heading, list.page), self.text("about.models"));
        let at = |number: u32| address::models(list, number).gender(self.visitor.gender);
        page.address = Some(at(list.page));
        page.indexed = list.filters.is_empty();
        page.around = around(list.page, found.pages, |number| at(number).in_lang(self.visitor.asked_lang));
        page.image = found.models.first().map(|model| model.thumbs.clone());
        page.trail = vec![self.top(), (heading.clone(), address::models(list, 1).in_lang(None))];
        body::heading(&mut page.main, &heading);
        let sorts = ModelSort::ALL.iter().map(|sort| {
            let other = ModelList { sort: *sort, ..list.clone() };
            (address::models(&other, 1).in_lang(None), self.text(&format!("sort.{sort}")))
        });
        body::nav(&mut page.main, &self.text("sort.label"), sorts);
        body::models(&mut page.main, &found.models);
        let items = found.models.iter().map(|model| (model.title.as_str(), address::model(&model.dir)));
        page.data.push(document::item_list(items, self.origin));
        Some(if beyond(list.page, found.pages) { page.not_there(StatusCode::NOT_FOUND) } else { page })
    }

    fn model(&self, dir: &str, list: Option<&VideoList>) -> Option<Document> {
        let ModelAnswer { model } = self.answers.read(Part::Model)?;
        let about = model.about.as_deref().filter(|about| !about.is_empty());
        let description = match about {
            Some(about) => beginning(about, DESCRIPTION),
            None => self.about("about.model", &model.title),
        };
        let mut page = Document::new(self.numbered(&model.title, list.map_or(1, |list| list.page)), description);
        page.image = Some(model.thumbs.clone()).filter(|path| !path.is_empty());
        let models = (self.text("nav.models"), "/models/most-popular/1/".to_owned());
        page.trail = vec![self.top(), models, (model.title.clone(), address::model(dir))];
        body::heading(&mut page.main, &model.title);
        let info = format!("/model/{dir}/info/");
        let tabs = [
            (address::model(dir), self.text("nav.videos")),
            (info.clone(), self.text("model.info")),
            (format!("/model/{dir}/wall/"), self.text("community.wall")),
        ];
        body::nav(&mut page.main, &model.title, tabs.into_iter());
        let Some(list) = list else {
            page.title = format!("{} – {}", page.title, self.text("model.info"));
            page.address = Some(Address::new(info.clone()));
            page.trail.push((self.text("model.info"), info));
            body::paragraph(&mut page.main, &model.aliases.join(", "));
            body::paragraph(&mut page.main, about.unwrap_or_default());
            page.data.push(person(&model, self.origin));
            return Some(page);
        };
        Some(self.listed(page, list, &self.answers.read(Part::Videos)?))
    }

    fn model_wall(&self, dir: &str) -> Option<Document> {
        let Comments { comments, .. } = self.answers.read(Part::Comments)?;
        let mut page = self.model(dir, None)?;
        let ModelAnswer { model } = self.answers.read(Part::Model)?;
        let own = format!("/model/{dir}/wall/");
        page.title = format!("{} – {}", model.title, self.text("community.wall"));
        page.address = Some(Address::new(own.clone()));
        page.trail.pop();
        page.trail.push((self.text("community.wall"), own));
        page.data.clear();
        written(&mut page, comments);
        Some(page)
    }

    /// The app fills it from the visitor's own browser.
    fn history(&self, number: u32) -> Document {
        let mut page = Document::new(self.numbered(&self.text("community.history"), number), String::new());
        page.address = Some(Address::new(format!("/videos/history/{number}/")));
        page.indexed = false;
        body::heading(&mut page.main, &page.title);
        page
    }

    fn video(&self, id: i64) -> Option<Document> {
        let VideoAnswer { video } = self.answers.read(Part::Video)?;
        let mut page = match video {
            Video::Whole(video) => self.watch(id, &video),
            Video::Gone { status_id } => {
                let deleted = status_id == STATUS_DELETED;
                let why = self.text(if deleted { "video.deleted" } else { "video.private" });
                let mut page = Document::new(self.text("video.gone"), why);
                body::heading(&mut page.main, &page.title);
                body::paragraph(&mut page.main, &page.description);
                page.not_there(if deleted { StatusCode::GONE } else { StatusCode::FORBIDDEN })
            }
        };
        if let Some(Videos { videos, .. }) = self.answers.read(Part::Related)
            && !videos.is_empty()
        {
            body::subheading(&mut page.main, &self.text("video.related"));
            body::videos(&mut page.main, &videos);
        }
        Some(page)
    }

    fn watch(&self, id: i64, video: &Whole) -> Document {
        let Whole { card, description, .. } = video;
        let described = !description.trim().is_empty();
        let short = [("name", card.title.as_str()), ("duration", card.duration.as_str())];
        let sentence = fill(self.visitor.lang(), "about.video", &short);
        let shown = if described { beginning(description, DESCRIPTION) } else { sentence.clone() };
        let mut page = Document::new(card.title.clone(), shown);
        let own = address::video(id, &card.dir);
        page.trail = vec![self.top()];
        page.trail.extend(card.categories.first().map(|item| (item.title.clone(), address::category(&item.dir))));
        page.trail.push((card.title.clone(), own.clone()));
        page.address = Some(Address::new(own));
        page.video = Some(id);
        page.image = Some(card.img.clone()).filter(|path| !path.is_empty());
        page.posters = page.image.iter().map(|path| (path.clone(), None)).collect();
        body::heading(&mut page.main, &card.title);
        body::player(&mut page.main, id, &card.title);
        body::paragraph(&mut page.main, description);
        body::names(&mut page.main, &self.text("nav.models"), &card.models, address::model);
        body::names(&mut page.main, &self.text("nav.categories"), &card.categories, address::category);
        // Without a picture there is nothing a search engine could show.
        if page.image.is_some() {
            let about = if described { beginning(description, ABOUT) } else { sentence };
            page.data.push(self.video_object(id, video, &about));
        }
        page
    }

    fn video_object(&self, id: i64, video: &Whole, about: &str) -> Value {
        let Whole { card, statistics, .. } = video;
        let absolute = |path: &str| format!("{}{path}", self.origin);
        let counter = |action: &str, count: i64| {
            let interaction = json!({"@type": action});
            json!({"@type": "InteractionCounter", "interactionType": interaction, "userInteractionCount": count})
        };
        let actor =
            |model: &Ref| json!({"@type": "Person", "name": model.title, "url": absolute(&address::model(&model.dir))});
        json!({
            "@type": "VideoObject",
            "@id": absolute(&format!("/videos/{id}/")),
            "url": absolute(&address::video(id, &card.dir)),
            "name": card.title,
            "description": about,
            "thumbnailUrl": [absolute(&card.img), absolute(&card.thumbsrc)],
            "uploadDate": card.post_date,
            "duration": iso_duration(&card.duration),
            "embedUrl": absolute(&address::embed(id)),
            "inLanguage": self.visitor.lang(),
            "isFamilyFriendly": false,
            "contentRating": "RTA-5042-1996-1400-1577-RTA",
            "interactionStatistic": [
                counter("WatchAction", statistics.viewed),
                counter("LikeAction", statistics.likes),
                counter("DislikeAction", statistics.dislikes),
            ],
            "genre": card.categories.iter().map(|item| item.title.as_str()).collect::<Vec<_>>(),
            "actor": card.models.iter().map(actor).collect::<Vec<_>>(),
        })
    }
}

fn person(model: &Model, origin: &str) -> Value {
    json!({
        "@type": "ProfilePage",
        "mainEntity": {
            "@type": "Person",
            "name": model.title,
            "alternateName": model.aliases,
            "url": format!("{origin}{}", address::model(&model.dir)),
            "image": (!model.thumbs.is_empty()).then(|| format!("{origin}{}", model.thumbs)),
        },
    })
}

/// Whether there is no such page; an empty list has a first one.
pub(super) fn beyond(page: u32, pages: u32) -> bool {
    page > pages.max(1)
}

pub(super) fn around(page: u32, pages: u32, path: impl Fn(u32) -> String) -> [Option<String>; 2] {
    let exists = |number: &u32| (1..=pages).contains(number);
    [page.checked_sub(1).filter(exists).map(&path), page.checked_add(1).filter(exists).map(&path)]
}
