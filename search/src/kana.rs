//! Words typed by their reading. For example, きもの and kimono stand for 着物.

use lantern_errors::ApiResult;
use lantern_index::text::{self, readings};

use super::{
    prepared::{PreparedSearch, SearchedFields, as_strs},
    request::SearchRequest,
    slips::shown_words,
};
use crate::{
    index::{self, Reader, VideoDoc, VideoQuery},
    lexicon::Lexicon,
};

/// A query typed by its reading, converted to the way titles write it.
pub struct KanaReading {
    pub text: String,
    /// Whether no hit has a word with this pronunciation, so that the kana only matched inside other words (ゆき in みゆき).
    pub is_chance: bool,
}

impl KanaReading {
    /// Returns `None` if the query is not typed by reading. The decision depends on the hits on the first page by
    /// relevance, so it is the same for all pages.
    pub async fn find(
        reader: &Reader,
        lexicon: &Lexicon,
        request: &SearchRequest,
        (prepared, fields): (&PreparedSearch, &SearchedFields),
        hits: &[VideoDoc],
    ) -> ApiResult<Option<Self>> {
        let Some(text) = lexicon.words.written(&request.text, request.lang) else { return Ok(None) };
        let is_first = request.list.page == 1 && prepared.sort().is_empty();
        let has_sound = if is_first {
            has_sound(request, hits)
        } else {
            let searched = as_strs(&fields.first);
            let first = prepared.query(&prepared.readings[0], &searched);
            let first = VideoQuery { sort: &[], offset: 0, counts: &[], ..first };
            has_sound(request, &index::find::<VideoDoc>(reader, first).await?.hits)
        };
        Ok(Some(Self { text, is_chance: !has_sound }))
    }
}

/// Whether any hit has a kana word that contains a word from the search, or a word in Latin letters with the same
/// pronunciation.
fn has_sound(request: &SearchRequest, hits: &[VideoDoc]) -> bool {
    let sound = |word: &str| readings::sound(word, true);
    let typed = text::plain_words(&request.text);
    let sounds: Vec<String> = typed.iter().filter_map(|word| sound(&word.spelled)).collect();
    let is_typed = |word: String| {
        let shown = text::spelled(&word);
        let is_within = typed.iter().any(|word| word.japanese && shown.contains(&word.spelled));
        is_within || sound(&shown).is_some_and(|sound| sounds.contains(&sound))
    };
    hits.iter().any(|video| shown_words(video, request.lang).any(is_typed))
}
