//! Titles with marked matches, as HTML that is safe to insert.

use std::ops::Range;

use lantern_config::Lang;
use lantern_index::text::marks;

/// Returns the title, whose language is `title_lang`, as escaped HTML. Text that matches the `query` of a visitor with
/// the language `lang` is wrapped in `<mark>`.
pub fn html(title: &str, title_lang: Lang, query: &str, lang: Lang) -> String {
    let mut out = String::with_capacity(title.len() + 32);
    let mut at = 0;
    for Range { start, end } in marks::matches(title, title_lang, query, lang) {
        escape(&title[at..start], &mut out);
        out.push_str("<mark>");
        escape(&title[start..end], &mut out);
        out.push_str("</mark>");
        at = end;
    }
    escape(&title[at..], &mut out);
    out
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_titles_is_escaped() {
        let html = |title, query| html(title, Lang::En, query, Lang::En);
        assert_eq!(
            html("<b>nights</b> & \"more\"", "night"),
            "&lt;b&gt;<mark>night</mark>s&lt;/b&gt; &amp; &quot;more&quot;"
        );
        assert_eq!(html("<script>", "script"), "&lt;<mark>script</mark>&gt;");
    }

    #[test]
    fn japanese_words_are_marked_in_the_title() {
        let html = |query| html("箱根温泉の夏旅行", Lang::Ja, query, Lang::Ja);
        assert_eq!(html("温泉 旅行"), "箱根<mark>温泉</mark>の夏<mark>旅行</mark>");
        assert_eq!(html("dance"), "箱根温泉の夏旅行");
    }
}
