//! Members' notifications, and their digest by mail.

use lantern_catalog::notifications;
use serde_json::{Value, json};

use crate::support::{App, Session};

const CALL: &str = "/api/notifications.php";
const NONE: [(String, i64); 0] = [];

async fn notifications(who: &Session) -> Vec<Value> {
    let answer = who.get("/api/member_lists.php?list=notifications").await.json();
    answer["notifications"].as_array().unwrap().clone()
}

async fn kinds(who: &Session) -> Vec<(String, i64)> {
    let notifications = notifications(who).await;
    notifications.iter().map(|one| (one["kind"].as_str().unwrap().to_owned(), one["times"].as_i64().unwrap())).collect()
}

async fn unread(who: &Session) -> Value {
    who.get("/api/me.php").await.json()["user"]["unread_notifications"].clone()
}

/// Creates a video that belongs to the member.
async fn video(app: &App, owner: &Session) -> String {
    let insert = "insert into videos (dir, title, lang, gender, duration, user_id) values ('harbour', 'Harbour lights', 'en', 'str', 9,";
    app.numbers(&format!("{insert} {}) returning id", owner.id)).await[0].to_string()
}

async fn comment(who: &Session, video: &str, msg: &str, parent: Option<&str>) -> String {
    let mut form = vec![("act", "comm"), ("section", "video"), ("object_id", video), ("msg", msg)];
    form.extend(parent.map(|id| ("parent_id", id)));
    who.acts(&form).await["comment_id"].to_string()
}

#[tokio::test]
async fn comments_and_replies_notify_and_are_grouped_until_read() {
    let app = App::start().await;
    let (mika, nora) = (app.member("mika").await, app.member("nora").await);
    let video = video(&app, &mika).await;
    let first = comment(&nora, &video, "First of all", None).await;
    comment(&nora, &video, "Second of all", None).await;
    assert_eq!(kinds(&mika).await, [("comment".to_owned(), 2)]);
    let one = notifications(&mika).await.remove(0);
    assert_eq!(
        (&one["title"], &one["dir"], &one["actor"]["username"]),
        (&json!("Harbour lights"), &json!("harbour"), &json!("nora"))
    );
    assert_eq!((unread(&mika).await, unread(&nora).await), (json!(1), json!(0)), "own actions do not notify");
    mika.post(CALL, &[("act", "read")]).await;
    assert_eq!(unread(&mika).await, 0);
    comment(&mika, &video, "Thank you", Some(&first)).await;
    comment(&nora, &video, "You are welcome", Some(&first)).await;
    assert_eq!(kinds(&nora).await, [("reply".to_owned(), 1)]);
    assert_eq!(kinds(&mika).await, [("comment".to_owned(), 1), ("comment".to_owned(), 2)]);
    app.change(&format!("update users set status_id = banned() where id = {}", nora.id)).await;
    assert_eq!(kinds(&mika).await, NONE, "no notifications about a banned account");
    app.finish().await;
}

