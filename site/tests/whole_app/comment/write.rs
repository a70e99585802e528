//! Writing and deleting comments and wall entries.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{App, Session, done, listing, toasted};

fn comment<'a>(section: &'a str, id: &'a str, msg: &'a str) -> [(&'a str, &'a str); 4] {
    [("act", "comm"), ("section", section), ("object_id", id), ("msg", msg)]
}

async fn shown(app: &App, lifetime: u32, section: &str, id: u32) -> Value {
    app.json(&format!("/api/json/comments/{lifetime}/{section}/0/{id}.json")).await
}

#[tokio::test]
async fn comment_is_visible_uncached_at_once_and_cached_after_indexing() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    for (section, id) in [("video", 1), ("album", 2), ("model", 3), ("playlist", 2)] {
        let before = shown(&app, 86400, section, id).await["total_count"].as_i64().unwrap();
        let answer = done(&mika.act(&comment(section, &id.to_string(), "What an evening!")).await);
        let now = shown(&app, 0, section, id).await;
        assert_eq!(now["comments"][0]["comment_id"], answer["comment_id"]);
        assert_eq!(
            (&now["comments"][0]["user_id"], &now["comments"][0]["comment"], &now["total_count"]),
            (&json!(mika.id), &json!("What an evening!"), &json!(before + 1)),
        );
        app.drain().await;
        assert_eq!(
            shown(&app, 86400, section, id).await["total_count"],
            before + 1,
            "{section}: the cached list is invalidated"
        );
    }
    let comments = app.number("select comments from video_stats where video_id = 1").await;
    let list = app.json(&listing("latest-updates", 1, "all..1.all.all.all")).await;
    assert_eq!((&list["videos"][0]["video_id"], &list["videos"][0]["comments"]), (&json!(1), &json!(comments)));
    app.finish().await;
}

