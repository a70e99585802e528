//! The table of plans: 200 queries in ten languages with what each of them means, given a fixed lexicon.
//!
//! `plans.txt` has a line for each query: the visitor's language, the query and its plan, separated by tabs. The lexicon is an excerpt of what
//! the demo's titles teach: `words.tsv` (language, word, videos), `meanings.tsv` (language, word, language, word, weight), `labels.tsv`
//! (category, language, label) and `names.tsv` (models' names). `LANTERN_PLANS_WRITE=1` writes the present plans to the table.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use lantern_catalog::{meanings::Meaning, words::WordList};
use lantern_config::Lang;
use lantern_index::CategoryDoc;
use time::OffsetDateTime;

use super::Planner;
use crate::{index::Categories, meaning::graph::Graph, words::vocabulary::Vocabulary};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/plan/table")
}

fn lines(file: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(folder().join(file)).expect("table file");
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn vocabulary() -> Vocabulary {
    let mut lists: BTreeMap<String, String> = BTreeMap::new();
    for line in lines("words.tsv") {
        lists.entry(line[0].clone()).or_default().push_str(&format!("{}\t{}\n", line[1], line[2]));
    }
    let list = |(lang, list)| WordList { lang, list, learned_at: OffsetDateTime::UNIX_EPOCH };
    let names = lines("names.tsv").into_iter().map(|line| line.join(" ")).collect::<Vec<_>>();
    Vocabulary::new(&lists.into_iter().map(list).collect::<Vec<_>>(), &names)
}

fn graph() -> Graph {
    let meaning = |line: Vec<String>| Meaning {
        lang: line[0].clone(),
        word: line[1].clone(),
        other_lang: line[2].clone(),
        other: line[3].clone(),
        kind: "translation".to_owned(),
        origin: "learned".to_owned(),
        weight: line[4].parse().expect("weight"),
        refused: false,
    };
    Graph::new(OffsetDateTime::UNIX_EPOCH, &lines("meanings.tsv").into_iter().map(meaning).collect::<Vec<_>>())
}

fn categories() -> Categories {
    let mut list: Vec<CategoryDoc> = Vec::new();
    for line in lines("labels.tsv") {
        if list.last().is_none_or(|last| last.dir != line[0]) {
            list.push(CategoryDoc { dir: line[0].clone(), ..CategoryDoc::default() });
        }
        if let Some(last) = list.last_mut() {
            last.titles.insert(line[1].clone(), line[2].clone());
        }
    }
    Categories::new(list)
}

#[test]
fn queries_have_the_plans_of_the_table() {
    let planner =
        Planner { vocabulary: Arc::new(vocabulary()), graph: Arc::new(graph()), categories: Arc::new(categories()) };
    let (mut table, mut different) = (String::new(), Vec::new());
    let known = lines("plans.txt");
    for line in &known {
        let lang: Lang = line[0].parse().expect("language");
        let plan = planner.plan(&line[1], lang).to_string();
        if line.get(2) != Some(&plan) {
            different.push(format!("{lang} {}:\n  {plan}", line[1]));
        }
        table.push_str(&format!("{lang}\t{}\t{plan}\n", line[1]));
    }
    if std::env::var_os("LANTERN_PLANS_WRITE").is_some() {
        std::fs::write(folder().join("plans.txt"), table).expect("written");
        return;
    }
    assert!(known.len() >= 200, "{} queries", known.len());
    assert!(different.is_empty(), "{} plans differ:\n{}", different.len(), different.join("\n"));
}
