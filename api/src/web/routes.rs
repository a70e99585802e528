//! Which address shows a page, leads elsewhere, or shows nothing: the rows of `config/addresses.json`, which the app reads, too.
//!
//! This gives the first answer its status.

use std::{collections::HashMap, sync::LazyLock};

use lantern_config::ADDRESSES;

use crate::http::extract::is_dir;

/// What is at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Page {
    /// A screen of the app.
    Shown,
    /// The player alone, which other sites may frame.
    Embed,
    /// A listing as a feed for readers and search engines.
    Feed,
    /// Nothing: the app's page for that, with status 404.
    Missing,
    /// Another address, absolute on this site.
    Elsewhere(String),
    /// What a member uploads: any viewer is led home, because there is no such screen.
    Uploads,
    /// The member's own profile, where it is edited; any other viewer is led home.
    Profile,
}

/// Pages about the site.
pub static TOPICS: LazyLock<Vec<&str>> = LazyLock::new(|| words("topic").iter().map(String::as_str).collect());

/// Path of a page about the site.
pub fn topic_path(topic: &str) -> String {
    format!("/information/{topic}/")
}

fn words(name: &str) -> &'static [String] {
    ADDRESSES.words.get(name).map_or(&[], Vec::as_slice)
}

/// Looks up a path with its query (without `?`).
pub fn resolve(path: &str, query: Option<&str>) -> Page {
    let inner = path.trim_start_matches('/').trim_end_matches('/');
    let segments: Vec<&str> = if inner.is_empty() { Vec::new() } else { inner.split('/').collect() };
    // `//host/` and `/\host/` would lead to another site if they were repeated in a redirect.
    let strange = |segment: &&str| segment.is_empty() || segment.contains('\\');
    if path.starts_with("//") || path.ends_with("//") || segments.iter().any(strange) {
        return Page::Missing;
    }
    let found = ADDRESSES.addresses.iter().find_map(|(path, what)| Some((what, places(path, &segments)?)));
    let Some((what, places)) = found else { return Page::Missing };
    match page(what, &places, query.unwrap_or_default()) {
        Page::Shown | Page::Embed | Page::Feed if !path.ends_with('/') => {
            Page::Elsewhere(with_query(format!("/{inner}/"), query.unwrap_or_default()))
        }
        page => page,
    }
}

/// What stands at the places of a pattern, where all of it matches.
fn places<'a>(pattern: &'static str, segments: &[&'a str]) -> Option<HashMap<&'static str, &'a str>> {
    let mut left = segments.iter();
    let mut places = HashMap::new();
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        let Some(place) = part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) else {
            if left.next() != Some(&part) {
                return None;
            }
            continue;
        };
        if place == "rest" {
            return Some(places);
        }
        let segment = left.next().copied().filter(|segment| fits(place, segment))?;
        places.insert(place, segment);
    }
    left.next().is_none().then_some(places)
}

fn fits(place: &str, segment: &str) -> bool {
    match place {
        "any" => true,
        "id" => is_number(segment, 15),
        "page" => is_number(segment, 7),
        "dir" => is_dir(segment),
        "dirs" => segment.split(',').all(is_dir),
        name => words(name).iter().any(|word| word == segment),
    }
}

fn is_number(segment: &str, longest: usize) -> bool {
    (1..=longest).contains(&segment.len())
        && segment.bytes().all(|byte| byte.is_ascii_digit())
        && !segment.starts_with('0')
}

fn page(what: &str, places: &HashMap<&str, &str>, query: &str) -> Page {
    match what {
        "embed" => Page::Embed,
        "feed" => Page::Feed,
        "uploads" => Page::Uploads,
        "profile" => Page::Profile,
        to if to.starts_with('/') => target(to, places, query),
        _ => Page::Shown,
    }
}

fn target(to: &str, places: &HashMap<&str, &str>, query: &str) -> Page {
    let mut path = places.iter().fold(to.to_owned(), |path, (place, text)| path.replace(&format!("{{{place}}}"), text));
    let mut pairs: Vec<&str> = query.split('&').collect();
    if path.contains("{?sort}") {
        let sort = pairs.iter().find_map(|pair| pair.strip_prefix("sort=")).filter(|sort| fits("video_sort", sort));
        path = path.replace("{?sort}", sort.unwrap_or("latest-updates"));
        pairs.retain(|pair| !pair.starts_with("sort="));
    }
    Page::Elsewhere(with_query(path, &pairs.join("&")))
}

