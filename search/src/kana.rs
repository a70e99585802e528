//! Words that are typed by their reading: きもの and kimono are 着物.

use lantern_errors::ApiResult;
use lantern_index::text::{self, readings};

use super::{
    prepared::{PreparedSearch, SearchedFields, names},
    request::SearchRequest,
    slips::words_shown,
};
use crate::{
    index::{self, Reader, VideoDoc, VideoQuery},
    lexicon::Lexicon,
};

/// What a search says, as titles write it.
pub struct KanaReading {
    pub text: String,
    /// Whether no hit has a word that sounds so: then kana within other words found them (ゆき of みゆき).
    pub is_chance: bool,
}

impl KanaReading {
    /// `None` where the search says nothing but what it is. All pages go by the hits of the first, whatever their order.
    pub async fn of(
        reader: &Reader,
        lexicon: &Lexicon,
        ask: &SearchRequest,
        (prepared, fields): (&PreparedSearch, &SearchedFields),
        hits: &[VideoDoc],
    ) -> ApiResult<Option<Self>> {
        let Some(text) = lexicon.words.written(&ask.text, ask.lang) else { return Ok(None) };
        let is_first = ask.list.page == 1 && prepared.sort().is_empty();
        let is_read = if is_first {
            is_read(ask, hits)
        } else {
            let searched = names(&fields.first);
            let first = prepared.query(&prepared.readings[0], &searched);
            let first = VideoQuery { sort: &[], offset: 0, counts: &[], ..first };
            is_read(ask, &index::find::<VideoDoc>(reader, first).await?.hits)
        };
        Ok(Some(Self { text, is_chance: !is_read }))
    }
}

/// Whether any hit has a word of the search within a word in kana, or one that sounds like it in Latin letters.
fn is_read(ask: &SearchRequest, hits: &[VideoDoc]) -> bool {
    let sound = |word: &str| readings::sound(word, true);
    let typed = text::plain_words(&ask.text);
    let sounds: Vec<String> = typed.iter().filter_map(|word| sound(&word.spelled)).collect();
    let is_typed = |word: String| {
        let shown = text::spelled(&word);
        let is_within = typed.iter().any(|word| word.japanese && shown.contains(&word.spelled));
        is_within || sound(&shown).is_some_and(|sound| sounds.contains(&sound))
    };
    hits.iter().any(|video| words_shown(video, ask.lang).any(is_typed))
}
