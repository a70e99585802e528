//! Member actions: they apply once, only to objects that the member can see, and only with permission.

mod of_playlists;
mod people;
mod words;

use lantern_catalog::actions::{
    AddOutcome,
    comments::Text,
    lists,
    playlists::PlaylistDetails,
    state,
    votes::{self, VoteOutcome, Voter},
};
use lantern_config::{Gender, Section, Visibility};
use lantern_testing::TestDb;
use sqlx::AssertSqlSafe;
use time::{Date, macros::date};

/// Members are 1 anna, 2 bert, 3 carl, 4 banned and 5 unconfirmed. Videos are 1 public, 2 anna's private one and 3
/// deleted.
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
    insert into outbox_consumers (name) values ('a');";

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

/// Runs 64 concurrent requests and returns their results.
async fn at_once<T, F>(request: impl Fn(i64) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let clients: Vec<_> = (0..64).map(|n| tokio::spawn(request(n))).collect();
    let mut outcomes = Vec::new();
    for client in clients {
        outcomes.push(client.await.unwrap());
    }
    outcomes
}

fn text(author: i64, body: &str) -> Text<'_> {
    Text { author, body, parent: None, same_seconds: 30 }
}

fn details(title: &str) -> PlaylistDetails {
    PlaylistDetails {
        title: title.to_owned(),
        description: "For the evenings".to_owned(),
        visibility: Some(Visibility::Private),
        orientation: Some(Gender::She),
    }
}

#[tokio::test]
async fn concurrent_requests_list_a_video_once() {
    let db = world().await;
    let pool = db.pool.clone();
    let outcomes = at_once(move |_| {
        let pool = pool.clone();
        async move { lists::add_favourite(&pool, BERT, 1).await.unwrap() }
    })
    .await;
    assert_eq!(outcomes.iter().filter(|added| **added == AddOutcome::New).count(), 1);
    assert_eq!(outcomes.iter().filter(|added| **added == AddOutcome::Already).count(), 63);
    assert_eq!(number(&db, "select favourites from video_stats where video_id = 1").await, 1);
    assert_eq!(lists::add_watch_later(&db.pool, BERT, 1).await.unwrap(), AddOutcome::New);
    assert_eq!(lists::add_watch_later(&db.pool, BERT, 1).await.unwrap(), AddOutcome::Already);
    for _ in 0..2 {
        lists::remove_favourite(&db.pool, BERT, 1).await.unwrap();
        lists::remove_watch_later(&db.pool, BERT, 1).await.unwrap();
    }
    assert_eq!(number(&db, "select favourites from video_stats where video_id = 1").await, 0);
    assert_eq!(number(&db, "select count(*) from watch_later").await, 0);
}

