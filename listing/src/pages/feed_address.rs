//! Addresses of feeds.

use lantern_config::{Gender, VideoSort};

use super::{
    address::Address,
    community::{Community, Tab},
    list_address,
    screen::{Scope, VideosScreen},
};

/// Returns the address of a list's feed. Feeds for models and searches contain only the latest videos.
/// `own_country` is the country of the chart if the list names none.
pub fn of_list(list: &VideosScreen, gender: Gender, own_country: &str) -> Option<Address> {
    let country = match &list.scope {
        // A feed is the same for every viewer, so its address names the country, which the page takes from its visitor.
        Scope::Country(country) => country.as_deref().unwrap_or(own_country),
        Scope::Model(_) if list.sort != VideoSort::LatestUpdates => return None,
        Scope::Search(text) if text.is_empty() => return None,
        _ => "",
    };
    Some(address(list, country, gender))
}

/// Returns the address of the feed with a list's latest videos, regardless of the list's sort order.
pub fn of_saved(list: &VideosScreen, gender: Gender) -> Address {
    address(&VideosScreen { sort: VideoSort::LatestUpdates, ..list.clone() }, "", gender)
}

fn address(list: &VideosScreen, country: &str, gender: Gender) -> Address {
    let address = match &list.scope {
        // Lists for models, members and playlists are the same for every orientation.
        Scope::Model(dir) => return list_address::with_filters(Address::new(format!("/model/{dir}/feed/")), list),
        Scope::Browse(dirs) if dirs.is_empty() => Address::new(format!("/videos/{}/feed/", list.sort)),
        Scope::Browse(dirs) => Address::new(format!("/categories/{}/{}/feed/", dirs.join(","), list.sort)),
        Scope::Country(_) => Address::new("/top-country/feed/").with("country", country, ""),
        Scope::Search(text) => Address::new("/search/feed/").with("s", text, ""),
    };
    list_address::with_filters(address, list).gender(gender)
}

/// Returns the address of the feed with a member's uploads or with a playlist.
pub fn of_community(screen: &Community) -> Option<Address> {
    match screen {
        Community::Member(id, Tab::Videos, _) => Some(Address::new(format!("/members/{id}/feed/"))),
        Community::Playlist(id, _) => Some(Address::new(format!("/playlist/{id}/feed/"))),
        _ => None,
    }
}
