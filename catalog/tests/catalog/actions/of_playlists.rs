//! Playlists and their items, which only the owner can edit.

use lantern_catalog::actions::{
    playlist_items::{self, ItemsOutcome},
    playlists::{self, PlaylistDetails, PlaylistOutcome},
};

use super::{ANNA, BERT, CARL, at_once, details, number, world};

#[tokio::test]
async fn playlist_is_created_once_and_editable_by_its_owner_only() {
    let db = world().await;
    let pool = db.pool.clone();
    let outcomes = at_once(move |_| {
        let pool = pool.clone();
        async move { playlists::create(&pool, BERT, &details("Evenings"), 5, 30).await.unwrap() }
    })
    .await;
    assert_eq!(outcomes.iter().filter(|made| **made == PlaylistOutcome::New(4)).count(), 1);
    assert_eq!(outcomes.iter().filter(|made| **made == PlaylistOutcome::Same(4)).count(), 63);
    let pool = db.pool.clone();
    let outcomes = at_once(move |n| {
        let pool = pool.clone();
        async move { playlists::create(&pool, BERT, &details(&format!("Evenings {n}")), 5, 30).await.unwrap() }
    })
    .await;
    assert_eq!(outcomes.iter().filter(|made| matches!(made, PlaylistOutcome::New(_))).count(), 4, "five at most");
    assert_eq!(outcomes.iter().filter(|made| **made == PlaylistOutcome::TooMany).count(), 60);

    assert!(!playlists::update(&db.pool, BERT, 1, &details("Mine now")).await.unwrap());
    assert!(!playlists::delete(&db.pool, BERT, 1).await.unwrap());
    assert!(playlists::update(&db.pool, ANNA, 1, &details("Renamed")).await.unwrap());
    let changed = "select count(*) from playlists where id = 1 and title = 'Renamed' and visibility = 'private' and orientation = 'she'";
    assert_eq!(number(&db, changed).await, 1);
    let kept = PlaylistDetails { visibility: None, orientation: None, ..details("Renamed") };
    assert!(playlists::update(&db.pool, ANNA, 1, &kept).await.unwrap());
    assert_eq!(number(&db, changed).await, 1, "unset fields are unchanged");
    let made = playlists::create(&db.pool, CARL, &kept, 5, 30).await.unwrap();
    assert_eq!(
        playlists::create(&db.pool, CARL, &kept, 5, 30).await.unwrap(),
        match made {
            PlaylistOutcome::New(id) => PlaylistOutcome::Same(id),
            other => panic!("{other:?}"),
        }
    );
    assert_eq!(
        number(
            &db,
            "select count(*) from playlists where user_id = 3 and visibility = 'public' and orientation = 'str'"
        )
        .await,
        1
    );
    assert!(playlists::delete(&db.pool, ANNA, 1).await.unwrap());
    assert!(!playlists::delete(&db.pool, ANNA, 1).await.unwrap());
}

#[tokio::test]
async fn playlist_items_are_unique_and_editable_by_the_owner_only() {
    let db = world().await;
    let pool = db.pool.clone();
    let outcomes = at_once(move |n| {
        let pool = pool.clone();
        async move { playlist_items::add(&pool, ANNA, 1, 4 + n % 6, 5, None).await.unwrap() }
    })
    .await;
    let count = |changed| outcomes.iter().filter(|outcome| **outcome == changed).count();
    assert_eq!(count(ItemsOutcome::Done), 5);
    assert_eq!(count(ItemsOutcome::Done) + count(ItemsOutcome::Already) + count(ItemsOutcome::Full), 64);
    assert!(count(ItemsOutcome::Full) >= 10, "all requests for the video that did not fit");
    let order = async || -> Vec<i64> {
        sqlx::query_scalar("select video_id from playlist_items where playlist_id = 1 order by position")
            .fetch_all(&db.pool)
            .await
            .unwrap()
    };
    let held = order().await;
    let moved = async |member, video, place| playlist_items::move_to(&db.pool, member, 1, video, place).await.unwrap();
    assert_eq!(moved(ANNA, held[4], 1).await, ItemsOutcome::Done);
    assert_eq!(order().await, [held[4], held[0], held[1], held[2], held[3]]);
    assert_eq!(moved(ANNA, held[4], 3).await, ItemsOutcome::Done);
    assert_eq!(order().await, [held[0], held[1], held[4], held[2], held[3]]);
    assert_eq!(moved(ANNA, held[0], u32::MAX).await, ItemsOutcome::Done);
    assert_eq!(order().await, [held[1], held[4], held[2], held[3], held[0]]);
    assert_eq!(playlist_items::remove(&db.pool, ANNA, 1, held[4]).await.unwrap(), ItemsOutcome::Done);
    assert_eq!(playlist_items::remove(&db.pool, ANNA, 1, held[4]).await.unwrap(), ItemsOutcome::Done);
    assert_eq!(moved(ANNA, held[3], 1).await, ItemsOutcome::Done, "across the gap");
    assert_eq!(order().await, [held[3], held[1], held[2], held[0]]);
    assert_eq!(moved(ANNA, held[4], 1).await, ItemsOutcome::NoVideo);
    assert_eq!(moved(BERT, held[0], 1).await, ItemsOutcome::NoPlaylist);
    assert_eq!(playlist_items::add(&db.pool, BERT, 1, 4, 9, None).await.unwrap(), ItemsOutcome::NoPlaylist);
    assert_eq!(playlist_items::remove(&db.pool, BERT, 1, held[0]).await.unwrap(), ItemsOutcome::NoPlaylist);
    let added = playlist_items::add(&db.pool, ANNA, 1, 2, 9, Some(2)).await.unwrap();
    assert_eq!(added, ItemsOutcome::Done, "the member's own private video");
    assert_eq!(order().await, [held[3], 2, held[1], held[2], held[0]], "inserted at its place");
    assert_eq!(playlist_items::add(&db.pool, ANNA, 1, 3, 9, None).await.unwrap(), ItemsOutcome::NoVideo);
}
