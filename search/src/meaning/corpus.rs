//! A sample of translated titles from which translations of words are learned.

use std::{
    collections::{HashMap, HashSet, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
};

use lantern_catalog::{
    meanings::{MeaningPairs, Side},
    words::Title,
};
use lantern_config::Lang;
use lantern_index::text::{self, function::is_function_word};

use super::{
    MIN_RATIO_TO_SUREST,
    align::{MIN_TITLES, TitlePair, WordId, WordPair, align},
};

/// Maximum number of characters of a word or label in the catalog.
const MAX_LENGTH: usize = 69;

/// Minimum share of a word's titles whose translation has all words of a phrase.
const MIN_PHRASE_SHARE: f32 = 0.6;

/// Ids and spellings of the words of a language.
#[derive(Default)]
struct WordIds {
    ids: HashMap<String, WordId>,
    /// For each word, the number of occurrences of each spelling.
    written: Vec<HashMap<String, usize>>,
}

impl WordIds {
    fn ids(&mut self, title: &str, lang: Lang) -> Vec<WordId> {
        let mut ids = Vec::new();
        // Function words would share the probability of the word they stand with: *dem* and *Dach* for a rooftop.
        let is_content = |lemma: &text::Lemma| !is_function_word(&text::spelled(&lemma.written), lang);
        for lemma in text::lemmas(title, lang).into_iter().filter(is_content) {
            let next = WordId::try_from(self.written.len()).unwrap_or(WordId::MAX);
            let id = *self.ids.entry(lemma.key).or_insert(next);
            if id == next {
                self.written.push(HashMap::new());
            }
            *self.written[id as usize].entry(lemma.written).or_default() += 1;
            ids.push(id);
        }
        ids
    }

    /// Returns the most frequent spelling.
    fn written(&self, id: WordId) -> Option<&str> {
        let spellings = self.written.get(id as usize)?;
        spellings
            .iter()
            .max_by_key(|(written, titles)| (**titles, std::cmp::Reverse(written.as_str())))
            .map(|(written, _)| written.as_str())
    }
}

/// Number of different titles in which a pair occurs, its two words, and its confidence.
type Pair = (u32, Side, Side, f32);

type Translations = Vec<(Lang, Vec<WordId>)>;

/// A random sample of titles with translations.
pub struct Corpus {
    most: usize,
    /// Bits of a title's hash that must be 0. Each additional bit halves the sample.
    mask: u64,
    videos: HashMap<u64, Translations>,
    lexicons: HashMap<Lang, WordIds>,
}

impl Corpus {
    /// Creates a sample of at most `most` videos with different titles.
    pub fn new(most: usize) -> Self {
        Self { most, mask: 0, videos: HashMap::new(), lexicons: HashMap::new() }
    }

    /// Adds titles. The titles of each video must be adjacent.
    pub fn add(&mut self, titles: &[Title]) {
        for titles in titles.chunk_by(|a, b| a.id == b.id).filter(|titles| titles.len() > 1) {
            let mut hasher = DefaultHasher::new();
            titles.iter().for_each(|title| (&title.lang, &title.title).hash(&mut hasher));
            let hash = hasher.finish();
            if hash & self.mask != 0 || self.videos.contains_key(&hash) {
                continue;
            }
            let words = |title: &Title| {
                let lang = title.lang.parse().ok()?;
                Some((lang, self.lexicons.entry(lang).or_default().ids(&title.title, lang)))
            };
            let translated: Translations = titles.iter().filter_map(words).filter(|(_, ids)| !ids.is_empty()).collect();
            self.videos.insert(hash, translated);
            while self.videos.len() > self.most {
                self.mask = self.mask << 1 | 1;
                let mask = self.mask;
                self.videos.retain(|hash, _| hash & mask == 0);
            }
        }
    }

    /// Returns at most `most` pairs with the same meaning, those from the most titles first. The pairs consist of
    /// words, found by aligning titles, and of whole labels.
    pub fn learn(&self, labels: &[Title], most: usize) -> MeaningPairs {
        let mut found: Vec<Pair> = Vec::new();
        for titles in labels.chunk_by(|a, b| a.id == b.id) {
            for (at, a) in titles.iter().enumerate() {
                found.extend(titles[at + 1..].iter().map(|b| (u32::MAX, side(a), side(b), 1.0)));
            }
        }
        for (at, a) in Lang::ALL.iter().enumerate() {
            for b in &Lang::ALL[at + 1..] {
                found.extend(self.pairs_between(*a, *b));
            }
        }
        keep_surest(&mut found);
        found.retain(|(_, a, b, _)| [a, b].iter().all(|side| side.word.chars().count() <= MAX_LENGTH));
        found.sort_by(|(seen, a, b, _), (others, c, d, _)| others.cmp(seen).then_with(|| (a, b).cmp(&(c, d))));
        // A label may also be a word in titles, with the two languages swapped.
        let mut known = HashSet::new();
        found.retain(|(_, a, b, _)| known.insert((a.min(b).clone(), a.max(b).clone())));
        found.truncate(most);
        let mut learned = MeaningPairs::default();
        found.into_iter().for_each(|(_, a, b, weight)| learned.push(a, b, weight));
        learned
    }

    fn pairs_between(&self, a: Lang, b: Lang) -> Vec<Pair> {
        let title = |titles: &Translations, lang| titles.iter().find(|(of, _)| *of == lang).map(|(_, ids)| ids.clone());
        let pairs: HashSet<TitlePair> =
            self.videos.values().filter_map(|titles| Some((title(titles, a)?, title(titles, b)?))).collect();
        let (Some(of_a), Some(of_b)) = (self.lexicons.get(&a), self.lexicons.get(&b)) else { return Vec::new() };
        let mut aligned = align(&pairs);
        keep_same_spelling(&mut aligned, of_a, of_b);
        let phrases = phrases(&aligned, pairs.iter().map(|(a, b)| (a, b)));
        let swapped: Vec<WordPair> = aligned.iter().map(|pair| WordPair { a: pair.b, b: pair.a, ..*pair }).collect();
        let swapped = self::phrases(&swapped, pairs.iter().map(|(a, b)| (b, a)));
        // A word that means a phrase doesn't mean the phrase's words.
        let is_part =
            |phrases: &[PhrasePair], word, part| phrases.iter().any(|of| of.word == word && of.phrase.contains(&part));
        aligned.retain(|pair| !is_part(&phrases, pair.a, pair.b) && !is_part(&swapped, pair.b, pair.a));
        let words = aligned.into_iter().filter_map(|pair| {
            let sides = (Side::new(a, of_a.written(pair.a)?), Side::new(b, of_b.written(pair.b)?));
            Some((pair.seen, sides.0, sides.1, pair.weight))
        });
        let phrases = phrases.into_iter().filter_map(|of| of.named((a, of_a), (b, of_b)));
        let swapped = swapped.into_iter().filter_map(|of| of.named((b, of_b), (a, of_a)));
        words.chain(phrases).chain(swapped).collect()
    }
}

/// Removes the other partners of words that both languages spell alike, such as the names of places, if only in other alphabets. A place
/// whose hot springs are in every title would otherwise mean hot, too.
fn keep_same_spelling(aligned: &mut Vec<WordPair>, of_a: &WordIds, of_b: &WordIds) {
    let is_same = |pair: &WordPair| {
        let spelled = |of: &WordIds, id| {
            of.written(id).map(|word| text::key(&text::cyrillic::latin(&text::fold(word)), Lang::En))
        };
        spelled(of_a, pair.a) == spelled(of_b, pair.b)
    };
    let same: HashSet<(WordId, WordId)> =
        aligned.iter().filter(|pair| is_same(pair)).map(|pair| (pair.a, pair.b)).collect();
    let (a, b): (HashSet<WordId>, HashSet<WordId>) = same.iter().copied().unzip();
    let is_kept = |pair: &WordPair| same.contains(&(pair.a, pair.b)) || !a.contains(&pair.a) && !b.contains(&pair.b);
    aligned.retain(is_kept);
}

/// A word whose translation consists of several words: *Vollmond* and *full moon*.
struct PhrasePair {
    word: WordId,
    /// Words in the order of most titles.
    phrase: Vec<WordId>,
    seen: u32,
    weight: f32,
}

impl PhrasePair {
    fn named(&self, (a, of_a): (Lang, &WordIds), (b, of_b): (Lang, &WordIds)) -> Option<Pair> {
        let phrase: Vec<&str> = self.phrase.iter().map(|id| of_b.written(*id)).collect::<Option<_>>()?;
        let separator = if b == Lang::Ja { "" } else { " " };
        Some((self.seen, Side::new(a, of_a.written(self.word)?), Side::new(b, &phrase.join(separator)), self.weight))
    }
}

/// Returns the words that are aligned with several words which occur together in most translations of titles with the word, and which are
/// aligned with no other word.
fn phrases<'a>(
    aligned: &[WordPair],
    titles: impl Iterator<Item = (&'a Vec<WordId>, &'a Vec<WordId>)>,
) -> Vec<PhrasePair> {
    let mut partners: HashMap<WordId, HashSet<WordId>> = HashMap::new();
    let mut others: HashMap<WordId, usize> = HashMap::new();
    aligned.iter().for_each(|pair| *others.entry(pair.b).or_default() += 1);
    for pair in aligned.iter().filter(|pair| others[&pair.b] == 1) {
        partners.entry(pair.a).or_default().insert(pair.b);
    }
    partners.retain(|_, partners| partners.len() > 1);
    let mut counts: HashMap<WordId, (u32, HashMap<Vec<WordId>, u32>)> = HashMap::new();
    for (title, translation) in titles {
        for word in title {
            let Some(partners) = partners.get(word) else { continue };
            let (all, phrases) = counts.entry(*word).or_default();
            *all += 1;
            let phrase: Vec<WordId> = translation.iter().filter(|id| partners.contains(id)).copied().collect();
            if phrase.len() > 1 {
                *phrases.entry(phrase).or_default() += 1;
            }
        }
    }
    let likeliest = |(word, (all, phrases)): (WordId, (u32, HashMap<Vec<WordId>, u32>))| {
        let (phrase, seen) = phrases.into_iter().max_by(|(a, n), (b, m)| n.cmp(m).then_with(|| b.cmp(a)))?;
        #[expect(clippy::cast_precision_loss, reason = "a sample has fewer than 2^24 titles")]
        let weight = seen as f32 / all as f32;
        (seen >= MIN_TITLES && weight >= MIN_PHRASE_SHARE).then_some(PhrasePair { word, phrase, seen, weight })
    };
    counts.into_iter().filter_map(likeliest).collect()
}

