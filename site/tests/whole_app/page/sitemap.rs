//! Sitemaps, which are well-formed, within limits, and list only pages that return 200.

use std::{collections::HashSet, io::Read as _};

use axum::http::Method;
use flate2::read::GzDecoder;
use lantern_catalog::schedules::{self, ScheduleName};
use roxmltree::{Document, Node};

use crate::{page::dom::path, support::App};

const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";
const SITEMAP: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
/// Elements in a video's entry, in the order that the format requires.
const SEQUENCE: [&str; 13] = [
    "video",
    "thumbnail_loc",
    "title",
    "description",
    "player_loc",
    "duration",
    "rating",
    "view_count",
    "publication_date",
    "tag",
    "family_friendly",
    "requires_subscription",
    "live",
];
const VIDEO: &str = "http://www.google.com/schemas/sitemap-video/1.1";

/// Generates the sitemaps and returns the addresses of their parts.
async fn parts(app: &App) -> Vec<String> {
    app.make_sitemaps().await;
    listed(app).await
}

async fn listed(app: &App) -> Vec<String> {
    let reply = app.get("/sitemap.xml").await;
    assert_eq!((reply.status, reply.header("content-type")), (200, "application/xml; charset=utf-8"));
    assert_eq!(reply.header("cache-control"), "public, no-cache");
    let text = reply.text();
    let document = Document::parse(&text).unwrap();
    let found = document.descendants().filter(|node| node.tag_name().name() == "loc");
    found.map(|node| path(node.text().unwrap()).to_owned()).collect()
}

async fn part(app: &App, address: &str) -> String {
    let reply = app.get(address).await;
    assert_eq!((reply.status, reply.header("content-type")), (200, "application/gzip"), "{address}");
    assert!(reply.header("content-encoding").is_empty(), "compressed once");
    let mut text = String::new();
    GzDecoder::new(&*reply.body).read_to_string(&mut text).unwrap();
    text
}

fn entries<'a>(document: &'a Document<'a>) -> Vec<Node<'a, 'a>> {
    document.root_element().children().filter(|node| node.tag_name().name() == "url").collect()
}

fn text<'a>(entry: Node<'a, 'a>, space: &str, name: &str) -> Option<&'a str> {
    entry.descendants().find(|node| node.has_tag_name((space, name)))?.text()
}

fn address<'a>(entry: Node<'a, 'a>) -> &'a str {
    path(entry.children().find(|node| node.tag_name().name() == "loc").unwrap().text().unwrap())
}

