//! `addresses.json`: every URL path of the site in one table, shared with the app's build. The first matching row wins.
//!
//! A path consists of words and placeholders. `{id}` and `{page}` are numbers from 1, `{dir}` names an object, and `{dirs}` names several,
//! separated by commas. `{any}` is any segment, and `{rest}` is the remainder. Other names refer to lists in `words`. In a target,
//! `{?sort}` is a query parameter that moves into the path if it is a video sort.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

/// The table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Addresses {
    /// Allowed values per placeholder.
    pub words: BTreeMap<String, Vec<String>>,
    /// Patterns with leading and trailing slashes, in matching order. Each maps to a screen or, with a leading slash, to a redirect target.
    /// `feed:` followed by a screen means that screen's list as a feed.
    pub addresses: Vec<(String, String)>,
}

/// The embedded table.
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
    fn words_match_the_contract() {
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
    fn every_path_has_leading_and_trailing_slash() {
        for (path, _) in &ADDRESSES.addresses {
            assert!(path.starts_with('/') && (path.ends_with('/') || path.ends_with("/{rest}")), "{path}");
        }
    }
}
