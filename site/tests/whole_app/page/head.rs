//! Metadata of pages: canonical addresses, languages, previews, and structured data.

use lantern_config::Lang;
use serde_json::{Value, json};

use crate::{
    page::dom::{Dom, path},
    support::App,
};

const PAGES: [&str; 8] = [
    "/",
    "/videos/longest/2/",
    "/categories/",
    "/categories/travel/latest-updates/1/",
    "/models/alphabet/1/",
    "/model/mika-sato/",
    "/model/mika-sato/info/",
    "/videos/4/video-4/",
];

#[tokio::test]
async fn canonical_address_is_normalized() {
    let app = App::start().await;
    for (requested, canonical) in [
        ("/videos/longest/2/?utm_source=x&fr=1&ref=y", "/videos/longest/2/"),
        ("/videos/longest/1/?date=week&utm_campaign=z&type=hd", "/videos/longest/1/?type=hd&date=week"),
        ("/categories/travel,city/longest/1/", "/categories/city,travel/longest/1/"),
        ("/videos/4/", "/videos/4/video-4/"),
        ("/videos/4/another-name/?start_time=5&autoplay=1", "/videos/4/video-4/"),
        ("/model/mika-sato/videos/1/?x=1", "/model/mika-sato/"),
        ("/models/alphabet/1/?race=asian&page=7", "/models/alphabet/1/?race=asian"),
        ("/?gender=gay", "/?gender=gay"),
        ("/models/alphabet/1/?gender=she&tattoo=no", "/models/alphabet/1/?tattoo=no&gender=she"),
        ("/albums/top-rated/1/?gender=she", "/albums/top-rated/1/?gender=she"),
        // These pages don't depend on the orientation.
        ("/model/mika-sato/?gender=gay", "/model/mika-sato/"),
        ("/model/mika-sato/videos/1/?sort=longest&gender=gay", "/model/mika-sato/videos/1/?sort=longest"),
        ("/members/2/?gender=gay", "/members/2/"),
        ("/members/2/albums/1/?gender=she", "/members/2/albums/1/"),
        ("/videos/4/?gender=gay", "/videos/4/video-4/"),
        ("/community/recent/1/?country=JP&avatar=yes&x=1", "/community/recent/1/?country=JP&avatar=yes"),
        ("/videos/longest/1/?lang=de&utm_source=x", "/videos/longest/1/?lang=de"),
    ] {
        let (reply, dom) = app.page(requested).await;
        assert_eq!(reply.status, 200, "{requested}");
        assert_eq!(path(&dom.canonical().unwrap()), canonical, "{requested}");
    }
    app.finish().await;
}

#[tokio::test]
async fn language_versions_link_to_each_other() {
    let app = App::start().await;
    for page in PAGES {
        let (_, dom) = app.page(page).await;
        let versions = dom.versions();
        let names: Vec<&str> = versions.iter().map(|(lang, _)| lang.as_str()).collect();
        let all: Vec<&str> = Lang::ALL.iter().map(|lang| lang.as_str()).chain(["x-default"]).collect();
        assert_eq!(names, all, "{page}");
        for (lang, address) in &versions {
            let (reply, other) = app.page(path(address)).await;
            assert_eq!((reply.status, &other.versions()), (200, &versions), "{address}");
            assert_eq!(other.canonical().as_ref(), Some(address));
            let spoken = if lang == "x-default" { "en" } else { lang };
            assert_eq!(other.attr("html", "lang").as_deref(), Some(spoken), "{address}");
            assert_eq!(reply.header("content-language"), spoken);
        }
        assert_eq!(path(&versions[10].1), page, "the default is the address without a language");
    }
    app.finish().await;
}

#[tokio::test]
async fn titles_and_descriptions_are_translated() {
    let app = App::start().await;
    let mut seen = std::collections::HashSet::new();
    for lang in Lang::ALL {
        let (_, dom) = app.page(&format!("/models/alphabet/1/?lang={lang}")).await;
        assert!(seen.insert(dom.meta("description")), "{lang} repeats another description");
    }
    let (_, dom) = app.page("/videos/4/?lang=ru").await;
    assert_eq!(
        (dom.title().as_str(), dom.meta("description").as_str()),
        ("Ночной рынок 4 · Lantern", "Снято одним кадром")
    );
    app.finish().await;
}

