//! Data in an imported line, from JSON or columns.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A line: `{"category": …}`, `{"model": …}`, or the fields of a video.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    Category(Category),
    Model(ModelLine),
    Video(Box<Video>),
}

/// Fields of a line that isn't for a video.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Other {
    category: Option<Category>,
    model: Option<ModelLine>,
}

impl Line {
    /// Parses a line of JSON.
    pub fn of_json(text: &[u8]) -> serde_json::Result<Self> {
        Ok(match serde_json::from_slice(text)? {
            Other { category: Some(category), .. } => Self::Category(category),
            Other { model: Some(model), .. } => Self::Model(model),
            Other { .. } => Self::Video(Box::new(serde_json::from_slice(text)?)),
        })
    }
}

/// A category. It must precede the first video that names it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Category {
    /// Path segment. By default, it is made from the English title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// Title in each language.
    pub titles: BTreeMap<String, String>,
}

/// A model. It must precede the first video that names them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    pub title: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Name in each language that has another than the title.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, String>,
    pub orientation: Option<String>,
    /// Date, such as `1990-01-31`.
    pub birth_date: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

/// A video.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Video {
    pub id: String,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orientation: Option<String>,
    /// Number of seconds, or a text such as `12:34`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<Duration>,
    /// Time such as `2026-01-31T12:00:00Z`, or a date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub private: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub hd: bool,
    #[serde(skip_serializing_if = "is_zero")]
    pub views: i64,
    #[serde(skip_serializing_if = "is_zero")]
    pub likes: i64,
    #[serde(skip_serializing_if = "is_zero")]
    pub dislikes: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// Whether the video shows no person. This must be set if the video names no model.
    #[serde(skip_serializing_if = "is_false")]
    pub nobody: bool,
    /// Whether the video is exclusive to this site. Such a video may be shorter than others.
    #[serde(skip_serializing_if = "is_false")]
    pub exclusive: bool,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub translations: BTreeMap<String, Translation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub consents: Vec<ConsentLine>,
    /// Player on another site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embed: Option<Embed>,
    /// Path of the film in the folder given by `--files`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// URL of the film at one of `import.origins`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Path of the picture in the folder given by `--files`, for a video without a film.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture_file: Option<String>,
    /// URL of the picture at one of `import.origins`, for a video without a film.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture_address: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Translation {
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ConsentLine {
    pub model: String,
    /// Date, such as `2026-01-31`.
    pub signed_on: String,
    pub document: String,
    pub reference: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Embed {
    pub site: String,
    pub id: String,
}

/// Duration of a video.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Duration {
    Seconds(f64),
    Text(String),
}

impl Duration {
    /// Returns whole seconds for values such as `754`, `12:34` or `1:02:03`.
    pub fn seconds(&self) -> Option<i64> {
        let text = match self {
            Self::Seconds(seconds) => return Some(*seconds).filter(|seconds| seconds.is_finite()).map(round),
            Self::Text(text) => text.trim(),
        };
        if let Ok(seconds) = text.parse::<f64>() {
            return Some(seconds).filter(|seconds| seconds.is_finite()).map(round);
        }
        let parts = text.split(':').map(|part| part.parse::<u32>().ok()).collect::<Option<Vec<_>>>()?;
        let is_clock = (2..=3).contains(&parts.len()) && parts[1..].iter().all(|part| *part < 60);
        is_clock.then(|| parts.into_iter().fold(0, |sum, part| sum * 60 + i64::from(part)))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "saturates; too large values are refused later")]
fn round(seconds: f64) -> i64 {
    seconds.round() as i64
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "signature required by serde")]
fn is_false(flag: &bool) -> bool {
    !flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "signature required by serde")]
fn is_zero(number: &i64) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_seconds_or_clock_times() {
        let seconds = |text: &str| Duration::Text(text.to_owned()).seconds();
        assert_eq!(seconds("754"), Some(754));
        assert_eq!(seconds(" 12:34 "), Some(754));
        assert_eq!(seconds("1:02:03"), Some(3723));
        assert_eq!(Duration::Seconds(753.6).seconds(), Some(754));
        for text in ["", "12 min", "1:99", ":", "1:2:3:4", "-1:00", "inf", "NaN"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn line_is_video_unless_category_or_model() {
        let video = Line::of_json(br#"{"id":"1","title":"A walk","duration":"10:00"}"#).unwrap();
        assert!(matches!(video, Line::Video(video) if video.title == "A walk"));
        let model = Line::of_json(br#"{"model":{"title":"A name","birth_date":"1990-01-01"}}"#).unwrap();
        assert!(matches!(model, Line::Model(model) if model.birth_date == "1990-01-01"));
        let error = Line::of_json(br#"{"id":"1","titel":"A walk"}"#).unwrap_err().to_string();
        assert!(error.contains("titel"), "{error}");
    }
}
