//! Expected contents of the indexes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::op::Op;
use crate::support::Raw;

#[derive(Default)]
pub struct Model(BTreeMap<String, IndexState>);

#[derive(Default)]
struct IndexState {
    documents: BTreeMap<u64, Map<String, Value>>,
    filterable: bool,
    mark: Option<String>,
}

impl Model {
    /// Applies a write. Returns whether it should have succeeded.
    pub fn apply(&mut self, op: &Op) -> bool {
        match op {
            Op::Add { index, partial, documents } => {
                self.0.entry(index.clone()).or_default().add(*partial, documents);
                true
            }
            Op::Delete { index, ids } => {
                self.with(index, |index_state| index_state.documents.retain(|id, _| !ids.contains(id)))
            }
            Op::DeleteBelow { index, n } => match self.0.get_mut(index) {
                Some(index_state) if index_state.filterable => {
                    index_state
                        .documents
                        .retain(|_, fields| fields.get("n").and_then(Value::as_u64).is_none_or(|of| of >= *n));
                    true
                }
                _ => false,
            },
            Op::Clear { index } => self.with(index, |index_state| index_state.documents.clear()),
            Op::Settings { index, filterable, mark } => {
                let index_state = self.0.entry(index.clone()).or_default();
                (index_state.filterable, index_state.mark) = (*filterable, Some(mark.clone()));
                true
            }
            Op::Create { index } => {
                let is_new = !self.0.contains_key(index);
                self.0.entry(index.clone()).or_default();
                is_new
            }
            Op::Drop { index } => self.0.remove(index).is_some(),
            Op::Swap { first, second } => match (self.0.contains_key(first), self.0.contains_key(second)) {
                (true, true) => {
                    let (one, other) = (self.0.remove(first).unwrap(), self.0.remove(second).unwrap());
                    self.0.extend([(first.clone(), other), (second.clone(), one)]);
                    true
                }
                _ => false,
            },
            Op::Compact { index } => self.0.contains_key(index),
        }
    }

    fn with(&mut self, index: &str, change: impl FnOnce(&mut IndexState)) -> bool {
        self.0.get_mut(index).map(change).is_some()
    }

    /// Returns the total number of documents.
    pub fn documents(&self) -> usize {
        self.0.values().map(|index_state| index_state.documents.len()).sum()
    }

    /// Compares everything that is visible to a client.
    pub async fn compare(&self, raw: &Raw) {
        let listed = raw.get("/indexes?limit=100").await;
        let names: BTreeSet<&str> =
            listed["results"].as_array().unwrap().iter().map(|i| i["uid"].as_str().unwrap()).collect();
        assert_eq!(names, self.0.keys().map(String::as_str).collect());
        for (uid, index_state) in &self.0 {
            index_state.compare(raw, uid).await;
        }
    }
}

impl IndexState {
    fn add(&mut self, partial: bool, documents: &[Value]) {
        for document in documents {
            let fields = document.as_object().unwrap();
            let known = self.documents.entry(document["id"].as_u64().unwrap()).or_default();
            if !partial {
                known.clear();
            }
            known.extend(fields.clone());
        }
    }

    async fn compare(&self, raw: &Raw, uid: &str) {
        let found = raw.get(&format!("/indexes/{uid}/documents?limit=100000")).await;
        let found: BTreeMap<u64, &Value> =
            found["results"].as_array().unwrap().iter().map(|d| (d["id"].as_u64().unwrap(), d)).collect();
        assert_eq!(found.keys().collect::<Vec<_>>(), self.documents.keys().collect::<Vec<_>>(), "ids in {uid}");
        for (id, fields) in &self.documents {
            assert_eq!(found[id].as_object().unwrap(), fields, "document {id} of {uid}");
        }
        let stats = raw.get(&format!("/indexes/{uid}/stats")).await;
        assert_eq!(stats["numberOfDocuments"], self.documents.len(), "{uid}");
        let search = json!({ "q": "lanterns", "page": 1 });
        let (_, hits) = raw.call("POST", &format!("/indexes/{uid}/search"), Some(&search)).await;
        let with_text = self.documents.values().filter(|fields| fields.contains_key("text")).count();
        assert_eq!(hits["totalHits"], with_text.min(1000), "searching {uid}");
        let settings = raw.get(&format!("/indexes/{uid}/settings")).await;
        let attributes = if self.filterable { json!(["n"]) } else { json!([]) };
        assert_eq!(settings["filterableAttributes"], attributes, "{uid}");
        assert_eq!(settings["stopWords"], json!(self.mark.iter().collect::<Vec<_>>()), "{uid}");
    }
}
