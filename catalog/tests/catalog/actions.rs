//! What members do: once each, only to what is there for them, and only by whom it is allowed.

use lantern_catalog::{
    actions::{
        Added,
        comments::{self, Text, Written},
        friends::{self, Asked},
        lists,
        playlist_items::{self, Changed},
        playlists::{self, Details, Made},
        state,
        subscriptions::{self, Subscribed},
        votes::{self, Voted, Voter},
    },
    testdb::TestDb,
};
use lantern_config::{CommentSection, Gender, Section, Visibility};
use sqlx::AssertSqlSafe;
use time::{Date, macros::date};

/// Members 1 anna, 2 bert, 3 carl, 4 banned, 5 unconfirmed. Videos 1 public, 2 anna's private, 3 deleted.
const WORLD: &str = "
    insert into users (username, email, email_confirmed_at, status_id) values ('anna', 'a@mail.example', now(), 1),
        ('bert', 'b@mail.example', now(), 1), ('carl', 'c@mail.example', now(), 1), ('dora', 'd@mail.example', now(), 5),
        ('emil', 'e@mail.example', null, 1);
    insert into models (dir, title, gender, birth_date) values ('yui', 'Yui', 'str', '1990-01-01');
    insert into channels (dir, title, url) values ('ch', 'Channel', 'https://ch.example/');
    insert into videos (dir, title, lang, gender, duration, user_id, is_private, status_id) values
        ('a', 'A', 'en', 'str', 10, 1, false, 1), ('b', 'B', 'en', 'str', 10, 1, true, 1), ('c', 'C', 'en', 'str', 10, 1, false, 5);
    insert into videos (dir, title, lang, gender, duration) select 'v', 'V', 'en', 'str', 10 from generate_series(4, 9);
    insert into albums (dir, title, lang, gender, user_id) values ('x', 'X', 'en', 'str', 1);
    insert into playlists (user_id, title, description, visibility) values (1, 'Evenings', 'For evenings', 'public'),
        (1, 'Mornings', 'For mornings', 'private'), (4, 'Of nobody', 'For nobody', 'public');
    delete from outbox;";

const ANNA: i64 = 1;
const BERT: i64 = 2;
const CARL: i64 = 3;
const DORA: i64 = 4;
const EMIL: i64 = 5;
const TODAY: Date = date!(2026 - 03 - 01);

async fn world() -> TestDb {
    let db = TestDb::create().await.unwrap();
    sqlx::raw_sql(WORLD).execute(&db.pool).await.unwrap();
    db
}

async fn number(db: &TestDb, query: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(format!("select ({query})::bigint"))).fetch_one(&db.pool).await.unwrap()
}

/// Runs the same request of 64 clients at once and answers with what each was told.
async fn at_once<T, F>(request: impl Fn(i64) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let clients: Vec<_> = (0..64).map(|n| tokio::spawn(request(n))).collect();
    let mut told = Vec::new();
    for client in clients {
        told.push(client.await.unwrap());
    }
    told
}

fn text(author: i64, body: &str) -> Text<'_> {
    Text { author, body, same_seconds: 30 }
}

fn details(title: &str) -> Details {
    Details {
        title: title.to_owned(),
        description: "For the evenings".to_owned(),
        visibility: Some(Visibility::Private),
        orientation: Some(Gender::She),
    }
}

#[tokio::test]
async fn a_video_is_on_a_list_once_however_many_clicks_race() {
    let db = world().await;
    let pool = db.pool.clone();
    let told = at_once(move |_| {
        let pool = pool.clone();
        async move { lists::add_favourite(&pool, BERT, 1).await.unwrap() }
    })
    .await;
    assert_eq!(told.iter().filter(|added| **added == Added::New).count(), 1);
    assert_eq!(told.iter().filter(|added| **added == Added::Already).count(), 63);
    assert_eq!(number(&db, "select favourites from video_stats where video_id = 1").await, 1);
    assert_eq!(lists::add_watch_later(&db.pool, BERT, 1).await.unwrap(), Added::New);
    assert_eq!(lists::add_watch_later(&db.pool, BERT, 1).await.unwrap(), Added::Already);
    for _ in 0..2 {
        lists::remove_favourite(&db.pool, BERT, 1).await.unwrap();
        lists::remove_watch_later(&db.pool, BERT, 1).await.unwrap();
    }
    assert_eq!(number(&db, "select favourites from video_stats where video_id = 1").await, 0);
    assert_eq!(number(&db, "select count(*) from watch_later").await, 0);
}

