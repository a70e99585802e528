//! Reasons to doubt that the hits are what the visitor meant.

use lantern_config::Lang;
use lantern_errors::ApiResult;
use lantern_index::{
    Filter,
    text::{self, readings},
};

use super::{prepared::Search, request::SearchRequest};
use crate::index::{self, Found, Hit, VideoDoc, VideoQuery};

/// Reasons to doubt the hits of the first round trip.
pub struct Doubts {
    /// Query words that may be typos, in every language variant, as exact phrases. They occur in no title, have no known
    /// meaning, and no hit shows them, so that any hits may come only from the engine's typo tolerance.
    typos: Vec<String>,
    /// The query in the way titles write it, if it was typed by its reading (きもの or kimono for 着物).
    pub written: Option<String>,
    /// Whether no hit has a word with this reading, so that the kana only matched inside other words (ゆき in みゆき).
    pub is_chance: bool,
}

impl Doubts {
    /// Examines the hits of the requested page.
    pub async fn find(search: &Search<'_>, hits: &[VideoDoc]) -> ApiResult<Self> {
        let written = search.lexicon.words.written(&search.request.text, search.request.lang);
        let is_chance = written.is_some() && !has_sound(search, hits).await?;
        Ok(Self { typos: possible_typos(search, hits), written, is_chance })
    }

    /// Whether there are no doubts.
    pub fn is_empty(&self) -> bool {
        self.typos.is_empty() && !self.is_chance
    }

    /// Returns the engine queries that search for the possible typos exactly as typed.
    pub fn queries<'a>(&'a self, fields: &'a [String]) -> Vec<VideoQuery<'a>> {
        let queries = self.typos.iter().map(|word| VideoQuery::matching(Filter::all(None), word, fields));
        queries.map(|query| VideoQuery { fields: &[], counts: &[], exact: false, ..query }).collect()
    }

    /// Whether the possible typos are typos, according to the results of [`Self::queries`].
    pub fn are_typos(&self, found: &[Found<Hit>]) -> bool {
        !self.typos.is_empty() && found.iter().all(|found| found.total == 0)
    }
}

fn possible_typos(search: &Search<'_>, hits: &[VideoDoc]) -> Vec<String> {
    let Search { lexicon, request: SearchRequest { text, lang, .. }, .. } = search;
    let has_meaning = |word: &str| Lang::ALL.iter().any(|lang| lexicon.meanings.knows(word, *lang));
    let is_shown =
        |spelled: &str| hits.iter().any(|video| shown_words(video, *lang).any(|word| text::spelled(&word) == spelled));
    let unknown = lexicon.words.unknown(text).into_iter();
    let unknown = unknown.filter(|word| !has_meaning(&text[word.at.clone()]) && !is_shown(&word.spelled));
    unknown.flat_map(|word| text::all_readings(&format!("\"{}\"", &text[word.at]), *lang)).collect()
}

/// Whether any hit has a kana word that contains a word from the search, or a word in Latin letters with the same
/// pronunciation. The answer depends on the first page by relevance, so it is the same for all pages.
async fn has_sound(search: &Search<'_>, hits: &[VideoDoc]) -> ApiResult<bool> {
    let Search { reader, request, prepared, .. } = search;
    let first_page;
    let hits: &[VideoDoc] = if request.list.page == 1 && prepared.sort.is_empty() {
        hits
    } else {
        let first = VideoQuery { sort: &[], offset: 0, counts: &[], ..search.first_query() };
        first_page = index::find::<VideoDoc>(reader, first).await?.hits;
        &first_page
    };
    let sound = |word: &str| readings::sound(word, true);
    let typed = text::plain_words(&request.text);
    let sounds: Vec<String> = typed.iter().filter_map(|word| sound(&word.spelled)).collect();
    let is_typed = |word: String| {
        let shown = text::spelled(&word);
        let is_within = typed.iter().any(|word| word.japanese && shown.contains(&word.spelled));
        is_within || sound(&shown).is_some_and(|sound| sounds.contains(&sound))
    };
    Ok(hits.iter().any(|video| shown_words(video, request.lang).any(is_typed)))
}

/// Returns the words in a video's shown title, its original title and the names of its models.
fn shown_words(video: &VideoDoc, lang: Lang) -> impl Iterator<Item = String> {
    let titles = [video.shown_title(lang).text, &video.title];
    let texts = titles.into_iter().chain(video.model_titles.iter().map(String::as_str));
    texts.flat_map(text::title_words)
}
