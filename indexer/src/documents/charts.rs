//! Index `charts`.

use lantern_catalog::documents::charts::{self, ChartRow};
use lantern_config::Config;
use lantern_index::ChartDoc;
use serde_json::value::to_raw_value;
use sqlx::PgConnection;

use super::Page;
use crate::Error;

/// Countries per page. Pages are large, because entries are small and each write passes over the whole index.
const COUNTRIES: usize = 20;

fn from_row(row: ChartRow) -> ChartDoc {
    ChartDoc {
        id: format!("{}-{}", row.country, row.video_id),
        country: row.country,
        video_id: row.video_id,
        viewed: row.viewed.into(),
        gender: row.gender,
        duration: row.duration.into(),
        post_date: row.post_date.unix_timestamp(),
        is_hd: row.is_hd,
        is_uncensored: row.is_uncensored,
        spoken: row.spoken,
        category_dirs: row.category_dirs,
        model_dirs: row.model_dirs,
    }
}

/// Returns the charts of the countries that follow the first `after` countries in alphabetical order.
pub async fn page(conn: &mut PgConnection, after: i64, config: &Config) -> Result<Page, Error> {
    let countries = charts::countries(conn).await?;
    let follow = usize::try_from(after).ok().and_then(|at| countries.get(at..)).unwrap_or_default();
    let some = &follow[..follow.len().min(COUNTRIES)];
    if some.is_empty() {
        return Ok(Page { documents: Vec::new(), last_id: None });
    }
    let rows = charts::entries(conn, some, config.sync.chart_size).await?;
    let documents = rows.into_iter().map(|row| to_raw_value(&from_row(row))).collect::<Result<_, _>>()?;
    Ok(Page { documents, last_id: Some(after + some.len() as i64) })
}
