//! What members do: the bounds of comments, playlists and views. `default.toml` has the reason of every key.

use serde::Deserialize;

use crate::{ConfigError, refuse};

/// `[comments]`, walls alike.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comments {
    /// Fewest characters, 5 to [`COMMENT_LONGEST`].
    pub min_length: usize,
    /// Most characters, up to [`COMMENT_LONGEST`].
    pub max_length: usize,
    /// Seconds in which the same words of the same member on the same object are one comment.
    pub same_seconds: u32,
    /// Seconds in which who took one away may bring it back.
    pub undo_seconds: u32,
}

/// `[playlists]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Playlists {
    /// Fewest characters of a title, at least 3.
    pub title_min: usize,
    /// Most characters of a title, up to 100.
    pub title_max: usize,
    /// Fewest characters of a description, at least 5.
    pub description_min: usize,
    /// Most characters of a description, up to 500.
    pub description_max: usize,
    /// Most videos of one.
    pub max_videos: u32,
    /// Most playlists of a member.
    pub max_per_member: u32,
    /// Seconds in which the same form sent again is the same playlist.
    pub same_seconds: u32,
}

/// `[views]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Views {
    /// Seconds in which one viewer's views of an object count once.
    pub window_seconds: u32,
    /// Milliseconds views wait in memory at most, 1 to 1,000.
    pub flush_ms: u64,
    /// Views waiting in memory at most.
    pub buffer: usize,
    /// Objects that are remembered to exist.
    pub known_objects: u64,
    /// Seconds they are remembered.
    pub known_seconds: u64,
    /// Parts of the `User-Agent` of machines, lower case.
    pub bots: Vec<String>,
}

/// `[mutes]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutes {
    /// Categories, models and members of a viewer at most, each.
    pub per_kind: u32,
    /// Videos of a history that are left out of lists, the latest.
    pub watched: u32,
}

/// Most characters the catalog takes for a comment.
pub const COMMENT_LONGEST: usize = 1500;

/// Refuses what the catalog would refuse for every member.
pub(crate) fn check(comments: &Comments, playlists: &Playlists, views: &Views) -> Result<(), ConfigError> {
    let within = |key, shortest: usize, longest: usize, (min, max): (usize, usize)| {
        if shortest <= min && min <= max && max <= longest {
            return Ok(());
        }
        refuse(key, format!("must lie within {shortest} to {longest}, the shortest first"))
    };
    within("comments.min_length, comments.max_length", 5, COMMENT_LONGEST, (comments.min_length, comments.max_length))?;
    within("playlists.title_min, playlists.title_max", 3, 100, (playlists.title_min, playlists.title_max))?;
    let description = (playlists.description_min, playlists.description_max);
    within("playlists.description_min, playlists.description_max", 5, 500, description)?;
    if views.buffer == 0 || !(1..=1000).contains(&views.flush_ms) {
        let why = "the buffer needs room, and may keep views for 1 to 1000 milliseconds";
        return refuse("views.buffer, views.flush_ms", why);
    }
    if let Some(bot) = views.bots.iter().find(|bot| bot.is_empty() || bot.to_lowercase() != **bot) {
        return refuse("views.bots", format!("{bot:?} must be lower case and not empty"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::Config;

    #[test]
    fn bounds_the_catalog_would_refuse_are_refused() {
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
