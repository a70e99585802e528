//! Views are counted exactly once per viewer and object within a window, on any number of nodes.

use lantern_catalog::{
    counters,
    views::{self, VIEWER_BYTES, View},
};
use lantern_config::Section;
use lantern_testing::TestDb;
use sqlx::AssertSqlSafe;
use time::{Duration, OffsetDateTime, macros::datetime};

const WORLD: &str = "
    insert into users (username, email, email_confirmed_at) values ('anna', 'a@mail.example', now()), ('bert', 'b@mail.example', now());
    insert into models (dir, title, gender, birth_date) values ('yui', 'Yui', 'str', '1990-01-01');
    insert into channels (dir, title, url) values ('ch', 'Channel', 'https://ch.example/');
    insert into videos (dir, title, lang, gender, duration, user_id, is_private) values
        ('a', 'A', 'en', 'str', 10, 1, false), ('b', 'B', 'en', 'str', 10, 1, true), ('c', 'C', 'en', 'str', 10, 1, false);
    insert into albums (dir, title, lang, gender, user_id) values ('x', 'X', 'en', 'str', 1);
    insert into playlists (user_id, title, description) values (1, 'Evenings', 'For evenings');";
const NOON: OffsetDateTime = datetime!(2026-03-01 12:00 UTC);
const WINDOW: u32 = 1800;

async fn world() -> TestDb {
    let db = TestDb::create().await.unwrap();
    sqlx::raw_sql("insert into outbox_consumers (name) values ('a')").execute(&db.pool).await.unwrap();
    sqlx::raw_sql(WORLD).execute(&db.pool).await.unwrap();
    db
}

async fn number(db: &TestDb, query: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(format!("select ({query})::bigint"))).fetch_one(&db.pool).await.unwrap()
}

fn view(viewer: u64, id: i64) -> View {
    let mut key = [0; VIEWER_BYTES];
    key[..8].copy_from_slice(&viewer.to_be_bytes());
    View { section: Section::Video, id, viewer: key, member: None, country: None, at: NOON }
}

#[tokio::test]
async fn viewer_counts_again_only_after_the_window() {
    let db = world().await;
    let record = async |after: Duration| {
        let view = View { at: NOON + after, ..view(1, 1) };
        views::record(&db.pool, &[view], WINDOW).await.unwrap()
    };
    assert_eq!(record(Duration::ZERO).await, 1);
    assert_eq!(record(Duration::seconds(1)).await, 0);
    assert_eq!(record(Duration::seconds(1799)).await, 0, "a repeated view doesn't move the window");
    assert_eq!(record(Duration::seconds(1800)).await, 1);
    assert_eq!(record(Duration::seconds(1801)).await, 0);
    assert_eq!(number(&db, "select viewed from video_stats where video_id = 1").await, 2);
}

#[tokio::test]
async fn all_kinds_of_public_objects_are_counted() {
    let db = world().await;
    let sections = [Section::Video, Section::Album, Section::Model, Section::Playlist, Section::User, Section::Channel];
    let all: Vec<View> = sections.iter().map(|section| View { section: *section, ..view(1, 1) }).collect();
    assert_eq!(views::record(&db.pool, &all, WINDOW).await.unwrap(), 6);
    for section in sections {
        let query = format!("select viewed from {section}_stats where {section}_id = 1");
        assert_eq!(number(&db, &query).await, 1, "{section}");
    }
    assert_eq!(views::record(&db.pool, &[view(1, 2), view(1, 99)], WINDOW).await.unwrap(), 0);
    sqlx::raw_sql("update users set status_id = banned() where id = 1").execute(&db.pool).await.unwrap();
    let banned = [Section::User, Section::Playlist].map(|section| View { section, ..view(2, 1) });
    assert_eq!(views::record(&db.pool, &banned, WINDOW).await.unwrap(), 0);
}

