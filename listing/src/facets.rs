//! Facets of a list of videos that have one chosen value each.
//!
//! [`FACETS`] is their only list. Parsers, canonical URLs, filters, counts, the API document and the app's vocabulary walk it.

use std::{
    fmt::{self, Display, Formatter},
    str::FromStr,
};

use lantern_config::{DateRange, Lang, MEDIUM_UP_TO, SHORT_BELOW, VideoType, numbers::parse_number};
use lantern_errors::{ApiError, ApiResult};
use lantern_index::Filter;

/// Value of a facet. A parsed value may also lie outside [`Self::WORDS`].
pub trait FacetValue: Copy + PartialEq + FromStr + Display + 'static {
    /// Values that visitors choose from. The first one is the default, which filters nothing.
    const WORDS: &'static [Self];
    /// Pattern of the values that have no word, if there are any.
    const PATTERN: Option<&'static str> = None;

    /// Returns the condition that videos must meet. If `by_views` is true, a period selects the views to count instead of the post date.
    fn filter(self, by_views: bool, now: i64) -> Option<Filter>;
}

/// Part of a call's URL that contains a facet. In the address of a page, every facet is a query parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Last part of the path, in the order of [`FACETS`]. An empty part means the default.
    Path,
    /// Query parameter, absent for the default.
    Query,
}

impl Place {
    /// Returns the name used in the app's vocabulary.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
        }
    }
}

/// Description of a facet.
#[derive(Debug)]
pub struct Facet {
    /// Name of the parameter in URLs.
    pub name: &'static str,
    /// Part of a call's URL that contains it.
    pub place: Place,
    /// Short description.
    pub title: &'static str,
    /// Description for the API document.
    pub about: &'static str,
    /// Pattern of the values that have no word, if there are any.
    pub pattern: Option<&'static str>,
    words: fn() -> Vec<String>,
    get: fn(&Choices) -> String,
    set: fn(&mut Choices, &str) -> Option<()>,
    filter: fn(&Choices, bool, i64) -> Option<Filter>,
}

macro_rules! facets {
    ($($(#[doc = $doc:literal])+ $field:ident: $value:ty = $name:literal in $place:ident, $about:expr;)+) => {
        /// Chosen value of each facet.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Choices {
            $($(#[doc = $doc])+ pub $field: $value,)+
        }

        impl Default for Choices {
            /// Returns the defaults, which filter nothing.
            fn default() -> Self {
                Self { $($field: <$value as FacetValue>::WORDS[0]),+ }
            }
        }

        /// All facets, in the order in which URLs contain them.
        pub const FACETS: &[Facet] = &[$(Facet {
            name: $name,
            place: Place::$place,
            title: concat!($($doc),+).trim_ascii(),
            about: $about,
            pattern: <$value as FacetValue>::PATTERN,
            words: || <$value as FacetValue>::WORDS.iter().map(ToString::to_string).collect(),
            get: |choices| choices.$field.to_string(),
            set: |choices, text| {
                choices.$field = text.parse().ok()?;
                Some(())
            },
            filter: |choices, by_views, now| choices.$field.filter(by_views, now),
        }),+];
    };
}

facets! {
    /// HD or uncensored only.
    kind: VideoType = "type" in Path, "`hd`: at least 720 lines; `uncensored`: no mosaics.";
    /// Duration.
    duration: Duration = "duration" in Path,
        "`short` is under 10 minutes, `medium` 10 to 30, `long` over 30, `MIN-MAX` a range in minutes (0 to 1440, MIN at most MAX).";
    /// Age of the videos.
    date: DateRange = "date" in Path,
        "Maximum age. With `most-popular`, `day`, `week` and `month` select the period whose views count instead.";
    /// Language spoken in the videos.
    spoken: Spoken = "spoken" in Query, "Language spoken in the videos. Those whose language is unknown match only `all`.";
}

impl Facet {
    /// Returns the words that visitors choose from. The first one is the default.
    pub fn words(&self) -> Vec<String> {
        (self.words)()
    }

    /// Returns the chosen value.
    pub fn get(&self, choices: &Choices) -> String {
        (self.get)(choices)
    }

    /// Returns whether the default is chosen.
    pub fn is_default(&self, choices: &Choices) -> bool {
        (self.get)(choices) == (self.get)(&Choices::default())
    }

    /// Returns the facets in one part of a call's URL.
    pub fn of(place: Place) -> impl DoubleEndedIterator<Item = &'static Self> {
        FACETS.iter().filter(move |facet| facet.place == place)
    }
}

impl Choices {
    /// Chooses a value. An empty text means the default. Fails with `error` for anything outside the grammar.
    pub fn choose(&mut self, facet: &Facet, text: &str, error: ApiError) -> ApiResult<()> {
        if text.is_empty() { Ok(()) } else { (facet.set)(self, text).ok_or(error) }
    }

    /// Parses the parameters of a page, which `value` returns by name. Anything but a facet's word counts as absent.
    pub fn of_page<'a>(value: impl Fn(&'static str) -> &'a str) -> Self {
        let mut choices = Self::default();
        for facet in FACETS {
            let text = value(facet.name);
            if facet.words().iter().any(|word| word == text) {
                let _ = (facet.set)(&mut choices, text);
            }
        }
        choices
    }

    /// Returns the choices with each word of each facet in turn, by facet.
    pub fn variants(&self) -> impl Iterator<Item = (&'static Facet, Vec<(String, Self)>)> {
        FACETS.iter().map(|facet| {
            let with = |word: String| {
                let mut choices = *self;
                let _ = (facet.set)(&mut choices, &word);
                (word, choices)
            };
            (facet, facet.words().into_iter().map(with).collect())
        })
    }

    /// Returns each facet that isn't at its default, with its value.
    pub fn chosen(&self) -> impl Iterator<Item = (&'static Facet, String)> {
        FACETS.iter().filter(|facet| !facet.is_default(self)).map(|facet| (facet, facet.get(self)))
    }

    /// Returns the conditions that videos must meet. See [`FacetValue::filter`].
    pub fn filters(&self, by_views: bool, now: i64) -> impl Iterator<Item = Filter> {
        FACETS.iter().filter_map(move |facet| (facet.filter)(self, by_views, now))
    }
}

