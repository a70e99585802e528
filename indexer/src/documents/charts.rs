//! Index `charts`.

use lantern_catalog::documents::charts::{self, ChartRow};
use lantern_config::Config;
use lantern_index::ChartDoc;
use serde_json::value::{RawValue, to_raw_value};
use sqlx::PgConnection;

use super::Page;
use crate::Error;

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
        category_dirs: row.category_dirs,
        model_dirs: row.model_dirs,
    }
}

async fn of_country(conn: &mut PgConnection, country: &str, config: &Config) -> Result<Vec<Box<RawValue>>, Error> {
    let rows = charts::chart(conn, country, config.sync.chart_size).await?;
    rows.into_iter().map(|row| Ok(to_raw_value(&from_row(row))?)).collect()
}

/// The chart of country number `after + 1` in alphabetical order.
pub async fn page(conn: &mut PgConnection, after: i64, config: &Config) -> Result<Page, Error> {
    let countries = charts::countries(conn).await?;
    let Some(country) = usize::try_from(after).ok().and_then(|at| countries.get(at)) else {
        return Ok(Page { documents: Vec::new(), last_id: None });
    };
    Ok(Page { documents: of_country(conn, country, config).await?, last_id: Some(after + 1) })
}
