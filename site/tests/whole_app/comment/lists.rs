//! Comments, walls, friends and subscriptions: the calls `comments`, `model_wall`, `member_wall`, `friends` and
//! `subscriptions`.

use serde_json::{Value, json};

use crate::support::App;

fn numbers(answer: &Value, list: &str, id: &str) -> Vec<i64> {
    answer[list].as_array().unwrap().iter().map(|item| item[id].as_i64().unwrap()).collect()
}

/// Returns the ids on all pages of a list, up to the first empty page.
async fn all_pages(app: &App, path: impl Fn(u32) -> String, list: &str, id: &str, per_page: usize) -> Vec<i64> {
    let mut found = Vec::new();
    for page in 1.. {
        let answer = app.json(&path(page)).await;
        let items = numbers(&answer, list, id);
        assert!(items.len() <= per_page);
        if items.is_empty() {
            assert_eq!(answer["total_count"], found.len(), "{list}");
            assert_eq!(answer["pages"], found.len().div_ceil(per_page), "{list}");
            break;
        }
        found.extend(items);
    }
    found
}

const SHOWN: &str =
    "select c.id from comments c join users u on u.id = c.user_id where deleted_at is null and status_id <> banned()";

#[tokio::test]
async fn comments_are_paged_by_ten_newest_first() {
    let app = App::start().await;
    let expected = app.numbers(&format!("{SHOWN} and section = 'video' and object_id = 21 order by c.id desc")).await;
    assert_eq!(expected.len(), 35, "without those of banned members and the moderated one");
    let path = |page| format!("/api/json/comments/86400/video/0/21.json?page={page}");
    assert_eq!(all_pages(&app, path, "comments", "comment_id", 10).await, expected);
    let first = app.json("/api/json/comments/86400/video/0/21.json").await;
    assert_eq!(first, app.json(&path(1)).await, "page 1 by default");
    let comment = &first["comments"][0];
    assert_eq!(
        *comment,
        json!({
            "comment_id": expected[0], "section": "video", "object_id": 21, "user_id": 38, "username": "member-38",
            "avatar": "/media/p/demo/pictures/08-320.webp", "comment": "Comment number 35", "added_date": "2026-09-10T00:27:15Z",
            "parent_id": null, "is_deleted": false, "likes": 0, "liked": false, "replies": [], "total_replies": 0,
        })
    );
    for (section, id) in [("album", 1), ("playlist", 1), ("model", 1)] {
        let answer = app.json(&format!("/api/json/comments/86400/{section}/0/{id}.json")).await;
        let expected =
            app.numbers(&format!("{SHOWN} and section = '{section}' and object_id = {id} order by c.id desc")).await;
        assert_eq!(numbers(&answer, "comments", "comment_id"), expected, "{section}");
        assert_eq!(answer["comments"][0]["comment"], format!("On {section}"));
    }
    app.finish().await;
}

#[tokio::test]
async fn comments_on_hidden_objects_are_hidden_and_on_unknown_ones_not_found() {
    let app = App::start().await;
    let none = json!({"comments": [], "total_count": 0, "pages": 0});
    for (section, id) in
        [("video", 41), ("video", 50), ("video", 22), ("album", 11), ("album", 20), ("playlist", 7), ("playlist", 30)]
    {
        assert_eq!(app.json(&format!("/api/json/comments/86400/{section}/0/{id}.json")).await, none, "{section} {id}");
    }
    for section in ["video", "album", "model", "playlist"] {
        for (bucket, id) in [("0", "999"), ("1000", "1"), ("0", "0"), ("0", "01")] {
            let path = format!("/api/json/comments/86400/{section}/{bucket}/{id}.json");
            app.get(&path).await.refused(404, &format!("{section}_not_found"));
        }
    }
    app.get("/api/json/comments/86400/user/0/1.json").await.refused(404, "not_found");
    app.get("/api/json/comments/60/video/0/21.json").await.refused(404, "not_found");
    for page in ["0", "x", "-1", "1e3", "99999999"] {
        app.get(&format!("/api/json/comments/86400/video/0/21.json?page={page}")).await.refused(422, "invalid");
    }
    app.change("update videos set is_private = true where id = 21").await;
    assert_eq!(app.json("/api/json/comments/86400/video/0/21.json").await, none);
    app.finish().await;
}

