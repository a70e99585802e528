//! Configured limits in the app's boot data.

use lantern_config::{Config, Exact, Policy};
use serde_json::{Value, json};

use crate::{
    page::answers::boot,
    support::{App, done},
};

fn other_numbers(config: &mut Config) {
    (config.listing.max_categories, config.listing.search_min, config.listing.search_max) = (4, 1, 40);
    config.listing.related_counts = vec![8, 24];
    (config.comments.min_length, config.comments.max_length) = (7, 900);
    (config.playlists.title_min, config.playlists.title_max) = (2, 80);
    (config.playlists.description_min, config.playlists.description_max) = (6, 400);
    config.accounts.password_min = 9;
    (config.accounts.confirm_seconds, config.accounts.restore_seconds) = (86_400, 1_800);
    (config.reports.max_message, config.reports.max_subject, config.reports.max_ref) = (700, 90, 300);
    config.reports.reasons.retain(|reason| reason != "insult");
    config.pictures.max_bytes = 2_000_000;
    (config.mutes.per_kind, config.mutes.watched) = (20, 60);
    (config.member_area.message_max, config.member_area.saved_searches) = (800, 12);
    config.member_area.saved_name_max = 60;
    (config.member_area.readd_days, config.member_area.readd_days_max) = (3, 30);
    (config.member_area.resume_from, config.member_area.resume_until) = (10, 90);
}

#[tokio::test]
async fn pages_embed_configured_limits() {
    let app = App::configured(other_numbers).await;
    let expected = json!({
        "names": 4,
        "search": { "min": 1, "max": 40 },
        "related": 8,
        "comment": { "min": 7, "max": 900 },
        "message": { "min": 1, "max": 800 },
        "playlist_title": { "min": 2, "max": 80 },
        "playlist_description": { "min": 6, "max": 400 },
        "username": { "min": 3, "max": 20 },
        "password_min": 9,
        "confirm_seconds": 86_400,
        "restore_seconds": 1_800,
        "report": {
            "message": 700,
            "subject": 90,
            "ref": 300,
            "reasons": ["illegal", "minor", "non_consensual", "private_data", "copyright", "violence", "spam", "broken", "other"],
        },
        "picture_bytes": 2_000_000,
        "picture_types": ["image/jpeg", "image/png", "image/webp", "image/gif"],
        "mutes": 20,
        "watched": 60,
        "saved_searches": 12,
        "saved_name": 60,
        "readd_days": [3, 30],
        "resume": [10, 90],
    });
    // Missing pages are included, because the app continues from there.
    for path in ["/", "/videos/longest/1/", "/nothing/", "/signup/"] {
        assert_eq!(boot(&app, path, "").await["limits"], expected, "{path}");
    }
    app.finish().await;
}

#[tokio::test]
async fn pages_and_api_use_configured_counts_of_categories_and_related_videos() {
    let app = App::configured(other_numbers).await;
    let page = boot(&app, "/categories/travel,dance,music,yoga/longest/1/", "").await;
    let list = "/api/json/videos2/86400/str/longest/60/categories.dance,music,travel,yoga.1.all.all.all.json?lang=en";
    assert_eq!(page["answers"][list], app.json(list).await);
    assert_eq!(app.get("/categories/travel,dance,music,yoga,light/longest/1/").await.status, 404);
    // The page embeds the related videos that the app would request.
    let video = boot(&app, "/videos/12/anything/", "").await;
    let related = |answers: &Value| -> Vec<String> {
        answers.as_object().unwrap().keys().filter(|url| url.contains("/videos_related2/")).cloned().collect()
    };
    let calls = related(&video["answers"]);
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert!(calls[0].contains("/8/"), "{calls:?}");
    assert_eq!(app.get(&calls[0]).await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn comment_limit_is_included_in_its_error() {
    let app = App::configured(|config| {
        config.limits.comment = Policy::Exact(Exact { attempts: 2, per_seconds: 1_800 });
    })
    .await;
    let mika = app.member("mika").await;
    let comment = |msg| [("act", "comm"), ("section", "video"), ("object_id", "1"), ("msg", msg)];
    for msg in ["The first one", "The second one"] {
        done(&mika.act(&comment(msg)).await);
    }
    let refused = mika.act(&comment("The third one")).await;
    refused.refused(429, "too_many_comments");
    let info = &refused.json()["info"];
    assert_eq!((&info["attempts"], &info["per_seconds"]), (&json!(2), &json!(1_800)));
    app.drain().await;
    app.finish().await;
}
