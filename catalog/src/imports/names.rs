//! Categories and models that imports refer to or create.

use std::collections::HashMap;

use serde_json::json;
use sqlx::{Connection, PgConnection, PgPool, types::Json};
use time::Date;

use crate::{
    Result,
    documents::ByLang,
    moderation::{
        Actor,
        record::{self, RecordEntry},
    },
    run,
};

/// A category with its titles.
#[derive(Debug, Clone)]
pub struct ImportedCategory {
    /// Id of the category.
    pub id: i64,
    /// Path segment.
    pub dir: String,
    /// Titles by language.
    pub titles: HashMap<String, String>,
}

/// A model with all their names.
#[derive(Debug, Clone)]
pub struct ImportedModel {
    /// Id of the model.
    pub id: i64,
    /// Path segment.
    pub dir: String,
    /// Display name.
    pub title: String,
    /// Other names and scripts.
    pub aliases: Vec<String>,
    /// Names by language.
    pub names: Json<ByLang>,
    /// Date of birth, at least 18 years ago.
    pub birth_date: Date,
    /// Wire code of the orientation.
    pub gender: String,
    /// ISO 3166-1 alpha-2 code.
    pub country: Option<String>,
    /// Description.
    pub about: Option<String>,
}

/// Returns all categories.
pub async fn categories(pool: &PgPool) -> Result<Vec<ImportedCategory>> {
    let query = sqlx::query!(
        r#"select c.id, c.dir, t.lang as "lang?", t.title as "title?" from categories c
           left join category_titles t on t.category_id = c.id order by c.id"#
    );
    let mut all: Vec<ImportedCategory> = Vec::new();
    for row in query.fetch_all(pool).await? {
        if all.last().is_none_or(|last| last.id != row.id) {
            all.push(ImportedCategory { id: row.id, dir: row.dir, titles: HashMap::new() });
        }
        if let (Some(last), Some(lang), Some(title)) = (all.last_mut(), row.lang, row.title) {
            last.titles.insert(lang, title);
        }
    }
    Ok(all)
}

/// Returns all models.
pub async fn models(pool: &PgPool) -> Result<Vec<ImportedModel>> {
    let query = sqlx::query_as!(
        ImportedModel,
        r#"select m.id, m.dir, m.title, m.aliases,
                  (select coalesce(jsonb_object_agg(n.lang, n.name), '{}') from model_names n where n.model_id = m.id) as "names!: Json<ByLang>",
                  m.birth_date, m.gender, m.country, m.about
           from models m order by m.id"#
    );
    Ok(query.fetch_all(pool).await?)
}

/// Returns the existing members that have these usernames, compared by name key, with their ids.
pub async fn members(pool: &PgPool, names: &[String]) -> Result<Vec<(String, i64)>> {
    let query = sqlx::query!(
        r#"select n.name as "name!", u.id from unnest($1::text[]) as n(name) join users u on name_key(u.username) = name_key(n.name)
           where u.status_id <> banned()"#,
        names
    );
    Ok(query.fetch_all(pool).await?.into_iter().map(|row| (row.name, row.id)).collect())
}

/// Outcome of storing a category or model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreOutcome {
    /// The object is stored under this id.
    Id(i64),
    /// Another category already has one of the titles.
    TitleTaken,
    /// The model is under 18 today.
    NotAdult,
    /// The model exists with another date of birth.
    OtherBirthDate,
}

/// Creates a category, or adds titles (language and text) to an existing one.
pub async fn store_category(pool: &PgPool, dir: &str, titles: &[(&str, String)]) -> Result<StoreOutcome> {
    let mut transaction = pool.begin().await?;
    let query = sqlx::query_scalar!(
        "insert into categories (dir, position) select $1, coalesce(max(position), 0) + 1 from categories
         on conflict (dir) do update set dir = excluded.dir returning id",
        dir
    );
    let id = query.fetch_one(&mut *transaction).await?;
    for (lang, title) in titles {
        let done = sqlx::query!(
            "insert into category_titles (category_id, lang, title) values ($1, $2, $3)
             on conflict (category_id, lang) do update set title = excluded.title",
            id,
            lang,
            title
        )
        .execute(&mut *transaction)
        .await
        .map_err(crate::Error::from);
        match done {
            Err(error) if error.constraint() == Some("category_titles_title_key") => {
                return Ok(StoreOutcome::TitleTaken);
            }
            other => other?,
        };
    }
    transaction.commit().await?;
    Ok(StoreOutcome::Id(id))
}

/// A model to create or update.
#[derive(Debug, Clone)]
pub struct NewModel<'a> {
    /// Path segment.
    pub dir: &'a str,
    /// Display name.
    pub title: &'a str,
    /// Other names and scripts.
    pub aliases: &'a [String],
    /// Names by language. Names in other languages stay.
    pub names: &'a ByLang,
    /// Wire code of the orientation.
    pub gender: &'a str,
    /// Date of birth, at least 18 years ago.
    pub birth_date: Date,
    /// Whether another date of birth replaces that of an existing model, which is recorded.
    pub allows_birth_date: bool,
    /// ISO 3166-1 alpha-2 code.
    pub country: Option<&'a str>,
    /// Description.
    pub about: Option<&'a str>,
}

/// Creates a model, or updates an existing one with the imported data.
pub async fn store_model(conn: &mut PgConnection, new: &NewModel<'_>) -> Result<StoreOutcome> {
    let mut transaction = conn.begin().await?;
    let query = sqlx::query_scalar!("select birth_date from models where dir = $1 for update", new.dir);
    let other = query.fetch_optional(&mut *transaction).await?.filter(|birth_date| *birth_date != new.birth_date);
    if other.is_some() && !new.allows_birth_date {
        return Ok(StoreOutcome::OtherBirthDate);
    }
    let query = sqlx::query_scalar!(
        "insert into models (dir, title, aliases, gender, birth_date, country, about) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (dir) do update set title = excluded.title, gender = excluded.gender, birth_date = excluded.birth_date,
             aliases = array(select distinct unnest(models.aliases || excluded.aliases) order by 1),
             country = coalesce(excluded.country, models.country), about = coalesce(excluded.about, models.about)
         returning id",
        new.dir,
        new.title,
        new.aliases,
        new.gender,
        new.birth_date,
        new.country,
        new.about
    );
    let id = match query.fetch_one(&mut *transaction).await.map_err(crate::Error::from) {
        Ok(id) => id,
        Err(error) if error.constraint() == Some("models_adult_at_creation") => return Ok(StoreOutcome::NotAdult),
        Err(error) => return Err(error),
    };
    store_names(&mut transaction, id, new.names).await?;
    if let Some(before) = other {
        let details = json!({ "from": before.to_string(), "to": new.birth_date.to_string() });
        let entry = RecordEntry { act: "change birth date", object: Some(("model", id)), details };
        record::add(&mut transaction, &Actor::OPERATOR, entry).await?;
    }
    transaction.commit().await?;
    Ok(StoreOutcome::Id(id))
}

/// Adds names (by language) to a model, in place of those it has in these languages.
async fn store_names(conn: &mut PgConnection, model: i64, names: &ByLang) -> Result<()> {
    let (langs, names): (Vec<String>, Vec<String>) = names.clone().into_iter().unzip();
    let query = sqlx::query!(
        "insert into model_names (model_id, lang, name) select $1, lang, name from unnest($2::text[], $3::text[]) as n(lang, name)
         on conflict (model_id, lang) do update set name = excluded.name",
        model,
        &langs,
        &names
    );
    run(query, conn).await
}
