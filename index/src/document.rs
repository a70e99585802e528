//! How a document declares what its fields are for. An index's settings and what the api retrieves follow from it.

use std::collections::BTreeMap;

use lantern_config::Lang;

/// Texts (or what else there is) by language code, in a fixed order so that equal documents are equal bytes.
pub type ByLang<T = String> = BTreeMap<String, T>;

/// What a filter shows for a document's code, by filter.
pub type Labels = BTreeMap<String, String>;

/// What a field is for, besides being there.
pub(crate) enum Use {
    /// Lists show something of it.
    Retrieved,
    /// It can be filtered by, and its values counted.
    Filterable,
    /// These parts of it can be; `{lang}` is every language.
    FilterableBy(&'static [&'static str]),
}

/// A field of a document.
pub(crate) struct Field {
    pub name: &'static str,
    pub uses: &'static [Use],
}

/// What an index is told of its documents. Every list of them ends with the id, so that the order is total.
pub(crate) struct Shape {
    pub fields: &'static [Field],
    /// Where words are looked for, what weighs most first.
    pub searchable: &'static [&'static str],
    pub sortable: &'static [&'static str],
    /// Ranking rule after the text rules.
    pub tie: &'static str,
}

impl Shape {
    pub fn retrieved(&self) -> Vec<&'static str> {
        let is_retrieved = |field: &&Field| field.uses.iter().any(|of| matches!(of, Use::Retrieved));
        self.fields.iter().filter(is_retrieved).map(|field| field.name).collect()
    }

    pub fn searchable_attributes(&self) -> Vec<String> {
        self.searchable.iter().flat_map(|field| in_each_language(&[field])).collect()
    }

    pub fn filterable_attributes(&self) -> Vec<String> {
        let of =
            |field: &Field| field.uses.iter().flat_map(|of| of.filterable_attributes(field.name)).collect::<Vec<_>>();
        self.fields.iter().flat_map(of).collect()
    }
}

impl Use {
    fn filterable_attributes(&self, field: &str) -> Vec<String> {
        match self {
            Self::Retrieved => Vec::new(),
            Self::Filterable => vec![field.to_owned()],
            Self::FilterableBy(parts) => in_each_language(parts),
        }
    }
}

fn in_each_language(fields: &[&str]) -> Vec<String> {
    if fields.iter().all(|field| !field.contains("{lang}")) {
        return fields.iter().map(|field| (*field).to_owned()).collect();
    }
    let of = |lang: &Lang| fields.iter().map(|field| field.replace("{lang}", lang.as_str())).collect::<Vec<_>>();
    Lang::ALL.iter().flat_map(of).collect()
}

/// Declares a document: a line for each field, with its name in the index where that is no name in Rust, and what it is for.
macro_rules! document {
    (
        $(#[$about:meta])*
        $name:ident {
            $($(#[$what:meta])* $field:ident $(as $key:literal)?: $type:ty $(= [$($use:ident $(($($part:literal),+))?),+])?,)+
        }
        searchable: $searchable:expr,
        sortable: $sortable:expr,
        tie: $tie:expr,
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default)]
        pub struct $name {
            $($(#[$what])* $(#[serde(rename = $key)])? pub $field: $type,)+
        }

        impl $name {
            /// The fields that lists show something of.
            #[must_use]
            pub fn fields() -> &'static [&'static str] {
                static FIELDS: std::sync::LazyLock<Vec<&str>> = std::sync::LazyLock::new(|| $name::SHAPE.retrieved());
                &FIELDS
            }

            pub(crate) const SHAPE: $crate::document::Shape = $crate::document::Shape {
                fields: &[$($crate::document::Field {
                    name: $crate::document::name!($field $($key)?),
                    uses: &[$($($crate::document::Use::$use $((&[$($part),+]))?),+)?],
                }),+],
                searchable: &$searchable,
                sortable: &$sortable,
                tie: $tie,
            };
        }
    };
}

macro_rules! name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}

pub(crate) use {document, name};

/// A text as a visitor reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownText<'a> {
    /// The text.
    pub text: &'a str,
    /// Its language.
    pub lang: Lang,
}

/// The one rule for texts with translations: in the visitor's language, else as it was written (in `own`), else in English. Never in a
/// third language.
#[must_use]
pub fn shown<'a>(text: &'a str, own: &str, translations: &'a ByLang, lang: Lang) -> ShownText<'a> {
    let written = ShownText { text, lang: own.parse().unwrap_or(lang) };
    let translated = |lang: Lang| translations.get(lang.as_str()).map(|text| ShownText { text, lang });
    match translated(lang) {
        Some(shown) => shown,
        None if text.is_empty() => translated(Lang::En).unwrap_or(written),
        None => written,
    }
}

/// What is shown of a name, whose language nobody asks for.
#[must_use]
pub fn display<'a>(title: &'a str, titles: &'a ByLang, lang: Lang) -> &'a str {
    shown(title, lang.as_str(), titles, lang).text
}

#[cfg(test)]
mod tests {
    use lantern_config::Lang;
    use serde_json::json;

    use super::{ByLang, ShownText, shown};
    use crate::{ModelDoc, SuggestionDoc};

    #[test]
    fn a_text_is_shown_in_the_visitors_language_or_its_own_or_in_english() {
        let translations: ByLang =
            [("en", "Night market"), ("pt", "Mercado noturno")].map(|(lang, text)| (lang.into(), text.into())).into();
        let read = |text: &'static str, lang| {
            let ShownText { text, lang } = shown(text, "nl", &translations, lang);
            (text.to_owned(), lang)
        };
        assert_eq!(read("Avondmarkt", Lang::Pt), ("Mercado noturno".to_owned(), Lang::Pt));
        assert_eq!(read("Avondmarkt", Lang::De), ("Avondmarkt".to_owned(), Lang::Nl));
        assert_eq!(read("", Lang::De), ("Night market".to_owned(), Lang::En));
        assert_eq!(shown("", "nl", &ByLang::new(), Lang::De), ShownText { text: "", lang: Lang::Nl });
    }

    #[test]
    fn what_lists_retrieve_is_declared_with_the_field() {
        let card = ["id", "dir", "title", "birth", "country", "total_videos", "viewed", "subscribers", "picture_key"];
        assert_eq!(ModelDoc::fields(), card);
        assert!(SuggestionDoc::fields().contains(&"type"));
    }

    #[test]
    fn what_was_not_retrieved_is_empty() {
        let read: SuggestionDoc =
            serde_json::from_value(json!({ "type": "query", "title": "Lights", "total": 3 })).expect("read");
        assert_eq!(
            read,
            SuggestionDoc {
                kind: "query".to_owned(),
                title: "Lights".to_owned(),
                total: 3,
                ..SuggestionDoc::default()
            }
        );
        let written = serde_json::to_value(&read).expect("written");
        assert_eq!((&written["type"], written.get("dir")), (&json!("query"), None));
    }
}
