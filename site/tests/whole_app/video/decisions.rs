//! Uploads in the moderation queue. They are listed oldest first, decided once, and then shown or hidden.

use lantern_catalog::moderation::{
    Actor, members, queue,
    uploads::{self, Decision, DecisionOutcome, Verdict},
};

use crate::support::{App, listing, video_ids};

/// Requests a list with a different filter each time, because a cached list may be stale once.
async fn listed(app: &App, time: u32) -> Vec<i64> {
    app.drain().await;
    video_ids(&app.json(&listing("latest-updates", 60, &format!("all..1.all.0-{}.all", 500 + time))).await)
}

#[tokio::test]
async fn queued_upload_is_decided_once_and_shown_if_approved() {
    let app = App::start().await;
    let before = listed(&app, 0).await;
    let (first, second) = (before[0], before[1]);
    app.sql(&format!(
        "update videos set status_id = in_review(), created_at = case id when {first} then now() else now() - interval '1 day' end
         where id in ({first}, {second});
         delete from video_models where video_id in ({first}, {second})"
    ))
    .await;
    let waiting = queue::list(app.pool(), |_| false, 200).await.unwrap();
    let places =
        [second, first].map(|id| waiting.iter().position(|one| one.section == "video" && one.id == id).unwrap());
    assert!(places[0] < places[1], "oldest first");
    assert_eq!(queue::list(app.pool(), |_| false, 1).await.unwrap().len(), 1);
    let hidden = listed(&app, 1).await;
    assert!(!hidden.contains(&first) && !hidden.contains(&second));

    assert_eq!(app.approve(first).await, DecisionOutcome::Done);
    assert_eq!(app.decide(second, Verdict::Reject("quality")).await, DecisionOutcome::Done);
    let shown = listed(&app, 2).await;
    assert!(shown.contains(&first) && !shown.contains(&second));
    for id in [first, second, 999_999] {
        assert_eq!(app.approve(id).await, DecisionOutcome::NotWaiting, "{id}");
    }
    let model = Decision { section: "model", id: first, revision: None, verdict: Verdict::Reject("quality"), note: "" };
    let decided = uploads::decide(app.pool(), &Actor::OPERATOR, model).await.unwrap();
    assert_eq!(decided, DecisionOutcome::NotWaiting, "models are not uploaded");
    assert_eq!(listed(&app, 3).await, shown);
    let left = queue::list(app.pool(), |_| false, 200).await.unwrap();
    assert!(left.iter().all(|one| one.section != "video" || ![first, second].contains(&one.id)));
    app.finish().await;
}

#[tokio::test]
async fn uploads_of_a_banned_member_are_queued_including_scheduled_ones() {
    let app = App::start().await;
    let owner = app.sign_in(7, "member-07").await;
    let ids = listed(&app, 10).await;
    let (shown, away, other) = (ids[0], ids[1], ids[2]);
    app.sql("update videos set user_id = 8 where user_id = 7; update albums set user_id = 8 where user_id = 7").await;
    app.sql(&format!(
        "update videos set user_id = 7 where id in ({shown}, {away});
         update videos set status_id = deleted(), restore_status_id = published(), readd_at = now() where id = {away}"
    ))
    .await;
    let banned = members::ban(app.pool(), &Actor::OPERATOR, "member-07", "spam", true).await.unwrap().unwrap();
    assert_eq!((banned.user_id, banned.uploads), (owner.id, 1));
    let states =
        format!("select coalesce(restore_status_id, status_id)::bigint from videos where id in ({shown}, {away})");
    assert_eq!(app.numbers(&states).await, [2, 2]);
    let left = listed(&app, 11).await;
    assert!(!left.contains(&shown) && !left.contains(&away) && left.contains(&other));
    app.finish().await;
}
