//! Cards of videos and models, and helpers to format them.

use lantern_config::Lang;
use lantern_index::{ByLang, ModelDoc, VideoDoc, display};
use lantern_listing::age_window;
use lantern_media::pictures::{self, picture, sized};
use serde::{Deserialize, Serialize};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};
use utoipa::ToSchema;

use super::{Categories, Named, details};

/// Name and title of an object, to link to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Ref {
    /// Name in URLs.
    #[schema(example = "night-market")]
    pub dir: String,
    /// Text to show.
    #[schema(example = "Night market")]
    pub title: String,
}

/// Links models, named in `lang`. `titles` and `names` are parallel to `dirs`.
pub(super) fn model_refs(dirs: Vec<String>, titles: Vec<String>, names: Vec<ByLang>, lang: Lang) -> Vec<Ref> {
    // A document that an earlier version wrote has no names.
    let names = names.into_iter().chain(std::iter::repeat_with(ByLang::new));
    let named = |((dir, title), names): ((String, String), ByLang)| {
        let title = display(&title, &names, lang).to_owned();
        Ref { dir, title }
    };
    dirs.into_iter().zip(titles).zip(names).map(named).collect()
}

/// A title with matches marked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Formatted)]
pub struct Highlight {
    /// HTML, escaped except for `<mark>`.
    #[schema(example = "Night market")]
    pub title: String,
}

/// A video in a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct VideoCard {
    /// Id.
    #[schema(example = 1, minimum = 1)]
    pub video_id: i64,
    /// Name in URLs.
    #[schema(example = "night-market")]
    pub dir: String,
    /// Title in the visitor's language if it has one, else in its own.
    #[schema(example = "Night market")]
    pub title: String,
    /// Language of the title.
    #[schema(value_type = Lang, example = "en")]
    pub title_lang: &'static str,
    /// `h:m:s`.
    #[schema(example = "12:05", pattern = "^(?:[0-9]+:)?[0-5]?[0-9]:[0-5][0-9]$")]
    pub duration: String,
    /// The pictures.
    #[serde(flatten)]
    pub pictures: ClipPictures,
    /// RFC 3339.
    #[schema(example = "2026-05-04T12:00:00Z", format = DateTime)]
    pub post_date: String,
    /// 0 to 5.
    #[schema(example = 4.5, minimum = 0, maximum = 5)]
    pub rating: f64,
    /// All views.
    #[schema(example = 1204, minimum = 0)]
    pub video_viewed: i64,
    /// Number of comments.
    #[schema(example = 3, minimum = 0)]
    pub comments: i64,
    /// At least 720 lines.
    #[schema(example = true)]
    pub is_hd: bool,
    /// Without mosaics.
    #[schema(example = false)]
    pub is_uncensored: bool,
    /// Performing models.
    pub models: Vec<Ref>,
    /// Its categories.
    pub categories: Vec<Ref>,
    /// The playlist whose list it is in; only in lists of a playlist.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    pub playlist_id: Option<i64>,
    /// Its results page in that list.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    pub page: Option<u32>,
    /// The title with matches marked; search only.
    #[serde(rename = "_formatted", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub formatted: Option<Highlight>,
    /// The chapter that matches rather than the title; search only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub chapter: Option<ChapterHit>,
}

/// A chapter that matches a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChapterHit {
    /// Second at which it begins.
    #[schema(example = 83, minimum = 0)]
    pub start: i32,
    /// The same as `h:m:s`.
    #[schema(example = "1:23", pattern = "^(?:[0-9]+:)?[0-5]?[0-9]:[0-5][0-9]$")]
    pub time: String,
    /// Title.
    #[schema(example = "The stalls")]
    pub title: String,
    /// Language of the title.
    #[schema(value_type = Lang, example = "en")]
    pub lang: &'static str,
}

