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

/// The text in `lang`, or the original.
#[must_use]
pub fn display<'a>(title: &'a str, titles: &'a ByLang, lang: Lang) -> &'a str {
    titles.get(lang.as_str()).map_or(title, String::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::{ModelDoc, SuggestionDoc};

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
