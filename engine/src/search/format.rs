//! `_formatted` and `_matchesPosition`: hits with their matches marked, cropped and located.

use std::collections::{BTreeMap, BTreeSet};

use milli_core as milli;
use milli_core::heed::RoTxn;
use milli_core::tokenizer::{Language, TokenizerBuilder};
use milli_core::update::new::KvReaderFieldId;
use milli_core::{
    FieldsIdsMap, FormatOptions, Index, LocalizedAttributesRule, MatchBounds, MatcherBuilder, MatchingWords,
    PatternMatch, is_faceted_by,
};
use serde_json::{Map, Value};

use super::document::{Projection, select};
use super::params::SearchParams;
use super::run::{member, separate};

/// The index's own ways of cutting text into words.
pub struct Tokens {
    separators: Option<BTreeSet<String>>,
    dictionary: Option<BTreeSet<String>>,
}

/// [`Tokens`] as the tokenizer takes them.
pub struct Cuts<'t> {
    separators: Option<Vec<&'t str>>,
    dictionary: Option<Vec<&'t str>>,
}

impl Tokens {
    pub fn read(index: &Index, txn: &RoTxn<'_>) -> milli::Result<Self> {
        Ok(Self { separators: index.allowed_separators(txn)?, dictionary: index.dictionary(txn)? })
    }

    pub fn cuts(&self) -> Cuts<'_> {
        fn list(set: Option<&BTreeSet<String>>) -> Option<Vec<&str>> {
            set.map(|set| set.iter().map(String::as_str).collect())
        }
        Cuts { separators: list(self.separators.as_ref()), dictionary: list(self.dictionary.as_ref()) }
    }
}

/// Formats the hits of one search.
pub struct Formatter<'a> {
    params: &'a SearchParams,
    matcher: MatcherBuilder<'a>,
    /// What happens to which attribute; empty when only positions are wanted.
    options: BTreeMap<String, FormatOptions>,
    /// The paths `_formatted` shows; `None` for all.
    shown: Option<Vec<String>>,
    /// What has to be read: everything displayed when positions are wanted, else what is shown.
    projection: Projection,
    localized: Vec<LocalizedAttributesRule>,
}

type Positions = BTreeMap<String, Vec<MatchBounds>>;

impl<'a> Formatter<'a> {
    pub fn new(
        index: &Index,
        txn: &RoTxn<'_>,
        names: &FieldsIdsMap,
        params: &'a SearchParams,
        words: MatchingWords,
        cuts: &'a Cuts<'_>,
    ) -> milli::Result<Self> {
        let mut builder: TokenizerBuilder<'a, Vec<u8>> = TokenizerBuilder::new();
        builder.create_char_map(true);
        if let Some(separators) = &cuts.separators {
            builder.separators(separators);
        }
        if let Some(dictionary) = &cuts.dictionary {
            builder.words_dict(dictionary);
        }
        let mut matcher = MatcherBuilder::new(words, builder.into_tokenizer());
        matcher.crop_marker(params.crop_marker.clone());
        matcher.highlight_prefix(params.pre_tag.clone());
        matcher.highlight_suffix(params.post_tag.clone());
        let displayed = index.displayed_fields(txn)?;
        let options = options(params, names, displayed.as_deref());
        let shown = shown(params, &options);
        let read = if params.matches_position { None } else { shown.as_deref() };
        Ok(Self {
            params,
            matcher,
            projection: Projection::new(index, txn, names, read)?,
            options,
            shown,
            localized: index.localized_attributes_rules(txn)?.unwrap_or_default(),
        })
    }

    /// Adds the members to the hit that begins at `start`.
    pub fn write(&self, document: &KvReaderFieldId, start: usize, out: &mut Vec<u8>) -> milli::Result<()> {
        let mut positions = Positions::new();
        let mut formatted = Map::new();
        for (name, value) in self.projection.value(document)? {
            let value = self.value(&name, value, &mut Vec::new(), &mut positions);
            formatted.insert(name, value);
        }
        if !self.options.is_empty() {
            let formatted = match &self.shown {
                Some(paths) => select(&Value::Object(formatted), paths).unwrap_or_else(|| Value::Object(Map::new())),
                None => Value::Object(formatted),
            };
            if formatted.as_object().is_some_and(|formatted| !formatted.is_empty()) {
                separate(out, start);
                member(out, "_formatted", &formatted)?;
            }
        }
        if self.params.matches_position {
            separate(out, start);
            member(out, "_matchesPosition", &positions)?;
        }
        Ok(())
    }

