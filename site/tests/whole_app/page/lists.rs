//! Related lists: orientations, sort orders, pages, and empty lists.

use std::collections::HashSet;

use serde_json::Value;

use crate::{
    page::dom::{Dom, path},
    support::App,
};

/// Prefixes of addresses that don't depend on the orientation.
const INDEPENDENT: [&str; 6] = ["/videos/", "/model/", "/album/", "/playlist/", "/community/", "/information/"];

fn trail(dom: &Dom) -> Vec<String> {
    let items = dom.data("BreadcrumbList").unwrap()["itemListElement"].clone();
    items.as_array().unwrap().iter().map(|item| path(item["item"].as_str().unwrap()).to_owned()).collect()
}

/// Whether the linked page depends on the orientation. Pages for single videos don't.
fn is_oriented(link: &str) -> bool {
    let single =
        link.strip_prefix("/videos/").is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
    !single && (link.starts_with("/videos/") || !INDEPENDENT.iter().any(|prefix| link.starts_with(prefix)))
}

#[tokio::test]
async fn links_preserve_the_orientation() {
    let app = App::start().await;
    for page in [
        "/",
        "/videos/longest/1/",
        "/categories/",
        "/categories/travel/longest/1/",
        "/models/alphabet/1/",
        "/albums/top-rated/1/",
        "/playlists/most-viewed/1/",
        "/top-country/1/?country=JP",
        "/sitemap-page/",
    ] {
        let other = format!("{page}{}gender=gay", if page.contains('?') { '&' } else { '?' });
        let (reply, dom) = app.page(&other).await;
        assert_eq!(reply.status, 200, "{other}");
        let links = dom.attrs(".plain a:not(nav[aria-label='Orientation'] a)", "href");
        let lost: Vec<&String> =
            links.iter().filter(|link| is_oriented(link) && !link.contains("gender=gay")).collect();
        assert!(lost.is_empty(), "{other}: {lost:?}");
        assert!(links.iter().any(|link| link.contains("gender=gay")), "{other}");
        if page != "/" {
            assert!(trail(&dom).iter().all(|above| above.contains("gender=gay")), "{other}: {:?}", trail(&dom));
        }
        let views = dom.attrs("nav[aria-label='Orientation'] a", "href");
        assert_eq!(views, [page.to_owned(), other.replace("gender=gay", "gender=she"), other.clone()], "{page}");
        for view in views {
            let (_, dom) = app.page(&view).await;
            assert_eq!(dom.canonical().as_deref().map(path), Some(view.as_str()));
        }
        let links = app.page(page).await.1.attrs(".plain a:not(nav[aria-label='Orientation'] a)", "href");
        assert!(!links.iter().any(|link| link.contains("gender=")), "{page}: the default orientation is implied");
    }
    app.finish().await;
}

#[tokio::test]
async fn single_pages_link_to_lists_of_their_orientation() {
    let app = App::start().await;
    // Test a gay video with a category, and an album with another orientation.
    let video = app.numbers("select min(id) from videos where visible and gender = 'gay'").await[0];
    let album = app.numbers("select min(id) from albums where visible and gender = 'she'").await[0];
    for (page, gender) in [(format!("/videos/{video}/"), "gay"), (format!("/album/{album}/"), "she")] {
        let (_, dom) = app.page(&page).await;
        let links = dom.attrs("main nav a[href^='/categories/']", "href");
        let ending = format!("latest-updates/1/?gender={gender}");
        // Albums don't show their categories.
        assert_eq!(links.is_empty(), page.starts_with("/album/"), "{page}");
        assert!(links.iter().all(|link| link.ends_with(&ending)), "{page}: {links:?}");
        let trail = trail(&dom);
        assert!(trail[..2].iter().all(|above| above.ends_with(&format!("?gender={gender}"))), "{page}: {trail:?}");
    }
    app.finish().await;
}

