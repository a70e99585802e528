//! Conditions on films: `all`, or `name=value`.

use std::str::FromStr;

use lantern_catalog::{films::Selection, video_codec::VideoCodec};
use time::{Date, macros::format_description};

/// Names and values, as shown in the help and in errors.
const GRAMMAR: &str = "all, ladder=old, video=ID, member=NAME, height=PIXELS, second-codec=none|av1|hevc, \
                           uploaded-before=YYYY-MM-DD, uploaded-since=YYYY-MM-DD";

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// Every film meets it.
    All,
    /// Today's settings would make other renditions, or it isn't recorded what the renditions were made with.
    OldLadder,
    Video(i64),
    Member(String),
    Height(i16),
    SecondCodec(Option<VideoCodec>),
    Before(Date),
    Since(Date),
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |value: &str| value.parse().ok().filter(|number: &i64| *number > 0);
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let parsed = match (name, value) {
            ("all", "") => (!text.contains('=')).then_some(Self::All),
            ("ladder", "old") => Some(Self::OldLadder),
            ("video", id) => number(id).map(Self::Video),
            ("member", name) => (!name.is_empty()).then(|| Self::Member(name.to_owned())),
            ("height", pixels) => number(pixels).and_then(|pixels| i16::try_from(pixels).ok()).map(Self::Height),
            ("second-codec", "none") => Some(Self::SecondCodec(None)),
            ("second-codec", "av1") => Some(Self::SecondCodec(Some(VideoCodec::Av1))),
            ("second-codec", "hevc") => Some(Self::SecondCodec(Some(VideoCodec::Hevc))),
            ("uploaded-before", day) => date(day).map(Self::Before),
            ("uploaded-since", day) => date(day).map(Self::Since),
            _ => None,
        };
        parsed.ok_or_else(|| format!("{text:?} is none of the conditions {GRAMMAR}"))
    }
}

fn date(text: &str) -> Option<Date> {
    Date::parse(text, format_description!("[year]-[month]-[day]")).ok()
}

/// Conditions that all have to hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conditions {
    /// What the catalog checks.
    pub selection: Selection,
    /// Whether films must have an old ladder.
    pub is_old: bool,
}

impl Conditions {
    /// Combines conditions.
    ///
    /// # Errors
    /// Fails if a condition is given twice, or `all` beside others.
    pub fn new(conditions: &[Condition]) -> Result<Self, String> {
        let mut all = Self::default();
        let wanted = &mut all.selection;
        for (at, condition) in conditions.iter().enumerate() {
            let is_same = |other: &Condition| std::mem::discriminant(other) == std::mem::discriminant(condition);
            if conditions[..at].iter().any(is_same) {
                return Err("give each condition only once".to_owned());
            }
            match condition {
                Condition::All if conditions.len() > 1 => {
                    return Err("`all` can't be combined with other conditions".to_owned());
                }
                Condition::All => {}
                Condition::OldLadder => all.is_old = true,
                Condition::Video(id) => wanted.video = Some(*id),
                Condition::Member(name) => wanted.member = Some(name.clone()),
                Condition::Height(pixels) => wanted.height = Some(*pixels),
                Condition::SecondCodec(codec) => wanted.second_codec = Some(*codec),
                Condition::Before(day) => wanted.before = Some(*day),
                Condition::Since(day) => wanted.since = Some(*day),
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    fn read(texts: &[&str]) -> Result<Conditions, String> {
        Conditions::new(&texts.iter().map(|text| text.parse()).collect::<Result<Vec<Condition>, _>>()?)
    }

    #[test]
    fn conditions_are_combined_or_explained() {
        let read_all = read(&[
            "ladder=old",
            "video=42",
            "member=mona",
            "height=1080",
            "second-codec=av1",
            "uploaded-before=2026-02-01",
            "uploaded-since=2026-01-01",
        ]);
        let selection = Selection {
            video: Some(42),
            member: Some("mona".to_owned()),
            height: Some(1080),
            second_codec: Some(Some(VideoCodec::Av1)),
            before: Some(date!(2026 - 02 - 01)),
            since: Some(date!(2026 - 01 - 01)),
        };
        assert_eq!(read_all.unwrap(), Conditions { selection, is_old: true });
        assert_eq!(read(&["all"]).unwrap(), Conditions::default());
        assert_eq!(read(&["second-codec=none"]).unwrap().selection.second_codec, Some(None));
        for wrong in [
            "",
            "all=",
            "all=1",
            "everything",
            "ladder",
            "ladder=new",
            "video=0",
            "video=-1",
            "video=x",
            "video",
            "member=",
            "height=0",
            "height=99999",
            "second-codec=h264",
            "second-codec=",
            "uploaded-before=yesterday",
            "uploaded-since=2026-02-30",
        ] {
            let error = read(&[wrong]).unwrap_err();
            assert!(error.starts_with(&format!("{wrong:?} is none of the conditions all, ladder=old")), "{error}");
        }
        assert_eq!(read(&["video=1", "video=2"]).unwrap_err(), "give each condition only once");
        assert_eq!(read(&["all", "video=2"]).unwrap_err(), "`all` can't be combined with other conditions");
    }
}
