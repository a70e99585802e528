//! Index `captions`: several passages for each track of a video.

use std::collections::HashMap;

use lantern_catalog::{
    captions::plain,
    documents::captions::{CaptionLine, CaptionsRow},
};
use lantern_config::Lang;
use lantern_index::{
    CaptionsDoc, Filter, LINE_CHARS, PASSAGE_LINES, SearchClient,
    text::{self, function::is_function_word, keys::spoken_keys},
};
use meilisearch_sdk::documents::DocumentsQuery;
use serde_json::{Value, value::RawValue};

use super::{Built, Spellings, id};
use crate::Error;

/// Passages per read.
const BATCH: usize = 1_000;
const MS: u32 = 1000;

/// Returns the passages of a track.
pub fn from_row(row: &CaptionsRow, spelled: &mut Spellings) -> Vec<CaptionsDoc> {
    let lang: Option<Lang> = row.lang.parse().ok();
    let mut passage = |number: usize| {
        // With the line after them.
        let lines = row.lines.iter().skip(number * PASSAGE_LINES).take(PASSAGE_LINES + 1);
        let shortened = |text: &str| plain(text).chars().take(LINE_CHARS).collect::<String>();
        let lines: Vec<(u32, String)> = lines.map(|CaptionLine { from, text }| (from / MS, shortened(text))).collect();
        let text = lines.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n");
        let companion = lang.map(|lang| (lang, spelled.companion(&content(&text, lang), lang)));
        let keys = spoken_keys(&text, companion.as_ref().map(|(lang, companion)| (*lang, companion.as_str())));
        CaptionsDoc {
            id: format!("{}-{}-{}-{number}", row.video_id, row.lang, row.kind),
            video_id: row.video_id,
            lang: row.lang.clone(),
            gender: row.gender.clone(),
            keys: keys.into_iter().collect(),
            lines: lines.iter().map(|(second, text)| format!("{second} {text}")).collect::<Vec<_>>().join("\n"),
        }
    };
    (0..row.lines.len().div_ceil(PASSAGE_LINES)).map(&mut passage).collect()
}

/// Returns a text without function words. They are half of what is said, and no search requires them.
fn content(text: &str, lang: Lang) -> String {
    let is_content = |word: &&str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        !is_function_word(&text::spelled(word), lang)
    };
    text.split_whitespace().filter(is_content).collect::<Vec<_>>().join(" ")
}

/// Compares the passages of these videos with those in an index. Keeps only the documents that differ, and adds the ids of passages that
/// the videos no longer have to `gone`. A video changes far more often than what is said in it, and it has a hundred passages per hour.
pub async fn keep_changes(client: &SearchClient, uid: &str, video_ids: &[i64], built: &mut Built) -> Result<(), Error> {
    let mut held = HashMap::new();
    for document in self::held(client, uid, &Filter::in_("video_id", video_ids.iter().copied())).await? {
        held.insert(id(&document)?, serde_json::from_str::<Value>(document.get())?);
    }
    let mut changed = Vec::new();
    for document in built.documents.drain(..) {
        if held.remove(&id(&document)?) != Some(serde_json::from_str(document.get())?) {
            changed.push(document);
        }
    }
    built.documents = changed;
    built.gone.extend(held.into_keys());
    Ok(())
}

/// Returns the passages in an index that meet a condition.
pub async fn held(client: &SearchClient, uid: &str, condition: &Filter) -> Result<Vec<Box<RawValue>>, Error> {
    let (index, filter) = (client.index(uid), condition.to_string());
    let mut held = Vec::new();
    loop {
        let mut query = DocumentsQuery::new(&index);
        query.with_filter(&filter).with_offset(held.len()).with_limit(BATCH);
        let mut page = index.get_documents_with::<Box<RawValue>>(&query).await?.results;
        let count = page.len();
        held.append(&mut page);
        if count < BATCH {
            return Ok(held);
        }
    }
}

#[cfg(test)]
mod tests {
    use sqlx::types::Json;

    use super::*;

    fn row(lines: impl Iterator<Item = (u32, String)>, lang: &str) -> CaptionsRow {
        let lines = lines.map(|(from, text)| CaptionLine { from, text }).collect();
        CaptionsRow {
            video_id: 7,
            lang: lang.to_owned(),
            kind: "subtitles".to_owned(),
            gender: "str".to_owned(),
            lines: Json(lines),
        }
    }

    #[test]
    fn each_line_is_in_a_passage_and_each_passage_ends_with_the_next_line() {
        let row = row((0..21).map(|at| (at * 1500, format!("<i>Line {at}</i>"))), "en");
        let passages = from_row(&row, &mut Spellings::default());
        let ids: Vec<&str> = passages.iter().map(|passage| passage.id.as_str()).collect();
        assert_eq!(ids, ["7-en-subtitles-0", "7-en-subtitles-1", "7-en-subtitles-2"]);
        let lines = |at: usize| passages[at].spoken().collect::<Vec<_>>();
        assert_eq!((lines(0).len(), lines(1)[0], lines(1)[10]), (11, (15, "Line 10"), (30, "Line 20")));
        assert_eq!(lines(2), [(30, "Line 20")]);
        assert!(passages[2].keys.contains(&text::keys::word_key(Lang::En, "20")));
    }

    #[test]
    fn function_words_have_no_keys() {
        let row = row([(0, "And the Harbour?".to_owned())].into_iter(), "en");
        assert_eq!(from_row(&row, &mut Spellings::default())[0].keys, ["en:harbour"]);
    }

    #[test]
    fn languages_without_rules_have_keys_too() {
        let row = row([(0, "God natt".to_owned())].into_iter(), "sv");
        assert_eq!(from_row(&row, &mut Spellings::default())[0].keys, ["n:god", "n:natt"]);
    }
}
