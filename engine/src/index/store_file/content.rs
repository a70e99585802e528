//! Decodes the values in a store as their readers would, so that invalid values are found before they are used.

use std::io::Result;

use milli_core::index::db_name;
use milli_core::index::main_key;
use roaring::RoaringBitmap;
use serde::de::{DeserializeOwned, IgnoredAny};
use uuid::Uuid;

use super::damaged;
use crate::tasks::Task;

/// Kind of data in a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// An index, which consists of milli's trees.
    Index,
    /// The task queue.
    Tasks,
}

/// Counts in an index that must agree.
#[derive(Debug, Default)]
pub struct Census {
    documents: u64,
    external_ids: u64,
    /// Number of documents according to the index's metadata.
    ids: u64,
}

impl Census {
    pub fn compare(&self) -> Result<()> {
        match self.documents == self.ids && self.external_ids == self.ids {
            true => Ok(()),
            false => Err(damaged("documents and their ids don't agree")),
        }
    }
}

/// Bitmaps of up to this many numbers are stored as plain integers.
const FEW: usize = 7;

impl Content {
    /// Decodes a value of the tree `name`.
    pub fn value(self, name: &[u8], key: &[u8], value: &[u8], census: &mut Census) -> Result<()> {
        let decoded = match (self, std::str::from_utf8(name)) {
            (Self::Index, Ok(name)) => index_value(name, key, value, census),
            (Self::Tasks, Ok("tasks")) => is_json::<Task>(value) && key.len() == 4,
            (Self::Tasks, Ok("payloads")) => key.len() == 4,
            (Self::Tasks, Ok("indexes")) => is_json::<Uuid>(value) && std::str::from_utf8(key).is_ok(),
            (_, _) => false,
        };
        if decoded { Ok(()) } else { Err(damaged("a value can't be decoded")) }
    }
}

fn index_value(name: &str, key: &[u8], value: &[u8], census: &mut Census) -> bool {
    match name {
        db_name::MAIN => main_value(key, value, census),
        db_name::DOCUMENTS => {
            census.documents += 1;
            key.len() == 4 && is_document(value)
        }
        db_name::EXTERNAL_DOCUMENTS_IDS => {
            census.external_ids += 1;
            is_text(key) && value.len() == 4
        }
        db_name::FACET_ID_F64_DOCIDS | db_name::FACET_ID_STRING_DOCIDS => {
            key.len() >= 3 && value.get(1..).is_some_and(is_bitmap)
        }
        db_name::FACET_ID_EXISTS_DOCIDS | db_name::FACET_ID_IS_NULL_DOCIDS | db_name::FACET_ID_IS_EMPTY_DOCIDS => {
            key.len() == 2 && is_bitmap(value)
        }
        db_name::FIELD_ID_DOCID_FACET_F64S => key.len() >= 6 && value.is_empty(),
        db_name::FIELD_ID_DOCID_FACET_STRINGS => key.len() >= 6 && is_text(value),
        db_name::FACET_ID_NORMALIZED_STRING_STRINGS => is_json::<Vec<String>>(value),
        db_name::FACET_ID_STRING_FST => key.len() == 2 && is_fst(value),
        // Vectors, which these indexes don't have.
        db_name::VECTOR_ARROY | db_name::VECTOR_EMBEDDER_CATEGORY_ID => true,
        _ => !key.is_empty() && is_bitmap(value),
    }
}

fn main_value(key: &[u8], value: &[u8], census: &mut Census) -> bool {
    match std::str::from_utf8(key) {
        Ok(main_key::DOCUMENTS_IDS_KEY) => match RoaringBitmap::deserialize_from(value) {
            Ok(ids) => {
                census.ids = ids.len();
                true
            }
            Err(_) => false,
        },
        Ok(main_key::WORDS_FST_KEY | main_key::WORDS_PREFIXES_FST_KEY | main_key::STOP_WORDS_KEY) => is_fst(value),
        Ok(main_key::FIELDS_IDS_MAP_KEY | main_key::FIELD_DISTRIBUTION_KEY) => is_json::<IgnoredAny>(value),
        key => key.is_ok(),
    }
}

/// Returns whether `bytes` is a bitmap as milli stores it: as plain integers if there are few, otherwise in roaring's format.
fn is_bitmap(bytes: &[u8]) -> bool {
    match bytes.len() <= FEW * 4 {
        true => bytes.len().is_multiple_of(4),
        false => RoaringBitmap::deserialize_from(bytes).is_ok(),
    }
}

fn is_fst(bytes: &[u8]) -> bool {
    fst::raw::Fst::new(bytes).is_ok_and(|fst| fst.verify().is_ok())
}

fn is_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok()
}

fn is_json<T: DeserializeOwned>(bytes: &[u8]) -> bool {
    serde_json::from_slice::<T>(bytes).is_ok()
}

/// Returns whether `bytes` is a document in obkv format: ascending field numbers, each with a length and a JSON
/// value.
fn is_document(mut bytes: &[u8]) -> bool {
    let mut last = None;
    while let Some((field, rest)) = bytes.split_first_chunk::<2>() {
        let field = u16::from_be_bytes(*field);
        let Some((length, rest)) = varint(rest) else { return false };
        let Some((value, rest)) = rest.split_at_checked(length) else { return false };
        if last.is_some_and(|last| last >= field) || !is_json::<IgnoredAny>(value) {
            return false;
        }
        (last, bytes) = (Some(field), rest);
    }
    bytes.is_empty()
}

/// Reads a number encoded in groups of seven bits, least significant first, and returns it with the remaining bytes.
fn varint(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let end = bytes.iter().take(5).position(|byte| byte & 0x80 == 0)? + 1;
    let (groups, rest) = bytes.split_at(end);
    let number = groups.iter().rev().fold(0, |number, group| number << 7 | u64::from(group & 0x7F));
    Some((usize::try_from(number).ok()?, rest))
}
