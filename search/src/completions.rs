//! Suggested queries that complete the typed text with words from titles, so that each suggestion finds a video.

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

use super::suggest::Suggestion;
use crate::index::{Found, Hit, VideoDoc, VideoQuery, find_many};

/// Number of the best videos from whose titles words are taken.
const MAX_TITLES: usize = 20;
/// Maximum number of completions. Each one is counted by a search.
const MAX_COMPLETIONS: usize = 5;

/// The typed text, with the visitor's language and orientation.
pub struct TypedText<'a> {
    /// Text as typed so far.
    pub text: &'a str,
    /// Language of the visitor.
    pub lang: Lang,
    /// Orientation of the videos to count, or `None` to count all.
    pub gender: Option<Gender>,
}

impl TypedText<'_> {
    /// Filter for videos of the orientation.
    pub fn filter(&self) -> Filter {
        Filter::all(self.gender.map(|gender| Filter::eq("gender", gender.as_str())))
    }
}

/// A query that may complete the typed text.
pub struct Candidate {
    text: String,
    reading: String,
    /// Language variant for the language of the title that the word is from, if it differs. It is searched if the first
    /// variant finds nothing.
    title_reading: Option<String>,
}

/// A word as a title writes it, and the title's language.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TitleWord {
    word: String,
    lang: Lang,
}

/// The best videos for the typed text, and how they were found.
pub struct BestVideos {
    /// The videos, best first.
    pub videos: Vec<VideoDoc>,
    /// Language whose rules were applied to the typed text.
    pub lang: Lang,
    /// Fields they were found in.
    pub fields: Vec<String>,
}

/// Maximum number of typed letters that may be the start of an ending. For example, `hiki` begins *hiking*, which is
/// indexed as `hike`.
const ENDING_LETTERS: usize = 2;
/// Minimum number of letters that must remain without the ending.
const MIN_STEM_LETTERS: usize = 3;

/// Returns the typed text without trailing letters that may be the start of an ending.
fn without_ending(text: &str) -> Option<String> {
    let (before, prefix) = text::last_word(text)?;
    let left = prefix.chars().count().checked_sub(ENDING_LETTERS)?.max(MIN_STEM_LETTERS);
    let (open, _) = prefix.char_indices().nth(left)?;
    Some(format!("{before}{}", &prefix[..open]))
}

/// Whether the title of any of the videos has a word that begins with the last typed word. Words that match only
/// through a typo don't count.
pub fn completes(best: &BestVideos, typed: &TypedText<'_>) -> bool {
    text::last_word(typed.text)
        .is_some_and(|(_, prefix)| !completing_words(&best.videos, &prefix, typed.lang).is_empty())
}

/// Returns the best videos in a language whose words complete the typed text. The visitor's language (`own`) is
/// preferred, then the first other language whose words complete it in titles of any language. If there is none,
/// returns `own`. A title without a translation is shown to visitors of every language.
pub async fn in_any_language(search: &SearchClient, typed: &TypedText<'_>, own: BestVideos) -> ApiResult<BestVideos> {
    let fields = settings::searched(IndexName::Videos, None);
    let mut readings: Vec<(Lang, String)> =
        Lang::ALL.iter().map(|lang| (*lang, text::query(typed.text, *lang))).collect();
    readings.extend(without_ending(typed.text).map(|text| (typed.lang, text::query(&text, typed.lang))));
    let mut seen = HashSet::new();
    readings.retain(|(_, reading)| seen.insert(reading.clone()));
    let queries: Vec<VideoQuery<'_>> =
        readings.iter().map(|(_, reading)| best_query(typed, reading, &fields)).collect();
    for ((lang, _), found) in readings.iter().zip(find_many(search, &queries).await?) {
        let best = BestVideos { videos: found.read::<VideoDoc>()?.hits, lang: *lang, fields: fields.clone() };
        if completes(&best, typed) {
            return Ok(best);
        }
    }
    Ok(own)
}

/// Returns the query for the videos that match the typed text best. It doesn't count all hits.
pub fn best_query<'a>(typed: &TypedText<'_>, reading: &'a str, search_on: &'a [String]) -> VideoQuery<'a> {
    VideoQuery { limit: MAX_TITLES, exact: false, ..query(typed, reading, search_on) }
}

fn query<'a>(typed: &TypedText<'_>, reading: &'a str, search_on: &'a [String]) -> VideoQuery<'a> {
    VideoQuery {
        fields: &["id", "dir", "lang", "title", "titles", "media_key", "shot"],
        counts: &[],
        ..VideoQuery::matching(typed.filter(), reading, search_on)
    }
}

/// Returns at most [`MAX_COMPLETIONS`] queries that differ from the known suggestions. Queries whose words occur in
/// more of the best videos come first.
pub fn candidates(
    config: &Config,
    prohibited: &TermList,
    typed: &TypedText<'_>,
    best: &BestVideos,
    known: &[Suggestion],
) -> Vec<Candidate> {
    let Some((before, prefix)) = text::last_word(typed.text) else { return Vec::new() };
    let queries = known.iter().filter(|suggestion| suggestion.dir.is_none());
    let mut seen: HashSet<String> = queries.map(|suggestion| text::query(&suggestion.title, typed.lang)).collect();
    completing_words(&best.videos, &prefix, typed.lang)
        .into_iter()
        .map(|TitleWord { word, lang }| (format!("{before}{word}"), lang))
        .filter(|(text, _)| text.chars().count() <= config.listing.search_max && !prohibited.found_in(text))
        .map(|(text, lang)| {
            let reading = text::query(&text, best.lang);
            let title_reading = Some(text::query(&text, lang)).filter(|title| *title != reading);
            Candidate { text, reading, title_reading }
        })
        .filter(|candidate| seen.insert(candidate.reading.clone()))
        .take(MAX_COMPLETIONS)
        .collect()
}

