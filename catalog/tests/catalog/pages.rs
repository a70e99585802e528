//! Data that pages and documents are made from.

use lantern_catalog::{
    documents,
    search_log::{self, LoggedSearch, WantedSearches},
    videos,
};
use lantern_config::Lang;
use lantern_testing::TestDb;

const WORLD: &str = "
    insert into users (username, email, avatar_key) values ('anna', 'anna@mail.example', 'k');
    insert into profiles (user_id, country) values (1, 'JP');
    insert into channels (dir, title, url) values ('ch', 'Channel', 'https://ch.example/');
    insert into categories (dir, position) values ('dance', 2), ('city', 1);
    insert into category_titles values (1, 'en', 'Dance'), (1, 'ja', 'ダンス');
    insert into models (dir, title, gender, birth_date, aliases) values ('yui', 'Yui', 'str', '1990-01-01', '{結衣}');
    insert into model_names values (1, 'ja', '唯');
    insert into videos (dir, title, lang, gender, duration, user_id, channel_id, is_private) values
        ('a', 'A', 'en', 'str', 10, 1, 1, false), ('b', 'B', 'en', 'gay', 10, null, null, false),
        ('c', 'C', 'en', 'str', 10, 1, null, true);
    insert into video_translations values (1, 'de', 'Ah', 'Text'), (1, 'fr', 'Ah oui', '');
    insert into video_categories values (1, 1), (1, 2), (2, 1), (3, 1);
    insert into video_models values (1, 1), (3, 1);
    insert into playlists (user_id, title, description) values (1, 'Evenings', 'For evenings');
    insert into playlist_items (playlist_id, video_id, position) values (1, 3, 1), (1, 2, 2), (1, 1, 3);
    update video_stats set viewed = 9, likes = 8 where video_id = 1;";

async fn world() -> TestDb {
    let db = TestDb::create().await.unwrap();
    sqlx::raw_sql(WORLD).execute(&db.pool).await.unwrap();
    db
}

#[tokio::test]
async fn video_page_includes_related_data() {
    let db = world().await;
    let video = videos::find(&db.pool, 1).await.unwrap().unwrap();
    assert_eq!((video.title.as_str(), video.titles["de"].as_str()), ("A", "Ah"));
    assert_eq!((video.titles.len(), video.descriptions.len()), (2, 1), "empty descriptions are no translations");
    assert_eq!(video.categories, ["city", "dance"], "in category order");
    assert_eq!((video.model_dirs[0].as_str(), video.model_titles[0].as_str()), ("yui", "Yui"));
    assert_eq!(video.model_names, [[("ja".to_owned(), "唯".to_owned())].into()]);
    assert_eq!((video.viewed, video.likes, video.rating), (9, 8, 5.0));
    assert_eq!(video.user.unwrap().username, "anna");
    assert_eq!(video.channel.unwrap().title, "Channel");
    let alone = videos::find(&db.pool, 2).await.unwrap().unwrap();
    assert!(alone.user.is_none() && alone.channel.is_none() && alone.model_dirs.is_empty());
    assert!(!videos::find(&db.pool, 3).await.unwrap().unwrap().visible);
    assert!(videos::find(&db.pool, 4).await.unwrap().is_none());
}

#[tokio::test]
async fn only_visible_videos_count() {
    let db = world().await;
    let counts = lantern_testing::count_by_category(&db.pool).await.unwrap();
    let counts: Vec<_> = counts.iter().map(|c| (c.dir.as_str(), c.gender.as_str(), c.total)).collect();
    assert_eq!(counts, [("city", "str", 1), ("dance", "gay", 1), ("dance", "str", 1)]);
    let mut conn = db.pool.acquire().await.unwrap();
    let model = documents::models::rows(&mut conn, &[1]).await.unwrap().remove(0);
    assert_eq!((model.total_videos, model.aliases.as_slice()), (1, ["結衣".to_owned()].as_slice()));
    assert_eq!(documents::members::rows(&mut conn, &[1]).await.unwrap()[0].total_videos, 1);
    assert_eq!(documents::playlists::rows(&mut conn, &[1]).await.unwrap()[0].total_videos, 2);
    assert!(documents::models::rows(&mut conn, &[2]).await.unwrap().is_empty());
}

