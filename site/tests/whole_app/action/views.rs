//! Counting of views.

use futures_util::future::join_all;
use serde_json::json;

use crate::support::{App, BROWSER, done, listing};

fn view<'a>(section: &'a str, id: &'a str) -> [(&'a str, &'a str); 3] {
    [("act", "view"), ("section", section), ("object_id", id)]
}

async fn behind_a_proxy() -> App {
    App::configured(|config| config.server.trusted_proxies = vec!["127.0.0.0/8".to_owned()]).await
}

async fn viewed(app: &App, section: &str, id: u32) -> i64 {
    app.flush().await;
    app.number(&format!("select viewed from {section}_stats where {section}_id = {id}")).await
}

#[tokio::test]
async fn viewer_counts_once_per_half_hour() {
    let app = behind_a_proxy().await;
    let mika = app.member("mika").await;
    for section in ["video", "album", "model", "playlist", "user", "channel"] {
        let before = viewed(&app, section, 1).await;
        for address in ["192.0.2.1", "192.0.2.1", "192.0.2.2", "2001:db8:1:1::1", "2001:db8:1:1::2"] {
            assert_eq!(done(&app.guest_acts(address, BROWSER, &view(section, "1")).await), json!({"ok": 1}));
        }
        done(&mika.act(&view(section, "1")).await);
        done(&mika.act(&view(section, "1")).await);
        assert_eq!(viewed(&app, section, 1).await, before + 4, "{section}");
        done(&app.guest_acts("192.0.2.1", BROWSER, &view(section, "1")).await);
        done(&app.guest_acts("192.0.2.1", "another browser", &view(section, "1")).await);
        assert_eq!(viewed(&app, section, 1).await, before + 4, "{section}: counted already");
        app.sql("update recent_views set viewed_at = viewed_at - interval '30 minutes'").await;
        done(&app.guest_acts("192.0.2.1", BROWSER, &view(section, "1")).await);
        assert_eq!(viewed(&app, section, 1).await, before + 5, "{section}: half an hour later");
    }
    app.finish().await;
}

#[tokio::test]
async fn hidden_objects_count_no_views() {
    let app = behind_a_proxy().await;
    for (section, id, code) in [
        ("video", "41", "video_not_found"),
        ("video", "50", "video_not_found"),
        ("video", "999", "video_not_found"),
        ("album", "11", "album_not_found"),
        ("playlist", "7", "playlist_not_found"),
        ("user", "39", "member_not_found"),
        ("model", "99", "model_not_found"),
        ("channel", "9", "channel_not_found"),
    ] {
        app.guest_acts("192.0.2.1", BROWSER, &view(section, id)).await.refused(404, code);
    }
    // Members' views of private videos are added to the history but not counted. Unfinished videos are visible only to
    // their owner.
    let (owner, mika) = (app.sign_in(2, "other").await, app.member("mika").await);
    let before = viewed(&app, "video", 41).await;
    for member in [&owner, &mika] {
        done(&member.act(&view("video", "41")).await);
        assert_eq!(viewed(&app, "video", 41).await, before);
        let history = format!("select video_id from history where user_id = {}", member.id);
        assert_eq!(app.numbers(&history).await, [41]);
    }
    done(&owner.act(&view("video", "47")).await);
    // The response does not reveal whether a hidden video exists.
    for video in ["47", "50", "999"] {
        assert_eq!(done(&mika.act(&view("video", video)).await), json!({"ok": 1}));
    }
    assert_eq!(app.numbers(&format!("select video_id from history where user_id = {}", mika.id)).await, [41]);
    mika.act(&view("album", "11")).await.refused(404, "album_not_found");
    // The video was cached as public a moment ago.
    let before = viewed(&app, "video", 1).await;
    done(&app.guest_acts("192.0.2.1", BROWSER, &view("video", "1")).await);
    app.change("update videos set is_private = true where id = 1").await;
    done(&app.guest_acts("192.0.2.2", BROWSER, &view("video", "1")).await);
    assert_eq!(viewed(&app, "video", 1).await, before);
    app.finish().await;
}

#[tokio::test]
async fn bots_count_no_views() {
    let app = behind_a_proxy().await;
    let before = viewed(&app, "video", 1).await;
    for (n, agent) in ["Mozilla/5.0 (compatible; Googlebot/2.1)", "curl/8.5.0", "python-requests/2.32", "AhrefsBot/7.0"]
        .into_iter()
        .enumerate()
    {
        done(&app.guest_acts(&format!("192.0.2.{n}"), agent, &view("video", "1")).await);
    }
    assert_eq!(viewed(&app, "video", 1).await, before);
    app.finish().await;
}

