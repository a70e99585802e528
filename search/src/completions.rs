//! Searches that complete what is typed with words of titles: where a video is found, something is suggested.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashSet},
    iter::repeat,
};

use lantern_config::{Config, Gender, Lang};
use lantern_errors::ApiResult;
use lantern_index::{
    Filter, IndexName, SearchClient, settings,
    text::{self, TermList},
};

use super::{prepared::names, suggest::Suggestion};
use crate::index::{Found, Hit, VideoDoc, VideoQuery, find_many};

/// Best videos whose titles are read.
const TITLES: usize = 20;
/// Completions; each is counted by a search.
const MOST: usize = 5;

/// What is typed, and by whom.
pub struct TypedText<'a> {
    pub text: &'a str,
    pub lang: Lang,
    /// Whose videos are counted; all without one.
    pub gender: Option<Gender>,
}

impl TypedText<'_> {
    /// The videos of the orientation.
    pub fn filter(&self) -> Filter {
        Filter::all(self.gender.map(|gender| Filter::eq("gender", gender.as_str())))
    }
}

/// A search that may complete what is typed, and what it is the same as.
pub struct Candidate {
    text: String,
    reading: String,
    /// In the language of the title that has the word, where that reads it otherwise; so it is found where the first reading finds none.
    titles: Option<String>,
}

/// A word of a title, as it is written, and the title's language.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TitleWord {
    word: String,
    lang: Lang,
}

/// The best videos for what is typed, and how they were looked for.
pub struct Best {
    pub videos: Vec<VideoDoc>,
    /// The language that what is typed was read in.
    pub lang: Lang,
    pub fields: Vec<String>,
}

/// Letters of a word that may belong to an ending of which only these are typed: `hiki` begins *hiking*, which is found as `hike`.
const OPEN: usize = 2;
/// Letters that must be left of it.
const LEFT: usize = 3;

/// What is typed without the letters that may begin an ending.
fn without_ending(text: &str) -> Option<String> {
    let (before, begins) = text::last_word(text)?;
    let left = begins.chars().count().checked_sub(OPEN)?.max(LEFT);
    let (open, _) = begins.char_indices().nth(left)?;
    Some(format!("{before}{}", &begins[..open]))
}

/// Whether a title of the videos has a word that begins as what is typed ends: what differs by slips completes nothing.
pub fn completes(best: &Best, typed: &TypedText<'_>) -> bool {
    text::last_word(typed.text).is_some_and(|(_, begins)| !words(&best.videos, &begins, typed.lang).is_empty())
}

/// The best videos where the visitor's language completes nothing: in the first language whose words do, in titles of any, else its `own`. A
/// title that nobody translated is on the screen as well.
pub async fn elsewhere(search: &SearchClient, typed: &TypedText<'_>, own: Best) -> ApiResult<Best> {
    let fields = settings::searched(IndexName::Videos, None);
    let all = names(&fields);
    let mut readings: Vec<(Lang, String)> =
        Lang::ALL.iter().map(|lang| (*lang, text::query(typed.text, *lang))).collect();
    readings.extend(without_ending(typed.text).map(|text| (typed.lang, text::query(&text, typed.lang))));
    let mut seen = HashSet::new();
    readings.retain(|(_, reading)| seen.insert(reading.clone()));
    let queries: Vec<VideoQuery<'_>> = readings.iter().map(|(_, reading)| best(typed, reading, &all)).collect();
    for ((lang, _), found) in readings.iter().zip(find_many(search, &queries).await?) {
        let best = Best { videos: found.read::<VideoDoc>()?.hits, lang: *lang, fields: fields.clone() };
        if completes(&best, typed) {
            return Ok(best);
        }
    }
    Ok(own)
}