#[tokio::test]
async fn titles_and_descriptions_of_lists_are_unique() {
    let app = App::start().await;
    let mut pages = Vec::new();
    let videos = ["latest-updates", "longest", "most-commented", "most-popular", "top-rated"];
    let sorts = |root: &str, sorts: &[&str]| sorts.iter().map(|sort| format!("/{root}/{sort}/1/")).collect::<Vec<_>>();
    pages.extend(sorts("videos", &videos));
    pages.extend(sorts("categories/travel", &videos));
    pages.extend(sorts(
        "models",
        &["most-popular", "alphabet", "count-videos", "most-viewed", "latest-updates", "top-rated"],
    ));
    pages.extend(sorts("albums", &["latest-updates", "most-popular", "top-rated", "most-viewed", "most-commented"]));
    pages.extend(sorts("playlists", &["most-popular", "latest-updates", "top-rated", "most-viewed", "count-videos"]));
    pages.extend(["/", "/categories/", "/sitemap-page/", "/top-country/1/?country=JP"].map(str::to_owned));
    let others = ["she", "gay"].map(|gender| {
        let with_gender =
            |page: &String| format!("{page}{}gender={gender}", if page.contains('?') { '&' } else { '?' });
        pages.iter().map(with_gender).collect::<Vec<_>>()
    });
    pages.extend(others.concat());
    pages.extend(sorts("community", &["recent", "most-viewed", "alphabet", "count-videos", "most-popular"]));
    pages.extend(
        ["/videos/longest/2/", "/members/3/", "/members/3/albums/1/", "/members/3/wall/1/", "/members/3/wall/2/"]
            .map(str::to_owned),
    );
    pages.extend(["/model/mika-sato/", "/model/mika-sato/info/", "/model/mika-sato/wall/"].map(str::to_owned));
    let (mut titles, mut descriptions) = (HashSet::new(), HashSet::new());
    for page in &pages {
        let (reply, dom) = app.page(page).await;
        assert_eq!(reply.status, 200, "{page}");
        assert!(titles.insert(dom.title()), "{page}: {}", dom.title());
        let description = dom.meta("description");
        assert!(description.chars().count() <= 161, "{page}: {description}");
        assert!(descriptions.insert(description), "{page}: {}", dom.meta("description"));
        let is_list = !page.starts_with("/m");
        assert!(!is_list || dom.title().starts_with(&dom.texts("#root h1").concat()), "{page}: {}", dom.title());
    }
    for (page, title) in [
        ("/categories/travel/latest-updates/1/", "Travel · Lantern"),
        ("/categories/travel/longest/2/?gender=gay", "Travel – Longest – Gay – Page 2 · Lantern"),
        ("/models/alphabet/1/?gender=she&lang=ru", "Модели – По алфавиту – Транс · Lantern"),
        ("/community/recent/1/?gender=gay", "Community · Lantern"),
        ("/search/1/", "Search · Lantern"),
        ("/search/1/?s=+", "Search · Lantern"),
        ("/search/1/?s=x", "“x” · Lantern"),
    ] {
        assert_eq!(app.page(page).await.1.title(), title, "{page}");
    }
    // A different sort order of a model's videos is a duplicate page.
    assert_eq!(app.page("/model/mika-sato/videos/1/?sort=longest").await.1.meta("robots"), "noindex");
    app.finish().await;
}

#[tokio::test]
async fn empty_lists_are_not_indexed() {
    let app = App::start().await;
    app.change(
        "delete from comments where section = 'model' and object_id = 7; delete from walls where user_id = 5;
         delete from video_models where model_id = 7; update videos set gender = 'str' where gender = 'she'",
    )
    .await;
    for page in [
        "/top-country/1/?country=AQ",
        "/categories/travel/longest/1/?gender=she",
        "/model/rei-kato/",
        "/model/rei-kato/wall/",
        "/members/3/",
        "/members/4/albums/1/",
        "/members/4/playlists/1/",
        "/members/5/wall/1/",
        "/members/10/info/",
        "/members/6/subscriptions/",
        "/playlist/29/1/",
    ] {
        let (reply, dom) = app.page(page).await;
        assert_eq!((reply.status, dom.meta("robots").as_str()), (200, "noindex"), "{page}");
        assert_eq!(dom.data("ItemList"), None, "{page}");
    }
    for page in ["/members/4/info/", "/model/rei-kato/info/", "/model/anna-lind/wall/", "/top-country/1/"] {
        let (_, dom) = app.page(page).await;
        assert_ne!(dom.meta("robots"), "noindex", "{page}");
    }
    let items = |dom: &Dom| dom.data("ItemList").map_or(Value::Null, |list| list["numberOfItems"].clone());
    assert_eq!(items(&app.page("/videos/longest/1/").await.1), 60);
    app.finish().await;
}
