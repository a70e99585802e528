//! A member's own lists: order, pages, deleted and private entries, history and feed.

use serde_json::{Value, json};

use crate::support::{App, Session, done, schema, video_ids};

/// Returns a page of a list. Panics unless the status is 200.
async fn list(session: &Session, query: &str) -> Value {
    let reply = session.get(&format!("/api/member_lists.php?list={query}")).await;
    assert_eq!(reply.status, 200, "{query}: {}", reply.text());
    assert_eq!(reply.header("cache-control"), "private, no-store");
    reply.json()
}

async fn save(session: &Session, act: &str, ids: &[i64]) {
    for id in ids {
        done(&session.act(&[("act", act), ("section", "add"), ("object_id", &id.to_string())]).await);
    }
}

#[tokio::test]
async fn saved_videos_are_paged_newest_first_and_include_deleted_ones() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    for (act, name) in [("favourite", "favourite_videos"), ("watch_later", "watch_later_videos")] {
        assert_eq!(
            list(&mona, name).await,
            json!({"videos": [], "total_count": 0, "pages": 0, "code": "videos_not_found"})
        );
        save(&mona, act, &[1, 2, 3, 4, 5]).await;
        let first = list(&mona, &format!("{name}&count=2")).await;
        assert_eq!((video_ids(&first), &first["total_count"], &first["pages"]), (vec![5, 4], &json!(5), &json!(3)));
        assert_eq!(video_ids(&list(&mona, &format!("{name}&count=2&page=3")).await), [1]);
        assert_eq!(list(&mona, &format!("{name}&count=2&page=4")).await["code"], "videos_not_found");
    }
    // Cards are the same as in public listings, in the visitor's language.
    let shown = app.json("/api/json/videos2/86400/str/latest-updates/60/all..1.all.all.all.json?lang=ru").await;
    let card = shown["videos"].as_array().unwrap().iter().find(|card| card["video_id"] == 4).unwrap().clone();
    let own = list(&mona, "favourite_videos&lang=ru").await["videos"][1].clone();
    for (name, value) in card.as_object().unwrap() {
        assert_eq!(own[name], *value, "{name}");
    }
    assert_eq!((&own["status_id"], &own["is_private"]), (&json!(1), &json!(false)));

    app.change("update videos set status_id = deleted() where id = 3; update videos set is_private = true where id = 2; update videos set status_id = in_review() where id = 1").await;
    let after = list(&mona, "favourite_videos").await;
    let brief: Vec<_> = after["videos"]
        .as_array()
        .unwrap()
        .iter()
        .map(|video| (video["video_id"].as_i64().unwrap(), video["title"] == "", video["status_id"].as_i64().unwrap()))
        .collect();
    assert_eq!(brief, [(5, false, 1), (4, false, 1), (3, true, 5), (2, false, 1), (1, true, 2)]);
    assert_eq!((&after["videos"][2]["thumb"], &after["videos"][2]["models"]), (&json!(""), &json!([])));
    assert_eq!(after["videos"][3]["is_private"], true);
    app.finish().await;
}