/// Addresses of a clip's pictures; empty if it has none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClipPictures {
    /// 320 pixels wide.
    #[schema(example = "/media/p/demo/01/shot-1-320.webp")]
    pub thumb: String,
    /// 640 pixels wide.
    #[schema(example = "/media/p/demo/01/shot-1-640.webp")]
    pub thumbsrc: String,
    /// Ten frames in one row; empty if the film is not hosted here.
    #[schema(example = "/media/p/demo/01/sprite.webp")]
    pub scr: String,
    /// Poster.
    #[schema(example = "/media/p/demo/01/poster.jpg")]
    pub img: String,
}

impl ClipPictures {
    /// Whether the film is hosted here. Only hosted films have a row of frames.
    #[must_use]
    pub fn has_film(&self) -> bool {
        !self.scr.is_empty()
    }
}

/// Returns the pictures of the clip with this `media_key`.
#[must_use]
pub fn clip_pictures(media_key: Option<&str>, shot: i64) -> ClipPictures {
    media_key.map_or_else(ClipPictures::default, |key| match key.split_once(BETWEEN) {
        // The uploaded picture, combined with the moving frames of the film.
        Some((film, picture)) => ClipPictures { scr: of_film(film, shot).scr, ..of_picture(picture) },
        None if pictures::is_uploaded(key) => of_picture(key),
        None => of_film(key, shot),
    })
}

/// Separates the film's folder from the picture's key if a video has both, like `shown_pictures` in the catalog.
const BETWEEN: char = '+';

/// Returns the media key of a video, made from its film, an uploaded picture, or both.
#[must_use]
pub fn shown_pictures(film: Option<String>, picture: Option<String>) -> Option<String> {
    match (film, picture) {
        (Some(film), Some(picture)) => Some(format!("{film}{BETWEEN}{picture}")),
        (film, picture) => film.or(picture),
    }
}

/// Returns a single picture, without moving frames.
fn of_picture(key: &str) -> ClipPictures {
    ClipPictures {
        thumb: sized(key, 320),
        thumbsrc: sized(key, 640),
        scr: String::new(),
        img: sized(key, pictures::Kind::Poster.widths()[0]),
    }
}

fn of_film(key: &str, shot: i64) -> ClipPictures {
    ClipPictures {
        thumb: format!("/media/p/{key}/shot-{shot}-320.webp"),
        thumbsrc: format!("/media/p/{key}/shot-{shot}-640.webp"),
        scr: format!("/media/p/{key}/sprite.webp"),
        img: format!("/media/p/{key}/poster.jpg"),
    }
}

impl VideoCard {
    /// Creates the card of `video` as seen in `lang`.
    #[must_use]
    pub fn new(video: VideoDoc, categories: &Categories, lang: Lang) -> Self {
        let shown = video.shown_title(lang);
        let (title, title_lang) = (shown.text.to_owned(), shown.lang.as_str());
        Self {
            video_id: video.id,
            title,
            title_lang,
            duration: duration_text(video.duration),
            pictures: clip_pictures(video.media_key.as_deref(), video.shot),
            post_date: rfc3339(video.post_date),
            rating: video.rating,
            video_viewed: video.viewed,
            comments: video.comments,
            is_hd: video.is_hd,
            is_uncensored: video.is_uncensored,
            models: model_refs(video.model_dirs, video.model_titles, video.model_names, lang),
            categories: categories.refs(video.category_dirs, lang),
            dir: video.dir,
            playlist_id: None,
            page: None,
            formatted: None,
            chapter: None,
        }
    }
}

/// A model in a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ModelCard {
    /// Id.
    #[schema(example = 1, minimum = 1)]
    pub model_id: i64,
    /// Name in URLs.
    #[schema(example = "night-market")]
    pub dir: String,
    /// Stage name in the visitor's language.
    #[schema(example = "Night market")]
    pub title: String,
    /// What tells the model apart from others of this name in the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "Japan, 27", nullable = false)]
    pub detail: Option<String>,
    /// ISO 3166-1 alpha-2.
    #[schema(example = "JP", pattern = "^[A-Z]{2}$")]
    pub country: Option<String>,
    /// Picture, 320 pixels.
    #[schema(example = "/media/p/demo/pictures/01-320.webp")]
    pub thumbs: String,
    /// Visible videos.
    #[schema(example = 42, minimum = 0)]
    pub total_videos: i64,
    /// Views of the page.
    #[schema(example = 1204, minimum = 0)]
    pub viewed: i64,
    /// Members who follow.
    #[schema(example = 17, minimum = 0)]
    pub subscribers: i64,
    /// Whole years.
    #[schema(example = 27, minimum = 18)]
    pub age: Option<i64>,
}