#[tokio::test]
async fn parts_respect_their_limit_and_contain_every_page() {
    let app = App::configured(|config| config.sitemap.urls_per_file = 100).await;
    // A range of ids without a visible video has no part.
    app.change("update videos set is_private = true where id between 101 and 200").await;
    let names = parts(&app).await;
    let expected = ["pages", "categories", "models-0", "albums-0", "playlists-0", "members-0", "videos-0", "videos-2"];
    assert_eq!(names, expected.map(|name| format!("/sitemap/{name}.xml.gz")));
    let mut listed = HashSet::new();
    for name in &names {
        let text = part(&app, name).await;
        let document = Document::parse(&text).unwrap();
        let entries = entries(&document);
        assert!(!entries.is_empty() && entries.len() <= 100, "{name}: {}", entries.len());
        for entry in entries {
            let links = entry.descendants().filter(|node| node.attribute("hreflang").is_some()).count();
            assert_eq!(links, 11, "{name}");
            assert!(listed.insert(address(entry).to_owned()), "{} twice", address(entry));
        }
    }
    let visible = app.numbers("select id from videos where visible").await;
    let videos: HashSet<i64> =
        listed.iter().filter_map(|path| path.strip_prefix("/videos/")?.split('/').next()?.parse().ok()).collect();
    assert_eq!(videos, visible.into_iter().collect(), "all visible videos and no others");
    let ids = |prefix: &str| -> HashSet<i64> {
        listed.iter().filter_map(|path| path.strip_prefix(prefix)?.split('/').next()?.parse().ok()).collect()
    };
    let open =
        "from playlists p join users u on u.id = p.user_id where visibility = 'public' and u.status_id <> banned()";
    let filled =
        "exists (select 1 from playlist_items join videos v on v.id = video_id where playlist_id = p.id and v.visible)";
    for (prefix, query) in [
        ("/album/", "select id from albums where visible"),
        ("/playlist/", &format!("select p.id {open} and {filled}")),
        // Only the first three members have uploads, and every tenth has no profile.
        (
            "/members/",
            "select id from users where status_id <> banned() and email_confirmed_at is not null and (id <= 3 or id % 10 > 0)",
        ),
    ] {
        let expected = app.numbers(query).await;
        assert!(!expected.is_empty() && ids(prefix) == expected.into_iter().collect(), "{prefix}: not all of them");
    }
    for path in &listed {
        let (reply, dom) = app.page(path).await;
        assert_eq!((reply.status, dom.meta("robots") == "noindex"), (200, false), "{path}");
        assert_eq!(dom.canonical().map(|found| crate::page::dom::path(&found).to_owned()).as_ref(), Some(path));
    }
    for path in ["/members/2/", "/members/3/albums/1/", "/members/4/info/", "/videos/longest/1/?gender=gay"] {
        assert!(listed.contains(path), "{path}");
    }
    for path in [
        "videos-1",
        "videos-9",
        "models-1",
        "videos-x",
        "videos--1",
        "videos-01",
        "albums-1",
        "members-9",
        "x",
        "pages.xml",
        "",
    ] {
        assert_eq!(app.get(&format!("/sitemap/{path}.xml.gz")).await.status, 404, "{path}");
    }
    app.finish().await;
}

/// Most guests and all search engines send no cookies.
#[tokio::test]
async fn listed_models_and_members_show_videos_without_cookies() {
    let app = App::start().await;
    // One model has only videos with another orientation, one has a single video, and one has no videos.
    app.change(
        "update videos set gender = 'gay' where id in (select video_id from video_models where model_id = 3);
         delete from video_models where model_id in (4, 5); insert into video_models values (8, 4);
         update videos set user_id = 20 where id = 8",
    )
    .await;
    let dirs = "select distinct m.dir from models m join video_models l on l.model_id = m.id
                join videos v on v.id = l.video_id where v.visible order by 1";
    let dirs: Vec<String> = sqlx::query_scalar(dirs).fetch_all(app.pool()).await.unwrap();
    app.make_sitemaps().await;
    let xml = part(&app, "/sitemap/models-0.xml.gz").await;
    let document = Document::parse(&xml).unwrap();
    let mut named: Vec<&str> = entries(&document).into_iter().map(address).collect();
    named.sort_unstable();
    assert_eq!(named, dirs.iter().map(|dir| format!("/model/{dir}/")).collect::<Vec<_>>());
    assert_eq!(named.len(), 11, "all but the one without videos");
    for page in named.into_iter().chain(["/members/1/", "/members/2/", "/members/20/"]) {
        let (_, dom) = app.page(page).await;
        let list = dom.data("ItemList").unwrap_or_else(|| panic!("{page} is empty"));
        assert!(list["numberOfItems"].as_u64().unwrap() > 0, "{page}");
    }
    app.finish().await;
}

