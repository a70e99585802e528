//! Scores: nDCG@10, reciprocal rank, share of queries with results, and precision both of announced matches and of all results shown.

use std::{collections::BTreeMap, fmt::Write};

use serde::{Deserialize, Serialize};

/// Number of results a visitor looks at.
const SEEN: usize = 10;

/// Scores of one query.
#[derive(Debug, Clone)]
pub struct Outcome {
    kind: &'static str,
    text: String,
    ndcg: f64,
    reciprocal_rank: f64,
    answered: bool,
    /// Precision of the announced matches, or `None` if there are none.
    precision: Option<f64>,
    /// Precision of all results shown, including additions.
    shown: Option<f64>,
}

impl Outcome {
    /// Compares the ids found with the grades (1 to 3) of the relevant videos. The ids are ordered best first, and the first `claimed` of
    /// them are announced as matches. If there are no relevant videos, an empty result is perfect.
    pub fn judge(
        kind: &'static str,
        text: String,
        (found, claimed): (&[i64], usize),
        grades: &BTreeMap<i64, u32>,
    ) -> Self {
        let seen = &found[..found.len().min(SEEN)];
        let relevant = |id: &i64| grades.get(id).copied().unwrap_or(0);
        let share = |part: &[i64]| {
            (!part.is_empty()).then(|| part.iter().filter(|id| relevant(id) > 0).count() as f64 / part.len() as f64)
        };
        let (precision, shown) = (share(&seen[..claimed.min(seen.len())]), share(seen));
        if grades.is_empty() {
            let clean = f64::from(u8::from(found.is_empty()));
            return Self { kind, text, ndcg: clean, reciprocal_rank: clean, answered: true, precision, shown };
        }
        let mut ideal: Vec<u32> = grades.values().copied().collect();
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        let first = found.iter().position(|id| relevant(id) > 0);
        Self {
            kind,
            text,
            ndcg: gain(seen.iter().map(relevant)) / gain(ideal.into_iter().take(SEEN)),
            reciprocal_rank: first.map_or(0.0, |at| 1.0 / (at as f64 + 1.0)),
            answered: !found.is_empty(),
            precision,
            shown,
        }
    }

    fn is_perfect(&self) -> bool {
        self.ndcg > 0.999 && self.precision.is_none_or(|share| share > 0.999)
    }
}

fn gain(grades: impl Iterator<Item = u32>) -> f64 {
    grades
        .enumerate()
        .fold(0.0, |sum, (at, grade)| sum + (f64::from(2_u32.pow(grade)) - 1.0) / (at as f64 + 2.0).log2())
}

/// Scores of several queries.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Mean {
    queries: usize,
    ndcg: f64,
    mrr: f64,
    zero_hits: f64,
    precision: f64,
    shown: f64,
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

impl Mean {
    fn of(outcomes: &[&Outcome]) -> Self {
        let mean =
            |values: Vec<f64>| rounded(values.iter().fold(0.0, |sum, value| sum + value) / values.len().max(1) as f64);
        Self {
            queries: outcomes.len(),
            ndcg: mean(outcomes.iter().map(|outcome| outcome.ndcg).collect()),
            mrr: mean(outcomes.iter().map(|outcome| outcome.reciprocal_rank).collect()),
            zero_hits: mean(outcomes.iter().map(|outcome| f64::from(u8::from(!outcome.answered))).collect()),
            precision: mean(outcomes.iter().filter_map(|outcome| outcome.precision).collect()),
            shown: mean(outcomes.iter().filter_map(|outcome| outcome.shown).collect()),
        }
    }

    /// Returns every score with its name. Higher is better.
    pub fn gains(&self) -> [(&'static str, f64); 5] {
        [
            ("nDCG@10", self.ndcg),
            ("MRR", self.mrr),
            ("share answered", 1.0 - self.zero_hits),
            ("precision", self.precision),
            ("precision of all shown", self.shown),
        ]
    }
}

/// Outcomes by language and kind of query.
#[derive(Debug, Default)]
pub struct Table(BTreeMap<(&'static str, &'static str), Vec<Outcome>>);

impl Table {
    pub fn add(&mut self, lang: &'static str, outcome: Outcome) {
        self.0.entry((lang, outcome.kind)).or_default().push(outcome);
    }

    /// Returns the scores of the queries grouped by `name`, a function of language and kind.
    pub fn by(&self, name: impl Fn(&str, &str) -> String) -> BTreeMap<String, Mean> {
        let mut groups: BTreeMap<String, Vec<&Outcome>> = BTreeMap::new();
        for ((lang, kind), outcomes) in &self.0 {
            groups.entry(name(lang, kind)).or_default().extend(outcomes);
        }
        groups.into_iter().map(|(name, outcomes)| (name, Mean::of(&outcomes))).collect()
    }

    /// Formats the scores by language, by kind of query and by both, followed by every query with an imperfect result.
    pub fn report(&self) -> String {
        let mut out = String::from("\nscores              queries  nDCG@10      MRR  zero hits  precision    shown\n");
        let both = self.by(|lang, kind| format!("{lang} {kind}"));
        let single =
            [self.by(|lang, _| lang.to_owned()), self.by(|_, kind| kind.to_owned()), self.by(|_, _| "all".to_owned())];
        for (name, mean) in both.into_iter().chain(single.into_iter().flatten()) {
            let Mean { queries, ndcg, mrr, zero_hits, precision, shown } = mean;
            writeln!(
                out,
                "{name:<19} {queries:>7}  {ndcg:>7.4}  {mrr:>7.4}  {zero_hits:>9.4}  {precision:>9.4}  {shown:>7.4}"
            )
            .unwrap();
        }
        for ((lang, kind), outcomes) in &self.0 {
            for outcome in outcomes.iter().filter(|outcome| !outcome.is_perfect()) {
                let shown = outcome.precision.map_or("nothing".to_owned(), |share| format!("precision {share:.2}"));
                writeln!(out, "  {lang} {kind:<10} nDCG {:.2} {shown}: {}", outcome.ndcg, outcome.text).unwrap();
            }
        }
        out
    }
}
