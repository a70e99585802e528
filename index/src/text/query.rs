//! Parses queries into wanted and excluded terms and rewrites them for the engine.
//!
//! `-word` and `-"some words"` exclude. A minus only counts at the start of a word, so `sci-fi` excludes nothing.

use std::{collections::BTreeSet, ops::Range};

use lantern_config::Lang;
use unicode_normalization::UnicodeNormalization;

use super::{Piece, cyrillic, fold, japanese, keys, parts, pieces};

/// Characters accepted as a minus.
const MINUSES: [char; 3] = ['-', '−', '－'];

/// Characters accepted as a quotation mark around a phrase.
const QUOTES: [char; 12] = ['"', '“', '”', '„', '‟', '«', '»', '「', '」', '『', '』', '＂'];

/// Word or phrase of a query.
#[derive(Debug)]
struct Term {
    /// Byte range including sign and quotes.
    at: Range<usize>,
    pieces: Vec<Piece>,
    quoted: bool,
    excluded: bool,
}

/// Returns the position of an excluding minus before `at`.
fn minus_before(text: &str, at: usize) -> Option<usize> {
    let minus = text[..at].chars().next_back().filter(|c| MINUSES.contains(c))?;
    let start = at - minus.len_utf8();
    text[..start].chars().next_back().is_none_or(char::is_whitespace).then_some(start)
}

fn terms(text: &str) -> Vec<Term> {
    let mut terms: Vec<Term> = Vec::new();
    let (mut seen, mut open) = (0, false);
    for piece in pieces(text) {
        let between = &text[seen..piece.at.start];
        let quotes = between.matches(QUOTES).count();
        // If a phrase is open, the first quote closes it.
        if open && quotes > 0 {
            close(&mut terms, seen + after_quote(between));
        }
        open ^= quotes % 2 == 1;
        seen = piece.at.end;
        let joins = quotes == 0 && (open || !between.contains(char::is_whitespace));
        if let Some(last) = terms.last_mut().filter(|last| joins && (last.quoted || last.excluded)) {
            last.at.end = piece.at.end;
            last.pieces.push(piece);
            continue;
        }
        let quote = between.rfind(QUOTES).filter(|_| open).map(|at| piece.at.start - between.len() + at);
        let sign = minus_before(text, quote.unwrap_or(piece.at.start));
        let start = sign.or(quote).unwrap_or(piece.at.start);
        terms.push(Term { at: start..piece.at.end, pieces: vec![piece], quoted: open, excluded: sign.is_some() });
    }
    if open && text[seen..].contains(QUOTES) {
        close(&mut terms, seen + after_quote(&text[seen..]));
    }
    terms
}

/// Returns the end of the first quotation mark.
fn after_quote(text: &str) -> usize {
    text.char_indices().find(|(_, c)| QUOTES.contains(c)).map_or(0, |(at, quote)| at + quote.len_utf8())
}

fn close(terms: &mut [Term], end: usize) {
    if let Some(last) = terms.last_mut().filter(|last| last.quoted) {
        last.at.end = end;
    }
}

impl Term {
    /// Renders the term for the engine, which accepts one word or a phrase after a minus.
    fn render(&self, text: &str, lang: Lang) -> String {
        let mut groups: Vec<(bool, Vec<String>)> = Vec::new();
        for piece in &self.pieces {
            let run = &text[piece.at.clone()];
            let words = match piece.japanese {
                // In the companion, words of a phrase are adjacent only if the pairs between them are included.
                true if self.quoted || self.excluded => japanese::phrase(run),
                true => japanese::segment(run),
                false => parts(run, lang).join(" "),
            };
            match groups.last_mut() {
                Some((japanese, group)) if *japanese == piece.japanese => group.push(words),
                _ => groups.push((piece.japanese, vec![words])),
            }
        }
        let groups = groups.into_iter().map(|(_, words)| words.join(" ")).filter(|words| !words.is_empty());
        let sign = if self.excluded { "-" } else { "" };
        let write = |words: String| match self.quoted || self.excluded && words.contains(' ') {
            true => format!("{sign}\"{words}\""),
            false => format!("{sign}{words}"),
        };
        groups.map(write).collect::<Vec<_>>().join(" ")
    }
}

