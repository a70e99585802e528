//! Formats the scores by class and language, and the worst queries.

use std::fmt::Write;

use lantern_config::Lang;
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::{
    Shown,
    judge::Verdict,
    query::{Class, DrawnQuery},
    score::{FIRST, Mean, score},
};

/// Number of titles per query in the list of the worst queries.
const TITLES: usize = 3;

/// A searched and judged query.
pub struct Outcome {
    pub query: DrawnQuery,
    pub shown: Shown,
    pub verdict: Verdict,
    score: f64,
}

impl Outcome {
    /// Returns `None` if no video is good, which happens only if its title has changed during the run.
    pub fn new(query: DrawnQuery, shown: Shown, verdict: Verdict) -> Option<Self> {
        let score = score(&verdict)?;
        Some(Self { query, shown, verdict, score })
    }
}

/// Formats a table of mean scores, a table of shares, and the `worst` queries with the lowest scores.
pub fn report(outcomes: &[Outcome], worst: usize, seed: u64) -> anyhow::Result<String> {
    let mut out = String::new();
    scores(&mut out, outcomes, seed)?;
    shares(&mut out, outcomes)?;
    if worst > 0 {
        list(&mut out, outcomes, worst, seed)?;
    }
    Ok(out)
}

/// Returns the languages, and `None` for all of them.
fn rows() -> impl Iterator<Item = Option<Lang>> {
    Lang::ALL.iter().copied().map(Some).chain([None])
}

fn name(lang: Option<Lang>) -> &'static str {
    lang.map_or("all", Lang::as_str)
}

fn scores(out: &mut String, outcomes: &[Outcome], seed: u64) -> anyhow::Result<()> {
    let columns = || Class::ALL.into_iter().map(Some).chain([None]);
    writeln!(
        out,
        "Good ones among the first {FIRST} results, in percent of what is possible (95 % interval of the mean)"
    )?;
    write!(out, "{:<8}", "language")?;
    columns().try_for_each(|class| write!(out, " {:>15}", class.map_or("all", Class::name)))?;
    for lang in rows() {
        write!(out, "\n{:<8}", name(lang))?;
        for class in columns() {
            let is_of = |query: &DrawnQuery| {
                lang.is_none_or(|lang| query.lang == lang) && class.is_none_or(|class| query.class == class)
            };
            let scores: Vec<f64> =
                outcomes.iter().filter(|outcome| is_of(&outcome.query)).map(|outcome| 100.0 * outcome.score).collect();
            let mean = Mean::new(&scores, &mut ChaCha8Rng::seed_from_u64(seed));
            let cell = mean.map_or("–".to_owned(), |of| format!("{:.1} ({:.0}–{:.0})", of.mean, of.low, of.high));
            write!(out, " {cell:>15}")?;
        }
    }
    Ok(writeln!(out, "\n")?)
}

fn shares(out: &mut String, outcomes: &[Outcome]) -> anyhow::Result<()> {
    writeln!(out, "{:<8} {:>8} {:>10} {:>9} {:>9}", "language", "queries", "zero hits", "relaxed", "unjudged")?;
    for lang in rows() {
        let of: Vec<&Outcome> =
            outcomes.iter().filter(|outcome| lang.is_none_or(|lang| outcome.query.lang == lang)).collect();
        let percent = |some: usize, all: usize| 100.0 * some as f64 / all.max(1) as f64;
        let share = |is: fn(&Outcome) -> bool| percent(of.iter().filter(|outcome| is(outcome)).count(), of.len());
        let first = || of.iter().flat_map(|outcome| outcome.verdict.results.iter().take(FIRST));
        let unjudged = percent(first().filter(|good| good.is_none()).count(), first().count());
        writeln!(
            out,
            "{:<8} {:>8} {:>8.1} % {:>7.1} % {unjudged:>7.1} %",
            name(lang),
            of.len(),
            share(|outcome| outcome.shown.is_zero_hit()),
            share(|outcome| !outcome.shown.relaxed.is_empty()),
        )?;
    }
    Ok(())
}

fn list(out: &mut String, outcomes: &[Outcome], worst: usize, seed: u64) -> anyhow::Result<()> {
    let mut sorted: Vec<&Outcome> = outcomes.iter().collect();
    // Among queries with the same score, no language comes first.
    sorted.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    sorted.sort_by(|a, b| a.score.total_cmp(&b.score));
    writeln!(
        out,
        "\nscore, class, language of the words (visitor's language): query (good videos, total, relaxed) → first titles"
    )?;
    for Outcome { query, shown, verdict, score } in sorted.into_iter().take(worst) {
        let DrawnQuery { class, lang, visitor, text, .. } = query;
        let titles: Vec<&str> = shown.videos.iter().take(TITLES).map(|video| video.title.as_str()).collect();
        let relaxed = if shown.relaxed.is_empty() { "no".to_owned() } else { shown.relaxed.join("+") };
        writeln!(
            out,
            "{:.0} {} {lang} ({visitor}): {text} ({}, {}, {relaxed}) → {}",
            100.0 * score,
            class.name(),
            verdict.good,
            shown.total_count,
            titles.join(" | ")
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{super::ShownVideo, *};

    fn outcome(class: Class, lang: Lang, text: &str, results: &[Option<bool>], relaxed: &[&str]) -> Outcome {
        let query = DrawnQuery { class, lang, visitor: Lang::Nl, text: text.to_owned(), sought: Vec::new() };
        let relaxed = relaxed.iter().map(|part| (*part).to_owned()).collect();
        let video = |at| ShownVideo { video_id: at, title: format!("Title {at}") };
        let shown = Shown { videos: (1..).map(video).take(results.len()).collect(), total_count: 7, relaxed };
        Outcome::new(query, shown, Verdict { good: 4, results: results.to_vec() }).unwrap()
    }

    #[test]
    fn report_shows_means_shares_and_worst_queries() {
        let outcomes = [
            outcome(Class::Same, Lang::Ru, "fine", &[Some(true); 5], &[]),
            outcome(Class::Same, Lang::Ru, "half", &[Some(true), Some(true), None, None], &["words"]),
            outcome(Class::Other, Lang::Fr, "bad", &[Some(false)], &["words", "popular"]),
        ];
        let report = report(&outcomes, 2, 1).unwrap();
        let line = |from: &str, at: usize| report.lines().filter(|line| line.starts_with(from)).nth(at).unwrap();
        let cells = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(cells(line("ru", 0))[..4], ["ru", "75.0", "(50–100)", "–"]);
        assert_eq!(cells(line("all", 0))[1..5], ["75.0", "(50–100)", "0.0", "(0–0)"]);
        assert_eq!(cells(line("fr", 1)), ["fr", "1", "100.0", "%", "100.0", "%", "0.0", "%"]);
        assert_eq!(cells(line("ru", 1)), ["ru", "2", "0.0", "%", "50.0", "%", "22.2", "%"]);
        let worst: Vec<&str> = report.lines().rev().take(2).collect();
        assert_eq!(worst[1], "0 other fr (nl): bad (4, 7, words+popular) → Title 1");
        assert_eq!(
            worst[0], "50 same ru (nl): half (4, 7, words) → Title 1 | Title 2 | Title 3",
            "at most three titles"
        );
    }
}
