//! The visitor's language before others: words that are spelled alike in several ("сауна" and "sauna") are one word to the engine.

use std::collections::BTreeSet;

use lantern_config::Lang;
use lantern_index::text::{self, Word, plain_words};

use super::{outcome::Outcome, relax::Relaxation, request::SearchRequest};
use crate::index::VideoDoc;

/// Puts the titles first that the visitor reads in the own language and that have every word of the search, in the order they have. Only on
/// the first page and where the engine decides on the order: nothing comes in, and nothing is pushed off.
pub fn first(ask: &SearchRequest, outcome: &mut Outcome) {
    let is_first = is_first(ask, outcome);
    // Each title is cut into words once.
    outcome.found.hits.sort_by_cached_key(|video| !is_first(video));
}

/// Whether a video is one of those; none is where the order is another's.
pub fn is_first(ask: &SearchRequest, outcome: &Outcome) -> impl Fn(&VideoDoc) -> bool + use<> {
    let is_ordered = ask.is_ranked_first_page() && is_whole(&outcome.relaxed);
    let lang = ask.lang;
    let read = |shown: &String| {
        let words = plain_words(shown);
        let keys: Vec<String> = words.iter().map(|word| text::key(&shown[word.at.clone()], lang)).collect();
        (words, keys)
    };
    let shown = outcome.shown.iter().filter(|_| is_ordered).map(read).filter(|(words, _)| !words.is_empty());
    let shown: Vec<(Vec<Word>, Vec<String>)> = shown.collect();
    move |video| shown.iter().any(|(words, keys)| is_own(video, lang, words, keys))
}

/// Whether every word is looked for, be it in a better spelling.
fn is_whole(relaxed: &[Relaxation]) -> bool {
    matches!(relaxed, [] | [Relaxation::Spelling])
}

fn is_own(video: &VideoDoc, lang: Lang, words: &[Word], keys: &[String]) -> bool {
    let title = video.shown_title(lang);
    if title.lang != lang {
        return false;
    }
    let written: BTreeSet<String> = text::title_words(title.text);
    let has = |(word, key): (&Word, &String)| match word.japanese {
        // Where a word ends isn't seen.
        true => text::spelled(title.text).contains(&word.spelled),
        false => written.iter().any(|of| text::spelled(of) == word.spelled || text::key(of, lang) == *key),
    };
    words.iter().zip(keys).all(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn video(lang: &str, title: &str, russian: Option<&str>) -> VideoDoc {
        let titles = russian.map(|title| ("ru".to_owned(), title.to_owned())).into_iter().collect();
        VideoDoc { lang: lang.to_owned(), title: title.to_owned(), titles, ..VideoDoc::default() }
    }

    #[test]
    fn a_title_is_own_that_has_every_word_in_the_visitors_language() {
        for (video, text, own) in [
            (video("it", "Sauna e acqua fredda", None), "сауна", false),
            (video("it", "Sauna e acqua fredda", Some("Сауна")), "сауна", true),
            (video("ru", "Сауна и холодная вода", None), "Вода сауна", true),
            (video("ru", "Ночного рынка огни", None), "ночной", true),
            (video("ru", "Снег", None), "сауна", false),
            (video("ru", "Снег и сауна", None), "сауна ночь", false),
        ] {
            let words = plain_words(text);
            let keys: Vec<String> = words.iter().map(|word| text::key(&text[word.at.clone()], Lang::Ru)).collect();
            assert_eq!(is_own(&video, Lang::Ru, &words, &keys), own, "{text} in {}", video.title);
        }
        let kyoto =
            VideoDoc { lang: "ja".to_owned(), title: "夜の京都タワー".to_owned(), ..VideoDoc::default() };
        assert!(is_own(&kyoto, Lang::Ja, &plain_words("京都"), &[String::new()]));
    }
}
