//! Declares documents and how their fields are used. The index settings and the attributes that the API retrieves are derived from this.

use std::collections::BTreeMap;

use lantern_config::Lang;

/// Texts or other values by language code, ordered so that equal documents have equal bytes.
pub type ByLang<T = String> = BTreeMap<String, T>;

/// Labels of a document's codes, keyed by filter.
pub type Labels = BTreeMap<String, String>;

/// Use of a field.
pub(crate) enum Use {
    /// Retrieved for lists.
    Retrieved,
    /// Filterable, with facet counts.
    Filterable,
    /// Only these parts are filterable. `{lang}` stands for every language.
    FilterableBy(&'static [&'static str]),
}

/// Field of a document.
pub(crate) struct Field {
    pub name: &'static str,
    pub uses: &'static [Use],
}

/// Shape of an index's documents. Every list is sorted by id last, so that the order is total.
pub(crate) struct Shape {
    pub fields: &'static [Field],
    /// Searchable attributes, highest weight first.
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

/// Declares a document. Each line declares a field with its uses and, if its name in the index isn't a Rust identifier, with that name.
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
            /// Returns the fields retrieved for lists.
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

/// Text as displayed to a visitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownText<'a> {
    /// The text.
    pub text: &'a str,
    /// Its language.
    pub lang: Lang,
}

/// Selects the translation to display: in the visitor's language if there is one, else the original (in `own`), else English. It never
/// selects any other language.
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

/// Selects the translation to display for a name, whose language doesn't matter.
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
    fn text_is_shown_in_visitors_language_else_original_else_english() {
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
    fn retrieved_fields_are_declared_with_the_field() {
        let card = [
            "id",
            "dir",
            "title",
            "titles",
            "birth",
            "country",
            "total_videos",
            "viewed",
            "subscribers",
            "picture_key",
        ];
        assert_eq!(ModelDoc::fields(), card);
        assert!(SuggestionDoc::fields().contains(&"type"));
    }

    #[test]
    fn unretrieved_fields_are_empty() {
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
