//! Tests that truncated tables reach the index, although truncating fires no row triggers.

use lantern_index::IndexName;

use crate::support::App;

/// Rows for every table that documents are built from.
const CORPUS: [&str; 2] = [
    include_str!("../../../site/tests/whole_app/support/corpus.sql"),
    include_str!("../../../site/tests/whole_app/support/community.sql"),
];

/// Truncates one table after another. Each time, the index must end up equal to the catalog.
async fn follows(tables: &[&str]) {
    let app = App::start().await;
    app.sql(&CORPUS.concat()).await;
    app.sql("insert into model_names select id, 'ja', '雪' || id from models").await;
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    app.indexer.drain().await.unwrap();
    for table in tables {
        app.sql(&format!("truncate {table} cascade")).await;
        assert!(app.waiting().await > 0, "{table}");
        app.indexer.drain().await.unwrap();
        for index in IndexName::ALL {
            let found = app.indexer.verify(index, false).await.unwrap();
            assert_eq!((found.missing, found.different, found.surplus), (0, 0, 0), "{table}: {}", index.uid());
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn truncating_dependent_tables_updates_documents() {
    let tables = "comments walls friends subscriptions category_titles profiles photos album_categories album_models playlist_items \
                  video_translations video_models video_categories album_stats playlist_stats model_stats user_stats video_stats model_names";
    follows(&tables.split_whitespace().collect::<Vec<_>>()).await;
}

#[tokio::test]
async fn truncating_object_tables_removes_documents() {
    follows(&["playlists", "albums", "categories", "models", "videos", "users"]).await;
}