#[tokio::test]
async fn pages_have_link_previews() {
    let app = App::start().await;
    for page in PAGES {
        let (_, dom) = app.page(page).await;
        for name in
            ["description", "og:title", "og:description", "og:url", "og:type", "og:locale", "og:image", "twitter:card"]
        {
            assert!(!dom.meta(name).is_empty(), "{page} {name}");
        }
        assert_eq!(dom.meta("og:site_name"), "Lantern");
        assert_eq!(dom.attrs("meta[property='og:locale:alternate']", "content").len(), 9, "{page}");
        for address in [page.to_owned(), format!("{page}?lang=de")] {
            let (_, dom) = app.page(&address).await;
            assert_eq!(Some(dom.meta("og:url")), dom.canonical(), "{address}");
        }
    }
    let (_, dom) = app.page("/videos/4/video-4/").await;
    assert_eq!((dom.meta("og:type"), dom.meta("twitter:card")), ("video.other".to_owned(), "player".to_owned()));
    assert_eq!(path(&dom.meta("og:image")), "/media/p/demo/04/poster.jpg");
    assert_eq!(path(&dom.meta("og:video")), "/embed/4/");
    assert_eq!(dom.meta("twitter:player"), dom.meta("og:video"));
    assert_eq!(dom.meta("og:title"), "Neon <city> & rain 4");
    let (_, dom) = app.page("/information/terms/").await;
    assert_eq!(path(&dom.meta("og:image")), "/assets/share.jpg");
    assert_eq!(
        (dom.meta("og:image:width"), dom.meta("twitter:card")),
        ("1200".to_owned(), "summary_large_image".to_owned())
    );
    app.finish().await;
}

#[tokio::test]
async fn video_page_has_structured_data() {
    let app = App::start().await;
    let answer = app.json("/api/json/video/86400/0/4.json").await;
    let video = &answer["video"];
    let (_, dom) = app.page("/videos/4/").await;
    let data = dom.data("VideoObject").unwrap();
    for (field, value) in [
        ("name", &video["title"]),
        ("description", &video["description"]),
        ("uploadDate", &video["post_date"]),
        ("isFamilyFriendly", &json!(false)),
        ("inLanguage", &video["lang"]),
        ("contentRating", &json!("RTA-5042-1996-1400-1577-RTA")),
        // The duration is 120 + 4 * 37 seconds.
        ("duration", &json!("PT4M28S")),
    ] {
        assert_eq!(&data[field], value, "{field}");
    }
    assert_eq!(path(data["url"].as_str().unwrap()), "/videos/4/video-4/");
    assert_eq!(path(data["embedUrl"].as_str().unwrap()), "/embed/4/");
    assert_eq!(path(data["thumbnailUrl"][0].as_str().unwrap()), "/media/p/demo/04/poster.jpg");
    let counts: Vec<(&Value, &Value)> = data["interactionStatistic"]
        .as_array()
        .unwrap()
        .iter()
        .map(|counter| (&counter["interactionType"]["@type"], &counter["userInteractionCount"]))
        .collect();
    let statistics = &video["statistics"];
    let (watch, like, dislike) = (json!("WatchAction"), json!("LikeAction"), json!("DislikeAction"));
    assert_eq!(
        counts,
        [(&watch, &statistics["viewed"]), (&like, &statistics["likes"]), (&dislike, &statistics["dislikes"])]
    );
    assert_eq!(data["actor"].as_array().unwrap().len(), video["models"].as_array().unwrap().len());
    for path in ["/videos/41/", "/videos/50/"] {
        assert!(app.page(path).await.1.data("VideoObject").is_none(), "{path}");
    }
    app.finish().await;
}

