//! Relations of imported videos: categories, models, translations and consents.

use sqlx::PgConnection;

use super::write::RowWithId;
use crate::{Result, moderation::Actor, run};

/// Deletes the videos' previous relations, except consents.
pub(super) async fn forget(conn: &mut PgConnection, placed: &[RowWithId<'_>]) -> Result<()> {
    if placed.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = placed.iter().map(|(id, _)| *id).collect();
    sqlx::query!("delete from video_categories where video_id = any($1)", &ids).execute(&mut *conn).await?;
    sqlx::query!("delete from video_models where video_id = any($1)", &ids).execute(&mut *conn).await?;
    run(sqlx::query!("delete from video_translations where video_id = any($1)", &ids), conn).await
}

/// Adds the relations of videos.
pub(super) async fn add(conn: &mut PgConnection, placed: &[RowWithId<'_>]) -> Result<()> {
    let pairs = placed.iter().flat_map(|(id, row)| row.categories.iter().map(|category| (*id, *category)));
    let (ids, categories): (Vec<i64>, Vec<i64>) = pairs.unzip();
    if !ids.is_empty() {
        let query = sqlx::query!(
            "insert into video_categories (video_id, category_id) select * from unnest($1::bigint[], $2::bigint[])",
            &ids,
            &categories
        );
        run(query, &mut *conn).await?;
    }
    let pairs = placed.iter().flat_map(|(id, row)| row.models.iter().map(|model| (*id, *model)));
    let (ids, models): (Vec<i64>, Vec<i64>) = pairs.unzip();
    if !ids.is_empty() {
        let query = sqlx::query!(
            "insert into video_models (video_id, model_id) select * from unnest($1::bigint[], $2::bigint[])",
            &ids,
            &models
        );
        run(query, &mut *conn).await?;
    }
    translate(conn, placed).await?;
    consent(conn, placed).await
}

async fn translate(conn: &mut PgConnection, placed: &[RowWithId<'_>]) -> Result<()> {
    let (mut ids, mut langs, mut titles, mut descriptions) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (id, row) in placed {
        for (lang, title, description) in &row.translations {
            ids.push(*id);
            langs.push((*lang).to_owned());
            titles.push(title.clone());
            descriptions.push(description.clone());
        }
    }
    if ids.is_empty() {
        return Ok(());
    }
    let query = sqlx::query!(
        "insert into video_translations (video_id, lang, title, description)
         select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[])",
        &ids,
        &langs,
        &titles,
        &descriptions
    );
    run(query, conn).await
}

async fn consent(conn: &mut PgConnection, placed: &[RowWithId<'_>]) -> Result<()> {
    let all: Vec<_> = placed.iter().flat_map(|(id, row)| row.consents.iter().map(|consent| (*id, consent))).collect();
    if all.is_empty() {
        return Ok(());
    }
    // Consents that were verified or revoked on this site take precedence over imported ones.
    let query = sqlx::query!(
        "insert into performer_consents (video_id, model_id, signed_on, document_kind, document_ref, verified_by, verified_at)
         select r.*, $6, now() from unnest($1::bigint[], $2::bigint[], $3::date[], $4::text[], $5::text[]) as r
         on conflict do nothing",
        &all.iter().map(|(id, _)| *id).collect::<Vec<_>>(),
        &all.iter().map(|(_, consent)| consent.model_id).collect::<Vec<_>>(),
        &all.iter().map(|(_, consent)| consent.signed_on).collect::<Vec<_>>(),
        &all.iter().map(|(_, consent)| consent.document_kind.clone()).collect::<Vec<_>>(),
        &all.iter().map(|(_, consent)| consent.document_ref.clone()).collect::<Vec<_>>(),
        Actor::OPERATOR.name
    );
    run(query, conn).await
}
