//! Invalidation and refresh of answers.

use super::*;

#[tokio::test]
async fn concurrent_misses_share_one_computation() {
    let fixture = Fixture::new();
    let answers = futures_util::future::join_all((0..1000).map(|_| fixture.get("key", &[]))).await;
    assert_eq!(fixture.runs(), 1);
    assert_eq!(fixture.answered().await.iter().sum::<u64>(), 1000, "each request is counted once");
    assert_eq!(fixture.metric("misses_total").await, 1);
    assert!(answers.iter().all(|a| a.headers()[header::ETAG] == answers[0].headers()[header::ETAG]));
}

#[tokio::test]
async fn only_changed_answers_are_invalidated() {
    let fixture = Fixture::new();
    fixture.get("one", &[video(1), video(2)]).await;
    fixture.get("two", &[video(3)]).await;
    fixture.change(&[video(2)]);
    fixture.get("one", &[video(1)]).await;
    assert_eq!(fixture.runs(), 3, "computed while the client waits");
    // The answer is stale because the index is newer, but still valid. It is sent from memory and recomputed in the
    // background.
    let before = fixture.runs();
    let stale = fixture.get("two", &[video(3)]).await;
    assert_eq!((stale.status(), fixture.runs()), (StatusCode::OK, before));
    fixture.settled(before + 1).await;
    fixture.get("two", &[video(3)]).await;
    assert_eq!(fixture.runs(), before + 1, "fresh again");
    assert_eq!(fixture.answered().await, [1, 1, 3, 0]);
}

#[tokio::test]
async fn stale_answer_is_recomputed_once() {
    let fixture = Fixture::new();
    fixture.get("key", &[]).await;
    fixture.change(&[]);
    futures_util::future::join_all((0..100).map(|_| fixture.get("key", &[]))).await;
    fixture.settled(2).await;
    assert_eq!(fixture.runs(), 2);
}

#[tokio::test]
async fn answer_computed_before_a_change_is_not_sent_after_it() {
    let fixture = Fixture::new();
    let changes = fixture.changes.clone();
    let compute = async move {
        changes.note(&Change::Objects(vec![video(7)]));
        Ok(TestAnswer { run: 0, filling: String::new(), objects: vec![video(7)] })
    };
    fixture.cache.respond("key", 60, &HeaderMap::new(), compute).await.expect("answer");
    fixture.get("key", &[video(7)]).await;
    assert_eq!(fixture.runs(), 1, "recomputed");
}

#[tokio::test]
async fn change_of_everything_invalidates_all() {
    let fixture = Fixture::new();
    fixture.get("key", &[]).await;
    fixture.changes.note(&Change::Everything);
    fixture.get("key", &[]).await;
    assert_eq!(fixture.runs(), 2);
}

#[tokio::test]
async fn errors_are_not_cached() {
    let fixture = Fixture::new();
    let fail = async { Err::<TestAnswer, _>(ApiError::NotFound("x")) };
    assert!(fixture.cache.respond("key", 60, &HeaderMap::new(), fail).await.is_err());
    fixture.get("key", &[]).await;
    assert_eq!(fixture.runs(), 1);
}

#[tokio::test]
async fn refresh_that_fails_with_404_removes_the_answer() {
    let fixture = Fixture::new();
    fixture.get("key", &[]).await;
    fixture.change(&[]);
    let not_found = async { Err::<TestAnswer, _>(ApiError::NotFound("x")) };
    assert!(fixture.cache.respond("key", 60, &HeaderMap::new(), not_found).await.is_ok());
    fixture.settled(1).await;
    let not_found = async { Err::<TestAnswer, _>(ApiError::NotFound("x")) };
    assert!(fixture.cache.respond("key", 60, &HeaderMap::new(), not_found).await.is_err());
}

#[tokio::test]
async fn request_after_a_change_gets_nothing_computed_before_it() {
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
    assert_eq!(fixture.runs(), 1, "shared by all requests");
    assert!(first.await.expect("task").is_ok());
    let answered = fixture.answered().await;
    assert_eq!((answered[2], answered.iter().sum::<u64>()), (2, 101), "{answered:?}");
    assert_eq!(fixture.metric("outdated_total").await, 1);
}

#[tokio::test]
async fn error_from_before_a_change_is_not_shared_after_it() {
    let fixture = Fixture::new();
    let (first, end) = fixture.begin("key", Err(ApiError::Forbidden("x"))).await;
    // Requests that arrived before the change share the error; later requests do not.
    let bare = HeaderMap::new();
    let before = fixture.cache.respond("key", 60, &bare, async { Err::<TestAnswer, _>(ApiError::NotFound("y")) });
    let mut before = pin!(before);
    assert!(futures_util::poll!(before.as_mut()).is_pending());
    fixture.change(&[]);
    let (before, after, ()) = tokio::join!(before, fixture.get("key", &[]), async { end.notify_one() });
    assert!(matches!(before, Err(ApiError::Forbidden("x"))));
    assert_eq!(after.status(), StatusCode::OK);
    assert!(first.await.expect("task").is_err());
}

#[tokio::test]
async fn invalidated_answer_is_counted_once() {
    let fixture = Fixture::new();
    fixture.get("key", &[video(7)]).await;
    fixture.change(&[video(7)]);
    let uri: Uri = "/api/json/key.json".parse().expect("address");
    assert!(fixture.cache.ready(&Method::GET, &uri, &HeaderMap::new()).await.is_none());
    fixture.get("key", &[video(7)]).await;
    assert!(fixture.cache.ready(&Method::GET, &uri, &HeaderMap::new()).await.is_some());
    assert_eq!(fixture.metric("outdated_total").await, 1);
    assert_eq!(fixture.answered().await, [1, 0, 2, 0]);
}

#[tokio::test]
async fn failed_refresh_can_be_retried() {
    // With a timeout of zero, every computation that waits times out.
    let fixture = Fixture::configured(|config| config.server.request_timeout = 0);
    fixture.get("panic", &[]).await;
    fixture.get("hang", &[]).await;
    fixture.change(&[]);
    let panic = async { panic!("a test's panic") };
    assert!(fixture.cache.respond::<TestAnswer>("panic", 60, &HeaderMap::new(), panic).await.is_ok());
    assert!(fixture.cache.respond::<TestAnswer>("hang", 60, &HeaderMap::new(), std::future::pending()).await.is_ok());
    for key in ["panic", "hang"] {
        // The refresh that failed may still be ending. After that, the next request begins another.
        let retried = async {
            loop {
                let again = async { Ok(TestAnswer { run: 7, filling: String::new(), objects: Vec::new() }) };
                let answer = fixture.cache.respond(key, 60, &HeaderMap::new(), again).await.expect("answer");
                if run_of(answer).await == 7 {
                    break;
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), retried).await.unwrap_or_else(|_| panic!("{key} is not retried"));
    }
}