/// What the best videos for what is typed are asked by, without the counts of a search.
pub fn best<'a>(typed: &TypedText<'_>, reading: &'a str, search_on: &'a [&'a str]) -> VideoQuery<'a> {
    VideoQuery { limit: TITLES, exact: false, ..query(typed, reading, search_on) }
}

fn query<'a>(typed: &TypedText<'_>, reading: &'a str, search_on: &'a [&'a str]) -> VideoQuery<'a> {
    VideoQuery {
        text: Some(reading),
        fields: &["id", "dir", "lang", "title", "titles", "media_key", "shot"],
        search_on,
        counts: &[],
        ..VideoQuery::new(typed.filter())
    }
}

/// At most [`MOST`] searches that no suggested one is the same as: those that more of the best videos complete first.
pub fn candidates(
    config: &Config,
    prohibited: &TermList,
    typed: &TypedText<'_>,
    best: &Best,
    known: &[Suggestion],
) -> Vec<Candidate> {
    let Some((before, begins)) = text::last_word(typed.text) else { return Vec::new() };
    let queries = known.iter().filter(|suggestion| suggestion.dir.is_none());
    let mut seen: HashSet<String> = queries.map(|suggestion| text::query(&suggestion.title, typed.lang)).collect();
    words(&best.videos, &begins, typed.lang)
        .into_iter()
        .map(|TitleWord { word, lang }| (format!("{before}{word}"), lang))
        .filter(|(text, _)| text.chars().count() <= config.listing.search_max && !prohibited.found_in(text))
        .map(|(text, lang)| {
            let reading = text::query(&text, best.lang);
            let titles = Some(text::query(&text, lang)).filter(|titles| *titles != reading);
            Candidate { text, reading, titles }
        })
        .filter(|candidate| seen.insert(candidate.reading.clone()))
        .take(MOST)
        .collect()
}

/// What counts the videos that each of them finds, by `search_on`.
pub fn counts<'a>(
    typed: &TypedText<'_>,
    candidates: &'a [Candidate],
    search_on: &'a [&'a str],
) -> impl Iterator<Item = VideoQuery<'a>> {
    candidates.iter().map(|candidate| query(typed, &candidate.reading, search_on))
}

/// Those that find something, with the number of videos that a search shows: what finds nothing is looked for in the language of its title.
pub async fn counted(
    search: &SearchClient,
    typed: &TypedText<'_>,
    candidates: Vec<Candidate>,
    found: Vec<Found<Hit>>,
) -> ApiResult<Vec<Suggestion>> {
    let mut totals: Vec<usize> = found.into_iter().map(|found| found.total).collect();
    let all = settings::searched(IndexName::Videos, None);
    let all = names(&all);
    let missing = |(at, candidate): (usize, &Candidate)| (totals[at] == 0 && candidate.titles.is_some()).then_some(at);
    let missing: Vec<usize> = candidates.iter().enumerate().filter_map(missing).collect();
    if !missing.is_empty() {
        let readings = missing.iter().filter_map(|at| candidates[*at].titles.as_ref());
        let queries: Vec<VideoQuery<'_>> = readings.map(|reading| query(typed, reading, &all)).collect();
        for (at, found) in missing.into_iter().zip(find_many(search, &queries).await?) {
            totals[at] = found.total;
        }
    }
    let found = candidates.into_iter().zip(totals).filter(|(_, videos)| *videos > 0);
    Ok(found.map(|(candidate, videos)| Suggestion::of_titles(candidate.text, videos)).collect())
}

/// Puts the videos first whose titles the visitor reads in the own language with a word that begins so, in the order they have: the same
/// letters begin words of several languages.
pub fn own_first(videos: &mut [VideoDoc], typed: &TypedText<'_>) {
    let Some((_, begins)) = text::last_word(typed.text) else { return };
    let is_own = |video: &VideoDoc| {
        let title = video.shown_title(typed.lang);
        let words = text::title_words(title.text);
        title.lang == typed.lang && words.iter().any(|word| text::spelled(word).starts_with(&begins))
    };
    videos.sort_by_cached_key(|video| !is_own(video));
}

