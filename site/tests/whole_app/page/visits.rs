//! Counts of page views.

use lantern_catalog::page_views::{self, Count};
use lantern_config::{Config, Gcra, Policy};

use crate::support::App;

const PATH: &str = "/api/pageview.php";

fn counted(config: &mut Config) {
    config.page_views.count = true;
    config.page_views.campaigns = vec!["summer".to_owned()];
}

async fn report(app: &App, campaign: Option<&str>) -> Vec<Count> {
    app.state().page_views.flush(app.pool()).await.unwrap();
    page_views::report(app.pool(), 1, campaign).await.unwrap()
}

fn count(campaign: &str, screen: &str, [views, entries, steps]: [i64; 3]) -> Count {
    Count { campaign: campaign.to_owned(), screen: screen.to_owned(), views, entries, steps }
}

#[tokio::test]
async fn page_views_are_summed_by_campaign_and_screen() {
    let app = App::configured(counted).await;
    let guest = app.guest();
    let send = async |form: &[(&str, &str)]| {
        let reply = guest.post(PATH, form).await;
        assert_eq!((reply.status, reply.text().as_str()), (204, ""), "{form:?}");
    };
    let own = format!("{}/videos/12/", app.state().config.public_url());
    send(&[("path", "/videos/12/quiet/"), ("campaign", "summer"), ("ref", "https://other.example/?who=me")]).await;
    send(&[("path", "/videos/7/"), ("campaign", "summer"), ("ref", &own)]).await;
    send(&[("path", "/videos/latest-updates/1/"), ("campaign", "<script>")]).await;
    send(&[("path", "/videos/latest-updates/2/"), ("event", "pagination"), ("campaign", "<script>")]).await;
    for ignored in ["/nothing/", "/main/", "https://other.example/"] {
        send(&[("path", ignored)]).await;
    }
    assert_eq!(report(&app, None).await, [count("summer", "video", [2, 1, 0]), count("other", "videos", [1, 1, 1])]);
    send(&[("path", "/")]).await;
    assert_eq!(report(&app, Some("")).await, [count("", "home", [1, 1, 0])], "flushed counts are not written again");
    let robot = ("user-agent", "Mozilla/5.0 (compatible; AnyBot/1.0)");
    assert_eq!(guest.post_with(PATH, &[("path", "/")], &[robot]).await.status, 204);
    assert_eq!(report(&app, Some("")).await, [count("", "home", [1, 1, 0])], "robots are not counted");
    guest.post(PATH, &[]).await.refused(422, "required");
    guest.post(PATH, &[("path", "/"), ("event", "click")]).await.refused(422, "invalid");
    app.finish().await;
}

#[tokio::test]
async fn page_views_of_a_client_are_limited() {
    let app = App::configured(|config| {
        counted(config);
        config.limits.page_view = Policy::Gcra(Gcra { burst: 2, per_seconds: 3600, cells: 1, exempt_loopback: false });
    })
    .await;
    let guest = app.guest();
    for status in [204, 204, 429] {
        assert_eq!(guest.post(PATH, &[("path", "/")]).await.status, status);
    }
    assert_eq!(report(&app, None).await, [count("", "home", [2, 2, 0])]);
    app.finish().await;
}

#[tokio::test]
async fn page_views_are_not_counted_by_default() {
    let app = App::start().await;
    assert_eq!(app.guest().post(PATH, &[("path", "/")]).await.status, 204);
    assert!(report(&app, None).await.is_empty());
    app.finish().await;
}