#[tokio::test]
async fn lifetime_zero_bypasses_the_cache() {
    let app = App::start().await;
    let path = "/api/json/comments/0/video/0/22.json";
    let reply = app.get(path).await;
    assert_eq!((reply.json()["total_count"].clone(), reply.header("cache-control")), (json!(0), "no-store"));
    app.sql("insert into comments (section, object_id, user_id, body) values ('video', 22, 4, 'First of all')").await;
    assert_eq!(app.json(path).await["comments"][0]["comment"], "First of all");
    app.sql("update comments set deleted_at = now() where section = 'video' and object_id = 22").await;
    assert_eq!(app.json(path).await["total_count"], 0);
    let cached = app.get("/api/json/comments/3600/video/0/22.json").await;
    assert!(cached.header("cache-control").starts_with("public, max-age=3600"));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn walls_are_paged_completely() {
    let app = App::start().await;
    let expected = app.numbers("select w.id from walls w join users u on u.id = w.author_id where w.user_id = 3 and deleted_at is null and status_id <> banned() order by w.id desc").await;
    assert_eq!(expected.len(), 35);
    let path = |page| format!("/api/json/member_wall/7200/0/3.{page}.json");
    assert_eq!(all_pages(&app, path, "comments", "comment_id", 10).await, expected);
    let entry = &app.json(&path(4)).await["comments"][4];
    assert_eq!(
        (&entry["section"], &entry["object_id"], &entry["comment"]),
        (&json!("user"), &json!(3), &json!("Greetings from 4"))
    );
    assert_eq!(
        app.json("/api/json/member_wall/7200/0/4.1.json").await,
        json!({"comments": [], "total_count": 0, "pages": 0})
    );

    let expected = app.numbers(&format!("{SHOWN} and section = 'model' and object_id = 2 order by c.id desc")).await;
    assert_eq!(expected.len(), 25);
    let path = |page| format!("/api/json/model_wall/86400/an/anna-lind.{page}.json");
    assert_eq!(all_pages(&app, path, "comments", "comment_id", 10).await, expected);
    for path in ["mi/nobody.1", "an/mika-sato.1", "mi/mika-sato", "mi/Mika-Sato.1"] {
        app.get(&format!("/api/json/model_wall/86400/{path}.json")).await.refused(404, "model_not_found");
    }
    app.get("/api/json/model_wall/86400/mi/mika-sato.0.json").await.refused(404, "not_found");
    app.finish().await;
}

#[tokio::test]
async fn friends_are_accepted_in_either_direction() {
    let app = App::configured(|config| config.listing.people_page = 6).await;
    let sql = "select u.id from friends f join users u on u.id = f.user_id + f.friend_id - 3
        where 3 in (f.user_id, f.friend_id) and state = 'accepted' and status_id <> banned() and email_confirmed_at is not null
        order by accepted_at desc, u.id desc";
    let expected = app.numbers(sql).await;
    assert!(expected.len() > 25 && !expected.contains(&5) && !expected.contains(&39) && !expected.contains(&40));
    let path = |page| format!("/api/json/friends/7200/0/3.{page}.json");
    assert_eq!(all_pages(&app, path, "friends", "user_id", 6).await, expected);
    let list = app.json("/api/json/members/7200/filt/recent/96/1.json").await;
    let friend = &app.json(&path(1)).await["friends"][0];
    assert!(list["members"].as_array().unwrap().contains(friend), "the same card as in the member list");
    assert_eq!(
        app.json("/api/json/friends/7200/0/4.1.json").await["friends"][0]["user_id"],
        3,
        "seen from the other side"
    );
    let none = json!({"friends": [], "total_count": 0, "pages": 0, "code": "members_not_found"});
    assert_eq!(app.json("/api/json/friends/7200/0/5.1.json").await, none);
    app.finish().await;
}

#[tokio::test]
async fn subscriptions_list_what_is_followed() {
    let app = App::configured(|config| config.listing.people_page = 9).await;
    let expected = app
        .numbers(
            "select object_id from subscriptions s left join users u on section = 'user' and u.id = object_id
             where s.user_id = 3 and (section <> 'user' or (status_id <> banned() and email_confirmed_at is not null))
             order by s.created_at desc, section, object_id desc",
        )
        .await;
    assert_eq!(expected.len(), 12 + 35 + 1);
    let path = |page| format!("/api/json/subscriptions/7200/0/3.{page}.json");
    assert_eq!(all_pages(&app, path, "subscriptions", "object_id", 9).await, expected);
    let last = &app.json(&path(6)).await["subscriptions"];
    assert_eq!(
        last[2],
        json!({"section": "channel", "object_id": 1, "dir": "north", "title": "North", "thumb": "", "added_date": "2026-08-29T10:40:25Z"})
    );
    assert_eq!(
        last[1],
        json!({"section": "model", "object_id": 1, "dir": "mika-sato", "title": "Mika Sato", "thumb": "/media/p/demo/pictures/01-320.webp", "added_date": "2026-08-29T10:41:40Z"})
    );
    let first = &app.json(&path(1)).await["subscriptions"][0];
    assert_eq!(
        (&first["section"], &first["dir"], &first["title"]),
        (&json!("user"), &json!(null), &json!("member-38"))
    );
    let none = json!({"subscriptions": [], "total_count": 0, "pages": 0, "code": "subscriptions_not_found"});
    assert_eq!(app.json("/api/json/subscriptions/7200/0/5.1.json").await, none);
    app.finish().await;
}

#[tokio::test]
async fn returns_404_for_lists_of_unknown_members() {
    let app = App::start().await;
    for call in ["member_wall", "friends", "subscriptions"] {
        for place in ["0/999.1", "0/39.1", "0/40.1", "1000/3.1", "0/0.1", "0/03.1", "0/x.1"] {
            app.get(&format!("/api/json/{call}/7200/{place}.json")).await.refused(404, "member_not_found");
        }
        for place in ["0/3", "0/3.0", "0/3.x", "0/3.1.1"] {
            app.get(&format!("/api/json/{call}/7200/{place}.json")).await.refused(404, "not_found");
        }
        app.get(&format!("/api/json/{call}/1/0/3.1.json")).await.refused(404, "not_found");
    }
    app.finish().await;
}

#[tokio::test]
async fn removed_entries_leave_cached_responses() {
    let app = App::start().await;
    let comments = "/api/json/comments/86400/video/0/21.json";
    let wall = "/api/json/member_wall/7200/0/3.1.json";
    let (friends, followed) = ("/api/json/friends/7200/0/3.1.json", "/api/json/subscriptions/7200/0/3.1.json");
    let total = async |path: &str| app.json(path).await["total_count"].as_i64().unwrap();
    let first = async |path: &str, list: &str, id: &str| app.json(path).await[list][0][id].as_i64().unwrap();

    let (before, newest) = (total(comments).await, first(comments, "comments", "comment_id").await);
    app.change(&format!("update comments set deleted_at = now() where id = {newest}")).await;
    assert_eq!(total(comments).await, before - 1);
    assert_ne!(first(comments, "comments", "comment_id").await, newest);

    let (before, newest) = (total(wall).await, first(wall, "comments", "comment_id").await);
    app.change(&format!("update walls set deleted_at = now() where id = {newest}")).await;
    assert_eq!(total(wall).await, before - 1);

    let (before, newest) = (total(friends).await, first(friends, "friends", "user_id").await);
    app.change(&format!("delete from friends where {newest} in (user_id, friend_id)")).await;
    assert_eq!(total(friends).await, before - 1);
    assert_ne!(first(friends, "friends", "user_id").await, newest);

    let before = total(followed).await;
    app.change("delete from subscriptions where user_id = 3 and section = 'channel'").await;
    assert_eq!(total(followed).await, before - 1);

    // A ban removes what the member wrote, and also the lists that contain them.
    let (before, author) = (total(comments).await, first(comments, "comments", "user_id").await);
    app.change(&format!("update users set status_id = banned() where id = {author}")).await;
    assert_eq!(total(comments).await, before - 1);
    app.finish().await;
}

#[tokio::test]
async fn member_is_visible_after_confirmation() {
    let app = App::start().await;
    app.get("/api/json/member/7200/0/40.json").await.refused(404, "member_not_found");
    app.change("update users set email_confirmed_at = now() where id = 40").await;
    assert_eq!(app.json("/api/json/member/7200/0/40.json").await["member"]["cover"], json!(null));
    let list = app.json("/api/json/members/7200/filt/recent/96/1.json").await;
    assert!(numbers(&list, "members", "user_id").contains(&40));
    app.change("update users set cover_key = 'demo/pictures/03' where id = 40").await;
    let member = app.json("/api/json/member/7200/0/40.json").await;
    assert_eq!(member["member"]["cover"], "/media/p/demo/pictures/03-320.webp");
    app.finish().await;
}
