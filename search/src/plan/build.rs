//! Builds plans from the words, meanings and labels that are known.

use std::ops::Range;

use lantern_config::Lang;
use lantern_index::text::{self, function::is_function_word, japanese, keys};

use super::{Origin, Plan, Planner, Token, alternatives::Alternatives, badges, tokens, tokens::TypedWord};

/// Maximum number of words that mean something together (`behind the scenes`).
const MAX_PHRASE_WORDS: usize = 3;
/// Minimum number of letters in a root that only forms of one word share. Polish *góry* (mountains) and *gorące* (hot) share three.
pub(super) const MIN_ROOT: usize = 4;
/// Maximum number of words that complete the letters of the last word.
pub(super) const MAX_COMPLETIONS: usize = 12;

impl Planner {
    /// Returns the plan of a query by a visitor of the language.
    pub fn plan(&self, query: &str, visitor: Lang) -> Plan {
        self.build(query, visitor, false)
    }

    /// Returns the plan of a text that is being typed: its last word may be the beginning of a longer one, even if it is
    /// known.
    pub fn plan_typed(&self, text: &str, visitor: Lang) -> Plan {
        self.build(text, visitor, true)
    }

    fn build(&self, query: &str, visitor: Lang, is_typing: bool) -> Plan {
        let words = tokens::words(query);
        let langs = self.query_langs(query, &words, visitor);
        let builder = Builder { known: self, visitor, langs, is_typing };
        let mut wanted = builder.tokens(query, &words);
        if wanted.iter().all(|token| token.is_optional) {
            wanted.iter_mut().for_each(|token| token.is_optional = false);
        }
        let (exclusions, phrases) = (text::exclusions(query), text::phrases(query));
        let has_phrases = !phrases.is_empty() || exclusions.iter().any(|(_, is_phrase)| *is_phrase);
        let excluded =
            exclusions.iter().filter(|(_, is_phrase)| !is_phrase).map(|(word, _)| builder.token(word, false));
        let excluded = excluded.collect();
        let excluded_phrases = exclusions.iter().filter(|(_, is_phrase)| *is_phrase);
        let excluded_phrases = rendered(excluded_phrases.map(|(phrase, _)| format!("-{phrase}")), visitor);
        // Titles in the typed language rank above translations.
        let is_foreign = builder.langs.len() > 1;
        let word = |token| if is_foreign { Token::as_typed(token) } else { builder.ranking_word(token) };
        let words = wanted.iter().filter(|token| !token.is_optional).map(word);
        let words = rendered(words.chain(phrases).map(str::to_owned), visitor);
        let ranking = format!("{excluded_phrases} {words}").trim().to_owned();
        let langs = builder.langs.clone();
        Plan { wanted, excluded, lang: visitor, langs, text: query.to_owned(), ranking, excluded_phrases, has_phrases }
    }
}

/// Returns the text of words and phrases for the engine.
fn rendered(parts: impl Iterator<Item = String>, lang: Lang) -> String {
    let text = parts.collect::<Vec<_>>().join(" ");
    if text.is_empty() { text } else { text::query(&text, lang) }
}

/// Builds the tokens of one query.
pub(super) struct Builder<'a> {
    pub(super) known: &'a Planner,
    pub(super) visitor: Lang,
    /// Languages of the query, the visitor's first.
    pub(super) langs: Vec<Lang>,
    pub(super) is_typing: bool,
}

