//! Change notifications from processes and from triggers.

use std::time::Duration;

use lantern_catalog::{
    changes::{Change, Listener, MOST_NAMED, NAMED, tell},
    outbox::Entity,
};
use lantern_testing::TestDb;
use uuid::Uuid;

/// Timeout for a notification, which is generous for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn changes_reach_other_processes_but_not_the_sender() {
    let db = TestDb::create().await.expect("database");
    let (here, there) = (Uuid::now_v7(), Uuid::now_v7());
    let mut listener = Listener::start(&db.pool, here).await.expect("listener");
    let mut conn = db.pool.acquire().await.expect("connection");
    let some = Change::Objects(vec![(Entity::Video, 12), (Entity::User, 4)]);
    let albums = |ids: std::ops::Range<i64>| Change::Objects(ids.map(|id| (Entity::Album, id)).collect());
    let most = i64::try_from(MOST_NAMED).expect("a number");
    let (many, too_many) = (albums(most..2 * most), albums(0..most + 1));
    tell(&mut conn, here, &some).await.expect("notified");
    for change in [&some, &Change::Objects(Vec::new()), &many, &Change::Everything, &some, &too_many] {
        tell(&mut conn, there, change).await.expect("notified");
    }
    for expected in [some.clone(), Change::Objects(Vec::new())] {
        assert_eq!(listener.next().await.expect("change"), expected);
    }
    // The change is split into several notifications.
    let mut heard = Vec::new();
    while heard.len() < MOST_NAMED {
        let Change::Objects(part) = listener.next().await.expect("change") else { panic!("not everything") };
        heard.extend(part);
    }
    assert_eq!(Change::Objects(heard), many);
    for expected in [Change::Everything, some, Change::Everything] {
        assert_eq!(listener.next().await.expect("change"), expected);
    }
}

#[tokio::test]
async fn takedowns_are_notified_at_commit() {
    let db = TestDb::create().await.expect("database");
    let mut listener = Listener::start(&db.pool, Uuid::now_v7()).await.expect("listener");
    for statement in [
        "insert into videos (dir, title, lang, gender, duration, media_key)
         select 'v-' || n, 'Title', 'en', 'str', 10, 'films/' || n from generate_series(1, 17001) n",
        // None of these statements takes anything down.
        "update videos set title = 'Another'",
        "begin; delete from videos; rollback",
        "update videos set is_private = true where id > 17000",
        "update videos set is_private = true where id <= 600",
        "delete from videos where id > 600",
    ] {
        sqlx::raw_sql(statement).execute(&db.pool).await.expect("changed");
    }
    let videos = |ids: std::ops::RangeInclusive<i64>| ids.map(|id| (Entity::Video, id)).collect::<Vec<_>>();
    let hear = async |listener: &mut Listener| {
        let heard = tokio::time::timeout(PATIENCE, listener.next()).await;
        heard.expect("a notification").expect("change")
    };
    assert_eq!(hear(&mut listener).await, Change::Objects(videos(17001..=17001)));
    let mut heard = Vec::new();
    while heard.len() < 600 {
        let Change::Objects(part) = hear(&mut listener).await else { panic!("not everything") };
        assert!(part.len() <= NAMED, "{}", part.len());
        heard.extend(part);
    }
    heard.sort_unstable();
    assert_eq!(heard, videos(1..=600));
    assert_eq!(hear(&mut listener).await, Change::Everything, "16,400 at once");
}
