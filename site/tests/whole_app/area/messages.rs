//! Messages between members: conversations, read marks, deletion by each side, and refusals.

use serde_json::{Value, json};

use crate::support::{App, Session, done, toasted};

const PATH: &str = "/api/messages.php";

async fn send(from: &Session, to: &Session, text: &str) -> i64 {
    let form = [("act", "send"), ("to", &*to.id.to_string()), ("text", text)];
    done(&from.post(PATH, &form).await)["message_id"].as_i64().unwrap()
}

/// Returns the texts of a conversation, newest first. Each comes with whether the session's member wrote it and whether
/// it was read.
async fn conversation(session: &Session, with: &Session) -> Vec<(String, bool, bool)> {
    let answer = session.get(&format!("{PATH}?with={}", with.id)).await.json();
    let flag = |message: &Value, name: &str| message[name].as_bool().unwrap();
    let messages = answer["messages"].as_array().unwrap().clone();
    assert_eq!((&answer["user"]["user_id"], &answer["total_count"]), (&json!(with.id), &json!(messages.len())));
    let texts = messages
        .iter()
        .map(|message| (message["text"].as_str().unwrap().to_owned(), flag(message, "own"), flag(message, "read")));
    texts.collect()
}

async fn conversations(session: &Session) -> Vec<Value> {
    let answer = session.get("/api/member_lists.php?list=messages").await.json();
    assert_eq!(answer["total_count"], answer["conversations"].as_array().unwrap().len());
    answer["conversations"].as_array().unwrap().clone()
}

async fn unread(session: &Session) -> Value {
    session.get("/api/me.php").await.json()["user"]["unread_messages"].clone()
}

#[tokio::test]
async fn each_side_of_a_conversation_is_read_and_deleted_separately() {
    let app = App::start().await;
    let (mona, nils, olga) = (app.member("mona").await, app.member("nils").await, app.member("olga").await);
    assert_eq!(mona.get("/api/member_lists.php?list=messages").await.json()["code"], "messages_not_found");
    send(&mona, &nils, "Good evening\n\nNils").await;
    send(&nils, &mona, "Good evening").await;
    send(&nils, &mona, "<b>Mona</b>").await;
    send(&olga, &mona, "Hello").await;
    assert_eq!((unread(&mona).await, unread(&nils).await), (json!(3), json!(1)));
    let list = conversations(&mona).await;
    let brief: Vec<_> =
        list.iter().map(|one| (&one["user"]["username"], &one["last"]["text"], &one["unread"])).collect();
    assert_eq!(
        brief,
        [(&json!("olga"), &json!("Hello"), &json!(1)), (&json!("nils"), &json!("<b>Mona</b>"), &json!(2))]
    );
    let entry = |text: &str, own, read| (text.to_owned(), own, read);
    let expected = [
        entry("<b>Mona</b>", false, false),
        entry("Good evening", false, false),
        entry("Good evening\n\nNils", true, false),
    ];
    assert_eq!(conversation(&mona, &nils).await, expected);

    done(&mona.post(PATH, &[("act", "read"), ("to", &nils.id.to_string())]).await);
    assert_eq!(
        (unread(&mona).await, unread(&nils).await),
        (json!(1), json!(1)),
        "only messages from Nils to Mona are marked"
    );
    assert!(conversation(&nils, &mona).await[0].2, "the sender sees that it was read");

    // Each member deletes their side. Messages deleted on both sides are removed.
    done(&mona.post(PATH, &[("act", "delete"), ("to", &nils.id.to_string())]).await);
    assert_eq!((conversation(&mona, &nils).await.len(), conversation(&nils, &mona).await.len()), (0, 3));
    assert_eq!(conversations(&mona).await.len(), 1);
    done(&nils.post(PATH, &[("act", "delete"), ("to", &mona.id.to_string())]).await);
    assert_eq!(
        app.number(&format!("select count(*) from messages where {} in (sender_id, recipient_id)", nils.id)).await,
        0
    );
    assert_eq!(conversation(&mona, &olga).await.len(), 1);
    app.finish().await;
}

#[tokio::test]
async fn members_cannot_access_messages_of_others() {
    let app = App::start().await;
    let (mona, nils, eve) = (app.member("mona").await, app.member("nils").await, app.member("eve").await);
    let id = send(&mona, &nils, "For Nils").await.to_string();
    let (mona_id, nils_id) = (mona.id.to_string(), nils.id.to_string());
    eve.post(PATH, &[("act", "delete"), ("message_id", &id)]).await.refused(404, "message_not_found");
    done(&eve.post(PATH, &[("act", "delete"), ("to", &mona_id), ("user_id", &nils_id)]).await);
    done(&eve.post(PATH, &[("act", "read"), ("to", &mona_id), ("recipient_id", &nils_id)]).await);
    assert_eq!(conversation(&eve, &mona).await, []);
    assert_eq!(conversation(&nils, &mona).await, [("For Nils".to_owned(), false, false)]);
    // The sender is never a field.
    let forged =
        [("act", "send"), ("to", &*nils_id), ("text", "From Mona?"), ("from", &mona_id), ("sender_id", &mona_id)];
    done(&eve.post(PATH, &forged).await);
    assert_eq!(conversation(&nils, &mona).await.len(), 1);
    assert_eq!(conversation(&nils, &eve).await[0].0, "From Mona?");
    for name in [("act", "delete"), ("act", "read"), ("act", "send")] {
        app.guest_posts(PATH, &[name, ("to", &nils_id), ("text", "x")]).await.refused(401, "need_auth");
    }
    app.get(&format!("{PATH}?with={nils_id}")).await.refused(401, "need_auth");
    app.finish().await;
}

