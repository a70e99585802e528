//! The built page, with placeholders for the server to fill.

use anyhow::{Context, bail};

/// Placeholders in `index.html`, in order.
const PLACEHOLDERS: [&str; 4] = ["<html lang=\"en\"", "<!--head-->", "<!--content-->", "<!--boot-->"];

/// `index.html`, split at its placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Text before, between and after the placeholders.
    pieces: [String; PLACEHOLDERS.len() + 1],
}

impl Template {
    /// Splits the built page. Fails if a placeholder is missing, because the page and this program are then from
    /// different versions.
    pub fn parse(html: &str) -> anyhow::Result<Self> {
        let mut rest = html;
        let mut pieces: [String; PLACEHOLDERS.len() + 1] = Default::default();
        for (placeholder, piece) in PLACEHOLDERS.iter().zip(&mut pieces) {
            let (before, after) =
                rest.split_once(placeholder).with_context(|| format!("index.html has no {placeholder}"))?;
            before.clone_into(piece);
            rest = after;
        }
        if PLACEHOLDERS.iter().any(|placeholder| rest.contains(placeholder)) {
            bail!("index.html has a placeholder twice");
        }
        rest.clone_into(&mut pieces[PLACEHOLDERS.len()]);
        Ok(Self { pieces })
    }

    /// Returns the page in `lang` with the given end of its head, content of its root, and data after that content.
    pub fn fill(&self, lang: &str, head: &str, content: &str, boot: &str) -> String {
        let [start, to_head, to_content, to_boot, end] = &self.pieces;
        let fixed: usize = self.pieces.iter().map(String::len).sum();
        let mut page = String::with_capacity(fixed + head.len() + content.len() + boot.len() + 32);
        for piece in [start, "<html lang=\"", lang, "\"", to_head, head, to_content, content, to_boot, boot, end] {
            page.push_str(piece);
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_placeholder_is_filled_once_whatever_the_content() {
        let html = "<html lang=\"en\"><head><!--head--></head><body><!--content--><!--boot--></body></html>";
        let page = Template::parse(html).expect("template").fill("ja", "<!--boot-->", "<!--head-->", "b");
        assert_eq!(page, "<html lang=\"ja\"><head><!--boot--></head><body><!--head-->b</body></html>");
    }

    #[test]
    fn page_without_a_placeholder_is_rejected() {
        for html in [
            "",
            "<html lang=\"en\"><!--head--><!--content-->",
            "<html lang=\"en\"><!--boot--><!--content--><!--head-->",
        ] {
            assert!(Template::parse(html).is_err(), "{html}");
        }
    }
}
