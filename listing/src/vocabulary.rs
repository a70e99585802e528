//! The part of the grammar that the app needs: `vocabulary.json`, from which each web build generates TypeScript.

use lantern_config::{LARGEST_PAGE, MemberFilter, ModelFilter, lifetimes};
use serde_json::{Value, json};

use crate::{
    facets::FACETS,
    filters::{FilterWord, Kind},
    names::NAMES,
    pages::PAGE_SIZE,
};

/// Path templates of the calls for lists.
pub mod calls {
    /// Videos.
    pub const VIDEOS: &str = "/api/json/videos2/{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.{type}.{duration}.{date}.json";
    /// Counts for the choices of a list of videos.
    pub const VIDEO_COUNTS: &str = "/api/json/video_counts/{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.{type}.{duration}.{date}.json";
    /// Albums.
    pub const ALBUMS: &str = "/api/json/albums/{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.json";
    /// Playlists.
    pub const PLAYLISTS: &str =
        "/api/json/playlists/{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.json";
    /// Models.
    pub const MODELS: &str = "/api/json/models/{lifetime}/{gender}/filt{filters}/{sort}/{count}/{page}.json";
    /// Members.
    pub const MEMBERS: &str = "/api/json/members/{lifetime}/filt{filters}/{sort}/{count}/{page}.json";
}

/// Returns the vocabulary. Every key is the name of a constant in the app.
pub fn vocabulary() -> Value {
    let choices =
        FACETS.iter().map(|facet| json!({ "name": facet.name, "place": facet.place.as_str(), "words": facet.words() }));
    let names =
        NAMES.iter().map(|facet| json!({ "name": facet.name, "kind": facet.kind.as_str(), "negated": facet.negated }));
    json!({
        "lifetimes": {
            "DEFAULT": lifetimes::DEFAULT,
            "HOME": lifetimes::HOME,
            "LATEST": lifetimes::LATEST,
            "RELATED": lifetimes::RELATED,
            "SUGGESTER": lifetimes::SUGGESTER,
            "MEMBER": lifetimes::MEMBER,
            "NONE": lifetimes::NONE,
        },
        "calls": {
            "VIDEOS": calls::VIDEOS,
            "VIDEO_COUNTS": calls::VIDEO_COUNTS,
            "ALBUMS": calls::ALBUMS,
            "PLAYLISTS": calls::PLAYLISTS,
            "MODELS": calls::MODELS,
            "MEMBERS": calls::MEMBERS,
        },
        "PAGE_SIZE": PAGE_SIZE,
        "LARGEST_PAGE": LARGEST_PAGE,
        "CHOICES": choices.collect::<Vec<_>>(),
        "NAMES": names.collect::<Vec<_>>(),
        "MODEL_FILTERS": words(ModelFilter::ALL),
        "RANGE_FILTERS": words(ModelFilter::ALL.iter().filter(|filter| filter.kind() == Kind::Range)),
        "MEMBER_FILTERS": words(MemberFilter::ALL),
    })
}

fn words<'a, F: FilterWord>(filters: impl IntoIterator<Item = &'a F>) -> Vec<&'static str> {
    filters.into_iter().map(|filter| filter.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facets::{Facet, Place};

    #[test]
    fn file_is_up_to_date() {
        let file: Value = serde_json::from_str(include_str!("../vocabulary.json")).expect("JSON");
        assert_eq!(file, vocabulary(), "run ./dev gen");
    }

    #[test]
    fn calls_end_with_the_facets_in_the_path() {
        let facets: String = Facet::of(Place::Path).map(|facet| format!(".{{{}}}", facet.name)).collect();
        for call in [calls::VIDEOS, calls::VIDEO_COUNTS] {
            assert!(call.ends_with(&format!("{{page}}{facets}.json")), "{call}");
        }
    }
}
