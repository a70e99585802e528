//! Addresses of feeds.

use lantern_config::{Gender, VideoSort};

use super::{
    Scope, VideoPage,
    address::Address,
    community::{Community, Tab},
};

/// Returns the address of a list's feed. Feeds for models and searches contain only the latest videos.
/// `own_country` is the country of the chart if the list names none.
pub fn of_list(list: &VideoPage, gender: Gender, own_country: &str) -> Option<Address> {
    let country = match &list.scope {
        // A feed is the same for every viewer, so its address names the country, which the page takes from its visitor.
        Scope::Country(country) => country.as_deref().unwrap_or(own_country),
        Scope::Model(_) if list.sort != VideoSort::LatestUpdates => return None,
        Scope::Search(text) if text.is_empty() => return None,
        _ => "",
    };
    Some(list.feed(country, gender))
}

/// Returns the address of the feed with a list's latest videos, regardless of the list's sort order.
pub fn of_saved(list: &VideoPage, gender: Gender) -> Address {
    VideoPage { sort: VideoSort::LatestUpdates, ..list.clone() }.feed("", gender)
}

/// Returns the address of the feed with a member's uploads or with a playlist.
pub fn of_community(screen: &Community) -> Option<Address> {
    match screen {
        Community::Member(id, Tab::Videos, _) => Some(Address::new(format!("/members/{id}/feed/"))),
        Community::Playlist(id, _) => Some(Address::new(format!("/playlist/{id}/feed/"))),
        _ => None,
    }
}
