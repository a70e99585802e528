//! The judged videos, written into the catalog as their authors would.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use super::read;

#[derive(Debug, Deserialize)]
struct Names {
    categories: BTreeMap<String, BTreeMap<String, String>>,
    models: BTreeMap<String, Model>,
}

#[derive(Debug, Deserialize)]
struct Model {
    title: String,
    aliases: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Subject {
    by: String,
    models: Vec<String>,
    categories: Vec<String>,
    #[serde(flatten)]
    titles: BTreeMap<String, String>,
}

/// What the queries refer to.
#[derive(Debug)]
pub struct Corpus {
    /// Video ids by name.
    videos: HashMap<String, i64>,
    /// Video ids by the dir of their category.
    by_category: HashMap<String, Vec<i64>>,
    /// English and other titles of categories, by dir.
    pub categories: BTreeMap<String, BTreeMap<String, String>>,
}

/// A literal of SQL.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

impl Corpus {
    /// Everything, and the statements that write it. What is least to the point has most views, so that views can't make up for
    /// words.
    pub fn read() -> (Self, String) {
        let names: Names = read("corpus/names.toml");
        let subjects: BTreeMap<String, Subject> = read("corpus/subjects.toml");
        let distractors: BTreeMap<String, BTreeMap<String, String>> = read("corpus/distractors.toml");
        let mut sql = names_sql(&names);
        let mut corpus = Self { videos: HashMap::new(), by_category: HashMap::new(), categories: names.categories };
        for (name, subject) in &subjects {
            let id = corpus.video(&mut sql, name, &subject.by, &subject.titles[&subject.by]);
            for (lang, title) in subject.titles.iter().filter(|(lang, _)| **lang != subject.by) {
                let title = quoted(title);
                sql += &format!(
                    "insert into video_translations (video_id, lang, title) values ({id}, '{lang}', {title});"
                );
            }
            for dir in &subject.categories {
                sql += &format!("insert into video_categories select {id}, id from categories where dir = '{dir}';");
                corpus.by_category.entry(dir.clone()).or_default().push(id);
            }
            for dir in &subject.models {
                sql += &format!("insert into video_models select {id}, id from models where dir = '{dir}';");
            }
        }
        for (lang, titles) in &distractors {
            for (name, title) in titles {
                corpus.video(&mut sql, name, lang, title);
            }
        }
        sql += "update video_stats set viewed = video_id * 10;";
        (corpus, sql)
    }

    fn video(&mut self, sql: &mut String, name: &str, lang: &str, title: &str) -> i64 {
        let id = self.videos.len() as i64 + 1;
        let before = self.videos.insert(name.to_owned(), id);
        assert!(before.is_none(), "two videos are called {name}");
        let title = quoted(title);
        *sql += &format!(
            "insert into videos (dir, title, lang, gender, duration) values ('{name}', {title}, '{lang}', 'str', 600);"
        );
        id
    }

    /// What the files call a video.
    pub fn name(&self, id: i64) -> &str {
        self.videos.iter().find(|(_, of)| **of == id).map_or("unknown", |(name, _)| name)
    }

    /// Grades by video id. `category x` stands for every video in x; a video that is named has its own grade.
    pub fn grades(&self, relevant: &BTreeMap<String, u32>) -> BTreeMap<i64, u32> {
        let mut grades = BTreeMap::new();
        for (name, grade) in relevant {
            if let Some(dir) = name.strip_prefix("category ") {
                grades.extend(self.by_category[dir].iter().map(|id| (*id, *grade)));
            }
        }
        for (name, grade) in relevant.iter().filter(|(name, _)| !name.contains(' ')) {
            let id = self.videos.get(name).unwrap_or_else(|| panic!("no video is called {name}"));
            grades.insert(*id, *grade);
        }
        grades
    }
}

fn names_sql(names: &Names) -> String {
    let mut sql = String::new();
    for (dir, titles) in &names.categories {
        sql += &format!("insert into categories (dir) values ('{dir}');");
        for (lang, title) in titles {
            let title = quoted(title);
            sql += &format!(
                "insert into category_titles select id, '{lang}', {title} from categories where dir = '{dir}';"
            );
        }
    }
    for (dir, model) in &names.models {
        let aliases: Vec<String> = model.aliases.iter().map(|alias| quoted(alias)).collect();
        sql += &format!(
            "insert into models (dir, title, aliases, gender, birth_date) values ('{dir}', {}, array[{}]::text[], 'str', '1990-01-01');",
            quoted(&model.title),
            aliases.join(", ")
        );
    }
    sql
}
