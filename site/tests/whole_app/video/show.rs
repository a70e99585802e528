//! The calls `video`, `videos_related2` and `videofile.php`, and the streams of the latter.

use axum::http::Method;
use serde_json::json;

use crate::support::{App, video_ids};

fn path(id: i64) -> String {
    format!("/api/json/video/86400/{}/{id}.json", id / 1000 * 1000)
}

#[tokio::test]
async fn video_is_returned_with_all_its_data() {
    let app = App::start().await;
    let answer = app.json(&format!("{}?lang=ru", path(20))).await;
    let video = &answer["video"];
    assert_eq!(video["title"], "Ночной рынок 20");
    assert_eq!(video["description"], "Снято одним кадром");
    assert_eq!(video["user"], json!({"id": 1, "username": "uploader", "avatar": null, "user_id": 1}));
    assert_eq!(
        video["channel"],
        json!({"id": 1, "url": "https://north.example/", "title": "North", "cf1": "/media/p/demo/pictures/01-640.webp", "vda": null, "hidden": false})
    );
    let viewed = 20 * 7919 % 10007;
    assert_eq!(video["statistics"], json!({"viewed": viewed, "likes": 13, "dislikes": 6}));
    let rest = json!({"status_id": 1, "is_private": false, "sg_id": 0, "ex_tube": null, "ex_id": null, "embed": null, "gender": "gay", "user_id": 1, "playlist_id": null});
    for (name, value) in rest.as_object().unwrap() {
        assert_eq!(video[name], *value, "{name}");
    }
    assert_eq!(video["categories"].as_array().unwrap().len(), 2);
    assert_eq!(app.json(&path(6)).await["video"]["channel"], json!(null));
    app.finish().await;
}

#[tokio::test]
async fn video_of_a_listed_site_has_its_player() {
    let app = App::configured(|config| {
        config.embeds.insert("videos".to_owned(), "https://player.example/embed/{id}".to_owned());
    })
    .await;
    app.change("update videos set ex_tube = 'videos', ex_id = 'x1' where id = 20").await;
    app.change("update videos set ex_tube = 'others', ex_id = 'x1' where id = 6").await;
    assert_eq!(app.json(&path(20)).await["video"]["embed"], "https://player.example/embed/x1");
    assert_eq!(app.json(&path(6)).await["video"]["embed"], json!(null));
    let page = app.get("/").await;
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(
        policy.ends_with("; frame-src https://player.example") && policy.contains("script-src 'self';"),
        "{policy}"
    );
    app.finish().await;
}

#[tokio::test]
async fn hidden_channels_are_flagged() {
    let app = App::configured(|config| config.listing.hidden_channels = vec![7, 1]).await;
    app.change("insert into channels (dir, title, url) values ('south', 'South', 'https://south.example/')").await;
    app.change("update videos set channel_id = 2 where id = 6").await;
    let channel = async |id| app.json(&path(id)).await["video"]["channel"].clone();
    let (flagged, other) = (channel(20).await, channel(6).await);
    assert_eq!((&flagged["id"], &flagged["hidden"]), (&json!(1), &json!(true)));
    assert_eq!((&other["id"], &other["hidden"], &other["cf1"]), (&json!(2), &json!(false), &json!(null)));
    app.finish().await;
}

#[tokio::test]
async fn deleted_and_private_videos_reveal_only_their_state() {
    let app = App::start().await;
    for (id, status, private) in [(50, 5, false), (41, 1, true)] {
        let answer = app.json(&path(id)).await;
        assert_eq!(answer, json!({"video": {"video_id": id, "status_id": status, "is_private": private, "title": ""}}));
        let related = app.json(&format!("/api/json/videos_related2/432000/12/0/{id}.all.1.json")).await;
        assert_eq!(related, json!({"videos": [], "pages": 0, "total_count": 0, "code": "videos_not_found"}));
    }
    // Signing in doesn't give access to videos that are being moderated, so they are not found in any state.
    let member = app.member("mona").await;
    for (status, private) in [(2, true), (2, false), (3, false), (4, false)] {
        app.change(&format!("update videos set status_id = {status}, is_private = {private} where id = 47")).await;
        let film = "/api/videofile.php?video_id=47";
        for call in [&*path(47), film] {
            app.get(call).await.refused(404, "video_not_found");
            member.get(call).await.refused(404, "video_not_found");
        }
        let embed = app.page("/embed/47/").await.1;
        assert_eq!(embed.texts("[role='alert']"), ["Video not found"]);
        let (reply, dom) = app.page("/videos/47/").await;
        assert_eq!((reply.status, dom.texts("h1")), (404, vec!["Page not found".to_owned()]), "{status}");
    }
    for (bucket, id) in [("0", "999"), ("1000", "1"), ("0", "0"), ("0", "01"), ("0", "1e2"), ("0", "-1"), ("7", "7")] {
        app.get(&format!("/api/json/video/86400/{bucket}/{id}.json")).await.refused(404, "video_not_found");
        app.get(&format!("/api/json/videos_related2/432000/12/{bucket}/{id}.all.1.json"))
            .await
            .refused(404, "video_not_found");
    }
    app.finish().await;
}