#[tokio::test]
async fn private_objects_exist_for_their_owner_only_deleted_ones_for_nobody() {
    let db = world().await;
    for (member, video, expected) in [
        (ANNA, 2, AddOutcome::New),
        (BERT, 2, AddOutcome::Missing),
        (ANNA, 3, AddOutcome::Missing),
        (BERT, 99, AddOutcome::Missing),
    ] {
        assert_eq!(lists::add_favourite(&db.pool, member, video).await.unwrap(), expected, "{member} {video}");
        assert_eq!(lists::add_watch_later(&db.pool, member, video).await.unwrap(), expected, "{member} {video}");
    }
    let vote = async |member, section, id| {
        votes::vote(&db.pool, Voter::Member(member), section, id, true, TODAY).await.unwrap() != VoteOutcome::Missing
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
async fn vote_counts_once_and_cannot_be_changed() {
    let db = world().await;
    let vote = async |voter, up, day| votes::vote(&db.pool, voter, Section::Video, 1, up, day).await.unwrap();
    assert_eq!(vote(Voter::Member(BERT), true, TODAY).await, VoteOutcome::Counted { likes: 1, dislikes: 0 });
    assert_eq!(vote(Voter::Member(BERT), true, TODAY).await, VoteOutcome::Already);
    assert_eq!(vote(Voter::Member(BERT), false, TODAY).await, VoteOutcome::Already);
    assert_eq!(vote(Voter::Guest(b"one"), false, TODAY).await, VoteOutcome::Counted { likes: 1, dislikes: 1 });
    assert_eq!(vote(Voter::Guest(b"one"), true, TODAY).await, VoteOutcome::Already);
    assert_eq!(vote(Voter::Guest(b"two"), true, TODAY).await, VoteOutcome::Counted { likes: 2, dislikes: 1 });
    let tomorrow = TODAY.next_day().unwrap();
    assert_eq!(vote(Voter::Guest(b"one"), true, tomorrow).await, VoteOutcome::Counted { likes: 3, dislikes: 1 });
    assert_eq!(vote(Voter::Member(BERT), true, tomorrow).await, VoteOutcome::Already);
}

#[tokio::test]
async fn vote_is_withdrawn_only_by_its_voter() {
    let db = world().await;
    let vote = async |voter, up| votes::vote(&db.pool, voter, Section::Video, 1, up, TODAY).await.unwrap();
    let withdraw = async |voter, day| votes::withdraw(&db.pool, voter, Section::Video, 1, day).await.unwrap();
    vote(Voter::Member(BERT), true).await;
    vote(Voter::Guest(b"one"), true).await;
    let both = VoteOutcome::Counted { likes: 2, dislikes: 0 };
    assert_eq!(withdraw(Voter::Member(ANNA), TODAY).await, both);
    assert_eq!(withdraw(Voter::Guest(b"two"), TODAY).await, both);
    assert_eq!(withdraw(Voter::Guest(b"one"), TODAY.next_day().unwrap()).await, both, "a guest key is new each day");
    assert_eq!(withdraw(Voter::Guest(b"one"), TODAY).await, VoteOutcome::Counted { likes: 1, dislikes: 0 });
    assert_eq!(
        withdraw(Voter::Member(BERT), TODAY.next_day().unwrap()).await,
        VoteOutcome::Counted { likes: 0, dislikes: 0 }
    );
    assert_eq!(vote(Voter::Member(BERT), false).await, VoteOutcome::Counted { likes: 0, dislikes: 1 });
    let private = votes::withdraw(&db.pool, Voter::Member(BERT), Section::Video, 2, TODAY).await.unwrap();
    assert_eq!(private, VoteOutcome::Missing);
}

#[tokio::test]
async fn concurrent_voters_are_counted_once_each() {
    let db = world().await;
    let pool = db.pool.clone();
    let outcomes = at_once(move |n| {
        let pool = pool.clone();
        // Each voter clicks twice.
        let key = (n / 2).to_be_bytes();
        async move { votes::vote(&pool, Voter::Guest(&key), Section::Model, 1, n % 4 < 2, TODAY).await.unwrap() }
    })
    .await;
    assert_eq!(outcomes.iter().filter(|voted| **voted == VoteOutcome::Already).count(), 32);
    assert_eq!(number(&db, "select likes + dislikes from model_stats where model_id = 1").await, 32);
    assert_eq!(number(&db, "select count(*) from votes where vote = 1").await, 16);
    assert_eq!(number(&db, "select likes from model_stats where model_id = 1").await, 16);
}

#[tokio::test]
async fn object_state_is_per_member() {
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
    assert_eq!((asked.subscribed, asked.friend), (true, Some(state::Friend { is_requester: true, accepted: false })));
    let asker = of(ANNA, Section::User, BERT).await;
    assert_eq!((asker.subscribed, asker.friend), (false, Some(state::Friend { is_requester: false, accepted: false })));
    assert!(of(ANNA, Section::User, ANNA).await.own);
    assert_eq!(of(CARL, Section::Album, 1).await, of(CARL, Section::Album, 99).await);
}
