//! `[films.av1]` and `[films.hevc]`: second set of renditions. `default.toml` explains each key.

use serde::{Deserialize, Serialize};

use crate::{ConfigError, reject};

/// Encoder of H.264.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoder {
    /// x264.
    Software,
    /// The first hardware encoder that works, or x264.
    Auto,
    /// NVENC, or x264 if it doesn't work.
    Nvenc,
    /// VA-API, or x264 if it doesn't work.
    Vaapi,
    /// Quick Sync Video, or x264 if it doesn't work.
    Qsv,
}

/// Codec of a second set of renditions, beside H.264.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SecondCodec {
    /// There is no second set.
    None,
    /// AV1, encoded by SVT-AV1.
    Av1,
    /// HEVC, encoded by x265.
    Hevc,
}

/// `[films.av1]`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Av1 {
    /// Speed of SVT-AV1. Higher is faster.
    pub preset: u8,
    /// Difference between SVT-AV1's constant rate factor and x264's in `[[films.ladder]]`.
    pub crf_above: u8,
    /// Maximum bit rate in percent of that in `[[films.ladder]]`.
    pub rate_percent: u32,
}

/// `[films.hevc]`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Hevc {
    /// Speed of x265.
    pub preset: Preset,
    /// Difference between x265's constant rate factor and x264's in `[[films.ladder]]`.
    pub crf_above: u8,
    /// Maximum bit rate in percent of that in `[[films.ladder]]`.
    pub rate_percent: u32,
}

/// Speed of x264 and x265.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "names of the encoders")]
pub enum Preset {
    Ultrafast,
    Superfast,
    Veryfast,
    Faster,
    Fast,
    Medium,
    Slow,
    Slower,
    Veryslow,
}

impl Preset {
    /// Name for the encoders.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ultrafast => "ultrafast",
            Self::Superfast => "superfast",
            Self::Veryfast => "veryfast",
            Self::Faster => "faster",
            Self::Fast => "fast",
            Self::Medium => "medium",
            Self::Slow => "slow",
            Self::Slower => "slower",
            Self::Veryslow => "veryslow",
        }
    }
}

/// Speeds of SVT-AV1.
const AV1_PRESETS: std::ops::RangeInclusive<u8> = 0..=13;
/// Maximum difference of constant rate factors: SVT-AV1's end at 63, x264's at 51.
const ABOVE_MOST: u8 = 30;
/// Bit rates in percent.
const PERCENT: std::ops::RangeInclusive<u32> = 10..=100;

/// Rejects invalid values.
pub(crate) fn check(av1: Av1, hevc: Hevc) -> Result<(), ConfigError> {
    if !AV1_PRESETS.contains(&av1.preset) {
        return reject("films.av1.preset", format!("is {}, must be 0 to 13", av1.preset));
    }
    for (key, above) in [("films.av1.crf_above", av1.crf_above), ("films.hevc.crf_above", hevc.crf_above)] {
        if above > ABOVE_MOST {
            return reject(key, format!("is {above}, must be 0 to {ABOVE_MOST}"));
        }
    }
    for (key, percent) in [("films.av1.rate_percent", av1.rate_percent), ("films.hevc.rate_percent", hevc.rate_percent)]
    {
        if !PERCENT.contains(&percent) {
            return reject(key, format!("is {percent}, must be 10 to 100"));
        }
    }
    Ok(())
}
