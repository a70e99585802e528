//! Index `videos`.

use std::collections::BTreeSet;

use lantern_catalog::{
    chapters::{self, Chapter},
    documents::videos::{VideoColumns, VideoCounters, VideoRow},
};
use lantern_config::Lang;
use lantern_index::{
    ByLang, EVERY, VideoCounts, VideoDoc,
    text::keys::{companion_keys, japanese_keys, japanese_name_keys, joined_keys, name_keys, title_key, unspaced_keys},
};

use super::{Spellings, common, decimal, japanese, names, shown_names, tags, with_words};

pub fn counts(row: VideoCounters) -> VideoCounts {
    VideoCounts {
        id: row.id,
        viewed: row.viewed,
        viewed_day: row.viewed_day.into(),
        viewed_week: row.viewed_week.into(),
        viewed_month: row.viewed_month.into(),
        comments: row.comments.into(),
        rating: decimal(row.rating),
        standing: decimal(row.standing),
    }
}

pub fn from_row(
    VideoRow { columns: row, titles, descriptions, categories, models }: VideoRow,
    spelled: &mut Spellings,
) -> VideoDoc {
    let originals = std::iter::once(row.title.as_str()).chain(titles.get("ja").map(String::as_str));
    let (words, ja) = (spelled.companions(&row.title, &row.lang, &titles), japanese(originals));
    let (_, chapters) = chapters::of(&row.chapters, &[&row.description], row.duration);
    let about = if row.chapters.is_empty() {
        row.description.clone()
    } else {
        format!("{}\n{}", row.description, row.chapters)
    };
    let (named, ja_named) = (spelled.names(names(&models)), spelled.japanese_names(names(&models)));
    let mut keys = keys(&row, &titles, (&words, &ja), (&named, &ja_named));
    keys.append(&mut chapter_keys(&row, &chapters, spelled));
    VideoDoc {
        id: row.id,
        keys: keys.into_iter().collect(),
        every: EVERY.to_owned(),
        common: common(&words, &tags(&categories, spelled), &row.lang),
        words,
        texts: with_words(spelled.companions(&about, &row.lang, &descriptions)),
        ja,
        chapters: chapters::text(&chapters),
        category_dirs: categories.iter().map(|category| category.dir.clone()).collect(),
        model_dirs: models.iter().map(|model| model.dir.clone()).collect(),
        model_titles: models.iter().map(|model| model.title.clone()).collect(),
        model_names: shown_names(&models),
        dir: row.dir,
        lang: row.lang,
        title: row.title,
        titles,
        gender: row.gender,
        duration: row.duration.into(),
        post_date: row.post_date.unix_timestamp(),
        viewed: row.viewed,
        viewed_day: row.viewed_day.into(),
        viewed_week: row.viewed_week.into(),
        viewed_month: row.viewed_month.into(),
        comments: row.comments.into(),
        rating: decimal(row.rating),
        standing: decimal(row.standing),
        is_hd: row.is_hd,
        is_uncensored: row.is_uncensored,
        spoken: row.spoken,
        user_id: row.user_id,
        channel_id: row.channel_id,
        media_key: row.media_key,
        shot: row.shot.into(),
    }
}

/// Returns the keys of the words in a video's chapters, in the language of its title.
fn chapter_keys(row: &VideoColumns, chapters: &[Chapter], spelled: &mut Spellings) -> BTreeSet<String> {
    let lang = row.lang.parse().unwrap_or(Lang::En);
    let mut keys = BTreeSet::new();
    for Chapter { title, .. } in chapters {
        keys.extend(companion_keys(lang, &spelled.companion(title, lang)));
        keys.extend(japanese([title.as_str()]).iter().flat_map(|companion| japanese_keys(companion)));
        keys.extend(joined_keys(title));
        keys.extend(unspaced_keys(title));
    }
    keys
}

/// Returns the keys of a video's words: those of its titles in every language, and of its models' names.
fn keys(
    row: &VideoColumns,
    titles: &ByLang,
    (words, ja): (&ByLang, &[String]),
    (names, ja_names): (&[String], &[String]),
) -> BTreeSet<String> {
    let of_lang = |(code, companion): (&String, &String)| {
        let lang = if code == "original" { &row.lang } else { code }.parse().unwrap_or(Lang::En);
        companion_keys(lang, companion).collect::<Vec<_>>()
    };
    let texts = || titles.values().chain([&row.title]);
    let mut keys: BTreeSet<String> = words.iter().flat_map(of_lang).collect();
    keys.extend(texts().flat_map(|text| joined_keys(text)));
    keys.extend(texts().flat_map(|text| unspaced_keys(text)));
    keys.extend(texts().map(|text| title_key(text)));
    keys.extend(names.iter().flat_map(|name| name_keys(name)));
    keys.extend(ja.iter().flat_map(|companion| japanese_keys(companion)));
    keys.extend(ja_names.iter().flat_map(|companion| japanese_name_keys(companion)));
    keys
}
