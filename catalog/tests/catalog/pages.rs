//! The read functions of the api.

use lantern_catalog::{
    categories, models, playlists,
    search_log::{self, Entry},
    testdb::TestDb,
    users, videos,
};
use lantern_config::Lang;

const WORLD: &str = "
    insert into users (username, email, avatar_key) values ('anna', 'anna@mail.example', 'k');
    insert into profiles (user_id, country) values (1, 'JP');
    insert into channels (dir, title, url) values ('ch', 'Channel', 'https://ch.example/');
    insert into categories (dir, position) values ('dance', 2), ('city', 1);
    insert into category_titles values (1, 'en', 'Dance'), (1, 'ja', 'ダンス');
    insert into models (dir, title, gender, birth_date, aliases) values ('yui', 'Yui', 'str', '1990-01-01', '{結衣}');
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
async fn a_video_comes_with_all_its_company() {
    let db = world().await;
    let video = videos::find(&db.pool, 1).await.unwrap().unwrap();
    assert_eq!((video.title.as_str(), video.titles["de"].as_str()), ("A", "Ah"));
    assert_eq!((video.titles.len(), video.descriptions.len()), (2, 1), "empty descriptions are no translations");
    assert_eq!(video.categories, ["city", "dance"], "in the categories' own order");
    assert_eq!(video.models, [("yui".to_owned(), "Yui".to_owned())]);
    assert_eq!((video.viewed, video.likes, video.rating), (9, 8, 4.17));
    assert_eq!(video.user.unwrap().username, "anna");
    assert_eq!(video.channel.unwrap().title, "Channel");
    let alone = videos::find(&db.pool, 2).await.unwrap().unwrap();
    assert!(alone.user.is_none() && alone.channel.is_none() && alone.models.is_empty());
    assert!(!videos::find(&db.pool, 3).await.unwrap().unwrap().visible);
    assert!(videos::find(&db.pool, 4).await.unwrap().is_none());
}

#[tokio::test]
async fn only_visible_videos_count() {
    let db = world().await;
    let counts = videos::count_by_category(&db.pool).await.unwrap();
    let counts: Vec<_> = counts.iter().map(|c| (c.dir.as_str(), c.gender.as_str(), c.total)).collect();
    assert_eq!(counts, [("city", "str", 1), ("dance", "gay", 1), ("dance", "str", 1)]);
    let model = models::by_dir(&db.pool, "yui").await.unwrap().unwrap();
    assert_eq!((model.total_videos, model.aliases.as_slice()), (1, ["結衣".to_owned()].as_slice()));
    assert!(models::by_dir(&db.pool, "nobody").await.unwrap().is_none());
    assert_eq!(users::by_id(&db.pool, 1).await.unwrap().unwrap().total_videos, 1);
    assert!(users::by_id(&db.pool, 2).await.unwrap().is_none());
    let page = playlists::video_ids(&db.pool, 1, 0, 10).await.unwrap();
    assert_eq!((page.video_ids.as_slice(), page.total), ([2, 1].as_slice(), 2));
    assert_eq!(playlists::video_ids(&db.pool, 1, 1, 10).await.unwrap().video_ids, [1]);
}

#[tokio::test]
async fn categories_fall_back_to_english_then_to_the_dir() {
    let db = world().await;
    let titles = async |lang| -> Vec<String> {
        categories::all(&db.pool, lang).await.unwrap().into_iter().map(|c| c.title).collect()
    };
    assert_eq!(titles("ja").await, ["city", "ダンス"]);
    assert_eq!(titles("nl").await, ["city", "Dance"]);
}

#[tokio::test]
async fn searches_are_cleaned_and_summed_by_day() {
    let db = world().await;
    let entry = |query: &str, hits| Entry { query: query.to_owned(), lang: Lang::En, hits };
    let searches = [entry("  Kyoto \t trip\0", 3), entry("kyoto trip", 5), entry("x", 1), entry(&"y".repeat(70), 1)];
    search_log::record(&db.pool, &searches).await.unwrap();
    search_log::record(&db.pool, &[]).await.unwrap();
    let days: Vec<(String, i32, i32)> =
        sqlx::query_as("select query, searches, hits from search_days").fetch_all(&db.pool).await.unwrap();
    assert_eq!(days, [("kyoto trip".to_owned(), 2, 5)]);
}
