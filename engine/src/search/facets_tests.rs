//! Compares the counts of decoded values with milli's counts, which are read from disk.

use milli_core::FilterableAttributesRule;
use milli_core::OrderBy;
use milli_core::update::{IndexerConfig, Settings};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::*;
use crate::index::apply::Indexer;
use crate::index::document_write::{DocumentWrite, Payload};
use crate::index::{IndexSlot, Reader, SlotOptions};
use crate::tasks::Method;

const MEMORY: usize = 1 << 20;
const FIELDS: [&str; 5] = ["tags", "mixed", "size", "shape.colour", "by_name"];

fn document(id: u32, random: &mut ChaCha8Rng) -> Value {
    let spellings = ["Éclair", "eclair", "ÉCLAIR", "tart", "Tart", "pie"];
    let tags: Vec<String> = (0..random.random_range(0..4))
        .map(|_| match random.random_range(0..3) {
            0 => spellings.choose(random).copied().unwrap_or_default().to_owned(),
            _ => format!("tag {}", random.random_range(0..90)),
        })
        .collect();
    let colour = ["red", "green"].choose(random);
    let mixed = [json!("ten"), json!(10), json!(2.5), json!(null), json!(["ten", 7])];
    json!({
        "id": id,
        "tags": tags,
        "mixed": mixed.choose(random),
        "size": random.random_range(0..30),
        "shape": { "colour": colour, "form": "round" },
        "by_name": format!("n{}", random.random_range(0..12)),
    })
}

fn corpus(folder: &std::path::Path) -> IndexSlot {
    let slot =
        IndexSlot::open(folder, SlotOptions { map_size: 1 << 30, max_readers: 16, facet_memory: MEMORY, searches: 1 })
            .unwrap();
    let index = slot.get().unwrap();
    let mut txn = index.write_txn().unwrap();
    let config = IndexerConfig::default();
    let mut settings = Settings::new(&mut txn, &index, &config);
    settings.set_primary_key("id".into());
    let rule = |name: &&str| FilterableAttributesRule::Field((*name).to_owned());
    settings.set_filterable_fields(FIELDS.iter().map(rule).collect());
    settings.set_max_values_per_facet(200);
    let orders = [("*".to_owned(), OrderBy::Count), ("by_name".to_owned(), OrderBy::Lexicographic)];
    settings.set_sort_facet_values_by(orders.into_iter().collect());
    settings.execute(|_| (), || false).unwrap();
    txn.commit().unwrap();
    slot
}

fn write(slot: &IndexSlot, indexer: &Indexer, ids: impl Iterator<Item = u32>, random: &mut ChaCha8Rng) {
    let lines: String = ids.map(|id| document(id, random).to_string() + "\n").collect();
    let write = DocumentWrite::Add(Method::Replace, Payload::new(lines.as_bytes()).unwrap());
    let outcomes = indexer.write_documents(&slot.get().unwrap(), &[write], None, &false.into()).unwrap();
    assert!(outcomes.iter().all(Result::is_ok));
}

fn counted(slot: &IndexSlot, postings: &Postings, facets: &[&str], candidates: &RoaringBitmap) -> Value {
    let index = slot.get().unwrap();
    let txn = index.read_txn().unwrap();
    let facets: Vec<String> = facets.iter().map(|&facet| facet.to_owned()).collect();
    match distribution(&index, &txn, &index.fields_ids_map(&txn).unwrap(), postings, &facets, candidates) {
        Ok(counts) => json!(counts),
        Err(error) => json!(error.to_string()),
    }
}

/// Merges the counts of tags that milli treats as equal.
fn folded(mut counts: Value) -> Value {
    if let Some(tags) = counts.pointer_mut("/0/tags").and_then(Value::as_object_mut) {
        *tags = std::mem::take(tags)
            .into_iter()
            .map(|(tag, count)| (tag.to_lowercase().replace('é', "e"), count))
            .collect();
    }
    counts
}

#[test]
fn value_has_the_spelling_of_its_first_document() {
    let folder = tempfile::tempdir().unwrap();
    let slot = corpus(folder.path());
    let lines = ["Éclair", "ÉCLAIR", "tart"].iter().enumerate();
    let lines: String = lines.map(|(id, tag)| json!({ "id": id, "tags": tag }).to_string() + "\n").collect();
    let write = DocumentWrite::Add(Method::Replace, Payload::new(lines.as_bytes()).unwrap());
    Indexer::new(2, None, 0).unwrap().write_documents(&slot.get().unwrap(), &[write], None, &false.into()).unwrap();
    let cached = slot.reader().unwrap().postings;
    for candidates in [[0, 1], [1, 2], [2, 1]] {
        let counts = counted(&slot, &cached, &["tags"], &candidates.into_iter().collect());
        let tags = counts.pointer("/0/tags").unwrap();
        assert_eq!(tags["Éclair"], if candidates.contains(&0) { 2 } else { 1 }, "{tags}");
        assert_eq!(tags.as_object().unwrap().len(), if candidates.contains(&0) { 1 } else { 2 });
    }
}