#[tokio::test]
async fn days_countries_and_windows_agree() {
    let db = world().await;
    let from = |viewer, country: Option<&str>| View { country: country.map(str::to_owned), ..view(viewer, 1) };
    let mut batch =
        vec![from(1, Some("JP")), from(2, Some("JP")), from(3, Some("DE")), from(4, None), from(4, Some("DE"))];
    batch.push(View { at: NOON - Duration::days(1), ..from(5, Some("JP")) });
    assert_eq!(views::record(&db.pool, &batch, WINDOW).await.unwrap(), 5);
    assert_eq!(number(&db, "select viewed from view_countries where country = 'JP'").await, 3);
    assert_eq!(number(&db, "select sum(viewed) from view_countries").await, 4, "one without a country");
    assert_eq!(number(&db, "select viewed from view_days where day = '2026-03-01'").await, 4);
    assert_eq!(number(&db, "select viewed from view_days where day = '2026-02-28'").await, 1);
    assert_eq!(number(&db, "select count(*) from counter_marks where entity = 'video' and entity_id = 1").await, 1);
    let mut conn = db.pool.acquire().await.unwrap();
    counters::roll_windows(&mut conn, NOON.date()).await.unwrap();
    let windows: (i32, i32, i32, i64) =
        sqlx::query_as("select viewed_day, viewed_week, viewed_month, viewed from video_stats where video_id = 1")
            .fetch_one(&db.pool)
            .await
            .unwrap();
    assert_eq!(windows, (4, 5, 5, 5));
}

#[tokio::test]
async fn uncounted_views_also_enter_the_history() {
    let db = world().await;
    let by = |member, id, seconds| View {
        member: Some(member),
        at: NOON + Duration::seconds(seconds),
        ..view(u64::try_from(member).unwrap(), id)
    };
    views::record(&db.pool, &[by(1, 1, 0), by(1, 2, 0), by(2, 2, 0), by(99, 1, 0)], WINDOW).await.unwrap();
    views::record(&db.pool, &[by(1, 1, 60)], WINDOW).await.unwrap();
    sqlx::raw_sql("insert into history_pauses (user_id) values (1)").execute(&db.pool).await.unwrap();
    views::record(&db.pool, &[by(1, 1, 90), by(1, 3, 90)], WINDOW).await.unwrap();
    let rows: Vec<(i64, i64, OffsetDateTime)> =
        sqlx::query_as("select user_id, video_id, watched_at from history order by 1, 2")
            .fetch_all(&db.pool)
            .await
            .unwrap();
    let expected = [(1, 1, NOON + Duration::seconds(60)), (1, 2, NOON), (2, 2, NOON)];
    assert_eq!(rows, expected, "including the private video, which members may watch");
}

#[tokio::test]
async fn concurrent_nodes_count_exactly_once() {
    let db = world().await;
    let nodes: Vec<_> = (0..8u64)
        .map(|node| {
            let pool = db.pool.clone();
            tokio::spawn(async move {
                let mut counted = 0;
                for batch in 0..10u64 {
                    // Half of the viewers are unique to the node, and half visit all nodes.
                    let views: Vec<View> = (0..50)
                        .flat_map(|n| [view(n, 1), view(1000 + node * 1000 + batch * 50 + n, 1), view(n, 3)])
                        .collect();
                    counted += views::record(&pool, &views, WINDOW).await.unwrap();
                }
                counted
            })
        })
        .collect();
    let mut counted = 0;
    for node in nodes {
        counted += node.await.unwrap();
    }
    let expected = 50 + 8 * 10 * 50;
    assert_eq!(number(&db, "select viewed from video_stats where video_id = 1").await, expected);
    assert_eq!(number(&db, "select viewed from video_stats where video_id = 3").await, 50);
    assert_eq!(counted, expected + 50);
}

#[tokio::test]
async fn view_records_are_deleted_after_the_window() {
    let db = world().await;
    let late = View { at: NOON + Duration::seconds(60), ..view(2, 1) };
    views::record(&db.pool, &[view(1, 1), late], WINDOW).await.unwrap();
    let forget = async |seconds| views::forget(&db.pool, NOON + Duration::seconds(seconds), WINDOW).await.unwrap();
    assert_eq!(forget(1799).await, 0);
    assert_eq!(forget(1800).await, 1);
    assert_eq!(number(&db, "select count(*) from recent_views").await, 1);
}
