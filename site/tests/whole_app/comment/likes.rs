//! Likes of comments and wall entries.

use serde_json::json;

use crate::support::{App, Session, toasted};

const VIDEO: &str = "/api/json/comments/0/video/0/22.json";

async fn comment(member: &Session, msg: &str) -> String {
    let form = [("act", "comm"), ("section", "video"), ("object_id", "22"), ("msg", msg)];
    member.acts(&form).await["comment_id"].to_string()
}

#[tokio::test]
async fn member_likes_a_comment_once_and_retracts_it() {
    let app = App::start().await;
    let (mika, nora) = (app.member("mika").await, app.member("nora").await);
    let first = comment(&mika, "First of all").await;
    let second = comment(&mika, "Second of all").await;
    let like = async |who: &Session, section: &str| {
        who.acts(&[("act", "comm_like"), ("section", section), ("comment_id", &first)]).await["likes"].clone()
    };
    assert_eq!(like(&nora, "add").await, 1);
    assert_eq!(like(&nora, "add").await, 1, "a second like is ignored");
    assert_eq!(like(&mika, "add").await, 2);
    let liked = app.json(&format!("{VIDEO}?sort=most-liked")).await;
    assert_eq!(liked["comments"][0]["comment_id"].to_string(), first);
    assert_eq!((&liked["comments"][0]["likes"], &liked["comments"][0]["liked"]), (&json!(2), &json!(false)));
    let own = nora.get(VIDEO).await.json();
    assert_eq!(own["comments"][0]["comment_id"].to_string(), second);
    assert_eq!((&own["comments"][0]["liked"], &own["comments"][1]["liked"]), (&json!(false), &json!(true)));
    let cached = nora.get(&VIDEO.replace("/0/video", "/3600/video")).await.json();
    assert_eq!(cached["comments"][1]["liked"], false, "cached responses are not personal");
    assert_eq!(like(&nora, "rem").await, 1);
    assert_eq!(like(&nora, "rem").await, 1);
    app.change(&format!("delete from users where id = {}", mika.id)).await;
    assert_eq!(app.number("select count(*) from comment_likes").await, 0);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn refuses_likes_of_hidden_comments_and_by_blocked_members() {
    let app = App::start().await;
    let (mika, nora) = (app.member("mika").await, app.member("nora").await);
    let first = comment(&mika, "First of all").await;
    let form = [("act", "comm_like"), ("section", "add"), ("comment_id", &first[..])];
    app.guest_posts("/api/stat.php", &form).await.refused(401, "need_auth");
    nora.act(&[("act", "comm_like"), ("section", "add"), ("comment_id", "999999")])
        .await
        .refused(404, "comment_not_found");
    app.change("update videos set is_private = true where id = 22").await;
    nora.act(&form).await.refused(404, "comment_not_found");
    let retraction = [("act", "comm_like"), ("section", "rem"), ("comment_id", &first[..])];
    nora.act(&retraction).await.refused(404, "comment_not_found");
    app.change("update videos set is_private = false where id = 22").await;
    app.sql(&format!("insert into blocks (user_id, blocked_id) values ({}, {})", mika.id, nora.id)).await;
    toasted(&nora.act(&form).await, 403, "blocked");
    app.sql("update comments set deleted_at = now() where object_id = 22").await;
    mika.act(&form).await.refused(404, "comment_not_found");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn wall_entries_can_be_liked() {
    let app = App::start().await;
    let (mika, nora) = (app.member("mika").await, app.member("nora").await);
    let wall = nora.id.to_string();
    let entry = mika.acts(&[("act", "wall"), ("object_id", &wall), ("msg", "Greetings")]).await["wall_id"].to_string();
    let liked = nora.acts(&[("act", "wall_like"), ("section", "add"), ("wall_id", &entry)]).await;
    assert_eq!(liked["likes"], 1);
    let path = format!("/api/json/member_wall/0/{}/{wall}.1.json", nora.id / 1000 * 1000);
    assert_eq!(nora.get(&path).await.json()["comments"][0]["liked"], true);
    app.drain().await;
    app.finish().await;
}
