//! Compares the walk with milli's sort, which visits every document.

use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use milli_core as milli;
use milli_core::update::{IndexerConfig, Settings};
use milli_core::{AscDesc, Filter, FilterableAttributesRule, Index};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::*;
use crate::index::apply::Indexer;
use crate::index::document_write::{DocumentWrite, Payload};
use crate::index::{IndexSlot, SlotOptions};
use crate::tasks::Method;

const FIELDS: [&str; 6] = ["unique", "few", "rare", "mixed", "many", "absent"];

/// Builds a document with values of every kind: unique or often tied, a mixture of strings and numbers, lists, null and missing.
fn document(id: u32, random: &mut ChaCha8Rng) -> Value {
    let mut document = json!({ "id": id, "unique": f64::from(id.wrapping_mul(2_654_435_761)) / 7.0 - 1e8 });
    document["few"] = json!(random.random_range(0..3));
    document["rare"] = json!(if random.random_ratio(1, 40) { random.random_range(1..500) } else { 0 });
    let long = "x".repeat(600);
    let mixed =
        [json!(-1.5), json!(id), json!("Éclair"), json!("zeta"), json!(long), json!(null), json!([]), json!(true)];
    document["mixed"] = mixed.choose(random).cloned().unwrap_or_default();
    if random.random_bool(0.7) {
        let count = random.random_range(1..4);
        document["many"] = (0..count).map(|_| json!(random.random_range(0..900))).collect();
    }
    document["pick"] = json!(random.random_range(0..100));
    document
}

struct Corpus {
    slot: IndexSlot,
    indexer: Indexer,
    _folder: tempfile::TempDir,
}

impl Corpus {
    fn new(rules: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let slot = IndexSlot::open(
            folder.path(),
            SlotOptions { map_size: 1 << 30, max_readers: 16, facet_memory: 0, searches: 1 },
        )
        .unwrap();
        let index = slot.get().unwrap();
        let mut txn = index.write_txn().unwrap();
        let config = IndexerConfig::default();
        let mut settings = Settings::new(&mut txn, &index, &config);
        settings.set_primary_key("id".into());
        settings.set_sortable_fields(FIELDS.map(str::to_owned).into());
        settings.set_filterable_fields(vec![FilterableAttributesRule::Field("pick".into())]);
        settings.set_criteria(rules.iter().map(|rule| rule.parse().unwrap()).collect());
        settings.execute(|_| (), || false).unwrap();
        txn.commit().unwrap();
        Self { slot, indexer: Indexer::new(2, None, 0).unwrap(), _folder: folder }
    }

    fn write(&self, write: DocumentWrite) {
        let outcomes = self.indexer.write_documents(&self.slot.get().unwrap(), &[write], None, &false.into()).unwrap();
        assert!(outcomes.iter().all(Result::is_ok));
    }

    fn add(&self, ids: impl Iterator<Item = u32>, random: &mut ChaCha8Rng) {
        let lines: String = ids.map(|id| document(id, random).to_string() + "\n").collect();
        self.write(DocumentWrite::Add(Method::Replace, Payload::new(lines.as_bytes()).unwrap()));
    }
}

fn plain(index: &Index, txn: &heed::RoTxn<'_>, filter: &str, sort: &[AscDesc], at: usize, limit: usize) -> Vec<u32> {
    let mut search = milli::Search::new(txn, index);
    search.filter(Filter::from_str(filter).unwrap().unwrap()).sort_criteria(sort.to_vec()).offset(at).limit(limit);
    search.execute().unwrap().documents_ids
}

fn by_walk(
    index: &Index,
    txn: &heed::RoTxn<'_>,
    filter: &str,
    sort: &[AscDesc],
    at: usize,
    limit: usize,
    interrupt: &Interrupt,
) -> Result<WalkOutcome, Stop> {
    let universe = Filter::from_str(filter).unwrap().unwrap().evaluate(txn, index).unwrap();
    let criteria = criteria(index, txn, Some(sort)).unwrap().unwrap();
    page(index, txn, &criteria, universe, at, limit, interrupt)
}

fn sort(random: &mut ChaCha8Rng) -> Vec<AscDesc> {
    let mut fields: Vec<&str> = FIELDS.to_vec();
    rand::seq::SliceRandom::shuffle(&mut *fields, random);
    fields.truncate(random.random_range(0..4));
    let direction = |random: &mut ChaCha8Rng| if random.random() { "asc" } else { "desc" };
    fields.into_iter().map(|field| format!("{field}:{}", direction(random)).parse().unwrap()).collect()
}

