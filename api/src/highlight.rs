//! Titles with what matched in them, as HTML that is safe to insert.

use lantern_config::Lang;
use lantern_indexer::japanese;
use serde_json::{Map, Value};

use crate::index::MARKS;

/// The marked title a visitor of `lang` sees: the translation, else the original.
#[must_use]
pub fn title(fields: &Map<String, Value>, lang: Lang) -> Option<String> {
    let translated = fields.get("titles").and_then(|titles| titles.get(lang.as_str()));
    let text = translated.or_else(|| fields.get("title"))?.as_str()?;
    Some(text.to_owned())
}

/// The title as HTML: everything escaped, matches in `<mark>`.
///
/// The engine finds Japanese words in a companion text, so it can't mark them in the title; there
/// the words of the query are looked up in the title itself.
#[must_use]
pub fn html(marked: Option<&str>, title: &str, query: &str) -> String {
    let plain: String;
    let text = match marked {
        Some(marked) if marked.contains(MARKS[0]) => marked,
        _ => {
            plain = mark_words(title, query);
            &plain
        }
    };
    let mut out = String::with_capacity(text.len() + 32);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c == MARKS[0] => out.push_str("<mark>"),
            c if c == MARKS[1] => out.push_str("</mark>"),
            c => out.push(c),
        }
    }
    out
}

fn mark_words(title: &str, query: &str) -> String {
    let mut text: String = title.chars().filter(|c| !MARKS.contains(c)).collect();
    if !japanese::has_japanese(query) {
        return text;
    }
    for word in query.split_whitespace().filter(|word| !word.contains(MARKS)) {
        if japanese::has_japanese(word) {
            text = text.replace(word, &format!("{}{word}{}", MARKS[0], MARKS[1]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_titles_stays_text() {
        let marked = format!("<b>{}night{}</b> & \"more\"", MARKS[0], MARKS[1]);
        assert_eq!(
            html(Some(&marked), "unused", "night"),
            "&lt;b&gt;<mark>night</mark>&lt;/b&gt; &amp; &quot;more&quot;"
        );
        assert_eq!(html(None, "<script>", "script"), "&lt;script&gt;");
    }

    #[test]
    fn japanese_words_are_marked_in_the_title() {
        assert_eq!(html(None, "箱根温泉の夏旅行", "温泉 旅行"), "箱根<mark>温泉</mark>の夏<mark>旅行</mark>");
        assert_eq!(html(Some("箱根温泉"), "箱根温泉", "温泉"), "箱根<mark>温泉</mark>");
    }

    #[test]
    fn a_visitor_sees_the_translation_marked() {
        let fields = serde_json::json!({"title": "one", "titles": {"de": "eins", "fr": "un"}});
        let fields = fields.as_object().expect("object");
        assert_eq!(title(fields, Lang::De).as_deref(), Some("eins"));
        assert_eq!(title(fields, Lang::Ja).as_deref(), Some("one"));
    }
}
