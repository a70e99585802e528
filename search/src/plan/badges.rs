//! Badges of cards (`HD`, `Uncensored`), which a search finds by their labels.

use std::{collections::HashMap, sync::LazyLock};

use lantern_config::{Lang, labels};
use lantern_index::text;

/// Labelled badges, each with the field that is true for videos with it.
const BADGES: [(&str, &str); 2] = [("hd", "is_hd"), ("uncensored", "is_uncensored")];

static BY_LABEL: LazyLock<HashMap<(Lang, String), &str>> = LazyLock::new(|| {
    let labels =
        |lang: Lang| BADGES.map(|(badge, field)| ((lang, text::key(labels::label("badge", badge, lang), lang)), field));
    Lang::ALL.iter().flat_map(|lang| labels(*lang)).collect()
});

/// Returns the field of the badge with this label.
pub fn labelled(label: &str, lang: Lang) -> Option<&'static str> {
    BY_LABEL.get(&(lang, text::key(label, lang))).copied()
}