/// The words of the titles that begin so: those of titles in the visitor's language first, then those of more titles. A letter is no word, a
/// kanji is.
fn words(videos: &[VideoDoc], begins: &str, lang: Lang) -> Vec<TitleWord> {
    let mut counts: BTreeMap<String, (bool, usize, usize, TitleWord)> = BTreeMap::new();
    for (at, video) in videos.iter().enumerate() {
        let shown = video.shown_title(lang);
        let titles = [(video.title.as_str(), video.lang.parse().unwrap_or(lang)), (shown.text, shown.lang)];
        let words = titles.into_iter().flat_map(|(title, lang)| text::title_words(title).into_iter().zip(repeat(lang)));
        let words = words.filter(|(word, _)| word.chars().nth(1).is_some() || !word.chars().all(char::is_lowercase));
        let spelled: BTreeMap<String, TitleWord> =
            words.map(|(word, lang)| (text::spelled(&word), TitleWord { word, lang })).collect();
        for (spelled, word) in spelled.into_iter().filter(|(spelled, _)| spelled.starts_with(begins)) {
            let is_own = word.lang == lang;
            let count = counts.entry(spelled).or_insert_with(|| (false, 0, at, word));
            count.0 |= is_own;
            count.1 += 1;
        }
    }
    let mut words: Vec<_> = counts.into_values().collect();
    words.sort_by_key(|(own, many, first, _)| (Reverse(*own), Reverse(*many), *first));
    words.into_iter().map(|(.., word)| word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn video(lang: &str, title: &str, german: Option<&str>) -> VideoDoc {
        let titles = german.map(|title| ("de".to_owned(), title.to_owned())).into_iter().collect();
        VideoDoc { lang: lang.to_owned(), title: title.to_owned(), titles, ..VideoDoc::default() }
    }

    #[test]
    fn an_ending_may_have_been_begun() {
        for (text, left) in [
            ("in hiki", Some("in hik")),
            ("hikin", Some("hik")),
            ("hik", None),
            ("hi", None),
            ("wandering", Some("wanderi")),
        ] {
            assert_eq!(without_ending(text).as_deref(), left, "{text}");
        }
    }

    #[test]
    fn words_of_titles_complete_what_begins_them() {
        let videos = [
            video("de", "Wintermorgen", None),
            video("en", "Wild winter in the window", None),
            video("en", "Window seat", Some("Am Fenster")),
            video("en", "Windy windows", Some("Windig")),
            video("en", "The café w", None),
            video("ja", "夜の雪", None),
        ];
        let words = |videos: &[VideoDoc], begins, lang| {
            words(videos, begins, lang).into_iter().map(|found| found.word).collect::<Vec<_>>()
        };
        assert_eq!(words(&videos, "wind", Lang::En), ["window", "windows", "windy"]);
        assert_eq!(words(&videos, "wind", Lang::De), ["windig", "window", "windows", "windy"]);
        assert_eq!(words(&videos, "fens", Lang::De), ["fenster"]);
        assert_eq!(words(&videos, "cafe", Lang::En), ["café"]);
        assert_eq!(words(&videos, "雪", Lang::En), ["雪"]);
        assert_eq!(words(&videos, "w", Lang::En), ["window", "wild", "winter", "windows", "windy", "wintermorgen"]);
    }

    #[test]
    fn videos_in_the_visitors_language_stand_first_where_a_word_begins_so() {
        let videos = [
            video("de", "Wintermorgen", None),
            video("en", "Rain", None),
            video("en", "A window", None),
            video("en", "Morning", Some("Fenster")),
        ];
        for (lang, text, order) in [
            (Lang::En, "the win", ["A window", "Wintermorgen", "Rain", "Morning"]),
            (Lang::De, "fen", ["Morning", "Wintermorgen", "Rain", "A window"]),
            (Lang::It, "win", ["Wintermorgen", "Rain", "A window", "Morning"]),
        ] {
            let mut found = videos.clone();
            own_first(&mut found, &TypedText { text, lang, gender: None });
            assert_eq!(found.iter().map(|video| video.title.as_str()).collect::<Vec<_>>(), order, "{text}");
        }
    }
}
