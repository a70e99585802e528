//! Index `albums`.

use std::collections::BTreeMap;

use lantern_catalog::documents::{ByLang, albums::AlbumRow};
use serde::Serialize;

use super::{CategoryLabels, Companions, category_labels, companions, japanese, names, tags};
use crate::text;

#[derive(Debug, Serialize)]
pub struct Album {
    id: i64,
    dir: String,
    lang: String,
    title: String,
    /// Companions, as in `videos`.
    words: Companions,
    names: String,
    tags: Companions,
    ja: String,
    gender: String,
    user_id: Option<i64>,
    post_date: i64,
    viewed: i64,
    comments: i32,
    rating: f32,
    photos_amount: i64,
    media_key: Option<String>,
    category_dirs: Vec<String>,
    model_dirs: Vec<String>,
    model_titles: Vec<String>,
    labels: BTreeMap<&'static str, CategoryLabels>,
}

pub fn document(row: AlbumRow) -> Album {
    Album {
        id: row.id,
        words: companions(&row.title, &row.lang, &ByLang::new()),
        names: text::names::companion(names(&row.models)),
        tags: tags(&row.categories),
        ja: japanese([row.title.as_str()]),
        category_dirs: row.categories.iter().map(|category| category.dir.clone()).collect(),
        model_dirs: row.models.iter().map(|model| model.dir.clone()).collect(),
        model_titles: row.models.iter().map(|model| model.title.clone()).collect(),
        labels: category_labels(&row.categories),
        dir: row.dir,
        lang: row.lang,
        title: row.title,
        gender: row.gender,
        user_id: row.user_id,
        post_date: row.post_date.unix_timestamp(),
        viewed: row.viewed,
        comments: row.comments,
        rating: row.rating,
        photos_amount: row.photos_amount,
        media_key: row.media_key,
    }
}
