//! Charts: the most viewed visible videos in each country.

use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::Error;

/// An entry in a country's chart.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of view_countries and videos, documented in the migrations")]
pub struct ChartRow {
    pub country: String,
    pub video_id: i64,
    pub viewed: i32,
    pub gender: String,
    pub duration: i32,
    pub post_date: OffsetDateTime,
    pub is_hd: bool,
    pub is_uncensored: bool,
    pub category_dirs: Vec<String>,
    pub model_dirs: Vec<String>,
    pub spoken: Option<String>,
}

/// Lists the countries that have views, in alphabetical order.
pub async fn countries(conn: &mut PgConnection) -> Result<Vec<String>, Error> {
    // This is a skip scan, because there are only a few countries among hundreds of thousands of rows.
    let query = sqlx::query_scalar!(
        r#"with recursive c as (
            select min(country) as country from view_countries
            union all
            select (select min(v.country) from view_countries v where v.country > c.country)
            from c where c.country is not null
        )
        select country as "country!" from c where country is not null order by 1"#
    );
    Ok(query.fetch_all(conn).await?)
}

/// Returns the top `size` entries per gender from the charts of these countries.
pub async fn entries(conn: &mut PgConnection, countries: &[String], size: i64) -> Result<Vec<ChartRow>, Error> {
    let query = sqlx::query_as!(
        ChartRow,
        r#"select c.country as "country!", c.video_id as "video_id!", c.viewed as "viewed!", c.gender as "gender!",
                  c.duration as "duration!", c.post_date as "post_date!", c.is_hd as "is_hd!",
                  c.is_uncensored as "is_uncensored!",
                  array(select g.dir from video_categories l join categories g on g.id = l.category_id
                        where l.video_id = c.video_id order by g.id) as "category_dirs!",
                  array(select m.dir from video_models l join models m on m.id = l.model_id
                        where l.video_id = c.video_id order by m.id) as "model_dirs!", c.spoken
           from (select w.country, w.video_id, w.viewed, v.gender, v.duration, v.post_date, v.is_hd, v.is_uncensored, v.spoken,
                        row_number() over (partition by w.country, v.gender
                                           order by w.viewed desc, w.video_id desc) as place
                 from view_countries w join videos v on v.id = w.video_id
                 where w.country = any($1) and v.visible) c
           where c.place <= $2"#,
        countries,
        size
    );
    Ok(query.fetch_all(conn).await?)
}

/// Counts the entries in all charts, at most `size` per country and gender.
pub async fn count(conn: &mut PgConnection, size: i64) -> Result<i64, Error> {
    let query = sqlx::query_scalar!(
        r#"select coalesce(sum(least(n, $1)), 0)::bigint as "n!"
           from (select count(*) as n from view_countries w join videos v on v.id = w.video_id
                 where v.visible group by w.country, v.gender) c"#,
        size
    );
    Ok(query.fetch_one(conn).await?)
}
