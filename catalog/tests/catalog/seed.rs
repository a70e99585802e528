//! Demo data, which is complete, consistent and reproducible from its seed.

use lantern_catalog::seed::{self, SeedOptions};
use lantern_config::Mode;
use lantern_testing::TestDb;
use sqlx::{AssertSqlSafe, PgPool};

fn small(videos: u32) -> SeedOptions {
    SeedOptions { videos, models: 30, members: 40, albums: 10, playlists: 12, ..SeedOptions::default() }
}

async fn seeded(options: &SeedOptions) -> TestDb {
    let db = TestDb::create().await.unwrap();
    seed::run(&db.pool, Mode::Development, options, &|_, _| {}).await.unwrap();
    db
}

async fn number(pool: &PgPool, sql: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(format!("select ({sql})::bigint"))).fetch_one(pool).await.unwrap()
}

/// Returns a checksum over the rows of every table, except the tables that record when the load ran.
async fn checksum(pool: &PgPool) -> String {
    let tables: Vec<String> = sqlx::query_scalar(
        "select relname::text from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
         and relname not in ('seeds', '_sqlx_migrations') order by 1",
    )
    .fetch_all(pool)
    .await
    .unwrap();
    let mut sums = String::new();
    for table in tables {
        let sql = format!("select coalesce(md5(string_agg(t::text, E'\\n' order by t::text)), '-') from {table} t");
        let sum: String = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(pool).await.unwrap();
        sums.push_str(&sum);
    }
    sums
}

#[tokio::test]
async fn same_seed_yields_same_rows() {
    let (first, again) = (seeded(&small(50)).await, seeded(&small(50)).await);
    assert_eq!(checksum(&first.pool).await, checksum(&again.pool).await);
    let other = seeded(&SeedOptions { seed: 2, ..small(50) }).await;
    assert_ne!(checksum(&first.pool).await, checksum(&other.pool).await);
}

#[tokio::test]
async fn any_size_works() {
    for videos in [0, 1, 50] {
        let db = seeded(&small(videos)).await;
        assert_eq!(number(&db.pool, "select count(*) from videos").await, i64::from(videos));
        assert!(seed::is_demo(&db.pool).await.unwrap());
        assert_eq!(
            number(&db.pool, "select count(*) from channels where cf1 like 'demo/pictures/%'").await,
            1,
            "a sponsor"
        );
    }
    let nothing = SeedOptions {
        videos: 3,
        categories: 0,
        models: 0,
        members: 0,
        albums: 0,
        playlists: 0,
        channels: 0,
        ..SeedOptions::default()
    };
    let db = seeded(&nothing).await;
    assert_eq!(number(&db.pool, "select count(*) from users").await, 1, "the demo member always exists");
}

