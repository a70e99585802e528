//! A film that is to replace another is seen by moderators only.

use lantern_testing::film;
use serde_json::json;

use super::swapped::{published, text};
use crate::{
    moderate::decide::inspect,
    support::video_ids,
    upload::{
        films::{self, EDIT, replaced},
        tus::begin_replacing,
    },
};

#[tokio::test]
async fn nobody_but_moderators_sees_a_film_before_it_replaces_another() {
    let app = films::app().await;
    let (mona, nils) = (app.member("mona").await, app.moderator("nils").await);
    app.change(&format!("update users set status_id = manages_uploads() where id = {}", mona.id)).await;
    let id = published(&app, &mona, 111).await;
    let replacement = replaced(&app, &mona, id, &film("5", 112)).await["video"]["video_id"].as_i64().unwrap();
    app.drain().await;
    let number = replacement.to_string();

    let page = format!("/api/json/video/86400/{}/{replacement}.json", replacement / 1000);
    for path in [page, format!("/api/videofile.php?video_id={replacement}"), format!("{EDIT}?video_id={replacement}")] {
        assert_eq!((mona.get(&path).await.status, app.get(&path).await.status >= 400), (404, true), "{path}");
    }
    let seen = inspect(&nils, replacement).await;
    for address in [seen["frames"][3].as_str().unwrap(), seen["file"]["video_url"][0]["url"].as_str().unwrap()] {
        let statuses = [nils.get(address).await.status, mona.get(address).await.status, app.get(address).await.status];
        assert_eq!(statuses, [200, 404, 404], "{address}");
    }

    let own = mona.get("/api/member_lists.php?list=uploaded_videos").await.json();
    assert_eq!((video_ids(&own), &own["total_count"]), (vec![id], &json!(1)));
    for list in ["latest-updates", "most-popular"] {
        let path = format!("/api/json/videos2/86400/str/{list}/10/member.{}.1.all.all.all.json", mona.id);
        assert_eq!(app.ids(&path).await, [id], "{list}");
    }
    let found = app.ids("/api/videos2.php?params=86400/str/relevance/10/search..1.all..&s=evenings").await;
    assert_eq!(found, [id]);
    let feed = app.get("/videos/latest-updates/feed/").await;
    let feed = feed.text();
    assert!(!feed.contains(&format!("/videos/{replacement}/")));
    let export = mona.get("/api/account_export.php").await.json();
    let ids: Vec<_> = export["videos"].as_array().unwrap().iter().map(|video| video["id"].clone()).collect();
    assert_eq!(ids, [json!(id)]);

    // Nor can anybody act on it.
    for act in ["favourite", "watch_later", "comm"] {
        let section = if act == "comm" { "video" } else { "add" };
        let refused = mona.act(&[("act", act), ("section", section), ("object_id", &number), ("msg", "A word")]).await;
        assert_eq!(refused.status, 404, "{act}: {}", refused.text());
    }
    for form in [
        vec![("video_id", &*number), ("shot", "1")],
        vec![("video_id", &*number), ("publish_at", "2020-01-31T17:00:00Z")],
        vec![("video_id", &*number), ("act", "2")],
        vec![("video_id", &*number), ("act", "3")],
        vec![("video_id", &*number), ("act", "4")],
        [&[("video_id", &*number)], &films::form("", "Another title")[1..]].concat(),
    ] {
        mona.post(EDIT, &form).await.refused(404, "video_not_found");
    }
    begin_replacing(&mona, 9, replacement).await.refused(404, "video_not_found");
    let kept = format!("select revision::bigint from videos where id = {replacement} and status_id = in_review()");
    assert_eq!(app.numbers(&kept).await, [0]);
    // Its upload takes the video's details.
    let token = text(&app, "select token from uploads where replaces is not null").await;
    mona.post(EDIT, &films::form(&token, "A title")).await.refused(404, "upload_not_found");
    app.drain().await;
    app.finish().await;
}
