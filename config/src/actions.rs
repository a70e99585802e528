//! Limits for comments, playlists and views. `default.toml` explains each key.

use serde::Deserialize;

use crate::{ConfigError, reject};

/// `[comments]`, which also applies to walls.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comments {
    /// Minimum length in characters, 5 to [`COMMENT_LONGEST`].
    pub min_length: usize,
    /// Maximum length in characters, at most [`COMMENT_LONGEST`].
    pub max_length: usize,
    /// Seconds during which the same text by the same member on the same object counts as one comment.
    pub same_seconds: u32,
    /// Seconds during which a deletion can be undone.
    pub undo_seconds: u32,
}

/// `[playlists]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Playlists {
    /// Minimum length of a title in characters, at least 3.
    pub title_min: usize,
    /// Maximum length of a title in characters, at most 100.
    pub title_max: usize,
    /// Minimum length of a description in characters, at least 5.
    pub description_min: usize,
    /// Maximum length of a description in characters, at most 500.
    pub description_max: usize,
    /// Maximum number of videos per playlist.
    pub max_videos: u32,
    /// Maximum number of playlists per member.
    pub max_per_member: u32,
    /// Seconds during which resubmitting the same form creates no second playlist.
    pub same_seconds: u32,
}

/// `[views]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Views {
    /// Seconds during which repeated views of an object by one viewer count once.
    pub window_seconds: u32,
    /// Maximum number of milliseconds for which views are buffered in memory, 1 to 1,000.
    pub flush_ms: u64,
    /// Maximum number of buffered views.
    pub buffer: usize,
    /// Maximum number of cached ids of existing objects.
    pub known_objects: u64,
    /// Seconds for which these ids are cached.
    pub known_seconds: u64,
    /// Substrings of bots' `User-Agent`, in lower case.
    pub bots: Vec<String>,
}

/// `[mutes]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutes {
    /// Maximum number of muted categories per viewer. The same maximum applies to models and to members.
    pub per_kind: u32,
    /// Number of most recently watched videos that are excluded from lists.
    pub watched: u32,
}

/// Maximum length of a comment in the catalog, in characters.
pub const COMMENT_LONGEST: usize = 1500;

/// Rejects limits that the catalog's constraints would contradict.
pub(crate) fn check(comments: &Comments, playlists: &Playlists, views: &Views) -> Result<(), ConfigError> {
    let within = |key, shortest: usize, longest: usize, (min, max): (usize, usize)| {
        if shortest <= min && min <= max && max <= longest {
            return Ok(());
        }
        reject(key, format!("must lie within {shortest} to {longest}, the shortest first"))
    };
    within("comments.min_length, comments.max_length", 5, COMMENT_LONGEST, (comments.min_length, comments.max_length))?;
    within("playlists.title_min, playlists.title_max", 3, 100, (playlists.title_min, playlists.title_max))?;
    let description = (playlists.description_min, playlists.description_max);
    within("playlists.description_min, playlists.description_max", 5, 500, description)?;
    if views.buffer == 0 || !(1..=1000).contains(&views.flush_ms) {
        let why = "the buffer must not be 0, and flush_ms must be 1 to 1000";
        return reject("views.buffer, views.flush_ms", why);
    }
    if let Some(bot) = views.bots.iter().find(|bot| bot.is_empty() || bot.to_lowercase() != **bot) {
        return reject("views.bots", format!("{bot:?} must be lower case and not empty"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::Config;

    #[test]
    fn limits_beyond_the_catalog_are_rejected() {
        let refused = |change: fn(&mut Config)| {
            let mut config = Config::default();
            change(&mut config);
            super::check(&config.comments, &config.playlists, &config.views).is_err()
        };
        assert!(!refused(|_| {}));
        assert!(refused(|config| config.comments.min_length = 4));
        assert!(refused(|config| config.comments.max_length = 1501));
        assert!(refused(|config| config.comments.min_length = 1501));
        assert!(refused(|config| config.playlists.title_max = 101));
        assert!(refused(|config| config.playlists.description_min = 0));
        assert!(refused(|config| config.views.flush_ms = 1001));
        assert!(refused(|config| config.views.buffer = 0));
        assert!(refused(|config| config.views.bots.push("Bot".to_owned())));
    }
}
