//! Index `videos`.

use std::collections::BTreeMap;

use lantern_catalog::documents::videos::{VideoCounters, VideoRow};
use serde::Serialize;

use super::{ByLang, CategoryLabels, Companions, category_labels, companions, japanese, names, tags};
use crate::text;

#[derive(Debug, Serialize)]
pub struct Video {
    id: i64,
    dir: String,
    lang: String,
    title: String,
    /// Translations only; the original is `title`.
    titles: ByLang,
    description: String,
    descriptions: ByLang,
    /// Companions of the titles, by language and `original`.
    words: Companions,
    /// Companion of the models' names.
    names: String,
    /// Companions of the category labels.
    tags: Companions,
    /// Companions of the descriptions.
    texts: Companions,
    /// Japanese companion of the titles.
    ja: String,
    /// Japanese companion of model names and category labels, which weigh less than a title.
    ja_names: String,
    gender: String,
    duration: i32,
    post_date: i64,
    #[serde(flatten)]
    counters: Numbers,
    is_hd: bool,
    is_uncensored: bool,
    user_id: Option<i64>,
    channel_id: Option<i64>,
    category_dirs: Vec<String>,
    model_dirs: Vec<String>,
    model_titles: Vec<String>,
    labels: BTreeMap<&'static str, CategoryLabels>,
    media_key: Option<String>,
    shot: i16,
}

#[derive(Debug, Serialize)]
struct Numbers {
    viewed: i64,
    viewed_day: i32,
    viewed_week: i32,
    viewed_month: i32,
    likes: i32,
    dislikes: i32,
    comments: i32,
    rating: f32,
}

/// The part of a video document that an interval transfers.
#[derive(Debug, Serialize)]
pub struct Counters {
    id: i64,
    #[serde(flatten)]
    counters: Numbers,
}

impl From<VideoCounters> for Counters {
    fn from(row: VideoCounters) -> Self {
        Self {
            id: row.id,
            counters: Numbers {
                viewed: row.viewed,
                viewed_day: row.viewed_day,
                viewed_week: row.viewed_week,
                viewed_month: row.viewed_month,
                likes: row.likes,
                dislikes: row.dislikes,
                comments: row.comments,
                rating: row.rating,
            },
        }
    }
}

pub fn document(row: VideoRow) -> Video {
    let titles = std::iter::once(row.title.as_str()).chain(row.titles.get("ja").map(String::as_str));
    let labels = row.categories.iter().filter_map(|category| category.titles.get("ja").map(String::as_str));
    let ja_names = [text::names::japanese_companion(names(&row.models)), japanese(labels)];
    Video {
        id: row.id,
        words: companions(&row.title, &row.lang, &row.titles),
        names: text::names::companion(names(&row.models)),
        tags: tags(&row.categories),
        texts: companions(&row.description, &row.lang, &row.descriptions),
        ja: japanese(titles),
        ja_names: ja_names.join(" ").trim().to_owned(),
        counters: Numbers {
            viewed: row.viewed,
            viewed_day: row.viewed_day,
            viewed_week: row.viewed_week,
            viewed_month: row.viewed_month,
            likes: row.likes,
            dislikes: row.dislikes,
            comments: row.comments,
            rating: row.rating,
        },
        category_dirs: row.categories.iter().map(|category| category.dir.clone()).collect(),
        model_dirs: row.models.iter().map(|model| model.dir.clone()).collect(),
        model_titles: row.models.iter().map(|model| model.title.clone()).collect(),
        labels: category_labels(&row.categories),
        dir: row.dir,
        lang: row.lang,
        title: row.title,
        titles: row.titles.into_iter().collect(),
        description: row.description,
        descriptions: row.descriptions.into_iter().collect(),
        gender: row.gender,
        duration: row.duration,
        post_date: row.post_date.unix_timestamp(),
        is_hd: row.is_hd,
        is_uncensored: row.is_uncensored,
        user_id: row.user_id,
        channel_id: row.channel_id,
        media_key: row.media_key,
        shot: row.shot,
    }
}