#[tokio::test]
async fn texts_are_validated_and_normalized() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let send = async |msg: &str| mika.act(&comment("video", "1", msg)).await;
    for (msg, code, bound) in [
        ("", "required", json!(null)),
        (" \u{200B}\u{200B}\u{3164} ", "required", json!(null)),
        ("four", "comment_min_length", json!(5)),
        ("four\u{200B}\u{200B}", "comment_min_length", json!(5)),
        ("a\n\n\n\n\n", "comment_min_length", json!(5)),
        (&"é".repeat(1501), "max_length", json!(1500)),
        ("so FOR-bidden", "prohibited_terms", json!(null)),
        ("so for\u{200B}bidden", "prohibited_terms", json!(null)),
    ] {
        let reply = send(msg).await;
        reply.refused(422, code);
        let body = reply.json();
        assert_eq!((&body["field"], &body["info"]["bound"]), (&json!("msg"), &bound), "{msg:?}");
    }
    // Refusals do not count toward the five allowed comments.
    let script = "<script>alert('é')</script> & https://tube.example/";
    for msg in ["fiveé", &"é".repeat(1500), script, "two\r\n\r\n\r\nlines\u{202E}!", "🏳️‍🌈👩‍❤️‍👨!!"]
    {
        done(&send(msg).await);
    }
    let stored = shown(&app, 0, "video", 1).await;
    assert_eq!(stored["comments"][2]["comment"], script);
    assert_eq!(stored["comments"][1]["comment"], "two\n\nlines!");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn sixth_comment_is_refused_with_the_exact_wait() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let wall = [("act", "wall"), ("object_id", "3"), ("msg", "Greetings to you")];
    for n in 0..4 {
        done(&mika.act(&comment("video", "1", &format!("Number {n} of it"))).await);
    }
    // Neither a comment on a hidden object nor a double click counts.
    mika.act(&comment("video", "50", "Never written")).await.refused(404, "video_not_found");
    let again = done(&mika.act(&comment("video", "1", "Number 3 of it")).await);
    assert_eq!(again["comment_id"], shown(&app, 0, "video", 1).await["comments"][0]["comment_id"]);
    done(&mika.act(&wall).await);
    for form in [&comment("video", "1", "One too many")[..], &wall[..2], &[wall[0], wall[1], ("msg", "One more word")]]
    {
        let reply = mika.act(form).await;
        if form.len() == 2 {
            reply.refused(422, "required");
            continue;
        }
        reply.refused(429, "too_many_comments");
        let wait = reply.json()["info"]["retry_after"].as_u64().unwrap();
        assert_eq!(reply.header("retry-after"), wait.to_string());
        assert!((590..=600).contains(&wait), "{wait}");
    }
    assert_eq!(app.number(&format!("select count(*) from comments where user_id = {}", mika.id)).await, 4);
    // The limit applies per member.
    done(&app.member("anna").await.act(&comment("video", "1", "Number 3 of it")).await);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn concurrent_comments_of_one_member_are_limited_to_five() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let before = app.number("select comments from video_stats where video_id = 1").await;
    let texts: Vec<String> = (0..64).map(|n| format!("Number {n} of many")).collect();
    let replies = join_all(texts.iter().map(|msg| {
        let mika = &mika;
        async move { mika.act(&comment("video", "1", msg)).await }
    }))
    .await;
    let written = replies.iter().filter(|reply| reply.status == 200).count();
    replies.iter().filter(|reply| reply.status != 200).for_each(|reply| reply.refused(429, "too_many_comments"));
    assert_eq!(written, 5);
    assert_eq!(app.number("select comments from video_stats where video_id = 1").await, before + 5);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn concurrent_comments_of_64_members_are_counted_exactly() {
    let app = App::start().await;
    let before = app.number("select comments from video_stats where video_id = 1").await;
    let crowd = app.crowd(64).await;
    let replies = join_all(
        crowd.iter().map(|member| async move { member.act(&comment("video", "1", "What an evening!")).await }),
    )
    .await;
    replies.iter().for_each(|reply| drop(done(reply)));
    assert_eq!(app.number("select comments from video_stats where video_id = 1").await, before + 64);
    let ids: Vec<Value> = replies.iter().map(|reply| reply.json()["comment_id"].clone()).collect();
    let delete =
        join_all(crowd.iter().zip(&ids).map(|(member, id)| async move {
            member.act(&[("act", "comm_del"), ("comment_id", &id.to_string())]).await
        }))
        .await;
    delete.iter().for_each(|reply| drop(done(reply)));
    assert_eq!(app.number("select comments from video_stats where video_id = 1").await, before);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn only_author_and_owner_can_delete() {
    let app = App::start().await;
    let (mika, anna) = (app.member("mika").await, app.member("anna").await);
    // Member 2 owns video 1, playlist 1 and album 1.
    let owner = app.sign_in(2, "other").await;
    let delete = async |who: &Session, id: &Value| {
        who.act(&[("act", "comm_del"), ("comment_id", &id.to_string()), ("user_id", "2")]).await
    };
    for (section, id) in [("video", "1"), ("album", "1"), ("playlist", "1")] {
        let written = done(&mika.act(&comment(section, id, "What an evening!")).await);
        delete(&anna, &written["comment_id"]).await.refused(404, "comment_not_found");
        done(&delete(&owner, &written["comment_id"]).await);
        done(&delete(&mika, &written["comment_id"]).await);
        assert!(!shown(&app, 0, section, 1).await.to_string().contains("What an evening!"));
    }
    delete(&owner, &json!(999_999)).await.refused(404, "comment_not_found");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn wall_entries_are_written_and_deleted() {
    let app = App::start().await;
    let (mika, anna) = (app.member("mika").await, app.member("anna").await);
    let owner = app.sign_in(3, "member-03").await;
    let path = "/api/json/member_wall/7200/0/3.1.json";
    let before = app.json(path).await["total_count"].as_i64().unwrap();
    let entry = done(&mika.act(&[("act", "wall"), ("object_id", "3"), ("msg", "Greetings!")]).await)["wall_id"].clone();
    app.drain().await;
    let now = app.json(path).await;
    assert_eq!((&now["total_count"], &now["comments"][0]["comment"]), (&json!(before + 1), &json!("Greetings!")));
    let delete = [("act", "wall_del"), ("wall_id", &*entry.to_string())];
    anna.act(&delete).await.refused(404, "comment_not_found");
    done(&owner.act(&delete).await);
    done(&mika.act(&delete).await);
    app.drain().await;
    assert_eq!(app.json(path).await["total_count"], before);
    for id in ["39", "40", "999"] {
        mika.act(&[("act", "wall"), ("object_id", id), ("msg", "Greetings!")]).await.refused(404, "member_not_found");
    }
    app.finish().await;
}

#[tokio::test]
async fn blocked_member_is_refused_without_using_the_limit() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    app.sql(&format!("insert into blocks (user_id, blocked_id) values (2, {})", mika.id)).await;
    for _ in 0..6 {
        toasted(&mika.act(&comment("video", "1", "What an evening!")).await, 403, "blocked");
        toasted(&mika.act(&[("act", "wall"), ("object_id", "2"), ("msg", "Greetings!")]).await, 403, "blocked");
    }
    toasted(&mika.act(&[("act", "friend"), ("section", "add"), ("object_id", "2")]).await, 403, "blocked");
    done(&mika.act(&comment("video", "2", "What an evening!")).await);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn returns_404_for_comments_on_hidden_objects() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    for (section, id) in [
        ("video", "41"),
        ("video", "50"),
        ("video", "999"),
        ("album", "11"),
        ("album", "20"),
        ("playlist", "7"),
        ("playlist", "30"),
        ("model", "99"),
    ] {
        let reply = mika.act(&comment(section, id, "What an evening!")).await;
        reply.refused(404, &format!("{section}_not_found"));
    }
    for section in ["user", "channel", "comment", "VIDEO"] {
        mika.act(&comment(section, "1", "What an evening!")).await.refused(422, "invalid");
    }
    done(&mika.act(&comment("video", "1", "All of them are left")).await);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn deletion_can_be_undone_for_a_short_time() {
    let app = App::start().await;
    let (mika, other) = (app.member("mika").await, app.member("noor").await);
    let total = async || app.number("select comments from video_stats where video_id = 1").await;
    let before = total().await;
    let comment = done(&mika.act(&comment("video", "1", "What an evening!")).await)["comment_id"].to_string();
    let wall = [("act", "wall"), ("object_id", "3"), ("msg", "Greetings to all")];
    let entry = done(&mika.act(&wall).await)["wall_id"].to_string();
    for (section, field, id) in [("comm", "comment_id", &comment), ("wall", "wall_id", &entry)] {
        let act = async |who: &Session, done: &str| {
            let name = format!("{section}_{done}");
            who.act(&[("act", name.as_str()), (field, id.as_str())]).await
        };
        act(&mika, "undel").await.refused(404, "comment_not_found");
        done(&act(&mika, "del").await);
        act(&other, "undel").await.refused(404, "comment_not_found");
        done(&act(&mika, "undel").await);
        act(&mika, "undel").await.refused(404, "comment_not_found");
    }
    assert_eq!(total().await, before + 1);
    let now = shown(&app, 0, "video", 1).await;
    assert_eq!(now["comments"][0]["comment_id"].to_string(), comment, "at its former position");
    // Undoing is not possible later, nor after a moderator's deletion.
    done(&mika.act(&[("act", "comm_del"), ("comment_id", &comment)]).await);
    app.sql("update comments set deleted_at = deleted_at - interval '2 minutes' where deleted_by is not null").await;
    mika.act(&[("act", "comm_undel"), ("comment_id", &comment)]).await.refused(404, "comment_not_found");
    app.sql("update comments set deleted_at = now(), deleted_by = null where deleted_by is not null").await;
    done(&mika.act(&[("act", "comm_del"), ("comment_id", &comment)]).await);
    mika.act(&[("act", "comm_undel"), ("comment_id", &comment)]).await.refused(404, "comment_not_found");
    app.drain().await;
    app.finish().await;
}
