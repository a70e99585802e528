//! Parses the fields of the profile form. A field with a value is checked and set, an empty field is cleared, and an absent field is left
//! unchanged.

use std::str::FromStr;

use lantern_catalog::profiles::{self, Profile};
use lantern_config::{MemberGender, Orientation, Relationship, labels};
use lantern_errors::FieldError;
use lantern_index::text::TermList;
use lantern_listing::years_before;
use lantern_search::index::age_of;
use reqwest::Url;
use time::{Date, OffsetDateTime, Time, macros::format_description};

use lantern_index::text::plain;

/// Accepted ages: from adulthood to the oldest age ever recorded.
const AGES: std::ops::RangeInclusive<i64> = 18..=122;

/// Returns the latest birth date of an adult.
pub fn born_until(now: i64) -> Date {
    let today = OffsetDateTime::from_unix_timestamp(now).unwrap_or(OffsetDateTime::UNIX_EPOCH).date();
    years_before(today, *AGES.start())
}

/// The rules by which fields are validated.
pub struct Rules<'a> {
    /// Current time in Unix seconds.
    pub now: i64,
    /// Terms that texts must not contain.
    pub prohibited: &'a TermList,
}

/// Changes to a profile.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// New values of the fields that were sent. All other fields are empty and must be ignored.
    pub profile: Profile,
    /// Names of the fields that were sent.
    pub sent: Vec<String>,
}

/// Parses the fields that were sent. Ignores fields that are not part of a profile, such as an id or a status.
///
/// # Errors
/// Every invalid field, with `max_length`, `invalid` or `prohibited_terms`.
pub fn read(sent: &[(String, String)], rules: &Rules<'_>) -> Result<Edit, Vec<FieldError>> {
    let mut profile = Profile::default();
    let mut form = FieldReader { sent, rules, read: Vec::new(), wrong: Vec::new() };
    form.word::<MemberGender>("gender", &mut profile.gender);
    form.word::<Relationship>("relationship", &mut profile.relationship);
    form.word::<Orientation>("orientation", &mut profile.orientation);
    form.checked("country", &mut profile.country, |text| labels::is_country(text).then(|| text.to_owned()));
    form.checked("birth_date", &mut profile.birth_date, |text| birth_date(text, rules.now));
    form.website(&mut profile.website);
    form.text("education", &mut profile.education, profiles::EDUCATION_MAX, one_line);
    form.text("about", &mut profile.about, profiles::ABOUT_MAX, plain);
    form.text("city", &mut profile.city, profiles::CITY_MAX, one_line);
    form.text("interests", &mut profile.interests, profiles::INTERESTS_MAX, plain);
    form.text("occupation", &mut profile.occupation, profiles::OCCUPATION_MAX, one_line);
    let FieldReader { read, wrong, .. } = form;
    if wrong.is_empty() { Ok(Edit { profile, sent: read }) } else { Err(wrong) }
}

struct FieldReader<'a> {
    sent: &'a [(String, String)],
    rules: &'a Rules<'a>,
    read: Vec<String>,
    wrong: Vec<FieldError>,
}

impl<'a> FieldReader<'a> {
    /// Returns the value of a field, if it was sent, and records its name. If a field is repeated, its first value counts.
    fn get(&mut self, field: &str) -> Option<&'a str> {
        let (_, value) = self.sent.iter().find(|(name, _)| name == field)?;
        self.read.push(field.to_owned());
        Some(value.trim())
    }

    fn refuse(&mut self, field: &'static str, code: &'static str, bound: Option<usize>) {
        self.wrong.push(FieldError { field, code, bound, line: None });
    }

    fn checked<T>(&mut self, field: &'static str, value: &mut Option<T>, read: impl Fn(&str) -> Option<T>) {
        match self.get(field) {
            None => {}
            Some("") => *value = None,
            Some(text) => match read(text) {
                Some(read) => *value = Some(read),
                None => self.refuse(field, "invalid", None),
            },
        }
    }

    fn word<T: FromStr>(&mut self, field: &'static str, value: &mut Option<String>) {
        self.checked(field, value, |text| text.parse::<T>().is_ok().then(|| text.to_owned()));
    }

    fn text(&mut self, field: &'static str, value: &mut Option<String>, most: usize, tidy: fn(&str) -> String) {
        let Some(text) = self.get(field).map(tidy) else { return };
        if text.chars().count() > most {
            self.refuse(field, "max_length", Some(most));
        } else if self.rules.prohibited.found_in(&text) {
            self.refuse(field, "prohibited_terms", None);
        } else {
            *value = (!text.is_empty()).then_some(text);
        }
    }

    fn website(&mut self, value: &mut Option<String>) {
        let most = profiles::WEBSITE_MAX;
        match self.get("website").map(|text| (text, website(text))) {
            None => {}
            Some(("", _)) => *value = None,
            Some((_, None)) => self.refuse("website", "invalid", None),
            Some((typed, Some(_))) if self.rules.prohibited.found_in(typed) => {
                self.refuse("website", "prohibited_terms", None);
            }
            Some((_, Some(url))) if url.chars().count() > most => self.refuse("website", "max_length", Some(most)),
            Some((_, Some(url))) => *value = Some(url),
        }
    }
}

