//! The judged videos and their SQL for the catalog.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use super::read;

/// Text by language.
pub type Titles = BTreeMap<String, String>;

/// Categories with their titles, and models.
#[derive(Debug, Deserialize)]
pub struct Names {
    pub categories: BTreeMap<String, Titles>,
    pub models: BTreeMap<String, Model>,
}

#[derive(Debug, Deserialize)]
pub struct Model {
    pub title: String,
    pub aliases: Vec<String>,
}

/// A video with its titles, which include the title in its author's language (`by`).
#[derive(Debug, Default, Deserialize)]
pub struct Video {
    pub by: String,
    pub models: Vec<String>,
    pub categories: Vec<String>,
    #[serde(flatten)]
    pub titles: Titles,
    /// Meaning of the titles in other languages, even if no title is in them. Empty for subjects, which have a title in
    /// each.
    #[serde(skip)]
    pub meaning: Titles,
}

/// Everything to which queries refer. A video's id is its position, starting at 1.
#[derive(Debug)]
pub struct Corpus {
    pub names: Names,
    /// Videos, each with its name in the files.
    pub videos: Vec<(String, Video)>,
}

/// Quotes text as an SQL literal.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

impl Corpus {
    pub fn new(videos: Vec<(String, Video)>) -> Self {
        Self { names: read("corpus/names.toml"), videos }
    }

    /// Returns carefully written titles, most of them in all languages. The least relevant videos have the most views, so that views
    /// can't compensate for words.
    pub fn tidy() -> Self {
        let subjects: BTreeMap<String, Video> = read("corpus/subjects.toml");
        let distractors: BTreeMap<String, Titles> = read("corpus/distractors.toml");
        let mut meanings: BTreeMap<String, Titles> = read("corpus/meanings.toml");
        let mut videos: Vec<(String, Video)> = subjects.into_iter().collect();
        for (by, titles) in distractors {
            videos.extend(titles.into_iter().map(|(name, title)| {
                let titles: Titles = [(by.clone(), title)].into();
                let meaning = meanings.remove(&name).unwrap_or_else(|| panic!("{name} has no meaning"));
                (name, Video { by: by.clone(), titles, meaning, ..Video::default() })
            }));
        }
        Self::new(videos)
    }

    /// Returns every video with its id.
    pub fn numbered(&self) -> impl Iterator<Item = (i64, &Video)> {
        (1..).zip(self.videos.iter().map(|(_, video)| video))
    }

    /// Returns the statements that insert everything.
    pub fn sql(&self) -> String {
        let mut sql = names_sql(&self.names);
        for ((id, video), (name, _)) in self.numbered().zip(&self.videos) {
            let title = quoted(&video.titles[&video.by]);
            sql += &format!(
                "insert into videos (dir, title, lang, gender, duration) values ('{name}', {title}, '{}', 'str', 600);",
                video.by
            );
            for (lang, title) in video.titles.iter().filter(|(lang, _)| **lang != video.by) {
                let title = quoted(title);
                sql += &format!(
                    "insert into video_translations (video_id, lang, title) values ({id}, '{lang}', {title});"
                );
            }
            for dir in &video.categories {
                sql += &format!("insert into video_categories select {id}, id from categories where dir = '{dir}';");
            }
            for dir in &video.models {
                sql += &format!("insert into video_models select {id}, id from models where dir = '{dir}';");
            }
        }
        sql + "update video_stats set viewed = video_id * 10;"
    }

    /// Returns the name of a video in the files.
    pub fn name(&self, id: i64) -> &str {
        &self.videos[usize::try_from(id).unwrap() - 1].0
    }

    /// Returns grades by video id. `category x` stands for every video in category x, but a video that is named itself gets its own
    /// grade.
    pub fn grades(&self, relevant: &BTreeMap<String, u32>) -> BTreeMap<i64, u32> {
        let ids: HashMap<&str, i64> = (1..).zip(&self.videos).map(|(id, (name, _))| (name.as_str(), id)).collect();
        assert_eq!(ids.len(), self.videos.len(), "two videos have the same name");
        let mut grades = BTreeMap::new();
        for (name, grade) in relevant {
            if let Some(dir) = name.strip_prefix("category ") {
                let videos = self.numbered().filter(|(_, video)| video.categories.iter().any(|one| one == dir));
                grades.extend(videos.map(|(id, _)| (id, *grade)));
            }
        }
        for (name, grade) in relevant.iter().filter(|(name, _)| !name.contains(' ')) {
            let id = ids.get(name.as_str()).unwrap_or_else(|| panic!("no video has the name {name}"));
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
