//! Pages for models.

use axum::http::StatusCode;
use futures_util::join;
use lantern_api::model::show::Model;
use lantern_config::ModelSort;
use lantern_errors::ApiResult;
use lantern_listing::pages::{
    ModelPage, VideoPage,
    address::{self, Address},
};
use lantern_search::index::ModelCard;
use maud::html;
use serde_json::{Value, json};

use crate::{
    body,
    describe::{DESCRIPTION, Scene, around, beyond, member::written_comments},
    document::{self, Document},
    shorten::beginning,
};

impl Scene<'_> {
    pub async fn models(&self, list: &ModelPage) -> ApiResult<Document> {
        let found = self.model_list(list).await?;
        let pages = found.totals.pages;
        let name = self.text("nav.models");
        let sort = (list.sort != ModelSort::MostPopular).then(|| list.sort.as_str());
        let heading = self.named(&name, sort);
        let title = self.numbered(&heading, list.page);
        let about = self.with_title(&name, &title, &self.text("about.models"));
        let mut page = Document::new(title, about);
        let at = |number: u32| self.own(list.address(number));
        page.address = Some(at(list.page));
        page.orientations = Some(list.address(1));
        page.indexed = list.filters.is_empty() && !found.models.is_empty();
        page.around = around(list.page, pages, |number| at(number).in_lang(self.visitor.address_lang));
        page.image = found.models.first().map(|model| model.thumbs.clone());
        page.trail = vec![self.top(), (heading.clone(), at(1))];
        let sorts = ModelSort::ALL.iter().map(|sort| {
            let other = ModelPage { sort: *sort, ..list.clone() };
            (self.own(other.address(1)).in_lang(None), self.order(sort.as_str()))
        });
        page.main = html! {
            h1 { (heading) }
            (body::nav(&self.text("sort.label"), sorts))
            @if found.models.is_empty() { p { (self.text("empty.models")) } }
            (body::models(&found.models))
        };
        let items = found.models.iter().map(|model| (model.title.as_str(), address::model(&model.dir)));
        page.data.extend(document::item_list(items, self.origin));
        Ok(if beyond(list.page, pages) { page.into_error(StatusCode::NOT_FOUND) } else { page })
    }

    pub async fn model(&self, dir: &str, list: &VideoPage) -> ApiResult<Document> {
        let (found, videos) = join!(self.one_model(dir), self.video_list(list));
        let page = self.model_top(&found?.model, list.page);
        Ok(self.listed(page, list, videos?))
    }

    pub async fn model_info(&self, dir: &str) -> ApiResult<Document> {
        let found = self.one_model(dir).await?;
        let mut page = self.model_part(&found.model, "model.info", "info");
        page.data.push(person(&found.model, self.origin));
        Ok(page)
    }

    pub async fn model_wall(&self, dir: &str) -> ApiResult<Document> {
        let (found, wall) = join!(self.one_model(dir), self.model_comments(dir));
        let (found, wall) = (found?, wall?);
        let title = &found.model.card.title;
        let mut page = self.model_part(&found.model, "community.wall", "wall");
        page.description = self.with_title(title, &page.title, &self.about("about.model", title));
        page.indexed = !wall.comments.is_empty();
        page.add(&written_comments(&wall.comments));
        Ok(page)
    }

    /// Starts a model's page with its title, breadcrumbs and tabs.
    fn model_top(&self, model: &Model, number: u32) -> Document {
        let ModelCard { dir, title: name, thumbs, .. } = &model.card;
        let title = self.numbered(name, number);
        let description = self.with_title(name, &title, &self.model_sentence(model));
        let mut page = Document::new(title, description);
        page.image = Some(thumbs.clone()).filter(|path| !path.is_empty());
        let models = (self.text("nav.models"), self.own(Address::new("/models/most-popular/1/")));
        page.trail = vec![self.top(), models, (name.clone(), Address::new(address::model(dir)))];
        let tabs = [
            (address::model(dir), self.text("nav.videos")),
            (format!("/model/{dir}/info/"), self.text("model.info")),
            (format!("/model/{dir}/wall/"), self.text("community.wall")),
        ];
        page.main = html! { h1 { (name) } (body::nav(name, tabs)) };
        page
    }

    /// Starts a model's page other than the one with videos. It contains aliases and a text about the model.
    fn model_part(&self, model: &Model, key: &str, part: &str) -> Document {
        let mut page = self.model_top(model, 1);
        let own = Address::new(format!("{}{part}/", address::model(&model.card.dir)));
        page.title = format!("{} – {}", page.title, self.text(key));
        page.description = self.with_title(&model.card.title, &page.title, &self.model_sentence(model));
        page.address = Some(own.clone());
        page.trail.push((self.text(key), own));
        page.add(&html! { p { (model.aliases.join(", ")) } p { (model.about.as_deref().unwrap_or_default()) } });
        page
    }

    fn model_sentence(&self, model: &Model) -> String {
        let about = model.about.as_deref().filter(|about| !about.is_empty());
        about.map_or_else(|| self.about("about.model", &model.card.title), |about| beginning(about, DESCRIPTION))
    }
}

fn person(Model { card, aliases, .. }: &Model, origin: &str) -> Value {
    json!({
        "@type": "ProfilePage",
        "mainEntity": {
            "@type": "Person",
            "name": card.title,
            "alternateName": aliases,
            "url": format!("{origin}{}", address::model(&card.dir)),
            "image": (!card.thumbs.is_empty()).then(|| format!("{origin}{}", card.thumbs)),
        },
    })
}