#[tokio::test]
async fn refuses_invalid_blocked_and_excess_messages() {
    let app = App::configured(|config| {
        let lantern_config::Policy::Exact(limit) = &mut config.limits.message else { panic!("not an exact limit") };
        limit.attempts = 3;
    })
    .await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    let to = nils.id.to_string();
    let (longest, long) = ("ф".repeat(1500), "ф".repeat(1501));
    for (text, code) in [
        ("", "required"),
        (" \n\u{200b} ", "required"),
        (&*long, "max_length"),
        ("A forbidden thing", "prohibited_terms"),
    ] {
        let reply = mona.post(PATH, &[("act", "send"), ("to", &to), ("text", text)]).await;
        reply.refused(422, code);
        assert_eq!(reply.json()["field"], "text", "{code}");
    }
    mona.post(PATH, &[("act", "send"), ("text", "Hello")]).await.refused(422, "required");
    mona.post(PATH, &[("act", "shout"), ("to", &to)]).await.refused(422, "invalid");
    for recipient in [mona.id, 39, 40, 999_999] {
        let form = [("act", "send"), ("to", &*recipient.to_string()), ("text", "Hello")];
        mona.post(PATH, &form).await.refused(404, "member_not_found");
        mona.get(&format!("{PATH}?with={recipient}")).await.refused(404, "member_not_found");
    }
    // A blocked sender is refused, and refusals do not count toward the limit.
    let mona_id = mona.id.to_string();
    done(&nils.act(&[("act", "block"), ("section", "add"), ("object_id", &mona_id)]).await);
    for _ in 0..4 {
        toasted(&mona.post(PATH, &[("act", "send"), ("to", &to), ("text", "Hello")]).await, 403, "blocked");
    }
    done(&nils.act(&[("act", "block"), ("section", "rem"), ("object_id", &mona_id)]).await);
    for text in [&*longest, "two", "three"] {
        send(&mona, &nils, text).await;
    }
    let reply = mona.post(PATH, &[("act", "send"), ("to", &to), ("text", "four")]).await;
    reply.refused(429, "too_many_attempts");
    assert!(reply.header("retry-after").parse::<u64>().unwrap() <= 600);
    app.finish().await;
}

#[tokio::test]
async fn block_ends_friendship_and_refuses_contact() {
    let app = App::start().await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    let (mona_id, nils_id) = (mona.id.to_string(), nils.id.to_string());
    done(&mona.act(&[("act", "friend"), ("section", "add"), ("object_id", &nils_id)]).await);
    assert_eq!(nils.get("/api/member_lists.php?list=friend_requests").await.json()["members"][0]["user_id"], mona.id);
    done(&nils.act(&[("act", "friend"), ("section", "accept"), ("object_id", &mona_id)]).await);
    let insert = "insert into videos (dir, title, lang, gender, duration, user_id) values ('v', 'V', 'en', 'str', 9, ";
    let video = app.numbers(&format!("{insert} {nils_id}) returning id")).await[0].to_string();
    for _ in 0..2 {
        done(&nils.act(&[("act", "block"), ("section", "add"), ("object_id", &mona_id)]).await);
    }
    assert_eq!(app.number(&format!("select count(*) from friends where {mona_id} in (user_id, friend_id)")).await, 0);
    let blocks = nils.get("/api/member_lists.php?list=blocks").await.json();
    assert_eq!((&blocks["total_count"], &blocks["members"][0]["user_id"]), (&json!(1), &json!(mona.id)));
    for form in [
        &[("act", "friend"), ("section", "add"), ("object_id", &*nils_id)][..],
        &[("act", "wall"), ("object_id", &nils_id), ("msg", "Hello Nils")],
        &[("act", "comm"), ("section", "video"), ("object_id", &video), ("msg", "Hello Nils")],
    ] {
        toasted(&mona.act(form).await, 403, "blocked");
    }
    // Members can neither befriend those they block, nor block themselves or unknown members.
    toasted(&nils.act(&[("act", "friend"), ("section", "add"), ("object_id", &mona_id)]).await, 403, "blocked");
    nils.act(&[("act", "block"), ("section", "add"), ("object_id", &nils_id)]).await.refused(422, "invalid");
    nils.act(&[("act", "block"), ("section", "add"), ("object_id", "999999")]).await.refused(404, "member_not_found");
    for _ in 0..2 {
        done(&nils.act(&[("act", "block"), ("section", "rem"), ("object_id", &mona_id)]).await);
    }
    done(&mona.act(&[("act", "wall"), ("object_id", &nils_id), ("msg", "Hello Nils")]).await);
    app.drain().await;
    app.finish().await;
}
