//! Writes stored documents as JSON. Whole fields are copied as stored bytes.

use milli_core as milli;
use milli_core::heed::RoTxn;
use milli_core::update::new::KvReaderFieldId;
use milli_core::{FieldId, FieldsIdsMap, Index, InternalError};
use serde_json::{Map, Value};

/// The fields of a document to return: those that are both requested and displayed.
pub struct Projection {
    /// By field id.
    fields: Vec<Option<Field>>,
}

struct Field {
    name: String,
    /// The name as JSON, with a colon.
    key: Vec<u8>,
    /// Requested paths inside the field. The list is empty if the whole field is requested.
    inside: Vec<String>,
}

impl Projection {
    /// Selects the names or dotted paths in `wanted`. `None` or `*` selects everything.
    pub fn new(index: &Index, txn: &RoTxn<'_>, names: &FieldsIdsMap, wanted: Option<&[String]>) -> milli::Result<Self> {
        let displayed: Option<Vec<String>> =
            index.displayed_fields(txn)?.map(|fields| fields.into_iter().map(str::to_owned).collect());
        let wanted = wanted.filter(|fields| !fields.iter().any(|field| field == "*"));
        let mut fields = Vec::new();
        for (id, name) in names.iter() {
            let inside = match (paths(wanted, name), paths(displayed.as_deref(), name)) {
                (Some(wanted), Some(shown)) => intersect(&wanted, &shown),
                _ => None,
            };
            fields.resize_with(usize::from(id).max(fields.len()), || None);
            let field = inside.map(|inside| Field { name: name.to_owned(), key: key(name), inside });
            match fields.get_mut(usize::from(id)) {
                Some(place) => *place = field,
                None => fields.push(field),
            }
        }
        Ok(Self { fields })
    }

    fn get(&self, id: FieldId) -> Option<&Field> {
        self.fields.get(usize::from(id)).and_then(Option::as_ref)
    }

    /// Writes the fields of `document`, separated by commas, without braces.
    pub fn write(&self, document: &KvReaderFieldId, out: &mut Vec<u8>) -> milli::Result<()> {
        let start = out.len();
        for (id, raw) in document.iter() {
            let Some(field) = self.get(id) else { continue };
            let selected = if field.inside.is_empty() { None } else { select(&parse(raw)?, &field.inside) };
            if !field.inside.is_empty() && selected.is_none() {
                continue;
            }
            if out.len() > start {
                out.push(b',');
            }
            out.extend_from_slice(&field.key);
            match selected {
                Some(value) => serde_json::to_writer(&mut *out, &value).map_err(InternalError::SerdeJson)?,
                None => out.extend_from_slice(raw),
            }
        }
        Ok(())
    }

    /// Returns the projected document as a value.
    pub fn value(&self, document: &KvReaderFieldId) -> milli::Result<Map<String, Value>> {
        let mut map = Map::new();
        for (id, raw) in document.iter() {
            let Some(field) = self.get(id) else { continue };
            let value = parse(raw)?;
            if field.inside.is_empty() {
                map.insert(field.name.clone(), value);
            } else if let Some(value) = select(&value, &field.inside) {
                map.insert(field.name.clone(), value);
            }
        }
        Ok(map)
    }
}

fn parse(raw: &[u8]) -> milli::Result<Value> {
    serde_json::from_slice(raw).map_err(|error| InternalError::SerdeJson(error).into())
}

/// Returns `"name":`.
fn key(name: &str) -> Vec<u8> {
    let mut key = Value::from(name).to_string().into_bytes();
    key.push(b':');
    key
}

/// Returns the paths in `list` that are inside the field `name`. Returns `None` if the field isn't listed, and an empty list for the whole
/// field.
fn paths(list: Option<&[String]>, name: &str) -> Option<Vec<String>> {
    let Some(list) = list else { return Some(Vec::new()) };
    let mut inside = Vec::new();
    for path in list {
        match path.strip_prefix(name) {
            Some("") => return Some(Vec::new()),
            Some(rest) => inside.extend(rest.strip_prefix('.').map(str::to_owned)),
            None => {}
        }
    }
    (!inside.is_empty()).then_some(inside)
}

/// Returns the intersection of two lists of paths.
fn intersect(a: &[String], b: &[String]) -> Option<Vec<String>> {
    if a.is_empty() || b.is_empty() {
        return Some(if a.is_empty() { b } else { a }.to_vec());
    }
    let under =
        |path: &str, parent: &str| path.strip_prefix(parent).is_some_and(|r| r.is_empty() || r.starts_with('.'));
    let mut both = Vec::new();
    for x in a {
        for y in b {
            if under(x, y) {
                both.push(x.clone());
            } else if under(y, x) {
                both.push(y.clone());
            }
        }
    }
    (!both.is_empty()).then_some(both)
}

/// Returns the parts of `value` at the dotted `wanted` paths. Arrays are searched element by element.
pub fn select(value: &Value, wanted: &[String]) -> Option<Value> {
    match value {
        Value::Object(object) => {
            let mut chosen = Map::new();
            for (key, value) in object {
                match paths(Some(wanted), key) {
                    Some(inside) if inside.is_empty() => {
                        chosen.insert(key.clone(), value.clone());
                    }
                    Some(inside) => chosen.extend(select(value, &inside).map(|value| (key.clone(), value))),
                    None => {}
                }
            }
            (!chosen.is_empty()).then_some(Value::Object(chosen))
        }
        Value::Array(items) => {
            let chosen: Vec<Value> = items.iter().filter_map(|item| select(item, wanted)).collect();
            (!chosen.is_empty()).then_some(Value::Array(chosen))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_inside_objects_and_arrays() {
        let value = json!({ "en": { "a": 1, "b": 2 }, "de": [{ "a": 3 }, { "b": 4 }, 5], "fr": 6 });
        let wanted = ["en.a".to_owned(), "de.a".to_owned(), "fr".to_owned()];
        assert_eq!(select(&value, &wanted), Some(json!({ "en": { "a": 1 }, "de": [{ "a": 3 }], "fr": 6 })));
        assert_eq!(select(&value, &["it".to_owned()]), None);
    }

    #[test]
    fn field_must_be_in_both_lists() {
        let owned = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(intersect(&[], &owned(&["en"])), Some(owned(&["en"])));
        assert_eq!(intersect(&owned(&["en"]), &owned(&["en.a", "de"])), Some(owned(&["en.a"])));
        assert_eq!(intersect(&owned(&["en"]), &owned(&["de"])), None);
        assert_eq!(paths(Some(&owned(&["titles.en", "title"])), "titles"), Some(owned(&["en"])));
        assert_eq!(paths(Some(&owned(&["titles"])), "title"), None);
    }
}
