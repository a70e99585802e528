//! Promotes titles in the visitor's language. This is necessary because the engine treats words that several languages
//! spell the same ("сауна" and "sauna") as one word.

use std::collections::BTreeSet;

use lantern_config::Lang;
use lantern_index::text::{self, Word, plain_words};

use super::{outcome::Outcome, relax::Relaxation, request::SearchRequest};
use crate::index::VideoDoc;

/// Moves titles in the visitor's language that have every word of the search to the top. Their relative order stays the
/// same. This applies only within the first page by relevance, so that no video enters or leaves the page.
pub fn promote(request: &SearchRequest, outcome: &mut Outcome) {
    let is_promoted = is_promoted(request, outcome);
    // Split each title into words only once.
    outcome.found.hits.sort_by_cached_key(|video| !is_promoted(video));
}

/// Returns a predicate for the promoted videos. If the page is not ordered by relevance, it is false for all videos.
pub fn is_promoted(request: &SearchRequest, outcome: &Outcome) -> impl Fn(&VideoDoc) -> bool + use<> {
    let is_applicable = request.is_ranked_first_page() && has_all_words(&outcome.relaxed);
    let lang = request.lang;
    let shown = outcome.shown.iter().filter(|_| is_applicable).map(|shown| keyed_words(shown, lang));
    let shown: Vec<_> = shown.filter(|words| !words.is_empty()).collect();
    move |video| shown.iter().any(|words| matches_in_own_language(video, lang, words))
}

/// Returns the words of a text, each with its key in the language.
fn keyed_words(text: &str, lang: Lang) -> Vec<(Word, String)> {
    let words = plain_words(text).into_iter();
    words.map(|word| (word.clone(), text::key(&text[word.at], lang))).collect()
}

/// Whether every word was searched for, possibly in a corrected spelling.
fn has_all_words(relaxed: &[Relaxation]) -> bool {
    matches!(relaxed, [] | [Relaxation::Spelling])
}

fn matches_in_own_language(video: &VideoDoc, lang: Lang, words: &[(Word, String)]) -> bool {
    let title = video.shown_title(lang);
    if title.lang != lang {
        return false;
    }
    let written: BTreeSet<String> = text::title_words(title.text);
    let has = |(word, key): &(Word, String)| match word.japanese {
        // Japanese is written without word boundaries.
        true => text::spelled(title.text).contains(&word.spelled),
        false => written.iter().any(|of| text::spelled(of) == word.spelled || text::key(of, lang) == *key),
    };
    words.iter().all(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn video(lang: &str, title: &str, russian: Option<&str>) -> VideoDoc {
        let titles = russian.map(|title| ("ru".to_owned(), title.to_owned())).into_iter().collect();
        VideoDoc { lang: lang.to_owned(), title: title.to_owned(), titles, ..VideoDoc::default() }
    }

    #[test]
    fn own_language_title_needs_every_word() {
        for (video, text, own) in [
            (video("it", "Sauna e acqua fredda", None), "сауна", false),
            (video("it", "Sauna e acqua fredda", Some("Сауна")), "сауна", true),
            (video("ru", "Сауна и холодная вода", None), "Вода сауна", true),
            (video("ru", "Ночного рынка огни", None), "ночной", true),
            (video("ru", "Снег", None), "сауна", false),
            (video("ru", "Снег и сауна", None), "сауна ночь", false),
        ] {
            let words = keyed_words(text, Lang::Ru);
            assert_eq!(matches_in_own_language(&video, Lang::Ru, &words), own, "{text} in {}", video.title);
        }
        let kyoto =
            VideoDoc { lang: "ja".to_owned(), title: "夜の京都タワー".to_owned(), ..VideoDoc::default() };
        assert!(matches_in_own_language(&kyoto, Lang::Ja, &keyed_words("京都", Lang::Ja)));
    }
}