impl ModelCard {
    /// Creates the cards of a list as seen in `lang` at the time `now`.
    #[must_use]
    pub fn list(models: &[ModelDoc], lang: Lang, now: i64) -> Vec<Self> {
        let mut cards: Vec<Self> = models.iter().map(|model| Self::new(model, lang, now)).collect();
        let named: Vec<Named<'_>> = cards
            .iter()
            .map(|card| Named { title: &card.title, dir: &card.dir, country: card.country.as_deref(), age: card.age })
            .collect();
        let details = details(&named, lang);
        for (card, detail) in cards.iter_mut().zip(details) {
            card.detail = detail;
        }
        cards
    }

    /// Creates the card of `model` as seen in `lang` at the time `now`.
    #[must_use]
    pub fn new(model: &ModelDoc, lang: Lang, now: i64) -> Self {
        Self {
            model_id: model.id,
            dir: model.dir.clone(),
            title: display(&model.title, &model.titles, lang).to_owned(),
            detail: None,
            country: model.country.clone(),
            thumbs: picture(model.picture_key.as_deref()),
            total_videos: model.total_videos,
            viewed: model.viewed,
            subscribers: model.subscribers,
            age: model.birth.map(|birth| age_of(birth, now)),
        }
    }
}

/// Returns the age in whole years.
#[must_use]
pub fn age_of(birth: i64, now: i64) -> i64 {
    (0..200).take_while(|years| age_window(years + 1, years + 1, now).1 >= birth).count() as i64
}

/// Formats a duration as `12:05` or `1:02:33`.
#[must_use]
pub fn duration_text(seconds: i64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// Formats a Unix time as RFC 3339 in UTC.
#[must_use]
pub fn rfc3339(unix: i64) -> String {
    OffsetDateTime::from_unix_timestamp(unix).unwrap_or(OffsetDateTime::UNIX_EPOCH).format(&Rfc3339).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_formatted_as_in_players() {
        assert_eq!(duration_text(725), "12:05");
        assert_eq!(duration_text(3753), "1:02:33");
        assert_eq!(duration_text(5), "0:05");
    }

    #[test]
    fn video_with_uploaded_picture_keeps_moving_frames() {
        let both = shown_pictures(Some("films/0a/x".to_owned()), Some("videos/ab/y".to_owned()));
        let shown = clip_pictures(both.as_deref(), 4);
        assert_eq!(
            (shown.thumb.as_str(), shown.img.as_str()),
            ("/media/p/videos/ab/y-320.jpg", "/media/p/videos/ab/y-1280.jpg")
        );
        assert_eq!(shown.scr, "/media/p/films/0a/x/sprite.webp");
        for (film, picture, thumb) in [
            (Some("films/0a/x"), None, "/media/p/films/0a/x/shot-4-320.webp"),
            (None, Some("videos/ab/y"), "/media/p/videos/ab/y-320.jpg"),
            (None, None, ""),
        ] {
            let key = shown_pictures(film.map(str::to_owned), picture.map(str::to_owned));
            assert_eq!(clip_pictures(key.as_deref(), 4).thumb, thumb);
        }
    }

    #[test]
    fn age_increases_on_the_birthday() {
        use time::macros::datetime;
        let birth = datetime!(2000-02-29 0:00 UTC).unix_timestamp();
        let at = |date: OffsetDateTime| age_of(birth, date.unix_timestamp());
        assert_eq!(at(datetime!(2026-02-28 23:59 UTC)), 25);
        assert_eq!(at(datetime!(2026-03-01 0:00 UTC)), 26);
        assert_eq!(at(datetime!(2024-02-28 23:59 UTC)), 23);
        assert_eq!(at(datetime!(2024-02-29 0:00 UTC)), 24);
    }
}
