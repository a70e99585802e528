//! Limits that are changed between two starts. Objects that were stored under the old limits stay readable, editable
//! and deletable.

use lantern_config::Config;

use crate::support::{App, Session, done, listing, toasted};

/// Returns the member's browser on a node that is started with other settings.
fn restarted(app: &App, member: &Session, change: impl FnOnce(&mut Config)) -> Session {
    let site = lantern_site::Site::new(app.node_with(change).unwrap());
    Session { site, ..member.at("127.0.0.1") }
}

#[tokio::test]
async fn comment_longer_than_a_lowered_limit_is_shown_deleted_and_restored() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let long = "é".repeat(1500);
    let write = |text: &str| -> Vec<(&'static str, String)> {
        let fields = [("act", "comm"), ("section", "video"), ("object_id", "1"), ("msg", text)];
        fields.map(|(name, value)| (name, value.to_owned())).into()
    };
    let send = async |member: &Session, form: &[(&'static str, String)]| {
        member.act(&form.iter().map(|(name, value)| (*name, &**value)).collect::<Vec<_>>()).await
    };
    let id = done(&send(&mika, &write(&long)).await)["comment_id"].to_string();

    let mika = restarted(&app, &mika, |config| config.comments.max_length = 20);
    let refused = send(&mika, &write(&"é".repeat(21))).await;
    refused.refused(422, "max_length");
    assert_eq!(refused.json()["info"]["bound"], 20);
    done(&send(&mika, &write(&"é".repeat(20))).await);
    let texts = async || {
        let shown = mika.get("/api/json/comments/0/video/0/1.json").await;
        assert_eq!(shown.status, 200, "{}", shown.text());
        let comments = shown.json()["comments"].as_array().unwrap().clone();
        comments.iter().map(|comment| comment["comment"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(texts().await[..2], ["é".repeat(20), long.clone()]);
    for (act, is_shown) in [("comm_del", false), ("comm_undel", true), ("comm_del", false)] {
        done(&mika.act(&[("act", act), ("comment_id", &id)]).await);
        assert_eq!(texts().await.contains(&long), is_shown, "{act}");
    }
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn playlist_larger_than_a_lowered_limit_stays_editable_and_deletable() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let (title, desc) = ("x".repeat(100), "y".repeat(500));
    let details = |title, desc| [("act", "playlist"), ("title", title), ("desc", desc), ("visible", "1")];
    let new = [&details(&title, &desc)[..], &[("section", "new")]].concat();
    let id = done(&mika.act(&new).await)["playlist_id"].to_string();
    let change = async |member: &Session, section: &str, fields: &[(&str, &str)]| {
        let form = [("act", "playlist"), ("section", section), ("object_id", &*id)];
        member.act(&[&form[..], fields].concat()).await
    };
    for video in ["1", "2", "3", "4"] {
        done(&change(&mika, "add", &[("video_id", video)]).await);
    }

    let small = restarted(&app, &mika, |config| {
        (config.playlists.max_videos, config.playlists.max_per_member) = (2, 0);
        (config.playlists.title_max, config.playlists.description_max) = (20, 30);
    });
    app.drain().await;
    let videos = async || {
        let list = small.get(&listing("latest-updates", 60, &format!("playlist.{id}.1.all.all.all"))).await;
        assert_eq!(list.status, 200, "{}", list.text());
        crate::support::video_ids(&list.json())
    };
    let before = videos().await;
    assert_eq!(before.len(), 4, "all videos are still shown");
    let full = async || toasted(&change(&small, "add", &[("video_id", "5")]).await, 409, "playlist_full");
    full().await;
    toasted(
        &small.act(&[&details("Another", "Another one")[..], &[("section", "new")]].concat()).await,
        409,
        "too_many_playlists",
    );
    // Its order can still be changed, and videos can be removed until there is room again.
    let last = before[3].to_string();
    done(&change(&small, "move", &[("video_id", &last), ("position", "1")]).await);
    app.drain().await;
    assert_eq!(videos().await, [before[3], before[0], before[1], before[2]]);
    for video in &before[..2] {
        done(&change(&small, "rem", &[("video_id", &video.to_string())]).await);
        full().await;
    }
    done(&change(&small, "rem", &[("video_id", &last)]).await);
    done(&change(&small, "add", &[("video_id", "5")]).await);
    done(&change(&small, "del", &[]).await);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn saved_searches_above_a_lowered_limit_are_listed_and_removed() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let add = |name, address| [("act", "saved_search"), ("section", "add"), ("title", name), ("address", address)];
    for address in ["/videos/longest/1/", "/videos/top-rated/1/", "/search/1/?s=night"] {
        done(&mika.act(&add("Evenings by the harbour", address)).await);
    }
    let mika = restarted(&app, &mika, |config| {
        (config.member_area.saved_searches, config.member_area.saved_name_max) = (1, 5);
    });
    let saved = async || {
        let list = mika.get("/api/member_lists.php?list=saved_searches").await;
        list.json()["saved_searches"].as_array().cloned().unwrap_or_default()
    };
    let list = saved().await;
    assert_eq!(list.len(), 3);
    let full = async || {
        toasted(&mika.act(&add("Next", "/videos/latest-updates/1/")).await, 409, "too_many_saved_searches");
    };
    full().await;
    let change = async |of: &serde_json::Value, section: &str, name: &str| {
        let id = of["saved_id"].to_string();
        mika.act(&[("act", "saved_search"), ("section", section), ("object_id", &id), ("title", name)]).await
    };
    change(&list[0], "upd", "Too long").await.refused(422, "max_length");
    done(&change(&list[0], "upd", "Short").await);
    for (left, one) in list.iter().enumerate().rev() {
        full().await;
        done(&change(one, "rem", "").await);
        assert_eq!(saved().await.len(), left);
    }
    done(&mika.act(&add("Next", "/videos/latest-updates/1/")).await);
    app.finish().await;
}

#[tokio::test]
async fn pages_larger_than_a_lowered_limit_are_not_found() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let page = |count| listing("latest-updates", count, "all..1.all.all.all");
    assert_eq!(mika.get(&page(100)).await.status, 200);
    let small = restarted(&app, &mika, |config| config.listing.max_page_size = 96);
    for (count, status) in [(96, 200), (97, 404), (100, 404)] {
        assert_eq!(small.get(&page(count)).await.status, status, "{count}");
    }
    // The pages of the site don't depend on what a request may ask for.
    for path in ["/videos/latest-updates/1/", "/"] {
        assert_eq!(small.get(path).await.status, 200, "{path}");
    }
    app.finish().await;
}