#[tokio::test]
async fn what_is_private_is_there_for_its_owner_and_what_is_deleted_for_nobody() {
    let db = world().await;
    for (member, video, expected) in
        [(ANNA, 2, Added::New), (BERT, 2, Added::Missing), (ANNA, 3, Added::Missing), (BERT, 99, Added::Missing)]
    {
        assert_eq!(lists::add_favourite(&db.pool, member, video).await.unwrap(), expected, "{member} {video}");
        assert_eq!(lists::add_watch_later(&db.pool, member, video).await.unwrap(), expected, "{member} {video}");
    }
    let vote = async |member, section, id| {
        votes::vote(&db.pool, Voter::Member(member), section, id, true, TODAY).await.unwrap() != Voted::Missing
    };
    for (member, section, id, there) in [
        (ANNA, Section::Video, 2, true),
        (BERT, Section::Video, 2, false),
        (ANNA, Section::Playlist, 2, true),
        (BERT, Section::Playlist, 2, false),
        (BERT, Section::Playlist, 3, false),
        (BERT, Section::User, DORA, false),
        (BERT, Section::User, EMIL, false),
        (BERT, Section::User, ANNA, true),
        (BERT, Section::Model, 1, true),
        (BERT, Section::Album, 1, true),
        (BERT, Section::Album, 2, false),
        (BERT, Section::Channel, 1, false),
    ] {
        assert_eq!(vote(member, section, id).await, there, "{member} {section} {id}");
    }
}

#[tokio::test]
async fn a_vote_counts_once_and_cannot_be_changed() {
    let db = world().await;
    let vote = async |voter, up, day| votes::vote(&db.pool, voter, Section::Video, 1, up, day).await.unwrap();
    assert_eq!(vote(Voter::Member(BERT), true, TODAY).await, Voted::Counted { likes: 1, dislikes: 0 });
    assert_eq!(vote(Voter::Member(BERT), true, TODAY).await, Voted::Already);
    assert_eq!(vote(Voter::Member(BERT), false, TODAY).await, Voted::Already);
    assert_eq!(vote(Voter::Guest(b"one"), false, TODAY).await, Voted::Counted { likes: 1, dislikes: 1 });
    assert_eq!(vote(Voter::Guest(b"one"), true, TODAY).await, Voted::Already);
    assert_eq!(vote(Voter::Guest(b"two"), true, TODAY).await, Voted::Counted { likes: 2, dislikes: 1 });
    let tomorrow = TODAY.next_day().unwrap();
    assert_eq!(vote(Voter::Guest(b"one"), true, tomorrow).await, Voted::Counted { likes: 3, dislikes: 1 });
    assert_eq!(vote(Voter::Member(BERT), true, tomorrow).await, Voted::Already);
}

#[tokio::test]
async fn sixty_four_voters_at_once_are_sixty_four_votes() {
    let db = world().await;
    let pool = db.pool.clone();
    let told = at_once(move |n| {
        let pool = pool.clone();
        // Two clicks of every second voter.
        let key = (n / 2).to_be_bytes();
        async move { votes::vote(&pool, Voter::Guest(&key), Section::Model, 1, n % 4 < 2, TODAY).await.unwrap() }
    })
    .await;
    assert_eq!(told.iter().filter(|voted| **voted == Voted::Already).count(), 32);
    assert_eq!(number(&db, "select likes + dislikes from model_stats where model_id = 1").await, 32);
    assert_eq!(number(&db, "select count(*) from votes where vote = 1").await, 16);
    assert_eq!(number(&db, "select likes from model_stats where model_id = 1").await, 16);
}

#[tokio::test]
async fn a_comment_sent_twice_is_one_and_another_is_another() {
    let db = world().await;
    let pool = db.pool.clone();
    let told = at_once(move |_| {
        let pool = pool.clone();
        async move { comments::add(&pool, CommentSection::Video, 1, text(BERT, "What an evening")).await.unwrap() }
    })
    .await;
    assert_eq!(told.iter().filter(|written| **written == Written::New(1)).count(), 1);
    assert_eq!(told.iter().filter(|written| **written == Written::Same(1)).count(), 63);
    assert_eq!(number(&db, "select comments from video_stats where video_id = 1").await, 1);
    let add = async |section, id, text| comments::add(&db.pool, section, id, text).await.unwrap();
    assert_eq!(add(CommentSection::Video, 1, text(BERT, "Another one")).await, Written::New(2));
    assert_eq!(add(CommentSection::Video, 1, text(CARL, "What an evening")).await, Written::New(3));
    assert_eq!(add(CommentSection::Model, 1, text(BERT, "What an evening")).await, Written::New(4));
    sqlx::raw_sql("update comments set created_at = now() - interval '31 seconds'").execute(&db.pool).await.unwrap();
    assert_eq!(add(CommentSection::Video, 1, text(BERT, "What an evening")).await, Written::New(5));
    for (section, id) in [(CommentSection::Video, 2), (CommentSection::Video, 3), (CommentSection::Playlist, 3)] {
        assert_eq!(add(section, id, text(BERT, "What an evening")).await, Written::Missing, "{section} {id}");
    }
    assert_eq!(add(CommentSection::Video, 1, text(DORA, "What an evening")).await, Written::Missing, "banned");
}