#[tokio::test]
async fn verified_crawlers_count_no_views_with_any_user_agent() {
    let app = App::configured(|config| {
        config.server.trusted_proxies = vec!["127.0.0.0/8".to_owned()];
        config.views.bots = Vec::new();
        config.crawlers.engines[0].agents = vec!["Search Engine".to_owned()];
        config.crawlers.engines[0].ranges = vec!["192.0.2.0/28".parse().unwrap()];
    })
    .await;
    let before = viewed(&app, "video", 1).await;
    done(&app.guest_acts("192.0.2.1", "Search Engine", &view("video", "1")).await);
    assert_eq!(viewed(&app, "video", 1).await, before);
    done(&app.guest_acts("192.0.2.77", "Search Engine", &view("video", "1")).await);
    assert_eq!(viewed(&app, "video", 1).await, before + 1, "from other addresses the user agent is not trusted");
    app.finish().await;
}

#[tokio::test]
async fn views_count_by_day_and_by_country_unless_nogeo() {
    let app = behind_a_proxy().await;
    let country = async |country: &str| {
        app.flush().await;
        let query =
            format!("select coalesce(sum(viewed), 0) from view_countries where video_id = 1 and country = '{country}'");
        app.number(&query).await
    };
    let mika = app.member("mika").await;
    let before = (country("JP").await, viewed(&app, "video", 1).await);
    let send = async |member: &str, headers: &[(&str, &str)], more: &[(&str, &str)]| {
        let headers = [headers, &[("x-forwarded-for", member)]].concat();
        let form = [&view("video", "1")[..], more].concat();
        done(&mika.post_with("/api/stat.php", &form, &headers).await);
        app.flush().await;
        app.sql("delete from recent_views").await;
    };
    send("192.0.2.1", &[("x-country-code", "jp")], &[]).await;
    assert_eq!((country("JP").await, viewed(&app, "video", 1).await), (before.0 + 1, before.1 + 1));
    send("192.0.2.1", &[("x-country-code", "JP")], &[("nogeo", "1")]).await;
    assert_eq!((country("JP").await, viewed(&app, "video", 1).await), (before.0 + 1, before.1 + 2));
    send("192.0.2.1", &[], &[("nogeo", "0")]).await;
    assert_eq!((country("XX").await, viewed(&app, "video", 1).await), (0, before.1 + 3));
    assert_eq!(app.number("select viewed from view_days where video_id = 1").await, 3);
    app.counters().await;
    let list = app.json(&listing("latest-updates", 1, "all..1.all.all.all")).await;
    assert_eq!(list["videos"][0]["video_viewed"], before.1 + 3);
    app.finish().await;
}

#[tokio::test]
async fn concurrent_views_are_counted_exactly_with_a_full_buffer() {
    // If the buffer is full, each view waits for a pool connection, so a busy machine serves fewer of them in time.
    for (buffer, viewers) in [(20_000, 64), (3, 24)] {
        let app = App::configured(|config| {
            config.server.trusted_proxies = vec!["127.0.0.0/8".to_owned()];
            config.views.buffer = buffer;
        })
        .await;
        let before = viewed(&app, "video", 1).await;
        let replies = join_all((0..2 * viewers).map(|n| {
            let app = &app;
            // Each viewer clicks twice.
            async move { app.guest_acts(&format!("192.0.2.{}", n / 2), BROWSER, &view("video", "1")).await }
        }))
        .await;
        replies.iter().for_each(|reply| drop(done(reply)));
        assert_eq!(viewed(&app, "video", 1).await, before + viewers, "buffer of {buffer}");
        assert_eq!(app.number("select count(*) from recent_views").await, viewers);
        app.finish().await;
    }
}

#[tokio::test]
async fn view_is_written_directly_when_the_buffer_is_full() {
    let app = App::configured(|config| config.views.buffer = 1).await;
    let before = viewed(&app, "video", 1).await;
    for id in ["1", "2", "3"] {
        done(&app.guest_acts("192.0.2.1", BROWSER, &view("video", id)).await);
    }
    // At most one of them is still buffered before a flush.
    assert!(app.number("select count(*) from recent_views").await >= 2);
    assert_eq!(viewed(&app, "video", 1).await, before + 1);
    app.finish().await;
}

#[tokio::test]
async fn views_are_recorded_in_history_unless_paused() {
    let app = behind_a_proxy().await;
    let mika = app.member("mika").await;
    let history = async || {
        app.flush().await;
        app.numbers(&format!("select video_id from history where user_id = {} order by 1", mika.id)).await
    };
    done(&mika.act(&view("video", "1")).await);
    done(&mika.act(&view("album", "2")).await);
    // A claimed member id is ignored.
    done(&mika.act(&[&view("video", "2")[..], &[("user_id", "2")]].concat()).await);
    assert_eq!(history().await, [1, 2]);
    app.sql(&format!("insert into history_pauses (user_id) values ({})", mika.id)).await;
    done(&mika.act(&view("video", "3")).await);
    assert_eq!(history().await, [1, 2]);
    assert_eq!(app.number("select count(*) from history where user_id = 2").await, 0);
    app.finish().await;
}
