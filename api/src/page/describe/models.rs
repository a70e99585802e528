//! The pages of models.

use axum::http::StatusCode;
use lantern_config::ModelSort;
use serde_json::{Value, json};

use super::{DESCRIPTION, Scene, around, beyond, member::written};
use crate::page::{
    address::{self, Address},
    body,
    calls::Part,
    document::{self, Document},
    list_address,
    screen::{ModelsScreen, VideosScreen},
    shorten::beginning,
    view::{ModelData, ModelFacts, Models, community::Comments},
};

impl Scene<'_> {
    pub fn models(&self, list: &ModelsScreen) -> Option<Document> {
        let found: Models = self.answers.read(Part::Models)?;
        let name = self.text("nav.models");
        let sort = (list.sort != ModelSort::MostPopular).then(|| list.sort.as_str());
        let heading = self.named(&name, sort);
        let title = self.numbered(&heading, list.page);
        let about = self.told(&name, &title, &self.text("about.models"));
        let mut page = Document::new(title, about);
        let at = |number: u32| self.own(list_address::models(list, number));
        page.address = Some(at(list.page));
        page.orientations = Some(list_address::models(list, 1));
        page.indexed = list.filters.is_empty() && !found.models.is_empty();
        page.around = around(list.page, found.pages, |number| at(number).in_lang(self.visitor.asked_lang));
        page.image = found.models.first().map(|model| model.thumbs.clone());
        page.trail = vec![self.top(), (heading.clone(), at(1))];
        body::heading(&mut page.main, &heading);
        let sorts = ModelSort::ALL.iter().map(|sort| {
            let other = ModelsScreen { sort: *sort, ..list.clone() };
            (self.own(list_address::models(&other, 1)).in_lang(None), self.order(sort.as_str()))
        });
        body::nav(&mut page.main, &self.text("sort.label"), sorts);
        if found.models.is_empty() {
            body::paragraph(&mut page.main, &self.text("empty.models"));
        }
        body::models(&mut page.main, &found.models);
        let items = found.models.iter().map(|model| (model.title.as_str(), address::model(&model.dir)));
        page.data.extend(document::item_list(items, self.origin));
        Some(if beyond(list.page, found.pages) { page.not_there(StatusCode::NOT_FOUND) } else { page })
    }

    pub fn model(&self, dir: &str, list: Option<&VideosScreen>) -> Option<Document> {
        let ModelData { model } = self.answers.read(Part::Model)?;
        let about = model.about.as_deref().filter(|about| !about.is_empty());
        let sentence =
            about.map_or_else(|| self.about("about.model", &model.title), |about| beginning(about, DESCRIPTION));
        let title = self.numbered(&model.title, list.map_or(1, |list| list.page));
        let description = self.told(&model.title, &title, &sentence);
        let mut page = Document::new(title, description);
        page.image = Some(model.thumbs.clone()).filter(|path| !path.is_empty());
        let models = (self.text("nav.models"), self.own(Address::new("/models/most-popular/1/")));
        page.trail = vec![self.top(), models, (model.title.clone(), Address::new(address::model(dir)))];
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
            page.description = self.told(&model.title, &page.title, &sentence);
            page.address = Some(Address::new(info.clone()));
            page.trail.push((self.text("model.info"), Address::new(info)));
            body::paragraph(&mut page.main, &model.aliases.join(", "));
            body::paragraph(&mut page.main, about.unwrap_or_default());
            page.data.push(person(&model, self.origin));
            return Some(page);
        };
        Some(self.listed(page, list, &self.answers.read(Part::Videos)?))
    }

    pub fn model_wall(&self, dir: &str) -> Option<Document> {
        let Comments { comments, .. } = self.answers.read(Part::Comments)?;
        let mut page = self.model(dir, None)?;
        let ModelData { model } = self.answers.read(Part::Model)?;
        let own = Address::new(format!("/model/{dir}/wall/"));
        page.title = format!("{} – {}", model.title, self.text("community.wall"));
        page.description = self.told(&model.title, &page.title, &self.about("about.model", &model.title));
        page.address = Some(own.clone());
        page.indexed = !comments.is_empty();
        page.trail.pop();
        page.trail.push((self.text("community.wall"), own));
        page.data.clear();
        written(&mut page, comments);
        Some(page)
    }
}

fn person(model: &ModelFacts, origin: &str) -> Value {
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
