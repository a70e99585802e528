//! Makes queries from titles by rule, for each class and language.

#[cfg(test)]
mod tests;

use std::{collections::BTreeSet, ops::Range};

use lantern_config::Lang;
use rand::{
    Rng, SeedableRng,
    seq::{IndexedRandom, SliceRandom, index},
};
use rand_chacha::ChaCha8Rng;

use super::{
    function_words::function_words,
    pool::{Forms, Pool, SampledTitle},
    query::{Class, DrawnQuery},
    slips::misspelled,
    words::{Script, fold, is_content, pieces, script, words},
};

/// Maximum length of input in the search box, in characters.
const BOX: usize = 69;
/// Number of content words in a query; most queries are short.
const QUERY_WORDS: usize = 3;
/// Number of content words in a title of which one is left out.
const DROPPED_FROM: usize = 3;
/// Maximum number of words in a title of which one is left out. Later words than the tenth don't count in a search.
const TITLE_WORDS: usize = 10;
/// Maximum number of attempts to make a query from a title, and to misspell a word so that it is no other word.
const ATTEMPTS: usize = 10;

/// Draws up to `per_class` different queries for each class and language. The same pool and seed give the same queries.
pub fn draw(pool: &Pool, per_class: usize, seed: u64) -> Vec<DrawnQuery> {
    let mut queries = Vec::new();
    for lang in Lang::ALL {
        let forms = Forms::new(pool.titles(*lang));
        let of = |class| of_class(class, *lang, pool.titles(*lang), &forms, seed).take(per_class);
        Class::ALL.into_iter().for_each(|class| queries.extend(of(class)));
    }
    queries
}

/// Draws different queries of one class and language, at most one from each title.
fn of_class<'a>(
    class: Class,
    lang: Lang,
    titles: &'a [SampledTitle],
    forms: &'a Forms,
    seed: u64,
) -> impl Iterator<Item = DrawnQuery> + 'a {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // The queries of a class stay the same if another class changes. Stream 0 draws the pool.
    rng.set_stream(1 + (lang as u64 * Class::ALL.len() as u64) + class as u64);
    let mut titles: Vec<&SampledTitle> = titles.iter().collect();
    titles.shuffle(&mut rng);
    let mut seen = BTreeSet::new();
    let made = titles
        .into_iter()
        .filter_map(move |title| (0..ATTEMPTS).find_map(|_| make(class, lang, title, forms, &mut rng)));
    made.filter(move |query| seen.insert((query.visitor, query.text.clone())))
}

fn make(class: Class, lang: Lang, title: &SampledTitle, forms: &Forms, rng: &mut ChaCha8Rng) -> Option<DrawnQuery> {
    let mut visitor = lang;
    let content: Vec<&str> = words(&title.title).filter(|word| is_content(word, lang)).collect();
    let mut chosen = chosen(&content, class, rng)?;
    let text = match class {
        Class::Same => chosen.join(" "),
        Class::Other => {
            visitor = *title.others.choose(rng)?;
            chosen.join(" ")
        }
        Class::Dropped => {
            let left_out = *content.choose(rng)?;
            chosen.retain(|word| *word != left_out);
            without(&title.title, left_out, lang)?
        }
        Class::Inflected => replaced(&chosen, rng, |word, rng| {
            let is_spelled = word.chars().all(|c| script(c) == Some(Script::Letters));
            let others: Vec<&str> = forms.others(word).into_iter().filter(|_| is_spelled).collect();
            others.choose(rng).map(|form| (*form).to_owned())
        })?,
        Class::Misspelled => replaced(&chosen, rng, |word, rng| {
            let is_error = |typed: &String| fold(typed) == fold(word) || !forms.contains(typed);
            (0..ATTEMPTS).find_map(|_| misspelled(word, lang, rng).filter(is_error))
        })?,
        Class::Function => with_function_words(&chosen, lang, rng)?,
        Class::Shuffled => {
            let mut typed = chosen.clone();
            typed.shuffle(rng);
            if typed == chosen {
                typed.reverse();
            }
            typed.join(" ")
        }
    };
    let sought: Vec<String> = chosen.iter().map(|word| fold(word)).collect();
    let is_query = !sought.is_empty() && text.chars().count() <= BOX;
    is_query.then_some(DrawnQuery { class, lang, visitor, text, sought })
}

/// Chooses the words of a query, either consecutive or scattered, in the order of the title.
fn chosen<'a>(content: &[&'a str], class: Class, rng: &mut ChaCha8Rng) -> Option<Vec<&'a str>> {
    let mut seen = BTreeSet::new();
    let content: Vec<&str> = content.iter().copied().filter(|word| seen.insert(fold(word))).collect();
    let least = match class {
        Class::Dropped => return (content.len() >= DROPPED_FROM).then_some(content),
        Class::Function | Class::Shuffled => 2,
        _ => 1,
    };
    let most = QUERY_WORDS.min(content.len());
    if most < least {
        return None;
    }
    let count = rng.random_range(least..=most);
    if rng.random_bool(0.5) {
        let from = rng.random_range(0..=content.len() - count);
        return Some(content[from..from + count].to_vec());
    }
    let mut places = index::sample(rng, content.len(), count).into_vec();
    places.sort_unstable();
    Some(places.into_iter().map(|place| content[place]).collect())
}

/// Returns a title without punctuation, without a word, and without function words at the end. Of a Japanese title only the content words
/// are left, as they are typed.
fn without(title: &str, left_out: &str, lang: Lang) -> Option<String> {
    let mut pieces = pieces(title);
    if pieces.len() > TITLE_WORDS {
        return None;
    }
    let apart = |word: &str| lang == Lang::Ja && !is_content(word, lang);
    pieces.retain(|piece| fold(&title[piece.clone()]) != fold(left_out) && !apart(&title[piece.clone()]));
    let is_function =
        |piece: &Range<usize>| function_words(lang).contains(&title[piece.clone()].to_lowercase().as_str());
    let count = pieces.iter().rposition(|piece| !is_function(piece))? + 1;
    let (mut typed, mut end) = (String::new(), 0);
    for piece in pieces.into_iter().take(count) {
        // An apostrophe belongs to a word, as in `l'eau`. The search might interpret other signs.
        let between = if matches!(&title[end..piece.start], "'" | "’") { "'" } else { " " };
        typed.push_str(if typed.is_empty() { "" } else { between });
        typed.push_str(&title[piece.clone()]);
        end = piece.end;
    }
    Some(typed)
}

/// Replaces a random one of the words for which there is a replacement.
fn replaced(
    chosen: &[&str],
    rng: &mut ChaCha8Rng,
    mut replacement: impl FnMut(&str, &mut ChaCha8Rng) -> Option<String>,
) -> Option<String> {
    let mut typed: Vec<String> = chosen.iter().map(|word| (*word).to_owned()).collect();
    let mut places: Vec<usize> = (0..chosen.len()).collect();
    places.shuffle(rng);
    let (place, word) = places.into_iter().find_map(|place| Some((place, replacement(chosen[place], rng)?)))?;
    typed[place] = word;
    Some(typed.join(" "))
}

fn with_function_words(chosen: &[&str], lang: Lang, rng: &mut ChaCha8Rng) -> Option<String> {
    let space = if lang == Lang::Ja { "" } else { " " };
    let mut typed = (*chosen.first()?).to_owned();
    for word in &chosen[1..] {
        typed = [typed.as_str(), function_words(lang).choose(rng)?, word].join(space);
    }
    Some(typed)
}
