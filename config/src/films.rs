//! `[films]`: processing of uploaded videos. `default.toml` explains each key.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{
    ConfigError, at_least_one,
    codecs::{self, Av1, Encoder, Hevc, Preset, SecondCodec},
    niceness, reject,
};

/// `[films]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Films {
    /// Minimum length of a title in characters, at least 1.
    pub title_min: usize,
    /// Maximum length of a title in characters, at most [`TITLE_MOST`].
    pub title_max: usize,
    /// Maximum length of a description in characters, at most [`DESCRIPTION_MOST`].
    pub description_max: usize,
    /// Maximum number of chapters of a video that its owner writes or its file contains, at least 2.
    pub max_chapters: usize,
    /// Maximum length of such a chapter's title in characters, at least 1.
    pub chapter_title_max: usize,
    /// Maximum number of categories per video.
    pub max_categories: usize,
    /// Maximum number of models per video.
    pub max_models: usize,
    /// Minimum duration of an exclusive video in seconds.
    pub exclusive_seconds: u32,
    /// Minimum duration of any other video in seconds.
    pub other_seconds: u32,
    /// Minimum length of an imported film in seconds.
    pub imported_seconds: u32,
    /// Maximum duration in seconds, at most [`SECONDS_MOST`].
    pub max_seconds: u32,
    /// Maximum number of pixels per frame.
    pub max_pixels: u64,
    /// Number of videos that this node processes concurrently. 0 leaves processing to other nodes.
    pub at_once: usize,
    /// Milliseconds between polls for work, at least 1.
    pub poll_ms: u64,
    /// Seconds until another node takes over from a failed one, at least 10.
    pub lease_seconds: u64,
    /// Number of attempts before processing fails for good, at least 1.
    pub attempts: u32,
    /// Seconds before the second attempt. The pause doubles with every further attempt.
    pub retry_seconds: u64,
    /// Maximum run time of a single program in seconds.
    pub step_seconds: u64,
    /// Percentage of the declared duration that may be missing.
    pub lost_percent: u8,
    /// Memory limit of a program in bytes.
    pub memory: u64,
    /// Memory limit of a program that only reads metadata, in bytes.
    pub probe_memory: u64,
    /// Maximum size of a file that a program writes, in bytes.
    pub file_bytes: u64,
    /// Whether production mode processes videos on systems that cannot fully sandbox the programs.
    pub allow_weak_confinement: bool,
    /// Hours for which the files of a deleted video are retained.
    pub grace_hours: u32,
    /// Hours for which the file of a film is retained whose processing failed for another reason than the file.
    pub failed_hours: u32,
    /// Hours until a screenshot is chosen automatically.
    pub choose_hours: u32,
    /// How long uploaded files are kept.
    pub keep_original: KeepOriginal,
    /// Niceness of the programs that remake films, 0 to 19.
    pub remake_niceness: u8,
    /// Days for which a member's finished and failed uploads are listed to the member.
    pub shown_days: u32,
    /// Maximum number of days by which a publication may be scheduled ahead, at most [`PUBLISH_DAYS_MOST`].
    pub publish_days_max: u32,
    /// Milliseconds between checks for videos whose time of publication has come, at least 1.
    pub publish_poll_ms: u64,
    /// Maximum number of audio tracks that are kept of a film, at least 1.
    pub max_audio_tracks: usize,
    /// Maximum length of an audio track's title in characters. Longer ones are cut.
    pub audio_title_max: usize,
    /// Maximum length of a rendition's shorter side in pixels, which is even.
    pub max_height: u16,
    /// Encoder of H.264.
    pub encoder: Encoder,
    /// Render node for VA-API and Quick Sync Video.
    pub encoder_device: PathBuf,
    /// Speed of x264.
    pub preset: Preset,
    /// Codec of a second set of renditions.
    pub second_codec: SecondCodec,
    /// Settings for AV1.
    pub av1: Av1,
    /// Settings for HEVC.
    pub hevc: Hevc,
    /// Encoding settings by height, smallest first. Heights are even.
    pub ladder: Vec<Rung>,
    /// Settings for duplicate detection.
    pub likeness: Likeness,
}

/// How long an uploaded file is kept after its film was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeepOriginal {
    /// It is removed at once.
    Never,
    /// Until the video is approved.
    UntilApproved,
    /// As long as the video exists.
    Always,
}

/// `[[films.ladder]]`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rung {
    /// Length of the shorter side in pixels.
    pub height: u16,
    /// Quality, as x264's constant rate factor. Lower is better.
    pub crf: u8,
    /// Maximum bit rate of the video in kbit/s.
    pub max_rate: u32,
    /// Bit rate of the audio in kbit/s.
    pub audio: u32,
}