#[tokio::test]
async fn grouped_notification_outlives_its_last_actor() {
    let app = App::start().await;
    let (mika, nora, otto) = (app.member("mika").await, app.member("nora").await, app.member("otto").await);
    let video = video(&app, &mika).await;
    comment(&nora, &video, "First of all", None).await;
    comment(&otto, &video, "Second of all", None).await;
    let both = [("comment".to_owned(), 2)];
    app.sql(&format!("update users set status_id = banned() where id = {}", otto.id)).await;
    assert_eq!((kinds(&mika).await, &notifications(&mika).await[0]["actor"]), (both.to_vec(), &json!(null)));
    app.sql(&format!("update users set status_id = ordinary() where id = {}", otto.id)).await;
    mika.acts(&[("act", "block"), ("section", "add"), ("object_id", &otto.id.to_string())]).await;
    assert_eq!((kinds(&mika).await, unread(&mika).await), (both.to_vec(), json!(1)), "other actors remain");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn friend_requests_messages_and_uploads_notify() {
    let app = App::start().await;
    let (mika, nora) = (app.member("mika").await, app.member("nora").await);
    let friend = async |who: &Session, section: &str, other: &Session| {
        who.acts(&[("act", "friend"), ("section", section), ("object_id", &other.id.to_string())]).await;
    };
    friend(&nora, "add", &mika).await;
    assert_eq!(kinds(&mika).await, [("friend_request".to_owned(), 1)]);
    friend(&mika, "accept", &nora).await;
    assert_eq!((kinds(&mika).await, kinds(&nora).await), (vec![], vec![("friend_accepted".to_owned(), 1)]));
    let to = mika.id.to_string();
    for text in ["Good evening", "Are you there?"] {
        nora.post("/api/messages.php", &[("act", "send"), ("to", &to), ("text", text)]).await;
    }
    assert_eq!(kinds(&mika).await, [("message".to_owned(), 2)]);
    let (of_nora, removed) =
        (nora.id.to_string(), "update messages set sender_deleted = true where body = 'Good evening'");
    mika.post("/api/messages.php", &[("act", "read"), ("to", &of_nora)]).await;
    assert_eq!(unread(&mika).await, 0, "reading messages marks their notification as read");
    nora.post("/api/messages.php", &[("act", "send"), ("to", &to), ("text", "And now?")]).await;
    app.sql(removed).await;
    assert_eq!(unread(&mika).await, 1, "a new message notifies although its sender deleted an old one");
    mika.post("/api/messages.php", &[("act", "read"), ("to", &of_nora)]).await;
    let video = video(&app, &mika).await;
    app.change(&format!("update videos set status_id = in_review() where id = {video}")).await;
    app.change(&format!("update videos set status_id = published() where id = {video}")).await;
    app.change(&format!("update videos set status_id = in_review() where id = {video}")).await;
    app.change(&format!("update videos set status_id = rejected() where id = {video}")).await;
    let new: Vec<String> = kinds(&mika).await.into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(new, ["upload_refused", "upload_published", "message", "message"]);
    app.finish().await;
}

#[tokio::test]
async fn muted_kinds_and_blocked_members_do_not_notify() {
    let app = App::start().await;
    let (mika, nora) = (app.member("mika").await, app.member("nora").await);
    let video = video(&app, &mika).await;
    let set = async |muted: &str| {
        let form = [("act", "settings"), ("muted", muted), ("digest", "off")];
        assert_eq!(mika.post(CALL, &form).await.status, 200);
    };
    set("comment,message").await;
    assert_eq!(mika.get(CALL).await.json(), json!({"muted": ["comment", "message"], "digest": "off"}));
    comment(&nora, &video, "First of all", None).await;
    assert_eq!(kinds(&mika).await, NONE);
    set("").await;
    comment(&nora, &video, "Second of all", None).await;
    assert_eq!(kinds(&mika).await, [("comment".to_owned(), 1)]);
    mika.acts(&[("act", "block"), ("section", "add"), ("object_id", &nora.id.to_string())]).await;
    assert_eq!(kinds(&mika).await, NONE);
    mika.post(CALL, &[("act", "settings"), ("muted", "weather"), ("digest", "off")]).await.refused(422, "invalid");
    mika.post(CALL, &[("act", "settings"), ("digest", "hourly")]).await.refused(422, "invalid");
    mika.post(CALL, &[("act", "settings")]).await.refused(422, "required");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn only_the_recipient_removes_and_restores_a_notification() {
    let app = App::configured(|config| config.notifications.max_per_member = 2).await;
    let (mika, nora) = (app.member("mika").await, app.member("nora").await);
    let video = video(&app, &mika).await;
    comment(&nora, &video, "First of all", None).await;
    let id = notifications(&mika).await[0]["notification_id"].to_string();
    let act = async |who: &Session, act: &str| who.post(CALL, &[("act", act), ("notification_id", &id)]).await;
    act(&nora, "remove").await.refused(404, "notification_not_found");
    assert_eq!(act(&mika, "remove").await.status, 200);
    assert_eq!((kinds(&mika).await, unread(&mika).await), (vec![], json!(0)));
    assert_eq!(act(&mika, "restore").await.status, 200);
    assert_eq!(kinds(&mika).await, [("comment".to_owned(), 1)]);
    mika.post(CALL, &[("act", "remove")]).await.refused(422, "required");
    app.sql(&format!(
        "insert into notifications (user_id, kind, section, object_id, happened_at)
         select {}, 'upload_published', 'video', id, now() + id * interval '1 second' from videos order by id limit 3",
        mika.id
    ))
    .await;
    notifications::sweep(app.pool(), &app.state().config.notifications).await.unwrap();
    assert_eq!(kinds(&mika).await.len(), 2, "the newest are kept");
    app.sql("update notifications set happened_at = now() - interval '91 days'").await;
    notifications::sweep(app.pool(), &app.state().config.notifications).await.unwrap();
    assert_eq!(app.number("select count(*) from notifications").await, 0);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn digest_is_sent_once_to_subscribers_and_stopped_by_post_only() {
    let app = App::start().await;
    app.keep_mails().await;
    let (mika, nora) = (app.member("mika").await, app.member("nora").await);
    let video = video(&app, &mika).await;
    let digests = async || {
        lantern_accounts::mail::send_digests(&app.state().pool, &app.state().config, &app.state().mailer)
            .await
            .unwrap();
        let mut mails = app.queued_mails().await;
        mails.retain(|mail| mail["kind"] == "digest");
        app.sql("delete from jobs where kind = 'mail'").await;
        app.sql("delete from kept_mails").await;
        mails
    };
    comment(&nora, &video, "First of all", None).await;
    let later = "update notification_settings set digest_sent_at = digest_sent_at - interval '25 hours'";
    mika.post(CALL, &[("act", "settings"), ("digest", "daily")]).await;
    comment(&nora, &video, "Second of all", None).await;
    assert_eq!(digests().await, Vec::<Value>::new(), "not due yet");
    app.sql(later).await;
    app.sql("insert into jobs (kind, payload) values ('mail', '{}')").await;
    assert_eq!(digests().await, Vec::<Value>::new(), "not while other mails are queued");
    let sent = digests().await;
    assert_eq!((sent.len(), &sent[0]["to"], &sent[0]["number"]), (1, &json!("mika@members.example"), &json!(1)));
    assert_eq!(digests().await, Vec::<Value>::new(), "sent once");
    app.sql(later).await;
    app.sql("update notifications set read_at = now()").await;
    assert_eq!(digests().await, Vec::<Value>::new(), "no mail without news");
    let query = sent[0]["stop"].as_str().unwrap();
    let stop = format!("/api/unsubscribe.php{query}");
    let opened = app.get(&stop).await;
    assert_eq!((opened.status, opened.header("location")), (303, &format!("/unsubscribe/{query}")[..]));
    assert_eq!(app.get(&format!("/unsubscribe/{query}")).await.status, 200);
    assert_eq!(mika.get(CALL).await.json()["digest"], "daily", "opening the link changes nothing");
    for _ in 0..2 {
        assert_eq!(app.guest_posts(&stop, &[("List-Unsubscribe", "One-Click")]).await.status, 200);
    }
    assert_eq!(mika.get(CALL).await.json()["digest"], "off");
    comment(&nora, &video, "Third of all", None).await;
    app.sql(later).await;
    assert_eq!(digests().await, Vec::<Value>::new(), "no digest after unsubscribing");
    app.guest_posts("/api/unsubscribe.php", &[("token", "nothing")]).await.refused(422, "token_invalid");
    app.drain().await;
    app.finish().await;
}