#[tokio::test]
async fn author_and_owner_delete_a_comment_and_nobody_else() {
    let db = world().await;
    let add = async || {
        sqlx::raw_sql("delete from comments").execute(&db.pool).await.unwrap();
        match comments::add(&db.pool, CommentSection::Video, 1, text(BERT, "What an evening")).await.unwrap() {
            Written::New(id) => id,
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
async fn a_wall_is_written_by_members_and_cleaned_by_its_owner() {
    let db = world().await;
    let add = async |wall, text| comments::add_to_wall(&db.pool, wall, text).await.unwrap();
    assert_eq!(add(ANNA, text(BERT, "Greetings")).await, Written::New(1));
    assert_eq!(add(ANNA, text(BERT, "Greetings")).await, Written::Same(1));
    assert_eq!(add(DORA, text(BERT, "Greetings")).await, Written::Missing);
    assert_eq!(add(EMIL, text(BERT, "Greetings")).await, Written::Missing);
    assert!(!comments::delete_from_wall(&db.pool, CARL, 1).await.unwrap());
    assert!(comments::delete_from_wall(&db.pool, ANNA, 1).await.unwrap());
    assert!(comments::delete_from_wall(&db.pool, BERT, 1).await.unwrap(), "done twice it is still done");
    assert_eq!(number(&db, "select count(*) from walls where deleted_at is null").await, 0);
    assert_eq!(number(&db, "select count(*) from outbox where entity = 'user' and entity_id = 1").await, 3);
}

#[tokio::test]
async fn who_is_blocked_writes_nothing_under_what_is_the_blockers() {
    let db = world().await;
    sqlx::raw_sql("insert into blocks (user_id, blocked_id) values (1, 2)").execute(&db.pool).await.unwrap();
    for (section, id) in [(CommentSection::Video, 1), (CommentSection::Album, 1), (CommentSection::Playlist, 1)] {
        let written = comments::add(&db.pool, section, id, text(BERT, "What an evening")).await.unwrap();
        assert_eq!(written, Written::Blocked, "{section}");
    }
    assert_eq!(comments::add_to_wall(&db.pool, ANNA, text(BERT, "Greetings")).await.unwrap(), Written::Blocked);
    assert_eq!(friends::add(&db.pool, BERT, ANNA).await.unwrap(), Asked::Blocked);
    let other_way = comments::add_to_wall(&db.pool, BERT, text(ANNA, "Greetings")).await.unwrap();
    assert!(matches!(other_way, Written::New(_)), "{other_way:?}");
    assert!(state::of(&db.pool, ANNA, Section::User, BERT).await.unwrap().blocked);
    assert!(!state::of(&db.pool, BERT, Section::User, ANNA).await.unwrap().blocked);
}

#[tokio::test]
async fn playlists_are_made_once_and_changed_by_their_owner_only() {
    let db = world().await;
    let pool = db.pool.clone();
    let told = at_once(move |_| {
        let pool = pool.clone();
        async move { playlists::create(&pool, BERT, &details("Evenings"), 5, 30).await.unwrap() }
    })
    .await;
    assert_eq!(told.iter().filter(|made| **made == Made::New(4)).count(), 1);
    assert_eq!(told.iter().filter(|made| **made == Made::Same(4)).count(), 63);
    let pool = db.pool.clone();
    let told = at_once(move |n| {
        let pool = pool.clone();
        async move { playlists::create(&pool, BERT, &details(&format!("Evenings {n}")), 5, 30).await.unwrap() }
    })
    .await;
    assert_eq!(told.iter().filter(|made| matches!(made, Made::New(_))).count(), 4, "five at most");
    assert_eq!(told.iter().filter(|made| **made == Made::TooMany).count(), 60);

    assert!(!playlists::update(&db.pool, BERT, 1, &details("Mine now")).await.unwrap());
    assert!(!playlists::delete(&db.pool, BERT, 1).await.unwrap());
    assert!(playlists::update(&db.pool, ANNA, 1, &details("Renamed")).await.unwrap());
    let changed = "select count(*) from playlists where id = 1 and title = 'Renamed' and visibility = 'private' and orientation = 'she'";
    assert_eq!(number(&db, changed).await, 1);
    let kept = Details { visibility: None, orientation: None, ..details("Renamed") };
    assert!(playlists::update(&db.pool, ANNA, 1, &kept).await.unwrap());
    assert_eq!(number(&db, changed).await, 1, "what isn't said stays");
    let made = playlists::create(&db.pool, CARL, &kept, 5, 30).await.unwrap();
    assert_eq!(
        playlists::create(&db.pool, CARL, &kept, 5, 30).await.unwrap(),
        match made {
            Made::New(id) => Made::Same(id),
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
    sqlx::raw_sql(
        "insert into comments (section, object_id, user_id, body) values ('playlist', 1, 2, 'Well chosen'), ('playlist', 2, 2, 'Stays');
         insert into votes (section, object_id, user_id, vote) values ('playlist', 1, 2, 1), ('playlist', 2, 2, 1)",
    )
    .execute(&db.pool)
    .await
    .unwrap();
    assert!(playlists::delete(&db.pool, ANNA, 1).await.unwrap());
    let left = "select (select array_agg(object_id) from comments where section = 'playlist') = array[2::bigint]
        and (select array_agg(object_id) from votes where section = 'playlist') = array[2::bigint]";
    assert!(sqlx::query_scalar::<_, bool>(left).fetch_one(&db.pool).await.unwrap(), "what was said of it goes with it");
    assert!(!playlists::delete(&db.pool, ANNA, 1).await.unwrap());
}

#[tokio::test]
async fn videos_are_added_once_moved_and_removed_by_the_owner_only() {
    let db = world().await;
    let pool = db.pool.clone();
    let told = at_once(move |n| {
        let pool = pool.clone();
        async move { playlist_items::add(&pool, ANNA, 1, 4 + n % 6, 5).await.unwrap() }
    })
    .await;
    let count = |changed| told.iter().filter(|told| **told == changed).count();
    assert_eq!(count(Changed::Done), 5);
    assert_eq!(count(Changed::Done) + count(Changed::Already) + count(Changed::Full), 64);
    assert!(count(Changed::Full) >= 10, "every click on the video that found no room");
    let order = async || -> Vec<i64> {
        sqlx::query_scalar("select video_id from playlist_items where playlist_id = 1 order by position")
            .fetch_all(&db.pool)
            .await
            .unwrap()
    };
    let held = order().await;
    let moved = async |member, video, place| playlist_items::move_to(&db.pool, member, 1, video, place).await.unwrap();
    assert_eq!(moved(ANNA, held[4], 1).await, Changed::Done);
    assert_eq!(order().await, [held[4], held[0], held[1], held[2], held[3]]);
    assert_eq!(moved(ANNA, held[4], 3).await, Changed::Done);
    assert_eq!(order().await, [held[0], held[1], held[4], held[2], held[3]]);
    assert_eq!(moved(ANNA, held[0], u32::MAX).await, Changed::Done);
    assert_eq!(order().await, [held[1], held[4], held[2], held[3], held[0]]);
    assert_eq!(playlist_items::remove(&db.pool, ANNA, 1, held[4]).await.unwrap(), Changed::Done);
    assert_eq!(playlist_items::remove(&db.pool, ANNA, 1, held[4]).await.unwrap(), Changed::Done);
    assert_eq!(moved(ANNA, held[3], 1).await, Changed::Done, "over the gap");
    assert_eq!(order().await, [held[3], held[1], held[2], held[0]]);
    assert_eq!(moved(ANNA, held[4], 1).await, Changed::NoVideo);
    assert_eq!(moved(BERT, held[0], 1).await, Changed::NoPlaylist);
    assert_eq!(playlist_items::add(&db.pool, BERT, 1, 4, 9).await.unwrap(), Changed::NoPlaylist);
    assert_eq!(playlist_items::remove(&db.pool, BERT, 1, held[0]).await.unwrap(), Changed::NoPlaylist);
    assert_eq!(playlist_items::add(&db.pool, ANNA, 1, 2, 9).await.unwrap(), Changed::Done, "an own private one");
    assert_eq!(playlist_items::add(&db.pool, ANNA, 1, 3, 9).await.unwrap(), Changed::NoVideo);
}

#[tokio::test]
async fn nobody_follows_oneself_or_anything_twice() {
    let db = world().await;
    let add = async |section, id| subscriptions::add(&db.pool, BERT, section, id).await.unwrap();
    for (section, id) in [(Section::Model, 1), (Section::Channel, 1), (Section::User, ANNA)] {
        assert_eq!(add(section, id).await, Subscribed::Added(Added::New), "{section}");
        assert_eq!(add(section, id).await, Subscribed::Added(Added::Already), "{section}");
    }
    assert_eq!(add(Section::User, BERT).await, Subscribed::Myself);
    for (section, id) in
        [(Section::User, DORA), (Section::User, EMIL), (Section::Model, 9), (Section::Channel, 9), (Section::Video, 1)]
    {
        assert_eq!(add(section, id).await, Subscribed::Added(Added::Missing), "{section} {id}");
    }
    assert_eq!(number(&db, "select subscribers from model_stats").await, 1);
    for _ in 0..2 {
        subscriptions::remove(&db.pool, BERT, Section::Model, 1).await.unwrap();
    }
    assert_eq!(number(&db, "select subscribers from model_stats").await, 0);
}

#[tokio::test]
async fn friends_ask_accept_and_part() {
    let db = world().await;
    let add = async |one, other| friends::add(&db.pool, one, other).await.unwrap();
    assert_eq!(add(ANNA, ANNA).await, Asked::Myself);
    assert_eq!(add(ANNA, DORA).await, Asked::Missing);
    assert_eq!(add(ANNA, EMIL).await, Asked::Missing);
    assert_eq!(add(ANNA, BERT).await, Asked::Requested);
    assert_eq!(add(ANNA, BERT).await, Asked::Already);
    assert!(!friends::accept(&db.pool, ANNA, BERT).await.unwrap(), "only the other accepts");
    assert!(!friends::accept(&db.pool, CARL, BERT).await.unwrap());
    assert!(friends::accept(&db.pool, BERT, ANNA).await.unwrap());
    assert!(friends::accept(&db.pool, BERT, ANNA).await.unwrap(), "done twice it is still done");
    assert_eq!(add(BERT, ANNA).await, Asked::Already);
    for _ in 0..2 {
        friends::remove(&db.pool, ANNA, BERT).await.unwrap();
    }
    assert_eq!(add(BERT, ANNA).await, Asked::Requested);
    assert_eq!(add(ANNA, BERT).await, Asked::Accepted, "who asks back accepts");
}

#[tokio::test]
async fn two_who_ask_each_other_at_once_are_friends() {
    let db = world().await;
    for _ in 0..20 {
        let (one, other) = tokio::join!(friends::add(&db.pool, ANNA, BERT), friends::add(&db.pool, BERT, ANNA));
        let mut told = [one.unwrap(), other.unwrap()];
        told.sort_by_key(|asked| *asked == Asked::Accepted);
        assert_eq!(told, [Asked::Requested, Asked::Accepted]);
        friends::remove(&db.pool, ANNA, BERT).await.unwrap();
    }
}

#[tokio::test]
async fn the_state_of_an_object_is_the_members_own() {
    let db = world().await;
    sqlx::raw_sql(
        "insert into votes (section, object_id, user_id, vote) values ('video', 1, 1, -1);
         insert into favourites (user_id, video_id) values (1, 1);
         insert into playlist_items (playlist_id, video_id, position) values (1, 1, 1), (2, 1, 1), (3, 1, 1);
         insert into history (user_id, video_id, stopped_at) values (1, 1, 7);
         insert into subscriptions (user_id, section, object_id) values (2, 'user', 1);
         insert into friends (user_id, friend_id) values (2, 1);",
    )
    .execute(&db.pool)
    .await
    .unwrap();
    let of = async |member, section, id| state::of(&db.pool, member, section, id).await.unwrap();
    let video = of(ANNA, Section::Video, 1).await;
    assert_eq!((video.vote, video.favourite, video.watch_later, video.own), (-1, true, false, true));
    assert_eq!((video.playlists.as_slice(), video.stopped_at), ([1, 2].as_slice(), 7));
    let other = of(BERT, Section::Video, 1).await;
    assert_eq!(
        (other.vote, other.favourite, other.own, other.playlists.len(), other.stopped_at),
        (0, false, false, 0, 0)
    );
    let asked = of(BERT, Section::User, ANNA).await;
    assert_eq!((asked.subscribed, asked.friend), (true, Some(state::Friend { asked: true, accepted: false })));
    let asker = of(ANNA, Section::User, BERT).await;
    assert_eq!((asker.subscribed, asker.friend), (false, Some(state::Friend { asked: false, accepted: false })));
    assert!(of(ANNA, Section::User, ANNA).await.own);
    assert_eq!(of(CARL, Section::Album, 1).await, of(CARL, Section::Album, 99).await);
}
