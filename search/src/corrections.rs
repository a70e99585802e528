//! Corrects the spelling of a search with few hits, based on the suggestions: categories, models and frequent searches.

use lantern_config::Lang;
use lantern_errors::ApiResult;
use lantern_index::{Filter, IndexName, settings, text};

use super::prepared::{PreparedSearch, Search};
use crate::{
    index::{Found, Hit, SuggestionDoc, VideoQuery, display, find_many},
    spelling::{KnownSpelling, MAX_WORDS, corrected},
};

/// Maximum number of suggestions that the engine finds similar to the whole query.
const MAX_SIMILAR: usize = 10;
/// Maximum number of suggestions for the initial letter of each word in the query, best known first. Suggestions beyond
/// this limit are not better known than the query itself.
const MAX_PER_INITIAL: usize = 200;

/// Returns the suggestion fields with words that the visitor may know: those in the visitor's language and in English.
fn searched_fields(lang: Lang) -> Vec<String> {
    let mut fields = settings::searched(IndexName::Suggestions, Some(lang));
    let english = settings::searched(IndexName::Suggestions, Some(Lang::En));
    fields.extend(english.into_iter().filter(|_| lang != Lang::En));
    fields.sort_unstable();
    fields.dedup();
    fields
}

/// Engine queries for similar suggestions.
pub struct Hints {
    filter: Filter,
    fields: Vec<String>,
    whole: String,
    initials: Vec<String>,
}

impl Hints {
    /// Prepares the queries. A text with a prohibited term gets no queries.
    pub fn new(search: &Search<'_>) -> Self {
        let Search { lexicon, request, .. } = search;
        // Categories and models have titles in every language, but a query has only one language.
        let filter = Filter::in_("type", ["category", "model"]).or(Filter::eq("lang", request.lang.as_str()));
        let mut initials = Vec::new();
        if !lexicon.prohibited.found_in(&request.text) {
            let words = text::plain_words(&request.text).into_iter().take(MAX_WORDS);
            initials.extend(words.map(|word| text::initial(&request.text[word.at], request.lang)));
            initials.sort_unstable();
            initials.dedup();
        }
        let whole = text::query(&request.text, request.lang);
        Self { filter, fields: searched_fields(request.lang), whole, initials }
    }

    /// Returns the engine queries.
    pub fn queries(&self) -> Vec<VideoQuery<'_>> {
        let query = |words, sort, limit| VideoQuery {
            index: IndexName::Suggestions,
            sort,
            limit,
            fields: SuggestionDoc::fields(),
            counts: &[],
            exact: false,
            ..VideoQuery::matching(self.filter.clone(), words, &self.fields)
        };
        let whole = (!self.initials.is_empty()).then(|| query(&self.whole, &[], MAX_SIMILAR));
        let begin = self.initials.iter().map(|initial| query(initial, &["weight:desc", "id:asc"], MAX_PER_INITIAL));
        whole.into_iter().chain(begin).collect()
    }

    /// Returns the corrected query, based on the results of [`Self::queries`] and on words from titles.
    pub fn corrected(&self, search: &Search<'_>, found: Vec<Found<Hit>>) -> ApiResult<Option<String>> {
        let Search { lexicon, request, .. } = search;
        if self.initials.is_empty() {
            return Ok(None);
        }
        let mut known = lexicon.words.near(&request.text, request.lang);
        for found in found {
            for doc in found.read::<SuggestionDoc>()?.hits {
                let weight = doc.weight;
                known.push(KnownSpelling { title: display(&doc.title, &doc.titles, request.lang).to_owned(), weight });
                // Visitors of every language search for English titles.
                known.push(KnownSpelling { title: doc.title, weight });
            }
        }
        Ok(corrected(&request.text, &known))
    }
}

/// Searches for the corrected spelling with the same filters. Returns the results if the spelling may be suggested and
/// finds more than `hits` videos. If `hits` is 0, the results are the page to show; otherwise they are only counted.
pub async fn confirm(search: &Search<'_>, spelling: &str, hits: usize) -> ApiResult<Option<Found<Hit>>> {
    let Search { reader, lexicon, request, fields, .. } = search;
    if spelling.chars().count() > reader.config.listing.search_max || lexicon.prohibited.found_in(spelling) {
        return Ok(None);
    }
    let prepared = PreparedSearch::new(reader.now(), &request.with_text(spelling.to_owned()));
    // The order is that of a separate search: the visitor's language comes first.
    let own = std::iter::once(prepared.first_query(&fields.own));
    let queries = own.chain(prepared.readings.iter().map(|reading| prepared.query(reading, &fields.all)));
    let count = |query| VideoQuery { limit: 0, offset: 0, counts: &[], ..query };
    let queries: Vec<VideoQuery<'_>> = queries.map(|query| if hits == 0 { query } else { count(query) }).collect();
    let found = find_many(&reader.search, &queries).await?;
    Ok(found.into_iter().find(|found| found.total > 0).filter(|found| found.total > hits))
}