impl Builder<'_> {
    fn tokens(&self, query: &str, words: &[TypedWord]) -> Vec<Token> {
        let (mut rest, mut tokens) = (words, Vec::new());
        while let Some(first) = rest.first() {
            let together = (2..=MAX_PHRASE_WORDS.min(rest.len())).rev();
            let together = together.map(|count| (count, first.at.start..rest[count - 1].at.end));
            let is_phrase = |(count, at): &(usize, Range<usize>)| {
                let text = &query[at.clone()];
                text.split_whitespace().count() == *count && self.is_phrase(text)
            };
            let (count, at) = together.into_iter().find(is_phrase).unwrap_or((1, first.at.clone()));
            let is_compound = count == 1 && !first.is_japanese;
            if let Some(parts) = self.compound(&query[at.clone()]).filter(|_| is_compound) {
                tokens.extend(parts.iter().map(|part| self.token(part, false)));
                rest = &rest[1..];
                continue;
            }
            if let Some(second) = rest.get(1).filter(|_| count == 1)
                && let Some(token) = self.joined(query, first, second)
            {
                tokens.push(token);
                rest = &rest[2..];
                continue;
            }
            let is_last = count == rest.len() && query[at.end..].is_empty();
            tokens.push(self.token(&query[at], is_last));
            rest = &rest[count..];
        }
        tokens
    }

    /// Returns the token of two words that titles write as one: `book shop`.
    fn joined(&self, query: &str, first: &TypedWord, second: &TypedWord) -> Option<Token> {
        let (one, other) = (&query[first.at.clone()], &query[second.at.clone()]);
        let is_apart = query[first.at.end..second.at.start].chars().all(char::is_whitespace);
        let joined = format!("{one}{other}");
        let is_word = |lang: &&Lang| self.known.vocabulary.has_spelling(&text::spelled(&joined), **lang);
        let lang = *self.langs.iter().filter(|_| is_apart && !first.is_japanese).find(is_word)?;
        let mut found = Alternatives::default();
        found.keys(
            Origin::Typed,
            Some(lang),
            &joined,
            [keys::word_keys(one, lang), keys::word_keys(other, lang)].concat(),
        );
        self.add_word(&mut found, &joined, lang, Origin::Spelling);
        let text = query[first.at.start..second.at.end].to_owned();
        Some(Token { text, is_optional: false, is_known: true, is_name: found.is_name(), alternatives: found.0 })
    }

    /// Returns the parts of a compound that neither titles nor meanings have as a whole. Each part is a token of its own, because its meanings
    /// are better known than those of the compound.
    fn compound(&self, word: &str) -> Option<Vec<String>> {
        let Planner { vocabulary, graph, .. } = self.known;
        self.langs.iter().find_map(|lang| {
            let is_whole = vocabulary.knows_whole(word, *lang)
                || graph.knows(word, *lang)
                || graph.node_by_root(word, *lang).is_some();
            if is_whole {
                return None;
            }
            let listed = text::compound_parts(word, *lang);
            let known = listed.filter(|parts| parts.iter().all(|part| self.known.knows(part, *lang)));
            let spelled = text::spelled(word);
            known.or_else(|| Some(vocabulary.split_compound(&spelled, *lang)?.map(str::to_owned).to_vec()))
        })
    }

    /// Whether several words mean something together that they don't mean alone, or are a whole name.
    fn is_phrase(&self, text: &str) -> bool {
        let is_known =
            |lang: &Lang| self.known.graph.node_of(text, *lang).is_some() || badges::labelled(text, *lang).is_some();
        // A preposition before a word that means the same without it belongs to the rest of the query.
        let is_loose = |lang: &Lang| {
            let words: Vec<&str> = text.split_whitespace().collect();
            let is_function = |word: &&&str| is_function_word(&text::spelled(word), *lang);
            let content: Vec<&str> = words.iter().filter(|word| !is_function(word)).copied().collect();
            content.len() < words.len() && self.known.graph.knows(&content.join(" "), *lang)
        };
        self.known.vocabulary.is_whole_name(text) || self.langs.iter().any(|lang| is_known(lang) && !is_loose(lang))
    }

    fn token(&self, word: &str, is_last: bool) -> Token {
        let spelled = text::spelled(word);
        let is_optional = self.langs.iter().any(|lang| is_function_word(&spelled, *lang));
        let mut found = Alternatives::default();
        let all = text::langs_of(word, self.visitor);
        let vocabulary = &self.known.vocabulary;
        // A name may look like a form of a word: *Maria* of Italian *mare*.
        let is_name = vocabulary.is_name(&spelled);
        let known = |lang: &Lang| match is_name {
            true => vocabulary.has_spelling(&spelled, *lang) || self.known.graph.has_spelling(word, *lang),
            false => self.known.knows(word, *lang),
        };
        let own: Vec<Lang> = self.langs.iter().copied().filter(|lang| all.contains(lang)).filter(known).collect();
        let typed = if own.is_empty() { all.iter().copied().filter(known).collect() } else { own };
        for lang in &typed {
            self.add_word(&mut found, word, *lang, Origin::Typed);
        }
        self.add_joined(&mut found, word);
        self.add_same_spelling(&mut found, word, &typed);
        self.add_labels(&mut found, word, if typed.is_empty() { &all } else { &typed });
        let is_whole_name = word.contains(char::is_whitespace) && vocabulary.is_whole_name(word);
        if is_whole_name {
            found.keys(Origin::Spelling, None, word, vec![keys::whole_name_key(word)]);
        }
        let is_known = !found.0.is_empty() || is_name;
        if !is_known {
            self.add_guesses(&mut found, word, &all, is_last);
        }
        if typed.is_empty() {
            for lang in &all {
                found.keys(Origin::Literal, Some(*lang), word, all_keys(word, *lang));
            }
        }
        let is_foreign = !typed.contains(&self.visitor) && all.contains(&self.visitor);
        if is_known && is_last && (self.is_typing || is_foreign) {
            self.add_completions(&mut found, word, &[self.visitor]);
        }
        found.keys(Origin::Literal, None, word, keys::typed_unspaced_keys(word));
        if word.split_whitespace().count() == 1 {
            let joined = keys::name_key(&keys::join(word));
            let names = keys::typed_name_keys(word, self.visitor).into_iter().chain([joined]);
            names.for_each(|key| found.keys(Origin::Spelling, None, word, vec![key]));
        }
        if word.contains(japanese::is_japanese) {
            let pairs = keys::japanese_name_keys(&japanese::segment(word)).collect();
            found.keys(Origin::Spelling, None, word, pairs);
        }
        let is_name = is_whole_name || found.is_name();
        Token { text: word.to_owned(), is_optional, is_known, is_name, alternatives: found.0 }
    }

    /// Returns the word that ranks the token's videos: the one in the visitor's language if there is any.
    fn ranking_word<'t>(&self, token: &'t Token) -> &'t str {
        let own = token.alternatives.iter().find(|one| one.lang == Some(self.visitor) && one.origin != Origin::Literal);
        match own {
            // The typed kana rank names, and the title's words are all in the visitor's language.
            Some(own) if !matches!(own.origin, Origin::Typed | Origin::Reading) => &own.text,
            _ => &token.text,
        }
    }
}

/// Returns the keys of all words of a text, also of those that are joined by a hyphen. Function words are left out
/// unless only one other word remains: a day off is not any day.
pub(super) fn all_keys(text: &str, lang: Lang) -> Vec<String> {
    let words = tokens::parts(text);
    let is_content = |word: &&TypedWord| !is_function_word(&text::spelled(&text[word.at.clone()]), lang);
    let is_short = words.iter().filter(is_content).count() < 2;
    let words = words.iter().filter(|word| is_short || is_content(word));
    words.flat_map(|word| keys::word_keys(&text[word.at.clone()], lang)).collect()
}