#[test]
fn walk_matches_plain_paging() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let corpus = Corpus::new(&["sort", "words", "few:desc", "rare:asc"]);
    corpus.add(0..4000, &mut random);
    // Updates leave groups of different sizes.
    corpus.add((0..4000).step_by(3), &mut random);
    corpus.write(DocumentWrite::Delete((0..4000).step_by(11).map(|id: u32| id.to_string()).collect()));
    corpus.add(4000..5000, &mut random);

    let index = corpus.slot.get().unwrap();
    let txn = index.read_txn().unwrap();
    let interrupt = Interrupt::new(Duration::from_secs(3600));
    let mut deep = 0;
    for round in 0..600 {
        let sort = sort(&mut random);
        let filter = match round % 3 {
            0 => "pick >= 0".to_owned(),
            1 => format!("pick < {}", random.random_range(0..100)),
            _ => format!("pick = {}", random.random_range(0..100)),
        };
        let (at, limit) = (random.random_range(0..5200), random.random_range(0..80));
        let expected = plain(&index, &txn, &filter, &sort, at, limit);
        let walked = by_walk(&index, &txn, &filter, &sort, at, limit, &interrupt).unwrap();
        assert_eq!(walked.documents, expected, "{filter}, {sort:?}, {limit} from {at}");
        deep += usize::from(at > 1000 && !expected.is_empty());
    }
    assert!(deep > 50, "{deep}");
}

#[test]
fn pages_have_no_gaps_or_duplicates() {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    let corpus = Corpus::new(&["sort"]);
    corpus.add(0..3000, &mut random);
    let index = corpus.slot.get().unwrap();
    let txn = index.read_txn().unwrap();
    let interrupt = Interrupt::new(Duration::from_secs(3600));
    for _ in 0..10 {
        let sort = sort(&mut random);
        let pages: Vec<u32> = (0..3000)
            .step_by(60)
            .flat_map(|at| by_walk(&index, &txn, "pick >= 0", &sort, at, 60, &interrupt).unwrap().documents)
            .collect();
        assert_eq!(pages.len(), 3000, "{sort:?}");
        assert_eq!(pages.iter().collect::<HashSet<_>>().len(), 3000, "{sort:?}");
    }
}

#[test]
fn ties_are_reported() {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let corpus = Corpus::new(&["sort"]);
    corpus.add(0..1000, &mut random);
    let index = corpus.slot.get().unwrap();
    let txn = index.read_txn().unwrap();
    let interrupt = Interrupt::new(Duration::from_secs(3600));
    let tied = |sort: &[&str]| {
        let sort: Vec<AscDesc> = sort.iter().map(|s| s.parse().unwrap()).collect();
        by_walk(&index, &txn, "pick >= 0", &sort, 500, 20, &interrupt).unwrap().tied
    };
    assert!(tied(&["few:asc"]) && tied(&["absent:desc"]) && tied(&[]));
    assert!(!tied(&["unique:asc"]) && !tied(&["few:asc", "unique:desc"]));
}

#[test]
fn late_walk_is_complete_and_canceled_walk_stops() {
    let mut random = ChaCha8Rng::seed_from_u64(10);
    let corpus = Corpus::new(&["sort"]);
    corpus.add(0..2000, &mut random);
    let index = corpus.slot.get().unwrap();
    let txn = index.read_txn().unwrap();
    let sort = ["rare:desc".parse().unwrap(), "unique:asc".parse().unwrap()];

    let late = Interrupt::new(Duration::ZERO);
    let found = by_walk(&index, &txn, "pick >= 0", &sort, 0, 3000, &late).unwrap();
    let all: BTreeSet<u32> = index.documents_ids(&txn).unwrap().iter().collect();
    assert_eq!(found.documents.len(), 2000);
    assert_eq!(found.documents.iter().copied().collect::<BTreeSet<_>>(), all);
    assert!(found.tied);

    let lost = Interrupt::new(Duration::from_secs(3600));
    drop(lost.on_drop());
    assert!(matches!(by_walk(&index, &txn, "pick >= 0", &sort, 0, 60, &lost), Err(Stop::Gone)));
}
