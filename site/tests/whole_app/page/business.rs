//! Advertisements and offers: none by default, and none for premium members.

use axum::http::Method;
use lantern_catalog::premium;
use lantern_config::{Config, NamedLink};
use serde_json::{Value, json};
use time::OffsetDateTime;

use crate::{
    page::dom::Dom,
    support::{App, NOW},
};

const AGREED: (&str, &str) = ("cookie", "age_agreed=1");

fn advertised(config: &mut Config) {
    config.ads.consent_countries = vec!["DE".to_owned()];
    "https://ads.example/zone?{width}x{height}".clone_into(&mut config.ads.sponsor.wide);
    "https://more.example:8443/frame".clone_into(&mut config.ads.page.narrow);
}

async fn boot(app: &App, path: &str) -> Value {
    Dom::parse(&app.send(Method::GET, path, &[AGREED]).await).boot()
}

#[tokio::test]
async fn there_are_no_ads_and_offers_by_default() {
    let app = App::start().await;
    for path in ["/", "/videos/12/"] {
        let page = app.send(Method::GET, path, &[AGREED]).await;
        assert!(!page.header("content-security-policy").contains("frame-src"), "{path}");
        let boot = Dom::parse(&page).boot();
        for field in ["ads", "offers", "page_views", "text"] {
            assert_eq!(boot.get(field), None, "{path}: {field}");
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn content_security_policy_allows_only_configured_ad_sites() {
    let app = App::configured(advertised).await;
    let page = app.send(Method::GET, "/videos/12/", &[AGREED]).await;
    let policy = page.header("content-security-policy");
    assert!(policy.contains("frame-src https://ads.example https://more.example:8443"), "{policy}");
    assert!(policy.contains("script-src 'self';") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert_eq!(
        Dom::parse(&page).boot()["ads"],
        json!({
            "asks": false, "under_player_percent": 10, "channel_banners": false,
            "sponsor": { "wide": "https://ads.example/zone?{width}x{height}", "narrow": "" },
            "page": { "wide": "", "narrow": "https://more.example:8443/frame" },
        })
    );
    app.finish().await;
}

#[tokio::test]
async fn visitors_of_configured_countries_are_asked_for_consent() {
    let app = App::configured(|config| {
        advertised(config);
        config.visitors.default_country = "DE".to_owned();
    })
    .await;
    assert_eq!(boot(&app, "/").await["ads"]["asks"], true);
    app.finish().await;
}

#[tokio::test]
async fn premium_members_see_no_ads() {
    let app = App::configured(advertised).await;
    let mut member = app.member("patron").await;
    member.cookie.push_str("; age_agreed=1");
    let id = member.id;
    let ads = async || {
        let are_shown = Dom::parse(&member.get("/").await).boot().get("ads").is_some();
        // After a visitor signs in on a page with advertisements, the app learns about premium from here.
        assert_eq!(member.get("/api/me.php").await.json()["user"]["is_premium"], !are_shown);
        are_shown
    };
    assert!(ads().await, "not premium yet");
    let now = OffsetDateTime::from_unix_timestamp(NOW).unwrap();
    let until = premium::extend(app.pool(), id, 30, now).await.unwrap();
    assert_eq!((until - now).whole_days(), 30);
    assert!(!ads().await);
    assert!(boot(&app, "/").await.get("ads").is_some(), "guests still see them");
    assert_eq!(
        premium::extend(app.pool(), id, 30, now).await.unwrap(),
        until + time::Duration::days(30),
        "days add up"
    );
    assert_eq!(premium::list(app.pool(), now, 10).await.unwrap().len(), 1);
    assert!(premium::end(app.pool(), id).await.unwrap() && !premium::end(app.pool(), id).await.unwrap());
    assert!(ads().await);
    premium::extend(app.pool(), id, 1, now - time::Duration::days(2)).await.unwrap();
    assert!(ads().await, "premium has ended");
    app.finish().await;
}

#[tokio::test]
async fn premium_members_are_not_offered_premium() {
    let link = |name: &str| NamedLink { name: name.to_owned(), url: "https://friend.example/".to_owned() };
    let app = App::configured(|config| {
        config.offers.trending = true;
        "https://pay.example/".clone_into(&mut config.offers.premium.url);
        config.offers.suggestion = link("Another");
        config.offers.friend = link("Cousin");
        config.offers.partners = vec![link("Friend")];
    })
    .await;
    let mut member = app.member("patron").await;
    member.cookie.push_str("; age_agreed=1");
    let friend = |name: &str| json!({ "name": name, "url": "https://friend.example/" });
    let mut offers = json!({
        "trending": true, "premium": { "url": "https://pay.example/", "seconds": 3600, "again_days": 7 },
        "suggestion": friend("Another"), "friend": friend("Cousin"), "partners": [friend("Friend")],
    });
    assert_eq!(boot(&app, "/").await["offers"], offers);
    let page = app.send(Method::GET, "/", &[AGREED]).await;
    let policy = page.header("content-security-policy");
    assert!(policy.contains("connect-src 'self' https://friend.example;"), "the app may fetch its list: {policy}");
    assert!(policy.contains("script-src 'self';"), "{policy}");
    let own = async || Dom::parse(&member.get("/").await).boot()["offers"].clone();
    assert_eq!(own().await, offers);
    premium::extend(app.pool(), member.id, 1, OffsetDateTime::from_unix_timestamp(NOW).unwrap()).await.unwrap();
    for hidden in ["premium", "suggestion", "friend"] {
        offers.as_object_mut().unwrap().remove(hidden);
    }
    assert_eq!(own().await, offers);
    app.finish().await;
}
