//! Criteria that a list is sorted by.

use std::collections::HashSet;

use milli_core as milli;
use milli_core::{AscDesc, Index, Member, UserError, heed};

/// One field of a sort order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Criterion {
    /// Id of the field, or `None` if no document has it. In that case it decides nothing.
    pub field: Option<u16>,
    /// Whether the smallest value comes first.
    pub ascending: bool,
}

/// Returns the criteria of a search without query words: the index's ranking rules that apply without words, with `sort` in place of the
/// rule of that name. Returns `None` for a sort by distance, because a walk is then impossible.
///
/// # Errors
/// Same as milli's: fails if a field isn't sortable or if there is no `sort` rule.
pub fn criteria(
    index: &Index,
    txn: &heed::RoTxn<'_>,
    sort: Option<&[AscDesc]>,
) -> milli::Result<Option<Vec<Criterion>>> {
    let sort = sort.unwrap_or_default();
    let rules = index.criteria(txn)?;
    if !sort.is_empty() && !rules.contains(&milli::Criterion::Sort) {
        return Err(UserError::SortRankingRuleMissing.into());
    }
    let (sortable, fields) = (index.sortable_fields(txn)?, index.fields_ids_map(txn)?);
    let mut seen = HashSet::new();
    let mut out = Vec::new();
    let mut push = |name: &str, ascending: bool| {
        if seen.insert(name.to_owned()) {
            out.push(Criterion { field: fields.id(name), ascending });
        }
    };
    for rule in rules {
        match rule {
            milli::Criterion::Sort => {
                for criterion in sort {
                    match name(criterion) {
                        Some(name) if milli::is_faceted(name, &sortable) => push(name, is_ascending(criterion)),
                        // milli will report the error or sort by distance.
                        _ => return Ok(None),
                    }
                }
            }
            milli::Criterion::Asc(name) => push(&name, true),
            milli::Criterion::Desc(name) => push(&name, false),
            _ => {}
        }
    }
    Ok(Some(out))
}

fn name(criterion: &AscDesc) -> Option<&str> {
    match criterion.member() {
        Member::Field(name) => Some(name),
        Member::Geo(_) => None,
    }
}

fn is_ascending(criterion: &AscDesc) -> bool {
    matches!(criterion, AscDesc::Asc(_))
}

/// Returns only the criteria of `sort`, for an index whose first rule is `sort`. Returns `None` if a walk is impossible.
pub fn sort_only(index: &Index, txn: &heed::RoTxn<'_>, sort: &[AscDesc]) -> milli::Result<Option<Vec<Criterion>>> {
    let count = sort.iter().map(name).collect::<HashSet<_>>().len();
    Ok(criteria(index, txn, Some(sort))?.map(|mut all| {
        all.truncate(count);
        all
    }))
}
