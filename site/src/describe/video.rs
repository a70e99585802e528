//! The page for a video.

use axum::http::StatusCode;
use futures_util::join;
use lantern_api::video::{
    chapters::ChapterItem,
    show::{ShownVideo, Video},
};
use lantern_catalog::status::UploadStatus;
use lantern_config::{CommentSection, Gender};
use lantern_errors::ApiResult;
use lantern_listing::pages::{
    address::{self, Address},
    query::Params,
};
use lantern_search::index::{Ref, duration_text};
use maud::{Markup, html};
use serde_json::{Value, json};

use crate::{
    body,
    describe::{DESCRIPTION, Scene},
    document::{self, Document},
    player::{self, PlayerOptions},
    shorten::{beginning, iso_duration},
    texts::fill,
};

/// Maximum length of a description in structured data, in characters.
const ABOUT: usize = 2000;

impl Scene<'_> {
    pub async fn video(&self, id: i64) -> ApiResult<Document> {
        let (found, _, related) = join!(self.one_video(id), self.comments(CommentSection::Video, id), self.related(id));
        let mut page = match &found?.video {
            Video::Shown(video) => self.watch(id, video),
            Video::Gone { status_id, .. } => {
                let deleted = *status_id == UploadStatus::Deleted;
                let why = self.text(if deleted { "video.deleted" } else { "video.private" });
                let mut page = Document::new(self.text("video.gone"), why);
                page.main = html! { h1 { (page.title) } p { (page.description) } };
                page.into_error(if deleted { StatusCode::GONE } else { StatusCode::FORBIDDEN })
            }
        };
        // Related videos may be missing.
        if let Ok(related) = related
            && !related.videos.is_empty()
        {
            page.add(&html! { h2 { (self.text("video.related")) } (body::videos(&related.videos, document::LATER)) });
        }
        Ok(page)
    }

    fn watch(&self, id: i64, video: &ShownVideo) -> Document {
        let ShownVideo { card, description, .. } = video;
        let gender = video.gender.parse().unwrap_or(Gender::Str);
        let described = !description.trim().is_empty();
        let short = [("name", card.title.as_str()), ("duration", card.duration.as_str())];
        let sentence = fill(self.visitor.lang(), "about.video", &short);
        let shown = if described { beginning(description, DESCRIPTION) } else { sentence.clone() };
        let mut page = Document::new(card.title.clone(), shown);
        let own = address::video(id, &card.dir);
        // The video is in the category's list for the video's orientation.
        let category = |dir: &str| address::category(dir).gender(gender);
        page.trail = vec![(self.text("home.title"), Address::new("/").gender(gender))];
        page.trail.extend(card.categories.first().map(|item| (item.title.clone(), category(&item.dir))));
        page.trail.push((card.title.clone(), Address::new(own.clone())));
        page.address = Some(Address::new(own));
        page.video = Some(id);
        page.player = player::of(video, self.origin, PlayerOptions::default());
        page.image = Some(card.pictures.img.clone()).filter(|path| !path.is_empty());
        page.posters = page.image.iter().map(|path| (path.clone(), None)).collect();
        let models = card.models.iter().map(|item| (address::model(&item.dir), &item.title));
        let categories = card.categories.iter().map(|item| (category(&item.dir).in_lang(None), &item.title));
        page.layout = "video";
        page.main = html! {
            @if let Some(poster) = &page.image { img src=(poster) alt="" width="640" height="360" fetchpriority="high"; }
            h1 lang=(card.title_lang) { (card.title) }
            (player::frame(video, self.start()))
            p lang=(video.description_lang) { (description) }
            (self.chapters(id, video))
            (body::nav(&self.text("nav.models"), models))
            (body::nav(&self.text("nav.categories"), categories))
        };
        // Without a picture, search engines have nothing to show.
        if page.image.is_some() {
            let about = if described { beginning(description, ABOUT) } else { sentence };
            page.data.push(self.video_object(id, video, &about));
        }
        page
    }

    /// Returns the second at which the page's address starts the video.
    fn start(&self) -> Option<u32> {
        player::start_of(&Params::parse(self.parts.uri.query().unwrap_or_default()))
    }

    /// Renders links that start the video at its chapters.
    fn chapters(&self, id: i64, video: &ShownVideo) -> Markup {
        let path = address::video(id, &video.card.dir);
        html! {
            @if !video.chapters.is_empty() && video.embed.is_none() {
                h2 { (self.text("video.chapters")) }
                ol.chapters lang=(video.chapters_lang) {
                    @for ChapterItem { start, title } in &video.chapters {
                        li { a href=(player::at(&path, *start)) { (duration_text((*start).into())) " " (title) } }
                    }
                }
            }
        }
    }

    /// Returns the chapters as parts of the video, which search engines show as key moments.
    fn clips(&self, id: i64, video: &ShownVideo) -> Vec<Value> {
        let url = format!("{}{}", self.origin, address::video(id, &video.card.dir));
        let ends = video.chapters.iter().skip(1).map(|chapter| chapter.start).chain([video.seconds]);
        let clip = |(ChapterItem { start, title }, end): (&ChapterItem, i32)| json!({"@type": "Clip", "name": title, "startOffset": start, "endOffset": end, "url": player::at(&url, *start)});
        video.chapters.iter().zip(ends).map(clip).collect()
    }

    fn video_object(&self, id: i64, video: &ShownVideo, about: &str) -> Value {
        let ShownVideo { card, statistics, .. } = video;
        let absolute = |path: &str| format!("{}{path}", self.origin);
        let counter = |action: &str, count: i64| {
            let interaction = json!({"@type": action});
            json!({"@type": "InteractionCounter", "interactionType": interaction, "userInteractionCount": count})
        };
        let actor =
            |model: &Ref| json!({"@type": "Person", "name": model.title, "url": absolute(&address::model(&model.dir))});
        let mut object = json!({
            "@type": "VideoObject",
            "@id": absolute(&format!("/videos/{id}/")),
            "url": absolute(&address::video(id, &card.dir)),
            "name": card.title,
            "description": about,
            "thumbnailUrl": [absolute(&card.pictures.img), absolute(&card.pictures.thumbsrc)],
            "uploadDate": card.post_date,
            "duration": iso_duration(&card.duration),
            "inLanguage": video.lang,
            "isFamilyFriendly": false,
            "contentRating": "RTA-5042-1996-1400-1577-RTA",
            "interactionStatistic": [
                counter("WatchAction", statistics.viewed),
                counter("LikeAction", statistics.likes.into()),
                counter("DislikeAction", statistics.dislikes.into()),
            ],
            "genre": card.categories.iter().map(|item| item.title.as_str()).collect::<Vec<_>>(),
            "actor": card.models.iter().map(actor).collect::<Vec<_>>(),
        });
        if let Some(player) = player::of(video, self.origin, PlayerOptions::default()) {
            object["embedUrl"] = player.into();
        }
        // A player of another site can't be started at a chapter.
        if !video.chapters.is_empty() && video.embed.is_none() {
            object["hasPart"] = self.clips(id, video).into();
        }
        object
    }
}