#[tokio::test]
async fn lists_and_breadcrumbs_have_structured_data() {
    let app = App::start().await;
    let (_, dom) = app.page("/categories/travel/latest-updates/1/").await;
    let list = dom.data("ItemList").unwrap();
    let items = list["itemListElement"].as_array().unwrap();
    assert_eq!(items.len(), dom.texts(".video-grid li").len());
    let links: Vec<String> = items.iter().map(|item| path(item["url"].as_str().unwrap()).to_owned()).collect();
    assert_eq!(links, dom.attrs(".video-grid a", "href"));
    assert_eq!((&items[0]["position"], &items[1]["position"]), (&json!(1), &json!(2)));
    for (page, expected) in [
        ("/categories/travel/latest-updates/1/", &["/", "/categories/", "/categories/travel/latest-updates/1/"][..]),
        ("/videos/longest/2/", &["/", "/videos/longest/1/"]),
        ("/model/mika-sato/", &["/", "/models/most-popular/1/", "/model/mika-sato/"]),
        ("/model/mika-sato/info/", &["/", "/models/most-popular/1/", "/model/mika-sato/", "/model/mika-sato/info/"]),
    ] {
        let trail = trail(&app.page(page).await.1);
        assert_eq!(trail, expected, "{page}");
        for above in trail {
            assert_eq!(app.page(&above).await.0.status, 200, "{above}");
        }
    }
    let video = trail(&app.page("/videos/4/").await.1);
    assert_eq!((video.len(), video[2].as_str()), (3, "/videos/4/video-4/"));
    for page in ["/categories/travel/latest-updates/1/?lang=de", "/albums/top-rated/1/?lang=de", "/album/1/?lang=de"] {
        let (_, dom) = app.page(page).await;
        let trail = trail(&dom);
        assert!(trail.iter().all(|above| above.ends_with("?lang=de")), "{page}: {trail:?}");
        assert_eq!(trail.last().map(String::as_str), dom.canonical().as_deref().map(path), "{page}");
    }
    app.finish().await;
}

#[tokio::test]
async fn metadata_names_language_of_film_and_of_each_text() {
    let app = App::start().await;
    app.change("update videos set lang = 'pl' where id in (4, 5, 6); update albums set lang = 'pl' where id = 1").await;
    // Video 4 is translated into Russian, but only the title of video 5 is translated, into Japanese.
    for (video, lang, title, description) in
        [(4, "ru", "ru", "ru"), (4, "de", "pl", "pl"), (5, "ja", "ja", "pl"), (6, "ja", "pl", "pl")]
    {
        let shown = app.json(&format!("/api/json/video/86400/0/{video}.json?lang={lang}")).await["video"].clone();
        let languages =
            ["lang", "title_lang", "description_lang"].map(|field| shown[field].as_str().unwrap().to_owned());
        assert_eq!(languages, ["pl", title, description], "{video} in {lang}");
        let (_, dom) = app.page(&format!("/videos/{video}/?lang={lang}")).await;
        assert_eq!(dom.data("VideoObject").unwrap()["inLanguage"], "pl", "{video} in {lang}");
        assert_eq!(dom.attrs("main h1", "lang"), [title], "{video} in {lang}");
        assert_eq!(dom.attrs("main > p[lang]", "lang"), [description], "{video} in {lang}");
        assert_eq!(dom.attr("html", "lang").as_deref(), Some(lang));
    }
    assert_eq!(app.json("/api/json/album/86400/0/1.json?lang=ja").await["album"]["lang"], "pl");
    let (_, dom) = app.page("/album/1/?lang=ja").await;
    assert_eq!(dom.data("ImageGallery").unwrap()["inLanguage"], "pl");
    assert_eq!(dom.attrs("main h1, main > p[lang]", "lang"), ["pl", "pl"]);
    app.finish().await;
}

fn trail(dom: &Dom) -> Vec<String> {
    let data = dom.data("BreadcrumbList").unwrap();
    let items = data["itemListElement"].as_array().unwrap();
    items.iter().map(|item| path(item["item"].as_str().unwrap()).to_owned()).collect()
}

#[test]
fn web_index_has_adult_rating() {
    let html = scraper::Html::parse_document(include_str!("../../../../web/index.html"));
    let ratings = scraper::Selector::parse("meta[name='rating']").unwrap();
    let ratings: Vec<_> = html.select(&ratings).filter_map(|meta| meta.attr("content")).collect();
    assert_eq!(ratings, ["RTA-5042-1996-1400-1577-RTA", "adult"]);
}