/// Rewrites a query in the spelling of the companions. Exclusions come first, so that the last word can still be a prefix.
#[must_use]
pub fn query(text: &str, lang: Lang) -> String {
    let (excluded, wanted): (Vec<Term>, Vec<Term>) = terms(text).into_iter().partition(|term| term.excluded);
    let out: Vec<String> = excluded.iter().chain(&wanted).map(|term| term.render(text, lang)).collect();
    let out: Vec<&str> = out.iter().map(String::as_str).filter(|term| !term.is_empty()).collect();
    if out.is_empty() { text.to_owned() } else { out.join(" ") }
}

/// Returns the language variants of a query, likeliest first: in the visitor's language, as English (the language of half of all titles)
/// and, for Russian visitors, as Russian typed in Latin letters.
#[must_use]
pub fn readings(text: &str, lang: Lang) -> Vec<String> {
    let mut readings = vec![query(text, lang), query(text, Lang::En)];
    if lang == Lang::Ru {
        readings.push(query(&cyrillic::from_latin(&fold(text)), lang));
    }
    let mut seen = std::collections::HashSet::new();
    readings.retain(|reading| seen.insert(reading.clone()));
    readings
}

/// Returns the variants of a query in all languages, those from [`readings`] first. A query with exclusions has only the latter, so that
/// the exclusions stay unambiguous.
#[must_use]
pub fn all_readings(text: &str, lang: Lang) -> Vec<String> {
    let mut readings = readings(text, lang);
    let others = if terms(text).iter().any(|term| term.excluded) { &[] } else { Lang::ALL };
    for lang in others {
        let reading = query(text, *lang);
        if !readings.contains(&reading) {
            readings.push(reading);
        }
    }
    readings
}

/// Returns the query without its exclusions. The result is empty if nothing else is left.
#[must_use]
pub fn wanted(text: &str) -> String {
    let terms = terms(text);
    if terms.iter().all(|term| term.excluded) && !text.contains(keys::is_picture) {
        return String::new();
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for term in terms.iter().filter(|term| term.excluded) {
        out.push_str(&text[from..term.at.start]);
        from = term.at.end;
    }
    out.push_str(&text[from..]);
    tidy(&out)
}

/// Returns the quoted phrases of the query that are not excluded, with their quotes.
#[must_use]
pub fn phrases(text: &str) -> Vec<&str> {
    let phrases = terms(text).into_iter().filter(|term| term.quoted && !term.excluded);
    phrases.map(|term| &text[term.at]).collect()
}

/// Returns the exclusions of the query: the text of each, and whether it is a phrase.
#[must_use]
pub fn exclusions(text: &str) -> Vec<(&str, bool)> {
    let excluded = terms(text).into_iter().filter(|term| term.excluded);
    excluded.map(|term| (text[term.at.clone()].trim_start_matches(MINUSES), term.quoted)).collect()
}

/// Returns the query without quotes, and with half-width and full-width letters in their usual width.
#[must_use]
pub fn unquoted(text: &str) -> String {
    let plain: String = text.nfkc().map(|c| if QUOTES.contains(&c) { ' ' } else { c }).collect();
    plain.trim_start().to_owned()
}

fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Word of a query that is neither quoted nor excluded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Byte range in the query.
    pub at: Range<usize>,
    /// Folded spelling for comparison, with katakana as hiragana.
    pub spelled: String,
    /// Whether it is a Japanese run.
    pub japanese: bool,
}

/// Returns the plain words of a query or title, in order.
#[must_use]
pub fn plain_words(text: &str) -> Vec<Word> {
    let plain = terms(text).into_iter().filter(|term| !term.quoted && !term.excluded).flat_map(|term| term.pieces);
    let word = |Piece { at, japanese }: Piece| {
        let run = &text[at.clone()];
        Word { at, spelled: spelled(run), japanese }
    };
    plain.map(word).collect()
}

/// Returns the text before the last word and that word's spelling, or `None` if the query ends with a phrase or an exclusion.
#[must_use]
pub fn last_word(text: &str) -> Option<(&str, String)> {
    let last = plain_words(text).pop().filter(|word| word.at.end == text.trim_end().len())?;
    let run = &text[last.at.clone()];
    let begins = if last.japanese { japanese::cut(run).last().map_or(0, |word| run.len() - word.len()) } else { 0 };
    Some((&text[..last.at.start + begins], spelled(&run[begins..])))
}

/// Returns the spelling of a word for comparison: folded, with katakana as hiragana.
#[must_use]
pub fn spelled(word: &str) -> String {
    if word.contains(japanese::is_japanese) { japanese::plain(word) } else { fold(word) }
}

