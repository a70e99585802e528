//! Judges results by their titles, and counts all good videos. It reads the titles of the catalog once, one video at a time.

use std::collections::{BTreeSet, HashMap};

use lantern_config::Lang;

use super::{
    query::DrawnQuery,
    words::{are_alike, fold, key, words},
};

/// A title prepared for comparison.
pub enum ComparableTitle {
    /// Folded words.
    Words(Vec<String>),
    /// Folded text in Japanese, which has no spaces.
    Text(String),
}

impl ComparableTitle {
    pub fn new(title: &str, lang: Lang) -> Self {
        match lang {
            Lang::Ja => Self::Text(fold(title)),
            _ => Self::Words(words(title).map(fold).collect()),
        }
    }

    /// Returns whether the title contains all the folded words, or other forms of them.
    pub fn contains_all(&self, sought: &[String]) -> bool {
        match self {
            Self::Text(text) => sought.iter().all(|word| text.contains(word.as_str())),
            Self::Words(words) => sought.iter().all(|word| words.iter().any(|other| are_alike(word, other))),
        }
    }
}

/// What is known about the results of a query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verdict {
    /// Number of good videos in the catalog.
    pub good: u64,
    /// Whether each result is good, in the order of the results. `None` if it has no title in the language of the words.
    pub results: Vec<Option<bool>>,
}

/// Queries and results to judge. The memory used depends on their number and not on the catalog.
pub struct Judge<'a> {
    queries: &'a [DrawnQuery],
    /// Queries by language and by the key of their first word.
    by_key: HashMap<(Lang, String), Vec<usize>>,
    japanese: Vec<usize>,
    /// Queries and positions at which each video was shown.
    shown: HashMap<i64, Vec<(usize, usize)>>,
    verdicts: Vec<Verdict>,
}

impl<'a> Judge<'a> {
    /// `results` are the ids of the videos shown for each query.
    pub fn new(queries: &'a [DrawnQuery], results: &[Vec<i64>]) -> Self {
        let verdicts = results.iter().map(|ids| Verdict { good: 0, results: vec![None; ids.len()] }).collect();
        let mut judge = Self { queries, by_key: HashMap::new(), japanese: Vec::new(), shown: HashMap::new(), verdicts };
        for (at, query) in queries.iter().enumerate() {
            match query.sought.first() {
                _ if query.lang == Lang::Ja => judge.japanese.push(at),
                Some(word) => judge.by_key.entry((query.lang, key(word).to_owned())).or_default().push(at),
                None => {}
            }
        }
        for (query, ids) in results.iter().enumerate() {
            for (place, id) in ids.iter().enumerate() {
                judge.shown.entry(*id).or_default().push((query, place));
            }
        }
        judge
    }

    /// Reads the titles of a video.
    pub fn see(&mut self, id: i64, titles: &[(Lang, &str)]) {
        let titles: Vec<(Lang, ComparableTitle)> =
            titles.iter().map(|(lang, title)| (*lang, ComparableTitle::new(title, *lang))).collect();
        let good: BTreeSet<usize> = titles.iter().flat_map(|(lang, title)| self.fitting(*lang, title)).collect();
        for query in &good {
            self.verdicts[*query].good += 1;
        }
        for (query, place) in self.shown.get(&id).into_iter().flatten() {
            if titles.iter().any(|(lang, _)| *lang == self.queries[*query].lang) {
                self.verdicts[*query].results[*place] = Some(good.contains(query));
            }
        }
    }

    /// Returns the queries for which a title is good.
    fn fitting(&self, lang: Lang, title: &ComparableTitle) -> Vec<usize> {
        let candidates: Vec<usize> = match title {
            ComparableTitle::Text(_) => self.japanese.clone(),
            ComparableTitle::Words(words) => {
                let keys: BTreeSet<&str> = words.iter().map(|word| key(word)).collect();
                let of = |key: &str| self.by_key.get(&(lang, key.to_owned())).into_iter().flatten().copied();
                keys.into_iter().flat_map(of).collect()
            }
        };
        candidates.into_iter().filter(|query| title.contains_all(&self.queries[*query].sought)).collect()
    }

    pub fn finish(self) -> Vec<Verdict> {
        self.verdicts
    }
}

#[cfg(test)]
mod tests {
    use super::{super::query::Class, *};

    fn query(lang: Lang, sought: &[&str]) -> DrawnQuery {
        let sought: Vec<String> = sought.iter().map(|word| fold(word)).collect();
        DrawnQuery { class: Class::Same, lang, visitor: lang, text: sought.join(" "), sought }
    }

    #[test]
    fn good_titles_contain_all_words_or_their_forms() {
        let is_good =
            |title, lang, sought: &[&str]| ComparableTitle::new(title, lang).contains_all(&query(lang, sought).sought);
        assert!(is_good("Gardens of Córdoba at NIGHT", Lang::En, &["garden", "Cordoba", "night"]));
        assert!(!is_good("Gardens of Córdoba", Lang::En, &["garden", "night"]));
        assert!(!is_good("Nightlife", Lang::En, &["night"]));
        assert!(is_good("京都の夜市めぐり", Lang::Ja, &["夜市", "京都"]) && !is_good("京都の朝", Lang::Ja, &["夜市"]));
    }

    #[test]
    fn results_are_judged_in_the_language_of_the_words() {
        let queries = [query(Lang::De, &["Markt", "Rom"]), query(Lang::Ja, &["夜市"]), query(Lang::En, &["market"])];
        let mut judge = Judge::new(&queries, &[vec![1, 2, 3], vec![3], vec![9]]);
        judge.see(1, &[(Lang::De, "Rom: der Markt"), (Lang::En, "Market in Rome")]);
        judge.see(2, &[(Lang::De, "Markt in Wien")]);
        judge.see(3, &[(Lang::Ja, "ローマの夜市"), (Lang::En, "Night markets")]);
        judge.see(4, &[(Lang::De, "Markt bei Rom"), (Lang::De, "Rom und Markt")]);
        let verdict = |good, results: &[Option<bool>]| Verdict { good, results: results.to_vec() };
        let expected = [
            verdict(2, &[Some(true), Some(false), None]),
            verdict(1, &[Some(true)]),
            // The third video has another form of the word. The shown one is no longer in the catalog.
            verdict(2, &[None]),
        ];
        assert_eq!(judge.finish(), expected);
    }
}