#[tokio::test]
async fn sitemaps_describe_films_and_pictures() {
    let app = App::configured(|config| {
        config.embeds.insert("videos".to_owned(), "https://player.example/embed/{id}".to_owned());
    })
    .await;
    app.change(
        "update videos set media_key = null where id = 2; update videos set description = '' where id = 3;
         update videos set media_key = null, picture_key = 'videos/aa/a' || id, ex_tube = case id when 5 then 'videos' else 'others' end,
                           ex_id = 'x' where id in (5, 6)",
    )
    .await;
    app.make_sitemaps().await;
    let text_of = part(&app, "/sitemap/videos-0.xml.gz").await;
    let document = Document::parse(&text_of).unwrap();
    let films = entries(&document);
    let entry = |path: &str| *films.iter().find(|entry| address(**entry) == path).unwrap();
    let four = entry("/videos/4/video-4/");
    assert_eq!(path(text(four, IMAGE, "loc").unwrap()), "/media/p/demo/04/poster.jpg");
    assert_eq!(text(four, VIDEO, "title"), Some("Neon <city> & rain 4"));
    assert_eq!(text(four, VIDEO, "description"), Some("Filmed in one take, number 4"));
    assert_eq!((text(four, VIDEO, "duration"), text(four, VIDEO, "family_friendly")), (Some("268"), Some("no")));
    assert_eq!(path(text(four, VIDEO, "player_loc").unwrap()), "/embed/4/");
    assert!(text(four, VIDEO, "publication_date").unwrap().ends_with('Z'));
    assert_eq!(
        text(entry("/videos/3/video-3/"), VIDEO, "description"),
        text(entry("/videos/3/video-3/"), VIDEO, "title")
    );
    assert_eq!(text(entry("/videos/2/video-2/"), VIDEO, "title"), None, "has no film yet");
    let (five, six) = (entry("/videos/5/video-5/"), entry("/videos/6/video-6/"));
    assert_eq!(path(text(five, VIDEO, "thumbnail_loc").unwrap()), "/media/p/videos/aa/a5-1280.jpg");
    assert_eq!(text(five, VIDEO, "player_loc"), Some("https://player.example/embed/x"));
    assert_eq!((text(six, VIDEO, "title"), text(six, IMAGE, "loc").is_some()), (None, true), "has no player");
    let posted = text(four, VIDEO, "publication_date");
    assert_eq!(text(four, SITEMAP, "lastmod"), posted);
    // The format's schema prescribes a sequence.
    let order: Vec<&str> = four
        .descendants()
        .filter(|node| node.tag_name().namespace() == Some(VIDEO))
        .map(|node| node.tag_name().name())
        .collect();
    let mut sorted = order.clone();
    sorted.sort_by_key(|name| SEQUENCE.iter().position(|known| known == name));
    assert!(order.contains(&"tag") && order == sorted, "{order:?}");
    for (name, picture, modified) in [
        ("models-0", "/media/p/demo/pictures/01-320.webp", true),
        ("albums-0", "/media/p/demo/pictures/02-640.webp", true),
        ("playlists-0", "", true),
        ("members-0", "", false),
    ] {
        let xml = part(&app, &format!("/sitemap/{name}.xml.gz")).await;
        let document = Document::parse(&xml).unwrap();
        for entry in entries(&document) {
            assert_eq!(text(entry, SITEMAP, "lastmod").is_some(), modified, "{name}");
        }
        assert!(xml.contains(picture) && xml.contains("<image:loc>") != picture.is_empty(), "{name}");
    }
    app.finish().await;
}

#[tokio::test]
async fn listed_pages_of_the_demo_return_200() {
    let app = App::demo().await;
    let mut videos = 0;
    for name in parts(&app).await {
        let xml = part(&app, &name).await;
        assert!(xml.len() < 50_000_000, "{name}: {} bytes", xml.len());
        let document = Document::parse(&xml).unwrap();
        let entries = entries(&document);
        videos += if name.contains("videos") { entries.len() } else { 0 };
        // Test all pages in small parts and an even sample of large ones.
        for entry in entries.iter().step_by((entries.len() / 50).max(1)) {
            let (reply, dom) = app.page(address(*entry)).await;
            assert_eq!((reply.status, dom.meta("robots") == "noindex"), (200, false), "{}", address(*entry));
        }
    }
    assert_eq!(app.numbers("select count(*) from videos where visible").await, [videos as i64]);
    app.finish().await;
}

