//! What the renditions of a film were made with, as the catalog records it.

use lantern_config::{Preset, Rung};
use serde::{Deserialize, Serialize};

use super::{Ladder, Second, rungs};

/// Everything that decides what the renditions of a film are like, except the film itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EncodingSettings {
    /// Shorter side of the source, in pixels.
    pub source: u32,
    /// The renditions' heights with their settings, smallest first.
    pub rungs: Vec<Rung>,
    /// Speed of x264.
    pub preset: Preset,
    /// Codec of a second set of renditions with its settings. The set may be missing if it couldn't be encoded.
    pub second: Option<Second>,
}

impl EncodingSettings {
    /// Returns the settings for a source with this shorter side.
    #[must_use]
    pub fn of(source: u32, ladder: Ladder) -> Self {
        Self { source, rungs: rungs(source, ladder), preset: ladder.preset, second: ladder.second }
    }

    /// Returns whether a film with these settings would be made with the same ones now.
    #[must_use]
    pub fn is_current(&self, ladder: Ladder) -> bool {
        *self == Self::of(self.source, ladder)
    }
}

#[cfg(test)]
mod tests {
    use lantern_config::{Config, Films, SecondCodec};

    use super::*;

    #[test]
    fn settings_are_current_until_one_of_them_changes() {
        let config = Config::load(None).unwrap();
        let films = |change: fn(&mut Films)| {
            let mut films = config.films.clone();
            change(&mut films);
            films
        };
        let made = EncodingSettings::of(700, (&config.films).into());
        assert_eq!(made.rungs.iter().map(|rung| rung.height).collect::<Vec<_>>(), [240, 480, 700]);
        let text = serde_json::to_string(&made).unwrap();
        let read: EncodingSettings = serde_json::from_str(&text).unwrap();
        assert_eq!(read, made);
        let is_current = |change| read.is_current((&films(change)).into());
        assert!(is_current(|_| {}));
        // The film is too small for these.
        assert!(is_current(|films| films.ladder[4].crf = 20));
        assert!(is_current(|films| films.max_height = 1080));
        assert!(is_current(|films| films.av1.preset = 5));
        for change in [
            (|films| films.ladder[2].crf = 20) as fn(&mut Films),
            |films| films.ladder[0].audio = 96,
            |films| films.ladder.truncate(1),
            |films| films.max_height = 480,
            |films| films.preset = Preset::Slow,
            |films| films.second_codec = SecondCodec::Hevc,
        ] {
            assert!(!is_current(change));
        }
    }
}
