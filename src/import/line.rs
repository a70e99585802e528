//! Data in an imported line, from JSON or columns.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::Value;

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

/// A line with the names of its unknown fields, which are left out.
#[derive(Debug)]
pub struct ReadLine {
    pub line: Line,
    pub unknown_fields: Vec<String>,
}

/// Why a line can't be read.
#[derive(Debug)]
pub struct Unreadable {
    /// Id of the line's video, or empty if it is unreadable too.
    pub id: String,
    pub why: String,
}

impl Line {
    /// Parses a line of JSON.
    pub fn of_json(text: &[u8]) -> Result<ReadLine, Unreadable> {
        Self::parse(text).map_err(|error| Unreadable { id: id_in(text), why: error.to_string() })
    }

    fn parse(text: &[u8]) -> serde_json::Result<ReadLine> {
        let (other, unknown) = known_fields(text)?;
        let (line, unknown_fields) = match other {
            Other { category: Some(category), .. } => (Self::Category(category), unknown),
            Other { model: Some(model), .. } => (Self::Model(model), unknown),
            Other { .. } => {
                let (video, unknown) = known_fields(text)?;
                (Self::Video(Box::new(video)), unknown)
            }
        };
        Ok(ReadLine { line, unknown_fields })
    }
}

/// Parses JSON. Returns the value, and the paths of the fields that its type doesn't have.
fn known_fields<T: DeserializeOwned>(text: &[u8]) -> serde_json::Result<(T, Vec<String>)> {
    let (mut json, mut unknown) = (serde_json::Deserializer::from_slice(text), Vec::new());
    // In a path, a question mark stands for an optional value.
    let value = serde_ignored::deserialize(&mut json, |path| unknown.push(path.to_string().replace(".?", "")))?;
    json.end()?;
    Ok((value, unknown))
}

/// Returns the id in an object, although other fields are invalid.
fn id_in(text: &[u8]) -> String {
    match serde_json::from_slice::<Value>(text).ok().and_then(|mut line| line.get_mut("id").map(Value::take)) {
        Some(Value::String(id)) => id,
        Some(Value::Number(id)) => id.to_string(),
        _ => String::new(),
    }
}

/// Reads a text, or a number as text: other systems have numeric ids and Unix times.
fn text_or_number<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum TextOrNumber {
        Text(String),
        Number(serde_json::Number),
    }
    Ok(match TextOrNumber::deserialize(from)? {
        TextOrNumber::Text(text) => text,
        TextOrNumber::Number(number) => number.to_string(),
    })
}

fn some_text_or_number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    struct Wrapped(#[serde(deserialize_with = "text_or_number")] String);
    Ok(Option::<Wrapped>::deserialize(from)?.map(|Wrapped(text)| text))
}

/// A category. It must precede the first video that names it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Category {
    /// Path segment. By default, it is made from the English title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// Title in each language.
    pub titles: BTreeMap<String, String>,
}

/// A model. It must precede the first video that names them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(default)]
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
#[serde(default)]
pub struct Video {
    #[serde(deserialize_with = "text_or_number")]
    pub id: String,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Lines such as `1:23 Title`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub chapters: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orientation: Option<String>,
    /// Number of seconds, or a text such as `12:34`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<Duration>,
    /// Time such as `2026-01-31T12:00:00Z` or `2026-01-31 12:00:00`, a date, or seconds since 1970.
    #[serde(deserialize_with = "some_text_or_number", skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// When the video is published, written as `date` is. A time in the past has no effect.
    #[serde(deserialize_with = "some_text_or_number", skip_serializing_if = "Option::is_none")]
    pub publish_at: Option<String>,
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
    /// Whether the importer vouches for this video, as `--cleared` does for all videos.
    #[serde(skip_serializing_if = "is_false")]
    pub cleared: bool,
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
pub struct Translation {
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct ConsentLine {
    pub model: String,
    /// Date, such as `2026-01-31`.
    pub signed_on: String,
    pub document: String,
    pub reference: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Embed {
    pub site: String,
    #[serde(deserialize_with = "text_or_number")]
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
        let read = |text: &str| Line::of_json(text.as_bytes()).map(|read| read.line).unwrap();
        let video = read(r#"{"id":"1","title":"A walk","duration":"10:00"}"#);
        assert!(matches!(video, Line::Video(video) if video.title == "A walk"));
        let model = read(r#"{"model":{"title":"A name","birth_date":"1990-01-01"}}"#);
        assert!(matches!(model, Line::Model(model) if model.birth_date == "1990-01-01"));
    }

    #[test]
    fn unknown_fields_are_left_out() {
        let unknown = |text: &str| Line::of_json(text.as_bytes()).unwrap().unknown_fields;
        let line = r#"{"id":"1","titel":"A walk","tags":["a"],"embed":{"site":"a","id":"1","width":2}}"#;
        assert_eq!(unknown(line), ["titel", "tags", "embed.width"]);
        assert_eq!(unknown(r#"{"model":{"title":"A name","birth_date":"1990-01-01","height":170}}"#), ["model.height"]);
        assert!(unknown(r#"{"id":"1","title":"A walk"}"#).is_empty());
    }

    #[test]
    fn ids_and_dates_may_be_numbers() {
        let line = r#"{"id":12345678901234567890,"title":"A walk","date":1549195200,"embed":{"site":"a","id":7}}"#;
        let Line::Video(video) = Line::of_json(line.as_bytes()).unwrap().line else { panic!("no video") };
        assert_eq!((video.id.as_str(), video.date.as_deref()), ("12345678901234567890", Some("1549195200")));
        assert_eq!(video.embed.unwrap().id, "7");
    }

    #[test]
    fn unreadable_line_is_named_by_its_id() {
        let id = |text: &str| Line::of_json(text.as_bytes()).unwrap_err().id;
        assert_eq!(id(r#"{"id":7,"title":["A walk"]}"#), "7");
        assert_eq!(id(r#"{"id":"a","views":"many"}"#), "a");
        assert_eq!(id(r#"{"id":["a"]}"#), "");
        assert_eq!(id("not json"), "");
    }
}