/// `[films.likeness]`
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Likeness {
    /// Maximum difference in duration, in percent.
    pub percent: f32,
    /// Difference in duration that is always tolerated, in seconds.
    pub seconds: f32,
    /// Minimum number of frames that are distinctive in both videos, 1 to 10.
    pub frames: u8,
    /// Maximum mean difference of the frame hashes, in bits of 64.
    pub mean_bits: f32,
    /// Maximum difference of any single frame hash, in bits of 64.
    pub frame_bits: u8,
    /// Maximum mean difference from a video of the same member, in percent of the differences between the frames within a video.
    pub spread_percent: u8,
}

/// Maximum title length in the catalog, in characters (constraint `videos_title_length`).
pub const TITLE_MOST: usize = 300;
/// Maximum description length in the catalog, in characters (constraint `videos_description_length`).
pub const DESCRIPTION_MOST: usize = 5000;
/// Maximum length of all chapters in the catalog, in characters (constraint `videos_chapters_length`).
pub const CHAPTERS_MOST: usize = 20_000;
/// Maximum length of a chapter's time in characters, with a space and a line break.
const CHAPTER_TIME: usize = 10;
/// Maximum duration in the catalog, in seconds (constraint `videos_duration_range`).
pub const SECONDS_MOST: u32 = 86_400;
/// Maximum number of days for [`Films::publish_days_max`].
const PUBLISH_DAYS_MOST: u32 = 3650;
/// Minimum lease in seconds. A lease is renewed three times before it expires, and the catalog may be busy.
const LEASE_LEAST: u64 = 10;

/// Rejects invalid values.
pub(crate) fn check(films: &Films) -> Result<(), ConfigError> {
    if !(1..=films.title_max).contains(&films.title_min) || films.title_max > TITLE_MOST {
        let why = format!("is {}, must be films.title_min ({}) to {TITLE_MOST}", films.title_max, films.title_min);
        return reject("films.title_max", why);
    }
    if films.description_max > DESCRIPTION_MOST {
        let why = format!("is {}, must be at most {DESCRIPTION_MOST}", films.description_max);
        return reject("films.description_max", why);
    }
    if !films.encoder_device.is_absolute() {
        return reject("films.encoder_device", "must be an absolute path");
    }
    at_least_one("films.chapter_title_max", films.chapter_title_max as u64)?;
    let chapters_most = CHAPTERS_MOST / films.chapter_title_max.saturating_add(CHAPTER_TIME);
    if !(2..=chapters_most).contains(&films.max_chapters) {
        let why = format!("is {}, must be 2 to {chapters_most} with films.chapter_title_max", films.max_chapters);
        return reject("films.max_chapters", why);
    }
    let shortest = films.exclusive_seconds.max(films.other_seconds).max(films.imported_seconds).max(1);
    if !(shortest..=SECONDS_MOST).contains(&films.max_seconds) {
        return reject("films.max_seconds", format!("is {}, must be {shortest} to {SECONDS_MOST}", films.max_seconds));
    }
    if films.lease_seconds < LEASE_LEAST {
        let why = format!("is {}, must be at least {LEASE_LEAST}", films.lease_seconds);
        return reject("films.lease_seconds", why);
    }
    if films.publish_days_max > PUBLISH_DAYS_MOST {
        let why = format!("is {}, must be at most {PUBLISH_DAYS_MOST}", films.publish_days_max);
        return reject("films.publish_days_max", why);
    }
    at_least_one("films.poll_ms", films.poll_ms)?;
    at_least_one("films.publish_poll_ms", films.publish_poll_ms)?;
    at_least_one("films.max_categories", films.max_categories as u64)?;
    at_least_one("films.max_pixels", films.max_pixels)?;
    at_least_one("films.max_audio_tracks", films.max_audio_tracks as u64)?;
    at_least_one("films.step_seconds", films.step_seconds)?;
    at_least_one("films.attempts", films.attempts.into())?;
    niceness::check("films.remake_niceness", films.remake_niceness)?;
    check_height("films.max_height", films.max_height)?;
    check_ladder(&films.ladder)?;
    codecs::check(films.av1, films.hevc)?;
    check_likeness(&films.likeness)
}

/// Sides that a rendition may have, in pixels. Levels of H.264 end at 8K.
const SIDES: std::ops::RangeInclusive<u16> = 16..=4320;
/// Constant rate factors of x264.
const CRF_MOST: u8 = 51;
/// Bit rates of the audio in kbit/s. AAC has no more for two channels.
const AUDIO: std::ops::RangeInclusive<u32> = 16..=512;
/// Maximum bit rate of the video in kbit/s, that of the highest level of H.264.
const RATE_MOST: u32 = 800_000;

fn check_height(key: &'static str, height: u16) -> Result<(), ConfigError> {
    if SIDES.contains(&height) && height.is_multiple_of(2) {
        return Ok(());
    }
    reject(key, format!("is {height}, must be an even number from {} to {}", SIDES.start(), SIDES.end()))
}

