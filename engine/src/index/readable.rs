//! Checks that an index's metadata can be decoded, using the codecs that every search uses.

use std::io::Result;
use std::panic::{AssertUnwindSafe, catch_unwind};

use milli_core as milli;

use super::failure::open_error;
use crate::settings;

/// Fails in the same way as for a damaged file if the settings or field names cannot be decoded.
pub fn check(index: &milli::Index) -> Result<()> {
    match catch_unwind(AssertUnwindSafe(|| decode(index))) {
        Ok(decoded) => decoded.map_err(open_error),
        Err(_) => Err(std::io::Error::new(std::io::ErrorKind::InvalidData, "the metadata of the index is unreadable")),
    }
}

fn decode(index: &milli::Index) -> milli::Result<()> {
    let txn = index.read_txn()?;
    settings::current(index, &txn)?;
    index.fields_ids_map(&txn)?;
    index.field_distribution(&txn)?;
    index.fieldids_weights_map(&txn)?;
    index.searchable_fields(&txn)?;
    index.primary_key(&txn)?;
    index.documents_ids(&txn)?;
    index.documents_stats(&txn)?;
    index.geo_rtree(&txn)?;
    index.words_fst(&txn)?;
    index.words_prefixes_fst(&txn)?;
    index.created_at(&txn)?;
    index.updated_at(&txn)?;
    Ok(())
}