#[tokio::test]
async fn refuses_unknown_lists_and_ignores_claimed_member_ids() {
    let app = App::start().await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    save(&nils, "favourite", &[1, 2]).await;
    let id = nils.id;
    for parameter in ["user_id", "member_id", "id", "object_id"] {
        assert_eq!(list(&mona, &format!("favourite_videos&{parameter}={id}")).await["total_count"], 0);
    }
    for (query, code) in [
        ("", "required"),
        ("list=", "required"),
        ("list=favourites", "invalid"),
        ("list=history&page=0", "invalid"),
        ("list=history&page=x", "invalid"),
        ("list=history&count=0", "invalid"),
        ("list=history&count=101", "invalid"),
        ("list=history&lang=xx", "invalid"),
        ("list=feed&after=x", "invalid"),
    ] {
        mona.get(&format!("/api/member_lists.php?{query}")).await.refused(422, code);
    }
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn history_is_recorded_paused_and_cleared() {
    let app = App::start().await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    let empty = json!({"videos": [], "paused": false, "total_count": 0, "pages": 0, "code": "empty_history"});
    assert_eq!(list(&mona, "history").await, empty);
    let watch = async |session: &Session, id: &str, second: &str| {
        done(&session.act(&[("act", "history"), ("section", "add"), ("object_id", id), ("stopped_at", second)]).await);
    };
    for id in ["1", "2", "3"] {
        watch(&mona, id, "7").await;
    }
    watch(&nils, "1", "9").await;
    watch(&mona, "1", "40").await;
    // A position past the end is clamped to the end.
    watch(&mona, "2", "4000000000").await;
    let history = list(&mona, "history").await;
    let brief: Vec<_> =
        history["videos"].as_array().unwrap().iter().map(|video| (&video["video_id"], &video["stopped_at"])).collect();
    let end = app.number("select duration from videos where id = 2").await;
    assert_eq!(brief, [(&json!(2), &json!(end)), (&json!(1), &json!(40)), (&json!(3), &json!(7))]);
    let beyond = list(&mona, "history&page=9").await;
    assert_eq!((&beyond["code"], &beyond["total_count"]), (&json!("videos_not_found"), &json!(3)));
    // Deleted, unfinished and unknown videos are not recorded.
    for id in ["50", "47", "999999"] {
        watch(&mona, id, "1").await;
    }
    assert_eq!(list(&mona, "history").await["total_count"], 3);
    for _ in 0..2 {
        done(&mona.act(&[("act", "history"), ("section", "rem"), ("object_id", "1")]).await);
    }
    assert_eq!(video_ids(&list(&mona, "history").await), [2, 3]);
    for _ in 0..2 {
        done(&mona.act(&[("act", "history"), ("section", "pause")]).await);
    }
    watch(&mona, "4", "1").await;
    let paused = list(&mona, "history").await;
    assert_eq!((video_ids(&paused), &paused["paused"]), (vec![2, 3], &json!(true)));
    done(&mona.act(&[("act", "history"), ("section", "resume")]).await);
    watch(&mona, "4", "1").await;
    assert_eq!(video_ids(&list(&mona, "history").await), [4, 2, 3]);
    done(&mona.act(&[("act", "history"), ("section", "clear")]).await);
    assert_eq!(list(&mona, "history").await, empty);
    assert_eq!(video_ids(&list(&nils, "history").await), [1], "another member's history is unchanged");
    mona.act(&[("act", "history"), ("section", "rem")]).await.refused(422, "required");
    mona.act(&[("act", "history"), ("section", "burn")]).await.refused(422, "invalid");
    app.finish().await;
}

#[tokio::test]
async fn feed_lists_videos_of_subscriptions() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    assert_eq!(list(&mona, "feed").await["code"], "videos_not_found");
    for (kind, id) in [("model", "2"), ("channel", "1"), ("user", "2")] {
        done(&mona.act(&[("act", "subscribe"), ("section", "add"), ("object_type", kind), ("object_id", id)]).await);
    }
    app.drain().await;
    let expected = app
        .numbers(
            "select id from videos v where visible and (channel_id = 1 or user_id = 2
                or exists (select from video_models l where l.video_id = v.id and l.model_id = 2))
             order by post_date desc, id desc",
        )
        .await;
    let first = list(&mona, "feed&count=50").await;
    assert_eq!(first["total_count"], expected.len());
    assert_eq!(video_ids(&first), expected[..50]);
    assert_eq!(video_ids(&list(&mona, "feed&count=50&page=2").await), expected[50..100]);
    // Because pages continue from a key, a video inserted in between shifts nothing.
    app.change("insert into videos (dir, title, lang, gender, duration, user_id, post_date) values ('new', 'New', 'en', 'str', 9, 2, to_timestamp(1790000000))").await;
    let (mut seen, mut next) = (video_ids(&first), first["next"].as_str().map(str::to_owned));
    while let Some(after) = next {
        let page = list(&mona, &format!("feed&count=50&after={after}")).await;
        seen.extend(video_ids(&page));
        assert!(seen.len() <= expected.len(), "paging ends");
        next = page["next"].as_str().map(str::to_owned);
    }
    assert_eq!(seen, expected);
    app.change("update videos set is_private = true where user_id = 2").await;
    assert!(
        !video_ids(&list(&mona, "feed&count=100").await).iter().any(|id| id % 2 == 1),
        "feeds contain no private videos"
    );
    app.finish().await;
}

