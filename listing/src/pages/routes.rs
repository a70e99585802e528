//! Resolves addresses to pages and redirects, using the rows in `config/addresses.json`, which the app reads, too.
//!
//! The result determines the status of the response.

use std::{collections::HashMap, str::FromStr, sync::LazyLock};

use lantern_config::ADDRESSES;

use crate::is_dir;

/// Result of resolving an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Page {
    /// A screen in the app.
    Shown(ScreenMatch),
    /// Only the player of a video, which other sites may embed.
    Embed(i64),
    /// A screen's list as a feed, for feed readers and search engines.
    Feed(ScreenMatch),
    /// There is no such page. The app's not-found page is shown, with status 404.
    Missing,
    /// Redirects to another path on this site.
    Elsewhere(String),
    /// The member's profile editor. Other viewers are redirected to the home page.
    Profile,
}

/// A screen with the values from its address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScreenMatch {
    /// Name in `config/addresses.json`.
    pub screen: &'static str,
    places: HashMap<&'static str, String>,
}

impl ScreenMatch {
    /// Returns the value of a placeholder in the pattern, if the pattern has that placeholder.
    pub fn place(&self, name: &str) -> Option<&str> {
        self.places.get(name).map(String::as_str)
    }

    /// Parses the value of a placeholder. Returns `None` if it is missing or invalid.
    pub fn parse<T: FromStr>(&self, name: &str) -> Option<T> {
        self.place(name)?.parse().ok()
    }
}

/// Topics of the pages about the site.
pub static TOPICS: LazyLock<Vec<&str>> = LazyLock::new(|| words("topic").iter().map(String::as_str).collect());

/// Returns the path of a page about the site.
pub fn topic_path(topic: &str) -> String {
    format!("/information/{topic}/")
}

fn words(name: &str) -> &'static [String] {
    ADDRESSES.words.get(name).map_or(&[], Vec::as_slice)
}

/// Resolves a path and its query (without `?`).
pub fn resolve(path: &str, query: Option<&str>) -> Page {
    let inner = path.trim_start_matches('/').trim_end_matches('/');
    let segments: Vec<&str> = if inner.is_empty() { Vec::new() } else { inner.split('/').collect() };
    // `//host/` and `/\host/` in a redirect would lead to another site.
    let is_unsafe = |segment: &&str| segment.is_empty() || segment.contains('\\');
    if path.starts_with("//") || path.ends_with("//") || segments.iter().any(is_unsafe) {
        return Page::Missing;
    }
    let found = ADDRESSES.addresses.iter().find_map(|(path, what)| Some((what, places(path, &segments)?)));
    let Some((what, places)) = found else { return Page::Missing };
    match page(what, places, query.unwrap_or_default()) {
        Page::Shown(_) | Page::Embed(_) | Page::Feed(_) if !path.ends_with('/') => {
            Page::Elsewhere(with_query(format!("/{inner}/"), query.unwrap_or_default()))
        }
        page => page,
    }
}

/// Returns the values of a pattern's placeholders if the whole pattern matches.
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

/// Query parameters of the profile address, each with the screen that edits the object it names. The album takes
/// precedence over the video, as in the app.
const EDITED: [(&str, &str); 2] = [("album_id=", "edit-album"), ("video_id=", "edit-video")];