#[tokio::test]
async fn searches_are_normalized_and_summed_by_day() {
    let db = world().await;
    let entry = |query: &str, hits| LoggedSearch { query: query.to_owned(), lang: Lang::En, hits, rescued_by: None };
    let rescued = |query: &str| LoggedSearch { rescued_by: Some("duration".to_owned()), ..entry(query, 0) };
    let searches = [
        entry("  Kyoto \t trip\0", 3),
        entry("kyoto trip", 5),
        entry("x", 1),
        entry(&"y".repeat(70), 1),
        entry("me@example.org", 1),
        entry("nowhere", 0),
        rescued("nowhere"),
    ];
    search_log::record(&db.pool, &searches).await.unwrap();
    search_log::record(&db.pool, &[entry("nowhere", 0)]).await.unwrap();
    search_log::record(&db.pool, &[]).await.unwrap();
    let days: Vec<(String, i32, i32, i32, i32, Option<String>)> =
        sqlx::query_as("select query, searches, hits, zero_hits, rescued, rescued_by from search_days order by query")
            .fetch_all(&db.pool)
            .await
            .unwrap();
    let rescued_by = Some("duration".to_owned());
    assert_eq!(days, [("kyoto trip".to_owned(), 2, 5, 0, 0, None), ("nowhere".to_owned(), 3, 0, 3, 1, rescued_by)]);
}

#[tokio::test]
async fn rare_and_old_searches_are_deleted() {
    let db = world().await;
    sqlx::raw_sql(
        "insert into search_days (lang, query, day, searches, hits, zero_hits)
         select 'en', q, (now() at time zone 'UTC')::date - ago, n, 0, n
         from (values ('rare', 1, 2), ('rare today', 0, 2), ('common', 1, 3), ('old', 91, 50)) v(q, ago, n)",
    )
    .execute(&db.pool)
    .await
    .unwrap();
    assert_eq!(search_log::forget(&db.pool, 3, 90).await.unwrap(), 2);
    let left: Vec<String> =
        sqlx::query_scalar("select query from search_days order by query").fetch_all(&db.pool).await.unwrap();
    assert_eq!(left, ["common", "rare today"]);
}

#[tokio::test]
async fn report_lists_sufficiently_frequent_searches() {
    let db = world().await;
    sqlx::raw_sql(
        "insert into search_days (lang, query, day, searches, hits, zero_hits, rescued, rescued_by)
         select lang, q, (now() at time zone 'UTC')::date - ago, n, 0, zero, least(zero, 1), by
         from (values ('en', 'gone', 0, 4, 4, 'date'), ('en', 'gone', 1, 5, 5, 'duration'), ('en', 'found', 0, 30, 0, null),
                      ('en', 'rare', 0, 2, 2, null), ('en', 'rare', 1, 2, 2, null), ('de', 'weg', 0, 6, 6, null), ('en', 'before', 7, 9, 9, null))
              v(lang, q, ago, n, zero, by)",
    )
    .execute(&db.pool)
    .await
    .unwrap();
    let wanted = WantedSearches { zero_hits: true, days: 7, lang: None, min_count: 3, limit: 10 };
    let names = async |wanted| {
        let rows = search_log::report(&db.pool, wanted).await.unwrap();
        rows.into_iter().map(|row| (row.query, row.searches, row.zero_hits)).collect::<Vec<_>>()
    };
    let row = |query: &str, searches, zero| (query.to_owned(), searches, zero);
    assert_eq!(names(wanted).await, [row("gone", 9, 9), row("weg", 6, 6)]);
    assert_eq!(names(WantedSearches { lang: Some(Lang::De), ..wanted }).await, [row("weg", 6, 6)]);
    assert_eq!(names(WantedSearches { limit: 1, zero_hits: false, ..wanted }).await, [row("found", 30, 0)]);
    let rows = search_log::report(&db.pool, wanted).await.unwrap();
    assert_eq!((rows[0].rescued, rows[0].rescued_by.as_deref()), (2, Some("date")));
}

#[tokio::test]
async fn days_with_few_visitors_are_not_summed() {
    let db = world().await;
    sqlx::raw_sql(
        "insert into search_days (lang, query, day, searches, hits)
         select 'en', q, (now() at time zone 'UTC')::date - ago, n, 4
         from (values ('few', 0, 4), ('few', 1, 4), ('few', 2, 4), ('many', 0, 4), ('many', 1, 5), ('many', 2, 6)) v(q, ago, n)",
    )
    .execute(&db.pool)
    .await
    .unwrap();
    assert_eq!(search_log::of_closed_days(&db.pool, Lang::En, 5, 10).await.unwrap(), ["many"]);
    let mut conn = db.pool.acquire().await.unwrap();
    let top = documents::queries::top(&mut conn, 5, 10).await.unwrap();
    let top: Vec<_> = top.iter().map(|row| (row.query.as_str(), row.searches)).collect();
    assert_eq!(top, [("many", 11)]);
}
