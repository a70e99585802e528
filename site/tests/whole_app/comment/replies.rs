//! Replies, which are one level deep, and the sort orders of threads.

use serde_json::{Value, json};

use crate::support::{App, Session, toasted};

const VIDEO: &str = "/api/json/comments/0/video/0/22.json";

async fn write(member: &Session, msg: &str, parent: Option<i64>) -> i64 {
    let parent = parent.map(|id| id.to_string());
    let mut form = vec![("act", "comm"), ("section", "video"), ("object_id", "22"), ("msg", msg)];
    form.extend(parent.as_deref().map(|id| ("parent_id", id)));
    member.acts(&form).await["comment_id"].as_i64().unwrap()
}

fn ids(list: &Value) -> Vec<i64> {
    list.as_array().unwrap().iter().map(|comment| comment["comment_id"].as_i64().unwrap()).collect()
}

/// Starts a site with no comment limit that tests would have to wait for.
async fn app() -> App {
    App::configured(|config| config.limits.comment = config.limits.search.clone()).await
}

#[tokio::test]
async fn replies_are_nested_under_their_comment_oldest_first() {
    let app = app().await;
    let (mika, nora) = (app.member("mika").await, app.member("nora").await);
    let count = async || app.number("select comments from video_stats where video_id = 22").await;
    let before = count().await;
    let first = write(&mika, "First of all", None).await;
    let second = write(&nora, "Second of all", None).await;
    let mut replies = Vec::new();
    for n in 1..=12 {
        replies.push(write(&nora, &format!("Reply number {n}"), Some(first)).await);
    }
    let page = app.json(VIDEO).await;
    assert_eq!(ids(&page["comments"]), [second, first]);
    assert_eq!((&page["total_count"], &page["pages"]), (&json!(14), &json!(1)));
    let thread = &page["comments"][1];
    assert_eq!(ids(&thread["replies"]), replies[..3]);
    assert_eq!((&thread["total_replies"], &thread["replies"][0]["parent_id"]), (&json!(12), &json!(first)));
    assert_eq!(count().await, before + 14);
    let all = app.json(&format!("{VIDEO}?thread={first}&page=2")).await;
    assert_eq!((ids(&all["comments"]), &all["pages"]), (replies[10..].to_vec(), &json!(2)));
    let oldest = app.json(&format!("{VIDEO}?sort=oldest")).await;
    assert_eq!(ids(&oldest["comments"]), [first, second]);
    app.get(&format!("{VIDEO}?sort=loudest")).await.refused(422, "invalid");
    for lifetime in [0, 86400] {
        let none = format!("{}?thread=999999", VIDEO.replace("/0/video", &format!("/{lifetime}/video")));
        app.get(&none).await.refused(404, "comment_not_found");
    }
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn replies_cannot_be_nested_deeper_or_under_another_object() {
    let app = app().await;
    let (mika, nora) = (app.member("mika").await, app.member("nora").await);
    let first = write(&mika, "First of all", None).await;
    let reply = write(&nora, "A reply to it", Some(first)).await;
    let refused = async |object: &str, parent: i64| {
        let parent = parent.to_string();
        let form =
            [("act", "comm"), ("section", "video"), ("object_id", object), ("msg", "Not here"), ("parent_id", &parent)];
        mika.act(&form).await.refused(404, "comment_not_found");
    };
    refused("22", reply).await;
    refused("21", first).await;
    refused("22", 999_999).await;
    // The same text is a duplicate under the same comment, but not under another one.
    assert_eq!(write(&nora, "A reply to it", Some(first)).await, reply);
    let second = write(&mika, "Second of all", None).await;
    assert_ne!(write(&nora, "A reply to it", Some(second)).await, reply);
    app.sql(&format!("insert into blocks (user_id, blocked_id) values ({}, {})", mika.id, nora.id)).await;
    let parent = first.to_string();
    let form =
        [("act", "comm"), ("section", "video"), ("object_id", "22"), ("msg", "Once more"), ("parent_id", &parent)];
    toasted(&nora.act(&form).await, 403, "blocked");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn deleted_comment_keeps_a_placeholder_while_it_has_replies() {
    let app = app().await;
    let (mika, nora) = (app.member("mika").await, app.member("nora").await);
    let first = write(&mika, "First of all", None).await;
    let reply = write(&nora, "A reply to it", Some(first)).await;
    let check_placeholder = async |thread: Option<(i64, bool)>| {
        let page = app.json(VIDEO).await;
        let comment = &page["comments"][0];
        let found = comment["comment_id"].as_i64().map(|id| (id, comment["is_deleted"] == true));
        assert_eq!(found, thread);
        if let Some((_, true)) = thread {
            assert_eq!(
                (&comment["user_id"], &comment["username"], &comment["comment"]),
                (&json!(null), &json!(""), &json!(""))
            );
            assert_eq!(ids(&comment["replies"]), [reply]);
        }
    };
    check_placeholder(Some((first, false))).await;
    mika.acts(&[("act", "comm_del"), ("comment_id", &first.to_string())]).await;
    check_placeholder(Some((first, true))).await;
    mika.acts(&[("act", "comm_undel"), ("comment_id", &first.to_string())]).await;
    check_placeholder(Some((first, false))).await;
    app.change(&format!("update users set status_id = banned() where id = {}", mika.id)).await;
    check_placeholder(Some((first, true))).await;
    app.change(&format!("delete from users where id = {}", mika.id)).await;
    check_placeholder(Some((first, true))).await;
    nora.acts(&[("act", "comm_del"), ("comment_id", &reply.to_string())]).await;
    check_placeholder(None).await;
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn wall_entries_can_be_replied_to() {
    let app = app().await;
    let (mika, nora) = (app.member("mika").await, app.member("nora").await);
    let wall = nora.id.to_string();
    let entry = mika.acts(&[("act", "wall"), ("object_id", &wall), ("msg", "Greetings")]).await["wall_id"].to_string();
    let reply = [("act", "wall"), ("object_id", &wall), ("msg", "Thank you"), ("parent_id", &entry)];
    let reply = nora.acts(&reply).await["wall_id"].as_i64().unwrap();
    let path = format!("/api/json/member_wall/0/{}/{wall}.1.json", nora.id / 1000 * 1000);
    let page = app.json(&path).await;
    assert_eq!((ids(&page["comments"][0]["replies"]), &page["total_count"]), (vec![reply], &json!(2)));
    let answered = app.json(&format!("{path}?thread={entry}")).await;
    assert_eq!(ids(&answered["comments"]), [reply]);
    app.drain().await;
    app.finish().await;
}