#[tokio::test]
async fn own_lists_include_objects_in_every_state() {
    let app = App::start().await;
    let uploader = app.sign_in(1, "uploader").await;
    let uploads = list(&uploader, "uploaded_videos&count=100").await;
    let expected = app
        .numbers("select id from videos where user_id = 1 and status_id <> deleted() order by id desc limit 100")
        .await;
    assert_eq!(video_ids(&uploads), expected);
    assert!(expected.contains(&164) && expected.contains(&188), "one is private, one awaits moderation");
    for video in uploads["videos"].as_array().unwrap() {
        let id = video["video_id"].as_i64().unwrap();
        assert_ne!(video["title"], "", "{id}");
        assert_eq!(
            (&video["is_private"], &video["status_id"]),
            (&json!(id % 41 == 0), &json!(if id % 47 == 0 { 2 } else { 1 }))
        );
    }
    let albums = list(&uploader, "albums&count=100").await;
    let ids: Vec<i64> =
        albums["albums"].as_array().unwrap().iter().map(|album| album["album_id"].as_i64().unwrap()).collect();
    assert_eq!(
        ids,
        app.numbers("select id from albums where user_id = 1 and status_id <> deleted() order by id desc").await
    );
    assert!(albums["albums"].as_array().unwrap().iter().any(|album| album["is_private"] == true));
    let playlists = list(&uploader, "playlists&count=100").await;
    let flags: Vec<(i64, bool)> = playlists["playlists"]
        .as_array()
        .unwrap()
        .iter()
        .map(|playlist| (playlist["playlist_id"].as_i64().unwrap(), playlist["private"] == 0))
        .collect();
    let ids = app.numbers("select id from playlists where user_id = 1 order by id desc").await;
    assert_eq!(flags, ids.iter().map(|id| (*id, id % 7 == 0)).collect::<Vec<_>>(), "0 is private");
    let (subscriptions, public) = (
        list(&app.sign_in(3, "member-03").await, "subscriptions&count=100").await,
        "/api/json/subscriptions/7200/0/3.1.json",
    );
    assert_eq!(
        subscriptions["subscriptions"].as_array().unwrap()[..40],
        app.json(public).await["subscriptions"].as_array().unwrap()[..]
    );
    app.finish().await;
}

#[tokio::test]
async fn responses_match_the_openapi_document() {
    let app = App::start().await;
    let document = app.json("/api/openapi.json").await;
    let member = app.sign_in(3, "member-03").await;
    app.sql(
        "insert into favourites (user_id, video_id) values (3, 1), (3, 50); insert into history (user_id, video_id) values (3, 2);
         insert into messages (sender_id, recipient_id, body) values (4, 3, 'Hello'); insert into blocks values (3, 5), (3, 6);
         insert into profiles (user_id) values (10) on conflict do nothing",
    )
    .await;
    let lists = lantern_config::MemberList::ALL.iter().map(|list| format!("/api/member_lists.php?list={list}"));
    let more =
        ["/api/messages.php?with=4", "/api/member.php", "/api/member_lists.php?list=feed&count=1"].map(str::to_owned);
    for path in lists.chain(more) {
        for session in [&member, &app.sign_in(10, "member-10").await] {
            let reply = session.get(&path).await;
            assert_eq!(reply.status, 200, "{path}: {}", reply.text());
            let call = &document["paths"][path.split('?').next().unwrap()]["get"];
            let expected = &call["responses"]["200"]["content"]["application/json"]["schema"];
            assert!(expected.is_object(), "{path}");
            let errors = schema::errors(&document, expected, &reply.json());
            assert!(errors.is_empty(), "{path}: {errors:#?}");
        }
    }
    app.drain().await;
    app.finish().await;
}