#[tokio::test]
async fn related_videos_share_properties_and_exclude_the_video_itself() {
    let app = App::start().await;
    let mut seen = Vec::new();
    let mut total = 0;
    for page in 1..=100 {
        let answer = app.json(&format!("/api/json/videos_related2/432000/12/0/9.all.{page}.json")).await;
        total = answer["total_count"].as_u64().unwrap();
        let ids = video_ids(&answer);
        if ids.is_empty() {
            assert_eq!((&answer["code"], &answer["pages"]), (&json!("videos_not_found"), &json!(page - 1)));
            break;
        }
        assert_eq!(answer["code"], json!(null));
        seen.extend(ids);
    }
    assert_eq!(seen.len() as u64, total);
    assert!(!seen.contains(&9) && total > 20);
    let mut unique = seen.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), seen.len(), "pages overlap");
    let others = app.numbers("select id from videos where not visible or gender <> 'she'").await;
    assert!(seen.iter().all(|id| !others.contains(id)), "only visible videos of the same orientation");
    // Videos that share models come first.
    let share = "(select count(*) from video_models a join video_models b using (model_id) where a.video_id = 9 and b.video_id = v.id)";
    let sharing = app
        .numbers(&format!("select id from videos v where visible and gender = 'she' and id <> 9 and {share} > 0"))
        .await;
    assert!(!sharing.is_empty() && sharing.contains(&seen[0]), "{:?} of {sharing:?}", seen[0]);
    let hd = app.ids("/api/json/videos_related2/432000/20/0/9.hd.1.json").await;
    assert!(!hd.is_empty() && hd.iter().all(|id| id % 2 == 0));
    for path in ["/api/json/videos_related2/432000/13/0/9.all.1.json", "/api/json/videos_related2/1/12/0/9.all.1.json"]
    {
        app.get(path).await.refused(404, "not_found");
    }
    app.finish().await;
}

#[tokio::test]
async fn streams_need_a_signed_link_and_support_ranges() {
    let app = App::start().await;
    let film: Vec<u8> = (0..10_000_u32).map(|n| (n % 251) as u8).collect();
    app.media("demo/01/video.mp4", &film);
    let answer = app.json("/api/videofile.php?video_id=1&lifetime=864000").await;
    let mp4 = answer["video_url"].as_array().unwrap().iter().find(|stream| stream["type"] == "mp4").unwrap();
    let url = mp4["url"].as_str().unwrap();
    assert_eq!(app.get(url).await.body, film);
    let part = app.send(Method::GET, url, &[("range", "bytes=100-199")]).await;
    assert_eq!((part.status, part.header("content-range")), (206, "bytes 100-199/10000"));
    assert_eq!(part.body, film[100..200]);
    let tail = app.send(Method::GET, url, &[("range", "bytes=-10")]).await;
    assert_eq!((tail.status, &tail.body[..]), (206, &film[9990..]));
    let beyond = app.send(Method::GET, url, &[("range", "bytes=20000-")]).await;
    assert_eq!((beyond.status, beyond.header("content-range")), (416, "bytes */10000"));
    let forged = url.replacen("/media/s/", "/media/s/1", 1);
    app.get(&forged).await.refused(403, "dont_have_permission");
    // Films have no public address.
    app.get("/media/p/demo/01/video.mp4").await.refused(404, "file_not_found");
    app.finish().await;
}

#[tokio::test]
async fn film_links_require_permission() {
    let app = App::start().await;
    app.get("/api/videofile.php?video_id=41").await.refused(403, "dont_have_permission");
    app.get("/api/videofile.php?video_id=50").await.refused(404, "video_not_found");
    app.get("/api/videofile.php?video_id=9999").await.refused(404, "video_not_found");
    app.get("/api/videofile.php").await.refused(422, "required");
    for query in ["video_id=x", "video_id=-1", "video_id=0", "video_id=99999999999999999999", "video_id=1&lifetime=5"] {
        app.get(&format!("/api/videofile.php?{query}")).await.refused(422, "invalid");
    }
    app.finish().await;
}