fn one_line(text: &str) -> String {
    plain(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Normalizes an `http` or `https` address in the same way as browsers. Rejects other schemes, credentials and hosts without a dot.
fn website(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let web = matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| host.contains('.'));
    let plain = url.username().is_empty() && url.password().is_none();
    // `http:example.com` is parsed as if it had the slashes. Require them, so that the member gets what they typed.
    (web && plain && text.contains("://")).then(|| url.into())
}

fn birth_date(text: &str, now: i64) -> Option<Date> {
    let day = Date::parse(text, format_description!("[year]-[month]-[day]")).ok()?;
    AGES.contains(&age_of(day.with_time(Time::MIDNIGHT).assume_utc().unix_timestamp(), now)).then_some(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_790_000_000;

    fn edit(sent: &[(&str, &str)]) -> Result<Edit, Vec<(&'static str, &'static str)>> {
        let sent: Vec<_> = sent.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let prohibited = TermList::new(&["forbidden".to_owned()]);
        let rules = Rules { now: NOW, prohibited: &prohibited };
        read(&sent, &rules).map_err(|wrong| wrong.into_iter().map(|wrong| (wrong.field, wrong.code)).collect())
    }

    #[test]
    fn only_sent_profile_fields_are_read() {
        let sent = [("gender", "female"), ("id", "7"), ("about", ""), ("website", "HTTPS://Me.Example/a b")];
        let edit = edit(&sent).unwrap();
        assert_eq!(edit.sent, ["gender", "website", "about"]);
        let (gender, website) = (Some("female".to_owned()), Some("https://me.example/a%20b".to_owned()));
        assert_eq!(edit.profile, Profile { gender, website, ..Profile::default() });
    }

    #[test]
    fn all_invalid_fields_are_reported() {
        let (long, url) = ("x".repeat(2001), format!("https://me.example/{}", "x".repeat(300)));
        let sent = [
            ("gender", "str"),
            ("relationship", "Single"),
            ("orientation", "none"),
            ("country", "XX"),
            ("birth_date", "2008-09-22"),
            ("website", url.as_str()),
            ("about", long.as_str()),
            ("city", "Forbidden"),
        ];
        let expected = [
            ("gender", "invalid"),
            ("relationship", "invalid"),
            ("orientation", "invalid"),
            ("country", "invalid"),
            ("birth_date", "invalid"),
            ("website", "max_length"),
            ("about", "max_length"),
            ("city", "prohibited_terms"),
        ];
        assert_eq!(edit(&sent).unwrap_err(), expected);
    }

    #[test]
    fn birth_date_must_be_of_an_adult() {
        // NOW is 2026-09-21.
        for (text, fits) in [
            ("2008-09-21", true),
            ("2008-09-22", false),
            ("1904-09-21", true),
            ("1903-09-21", false),
            ("2030-01-01", false),
            ("2001-02-29", false),
            ("21.09.1990", false),
            ("1990-9-1", false),
        ] {
            assert_eq!(birth_date(text, NOW).is_some(), fits, "{text}");
        }
    }

    #[test]
    fn born_until_is_the_last_accepted_birth_date() {
        // 2026-09-21, 29 February and 1 March 2024.
        for (now, day) in [(NOW, "2008-09-21"), (1_709_164_800, "2006-02-28"), (1_709_251_200, "2006-03-01")] {
            let latest = born_until(now);
            assert_eq!(latest.to_string(), day);
            assert_eq!(birth_date(day, now), Some(latest));
            assert_eq!(birth_date(&latest.next_day().unwrap().to_string(), now), None);
        }
    }

    #[test]
    fn website_accepts_only_web_addresses() {
        for text in ["http://a.example", "https://a.example/path?x=1#y", "https://xn--bcher-kva.example/"] {
            assert!(website(text).is_some(), "{text}");
        }
        for text in [
            "javascript:alert(1)",
            "JAVASCRIPT://a.example/%0aalert(1)",
            "data:text/html,x",
            "ftp://a.example",
            "//a.example",
            "a.example",
            "https:a.example",
            "https://",
            "https://localhost/",
            "https://me:secret@a.example/",
            "https://me@a.example/",
        ] {
            assert_eq!(website(text), None, "{text}");
        }
    }
}
