//! What outdates an answer, and who computes it anew.

use super::*;

#[tokio::test]
async fn many_at_once_cost_one_computation() {
    let fixture = Fixture::new();
    let answers = futures_util::future::join_all((0..1000).map(|_| fixture.ask("key", &[]))).await;
    assert_eq!(fixture.runs(), 1);
    assert_eq!(fixture.answered().await.iter().sum::<u64>(), 1000, "each is counted once");
    assert_eq!(fixture.metric("misses_total").await, 1);
    assert!(answers.iter().all(|a| a.headers()[header::ETAG] == answers[0].headers()[header::ETAG]));
}

#[tokio::test]
async fn what_changed_is_never_sent_again_and_the_rest_survives() {
    let fixture = Fixture::new();
    fixture.ask("one", &[video(1), video(2)]).await;
    fixture.ask("two", &[video(3)]).await;
    fixture.change(&[video(2)]);
    fixture.ask("one", &[video(1)]).await;
    assert_eq!(fixture.runs(), 3, "computed while the client waits");
    // Stale, because the index is newer, but whole: sent from memory and computed anew beside.
    let before = fixture.runs();
    let stale = fixture.ask("two", &[video(3)]).await;
    assert_eq!((stale.status(), fixture.runs()), (StatusCode::OK, before));
    fixture.settled(before + 1).await;
    fixture.ask("two", &[video(3)]).await;
    assert_eq!(fixture.runs(), before + 1, "fresh again");
    assert_eq!(fixture.answered().await, [1, 1, 3, 0]);
}

#[tokio::test]
async fn a_stale_answer_is_computed_anew_once() {
    let fixture = Fixture::new();
    fixture.ask("key", &[]).await;
    fixture.change(&[]);
    futures_util::future::join_all((0..100).map(|_| fixture.ask("key", &[]))).await;
    fixture.settled(2).await;
    assert_eq!(fixture.runs(), 2);
}

#[tokio::test]
async fn an_answer_from_before_a_change_is_not_sent_after_it() {
    let fixture = Fixture::new();
    let changes = fixture.changes.clone();
    let compute = async move {
        changes.note(&Change::Objects(vec![video(7)]));
        Ok(TestAnswer { run: 0, filling: String::new(), objects: vec![video(7)] })
    };
    fixture.cache.respond("key", 60, &HeaderMap::new(), compute).await.expect("answer");
    fixture.ask("key", &[video(7)]).await;
    assert_eq!(fixture.runs(), 1, "computed anew");
}

#[tokio::test]
async fn everything_can_change_at_once() {
    let fixture = Fixture::new();
    fixture.ask("key", &[]).await;
    fixture.changes.note(&Change::Everything);
    fixture.ask("key", &[]).await;
    assert_eq!(fixture.runs(), 2);
}

#[tokio::test]
async fn failures_are_not_kept() {
    let fixture = Fixture::new();
    let fail = async { Err::<TestAnswer, _>(ApiError::NotFound("x")) };
    assert!(fixture.cache.respond("key", 60, &HeaderMap::new(), fail).await.is_err());
    fixture.ask("key", &[]).await;
    assert_eq!(fixture.runs(), 1);
}

#[tokio::test]
async fn what_is_gone_leaves_no_stale_answer() {
    let fixture = Fixture::new();
    fixture.ask("key", &[]).await;
    fixture.change(&[]);
    let gone = async { Err::<TestAnswer, _>(ApiError::NotFound("x")) };
    assert!(fixture.cache.respond("key", 60, &HeaderMap::new(), gone).await.is_ok());
    fixture.settled(1).await;
    let gone = async { Err::<TestAnswer, _>(ApiError::NotFound("x")) };
    assert!(fixture.cache.respond("key", 60, &HeaderMap::new(), gone).await.is_err());
}

#[tokio::test]
async fn whoever_comes_after_a_change_gets_nothing_computed_before_it() {
    let fixture = Fixture::new();
    let old = TestAnswer { run: 100, filling: String::new(), objects: vec![video(7)] };
    let (first, end) = fixture.begin("key", Ok(old)).await;
    fixture.change(&[video(7)]);
    let shown = [video(7)];
    let later = futures_util::future::join_all((0..100).map(|_| fixture.run("key", &shown)));
    let end_first = async {
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        end.notify_one();
    };
    let (later, ()) = tokio::join!(later, end_first);
    assert!(later.iter().all(|run| *run == 0), "{later:?}");
    assert_eq!(fixture.runs(), 1, "all of them together");
    assert!(first.await.expect("task").is_ok());
    let answered = fixture.answered().await;
    assert_eq!((answered[2], answered.iter().sum::<u64>()), (2, 101), "{answered:?}");
    assert_eq!(fixture.metric("outdated_total").await, 1);
}

#[tokio::test]
async fn a_refusal_from_before_a_change_is_nobody_elses() {
    let fixture = Fixture::new();
    let (first, end) = fixture.begin("key", Err(ApiError::Forbidden("x"))).await;
    // Who comes before the change shares the refusal, who comes after it doesn't.
    let bare = HeaderMap::new();
    let before = fixture.cache.respond("key", 60, &bare, async { Err::<TestAnswer, _>(ApiError::NotFound("y")) });
    let mut before = pin!(before);
    assert!(futures_util::poll!(before.as_mut()).is_pending());
    fixture.change(&[]);
    let (before, after, ()) = tokio::join!(before, fixture.ask("key", &[]), async { end.notify_one() });
    assert!(matches!(before, Err(ApiError::Forbidden("x"))));
    assert_eq!(after.status(), StatusCode::OK);
    assert!(first.await.expect("task").is_err());
}

#[tokio::test]
async fn an_outdated_answer_is_counted_once() {
    let fixture = Fixture::new();
    fixture.ask("key", &[video(7)]).await;
    fixture.change(&[video(7)]);
    let uri: Uri = "/api/json/key.json".parse().expect("address");
    assert!(fixture.cache.ready(&Method::GET, &uri, &HeaderMap::new()).await.is_none());
    fixture.ask("key", &[video(7)]).await;
    assert!(fixture.cache.ready(&Method::GET, &uri, &HeaderMap::new()).await.is_some());
    assert_eq!(fixture.metric("outdated_total").await, 1);
    assert_eq!(fixture.answered().await, [1, 0, 2, 0]);
}

#[tokio::test]
async fn an_attempt_that_ends_badly_leaves_another_one() {
    // No computation that has to wait is in time.
    let fixture = Fixture::configured(|config| config.server.request_timeout = 0);
    fixture.ask("panic", &[]).await;
    fixture.ask("hang", &[]).await;
    fixture.change(&[]);
    let panic = async { panic!("a test's panic") };
    assert!(fixture.cache.respond::<TestAnswer>("panic", 60, &HeaderMap::new(), panic).await.is_ok());
    assert!(fixture.cache.respond::<TestAnswer>("hang", 60, &HeaderMap::new(), std::future::pending()).await.is_ok());
    fixture.settled(2).await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    for key in ["panic", "hang"] {
        let again = async { Ok(TestAnswer { run: 7, filling: String::new(), objects: Vec::new() }) };
        fixture.cache.respond(key, 60, &HeaderMap::new(), again).await.expect("the old answer");
        fixture.settled(2).await;
        assert_eq!(fixture.run(key, &[]).await, 7, "{key}");
    }
}
