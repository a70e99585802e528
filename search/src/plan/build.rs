//! Builds plans from the words, meanings and labels that are known.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use lantern_config::Lang;
use lantern_index::{
    Filter,
    text::{self, Word, function::is_function_word, japanese, keys, layout::other_layout},
};

use super::{Alternative, Condition, Origin, Plan, Token, badges, tokens, tokens::TypedWord};
use crate::{
    index::Categories,
    meaning::graph::{Graph, Node},
    spelling::{self, KnownSpelling},
    words::vocabulary::Vocabulary,
};

/// Maximum number of words that mean something together (`behind the scenes`).
const MAX_PHRASE_WORDS: usize = 3;
/// Minimum number of letters in a root that only forms of one word share. Polish *góry* (mountains) and *gorące* (hot) share three.
const MIN_ROOT: usize = 4;
/// Maximum number of words that complete the letters of the last word.
const MAX_COMPLETIONS: usize = 12;

/// Minimum number of languages that have a name.
const MIN_NAME_LANGS: usize = 4;

/// What is known about words.
pub struct Sources<'a> {
    /// Words from titles.
    pub(crate) vocabulary: &'a Vocabulary,
    /// Synonyms and translations.
    pub(crate) graph: &'a Graph,
    /// Labels of categories.
    pub categories: &'a Categories,
}

/// Builds the plan of a query by a visitor.
pub fn build(sources: &Sources<'_>, query: &str, visitor: Lang) -> Plan {
    build_typed(sources, query, visitor, false)
}

/// Like [`build`]. If `is_typing`, the last word may also be the beginning of another one, even if it is known.
pub fn build_typed(sources: &Sources<'_>, query: &str, visitor: Lang, is_typing: bool) -> Plan {
    let words = tokens::words(query);
    let langs = sources.query_langs(query, &words, visitor);
    let builder = Builder { sources, visitor, langs, is_typing };
    let mut wanted = builder.tokens(query, &words);
    if wanted.iter().all(|token| token.is_optional) {
        wanted.iter_mut().for_each(|token| token.is_optional = false);
    }
    let (exclusions, phrases) = (text::exclusions(query), text::phrases(query));
    let has_phrases = !phrases.is_empty() || exclusions.iter().any(|(_, is_phrase)| *is_phrase);
    let excluded = exclusions.iter().filter(|(_, is_phrase)| !is_phrase).map(|(word, _)| builder.token(word, false));
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

/// Returns the text of words and phrases for the engine.
fn rendered(parts: impl Iterator<Item = String>, lang: Lang) -> String {
    let text = parts.collect::<Vec<_>>().join(" ");
    if text.is_empty() { text } else { text::query(&text, lang) }
}

/// Returns what the visitor probably meant if words are unknown: the text on another keyboard layout if that makes all its words known,
/// otherwise the text with unknown words replaced by the nearest known ones. Returns `None` if there are none.
pub fn correct(sources: &Sources<'_>, plan: &Plan) -> Option<String> {
    let words: Vec<Word> = text::plain_words(&plan.text).into_iter().take(spelling::MAX_WORDS).collect();
    // A compound is known by its parts, which may be there by chance.
    let is_whole = |word: &Word| {
        sources.vocabulary.has(&word.spelled) || !text::key(&plan.text[word.at.clone()], plan.lang).contains(' ')
    };
    if words.is_empty() || plan.wanted.iter().all(|token| token.is_known) && words.iter().all(is_whole) {
        return None;
    }
    if let Some(other) = other_layout(&plan.text)
        && build(sources, &other, plan.lang).wanted.iter().all(|token| token.is_known)
    {
        return Some(other);
    }
    let known = plan.wanted.iter().filter(|token| token.is_known).flat_map(|token| text::plain_words(&token.text));
    let known: HashSet<String> = known.map(|word| word.spelled).collect();
    let near = words.iter().flat_map(|word| match known.contains(&word.spelled) && is_whole(word) {
        true => vec![KnownSpelling { title: word.spelled.clone(), weight: i64::MAX }],
        false => sources.vocabulary.near(word, plan.lang),
    });
    let label = |label: &str| KnownSpelling { title: label.to_owned(), weight: 0 };
    let labels = sources.categories.labels().map(label);
    let known: Vec<_> = near.chain(sources.vocabulary.near_names(&words)).chain(labels).collect();
    spelling::corrected(&plan.text, &known)
}

/// Returns the query with each rare word replaced by a similar one that is far more frequent, or `None` if there are none.
pub fn rival(sources: &Sources<'_>, plan: &Plan) -> Option<String> {
    let mut text = plan.text.clone();
    for word in text::plain_words(&plan.text).iter().rev().filter(|word| !word.japanese) {
        if let Some(rival) = sources.vocabulary.rival(word, plan.lang) {
            text.replace_range(word.at.clone(), rival);
        }
    }
    (text != plan.text).then_some(text)
}

/// Returns words in the visitor's language that begin with the stem of the plan's only word, such as *callejero* for *calle*, each with the
/// condition of its videos.
pub fn similar(sources: &Sources<'_>, plan: &Plan) -> Vec<(String, Filter)> {
    let mut content = plan.wanted.iter().filter(|token| !token.is_optional);
    let (Some(token), None) = (content.next(), content.next()) else { return Vec::new() };
    let stem = text::key(&token.text, plan.lang);
    if stem.chars().count() < MIN_ROOT || stem.contains(' ') {
        return Vec::new();
    }
    let words = sources.vocabulary.beginning_with(&stem, plan.lang, MAX_COMPLETIONS).into_iter().map(|(word, _)| word);
    words
        .map(|word| {
            (word.to_owned(), Filter::all(all_keys(word, plan.lang).iter().map(|key| Filter::eq("keys", key.as_str()))))
        })
        .collect()
}

impl Sources<'_> {
    fn knows(&self, word: &str, lang: Lang) -> bool {
        self.vocabulary.knows(word, lang) || self.graph.knows(word, lang)
    }

    /// Returns the languages of the query: only the visitor's if it has every word, otherwise that and the ones with the most words.
    fn query_langs(&self, query: &str, words: &[TypedWord], visitor: Lang) -> Vec<Lang> {
        let words: Vec<&str> =
            words.iter().filter(|word| !word.is_japanese).map(|word| &query[word.at.clone()]).collect();
        let is_of = |word: &&&str, lang: Lang| {
            text::langs_of(word, visitor).contains(&lang)
                && (is_function_word(&text::spelled(word), lang) || self.knows(word, lang))
        };
        let count = |lang: Lang| words.iter().filter(|word| is_of(word, lang)).count();
        let own = count(visitor);
        if own == words.len() {
            return vec![visitor];
        }
        let counts: Vec<(usize, Lang)> = Lang::ALL.iter().map(|lang| (count(*lang), *lang)).collect();
        let most = counts.iter().map(|(count, _)| *count).max().unwrap_or_default();
        let others = counts.into_iter().filter(|(count, lang)| *count == most && most > own && *lang != visitor);
        std::iter::once(visitor).chain(others.map(|(_, lang)| lang)).collect()
    }
}

