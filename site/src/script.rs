//! JSON inside a page, for scripts and search engines.

use std::fmt::Write as _;

use maud::Render;

/// JSON inside a `<script>`, escaped so that it can neither end the element nor open a comment. It is also a valid JavaScript literal.
pub struct ScriptJson<'a>(pub &'a str);

impl Render for ScriptJson<'_> {
    fn render_to(&self, out: &mut String) {
        let mut rest = self.0;
        // These characters occur only inside strings, where JSON allows escapes.
        while let Some(at) = rest.find(['<', '>', '&', '\u{2028}', '\u{2029}']) {
            out.push_str(&rest[..at]);
            let special = rest[at..].chars().next().unwrap_or_default();
            // Writing to a `String` can't fail.
            let _ = write!(out, "\\u{:04x}", u32::from(special));
            rest = &rest[at + special.len_utf8()..];
        }
        out.push_str(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "</script><!--<script>]]>&amp;\u{2028}\u{2029}'\"";

    #[test]
    fn escaped_json_stays_inside_its_script_and_is_equal() {
        let json = serde_json::to_string(HOSTILE).expect("json");
        let script = ScriptJson(&json).render().0;
        assert!(!script.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{script}");
        assert_eq!(serde_json::from_str::<String>(&script).expect("still JSON"), HOSTILE);
    }
}
