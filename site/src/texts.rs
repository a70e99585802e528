//! Texts for pages: those of the app (`config/texts/`), and descriptions that only search engines show.

use lantern_config::Lang;
use serde_json::Value;
use std::{borrow::Cow, sync::LazyLock};

macro_rules! locale {
    ($lang:literal) => {
        [
            include_str!(concat!("../../config/texts/common/", $lang, ".json")),
            include_str!(concat!("../../config/texts/community/", $lang, ".json")),
            include_str!(concat!("../../config/texts/account/", $lang, ".json")),
            include_str!(concat!("../../config/texts/site/", $lang, ".json")),
            include_str!(concat!("../../config/texts/topics/", $lang, ".json")),
        ]
    };
}

/// Texts in the order of [`Lang::ALL`].
const LOCALES: [[&str; 5]; 10] = [
    locale!("en"),
    locale!("ru"),
    locale!("de"),
    locale!("fr"),
    locale!("es"),
    locale!("pl"),
    locale!("it"),
    locale!("pt"),
    locale!("ja"),
    locale!("nl"),
];

static TEXTS: LazyLock<Vec<Vec<Value>>> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the embedded files are covered by a test")]
    let parse = |text: &str| serde_json::from_str::<Value>(text).expect("valid JSON");
    let abouts = parse(include_str!("texts.json"));
    Lang::ALL
        .iter()
        .zip(LOCALES)
        .map(|(lang, files)| files.into_iter().map(parse).chain([abouts[lang.as_str()].clone()]).collect())
        .collect()
});

/// Returns the text for a dotted key such as `nav.videos`, or the key itself if there is no text.
pub fn text(lang: Lang, key: &str) -> Cow<'static, str> {
    let path = format!("/{}", key.replace('.', "/"));
    let found = TEXTS[lang as usize].iter().find_map(|texts| texts.pointer(&path)?.as_str());
    found.map_or_else(|| Cow::Owned(key.to_owned()), Cow::Borrowed)
}

/// Returns a text with its placeholders (`{{name}}`) replaced by values.
pub fn fill(lang: Lang, key: &str, values: &[(&str, &str)]) -> String {
    let mut rest: &str = &text(lang, key);
    let mut out = String::with_capacity(rest.len());
    // Use a single pass, so that a placeholder inside a value is not replaced in turn.
    while let Some((before, (name, after))) = rest.split_once("{{").and_then(|(b, r)| Some((b, r.split_once("}}")?))) {
        out.push_str(before);
        out.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: &[&str] = &[
        "home.title",
        "home.day",
        "home.models",
        "nav.main",
        "nav.videos",
        "nav.categories",
        "nav.models",
        "nav.topCountry",
        "nav.albums",
        "nav.playlists",
        "nav.community",
        "sort.alphabet",
        "sort.count-videos",
        "sort.most-viewed",
        "community.recent",
        "community.photos",
        "community.videos",
        "community.by",
        "community.photo",
        "community.private",
        "community.wall",
        "community.friends",
        "community.subscriptions",
        "community.noAlbums",
        "community.noPlaylists",
        "community.noMembers",
        "community.noComments",
        "community.noSubscriptions",
        "community.city",
        "community.interests",
        "community.occupation",
        "community.aboutAlbums",
        "community.aboutPlaylists",
        "community.aboutCommunity",
        "community.aboutAlbum",
        "community.aboutPlaylist",
        "community.aboutMember",
        "sort.latest-updates",
        "sort.longest",
        "sort.most-commented",
        "sort.most-popular",
        "sort.top-rated",
        "sort.relevance",
        "search.heading",
        "search.none",
        "filter.results",
        "search.label",
        "header.orientation",
        "gender.str",
        "gender.she",
        "gender.gay",
        "pages.label",
        "pages.page",
        "pages.previous",
        "pages.next",
        "video.related",
        "video.private",
        "video.deleted",
        "video.notFound",
        "video.gone",
        "model.info",
        "notFound.title",
        "notFound.text",
        "notFound.home",
        "error.title",
        "gate.title",
        "gate.text",
        "gate.agree",
        "empty.videos",
        "empty.models",
        "footer.adults",
        "account.signIn",
        "account.signUp",
        "account.confirmTitle",
        "account.restoreTitle",
        "account.uploadVideos",
        "account.uploadAlbum",
        "account.editVideo",
        "account.editAlbum",
        "account.moderate",
        "account.download",
        "information.all",
        "information.sitemap",
        "information.support",
        "information.2257",
        "topics.terms",
        "topics.2257",
        "embed.boxed",
        "about.home",
        "about.list",
        "about.models",
        "about.model",
        "about.categories",
        "about.video",
    ];

    #[test]
    fn every_text_exists_in_every_language() {
        for lang in Lang::ALL {
            for key in KEYS {
                assert_ne!(text(*lang, key), *key, "{lang}");
            }
        }
        assert_eq!(text(Lang::De, "nav.categories"), "Kategorien");
        assert_ne!(text(Lang::Ru, "about.home"), text(Lang::En, "about.home"));
    }

    #[test]
    fn placeholders_are_replaced_once() {
        assert_eq!(fill(Lang::En, "pages.page", &[("page", "{{page}}")]), "Page {{page}}");
        assert_eq!(fill(Lang::En, "search.heading", &[("query", "a}}b")]), "“a}}b”");
    }
}