impl FacetValue for VideoType {
    const WORDS: &'static [Self] = Self::ALL;

    fn filter(self, _: bool, _: i64) -> Option<Filter> {
        match self {
            Self::All => None,
            Self::Hd => Some(Filter::eq("is_hd", true)),
            Self::Uncensored => Some(Filter::eq("is_uncensored", true)),
        }
    }
}

/// Allowed duration of listed videos.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duration {
    /// No bound.
    All,
    /// Under ten minutes.
    Short,
    /// Ten to thirty minutes.
    Medium,
    /// Over thirty minutes.
    Long,
    /// Minimum and maximum in minutes, at most [`LONGEST_MINUTES`].
    Minutes(u32, u32),
}

/// Maximum duration of a video in minutes. This is one day, as enforced by the catalog.
const LONGEST_MINUTES: u32 = 1440;

impl FromStr for Duration {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if let Some(word) = Self::WORDS.iter().find(|word| word.to_string() == text) {
            return Ok(*word);
        }
        let (from, to) = text.split_once('-').ok_or(())?;
        let minutes = |text| parse_number(text).filter(|minutes| *minutes <= LONGEST_MINUTES).ok_or(());
        let (from, to) = (minutes(from)?, minutes(to)?);
        if from <= to { Ok(Self::Minutes(from, to)) } else { Err(()) }
    }
}

impl Display for Duration {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => out.write_str("all"),
            Self::Short => out.write_str("short"),
            Self::Medium => out.write_str("medium"),
            Self::Long => out.write_str("long"),
            Self::Minutes(from, to) => write!(out, "{from}-{to}"),
        }
    }
}

impl FacetValue for Duration {
    const WORDS: &'static [Self] = &[Self::All, Self::Short, Self::Medium, Self::Long];
    const PATTERN: Option<&'static str> = Some("(?:0|[1-9][0-9]{0,3})-(?:0|[1-9][0-9]{0,3})");

    fn filter(self, _: bool, _: i64) -> Option<Filter> {
        match self {
            Self::All => None,
            Self::Short => Some(Filter::lt("duration", SHORT_BELOW)),
            Self::Medium => Some(Filter::between("duration", SHORT_BELOW, MEDIUM_UP_TO)),
            Self::Long => Some(Filter::gt("duration", MEDIUM_UP_TO)),
            Self::Minutes(from, to) => Some(Filter::between("duration", from * 60, to * 60)),
        }
    }
}

/// Spoken language, or `None` for any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spoken(pub Option<Lang>);

impl FromStr for Spoken {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if text == "all" { Ok(Self(None)) } else { text.parse().map(|lang| Self(Some(lang))).map_err(|_| ()) }
    }
}

impl Display for Spoken {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(self.0.map_or("all", Lang::as_str))
    }
}

impl FacetValue for Spoken {
    const WORDS: &'static [Self] = &{
        let mut words = [Self(None); Lang::ALL.len() + 1];
        let mut at = 0;
        while at < Lang::ALL.len() {
            words[at + 1] = Self(Some(Lang::ALL[at]));
            at += 1;
        }
        words
    };

    fn filter(self, _: bool, _: i64) -> Option<Filter> {
        self.0.map(|lang| Filter::eq("spoken", lang.as_str()))
    }
}

impl FacetValue for DateRange {
    const WORDS: &'static [Self] = Self::ALL;

    /// Future dates are excluded because those videos are not published yet.
    fn filter(self, by_views: bool, now: i64) -> Option<Filter> {
        let days = match self {
            Self::All => return None,
            Self::Year => 365,
            // The period selects the views to count.
            _ if by_views => return None,
            Self::Day => 1,
            Self::Week => 7,
            Self::Month => 30,
        };
        Some(Filter::between("post_date", now - days * 86_400, now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_can_be_chosen_and_the_first_one_filters_nothing() {
        for facet in FACETS {
            assert!((facet.filter)(&Choices::default(), false, 0).is_none(), "{}", facet.name);
            for word in facet.words() {
                let mut choices = Choices::default();
                assert!(choices.choose(facet, &word, ApiError::NotFound("not_found")).is_ok(), "{word}");
                assert_eq!(facet.get(&choices), word);
            }
        }
    }

    #[test]
    fn longest_duration_is_documented() {
        assert!(FACETS.iter().any(|facet| facet.about.contains(&format!("0 to {LONGEST_MINUTES},"))));
    }

    #[test]
    fn pages_ignore_values_that_are_no_word() {
        let choices = Choices::of_page(|name| if name == "duration" { "10-30" } else { "hd" });
        assert_eq!(choices, Choices { kind: VideoType::Hd, ..Choices::default() });
    }
}
