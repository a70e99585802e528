//! `addresses.json`: every address of the site in one table, which the app's build reads, too. The first row that matches counts.
//!
//! A path is made of words and of places: `{id}` and `{page}` are numbers from 1, `{dir}` names an object, `{dirs}` several with
//! commas, `{any}` is anything, `{rest}` all that follows, and other names are lists of `words`. In a target `{?sort}` is a
//! parameter of the query that moves into the path, if it is a video sort.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

/// The table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Addresses {
    /// What a place may hold.
    pub words: BTreeMap<String, Vec<String>>,
    /// Patterns with a slash at their ends, in the order they are tried, each with the screen that is shown there (`feed:` and the screen: its list as a feed) or the address,
    /// beginning with a slash, where it leads instead.
    pub addresses: Vec<(String, String)>,
}

/// The table of this build.
pub static ADDRESSES: LazyLock<Addresses> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../addresses.json"))
        .unwrap_or_else(|error| unreachable!("addresses.json: {error}"))
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AlbumSort, MemberSort, ModelSort, PlaylistSort, VideoSort};

    fn words<T: Copy>(all: &[T], word: fn(&T) -> &'static str, but: &[&str]) -> Vec<&'static str> {
        let mut words: Vec<_> = all.iter().map(word).filter(|word| !but.contains(word)).collect();
        words.sort_unstable();
        words
    }

    #[test]
    fn the_words_are_those_of_the_contract() {
        let known = |name: &str| {
            let mut words: Vec<&str> = ADDRESSES.words[name].iter().map(String::as_str).collect();
            words.sort_unstable();
            words
        };
        assert_eq!(known("video_sort"), words(VideoSort::ALL, |sort| sort.as_str(), &["relevance"]));
        assert_eq!(known("model_sort"), words(ModelSort::ALL, |sort| sort.as_str(), &[]));
        assert_eq!(known("album_sort"), words(AlbumSort::ALL, |sort| sort.as_str(), &[]));
        assert_eq!(known("playlist_sort"), words(PlaylistSort::ALL, |sort| sort.as_str(), &[]));
        assert_eq!(known("member_sort"), words(MemberSort::ALL, |sort| sort.as_str(), &[]));
    }

    #[test]
    fn every_path_has_its_slashes() {
        for (path, _) in &ADDRESSES.addresses {
            assert!(path.starts_with('/') && (path.ends_with('/') || path.ends_with("/{rest}")), "{path}");
        }
    }
}