/// Returns the distinct words of a title in lower case. Japanese words end where the script changes, and their final kanji may be returned
/// as a word too.
#[must_use]
pub fn title_words(title: &str) -> BTreeSet<String> {
    let words = |Piece { at, japanese }: Piece| {
        let run = &title[at];
        if !japanese {
            return vec![run.to_lowercase()];
        }
        let words = japanese::cut(run);
        let behind: Vec<String> = words.iter().filter_map(|word| japanese::second_word(word)).collect();
        [words, behind].concat()
    };
    pieces(title).into_iter().flat_map(words).collect()
}

/// Returns the first letter of a word's companion, to search for words that begin with it.
#[must_use]
pub fn initial(word: &str, lang: Lang) -> String {
    let first = query(word, lang).chars().next();
    first.map(String::from).unwrap_or_default()
}

/// Whether `text` has a letter, digit or emoji. This matters because a query without words would match everything.
#[must_use]
pub fn has_words(text: &str) -> bool {
    text.chars().any(|c| c.is_alphanumeric() || keys::is_picture(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_word_may_be_incomplete() {
        for (text, last) in [
            ("Rain on the Wí", Some(("Rain on the ", "wi"))),
            ("rain ", Some(("", "rain"))),
            ("京都のカフ", Some(("京都の", "かふ"))),
            ("rain \"on the", None),
            ("rain -win", None),
            ("-win rain", Some(("-win ", "rain"))),
            ("", None),
        ] {
            assert_eq!(last_word(text), last.map(|(before, word)| (before, word.to_owned())), "{text}");
        }
    }

    #[test]
    fn title_words_ignore_query_syntax() {
        let words = |title| title_words(title).into_iter().collect::<Vec<_>>();
        assert_eq!(words("Rain -\"Old Song\" rain"), ["old", "rain", "song"]);
        assert_eq!(words("京都のカフェ"), ["の", "カフェ", "京都"]);
        assert_eq!(words("初雪の上海"), ["の", "上海", "初雪", "雪"]);
        assert_eq!((spelled("Café"), spelled("カフェ")), ("cafe".to_owned(), "かふぇ".to_owned()));
    }

    #[test]
    fn quotes_and_minus_are_preserved() {
        for (text, query_text) in [
            ("beach -night", "-night beach"),
            ("-nights beach", "-night beach"),
            ("\"old song\" jazz", "\"old song\" jazz"),
            ("jazz -\"old song\" bar", "-\"old song\" jazz bar"),
            ("jazz -\"old song", "-\"old song\" jazz"),
            ("-sci-fi film", "-\"sci fi\" film"),
            ("sci-fi", "sci fi"),
            ("well - known", "well known"),
            ("a \"b c\" \"d\" e", "a \"b c\" \"d\" e"),
            ("???", "???"),
        ] {
            assert_eq!(query(text, Lang::En), query_text, "{text}");
        }
        assert_eq!(query("Garten -Strandspaziergang", Lang::De), "-\"strand spaziergang\" gart");
        assert_eq!(query("旅行 −箱根温泉", Lang::Ja), "-\"箱根 根温 温泉\" 旅行");
    }

    #[test]
    fn query_is_read_in_every_language_unless_it_excludes() {
        let (likely, all) = (readings("ulicami", Lang::De), all_readings("ulicami", Lang::De));
        let polish = query("ulica", Lang::Pl);
        assert!(all.starts_with(&likely) && all.contains(&polish) && !likely.contains(&polish), "{all:?}");
        assert_eq!(all_readings("walk -walks", Lang::En), readings("walk -walks", Lang::En));
    }

    #[test]
    fn wanted_drops_exclusions() {
        for (text, rest) in [
            ("beach -night", "beach"),
            ("-night", ""),
            ("-", ""),
            ("-\"a b\" c", "c"),
            ("- beach", "- beach"),
            ("a -b c", "a c"),
        ] {
            assert_eq!(wanted(text), rest, "{text}");
        }
        assert_eq!(exclusions("a -b \"c\" -\"d e\""), [("b", false), ("\"d e\"", true)]);
    }

    #[test]
    fn plain_words_are_compared_without_accents() {
        let spelled = |text| plain_words(text).into_iter().map(|word| word.spelled).collect::<Vec<_>>();
        assert_eq!(spelled("Piñata -night ラーメン \"old song\""), ["pinata", "らーめん"]);
    }
}
