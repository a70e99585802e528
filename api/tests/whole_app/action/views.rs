//! Views.

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
async fn a_viewer_counts_once_in_half_an_hour() {
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
        assert_eq!(viewed(&app, section, 1).await, before + 4, "{section}: written before");
        app.sql("update recent_views set viewed_at = viewed_at - interval '30 minutes'").await;
        done(&app.guest_acts("192.0.2.1", BROWSER, &view(section, "1")).await);
        assert_eq!(viewed(&app, section, 1).await, before + 5, "{section}: half an hour later");
    }
    app.finish().await;
}

#[tokio::test]
async fn what_is_not_there_is_not_watched() {
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
    // Members watch private videos, which is remembered but not counted; unfinished ones are their owner's.
    let (owner, mika) = (app.sign_in(2, "other").await, app.member("mika").await);
    let before = viewed(&app, "video", 41).await;
    for member in [&owner, &mika] {
        done(&member.act(&view("video", "41")).await);
        assert_eq!(viewed(&app, "video", 41).await, before);
        let history = format!("select video_id from history where user_id = {}", member.id);
        assert_eq!(app.numbers(&history).await, [41]);
    }
    done(&owner.act(&view("video", "47")).await);
    // A member can't tell a private video from one that isn't there.
    for video in ["47", "50", "999"] {
        assert_eq!(done(&mika.act(&view("video", video)).await), json!({"ok": 1}));
    }
    assert_eq!(app.numbers(&format!("select video_id from history where user_id = {}", mika.id)).await, [41]);
    mika.act(&view("album", "11")).await.refused(404, "album_not_found");
    // Known to be public a moment ago.
    let before = viewed(&app, "video", 1).await;
    done(&app.guest_acts("192.0.2.1", BROWSER, &view("video", "1")).await);
    app.change("update videos set is_private = true where id = 1").await;
    done(&app.guest_acts("192.0.2.2", BROWSER, &view("video", "1")).await);
    assert_eq!(viewed(&app, "video", 1).await, before);
    app.finish().await;
}

#[tokio::test]
async fn machines_count_nothing() {
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
async fn verified_engines_count_nothing_whatever_they_call_themselves() {
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
    assert_eq!(viewed(&app, "video", 1).await, before + 1, "from elsewhere anybody says so");
    app.finish().await;
}

#[tokio::test]
async fn days_and_countries_are_counted_unless_asked_not_to() {
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
async fn viewers_at_once_are_counted_exactly_even_without_room_to_wait() {
    // Without room each waits for a connection of the pool, which a busy machine gives to twice as many as there are within its time.
    for (buffer, viewers) in [(20_000, 64), (3, 24)] {
        let app = App::configured(|config| {
            config.server.trusted_proxies = vec!["127.0.0.0/8".to_owned()];
            config.views.buffer = buffer;
        })
        .await;
        let before = viewed(&app, "video", 1).await;
        let replies = join_all((0..2 * viewers).map(|n| {
            let app = &app;
            // Two clicks of each.
            async move { app.guest_acts(&format!("192.0.2.{}", n / 2), BROWSER, &view("video", "1")).await }
        }))
        .await;
        replies.iter().for_each(|reply| drop(done(reply)));
        assert_eq!(viewed(&app, "video", 1).await, before + viewers, "room for {buffer}");
        assert_eq!(app.number("select count(*) from recent_views").await, viewers);
        app.finish().await;
    }
}

#[tokio::test]
async fn a_view_without_room_is_written_by_its_own_request() {
    let app = App::configured(|config| config.views.buffer = 1).await;
    let before = viewed(&app, "video", 1).await;
    for id in ["1", "2", "3"] {
        done(&app.guest_acts("192.0.2.1", BROWSER, &view("video", id)).await);
    }
    // Without a flush: at most one of them waits.
    assert!(app.number("select count(*) from recent_views").await >= 2);
    assert_eq!(viewed(&app, "video", 1).await, before + 1);
    app.finish().await;
}

#[tokio::test]
async fn views_are_in_the_history_unless_it_is_paused() {
    let app = behind_a_proxy().await;
    let mika = app.member("mika").await;
    let history = async || {
        app.flush().await;
        app.numbers(&format!("select video_id from history where user_id = {} order by 1", mika.id)).await
    };
    done(&mika.act(&view("video", "1")).await);
    done(&mika.act(&view("album", "2")).await);
    // Claiming to be somebody else changes nothing.
    done(&mika.act(&[&view("video", "2")[..], &[("user_id", "2")]].concat()).await);
    assert_eq!(history().await, [1, 2]);
    app.sql(&format!("insert into history_pauses (user_id) values ({})", mika.id)).await;
    done(&mika.act(&view("video", "3")).await);
    assert_eq!(history().await, [1, 2]);
    assert_eq!(app.number("select count(*) from history where user_id = 2").await, 0);
    app.finish().await;
}
