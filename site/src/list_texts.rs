//! Operators' texts below lists. Every node holds all of them in memory, so that a page costs no query.

use lantern_catalog::list_texts::{self, ListText, Version};
use lantern_config::Lang;
use lantern_errors::ApiResult;
use lantern_listing::pages::{Page, ScreenMatch, resolve};
use serde::Serialize;
use sqlx::PgPool;
use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

/// A paragraph or a heading, as plain text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TextBlock {
    pub heading: bool,
    pub text: String,
}

/// Blocks of a text, in order.
pub type Blocks = Arc<[TextBlock]>;

#[derive(Default)]
struct HeldTexts {
    version: Option<Version>,
    texts: HashMap<String, Vec<(Lang, Blocks)>>,
}

/// All texts, held in memory.
#[derive(Default)]
pub struct ListTexts(RwLock<Arc<HeldTexts>>);

impl ListTexts {
    fn held(&self) -> Arc<HeldTexts> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the text below the list at `path`.
    pub fn of(&self, path: &str, lang: Lang) -> Option<Blocks> {
        let held = self.held();
        let (_, blocks) = held.texts.get(path)?.iter().find(|(of, _)| *of == lang)?;
        Some(Arc::clone(blocks))
    }

    /// Reloads the texts if they have changed since the last load, on this or any other node.
    ///
    /// # Errors
    /// Fails if the catalog is unavailable.
    pub async fn load(&self, pool: &PgPool) -> ApiResult<()> {
        // The version is read before the rows, so that a change in between triggers another load.
        let version = list_texts::version(pool).await?;
        if self.held().version == Some(version) {
            return Ok(());
        }
        let mut texts: HashMap<_, Vec<_>> = HashMap::new();
        for ListText { path, lang, body } in list_texts::list(pool, None, None).await? {
            if let Ok(lang) = lang.parse() {
                texts.entry(path).or_default().push((lang, blocks(&body)));
            }
        }
        let held = HeldTexts { version: Some(version), texts };
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(held);
        Ok(())
    }
}

/// Parses a text. An empty line ends a paragraph, and `# ` starts a heading of one line.
fn blocks(body: &str) -> Blocks {
    let mut blocks: Vec<TextBlock> = Vec::new();
    let mut in_paragraph = false;
    for line in body.lines().map(str::trim) {
        if let Some(heading) = line.strip_prefix("# ") {
            blocks.push(TextBlock { heading: true, text: heading.trim().to_owned() });
            in_paragraph = false;
        } else if line.is_empty() {
            in_paragraph = false;
        } else if let Some(last) = blocks.last_mut().filter(|_| in_paragraph) {
            last.text.push(' ');
            last.text.push_str(line);
        } else {
            blocks.push(TextBlock { heading: false, text: line.to_owned() });
            in_paragraph = true;
        }
    }
    blocks.into()
}

/// Screens that show a list.
const LISTS: [&str; 10] =
    ["home", "videos", "category", "categories", "country", "models", "model", "albums", "playlists", "members"];

/// Returns the path of a list's first page, under which its text is stored, or `None` if there is no list at `path`.
#[must_use]
pub fn list_path(path: &str) -> Option<String> {
    match resolve(path, None) {
        Page::Shown(shown) if is_first_page(&shown) => Some(path.to_owned()),
        // A redirect always leads to a page, so this recurses only once.
        Page::Elsewhere(to) if to != path => list_path(&to),
        _ => None,
    }
}

fn is_first_page(shown: &ScreenMatch) -> bool {
    LISTS.contains(&shown.screen) && shown.place("page").is_none_or(|page| page == "1")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(heading: bool, text: &str) -> TextBlock {
        TextBlock { heading, text: text.to_owned() }
    }

    #[test]
    fn empty_lines_and_headings_split_a_text() {
        let body = "# About <b>travel</b>\r\nOne line\nand the same.\n\n\n  Another.\n#hash tag\n";
        let found = blocks(body);
        assert_eq!(
            *found,
            [
                block(true, "About <b>travel</b>"),
                block(false, "One line and the same."),
                block(false, "Another. #hash tag"),
            ]
        );
        assert!(blocks(" \n\n").is_empty());
    }

    #[test]
    fn list_path_is_the_path_of_the_first_page() {
        for (path, named) in [
            ("/", Some("/")),
            ("/categories/travel/", Some("/categories/travel/latest-updates/1/")),
            ("/categories/travel", Some("/categories/travel/latest-updates/1/")),
            ("/videos/top-rated/1/", Some("/videos/top-rated/1/")),
            ("/model/mika-sato/", Some("/model/mika-sato/")),
            ("/videos/top-rated/2/", None),
            ("/videos/12/", None),
            ("/search/1/", None),
            ("/signin/", None),
            ("/nothing/", None),
        ] {
            assert_eq!(list_path(path).as_deref(), named, "{path}");
        }
    }
}
