//! The writes that the process to be killed sends.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Number of concurrent writers. Their writes differ in numbers, so that tasks of different writers can be distinguished.
pub const WRITERS: u64 = 4;
pub const INDEXES: [&str; 3] = ["a", "b", "c"];

/// Random numbers from a seed (splitmix64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below `sides`.
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % sides
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Op {
    Add { index: String, partial: bool, documents: Vec<Value> },
    Delete { index: String, ids: Vec<u64> },
    DeleteBelow { index: String, n: u64 },
    Clear { index: String },
    Settings { index: String, filterable: bool, mark: String },
    Create { index: String },
    Drop { index: String },
    Swap { first: String, second: String },
    Compact { index: String },
}

impl Op {
    /// Returns the next write of a writer.
    pub fn any(dice: &mut Dice, writer: u64) -> Self {
        let at = usize::try_from(dice.roll(3)).unwrap();
        let index = INDEXES[at].to_owned();
        // Numbers of documents, ids and bounds identify the writer by their remainder.
        let own = |number: u64| number * WRITERS + writer;
        match dice.roll(100) {
            0..40 => Self::Add { index, partial: false, documents: documents(dice, own(dice_size(writer)), false) },
            40..60 => Self::Add { index, partial: true, documents: documents(dice, own(1), true) },
            60..74 => {
                let count = own(1);
                Self::Delete { index, ids: (0..count).map(|_| dice.roll(400)).collect() }
            }
            74..80 => Self::DeleteBelow { index, n: own(dice.roll(20)) },
            80..82 => Self::Clear { index },
            82..90 => Self::Settings { index, filterable: dice.roll(4) > 0, mark: format!("mark{writer}") },
            90..93 => Self::Create { index },
            93..95 => Self::Drop { index },
            95..98 => Self::Swap { first: index, second: INDEXES[(at + 1) % 3].to_owned() },
            _ => Self::Compact { index },
        }
    }

    /// Returns the method, path and body of the request.
    pub fn request(&self) -> (&'static str, String, Option<Value>) {
        let at = |index: &str, rest: &str| format!("/indexes/{index}{rest}");
        match self {
            Self::Add { index, partial, documents } => {
                let method = if *partial { "PUT" } else { "POST" };
                (method, at(index, "/documents"), Some(json!(documents)))
            }
            Self::Delete { index, ids } => ("POST", at(index, "/documents/delete-batch"), Some(json!(ids))),
            Self::DeleteBelow { index, n } => {
                ("POST", at(index, "/documents/delete"), Some(json!({ "filter": format!("n < {n}") })))
            }
            Self::Clear { index } => ("DELETE", at(index, "/documents"), None),
            Self::Settings { index, filterable, mark } => {
                let attributes = if *filterable { json!(["n"]) } else { json!([]) };
                let settings = json!({ "filterableAttributes": attributes, "stopWords": [mark] });
                ("PATCH", at(index, "/settings"), Some(settings))
            }
            Self::Create { index } => ("POST", "/indexes".into(), Some(json!({ "uid": index, "primaryKey": "id" }))),
            Self::Drop { index } => ("DELETE", at(index, ""), None),
            Self::Swap { first, second } => {
                ("POST", "/swap-indexes".into(), Some(json!([{ "indexes": [first, second] }])))
            }
            Self::Compact { index } => ("POST", at(index, "/compact"), None),
        }
    }

    /// Returns the target index.
    pub fn index(&self) -> Option<&str> {
        match self {
            Self::Swap { .. } => None,
            Self::Add { index, .. }
            | Self::Delete { index, .. }
            | Self::DeleteBelow { index, .. }
            | Self::Clear { index }
            | Self::Settings { index, .. }
            | Self::Create { index }
            | Self::Drop { index }
            | Self::Compact { index } => Some(index),
        }
    }

    /// Returns whether a listed task may be this write.
    pub fn may_be(&self, task: &Value) -> bool {
        let is = |kind: &str| task["type"] == kind;
        let details = &task["details"];
        match self {
            Self::Add { documents, .. } => {
                is("documentAdditionOrUpdate") && details["receivedDocuments"] == documents.len()
            }
            Self::Delete { ids, .. } => is("documentDeletion") && details["providedIds"] == ids.len(),
            Self::DeleteBelow { n, .. } => {
                is("documentDeletion") && details["originalFilter"] == format!("\"n < {n}\"")
            }
            Self::Clear { .. } => is("documentDeletion") && details.get("providedIds").is_none(),
            Self::Settings { mark, .. } => is("settingsUpdate") && details["stopWords"] == json!([mark]),
            Self::Create { .. } => is("indexCreation"),
            Self::Drop { .. } => is("indexDeletion"),
            Self::Swap { first, second } => is("indexSwap") && details["swaps"][0]["indexes"] == json!([first, second]),
            Self::Compact { .. } => is("indexCompaction"),
        }
    }
}

fn dice_size(writer: u64) -> u64 {
    1 + writer * 3
}

fn documents(dice: &mut Dice, count: u64, partial: bool) -> Vec<Value> {
    let mut document = |_| {
        let (id, n, version) = (dice.roll(400), dice.roll(100), dice.roll(1_000_000));
        if partial {
            json!({ "id": id, "version": version, "extra": format!("laid over {version}") })
        } else {
            json!({ "id": id, "n": n, "version": version, "text": format!("an evening with {n} lanterns, {version}") })
        }
    };
    (0..count.max(1)).map(&mut document).collect()
}
