//! Captions: what players get, and how owners and moderators change them.

use serde_json::{Value, json};

use crate::support::{App, Session, done};

const PATH: &str = "/api/video_captions.php";
const SRT: &str = "1\n00:00:01,000 --> 00:00:02,500\nGood <i>evening</i>.\n";
const VTT: &str = "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nGood <i>evening</i>.\n";

async fn file(session: &Session) -> Value {
    session.get("/api/videofile.php?video_id=2").await.json()
}

fn form<'a>(lang: &'a str, captions: &'a str) -> [(&'a str, &'a str); 3] {
    [("video_id", "2"), ("lang", lang), ("captions", captions)]
}

#[tokio::test]
async fn captions_are_shown_in_all_players() {
    let app = App::start().await;
    let owner = app.sign_in(1, "uploader").await;
    let plain = file(&owner).await;
    assert_eq!((&plain["captions"], plain.get("playlist")), (&json!([]), None));
    let sent = done(&owner.post(PATH, &form("de", SRT)).await);
    let track = json!({ "kind": "subtitles", "lang": "de", "label": "Deutsch", "src": "/api/captions.php?video_id=2&lang=de&kind=subtitles" });
    assert_eq!((&sent["captions"], &sent["status_id"]), (&json!([track]), &json!(2)), "nobody has reviewed them");
    let src = track["src"].as_str().unwrap();
    app.get(src).await.refused(404, "video_not_found");
    assert_eq!(owner.get("/api/video_edit.php?video_id=2").await.json()["captions"], json!([track]));
    app.change("update videos set status_id = published() where id = 2").await;
    let captions = app.get(src).await;
    assert_eq!((captions.header("content-type"), captions.text().as_str()), ("text/vtt; charset=utf-8", VTT));
    let now = app.json("/api/videofile.php?video_id=2").await;
    assert_eq!(now["captions"], json!([track]));
    let url = now["video_url"][0]["url"].as_str().unwrap();
    assert!(url.ends_with("/hls/master.m3u8"), "the app renews the signature in it: {url}");
    let playlist = now["playlist"].as_str().unwrap();
    let list = app.get(&format!("{playlist}&lang=de")).await;
    assert_eq!(list.header("content-type"), "application/vnd.apple.mpegurl");
    assert!(list.text().contains(src), "{}", list.text());
    let (_, embed) = app.page("/embed/2/").await;
    assert_eq!(embed.attrs("video track", "src"), [src]);
    assert!(
        embed.attrs("video source", "src")[0].ends_with("/hls/master.m3u8"),
        "the browser would list captions twice"
    );
    app.finish().await;
}

#[tokio::test]
async fn tracks_are_replaced_and_removed() {
    let app = App::configured(|config| config.captions.max_tracks = 2).await;
    let owner = app.sign_in(1, "uploader").await;
    done(&owner.post(PATH, &form("de", SRT)).await);
    done(&owner.post(PATH, &form("de", &SRT.replace("evening", "night"))).await);
    let sound = [("video_id", "2"), ("lang", "de"), ("kind", "captions"), ("captions", VTT)];
    done(&owner.post(PATH, &sound).await);
    let kinds = |file: &Value| -> Vec<String> {
        file["captions"].as_array().unwrap().iter().map(|track| track["kind"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(kinds(&file(&owner).await), ["subtitles", "captions"]);
    assert!(owner.get("/api/captions.php?video_id=2&lang=de").await.text().contains("night"));
    owner.post(PATH, &form("fr", SRT)).await.refused(422, "captions_too_many");
    done(&owner.post(PATH, &[("video_id", "2"), ("lang", "de"), ("remove", "1")]).await);
    owner.post(PATH, &[("video_id", "2"), ("lang", "de"), ("remove", "1")]).await.refused(404, "captions_not_found");
    assert_eq!(kinds(&file(&owner).await), ["captions"]);
    owner.get("/api/captions.php?video_id=2&lang=de").await.refused(404, "captions_not_found");
    owner.get("/api/stream.php?video_id=2&lang=de").await.refused(404, "captions_not_found");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn what_is_wrong_with_captions_is_named() {
    let app = App::configured(|config| {
        config.safety.prohibited_terms = vec!["forbidden words".to_owned()];
        config.captions.max_bytes = 200;
        config.captions.max_cues = 1;
    })
    .await;
    let owner = app.sign_in(1, "uploader").await;
    let cue = |text: &str| format!("WEBVTT\n\n00:01.000 --> 00:02.000\n{text}\n");
    let two = format!("{}\n00:03.000 --> 00:04.000\nwords\n", cue("Forbidden"));
    for (captions, code, bound) in [
        ("no captions".to_owned(), "captions_format", json!(null)),
        ("1\n00:00:01,000 --> soon\nHi\n".to_owned(), "captions_times", json!(2)),
        (cue("<b></b>"), "captions_empty", json!(null)),
        (two, "captions_too_long", json!(1)),
        (cue("so <b>forbidden</b>\nwords"), "prohibited_terms", json!(null)),
        (cue(&"x".repeat(200)), "file_too_large", json!(200)),
        (String::new(), "required", json!(null)),
    ] {
        let reply = owner.post(PATH, &form("de", &captions)).await;
        reply.refused(422, code);
        assert_eq!(
            (&reply.json()["field"], &reply.json()["info"]["bound"]),
            (&json!("captions"), &bound),
            "{captions}"
        );
    }
    owner.post(PATH, &form("zz", SRT)).await.refused(422, "invalid");
    owner.post(PATH, &form("", SRT)).await.refused(422, "required");
    app.member("mona").await.post(PATH, &form("de", SRT)).await.refused(404, "video_not_found");
    app.guest_posts(PATH, &form("de", SRT)).await.refused(401, "need_auth");
    assert_eq!(app.number("select count(*) from captions").await, 0);
    assert_eq!(app.number("select count(*) from videos where id = 2 and status_id = published()").await, 1);
    app.finish().await;
}

#[tokio::test]
async fn moderators_correct_captions_on_the_record() {
    let app = App::start().await;
    let owner = app.sign_in(1, "uploader").await;
    done(&owner.post(PATH, &form("de", SRT)).await);
    app.change("update videos set status_id = published() where id = 2").await;
    let moderator = app.moderator("mona").await;
    let corrected = done(&moderator.post("/api/moderate/captions", &form("de", &SRT.replace("evening", "day"))).await);
    assert_eq!(corrected["status_id"], 1, "the video stays online");
    assert!(app.get("/api/captions.php?video_id=2&lang=de").await.text().contains("day"));
    done(&moderator.post("/api/moderate/captions", &[("video_id", "2"), ("lang", "de"), ("remove", "1")]).await);
    app.get("/api/captions.php?video_id=2&lang=de").await.refused(404, "captions_not_found");
    let acts = "select count(*) from decisions where section = 'video' and object_id = 2 and act in ('correct captions', 'remove captions')";
    assert_eq!(app.number(acts).await, 2);
    owner.post("/api/moderate/captions", &form("de", SRT)).await.refused(403, "dont_have_permission");
    app.drain().await;
    app.finish().await;
}