#[test]
fn decoded_values_are_reused_until_a_write_changes_them() {
    let folder = tempfile::tempdir().unwrap();
    let slot = corpus(folder.path());
    let indexer = Indexer::new(2, None, 0).unwrap();
    let cached = slot.reader().unwrap().postings;
    let write = |documents: &[Value]| {
        let lines: String = documents.iter().map(|document| document.to_string() + "\n").collect();
        let write = DocumentWrite::Add(Method::Replace, Payload::new(lines.as_bytes()).unwrap());
        indexer.write_documents(&slot.get().unwrap(), &[write], None, &false.into()).unwrap();
    };
    let tags = || counted(&slot, &cached, &["tags"], &(0..9).collect())[0]["tags"].take();
    let column = || {
        let index = slot.get().unwrap();
        let txn = index.read_txn().unwrap();
        let field = index.fields_ids_map(&txn).unwrap().id("tags").unwrap();
        cached.of(&index, &txn, field).unwrap()
    };
    write(&[json!({ "id": 0, "tags": "Tart", "size": 1 }), json!({ "id": 1, "tags": "pie" })]);
    assert_eq!(tags(), json!({ "Tart": 1, "pie": 1 }));
    let first = column().unwrap();
    for (tag, size) in [("Tart", 2), ("TART", 2)] {
        write(&[json!({ "id": 0, "tags": tag, "size": size })]);
        assert_eq!(tags(), json!({ tag: 1, "pie": 1 }), "other size or other spelling of the same value");
        assert!(column().unwrap().shares_table_with(&first));
    }
    for (document, expected) in [
        (json!({ "id": 1, "tags": "tart" }), json!({ "TART": 2 })),
        (json!({ "id": 2, "tags": "cake" }), json!({ "TART": 2, "cake": 1 })),
        (json!({ "id": 2, "tags": "bread" }), json!({ "TART": 2, "bread": 1 })),
        (json!({ "id": 2, "tags": "zwieback" }), json!({ "TART": 2, "zwieback": 1 })),
    ] {
        let before = column().unwrap();
        write(&[document]);
        assert_eq!(tags(), expected);
        assert!(!column().unwrap().shares_table_with(&before));
    }
    write(&[json!({ "id": 2, "tags": 3 })]);
    assert_eq!(tags(), json!({ "TART": 2, "3": 1 }));
    assert!(column().is_none(), "milli counts numbers");
}

#[test]
fn counts_of_decoded_values_match_milli() {
    let folder = tempfile::tempdir().unwrap();
    let slot = corpus(folder.path());
    let indexer = Indexer::new(2, None, 0).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let cached = slot.reader().unwrap().postings;
    // If there is no memory for decoded values, milli counts everything.
    let milli = Postings::new(0);
    for round in 0..12 {
        // In each state of the index, stale decoded values must not be counted.
        write(&slot, &indexer, (0..800).filter(|id| round == 0 || id % 7 == round % 7), &mut random);
        for share in [1, 3, 40, 400] {
            let candidates = (0..900).filter(|_| random.random_ratio(1, share)).collect();
            for facets in
                [&["tags"][..], &["tags", "by_name", "mixed"], &["shape.colour", "size"], &["*"], &["tags", "nothing"]]
            {
                let (ours, theirs) =
                    (counted(&slot, &cached, facets, &candidates), counted(&slot, &milli, facets, &candidates));
                // milli returns values with equal counts in arbitrary order, and spells each value as it is spelled in some document of the
                // result.
                assert_eq!(folded(ours), folded(theirs), "{facets:?} in round {round}");
            }
        }
    }
}

#[test]
fn decoded_values_survive_growth_and_are_preloaded_on_swap() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (slot, next) = (corpus(folder.path()), corpus(other.path()));
    let (indexer, mut random) = (Indexer::new(2, None, 0).unwrap(), ChaCha8Rng::seed_from_u64(5));
    write(&slot, &indexer, 0..300, &mut random);
    write(&next, &indexer, 0..200, &mut random);
    let column = |slot: &IndexSlot| {
        let Reader { index, postings, .. } = slot.reader().unwrap();
        let txn = index.read_txn().unwrap();
        let field = index.fields_ids_map(&txn).unwrap().id("tags").unwrap();
        postings.of(&index, &txn, field).unwrap().unwrap()
    };
    let before = column(&slot);
    slot.grow().unwrap();
    assert!(column(&slot).shares_table_with(&before));

    assert!(next.reader().unwrap().postings.fields().is_empty());
    next.preload_facets_of(&slot).unwrap();
    let decoded = next.reader().unwrap().postings.fields();
    let index = next.get().unwrap();
    let field = index.fields_ids_map(&index.read_txn().unwrap()).unwrap().id("tags");
    assert_eq!(decoded, Vec::from_iter(field));
}