fn check_ladder(ladder: &[Rung]) -> Result<(), ConfigError> {
    let key = "films.ladder";
    if ladder.is_empty() {
        return reject(key, "is empty, must have at least one height");
    }
    if !ladder.is_sorted_by(|a, b| a.height < b.height) {
        return reject(key, "must list each height once, the smallest first");
    }
    for Rung { height, crf, max_rate, audio } in ladder.iter().copied() {
        check_height(key, height)?;
        let wrong = |field: &str, most: u32| reject(key, format!("has {field} outside 1 to {most} at {height}"));
        if !(1..=CRF_MOST).contains(&crf) {
            return wrong("a crf", CRF_MOST.into());
        }
        if !(1..=RATE_MOST).contains(&max_rate) {
            return wrong("a max_rate", RATE_MOST);
        }
        if !AUDIO.contains(&audio) {
            return reject(key, format!("has audio outside {} to {} at {height}", AUDIO.start(), AUDIO.end()));
        }
    }
    Ok(())
}

/// Number of frames compared per video.
const FRAMES: u8 = 10;
/// Number of bits in a frame hash.
const BITS: u8 = 64;

fn check_likeness(likeness: &Likeness) -> Result<(), ConfigError> {
    let Likeness { percent, seconds, frames, mean_bits, frame_bits, spread_percent } = *likeness;
    let within = |key: &'static str, value: f32, most: f32| {
        if (0.0..=most).contains(&value) { Ok(()) } else { reject(key, format!("is {value}, must be 0 to {most}")) }
    };
    within("films.likeness.percent", percent, 100.0)?;
    within("films.likeness.seconds", seconds, SECONDS_MOST as f32)?;
    within("films.likeness.mean_bits", mean_bits, BITS.into())?;
    within("films.likeness.frame_bits", frame_bits.into(), BITS.into())?;
    within("films.likeness.spread_percent", spread_percent.into(), 100.0)?;
    if (1..=FRAMES).contains(&frames) {
        return Ok(());
    }
    reject("films.likeness.frames", format!("is {frames}, must be 1 to {FRAMES}"))
}

#[cfg(test)]
mod tests {
    use figment::{
        Figment,
        providers::{Format, Toml},
    };

    use crate::{Config, DEFAULTS, check::check};

    fn read(own: &str) -> Result<Config, String> {
        let figment = Figment::from(Toml::string(DEFAULTS)).merge(Toml::string(own));
        let config: Config = figment.extract().map_err(|error| error.to_string())?;
        check(&config).map_err(|error| error.to_string())?;
        Ok(config)
    }

    #[test]
    fn own_ladder_replaces_the_default_one() {
        let rung =
            |height, crf| format!("[[films.ladder]]\nheight = {height}\ncrf = {crf}\nmax_rate = 900\naudio = 96\n");
        let config = read(&(rung(360, 25) + &rung(720, 23))).unwrap();
        assert_eq!(config.films.ladder.iter().map(|rung| rung.height).collect::<Vec<_>>(), [360, 720]);
        for (own, why) in [
            ("[films]\nladder = []".to_owned(), "is empty"),
            (rung(720, 23) + &rung(360, 25), "smallest first"),
            (rung(720, 23) + &rung(720, 23), "each height once"),
            (rung(361, 25), "even number"),
            (rung(8640, 25), "even number"),
            (rung(360, 52), "a crf outside 1 to 51 at 360"),
            (rung(360, 25).replace("900", "0"), "a max_rate"),
            (rung(360, 25).replace("96", "8"), "audio outside 16 to 512"),
            ("[films]\nmax_height = 1081".to_owned(), "films.max_height: is 1081"),
            ("[films]\nencoder = \"cuda\"".to_owned(), "encoder"),
            ("[films]\nencoder_device = \"card0\"".to_owned(), "films.encoder_device"),
            ("[films]\nsecond_codec = \"vp9\"".to_owned(), "second_codec"),
            ("[films]\nremake_niceness = 20".to_owned(), "films.remake_niceness: is 20"),
            ("[films]\nkeep_original = \"forever\"".to_owned(), "keep_original"),
            ("[films.av1]\npreset = 14".to_owned(), "films.av1.preset: is 14"),
            ("[films.hevc]\ncrf_above = 31".to_owned(), "films.hevc.crf_above: is 31"),
            ("[films.hevc]\nrate_percent = 101".to_owned(), "films.hevc.rate_percent: is 101"),
            ("[films]\npublish_days_max = 3651".to_owned(), "films.publish_days_max: is 3651"),
            ("[films]\npublish_poll_ms = 0".to_owned(), "films.publish_poll_ms"),
        ] {
            let refused = read(&own).unwrap_err();
            assert!(refused.contains(why), "{own}: {refused}");
        }
    }
}