/// Returns the engine queries that count the videos of each candidate.
pub fn count_queries<'a>(
    typed: &TypedText<'_>,
    candidates: &'a [Candidate],
    search_on: &'a [String],
) -> Vec<VideoQuery<'a>> {
    candidates.iter().map(|candidate| query(typed, &candidate.reading, search_on)).collect()
}

/// Returns the candidates that have hits, with their numbers of videos. A candidate without hits is searched again in
/// the language of its title.
pub async fn with_counts(
    search: &SearchClient,
    typed: &TypedText<'_>,
    candidates: Vec<Candidate>,
    found: Vec<Found<Hit>>,
) -> ApiResult<Vec<Suggestion>> {
    let mut totals: Vec<usize> = found.into_iter().map(|found| found.total).collect();
    let all = settings::searched(IndexName::Videos, None);
    let missing =
        |(at, candidate): (usize, &Candidate)| (totals[at] == 0 && candidate.title_reading.is_some()).then_some(at);
    let missing: Vec<usize> = candidates.iter().enumerate().filter_map(missing).collect();
    if !missing.is_empty() {
        let readings = missing.iter().filter_map(|at| candidates[*at].title_reading.as_ref());
        let queries: Vec<VideoQuery<'_>> = readings.map(|reading| query(typed, reading, &all)).collect();
        for (at, found) in missing.into_iter().zip(find_many(search, &queries).await?) {
            totals[at] = found.total;
        }
    }
    let found = candidates.into_iter().zip(totals).filter(|(_, videos)| *videos > 0);
    Ok(found.map(|(candidate, videos)| Suggestion::of_titles(candidate.text, videos)).collect())
}

/// Moves videos to the top if their title in the visitor's language has a word with the typed prefix. Their relative
/// order stays the same. This is necessary because the same letters begin words in several languages.
pub fn own_language_first(videos: &mut [VideoDoc], typed: &TypedText<'_>) {
    let Some((_, prefix)) = text::last_word(typed.text) else { return };
    let is_own = |video: &VideoDoc| {
        let title = video.shown_title(typed.lang);
        let words = text::title_words(title.text);
        title.lang == typed.lang && words.iter().any(|word| text::spelled(word).starts_with(&prefix))
    };
    videos.sort_by_cached_key(|video| !is_own(video));
}

/// Returns the words with this prefix in titles. Words from titles in the visitor's language come first, then words
/// that occur in more titles. A single letter doesn't count as a word, but a single kanji does.
fn completing_words(videos: &[VideoDoc], prefix: &str, lang: Lang) -> Vec<TitleWord> {
    let mut counts: BTreeMap<String, (bool, usize, usize, TitleWord)> = BTreeMap::new();
    for (at, video) in videos.iter().enumerate() {
        let shown = video.shown_title(lang);
        let titles = [(video.title.as_str(), video.lang.parse().unwrap_or(lang)), (shown.text, shown.lang)];
        let words = titles.into_iter().flat_map(|(title, lang)| text::title_words(title).into_iter().zip(repeat(lang)));
        let words = words.filter(|(word, _)| word.chars().nth(1).is_some() || !word.chars().all(char::is_lowercase));
        let spelled: BTreeMap<String, TitleWord> =
            words.map(|(word, lang)| (text::spelled(&word), TitleWord { word, lang })).collect();
        for (spelled, word) in spelled.into_iter().filter(|(spelled, _)| spelled.starts_with(prefix)) {
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
    fn letters_of_a_started_ending_are_dropped() {
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
    fn prefixes_are_completed_with_words_of_titles() {
        let videos = [
            video("de", "Wintermorgen", None),
            video("en", "Wild winter in the window", None),
            video("en", "Window seat", Some("Am Fenster")),
            video("en", "Windy windows", Some("Windig")),
            video("en", "The café w", None),
            video("ja", "夜の雪", None),
        ];
        let words = |videos: &[VideoDoc], prefix, lang| {
            completing_words(videos, prefix, lang).into_iter().map(|found| found.word).collect::<Vec<_>>()
        };
        assert_eq!(words(&videos, "wind", Lang::En), ["window", "windows", "windy"]);
        assert_eq!(words(&videos, "wind", Lang::De), ["windig", "window", "windows", "windy"]);
        assert_eq!(words(&videos, "fens", Lang::De), ["fenster"]);
        assert_eq!(words(&videos, "cafe", Lang::En), ["café"]);
        assert_eq!(words(&videos, "雪", Lang::En), ["雪"]);
        assert_eq!(words(&videos, "w", Lang::En), ["window", "wild", "winter", "windows", "windy", "wintermorgen"]);
    }

    #[test]
    fn titles_in_the_visitors_language_with_the_prefix_come_first() {
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
            own_language_first(&mut found, &TypedText { text, lang, gender: None });
            assert_eq!(found.iter().map(|video| video.title.as_str()).collect::<Vec<_>>(), order, "{text}");
        }
    }
}
