//! Other spellings of a search that finds little, from what is suggested while typing: categories, models, frequent searches.

use lantern_config::Lang;
use lantern_errors::ApiResult;
use lantern_index::{
    Filter, IndexName, settings,
    text::{self, TermList},
};

use super::{
    prepared::{PreparedSearch, SearchedFields, names},
    request::SearchRequest,
};
use crate::{
    index::{Found, Hit, Reader, SuggestionDoc, VideoQuery, display, find_many},
    spelling::{KnownSpelling, WORDS, corrected},
};

/// Suggestions that resemble the whole query as the engine sees it.
const ALIKE: usize = 10;
/// Best known suggestions that begin like a word of it. Beyond those it isn't better known than what was typed.
const BEGIN_ALIKE: usize = 200;
/// The fields of suggestions that a visitor may know words of: those of the visitor's language and the English ones.
pub fn searched(lang: Lang) -> Vec<String> {
    let mut fields = settings::searched(IndexName::Suggestions, Some(lang));
    let english = settings::searched(IndexName::Suggestions, Some(Lang::En));
    fields.extend(english.into_iter().filter(|_| lang != Lang::En));
    fields.sort_unstable();
    fields.dedup();
    fields
}

/// The query to the suggestions.
pub struct Hints {
    filter: Filter,
    whole: String,
    initials: Vec<String>,
}

impl Hints {
    /// Nothing is asked about what may not be suggested.
    pub fn new(prohibited: &TermList, ask: &SearchRequest, reading: &str) -> Self {
        // Categories and models speak every language, a query only its own.
        let filter = Filter::in_("type", ["category", "model"]).or(Filter::eq("lang", ask.lang.as_str()));
        let mut initials = Vec::new();
        if !prohibited.found_in(&ask.text) {
            let words = text::plain_words(&ask.text).into_iter().take(WORDS);
            initials.extend(words.map(|word| text::initial(&ask.text[word.at], ask.lang)));
            initials.sort_unstable();
            initials.dedup();
        }
        Self { filter, whole: reading.to_owned(), initials }
    }

    /// Where words may be, by `search_on`.
    pub fn queries<'a>(&'a self, search_on: &'a [&'a str]) -> Vec<VideoQuery<'a>> {
        let query = |words: &'a str, sort: &'static [&'static str], limit| VideoQuery {
            index: IndexName::Suggestions,
            text: Some(words),
            sort,
            limit,
            fields: SuggestionDoc::fields(),
            search_on,
            counts: &[],
            exact: false,
            ..VideoQuery::new(self.filter.clone())
        };
        let whole = (!self.initials.is_empty()).then(|| query(&self.whole, &[], ALIKE));
        let begin = self.initials.iter().map(|initial| query(initial, &["weight:desc", "id:asc"], BEGIN_ALIKE));
        whole.into_iter().chain(begin).collect()
    }

    /// The corrected query, from what [`Self::queries`] found and the words of titles.
    pub fn corrected(
        &self,
        ask: &SearchRequest,
        found: Vec<Found<Hit>>,
        mut known: Vec<KnownSpelling>,
    ) -> ApiResult<Option<String>> {
        if self.initials.is_empty() {
            return Ok(None);
        }
        for found in found {
            for doc in found.read::<SuggestionDoc>()?.hits {
                let weight = doc.weight;
                known.push(KnownSpelling { title: display(&doc.title, &doc.titles, ask.lang).to_owned(), weight });
                // English titles are searched by visitors of every language.
                known.push(KnownSpelling { title: doc.title, weight });
            }
        }
        Ok(corrected(&ask.text, &known))
    }
}

/// What the spelling finds with the same filters, if it may be suggested and that is more than `hits`. Without hits it is the page
/// that is shown, otherwise only counted.
pub async fn confirmed(
    reader: &Reader,
    prohibited: &TermList,
    ask: &SearchRequest,
    spelling: &str,
    fields: &SearchedFields,
    hits: usize,
) -> ApiResult<Option<Found<Hit>>> {
    let length = spelling.chars().count();
    if length > reader.config.listing.search_max || prohibited.found_in(spelling) {
        return Ok(None);
    }
    let prepared = PreparedSearch::new(reader.now(), &SearchRequest { text: spelling.to_owned(), ..ask.clone() });
    let (own, all) = (names(&fields.own), names(&fields.all));
    // Like a search of its own: in the visitor's language first.
    let own = std::iter::once(prepared.query(&prepared.readings[0], &own));
    let queries = own.chain(prepared.readings.iter().map(|reading| prepared.query(reading, &all)));
    let count = |query| VideoQuery { limit: 0, offset: 0, counts: &[], ..query };
    let queries: Vec<VideoQuery<'_>> = queries.map(|query| if hits == 0 { query } else { count(query) }).collect();
    let found = find_many(&reader.search, &queries).await?;
    Ok(found.into_iter().find(|found| found.total > 0).filter(|found| found.total > hits))
}