    /// Formats `value` at the dotted `path`; `indices` are the array places passed on the way.
    fn value(&self, path: &str, value: Value, indices: &mut Vec<usize>, positions: &mut Positions) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(path, text, indices, positions)),
            Value::Number(number) if self.options.is_empty() => {
                self.text(path, number.to_string(), indices, positions);
                Value::Number(number)
            }
            Value::Number(number) => Value::String(self.text(path, number.to_string(), indices, positions)),
            Value::Array(items) => {
                let place = indices.len();
                indices.push(0);
                let items = items.into_iter().enumerate().map(|(i, item)| {
                    indices[place] = i;
                    self.value(path, item, indices, positions)
                });
                let items = items.collect();
                indices.truncate(place);
                Value::Array(items)
            }
            Value::Object(object) => object
                .into_iter()
                .map(|(key, value)| {
                    let value = self.value(&format!("{path}.{key}"), value, indices, positions);
                    (key, value)
                })
                .collect(),
            other => other,
        }
    }

    fn text(&self, path: &str, text: String, indices: &[usize], positions: &mut Positions) -> String {
        let options = self.options_of(path);
        if !options.should_format() && !self.params.matches_position {
            return text;
        }
        let mut matcher = self.matcher.build(&text, self.locales_of(path));
        if self.params.matches_position {
            let found = matcher.matches(indices);
            if !found.is_empty() {
                positions.entry(path.to_owned()).or_default().extend(found);
            }
        }
        matcher.format(options).into_owned()
    }

    fn options_of(&self, path: &str) -> FormatOptions {
        self.options
            .iter()
            .filter(|(name, _)| is_faceted_by(name, path) || is_faceted_by(path, name))
            .map(|(_, options)| *options)
            .reduce(FormatOptions::merge)
            .unwrap_or_default()
    }

    fn locales_of(&self, path: &str) -> Option<&[Language]> {
        let own = || {
            let rule = self.localized.iter().find(|rule| rule.match_str(path) == PatternMatch::Match);
            rule.map(LocalizedAttributesRule::locales)
        };
        self.params.locales.as_deref().or_else(own)
    }
}

/// Which attributes are highlighted or cropped, among the displayed ones; of several croppings the last one holds.
fn options(params: &SearchParams, names: &FieldsIdsMap, displayed: Option<&[&str]>) -> BTreeMap<String, FormatOptions> {
    let shown = |name: &&str| displayed.is_none_or(|list| list.iter().any(|field| is_faceted_by(name, field)));
    let known = |name: &str| -> Vec<String> {
        let all = names.names().filter(|known| name == "*" || *known == name);
        all.filter(shown).map(str::to_owned).collect()
    };
    let mut options: BTreeMap<String, FormatOptions> = BTreeMap::new();
    for name in params.highlight.iter().flat_map(|name| known(name)) {
        options.entry(name).or_default().highlight = true;
    }
    for crop in &params.crop {
        let (name, length) = match crop.rsplit_once(':') {
            Some((name, length)) => (name, length.parse().unwrap_or(params.crop_length)),
            None => (crop.as_str(), params.crop_length),
        };
        for name in known(name) {
            options.entry(name).or_default().crop = Some(length);
        }
    }
    options
}

/// `_formatted` shows what is retrieved and what is formatted.
fn shown(params: &SearchParams, options: &BTreeMap<String, FormatOptions>) -> Option<Vec<String>> {
    let retrieved = params.retrieve.as_ref().filter(|fields| !fields.iter().any(|field| field == "*"))?;
    Some(retrieved.iter().chain(options.keys()).cloned().collect())
}
