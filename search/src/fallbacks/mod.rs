//! Fallbacks for a search with few hits, in the order of ADR 10.

mod state;

use lantern_errors::ApiResult;
use lantern_index::text;

use self::state::State;
use crate::{
    doubts::Doubts,
    outcome::Outcome,
    prepared::Search,
    relax::{Relaxation, words_alone},
};

/// Tries the strategies until one determines the outcome.
pub async fn run(search: &Search<'_>, doubts: Doubts, outcome: Outcome) -> ApiResult<Outcome> {
    let mut state = State::new(search, doubts, outcome).await?;
    for strategy in Strategy::ORDER {
        if strategy.applies(&state) && strategy.take(&mut state).await? {
            break;
        }
    }
    Ok(state.outcome)
}

/// A way to find more than the first round trip did.
#[derive(Debug, Clone, Copy)]
enum Strategy {
    /// The words in all fields, in the likely language variants.
    LikelyVariants,
    /// The words exactly as typed in any language, as compounds or their parts, or in other forms.
    Forms,
    /// Synonyms of words that are known as typed.
    Synonyms,
    /// Appends compounds, synonyms and videos with one of the words to few hits.
    Related,
    /// A better spelling, which replaces doubtful hits and is suggested for others.
    Spelling,
    /// The words with the endings of all languages. A misspelled word in the visitor's language is likelier than a word
    /// in a third language.
    AnyVariant,
    /// Fewer filters and words.
    FewerConditions,
    /// Synonyms of words that are known only by their root or reading.
    UnsureSynonyms,
    /// Synonyms without the filters.
    UnfilteredSynonyms,
    /// Synonyms of each word alone, without the filters.
    WordSynonyms,
    /// The most watched videos.
    Popular,
}

impl Strategy {
    /// All strategies, in the order in which they are tried.
    const ORDER: [Self; 11] = [
        Self::LikelyVariants,
        Self::Forms,
        Self::Synonyms,
        Self::Related,
        Self::Spelling,
        Self::AnyVariant,
        Self::FewerConditions,
        Self::UnsureSynonyms,
        Self::UnfilteredSynonyms,
        Self::WordSynonyms,
        Self::Popular,
    ];

    /// Whether the strategy may change the outcome so far.
    fn applies(self, state: &State<'_>) -> bool {
        let State { search, outcome, .. } = state;
        let is_open = outcome.found.total == 0;
        let has_fewer = state.shown.as_ref().is_some_and(|shown| !shown.relaxed.is_empty());
        let variant = state.shown.as_ref().filter(|_| !has_fewer).map(|shown| shown.reading);
        match self {
            Self::LikelyVariants => variant.is_some_and(|reading| reading <= search.prepared.readings.len()),
            // A word that exists in any language is not misspelled.
            Self::Forms => is_open && state.alternatives.has_own() && !state.doubts.is_chance,
            Self::Synonyms => {
                // A part of the query's words is closer to the query than uncertain synonyms of all its words.
                let has_fewer_words = has_fewer && text::count_words(&search.request.text) > 1;
                is_open && !state.sure_synonyms().is_empty() && !state.doubts.is_chance && !has_fewer_words
            }
            Self::Related => (1..search.reader.config.listing.few_hits).contains(&outcome.hits),
            Self::Spelling => true,
            Self::AnyVariant => is_open && variant.is_some(),
            Self::FewerConditions => is_open,
            // They are less certain than a corrected spelling, but better than nothing.
            Self::UnsureSynonyms => is_open && !state.parts.is_empty(),
            // The whole query with all its filters has already run.
            Self::UnfilteredSynonyms => is_open && !state.filters.is_empty(),
            Self::WordSynonyms => is_open,
            Self::Popular => is_open && search.request.list.page == 1,
        }
    }

    /// Puts the strategy's videos into the outcome. Returns whether this determines the outcome, so that no other
    /// strategy is tried.
    async fn take(self, state: &mut State<'_>) -> ApiResult<bool> {
        match self {
            Self::LikelyVariants => return state.show_parts().map(|()| false),
            Self::Forms => state.take_forms().await?,
            Self::Synonyms => state.append(Vec::new(), state.sure_synonyms().to_vec()).await?,
            Self::Related => return state.append_related().await.map(|()| false),
            Self::Spelling => return state.correct_spelling().await,
            Self::AnyVariant | Self::FewerConditions => state.show_parts()?,
            Self::UnsureSynonyms => {
                state.append(state.alternatives.own.clone(), state.alternatives.synonyms.clone()).await?;
            }
            Self::UnfilteredSynonyms => {
                let unfiltered = state.unfiltered.clone();
                state.take_synonyms(&[unfiltered], &[Relaxation::Meaning]).await?;
            }
            Self::WordSynonyms => {
                state.take_synonyms(&words_alone(&state.unfiltered), &[Relaxation::Words, Relaxation::Meaning]).await?;
            }
            Self::Popular => state.take_popular().await?,
        }
        Ok(state.outcome.found.total > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::Strategy;

    #[test]
    fn strategies_have_the_order_of_the_decision() {
        let rows = include_str!("../../../docs/adr/0010-search-fallbacks.md").lines();
        let rows = rows.filter(|line| line.strip_prefix("| ").is_some_and(|row| row.starts_with(char::is_numeric)));
        let names: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
        assert_eq!(names, Strategy::ORDER.map(|strategy| format!("{strategy:?}")));
    }
}
