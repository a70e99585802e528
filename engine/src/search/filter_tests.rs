//! Checks that milli's parser reads back what the filter builder renders.

use lantern_index::{Filter, FilterValue as Value};
use milli_core::{Condition, FilterCondition};

fn parsed(expression: &str) -> FilterCondition<'_> {
    FilterCondition::parse(expression)
        .unwrap_or_else(|error| panic!("{expression:?}: {error}"))
        .unwrap_or_else(|| panic!("{expression:?} is empty"))
}

/// A small generator (xorshift), so that failures are reproducible.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }

    fn text(&mut self, longest: usize) -> String {
        const PIECES: [&str; 34] = [
            "\"",
            "'",
            "\\",
            "\\\\",
            "\\\"",
            "\\'",
            "\\x41",
            "\\u{41}",
            "\\n",
            "\n",
            "\t",
            "\0",
            " ",
            "AND",
            "OR",
            "NOT",
            "TO",
            "IN",
            "EXISTS",
            "_geoRadius(1,2,3)",
            "_geoPoint(1,2)",
            "(",
            ")",
            "[",
            "]",
            "=",
            "<",
            ",",
            "温泉",
            "🦀",
            "é",
            "a",
            "-",
            "Ж",
        ];
        let pieces = self.below(longest + 1);
        (0..pieces).map(|_| PIECES[self.below(PIECES.len())]).collect()
    }
}

#[test]
fn parser_reads_back_any_text() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..20_000 {
        let (attribute, text) = (random.text(3), random.text(if round % 100 == 0 { 150 } else { 8 }));
        let expression = Filter::eq(&attribute, &text).to_string();
        match parsed(&expression) {
            FilterCondition::Condition { fid, op: Condition::Equal(value) } => {
                assert_eq!(fid.value(), attribute, "{expression}");
                assert_eq!(value.value(), text, "{expression}");
            }
            other => panic!("{expression}: {other:?}"),
        }
    }
}

#[test]
fn parser_reads_back_lists() {
    let mut random = Random(42);
    for _ in 0..2_000 {
        let values: Vec<String> = (0..random.below(5)).map(|_| random.text(6)).collect();
        let expression = Filter::in_("tags", &values).to_string();
        match parsed(&expression) {
            FilterCondition::In { fid, els } => {
                assert_eq!(fid.value(), "tags");
                assert_eq!(els.iter().map(|e| e.value().to_owned()).collect::<Vec<_>>(), values);
            }
            other => panic!("{expression}: {other:?}"),
        }
    }
}

/// Builds a random tree. Its leaves differ, so that the parsed form shows the structure.
fn tree(random: &mut Random, depth: usize) -> Filter {
    match if depth == 0 { random.below(3) } else { random.below(6) } {
        0 => Filter::eq("a", random.text(3)),
        1 => Filter::between("b", -3, 4.5),
        2 => Filter::exists("c"),
        3 => !tree(random, depth - 1),
        4 => Filter::all((0..random.below(4)).map(|_| tree(random, depth - 1)).collect::<Vec<_>>()),
        _ => Filter::any((0..random.below(4)).map(|_| tree(random, depth - 1)).collect::<Vec<_>>()),
    }
}

/// Evaluates a filter, with the truth of each leaf derived from its text.
fn truth(filter: &Filter) -> bool {
    match filter {
        Filter::Compare(_, _, Value::Text(text)) => text.len() % 2 == 0,
        Filter::Between(..) => true,
        Filter::Exists(_) => false,
        Filter::All(parts) => parts.iter().all(truth),
        Filter::Any(parts) => parts.iter().any(truth),
        Filter::Not(part) => !truth(part),
        other => panic!("{other:?}"),
    }
}

fn parsed_truth(condition: &FilterCondition<'_>) -> bool {
    match condition {
        FilterCondition::Condition { op: Condition::Equal(value), .. } => value.value().len() % 2 == 0,
        FilterCondition::Condition { op: Condition::Between { .. }, .. } => true,
        FilterCondition::Condition { op: Condition::Exists, .. } => false,
        FilterCondition::And(parts) => parts.iter().all(parsed_truth),
        FilterCondition::In { els, .. } => !els.is_empty(),
        FilterCondition::Or(parts) => parts.iter().any(parsed_truth),
        FilterCondition::Not(part) => !parsed_truth(part),
        other => panic!("{other:?}"),
    }
}

#[test]
fn parser_reads_back_structure() {
    let mut random = Random(7);
    let mut constant = 0;
    for _ in 0..5_000 {
        let filter = tree(&mut random, 4);
        match filter.to_expression() {
            Some(expression) => assert_eq!(truth(&filter), parsed_truth(&parsed(&expression)), "{expression}"),
            None => assert!(truth(&filter), "{filter:?}"),
        }
        constant += usize::from(filter.matches_everything() || filter.matches_nothing());
    }
    assert!((200..4_800).contains(&constant), "{constant}");
}

#[test]
fn empty_filters_match_nothing() {
    let nothing = || Filter::any([]);
    assert_eq!(nothing().to_expression().as_deref(), Some("id IN []"));
    assert_eq!(Filter::eq("a", 1).and(nothing()).to_string(), "a IN []");
    assert_eq!(Filter::eq("a", 1).or(nothing()).to_string(), "a = 1");
    assert_eq!((!nothing()).to_expression(), None);
    assert_eq!((!Filter::all([Filter::in_("b", Vec::<i64>::new())])).to_expression(), None);
    assert_eq!((!Filter::all([])).to_string(), "id IN []");
    assert_eq!(Filter::any([Filter::eq("a", 1), Filter::all([])]).to_expression(), None);
}

#[test]
fn renders_readably() {
    let filter = Filter::eq("gender", "str")
        .and(Filter::in_("category_dirs", ["a", "b"]))
        .and(Filter::gt("duration", 600).or(Filter::eq("is_hd", true)))
        .and(!Filter::is_null("x y"));
    assert_eq!(
        filter.to_string(),
        r#"gender = "str" AND category_dirs IN ["a", "b"] AND (duration > 600 OR is_hd = true) AND NOT "x y" IS NULL"#
    );
    assert_eq!(Filter::all([]).to_expression(), None);
    assert_eq!(Filter::any([Filter::all([])]).to_expression(), None);
    assert_eq!(Filter::eq("a", 1).and(Filter::all([])).to_string(), "a = 1");
}
