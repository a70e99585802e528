//! Which address shows a page, leads elsewhere, or shows nothing (the screens of docs/PRODUCT.md).
//!
//! The app in the browser has the same table; this one gives the first answer its status.

use std::str::FromStr;

use lantern_config::{AlbumSort, MemberSort, ModelSort, PlaylistSort, VideoSort};

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

/// Listings with an address without `/videos/`.
const ALIASES: [&str; 6] = ["latest-updates", "top-rated", "most-commented", "most-popular", "longest", "history"];

/// Lists of a member, page by page. Only the member sees what is in favourites, history and watch later.
const MEMBER_LISTS: [&str; 8] =
    ["wall", "friends", "uploaded_videos", "albums", "playlists", "favourite_videos", "watch_later_videos", "history"];

/// Pages about the site.
pub const TOPICS: [&str; 6] = ["support", "terms", "privacy", "cookies_policy", "dmca", "2257"];

/// Path of a page about the site.
pub fn topic_path(topic: &str) -> String {
    format!("/information/{topic}/")
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
    let page = Lookup { query }.root(&segments);
    match page {
        Page::Shown | Page::Embed | Page::Feed if !path.ends_with('/') => Lookup { query }.to(format!("/{inner}/")),
        page => page,
    }
}

struct Lookup<'a> {
    query: Option<&'a str>,
}

