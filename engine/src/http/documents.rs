//! Reading documents.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use milli_core as milli;
use milli_core::Index;
use milli_core::heed::RoTxn;
use roaring::RoaringBitmap;
use serde_json::Value;

use super::body::JsonBody;
use super::error::{ApiError, Code};
use super::fields::Fields;
use super::{AppState, RawJson, existing, reading};
use crate::index::Reader;
use crate::search::{self, document::Projection};
use crate::shared::Shared;

/// Selects documents and their fields.
struct DocumentRequest {
    offset: usize,
    limit: usize,
    fields: Option<Vec<String>>,
    filter: Option<Value>,
    ids: Option<Vec<String>>,
}

const DEFAULT_LIMIT: usize = 20;

/// `GET …/documents/{id}`
pub async fn get(
    State(shared): State<AppState>,
    Path((uid, id)): Path<(String, String)>,
    Query(query): Query<Vec<(String, String)>>,
) -> Result<RawJson, ApiError> {
    let mut fields = Fields::query(query);
    let wanted: Option<Vec<String>> = fields.take("fields", Code::InvalidDocumentFields)?;
    fields.take_disabled("retrieveVectors", Code::InvalidDocumentRetrieveVectors)?;
    fields.finish()?;
    reading(&Arc::clone(&shared), &uid.clone(), move || {
        let index = handle(&shared, &uid)?;
        one(&index, &id, wanted.as_deref())
            .map_err(read_error)?
            .map(RawJson)
            .ok_or_else(|| ApiError::new(Code::DocumentNotFound, format!("Document `{id}` not found.")))
    })
    .await
}

/// `GET …/documents`
pub async fn list(
    State(shared): State<AppState>,
    Path(uid): Path<String>,
    Query(query): Query<Vec<(String, String)>>,
) -> Result<RawJson, ApiError> {
    let wanted = wanted(Fields::query(query))?;
    reading(&Arc::clone(&shared), &uid.clone(), move || many(&handle(&shared, &uid)?, &wanted).map(RawJson)).await
}

/// `POST …/documents/fetch`
pub async fn fetch(
    State(shared): State<AppState>,
    Path(uid): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<RawJson, ApiError> {
    let wanted = wanted(Fields::parse(&body)?)?;
    reading(&Arc::clone(&shared), &uid.clone(), move || many(&handle(&shared, &uid)?, &wanted).map(RawJson)).await
}

/// Returns a handle to the index for one request.
pub fn handle(shared: &Shared, uid: &str) -> Result<Index, ApiError> {
    existing(shared, uid)?.slot.get().ok_or_else(|| ApiError::index_not_found(uid))
}

/// Returns a handle for searching, like [`handle`].
pub fn reader(shared: &Shared, uid: &str) -> Result<Reader, ApiError> {
    existing(shared, uid)?.slot.reader().ok_or_else(|| ApiError::index_not_found(uid))
}

fn wanted(mut fields: Fields) -> Result<DocumentRequest, ApiError> {
    let wanted = DocumentRequest {
        offset: fields.take_or("offset", Code::InvalidDocumentOffset, 0)?,
        limit: fields.take_or("limit", Code::InvalidDocumentLimit, DEFAULT_LIMIT)?,
        fields: fields.take("fields", Code::InvalidDocumentFields)?,
        filter: {
            fields.take_disabled("retrieveVectors", Code::InvalidDocumentRetrieveVectors)?;
            fields.take("filter", Code::InvalidDocumentFilter)?
        },
        ids: ids(fields.take("ids", Code::InvalidDocumentIds)?)?,
    };
    fields.refuse("sort")?;
    fields.finish()?;
    Ok(wanted)
}

/// Converts ids to text: strings stay unchanged, and integers become digits.
fn ids(ids: Option<Vec<Value>>) -> Result<Option<Vec<String>>, ApiError> {
    let text = |(i, id): (usize, Value)| match id {
        Value::String(id) if is_document_id(&id) => Ok(id),
        Value::Number(id) if id.is_i64() || id.is_u64() => Ok(id.to_string()),
        document_id => {
            let error = milli::UserError::InvalidDocumentId { document_id };
            Err(ApiError::new(Code::InvalidDocumentIds, format!("In `.ids[{i}]`: {error}")))
        }
    };
    ids.map(|ids| ids.into_iter().enumerate().map(text).collect()).transpose()
}

/// Returns whether `id` consists of 1 to 511 bytes of letters, digits, hyphens and underscores. LMDB doesn't allow longer keys.
fn is_document_id(id: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !id.is_empty() && id.len() <= 511 && id.chars().all(plain)
}

fn one(index: &Index, id: &str, fields: Option<&[String]>) -> milli::Result<Option<Vec<u8>>> {
    let txn = index.read_txn()?;
    if !is_document_id(id) {
        return Ok(None);
    }
    let Some(internal) = index.external_documents_ids().get(&txn, id)? else { return Ok(None) };
    let names = index.fields_ids_map(&txn)?;
    let mut out = vec![b'{'];
    Projection::new(index, &txn, &names, fields)?.write(index.document(&txn, internal)?, &mut out)?;
    out.push(b'}');
    Ok(Some(out))
}

fn many(index: &Index, wanted: &DocumentRequest) -> Result<Vec<u8>, ApiError> {
    let txn = index.read_txn()?;
    let candidates = candidates(index, &txn, wanted).map_err(read_error)?;
    write_page(index, &txn, wanted, &candidates).map_err(read_error)
}

fn candidates(index: &Index, txn: &RoTxn<'_>, wanted: &DocumentRequest) -> milli::Result<RoaringBitmap> {
    let mut candidates = match search::filter(wanted.filter.as_ref())? {
        Some(filter) => filter.evaluate(txn, index)?,
        None => index.documents_ids(txn)?,
    };
    if let Some(ids) = &wanted.ids {
        let known = index.external_documents_ids();
        let mut named = RoaringBitmap::new();
        for id in ids {
            named.extend(known.get(txn, id)?);
        }
        candidates &= named;
    }
    Ok(candidates)
}

fn write_page(
    index: &Index,
    txn: &RoTxn<'_>,
    wanted: &DocumentRequest,
    candidates: &RoaringBitmap,
) -> milli::Result<Vec<u8>> {
    let names = index.fields_ids_map(txn)?;
    let projection = Projection::new(index, txn, &names, wanted.fields.as_deref())?;
    let mut out = b"{\"results\":[".to_vec();
    for (i, id) in candidates.iter().skip(wanted.offset).take(wanted.limit).enumerate() {
        out.extend_from_slice(if i == 0 { b"{" } else { b",{" });
        projection.write(index.document(txn, id)?, &mut out)?;
        out.push(b'}');
    }
    let tail = format!("],\"offset\":{},\"limit\":{},\"total\":{}}}", wanted.offset, wanted.limit, candidates.len());
    out.extend_from_slice(tail.as_bytes());
    Ok(out)
}

fn read_error(error: milli::Error) -> ApiError {
    use milli::UserError::{FilterOperatorNotAllowed, InvalidFilter, InvalidFilterExpression};
    match &error {
        milli::Error::UserError(InvalidFilter(_) | InvalidFilterExpression(..) | FilterOperatorNotAllowed { .. }) => {
            ApiError::new(Code::InvalidDocumentFilter, error.to_string())
        }
        _ => ApiError::internal(error),
    }
}