fn with_query(path: String, query: &str) -> String {
    if query.is_empty() { path } else { format!("{path}?{query}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to(path: &str) -> Page {
        Page::Elsewhere(path.to_owned())
    }

    #[test]
    fn screens_are_shown() {
        for path in [
            "/",
            "/videos/latest-updates/1/",
            "/videos/12/",
            "/videos/12/night-market/",
            "/categories/",
            "/categories/a,b/top-rated/2/",
            "/search/1/",
            "/top-country/3/",
            "/models/alphabet/1/",
            "/model/mika-sato/",
            "/model/mika-sato/info/",
            "/model/mika-sato/wall/",
            "/model/mika-sato/videos/2/",
            "/videos/history/2/",
            "/albums/most-viewed/2/",
            "/album/7/",
            "/album/7/night/",
            "/playlists/count-videos/1/",
            "/playlist/7/2/",
            "/community/recent/3/",
            "/members/7/",
            "/members/7/info/",
            "/members/7/subscriptions/",
            "/members/7/friends/2/",
            "/signin/",
            "/information/cookies_policy/",
            "/sitemap-page/",
            "/members/7/favourite_videos/1/",
            "/members/7/watch_later_videos/2/",
            "/members/7/history/1/",
            "/members/7/messages/",
        ] {
            assert_eq!(resolve(path, None), Page::Shown, "{path}");
        }
        assert_eq!(resolve("/upload-video/", None), Page::Uploads);
        assert_eq!(resolve("/edit", None), Page::Profile);
        assert_eq!(resolve("/embed/12/", None), Page::Embed);
        for path in [
            "/videos/longest/feed/",
            "/categories/a,b/top-rated/feed/",
            "/model/mika-sato/feed/",
            "/top-country/feed/",
            "/members/7/feed/",
            "/playlist/7/feed/",
        ] {
            assert_eq!(resolve(path, None), Page::Feed, "{path}");
        }
        assert_eq!(resolve("/videos/longest/feed", None), to("/videos/longest/feed/"));
        assert_eq!(resolve("/videos/relevance/feed/", None), Page::Missing);
    }

    #[test]
    fn the_redirects_of_the_specification() {
        for (path, target) in [
            ("/main/", "/"),
            ("/main", "/"),
            ("/videos/", "/videos/latest-updates/1/"),
            ("/videos/longest/", "/videos/longest/1/"),
            ("/videos/12", "/videos/12/"),
            ("/categories/a/", "/categories/a/latest-updates/1/"),
            ("/categories/a/3/", "/categories/a/latest-updates/3/"),
            ("/latest-updates/", "/videos/latest-updates/1/"),
            ("/top-rated/4/", "/videos/top-rated/4/"),
            ("/top-country/", "/top-country/1/"),
            ("/models/", "/models/most-popular/1/"),
            ("/models/mika-sato/", "/model/mika-sato/videos/1/"),
            ("/model/mika-sato/videos/", "/model/mika-sato/videos/1/"),
            ("/albums/", "/albums/latest-updates/1/"),
            ("/albums/top-rated/", "/albums/top-rated/1/"),
            ("/albums/categories/travel/2/", "/albums/latest-updates/1/"),
            ("/albums/7/night/", "/album/7/night/"),
            ("/albums/7", "/album/7/"),
            ("/playlists/", "/playlists/most-popular/1/"),
            ("/playlist/7/", "/playlist/7/1/"),
            ("/community", "/community/recent/1/"),
            ("/community/alphabet/", "/community/alphabet/1/"),
            ("/members/7/wall/", "/members/7/wall/1/"),
            ("/members/7/history/", "/members/7/history/1/"),
            ("/members/7/messages/1/", "/members/7/messages/"),
            ("/models/mika-sato/wall/", "/model/mika-sato/wall/"),
            ("/history/", "/videos/history/1/"),
            ("/history/3/", "/videos/history/3/"),
            ("/videos/history/", "/videos/history/1/"),
            ("/members/7", "/members/7/"),
            ("/restore-password", "/restore-password/"),
            ("/information/", "/information/support/"),
        ] {
            assert_eq!(resolve(path, None), to(target), "{path}");
        }
        let query = Some("duration=long&sort=longest");
        assert_eq!(resolve("/categories/a/3/", query), to("/categories/a/longest/3/?duration=long"));
        assert_eq!(resolve("/search", Some("s=x")), to("/search/1/?s=x"));
    }

    #[test]
    fn everything_else_is_missing() {
        for path in [
            "/404/",
            "/videos/best/1/",
            "/videos/relevance/1/",
            "/videos/longest/0/",
            "/videos/12/a/b/",
            "/nothing",
            "/wp-login.php",
            "/categories/A%20B/",
            "/model/..%2f/",
            "/search/x/",
            "/albums/longest/1/",
            "/album/x/",
            "/playlist/0/1/",
            "/community/recent/0/",
            "/members/",
            "/members/7/favourite_videos/x/",
            "/members/7/info/1/",
            "/members/7/messages/2/",
            "/videos/history/0/",
            "/members/7/albums/feed/",
            "/playlist/x/feed/",
            "/search/feed/",
            "/edit/x/",
            "/signin/x/",
            "/information/imprint/",
        ] {
            assert_eq!(resolve(path, None), Page::Missing, "{path}");
        }
    }

    #[test]
    fn no_redirect_leaves_the_site() {
        for path in ["//evil.example", "//evil.example/videos", "/\\evil.example", "/videos//", "//"] {
            assert_eq!(resolve(path, None), Page::Missing, "{path}");
        }
    }
}
