//! `[films]`: what becomes of uploads; `default.toml` has the reason of every key.

use serde::Deserialize;

use crate::{ConfigError, at_least_one, refuse};

/// `[films]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Films {
    /// Fewest characters of a title, at least 1.
    pub title_min: usize,
    /// Most characters of a title, up to [`TITLE_MOST`].
    pub title_max: usize,
    /// Most characters of a description, up to [`DESCRIPTION_MOST`].
    pub description_max: usize,
    /// Most categories of a video.
    pub max_categories: usize,
    /// Most models of a video.
    pub max_models: usize,
    /// Fewest seconds of a film made for this site alone.
    pub exclusive_seconds: u32,
    /// Fewest seconds of any other film.
    pub other_seconds: u32,
    /// Most seconds of a film, up to [`SECONDS_MOST`].
    pub max_seconds: u32,
    /// Most pixels of a frame.
    pub max_pixels: u64,
    /// Films a node works on at a time; 0 where another does.
    pub at_once: usize,
    /// Milliseconds between two looks for work, at least 1.
    pub poll_ms: u64,
    /// Seconds until the work of a node that died goes on elsewhere, at least 10.
    pub lease_seconds: u64,
    /// Tries until a film is given up, at least 1.
    pub attempts: u32,
    /// Seconds until the second try; each next pause is twice as long.
    pub retry_seconds: u64,
    /// Seconds a single program may take.
    pub step_seconds: u64,
    /// Percent of the length a film says it has that may be missing.
    pub lost_percent: u8,
    /// Bytes of memory a program may take.
    pub memory: u64,
    /// Bytes of it for one that only reads what a film is.
    pub probe_memory: u64,
    /// Bytes of a file that a program may write.
    pub file_bytes: u64,
    /// Whether production mode works on films where the system doesn't confine the programs fully.
    pub allow_weak_confinement: bool,
    /// Hours that the files of a deleted video stay.
    pub grace_hours: u32,
    /// Hours until a screenshot is chosen for a member who doesn't.
    pub choose_hours: u32,
    /// Days that a member's list of uploads shows what became of them.
    pub shown_days: u32,
    /// When two films are taken for one.
    pub likeness: Likeness,
}

/// `[films.likeness]`
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Likeness {
    /// Percent of its length by which another may be longer or shorter.
    pub percent: f32,
    /// Seconds by which it may be, however short it is.
    pub seconds: f32,
    /// Frames that tell something in both, 1 to 10.
    pub frames: u8,
    /// Bits of 64 in which they may differ on average.
    pub mean_bits: f32,
    /// Bits of 64 in which any of them may differ.
    pub frame_bits: u8,
    /// Percent of the bits in which the frames of one film differ from one another: so near another one of the same member is it.
    pub spread_percent: u8,
}

/// Most characters of a title the catalog takes: constraint `videos_title_length`.
pub const TITLE_MOST: usize = 300;
/// Most characters of a description the catalog takes: constraint `videos_description_length`.
pub const DESCRIPTION_MOST: usize = 5000;
/// Longest film the catalog takes: constraint `videos_duration_range`.
pub const SECONDS_MOST: u32 = 86_400;
/// A lease is renewed three times in its time, by a catalog that may be busy.
const LEASE_LEAST: u64 = 10;

/// Refuses values the program could not work with.
pub(crate) fn check(films: &Films) -> Result<(), ConfigError> {
    if !(1..=films.title_max).contains(&films.title_min) || films.title_max > TITLE_MOST {
        let why = format!("is {}, must be films.title_min ({}) to {TITLE_MOST}", films.title_max, films.title_min);
        return refuse("films.title_max", why);
    }
    if films.description_max > DESCRIPTION_MOST {
        let why = format!("is {}, must be at most {DESCRIPTION_MOST}", films.description_max);
        return refuse("films.description_max", why);
    }
    let shortest = films.exclusive_seconds.max(films.other_seconds).max(1);
    if !(shortest..=SECONDS_MOST).contains(&films.max_seconds) {
        return refuse("films.max_seconds", format!("is {}, must be {shortest} to {SECONDS_MOST}", films.max_seconds));
    }
    if films.lease_seconds < LEASE_LEAST {
        let why = format!("is {}, must be at least {LEASE_LEAST}", films.lease_seconds);
        return refuse("films.lease_seconds", why);
    }
    at_least_one("films.poll_ms", films.poll_ms)?;
    at_least_one("films.max_categories", films.max_categories as u64)?;
    at_least_one("films.max_pixels", films.max_pixels)?;
    at_least_one("films.step_seconds", films.step_seconds)?;
    at_least_one("films.attempts", films.attempts.into())?;
    check_likeness(&films.likeness)
}

/// Frames of a film that are compared.
const FRAMES: u8 = 10;
/// Bits of each.
const BITS: u8 = 64;

fn check_likeness(likeness: &Likeness) -> Result<(), ConfigError> {
    let Likeness { percent, seconds, frames, mean_bits, frame_bits, spread_percent } = *likeness;
    let within = |key: &'static str, value: f32, most: f32| {
        if (0.0..=most).contains(&value) { Ok(()) } else { refuse(key, format!("is {value}, must be 0 to {most}")) }
    };
    within("films.likeness.percent", percent, 100.0)?;
    within("films.likeness.seconds", seconds, SECONDS_MOST as f32)?;
    within("films.likeness.mean_bits", mean_bits, BITS.into())?;
    within("films.likeness.frame_bits", frame_bits.into(), BITS.into())?;
    within("films.likeness.spread_percent", spread_percent.into(), 100.0)?;
    if (1..=FRAMES).contains(&frames) {
        return Ok(());
    }
    refuse("films.likeness.frames", format!("is {frames}, must be 1 to {FRAMES}"))
}