impl Lookup<'_> {
    fn to(&self, path: String) -> Page {
        Page::Elsewhere(match self.query {
            Some(query) if !query.is_empty() => format!("{path}?{query}"),
            _ => path,
        })
    }

    fn root(&self, segments: &[&str]) -> Page {
        match segments {
            [] => Page::Shown,
            ["main"] => self.to("/".to_owned()),
            ["videos", rest @ ..] => self.videos(rest),
            ["categories", rest @ ..] => self.categories(rest),
            ["top-country", "feed"] => Page::Feed,
            [root @ ("top-country" | "search"), rest @ ..] => match rest {
                [] => self.to(format!("/{root}/1/")),
                [page] if is_page(page) => Page::Shown,
                _ => Page::Missing,
            },
            ["models", rest @ ..] => self.models(rest),
            ["model", rest @ ..] => self.model(rest),
            ["albums", "categories", ..] => self.to("/albums/latest-updates/1/".to_owned()),
            ["albums", id] if is_id(id) => self.to(format!("/album/{id}/")),
            ["albums", id, dir] if is_id(id) => self.to(format!("/album/{id}/{dir}/")),
            ["albums", rest @ ..] => self.sorted::<AlbumSort>("albums", "latest-updates", rest),
            ["album", id] | ["album", id, _] if is_id(id) => Page::Shown,
            ["playlists", rest @ ..] => self.sorted::<PlaylistSort>("playlists", "most-popular", rest),
            ["playlist", id, "feed"] if is_id(id) => Page::Feed,
            ["playlist", id] if is_id(id) => self.to(format!("/playlist/{id}/1/")),
            ["playlist", id, page] if is_id(id) && is_page(page) => Page::Shown,
            ["community", rest @ ..] => self.sorted::<MemberSort>("community", "recent", rest),
            ["members", id, rest @ ..] if is_id(id) => self.member(id, rest),
            ["upload-video" | "upload-album"] => Page::Uploads,
            ["edit"] => Page::Profile,
            ["signin" | "signup" | "confirm" | "restore-password" | "sitemap-page"] => Page::Shown,
            ["information"] => self.to(topic_path(TOPICS[0])),
            ["information", topic] if TOPICS.contains(topic) => Page::Shown,
            ["embed", id] if is_id(id) => Page::Embed,
            [alias, rest @ ..] if ALIASES.contains(alias) => match rest {
                [] => self.to(format!("/videos/{alias}/1/")),
                [page] if is_page(page) => self.to(format!("/videos/{alias}/{page}/")),
                _ => Page::Missing,
            },
            _ => Page::Missing,
        }
    }

    /// `/{root}/{sort}/{page}/` with its shorter forms.
    fn sorted<S: FromStr>(&self, root: &str, usual: &str, rest: &[&str]) -> Page {
        match rest {
            [] => self.to(format!("/{root}/{usual}/1/")),
            [sort] if S::from_str(sort).is_ok() => self.to(format!("/{root}/{sort}/1/")),
            [sort, page] if S::from_str(sort).is_ok() && is_page(page) => Page::Shown,
            _ => Page::Missing,
        }
    }

    fn member(&self, id: &str, rest: &[&str]) -> Page {
        match rest {
            [] | ["info" | "subscriptions" | "messages"] => Page::Shown,
            ["feed"] => Page::Feed,
            ["messages", "1"] => self.to(format!("/members/{id}/messages/")),
            [tab] if MEMBER_LISTS.contains(tab) => self.to(format!("/members/{id}/{tab}/1/")),
            [tab, page] if MEMBER_LISTS.contains(tab) && is_page(page) => Page::Shown,
            _ => Page::Missing,
        }
    }

    fn videos(&self, rest: &[&str]) -> Page {
        match rest {
            [] => self.to("/videos/latest-updates/1/".to_owned()),
            [id] | [id, _] if is_id(id) => Page::Shown,
            ["history"] => self.to("/videos/history/1/".to_owned()),
            ["history", page] if is_page(page) => Page::Shown,
            [sort, "feed"] if is_sort(sort) => Page::Feed,
            [sort] if is_sort(sort) => self.to(format!("/videos/{sort}/1/")),
            [sort, page] if is_sort(sort) && is_page(page) => Page::Shown,
            _ => Page::Missing,
        }
    }

    fn categories(&self, rest: &[&str]) -> Page {
        match rest {
            [] => Page::Shown,
            [dirs, ..] if !dirs.split(',').all(is_dir) => Page::Missing,
            [dirs] => self.to(format!("/categories/{dirs}/latest-updates/1/")),
            [dirs, sort] if is_sort(sort) => self.to(format!("/categories/{dirs}/{sort}/1/")),
            [_, sort, "feed"] if is_sort(sort) => Page::Feed,
            [dirs, page] if is_page(page) => self.sorted_by_query(dirs, page),
            [_, sort, page] if is_sort(sort) && is_page(page) => Page::Shown,
            _ => Page::Missing,
        }
    }

    /// `/categories/{dirs}/{page}?sort=` takes its order from the query.
    fn sorted_by_query(&self, dirs: &str, page: &str) -> Page {
        let pairs: Vec<&str> = self.query.unwrap_or_default().split('&').collect();
        let asked = pairs.iter().find_map(|pair| pair.strip_prefix("sort="));
        let sort = asked.filter(|sort| is_sort(sort)).unwrap_or("latest-updates");
        let left: Vec<&str> = pairs.iter().filter(|pair| !pair.starts_with("sort=")).copied().collect();
        let query = left.join("&");
        Lookup { query: Some(&query) }.to(format!("/categories/{dirs}/{sort}/{page}/"))
    }

    fn models(&self, rest: &[&str]) -> Page {
        match rest {
            [] => self.to("/models/most-popular/1/".to_owned()),
            [sort] if is_model_sort(sort) => self.to(format!("/models/{sort}/1/")),
            [sort, page] if is_model_sort(sort) && is_page(page) => Page::Shown,
            [dir] | [dir, "videos"] if is_dir(dir) => self.to(format!("/model/{dir}/videos/1/")),
            [dir, "wall"] if is_dir(dir) => self.to(format!("/model/{dir}/wall/")),
            _ => Page::Missing,
        }
    }

    fn model(&self, rest: &[&str]) -> Page {
        match rest {
            [] => self.to("/models/most-popular/1/".to_owned()),
            [dir, ..] if !is_dir(dir) => Page::Missing,
            [_] | [_, "info" | "wall"] => Page::Shown,
            [_, "feed"] => Page::Feed,
            [dir, "videos"] => self.to(format!("/model/{dir}/videos/1/")),
            [_, "videos", page] if is_page(page) => Page::Shown,
            _ => Page::Missing,
        }
    }
}

fn is_id(segment: &str) -> bool {
    is_number(segment, 15)
}

fn is_page(segment: &str) -> bool {
    is_number(segment, 7)
}

fn is_number(segment: &str, longest: usize) -> bool {
    (1..=longest).contains(&segment.len())
        && segment.bytes().all(|byte| byte.is_ascii_digit())
        && !segment.starts_with('0')
}

fn is_sort(segment: &str) -> bool {
    VideoSort::from_str(segment).is_ok_and(|sort| sort != VideoSort::Relevance)
}

fn is_model_sort(segment: &str) -> bool {
    ModelSort::from_str(segment).is_ok()
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
