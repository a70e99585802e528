//! The page of a video.

use axum::http::StatusCode;
use lantern_config::STATUS_DELETED;
use serde_json::{Value, json};

use super::{DESCRIPTION, Scene};
use crate::page::{
    address::{self, Address},
    body,
    calls::Part,
    document::Document,
    shorten::{beginning, iso_duration},
    texts::fill,
    view::{Named, VideoData, VideoFacts, Videos, Whole},
};

/// Longest description in structured data.
const ABOUT: usize = 2000;

impl Scene<'_> {
    pub fn video(&self, id: i64) -> Option<Document> {
        let VideoData { video } = self.answers.read(Part::Video)?;
        let mut page = match video {
            VideoFacts::Whole(video) => self.watch(id, &video),
            VideoFacts::Gone { status_id } => {
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
        // Its category as the orientation it was made for sees it, which lists it.
        let category = |dir: &str| address::category(dir).gender(video.gender);
        page.trail = vec![(self.text("home.title"), Address::new("/").gender(video.gender))];
        page.trail.extend(card.categories.first().map(|item| (item.title.clone(), category(&item.dir))));
        page.trail.push((card.title.clone(), Address::new(own.clone())));
        page.address = Some(Address::new(own));
        page.video = Some(id);
        page.image = Some(card.img.clone()).filter(|path| !path.is_empty());
        page.posters = page.image.iter().map(|path| (path.clone(), None)).collect();
        body::heading_in(&mut page.main, video.title_lang, &card.title);
        body::player(&mut page.main, id, &card.title);
        body::paragraph_in(&mut page.main, video.description_lang, description);
        body::names(&mut page.main, &self.text("nav.models"), &card.models, address::model);
        body::names(&mut page.main, &self.text("nav.categories"), &card.categories, |dir| category(dir).in_lang(None));
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
        let actor = |model: &Named| json!({"@type": "Person", "name": model.title, "url": absolute(&address::model(&model.dir))});
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
            "inLanguage": video.lang,
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