fn page(what: &'static str, places: HashMap<&'static str, &str>, query: &str) -> Page {
    if what.starts_with('/') {
        return target(what, &places, query);
    }
    let places = places.into_iter().map(|(place, text)| (place, text.to_owned())).collect();
    let shown = |screen| ScreenMatch { screen, places };
    match what {
        "profile" => {
            let edited = EDITED.iter().find(|(name, _)| query.split('&').any(|pair| pair.starts_with(name)));
            edited.map_or(Page::Profile, |&(_, screen)| Page::Shown(shown(screen)))
        }
        "embed" => shown(what).parse("id").map_or(Page::Missing, Page::Embed),
        _ => match what.strip_prefix("feed:") {
            Some(screen) => Page::Feed(shown(screen)),
            None => Page::Shown(shown(what)),
        },
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

    fn shown<const N: usize>(screen: &'static str, places: [(&'static str, &str); N]) -> ScreenMatch {
        ScreenMatch { screen, places: places.map(|(place, text)| (place, text.to_owned())).into() }
    }

    #[test]
    fn addresses_resolve_to_screens_and_values() {
        for (path, found) in [
            ("/", shown("home", [])),
            ("/videos/latest-updates/1/", shown("videos", [("video_sort", "latest-updates"), ("page", "1")])),
            ("/videos/12/", shown("video", [("id", "12")])),
            ("/videos/12/night-market/", shown("video", [("id", "12"), ("any", "night-market")])),
            ("/videos/history/2/", shown("history", [("page", "2")])),
            ("/categories/", shown("categories", [])),
            (
                "/categories/a,b/top-rated/2/",
                shown("category", [("dirs", "a,b"), ("video_sort", "top-rated"), ("page", "2")]),
            ),
            ("/search/1/", shown("search", [("page", "1")])),
            ("/top-country/3/", shown("country", [("page", "3")])),
            ("/models/alphabet/1/", shown("models", [("model_sort", "alphabet"), ("page", "1")])),
            ("/model/mika-sato/", shown("model", [("dir", "mika-sato")])),
            ("/model/mika-sato/info/", shown("model-info", [("dir", "mika-sato")])),
            ("/model/mika-sato/wall/", shown("model-wall", [("dir", "mika-sato")])),
            ("/model/mika-sato/videos/2/", shown("model", [("dir", "mika-sato"), ("page", "2")])),
            ("/albums/most-viewed/2/", shown("albums", [("album_sort", "most-viewed"), ("page", "2")])),
            ("/album/7/", shown("album", [("id", "7")])),
            ("/album/7/night/", shown("album", [("id", "7"), ("any", "night")])),
            ("/playlists/count-videos/1/", shown("playlists", [("playlist_sort", "count-videos"), ("page", "1")])),
            ("/playlist/7/2/", shown("playlist", [("id", "7"), ("page", "2")])),
            ("/community/recent/3/", shown("members", [("member_sort", "recent"), ("page", "3")])),
            ("/members/7/", shown("member", [("id", "7")])),
            ("/members/7/info/", shown("member", [("id", "7"), ("member_page", "info")])),
            ("/members/7/messages/", shown("member", [("id", "7"), ("member_page", "messages")])),
            ("/members/7/friends/2/", shown("member", [("id", "7"), ("member_list", "friends"), ("page", "2")])),
            ("/signin/", shown("signin", [])),
            ("/upload-video/", shown("upload", [])),
            ("/upload-album/", shown("upload-album", [])),
            ("/information/cookies_policy/", shown("information", [("topic", "cookies_policy")])),
            ("/sitemap-page/", shown("sitemap", [])),
        ] {
            assert_eq!(resolve(path, None), Page::Shown(found), "{path}");
        }
        assert_eq!(resolve("/edit/", Some("album_id=7")), Page::Shown(shown("edit-album", [])));
        assert_eq!(resolve("/edit/", Some("a=b&video_id=7")), Page::Shown(shown("edit-video", [])));
        assert_eq!(resolve("/edit", None), Page::Profile);
        assert_eq!(resolve("/embed/12/", None), Page::Embed(12));
        for (path, found) in [
            ("/videos/longest/feed/", shown("videos", [("video_sort", "longest")])),
            ("/categories/a,b/top-rated/feed/", shown("category", [("dirs", "a,b"), ("video_sort", "top-rated")])),
            ("/model/mika-sato/feed/", shown("model", [("dir", "mika-sato")])),
            ("/top-country/feed/", shown("country", [])),
            ("/members/7/feed/", shown("member", [("id", "7")])),
            ("/playlist/7/feed/", shown("playlist", [("id", "7")])),
        ] {
            assert_eq!(resolve(path, None), Page::Feed(found), "{path}");
        }
        assert_eq!(resolve("/videos/longest/feed", None), to("/videos/longest/feed/"));
        assert_eq!(resolve("/videos/relevance/feed/", None), Page::Missing);
    }

    #[test]
    fn redirects_of_the_specification() {
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
            ("/playlists/7/", "/playlist/7/1/"),
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
    fn other_addresses_are_missing() {
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
            "/playlists/x/",
            "/playlist/0/1/",
            "/community/recent/0/",
            "/members/",
            "/members/7/favourite_videos/x/",
            "/members/7/info/1/",
            "/members/7/messages/2/",
            "/videos/history/0/",
            "/members/7/albums/feed/",
            "/playlist/x/feed/",
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
