//! Scores queries, and estimates how much a mean depends on which queries happened to be drawn.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::judge::Verdict;

/// Number of judged results that count.
pub const FIRST: usize = 5;
/// Number of resamples. With more, the interval hardly changes.
const RESAMPLES: usize = 1_000;
/// Share of resamples below the interval, and above it, which leaves 95 %.
const TAIL: f64 = 0.025;

/// Returns the share of good ones among the first results, of what is possible with the good videos in the catalog. Results that can't be
/// judged are skipped. Returns `None` if no video is good.
pub fn score(verdict: &Verdict) -> Option<f64> {
    let possible = usize::try_from(verdict.good).unwrap_or(usize::MAX).min(FIRST);
    let good = verdict.results.iter().flatten().take(FIRST).filter(|good| **good).count();
    // A video may have gained its title after the others were counted.
    (possible > 0).then(|| (good as f64 / possible as f64).min(1.0))
}

/// Mean of scores with its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

impl Mean {
    /// Resamples the scores (bootstrap). Returns `None` if there are no scores.
    pub fn new(scores: &[f64], rng: &mut ChaCha8Rng) -> Option<Self> {
        if scores.is_empty() {
            return None;
        }
        let count = scores.len();
        let mut resampled = || {
            (0..count).map(|_| scores[rng.random_range(0..count)]).fold(0.0, |sum, score| sum + score) / count as f64
        };
        let mut means: Vec<f64> = (0..RESAMPLES).map(|_| resampled()).collect();
        means.sort_by(f64::total_cmp);
        let at = |share: f64| means[((RESAMPLES - 1) as f64 * share).round() as usize];
        let mean = scores.iter().fold(0.0, |sum, score| sum + score) / count as f64;
        Some(Self { mean, low: at(TAIL), high: at(1.0 - TAIL) })
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn of(good: u64, results: &[Option<bool>]) -> Option<f64> {
        score(&Verdict { good, results: results.to_vec() })
    }

    #[test]
    fn perfect_score_is_1_even_with_few_good_videos() {
        assert_eq!(of(1, &[Some(false), Some(true), Some(false)]), Some(1.0));
        assert_eq!(of(100, &[Some(true); 9]), Some(1.0));
        assert_eq!(of(2, &[Some(true), Some(false)]), Some(0.5));
        assert_eq!((of(3, &[]), of(0, &[Some(false)])), (Some(0.0), None));
    }

    #[test]
    fn unjudged_results_are_skipped_and_later_ones_do_not_count() {
        assert_eq!(of(1, &[None, None, None, None, None, Some(true)]), Some(1.0));
        assert_eq!(of(1, &[Some(false), Some(false), Some(false), Some(false), Some(false), Some(true)]), Some(0.0));
    }

    #[test]
    fn interval_contains_mean_and_narrows_with_more_scores() {
        let mean = |count: usize| {
            let scores: Vec<f64> = (0..count).map(|at| if at % 4 == 0 { 0.0 } else { 1.0 }).collect();
            Mean::new(&scores, &mut ChaCha8Rng::seed_from_u64(1)).unwrap()
        };
        let (few, many) = (mean(40), mean(1_600));
        assert!(few.low < few.mean && few.mean < few.high, "{few:?}");
        assert!((0.2..0.35).contains(&(few.high - few.low)) && many.high - many.low < 0.05, "{few:?} {many:?}");
        assert_eq!((few.mean, few), (0.75, mean(40)));
        assert_eq!(Mean::new(&[], &mut ChaCha8Rng::seed_from_u64(1)), None);
    }
}
