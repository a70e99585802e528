//! Counting of views, in batches. A view counts once per viewer and object within a window, by day and by country.

use lantern_config::Section;
use sqlx::PgPool;
use time::OffsetDateTime;

use crate::Result;

/// Length of a viewer key in bytes.
pub const VIEWER_BYTES: usize = 16;

/// A view of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// Kind of the object.
    pub section: Section,
    /// Id of the object.
    pub id: i64,
    /// Keyed hash of the viewer.
    pub viewer: [u8; VIEWER_BYTES],
    /// Member whose history the video is added to.
    pub member: Option<i64>,
    /// ISO 3166-1 alpha-2 code of the country in whose chart the view counts. If it is `None`, the view counts in no
    /// chart.
    pub country: Option<String>,
    /// When the object was viewed.
    pub at: OffsetDateTime,
}

/// Counts the views that are not repeated within `window_seconds`, in one statement, and updates the members'
/// histories. Views of objects that aren't public don't count. A private video, which members may watch, is only added
/// to the history. Returns the number of counted views.
///
/// # Errors
/// The query fails. In that case nothing is counted.
pub async fn record(pool: &PgPool, views: &[View], window_seconds: u32) -> Result<i64> {
    let sections: Vec<String> = views.iter().map(|view| view.section.as_str().to_owned()).collect();
    let ids: Vec<i64> = views.iter().map(|view| view.id).collect();
    let viewers: Vec<Vec<u8>> = views.iter().map(|view| view.viewer.to_vec()).collect();
    let members: Vec<i64> = views.iter().map(|view| view.member.unwrap_or_default()).collect();
    let countries: Vec<String> = views.iter().map(|view| view.country.clone().unwrap_or_default()).collect();
    let times: Vec<OffsetDateTime> = views.iter().map(|view| view.at).collect();
    let mut tx = pool.begin().await?;
    // Acquire the lock before the next statement takes its snapshot.
    sqlx::query!("select views_turn()").execute(&mut *tx).await?;
    let query = sqlx::query_scalar!(
        r#"with came as (
               select distinct on (section, object_id, viewer) *
               from unnest($1::text[], $2::bigint[], $3::bytea[], $4::bigint[], $5::text[], $6::timestamptz[])
                    c(section, object_id, viewer, member, country, at)
               order by section, object_id, viewer, at
           ), shown as (
               select * from came where visible_to(section, object_id, null)
           ), fresh as (
               insert into recent_views as r (section, object_id, viewer, viewed_at)
               select section, object_id, viewer, at from shown
               on conflict (section, object_id, viewer) do update set viewed_at = excluded.viewed_at
                   where r.viewed_at <= excluded.viewed_at - make_interval(secs => $7)
               returning section, object_id, viewer
           ), counted as (
               select s.section, s.object_id, s.country, (s.at at time zone 'UTC')::date as day, count(*)::integer as n
               from fresh join shown s using (section, object_id, viewer) group by 1, 2, 3, 4
           ), totals as (
               select section, object_id, sum(n)::integer as n from counted group by 1, 2
           ), video as (
               update video_stats s set viewed = s.viewed + t.n, viewed_day = s.viewed_day + t.n,
                      viewed_week = s.viewed_week + t.n, viewed_month = s.viewed_month + t.n
               from totals t where t.section = 'video' and s.video_id = t.object_id
           ), album as (
               update album_stats s set viewed = s.viewed + t.n from totals t
               where t.section = 'album' and s.album_id = t.object_id
           ), model as (
               update model_stats s set viewed = s.viewed + t.n from totals t
               where t.section = 'model' and s.model_id = t.object_id
           ), playlist as (
               update playlist_stats s set viewed = s.viewed + t.n from totals t
               where t.section = 'playlist' and s.playlist_id = t.object_id
           ), profile as (
               update user_stats s set viewed = s.viewed + t.n from totals t
               where t.section = 'user' and s.user_id = t.object_id
           ), channel as (
               update channel_stats s set viewed = s.viewed + t.n from totals t
               where t.section = 'channel' and s.channel_id = t.object_id
           ), days as (
               insert into view_days as d (video_id, day, viewed)
               select object_id, day, sum(n)::integer from counted where section = 'video' group by 1, 2
               on conflict (video_id, day) do update set viewed = d.viewed + excluded.viewed
           ), charts as (
               insert into view_countries as d (country, video_id, viewed)
               select country, object_id, sum(n)::integer from counted where section = 'video' and country <> '' group by 1, 2
               on conflict (country, video_id) do update set viewed = d.viewed + excluded.viewed
           ), seen as (
               insert into history as h (user_id, video_id, watched_at)
               select distinct on (c.member, c.object_id) c.member, c.object_id, c.at
               from came c join users u on u.id = c.member join videos v on v.id = c.object_id
               where c.section = 'video' and is_open_to(v, c.member)
                 and not exists (select from history_pauses p where p.user_id = c.member)
               order by c.member, c.object_id, c.at desc
               on conflict (user_id, video_id) do update set watched_at = greatest(h.watched_at, excluded.watched_at)
           )
           select coalesce(sum(n), 0)::bigint as "n!" from totals"#,
        &sections,
        &ids,
        &viewers,
        &members,
        &countries,
        &times,
        f64::from(window_seconds)
    );
    let counted = query.fetch_one(&mut *tx).await?;
    tx.commit().await?;
    Ok(counted)
}

/// Deletes view records that are older than `window_seconds` at `now`. Returns the number of deleted rows.
pub async fn forget(pool: &PgPool, now: OffsetDateTime, window_seconds: u32) -> Result<u64> {
    let query = sqlx::query!(
        "delete from recent_views where viewed_at <= $1::timestamptz - make_interval(secs => $2)",
        now,
        f64::from(window_seconds)
    );
    Ok(query.execute(pool).await?.rows_affected())
}
