//! `/static/tf/videos.{id}.json`: our videos on friend sites.

use lantern_config::Lang;

use crate::support::{App, video_ids};

#[tokio::test]
async fn each_friend_site_gets_its_own_selection_of_seventeen_popular_videos() {
    let app = App::start().await;
    let most = app.numbers("select v.id from videos v join video_stats s on s.video_id = v.id where visible and gender = 'str' order by viewed_month desc, v.id desc limit 170").await;
    let first = app.json("/static/tf/videos.1.json").await;
    let ids = video_ids(&first);
    assert_eq!(ids.len(), 17);
    assert!(ids.iter().all(|id| most.contains(id)));
    assert_ne!(ids, video_ids(&app.json("/static/tf/videos.2.json").await));
    assert_eq!(ids, video_ids(&app.json("/static/tf/videos.1.json?lang=ja").await), "the same in every language");
    // Pages of other sites may read the list, whether fresh or cached.
    for file in
        ["videos.9.json", "videos.9.json", "videos.0.json", "videos.9.json?gender=all", "videos.9.json?lang=%ff"]
    {
        let reply = app.get(&format!("/static/tf/{file}")).await;
        assert_eq!(reply.header("access-control-allow-origin"), "*", "{file}");
        assert_eq!(reply.header("cross-origin-resource-policy"), "cross-origin", "{file}");
    }
    let promo = &first["videos"][0];
    let here = "http://127.0.0.1:8080";
    assert_eq!(promo["url"], format!("{here}/videos/{0}/video-{0}/", ids[0]));
    assert!(promo["thumb"].as_str().unwrap().starts_with(&format!("{here}/media/p/demo/")));
    let picture = promo["thumb"].as_str().unwrap().strip_prefix(here).unwrap();
    app.media(picture.strip_prefix("/media/p/").unwrap(), b"picture");
    let picture = app.get(picture).await;
    assert_eq!(picture.header("cross-origin-resource-policy"), "cross-origin");
    assert_eq!(picture.header("access-control-allow-origin"), "*", "requested without cookies");
    for lang in Lang::ALL {
        app.json(&format!("/static/tf/videos.3.json?lang={lang}")).await;
    }
    let other = app.numbers("select id from videos where visible and gender = 'gay'").await;
    let gay = video_ids(&app.json("/static/tf/videos.1.json?gender=gay").await);
    assert!(!gay.is_empty() && gay.iter().all(|id| other.contains(id)));
    for file in [
        "videos.0.json",
        "videos.1001.json",
        "videos.x.json",
        "videos.01.json",
        "videos..json",
        "models.1.json",
        "videos.1",
    ] {
        app.get(&format!("/static/tf/{file}")).await.refused(404, "not_found");
    }
    app.get("/static/tf/videos.1.json?gender=all").await.refused(422, "invalid");
    app.finish().await;
}
