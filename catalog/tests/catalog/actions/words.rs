//! Comments and wall entries: they are posted once, deleted only by author or owner, and refused if the author is
//! blocked.

use lantern_catalog::actions::{
    comments::{self, CommentOutcome},
    friends::{self, AskOutcome},
    state,
};
use lantern_config::Section;

use super::{ANNA, BERT, CARL, DORA, EMIL, at_once, number, text, world};

#[tokio::test]
async fn duplicate_comment_is_posted_once() {
    let db = world().await;
    let pool = db.pool.clone();
    let outcomes = at_once(move |_| {
        let pool = pool.clone();
        async move { comments::add(&pool, Section::Video, 1, text(BERT, "What an evening")).await.unwrap() }
    })
    .await;
    assert_eq!(outcomes.iter().filter(|written| **written == CommentOutcome::New(1)).count(), 1);
    assert_eq!(outcomes.iter().filter(|written| **written == CommentOutcome::Same(1)).count(), 63);
    assert_eq!(number(&db, "select comments from video_stats where video_id = 1").await, 1);
    let add = async |section, id, text| comments::add(&db.pool, section, id, text).await.unwrap();
    assert_eq!(add(Section::Video, 1, text(BERT, "Another one")).await, CommentOutcome::New(2));
    assert_eq!(add(Section::Video, 1, text(CARL, "What an evening")).await, CommentOutcome::New(3));
    assert_eq!(add(Section::Model, 1, text(BERT, "What an evening")).await, CommentOutcome::New(4));
    sqlx::raw_sql("update comments set created_at = now() - interval '31 seconds'").execute(&db.pool).await.unwrap();
    assert_eq!(add(Section::Video, 1, text(BERT, "What an evening")).await, CommentOutcome::New(5));
    for (section, id) in [(Section::Video, 2), (Section::Video, 3), (Section::Playlist, 3)] {
        assert_eq!(add(section, id, text(BERT, "What an evening")).await, CommentOutcome::Missing, "{section} {id}");
    }
    assert_eq!(add(Section::Video, 1, text(DORA, "What an evening")).await, CommentOutcome::Missing, "banned");
}

#[tokio::test]
async fn only_author_and_owner_delete_a_comment() {
    let db = world().await;
    let add = async || {
        sqlx::raw_sql("delete from comments").execute(&db.pool).await.unwrap();
        match comments::add(&db.pool, Section::Video, 1, text(BERT, "What an evening")).await.unwrap() {
            CommentOutcome::New(id) => id,
            other => panic!("{other:?}"),
        }
    };
    let shown = async || number(&db, "select comments from video_stats where video_id = 1").await;
    for (member, allowed) in [(CARL, false), (BERT, true), (ANNA, true)] {
        let id = add().await;
        for _ in 0..2 {
            assert_eq!(comments::delete(&db.pool, member, id).await.unwrap(), allowed, "{member}");
        }
        assert_eq!(shown().await, i64::from(!allowed), "{member}");
    }
    assert!(!comments::delete(&db.pool, BERT, 999).await.unwrap());
}

#[tokio::test]
async fn wall_owner_deletes_entries_of_others() {
    let db = world().await;
    let add = async |wall, text| comments::add(&db.pool, Section::User, wall, text).await.unwrap();
    assert_eq!(add(ANNA, text(BERT, "Greetings")).await, CommentOutcome::New(1));
    assert_eq!(add(ANNA, text(BERT, "Greetings")).await, CommentOutcome::Same(1));
    assert_eq!(add(DORA, text(BERT, "Greetings")).await, CommentOutcome::Missing);
    assert_eq!(add(EMIL, text(BERT, "Greetings")).await, CommentOutcome::Missing);
    assert!(!comments::delete_from_wall(&db.pool, CARL, 1).await.unwrap());
    assert!(comments::delete_from_wall(&db.pool, ANNA, 1).await.unwrap());
    assert!(comments::delete_from_wall(&db.pool, BERT, 1).await.unwrap(), "idempotent");
    assert_eq!(number(&db, "select count(*) from walls where deleted_at is null").await, 0);
    assert_eq!(number(&db, "select count(*) from outbox where entity = 'user' and entity_id = 1").await, 3);
}

#[tokio::test]
async fn blocked_member_cannot_write_to_blocker() {
    let db = world().await;
    sqlx::raw_sql("insert into blocks (user_id, blocked_id) values (1, 2)").execute(&db.pool).await.unwrap();
    for (section, id) in [(Section::Video, 1), (Section::Album, 1), (Section::Playlist, 1)] {
        let written = comments::add(&db.pool, section, id, text(BERT, "What an evening")).await.unwrap();
        assert_eq!(written, CommentOutcome::Blocked, "{section}");
    }
    assert_eq!(
        comments::add(&db.pool, Section::User, ANNA, text(BERT, "Greetings")).await.unwrap(),
        CommentOutcome::Blocked
    );
    assert_eq!(friends::add(&db.pool, BERT, ANNA).await.unwrap(), AskOutcome::Blocked);
    let other_way = comments::add(&db.pool, Section::User, BERT, text(ANNA, "Greetings")).await.unwrap();
    assert!(matches!(other_way, CommentOutcome::New(_)), "{other_way:?}");
    assert!(state::of(&db.pool, ANNA, Section::User, BERT).await.unwrap().blocked);
    assert!(!state::of(&db.pool, BERT, Section::User, ANNA).await.unwrap().blocked);
}