/// Builds the tokens of one query.
struct Builder<'a> {
    sources: &'a Sources<'a>,
    visitor: Lang,
    /// Languages of the query, the visitor's first.
    langs: Vec<Lang>,
    is_typing: bool,
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
        let is_word = |lang: &&Lang| self.sources.vocabulary.has_spelling(&text::spelled(&joined), **lang);
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
        let Sources { vocabulary, graph, .. } = self.sources;
        self.langs.iter().find_map(|lang| {
            let is_whole = vocabulary.knows_whole(word, *lang)
                || graph.knows(word, *lang)
                || graph.node_by_root(word, *lang).is_some();
            let parts = text::compound_parts(word, *lang).filter(|_| !is_whole)?;
            parts.iter().all(|part| self.sources.knows(part, *lang)).then_some(parts)
        })
    }

    /// Whether several words mean something together that they don't mean alone, or are a whole name.
    fn is_phrase(&self, text: &str) -> bool {
        let is_known =
            |lang: &Lang| self.sources.graph.node_of(text, *lang).is_some() || badges::labelled(text, *lang).is_some();
        // A preposition before a word that means the same without it belongs to the rest of the query.
        let is_loose = |lang: &Lang| {
            let words: Vec<&str> = text.split_whitespace().collect();
            let is_function = |word: &&&str| is_function_word(&text::spelled(word), *lang);
            let content: Vec<&str> = words.iter().filter(|word| !is_function(word)).copied().collect();
            content.len() < words.len() && self.sources.graph.knows(&content.join(" "), *lang)
        };
        self.sources.vocabulary.is_whole_name(text) || self.langs.iter().any(|lang| is_known(lang) && !is_loose(lang))
    }

    fn token(&self, word: &str, is_last: bool) -> Token {
        let spelled = text::spelled(word);
        let is_optional = self.langs.iter().any(|lang| is_function_word(&spelled, *lang));
        let mut found = Alternatives::default();
        let all = text::langs_of(word, self.visitor);
        let vocabulary = self.sources.vocabulary;
        // A name may look like a form of a word: *Maria* of Italian *mare*.
        let is_name = vocabulary.is_name(&spelled);
        let known = |lang: &Lang| match is_name {
            true => vocabulary.has_spelling(&spelled, *lang) || self.sources.graph.has_spelling(word, *lang),
            false => self.sources.knows(word, *lang),
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

    /// Adds the word that a hyphenated one may be written as: `candle-light`.
    fn add_joined(&self, found: &mut Alternatives, word: &str) {
        let joined = keys::join(word);
        let is_word = |lang: &&Lang| self.sources.vocabulary.has_spelling(&text::spelled(&joined), **lang);
        for lang in self.langs.iter().filter(|_| word.contains(keys::is_joiner)).filter(is_word) {
            self.add_word(found, &joined, *lang, Origin::Spelling);
        }
    }

    /// Adds a word that its language knows, its other forms, and its meanings in every language.
    fn add_word(&self, found: &mut Alternatives, word: &str, lang: Lang, origin: Origin) {
        let Sources { vocabulary, graph, .. } = self.sources;
        found.keys(origin, Some(lang), word, all_keys(word, lang));
        let root = text::root(word, lang).map_or(0, |root| root.chars().count());
        let is_reliable = root >= MIN_ROOT || !vocabulary.knows(word, lang);
        for form in vocabulary.forms(word, lang).into_iter().filter(|_| is_reliable) {
            found.keys(Origin::Form, Some(lang), form, keys::word_keys(form, lang));
        }
        if let Some([head, tail]) = vocabulary.split_compound(&text::spelled(word), lang) {
            found.keys(
                Origin::Form,
                Some(lang),
                word,
                [keys::word_keys(head, lang), keys::word_keys(tail, lang)].concat(),
            );
        }
        match graph.node_of(word, lang).or_else(|| graph.node_by_root(word, lang)) {
            Some(node) => self.add_meanings(found, node),
            None => self.add_compound_meanings(found, word, lang),
        }
    }

    fn add_meanings(&self, found: &mut Alternatives, node: Node) {
        for (lang, meaning) in self.sources.graph.meanings(node) {
            found.keys(Origin::Meaning, Some(lang), meaning, all_keys(meaning, lang));
        }
    }

    /// Adds the meanings of a compound's parts, if each part has one in the same language.
    fn add_compound_meanings(&self, found: &mut Alternatives, word: &str, lang: Lang) {
        let graph = self.sources.graph;
        let key = text::key(word, lang);
        let nodes: Option<Vec<Node>> = key.split(' ').map(|part| graph.node_of(part, lang)).collect();
        let Some(nodes) = nodes.filter(|nodes| nodes.len() > 1) else { return };
        for other in Lang::ALL {
            let first =
                |node: &Node| graph.meanings(*node).into_iter().find(|(lang, _)| lang == other).map(|(_, word)| word);
            if let Some(parts) = nodes.iter().map(first).collect::<Option<Vec<_>>>() {
                let keys = parts.iter().flat_map(|part| all_keys(part, *other)).collect();
                found.keys(Origin::Meaning, Some(*other), &parts.join(" "), keys);
            }
        }
    }

    /// Adds the same spelling in other languages. If the word means something in its own language, languages in which it means something
    /// else are left out (Polish *Seul* is a city, French *seul* is alone). If it has no known meaning, it probably is the same name, which
    /// may also be written in another alphabet (*Осака*).
    fn add_same_spelling(&self, found: &mut Alternatives, word: &str, typed: &[Lang]) {
        let Sources { vocabulary, graph, .. } = self.sources;
        let node = |lang: Lang| graph.node_of(word, lang);
        let has_meaning = typed.iter().any(|lang| node(*lang).is_some());
        let spelled = text::spelled(word);
        let is_long = word.chars().count() >= MIN_ROOT;
        let is_possible = |lang: &&Lang| **lang != Lang::Ja && is_long && !typed.is_empty() && !typed.contains(lang);
        for lang in Lang::ALL.iter().filter(is_possible) {
            if !vocabulary.knows(word, *lang) || is_function_word(&spelled, *lang) {
                continue;
            }
            match node(*lang) {
                Some(_) if has_meaning => {}
                Some(_) if !typed.contains(&self.visitor) => self.add_word(found, word, *lang, Origin::Spelling),
                _ => found.keys(Origin::Spelling, Some(*lang), word, all_keys(word, *lang)),
            }
        }
    }

    fn add_labels(&self, found: &mut Alternatives, word: &str, langs: &[Lang]) {
        for lang in langs.iter().chain([&self.visitor]) {
            let categories = self.sources.categories.labelled(word, *lang).into_iter();
            let categories = categories.map(|dir| Condition::Category(dir.to_owned()));
            for condition in categories.chain(badges::labelled(word, *lang).map(Condition::Badge)) {
                found.add(Alternative { origin: Origin::Label, lang: None, text: word.to_owned(), condition });
            }
        }
    }

    /// Adds what an unknown word may stand for.
    fn add_guesses(&self, found: &mut Alternatives, word: &str, all: &[Lang], is_last: bool) {
        let Sources { vocabulary, .. } = self.sources;
        let before = found.0.len();
        if let Some(typed) = text::plain_words(word).first()
            && let Some(written) = vocabulary.written(typed, self.visitor)
        {
            let written = written.to_owned();
            self.add_word(found, &written, Lang::Ja, Origin::Reading);
        } else if let Some(typed) = text::plain_words(word).first() {
            // Titles may have a synonym of the word with this reading.
            let written = text::readings::written(&typed.spelled, self.visitor == Lang::Ja);
            let written = written.into_iter().find(|written| self.sources.graph.knows(written, Lang::Ja));
            written.into_iter().for_each(|written| self.add_word(found, written, Lang::Ja, Origin::Reading));
        }
        if self.visitor == Lang::Ru {
            let cyrillic = text::cyrillic::from_latin(&text::fold(word));
            if vocabulary.knows(&cyrillic, Lang::Ru) {
                self.add_word(found, &cyrillic, Lang::Ru, Origin::Reading);
            }
        }
        for lang in all {
            if let Some([head, tail]) = vocabulary.split_compound(&text::spelled(word), *lang) {
                let keys = [keys::word_keys(head, *lang), keys::word_keys(tail, *lang)].concat();
                found.keys(Origin::Form, Some(*lang), word, keys);
            }
        }
        let (own, others): (Vec<Lang>, Vec<Lang>) = all.iter().partition(|lang| self.langs.contains(lang));
        for langs in [own, others].iter().filter(|langs| !langs.is_empty()) {
            if found.0.len() > before {
                break;
            }
            for lang in langs {
                for form in vocabulary.forms(word, *lang) {
                    self.add_word(found, form, *lang, Origin::Form);
                    self.add_labels(found, form, &[*lang]);
                }
            }
        }
        if found.0.len() == before && is_last {
            self.add_completions(found, word, all);
        }
    }

    /// Adds words and names that begin with the typed letters.
    fn add_completions(&self, found: &mut Alternatives, word: &str, all: &[Lang]) {
        let (vocabulary, spelled) = (self.sources.vocabulary, text::spelled(word));
        for name in vocabulary.names_beginning_with(&spelled, MAX_COMPLETIONS) {
            for key in keys::typed_name_keys(name, self.visitor) {
                found.keys(Origin::Prefix, None, name, vec![key]);
            }
        }
        let names = found.0.len();
        for lang in all {
            let completions = vocabulary.beginning_with(&spelled, *lang, MAX_COMPLETIONS);
            completions.iter().for_each(|(word, _)| self.add_word(found, word, *lang, Origin::Prefix));
            if found.0.len() > names {
                break;
            }
        }
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

/// Returns the keys of all words of a text, also of those that are joined by a hyphen.
fn all_keys(text: &str, lang: Lang) -> Vec<String> {
    let words = tokens::parts(text);
    let is_content =
        |word: &&TypedWord| words.len() == 1 || !is_function_word(&text::spelled(&text[word.at.clone()]), lang);
    words.iter().filter(is_content).flat_map(|word| keys::word_keys(&text[word.at.clone()], lang)).collect()
}

/// Distinct alternatives, surest first.
#[derive(Default)]
struct Alternatives(Vec<Alternative>);

impl Alternatives {
    /// Whether most of at least [`MIN_NAME_LANGS`] languages in Latin script begin the word with the same letters, and no category has it as a
    /// label.
    fn is_name(&self) -> bool {
        let mut beginnings: HashMap<&str, HashSet<Lang>> = HashMap::new();
        let mut langs = HashSet::new();
        for Alternative { lang, condition, .. } in &self.0 {
            let (Some(lang), Condition::Keys(keys)) = (lang, condition) else { continue };
            let beginning = keys.first().and_then(|key| key.split_once(':')).and_then(|(_, stem)| stem.get(..3));
            if let Some(beginning) = beginning.filter(|_| *lang != Lang::Ja) {
                langs.insert(*lang);
                beginnings.entry(beginning).or_default().insert(*lang);
            }
        }
        let most = beginnings.values().map(HashSet::len).max().unwrap_or_default();
        let has_label = self.0.iter().any(|alternative| alternative.origin == Origin::Label);
        !has_label && langs.len() >= MIN_NAME_LANGS && most * 2 > langs.len()
    }

    fn keys(&mut self, origin: Origin, lang: Option<Lang>, text: &str, mut keys: Vec<String>) {
        let mut seen = HashSet::new();
        keys.retain(|key| seen.insert(key.clone()));
        if !keys.is_empty() {
            self.add(Alternative { origin, lang, text: text.to_owned(), condition: Condition::Keys(keys) });
        }
    }

    fn add(&mut self, alternative: Alternative) {
        if self.0.iter().all(|known| known.condition != alternative.condition) {
            self.0.push(alternative);
        }
    }
}