/// Removes a pair if either of its words has a much surer partner in the other word's language. For example, *Abend*
/// occurs next to *piano* wherever a *Klavierabend* is a *piano evening*, but a piano is a *Klavier*.
fn keep_surest(pairs: &mut Vec<Pair>) {
    let key =
        |side: &Side| side.lang.parse::<Lang>().map_or_else(|_| side.word.clone(), |lang| text::key(&side.word, lang));
    let directions = |(_, a, b, _): &Pair| {
        let (one, other) = (key(a), key(b));
        [(a.lang.clone(), one, b.lang.clone()), (b.lang.clone(), other, a.lang.clone())]
    };
    let mut surest: HashMap<(String, String, String), f32> = HashMap::new();
    for pair in &*pairs {
        for direction in directions(pair) {
            let best = surest.entry(direction).or_default();
            *best = best.max(pair.3);
        }
    }
    pairs.retain(|pair| directions(pair).iter().all(|direction| pair.3 >= surest[direction] * MIN_RATIO_TO_SUREST));
}

fn side(label: &Title) -> Side {
    Side { lang: label.lang.clone(), word: label.title.to_lowercase() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(id: i64, texts: &[(&str, &str)]) -> Vec<Title> {
        let title = |(lang, title): &(&str, &str)| Title { id, lang: (*lang).to_owned(), title: (*title).to_owned() };
        texts.iter().map(title).collect()
    }

    #[test]
    fn learns_words_from_titles_and_whole_labels() {
        let mut corpus = Corpus::new(100);
        for (id, english, german) in [
            (1, "A piano evening in Osaka", "Klavierabend in Osaka"),
            (2, "Pianos and roses", "Klavier und Rosen"),
            (3, "An evening of roses", "Ein Abend der Rosen"),
        ] {
            corpus.add(&titles(id, &[("en", english), ("de", german)]));
        }
        corpus.add(&titles(4, &[("en", "Alone")]));
        let labels = titles(1, &[("en", "Hot springs"), ("ja", "温泉")]);
        let learned = format!("{:?}", corpus.learn(&labels, 100));
        for word in ["piano", "klavier", "evening", "abend", "roses", "rosen", "hot springs", "温泉"] {
            assert!(learned.contains(&format!("\"{word}\"")), "{word}: {learned}");
        }
        assert_eq!(corpus.learn(&labels, 2).len(), 2);
        let same = titles(1, &[("de", "Klavier"), ("en", "Piano")]);
        assert_eq!(corpus.learn(&same, 100).len(), corpus.learn(&[], 100).len(), "pairs are unique");
    }

    #[test]
    fn sure_pair_separates_words_that_always_occur_together() {
        let mut corpus = Corpus::new(100);
        for (id, place) in ["Osaka", "Hanoi", "Lisbon", "Porto"].iter().enumerate() {
            let id = i64::try_from(id).expect("few");
            let (english, german) = (format!("Piano evening in {place}"), format!("Klavier Abend in {place}"));
            corpus.add(&titles(id, &[("en", &english), ("de", &german)]));
        }
        let with = |labels: &[Title]| format!("{:?}", corpus.learn(labels, 100));
        let piano = titles(1, &[("de", "Klavier"), ("en", "Piano")]);
        let pairs = |learned: String| learned.matches("\"abend\"").count();
        assert_eq!([pairs(with(&[])), pairs(with(&piano))], [2, 1]);
    }

    #[test]
    fn sample_is_bounded_and_has_no_duplicates() {
        let mut corpus = Corpus::new(50);
        for id in 0..500 {
            corpus.add(&titles(id, &[("en", &format!("walk w{id}x")), ("de", &format!("gang g{id}x"))]));
            corpus.add(&titles(id, &[("en", "walk"), ("de", "gang")]));
        }
        assert!((10..=50).contains(&corpus.videos.len()), "{}", corpus.videos.len());
    }
}