#[tokio::test]
async fn robots_txt_names_the_sitemap() {
    let app = App::start().await;
    let text = app.get("/robots.txt").await.text();
    assert!(text.lines().any(|line| line == "Sitemap: http://127.0.0.1:8080/sitemap.xml"), "{text}");
    assert!(text.contains("Disallow: /api/videos2.php\n") && !text.contains("Disallow: /embed/"), "{text}");
    // A disallowed page would be indexed as a bare address, because crawlers never read its `noindex`.
    assert!(!text.contains("Disallow: /search/"), "{text}");
    assert_eq!(app.page("/search/1/?s=night").await.1.meta("robots"), "noindex");
    app.finish().await;
}

#[tokio::test]
async fn requests_get_the_stored_sitemaps() {
    let app = App::start().await;
    let names = listed(&app).await;
    let tags: Vec<String> = {
        let mut tags = Vec::new();
        for address in names.iter().map(String::as_str).chain(["/sitemap.xml"]) {
            let first = app.get(address).await;
            let tag = first.header("etag").to_owned();
            assert!(first.status == 200 && tag.starts_with('"'), "{address}: {tag}");
            let again = app.send(Method::GET, address, &[("if-none-match", &tag)]).await;
            assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, &*tag), "{address}");
            tags.push(tag);
        }
        tags
    };
    // A hidden video stays listed until the sitemaps are regenerated.
    let holds = async |id: i64| part(&app, "/sitemap/videos-0.xml.gz").await.contains(&format!("/videos/{id}/"));
    app.change("update videos set is_private = true where id = 4").await;
    assert!(holds(4).await && holds(3).await);
    app.make_sitemaps().await;
    assert!(!holds(4).await && holds(3).await);
    let reply = app.get("/sitemap/videos-0.xml.gz").await;
    assert!(!tags.iter().any(|tag| tag == reply.header("etag")), "other content has another tag");
    // A part without pages is removed.
    app.change("update videos set is_private = true").await;
    app.make_sitemaps().await;
    assert!(!listed(&app).await.iter().any(|name| name.contains("videos")));
    assert_eq!(app.get("/sitemap/videos-0.xml.gz").await.status, 404);
    assert_eq!(app.get("/sitemap/index.xml.gz").await.status, 404, "the index is not a part");
    app.finish().await;
}

#[tokio::test]
async fn changed_counters_alone_do_not_rewrite_sitemaps() {
    let app = App::start().await;
    let address = "/sitemap/videos-0.xml.gz";
    let tag = app.get(address).await.header("etag").to_owned();
    app.change("update video_stats set viewed = viewed + 7000").await;
    app.make_sitemaps().await;
    assert_eq!(app.get(address).await.header("etag"), tag);
    app.sql("update sitemap_parts set made_at = now() - interval '25 hours'").await;
    app.make_sitemaps().await;
    assert_ne!(app.get(address).await.header("etag"), tag, "rewritten after a day");
    app.finish().await;
}

#[tokio::test]
async fn one_of_several_nodes_makes_due_sitemaps() {
    let app = App::empty(|_| {}).await;
    app.get("/sitemap.xml").await.refused(503, "unavailable");
    let every = std::time::Duration::from_secs(600);
    let claim = async || schedules::claim(app.pool(), ScheduleName::Sitemaps, every).await.unwrap();
    assert!(claim().await && !claim().await && !claim().await);
    app.sql("update schedules set due_at = due_at - interval '600 seconds'").await;
    let claims = futures_util::future::join_all((0..8).map(|_| claim())).await;
    assert_eq!(claims.into_iter().filter(|claimed| *claimed).count(), 1);
    app.make_sitemaps().await;
    assert_eq!(app.get("/sitemap.xml").await.status, 200);
    app.finish().await;
}
