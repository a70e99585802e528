//! Subscriptions and friendships.

use lantern_catalog::actions::{
    AddOutcome,
    friends::{self, AskOutcome},
    subscriptions::{self, SubscriptionOutcome},
};
use lantern_config::Section;

use super::{ANNA, BERT, CARL, DORA, EMIL, number, world};

#[tokio::test]
async fn subscriptions_are_unique_and_never_to_oneself() {
    let db = world().await;
    let add = async |section, id| subscriptions::add(&db.pool, BERT, section, id).await.unwrap();
    for (section, id) in [(Section::Model, 1), (Section::Channel, 1), (Section::User, ANNA)] {
        assert_eq!(add(section, id).await, SubscriptionOutcome::Added(AddOutcome::New), "{section}");
        assert_eq!(add(section, id).await, SubscriptionOutcome::Added(AddOutcome::Already), "{section}");
    }
    assert_eq!(add(Section::User, BERT).await, SubscriptionOutcome::Myself);
    for (section, id) in
        [(Section::User, DORA), (Section::User, EMIL), (Section::Model, 9), (Section::Channel, 9), (Section::Video, 1)]
    {
        assert_eq!(add(section, id).await, SubscriptionOutcome::Added(AddOutcome::Missing), "{section} {id}");
    }
    assert_eq!(number(&db, "select subscribers from model_stats").await, 1);
    for _ in 0..2 {
        subscriptions::remove(&db.pool, BERT, Section::Model, 1).await.unwrap();
    }
    assert_eq!(number(&db, "select subscribers from model_stats").await, 0);
}

#[tokio::test]
async fn friendship_is_requested_accepted_and_ended() {
    let db = world().await;
    let add = async |one, other| friends::add(&db.pool, one, other).await.unwrap();
    assert_eq!(add(ANNA, ANNA).await, AskOutcome::Myself);
    assert_eq!(add(ANNA, DORA).await, AskOutcome::Missing);
    assert_eq!(add(ANNA, EMIL).await, AskOutcome::Missing);
    assert_eq!(add(ANNA, BERT).await, AskOutcome::Requested);
    assert_eq!(add(ANNA, BERT).await, AskOutcome::Already);
    assert!(!friends::accept(&db.pool, ANNA, BERT).await.unwrap(), "only the other accepts");
    assert!(!friends::accept(&db.pool, CARL, BERT).await.unwrap());
    assert!(friends::accept(&db.pool, BERT, ANNA).await.unwrap());
    assert!(friends::accept(&db.pool, BERT, ANNA).await.unwrap(), "idempotent");
    assert_eq!(add(BERT, ANNA).await, AskOutcome::Already);
    for _ in 0..2 {
        friends::remove(&db.pool, ANNA, BERT).await.unwrap();
    }
    assert_eq!(add(BERT, ANNA).await, AskOutcome::Requested);
    assert_eq!(add(ANNA, BERT).await, AskOutcome::Accepted, "a counter-request accepts");
}

#[tokio::test]
async fn concurrent_mutual_requests_make_friends() {
    let db = world().await;
    for _ in 0..20 {
        let (one, other) = tokio::join!(friends::add(&db.pool, ANNA, BERT), friends::add(&db.pool, BERT, ANNA));
        let mut outcomes = [one.unwrap(), other.unwrap()];
        outcomes.sort_by_key(|asked| *asked == AskOutcome::Accepted);
        assert_eq!(outcomes, [AskOutcome::Requested, AskOutcome::Accepted]);
        friends::remove(&db.pool, ANNA, BERT).await.unwrap();
    }
}
