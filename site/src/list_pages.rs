//! Addresses of lists, for the site map and sitemaps.

use lantern_config::{AlbumSort, Gender, MemberSort, ModelSort, PlaylistSort, VideoSort};
use lantern_listing::pages::{TOPICS, address::Address, topic_path};

/// Root of the lists of members, which are the same for every orientation.
pub const MEMBERS: &str = "community";

/// Returns the roots of lists, each with its sort orders.
pub fn sorts() -> [(&'static str, Vec<&'static str>); 5] {
    let videos = VideoSort::ALL.iter().filter(|sort| **sort != VideoSort::Relevance);
    [
        ("videos", videos.map(|sort| sort.as_str()).collect()),
        ("models", ModelSort::ALL.iter().map(|sort| sort.as_str()).collect()),
        ("albums", AlbumSort::ALL.iter().map(|sort| sort.as_str()).collect()),
        ("playlists", PlaylistSort::ALL.iter().map(|sort| sort.as_str()).collect()),
        (MEMBERS, MemberSort::ALL.iter().map(|sort| sort.as_str()).collect()),
    ]
}

/// Returns the addresses of lists and information pages, for search engines. `filled` contains the kinds of lists that aren't empty, each
/// with its orientation, because an empty page is not worth indexing.
pub fn lists(filled: &[(String, String)]) -> Vec<Address> {
    let mut found = Vec::new();
    for gender in Gender::ALL {
        let fills = |kind: &str| filled.iter().any(|(known, of)| known == kind && of == gender.as_str());
        let own = |path: &str| Address::new(path).gender(*gender);
        let first = *gender == Gender::Str;
        // Visitors land on the pages for the default orientation, so most of these are listed even if empty.
        let tops = [("/", first), ("/sitemap-page/", first), ("/categories/", false), ("/top-country/1/", first)];
        found.extend(tops.iter().filter(|(_, always)| *always || fills("videos")).map(|(path, _)| own(path)));
        for (root, sorts) in sorts() {
            if fills(root) || root == MEMBERS && first {
                found.extend(sorts.iter().map(|sort| own(&format!("/{root}/{sort}/1/"))));
            }
        }
    }
    found.extend(TOPICS.iter().map(|topic| Address::new(topic_path(topic))));
    found
}