/// Counters match the rows they count, and no foreign key dangles, although the checks were disabled.
#[tokio::test]
async fn counters_match_rows_and_foreign_keys_hold() {
    let db = seeded(&small(400)).await;
    for (what, wrong) in [
        (
            "comments",
            "select count(*) from video_stats s where comments <> (select count(*) from comments c where section = 'video' and object_id = s.video_id)",
        ),
        (
            "likes",
            "select count(*) from video_stats s where likes <> (select count(*) from votes where section = 'video' and object_id = s.video_id and vote = 1)",
        ),
        (
            "dislikes",
            "select count(*) from video_stats s where dislikes <> (select count(*) from votes where section = 'video' and object_id = s.video_id and vote = -1)",
        ),
        (
            "favourites",
            "select count(*) from video_stats s where favourites <> (select count(*) from favourites f where f.video_id = s.video_id)",
        ),
        ("windows", "select roll_view_windows('2026-01-01')"),
        (
            "countries",
            "select count(*) from video_stats s where viewed < (select coalesce(sum(viewed), 0) from view_countries c where c.video_id = s.video_id)",
        ),
        ("month", "select count(*) from video_stats where viewed < viewed_month"),
        (
            "model subscribers",
            "select count(*) from model_stats s where subscribers <> (select count(*) from subscriptions where section = 'model' and object_id = s.model_id)",
        ),
        (
            "model comments",
            "select count(*) from model_stats s where comments <> (select count(*) from comments where section = 'model' and object_id = s.model_id)",
        ),
        (
            "album comments",
            "select count(*) from album_stats s where comments <> (select count(*) from comments where section = 'album' and object_id = s.album_id)",
        ),
        (
            "playlist comments",
            "select count(*) from playlist_stats s where comments <> (select count(*) from comments where section = 'playlist' and object_id = s.playlist_id)",
        ),
        (
            "votes for and against albums",
            "select count(*) from album_stats s where likes - dislikes <> (select coalesce(sum(vote), 0) from votes where section = 'album' and object_id = s.album_id)",
        ),
        (
            "votes for and against models",
            "select count(*) from model_stats s where likes - dislikes <> (select coalesce(sum(vote), 0) from votes where section = 'model' and object_id = s.model_id)",
        ),
        (
            "votes for and against playlists",
            "select count(*) from playlist_stats s where likes - dislikes <> (select coalesce(sum(vote), 0) from votes where section = 'playlist' and object_id = s.playlist_id)",
        ),
        (
            "comments older than the ones before them",
            "select count(*) from comments a join comments b on (a.section, a.object_id) = (b.section, b.object_id) and a.id < b.id and a.created_at > b.created_at",
        ),
        (
            "wall entries older than the ones before them",
            "select count(*) from walls a join walls b on a.user_id = b.user_id and a.id < b.id and a.created_at > b.created_at",
        ),
        ("stats", "select (select count(*) from videos) - (select count(*) from video_stats)"),
        (
            "consents",
            "select count(*) from video_models l where not exists (select from performer_consents c where c.video_id = l.video_id and c.model_id = l.model_id)",
        ),
        ("minors", "select count(*) from models where birth_date > date '2026-01-01' - interval '21 years'"),
        (
            "young signers",
            "select count(*) from performer_consents c join models m on m.id = c.model_id where m.birth_date > c.signed_on - interval '18 years'",
        ),
        ("searches", "select count(*) from search_days where searches < 1 or hits < 1"),
        ("outbox", "select count(*) from outbox"),
        ("future", "select count(*) from videos where post_date > '2026-01-01Z'"),
    ] {
        assert_eq!(number(&db.pool, wrong).await, 0, "{what}");
    }
    let foreign: Vec<(String, String, String, String)> = sqlx::query_as(
        "select k.conrelid::regclass::text, a.attname::text, k.confrelid::regclass::text, b.attname::text
         from pg_constraint k
         join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
         join pg_attribute b on b.attrelid = k.confrelid and b.attnum = k.confkey[1]
         where k.contype = 'f' and k.connamespace = 'public'::regnamespace",
    )
    .fetch_all(&db.pool)
    .await
    .unwrap();
    assert!(foreign.len() > 30);
    for (table, column, target, key) in foreign {
        let sql = format!(
            "select count(*) from {table} t where t.{column} is not null and not exists (select from {target} x where x.{key} = t.{column})"
        );
        assert_eq!(number(&db.pool, &sql).await, 0, "{table}.{column} -> {target}");
    }
}

#[tokio::test]
async fn new_rows_continue_after_seeded_ones() {
    let db = seeded(&small(50)).await;
    sqlx::raw_sql("insert into outbox_consumers (name) values ('a')").execute(&db.pool).await.unwrap();
    let id: i64 = sqlx::query_scalar(
        "insert into videos (dir, title, lang, gender, duration) values ('n', 'N', 'en', 'str', 60) returning id",
    )
    .fetch_one(&db.pool)
    .await
    .unwrap();
    assert_eq!(id, 51);
    assert_eq!(number(&db.pool, "select count(*) from outbox").await, 1, "triggers are enabled again");
    assert_eq!(
        number(&db.pool, "select count(*) from pg_indexes where indexname = 'video_categories_category'").await,
        1
    );
}

