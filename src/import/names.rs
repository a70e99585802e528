//! Resolution of names to categories and models.

use std::{collections::HashMap, path::Path};

use anyhow::{Context, bail};
use lantern_catalog::imports;
use lantern_index::{all_names, text::fold};
use serde::Deserialize;
use sqlx::PgPool;
use time::Date;

/// Result of resolving a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Id of the category or model.
    Id(i64),
    /// The synonyms say that the name is to be left out.
    Ignored,
    Unknown,
}

/// TOML file that maps names to other names, or to an empty string for names to be left out.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Synonyms {
    categories: HashMap<String, String>,
    models: HashMap<String, String>,
}

impl Synonyms {
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        toml::from_str(&text).with_context(|| path.display().to_string())
    }
}

/// An existing model.
#[derive(Debug, Clone)]
pub struct Model {
    pub dir: String,
    pub birth_date: Date,
}

/// All names of categories and models in the catalog.
#[derive(Debug, Default)]
pub struct Names {
    categories: HashMap<String, Option<i64>>,
    models: HashMap<String, Option<i64>>,
    /// Path segments of the categories, by id.
    pub category_dirs: HashMap<i64, String>,
    /// Models, by id.
    pub people: HashMap<i64, Model>,
}

impl Names {
    pub async fn load(pool: &PgPool, synonyms: &Synonyms) -> anyhow::Result<Self> {
        let mut names = Self::default();
        for category in imports::categories(pool).await? {
            names.add_category(category.id, &category.dir, category.titles.values().map(String::as_str));
        }
        for model in imports::models(pool).await? {
            let spellings = all_names(&model.title, &model.names, &model.aliases).into_iter();
            names.add_model(model.id, &model.dir, model.birth_date, spellings);
        }
        add_synonyms(&mut names.categories, &synonyms.categories, "category")?;
        add_synonyms(&mut names.models, &synonyms.models, "model")?;
        Ok(names)
    }

    /// Registers the names of a category.
    pub fn add_category<'a>(&mut self, id: i64, dir: &str, titles: impl Iterator<Item = &'a str>) {
        for title in titles {
            self.categories.entry(fold(title)).or_insert(Some(id));
        }
        self.categories.insert(fold(dir), Some(id));
        self.category_dirs.insert(id, dir.to_owned());
    }

    /// Registers the names of a model.
    pub fn add_model<'a>(&mut self, id: i64, dir: &str, birth_date: Date, spellings: impl Iterator<Item = &'a str>) {
        for name in spellings {
            self.models.entry(fold(name)).or_insert(Some(id));
        }
        self.models.insert(fold(dir), Some(id));
        self.people.insert(id, Model { dir: dir.to_owned(), birth_date });
    }

    pub fn category(&self, name: &str) -> Meaning {
        meaning(&self.categories, name)
    }

    pub fn model(&self, name: &str) -> Meaning {
        meaning(&self.models, name)
    }
}

fn meaning(names: &HashMap<String, Option<i64>>, name: &str) -> Meaning {
    match names.get(&fold(name)) {
        Some(Some(id)) => Meaning::Id(*id),
        Some(None) => Meaning::Ignored,
        None => Meaning::Unknown,
    }
}

fn add_synonyms(
    names: &mut HashMap<String, Option<i64>>,
    synonyms: &HashMap<String, String>,
    what: &str,
) -> anyhow::Result<()> {
    for (name, target) in synonyms {
        let id = match target.is_empty() {
            true => None,
            false => match names.get(&fold(target)) {
                Some(id) => *id,
                None => bail!("the synonyms map {name:?} to {target:?}, but there is no such {what}"),
            },
        };
        names.insert(fold(name), id);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    fn names() -> Names {
        let mut names = Names::default();
        names.add_category(3, "city-walks", ["City walks", "Stadtspaziergänge"].into_iter());
        names.add_model(7, "ana-dvorak", date!(1990 - 01 - 01), ["Ana Dvořák", "アナ"].into_iter());
        names
    }

    #[test]
    fn names_match_regardless_of_case_and_accents() {
        let names = names();
        for name in ["city-walks", "CITY WALKS", "stadtspaziergange"] {
            assert_eq!(names.category(name), Meaning::Id(3), "{name}");
        }
        for name in ["ana dvorak", "Ana-Dvorak", "アナ"] {
            assert_eq!(names.model(name), Meaning::Id(7), "{name}");
        }
        assert_eq!(names.model("Nobody"), Meaning::Unknown);
    }

    #[test]
    fn synonyms_map_to_existing_names_or_ignore() {
        let mut names = names();
        let synonyms = |name: &str, target: &str| HashMap::from([(name.to_owned(), target.to_owned())]);
        add_synonyms(&mut names.categories, &synonyms("Urban", "city-walks"), "category").unwrap();
        add_synonyms(&mut names.categories, &synonyms("Misc", ""), "category").unwrap();
        assert_eq!(names.category("urban"), Meaning::Id(3));
        assert_eq!(names.category("MISC"), Meaning::Ignored);
        assert!(add_synonyms(&mut names.categories, &synonyms("a", "nowhere"), "category").is_err());
    }
}
