//! The built page with the places the server fills.

use anyhow::{Context, bail};

/// Where things go in `index.html`, in their order.
const PLACES: [&str; 4] = ["<html lang=\"en\"", "<!--head-->", "<!--content-->", "<!--boot-->"];

/// `index.html`, cut at its places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Before, between and after the places.
    pieces: [String; PLACES.len() + 1],
}

impl Template {
    /// Cuts the built page. Fails when a place is missing: the page and this program are of different versions.
    pub fn parse(html: &str) -> anyhow::Result<Self> {
        let mut rest = html;
        let mut pieces: [String; PLACES.len() + 1] = Default::default();
        for (place, piece) in PLACES.iter().zip(&mut pieces) {
            let (before, after) = rest.split_once(place).with_context(|| format!("index.html has no {place}"))?;
            before.clone_into(piece);
            rest = after;
        }
        if PLACES.iter().any(|place| rest.contains(place)) {
            bail!("index.html has a place twice");
        }
        rest.clone_into(&mut pieces[PLACES.len()]);
        Ok(Self { pieces })
    }

    /// The page in `lang` with the end of its head, the content of its root, and what follows that.
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
    fn every_place_is_filled_once_whatever_is_put_there() {
        let html = "<html lang=\"en\"><head><!--head--></head><body><!--content--><!--boot--></body></html>";
        let page = Template::parse(html).expect("template").fill("ja", "<!--boot-->", "<!--head-->", "b");
        assert_eq!(page, "<html lang=\"ja\"><head><!--boot--></head><body><!--head-->b</body></html>");
    }

    #[test]
    fn a_page_without_a_place_is_refused() {
        for html in [
            "",
            "<html lang=\"en\"><!--head--><!--content-->",
            "<html lang=\"en\"><!--boot--><!--content--><!--head-->",
        ] {
            assert!(Template::parse(html).is_err(), "{html}");
        }
    }
}