#[tokio::test]
async fn production_and_non_empty_catalogs_are_refused_but_leftovers_are_not() {
    let db = TestDb::create().await.unwrap();
    let refused = seed::run(&db.pool, Mode::Production, &small(1), &|_, _| {}).await.unwrap_err();
    assert_eq!(refused.to_string(), "production mode refuses demo data");
    seed::run(&db.pool, Mode::Development, &small(5), &|_, _| {}).await.unwrap();
    let refused = seed::run(&db.pool, Mode::Development, &small(5), &|_, _| {}).await.unwrap_err();
    assert!(refused.to_string().starts_with("the catalog is not empty"), "{refused}");
    // This is the state that a killed load leaves.
    sqlx::raw_sql("update seeds set finished_at = null").execute(&db.pool).await.unwrap();
    seed::run(&db.pool, Mode::Development, &small(6), &|_, _| {}).await.unwrap();
    assert_eq!(number(&db.pool, "select count(*) from videos").await, 6);
}

#[tokio::test]
async fn demo_member_can_sign_in() {
    use argon2::{Argon2, PasswordHash, PasswordVerifier};
    let db = seeded(&small(0)).await;
    let hash: String = sqlx::query_scalar(
        "select password_hash from users where username = 'demo' and email_confirmed_at is not null",
    )
    .fetch_one(&db.pool)
    .await
    .unwrap();
    assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
    let parsed = PasswordHash::new(&hash).unwrap();
    Argon2::default().verify_password(b"demo-lantern", &parsed).unwrap();
}

#[tokio::test]
async fn demo_videos_have_the_documented_mix() {
    let db = seeded(&SeedOptions { videos: 3000, ..SeedOptions::default() }).await;
    let share = |sql: &'static str| {
        let pool = db.pool.clone();
        async move { number(&pool, &format!("select 100 * count(*) filter (where {sql}) / count(*) from videos")).await }
    };
    for (sql, expected) in [
        ("gender = 'str'", 74..=82),
        ("gender = 'she'", 9..=15),
        ("gender = 'gay'", 7..=13),
        ("is_hd", 56..=64),
        ("is_uncensored", 21..=29),
        ("lang = 'ja'", 30..=38),
        ("spoken = lang", 64..=88),
        ("spoken is null", 12..=21),
        ("status_id = deleted()", 1..=5),
        ("is_private", 1..=5),
        ("duration < 600", 25..=50),
    ] {
        let got = share(sql).await;
        assert!(expected.contains(&got), "{sql}: {got} %");
    }
    for gender in ["str", "she", "gay"] {
        let hidden = number(
            &db.pool,
            &format!("select count(*) from videos where gender = '{gender}' and status_id = deleted()"),
        )
        .await;
        assert!(hidden > 0, "a deleted video among {gender}");
    }
}

/// Every list on the site has entries, including the demo member's lists.
#[tokio::test]
async fn every_list_has_entries() {
    let db = seeded(&SeedOptions { videos: 500, ..SeedOptions::default() }).await;
    for (what, sql) in [
        ("albums", "select count(*) from albums where visible"),
        ("private albums", "select count(*) from albums where is_private"),
        ("playlists", "select count(*) from playlists where visibility = 'public'"),
        ("private playlists", "select count(*) from playlists where visibility = 'private'"),
        ("comments on videos", "select count(*) from comments where section = 'video'"),
        ("comments on albums", "select count(*) from comments where section = 'album'"),
        ("comments on models", "select count(*) from comments where section = 'model'"),
        ("comments on playlists", "select count(*) from comments where section = 'playlist'"),
        ("a second page on a model", "select count(*) from model_stats where comments > 10"),
        ("walls", "select count(*) from walls"),
        ("friends of the demo member", "select count(*) from friends where user_id = 1 and state = 'accepted'"),
        ("subscriptions of the demo member", "select count(*) from subscriptions where user_id = 1"),
        ("playlists of the demo member", "select count(*) from playlists where user_id = 1"),
        ("the demo member's wall", "select count(*) from walls where user_id = 1"),
    ] {
        assert!(number(&db.pool, sql).await > 0, "{what}");
    }
}
