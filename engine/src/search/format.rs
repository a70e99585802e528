//! `_formatted`: hits with highlighted and cropped matches.

use std::collections::BTreeMap;

use milli_core as milli;
use milli_core::heed::RoTxn;
use milli_core::tokenizer::{Language, TokenizerBuilder};
use milli_core::update::new::KvReaderFieldId;
use milli_core::{
    FieldsIdsMap, FormatOptions, Index, LocalizedAttributesRule, MatcherBuilder, MatchingWords, PatternMatch,
    is_faceted_by,
};
use serde_json::{Map, Value};

use super::answer::{member, separate};
use super::document::{Projection, select};
use super::params::SearchParams;

/// Formats the hits of one search.
pub struct Formatter<'a> {
    matcher: MatcherBuilder<'a>,
    /// Formatting options by attribute.
    options: BTreeMap<String, FormatOptions>,
    /// Paths shown in `_formatted`. `None` means all paths.
    shown: Option<Vec<String>>,
    /// Fields to read.
    projection: Projection,
    localized: Vec<LocalizedAttributesRule>,
}

impl<'a> Formatter<'a> {
    pub fn new(
        index: &Index,
        txn: &RoTxn<'_>,
        names: &FieldsIdsMap,
        params: &SearchParams,
        words: MatchingWords,
    ) -> milli::Result<Self> {
        let mut builder: TokenizerBuilder<'a, Vec<u8>> = TokenizerBuilder::new();
        builder.create_char_map(true);
        let mut matcher = MatcherBuilder::new(words, builder.into_tokenizer());
        matcher.crop_marker(params.crop_marker.clone());
        matcher.highlight_prefix(params.pre_tag.clone());
        matcher.highlight_suffix(params.post_tag.clone());
        let displayed = index.displayed_fields(txn)?;
        let options = options(params, names, displayed.as_deref());
        let shown = shown(params, &options);
        Ok(Self {
            matcher,
            projection: Projection::new(index, txn, names, shown.as_deref())?,
            options,
            shown,
            localized: index.localized_attributes_rules(txn)?.unwrap_or_default(),
        })
    }

    /// Adds `_formatted` to the hit that begins at `start`.
    pub fn write(&self, document: &KvReaderFieldId, start: usize, out: &mut Vec<u8>) -> milli::Result<()> {
        if self.options.is_empty() {
            return Ok(());
        }
        let mut formatted = Map::new();
        for (name, value) in self.projection.value(document)? {
            let value = self.value(&name, value);
            formatted.insert(name, value);
        }
        let formatted = match &self.shown {
            Some(paths) => select(&Value::Object(formatted), paths).unwrap_or_else(|| Value::Object(Map::new())),
            None => Value::Object(formatted),
        };
        if formatted.as_object().is_some_and(|formatted| !formatted.is_empty()) {
            separate(out, start);
            member(out, "_formatted", &formatted)?;
        }
        Ok(())
    }

    /// Formats `value` at the dotted `path`.
    fn value(&self, path: &str, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(path, text)),
            Value::Number(number) => Value::String(self.text(path, number.to_string())),
            Value::Array(items) => items.into_iter().map(|item| self.value(path, item)).collect(),
            Value::Object(object) => object
                .into_iter()
                .map(|(key, value)| {
                    let value = self.value(&format!("{path}.{key}"), value);
                    (key, value)
                })
                .collect(),
            other => other,
        }
    }

    fn text(&self, path: &str, text: String) -> String {
        let options = self.options_of(path);
        if !options.should_format() {
            return text;
        }
        self.matcher.build(&text, self.locales_of(path)).format(options).into_owned()
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
        let rule = self.localized.iter().find(|rule| rule.match_str(path) == PatternMatch::Match);
        rule.map(LocalizedAttributesRule::locales)
    }
}

/// Returns the displayed attributes to highlight or crop. If there are several crop lengths for an attribute, the last one applies.
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

/// Returns the fields shown in `_formatted`, which are those retrieved and those formatted.
fn shown(params: &SearchParams, options: &BTreeMap<String, FormatOptions>) -> Option<Vec<String>> {
    let retrieved = params.retrieve.as_ref().filter(|fields| !fields.iter().any(|field| field == "*"))?;
    Some(retrieved.iter().chain(options.keys()).cloned().collect())
}
