//! Validation of video lines. Every text, name and number is checked before anything is written.

use lantern_catalog::{
    chapters::{self, BadLine, Chapter},
    films::FilmDetails,
    imports::{self, ImportRow, ImportedPicture, Origin},
    moderation::consents::DOCUMENTS,
};
use lantern_config::{CHAPTERS_MOST, Config, DESCRIPTION_MOST, Gender, Lang, SECONDS_MOST, TITLE_MOST, import};
use lantern_index::text::TermList;
use lantern_index::text::plain as plain_text;
use serde::Serialize;
use sha2::{Digest, Sha256};
use time::{
    Date, Duration, OffsetDateTime, PrimitiveDateTime, Time, format_description::well_known::Rfc3339,
    macros::format_description,
};

use super::{
    line::{self, Video},
    names::{Meaning, Names},
    places::{FILM, From, PICTURE},
};

/// Why a line was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// Error code.
    pub code: &'static str,
    /// Field with the invalid value.
    pub field: &'static str,
    /// Value of the field, limited to 200 characters.
    pub value: String,
}

/// Returns a refusal of a field's value.
pub fn refuse<T>(code: &'static str, field: &'static str, value: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { code, field, value: value.into().chars().take(200).collect() })
}

/// Rules for all lines in a file.
#[derive(Debug)]
pub struct Rules<'a> {
    pub config: &'a Config,
    pub prohibited: TermList,
    /// Default for lines without a language.
    pub lang: Lang,
    /// Default for lines without an orientation.
    pub orientation: Gender,
    /// Whether the importer vouches for the videos. They are then published without review.
    pub is_cleared: bool,
    pub now: OffsetDateTime,
}

/// A validated video line.
#[derive(Debug)]
pub struct CheckedLine {
    pub row: ImportRow,
    pub member: Option<String>,
    pub film: Option<From>,
    /// Source of the video's picture. `None` if there is a film, because pictures are made from the film.
    pub picture: Option<From>,
    pub is_exclusive: bool,
    /// Unknown categories, which are left out.
    pub unknown_categories: Vec<String>,
    /// Unknown models. A video that names one awaits a review.
    pub unknown_models: Vec<String>,
}

impl Rules<'_> {
    /// Validates a line and replaces its names with ids.
    pub fn check(&self, video: &Video, names: &Names) -> Result<CheckedLine, Refusal> {
        if !(1..=ID_MOST).contains(&video.id.chars().count()) || video.id.chars().any(char::is_control) {
            return refuse(if video.id.is_empty() { "required" } else { "invalid" }, "id", &video.id);
        }
        let title = self.text("title", &video.title, true, TITLE_MOST)?;
        let (categories, unknown_categories) =
            self.ids("categories", &video.categories, |name| names.category(name))?;
        let (models, unknown_models) = self.ids("models", &video.models, |name| names.model(name))?;
        let consents = self.consents(video, &models, names)?;
        let is_agreed = match models.is_empty() {
            true => video.nobody,
            false => models.iter().all(|id| consents.iter().any(|consent| consent.model_id == *id)),
        };
        let film = film(video)?;
        let picture = picture(video)?.filter(|_| film.is_none());
        let row = ImportRow {
            source_id: video.id.clone(),
            digest: digest(video),
            dir: dir(&title, "video"),
            title,
            description: self.text("description", &video.description, false, DESCRIPTION_MOST)?,
            chapters: self.chapters(video, film.is_some())?,
            lang: word("lang", video.lang.as_deref(), self.lang)?.as_str(),
            gender: word("orientation", video.orientation.as_deref(), self.orientation)?.as_str(),
            duration: duration(video, film.is_some())?,
            date: self.date(video)?,
            publish_at: self.publish_at(video)?,
            is_private: video.private,
            is_hd: video.hd,
            embed: self.embed(video)?,
            user_id: None,
            categories,
            models,
            translations: self.translations(video)?,
            viewed: count("views", video.views)?,
            likes: count("likes", video.likes)?,
            dislikes: count("dislikes", video.dislikes)?,
            consents,
            is_cleared: (self.is_cleared || video.cleared) && is_agreed && unknown_models.is_empty(),
            picture: picture.as_ref().map(|from| ImportedPicture { digest: from.digest(), key: None }),
        };
        let member = video.member.clone();
        Ok(CheckedLine {
            row,
            member,
            film,
            picture,
            is_exclusive: video.exclusive,
            unknown_categories,
            unknown_models,
        })
    }

    /// Normalizes a text for storage. Refuses a text that is missing (if `one_line`) or too long, or contains
    /// prohibited terms.
    pub fn text(&self, field: &'static str, text: &str, one_line: bool, most: usize) -> Result<String, Refusal> {
        let mut plain = plain_text(text);
        if one_line {
            plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        match plain.chars().count() {
            0 if one_line => refuse("required", field, text),
            count if count > most => refuse("max_length", field, format!("{count} characters")),
            _ if self.prohibited.found_in(&plain) => refuse("prohibited_terms", field, plain),
            _ => Ok(plain),
        }
    }

    /// Normalizes chapters for storage. The duration of a film is not known yet.
    fn chapters(&self, video: &Video, has_film: bool) -> Result<String, Refusal> {
        let field = "chapters";
        let plain = self.text(field, &video.chapters, false, CHAPTERS_MOST)?;
        let duration = if has_film { None } else { Some(duration(video, false)?) };
        let (code, line) = match chapters::written(&plain, duration) {
            Ok(read) if read.len() > self.config.films.max_chapters => {
                return refuse("too_many_chapters", field, read.len().to_string());
            }
            Ok(read) => {
                let is_long = |chapter: &&Chapter| chapter.title.chars().count() > self.config.films.chapter_title_max;
                return match read.iter().find(is_long) {
                    Some(long) => refuse("chapter_title_length", field, &long.title),
                    None => self.text(field, &chapters::text(&read), false, CHAPTERS_MOST),
                };
            }
            Err(BadLine::Unreadable(line)) => ("chapter_unreadable", line),
            Err(BadLine::Start(line)) => ("chapter_start", line),
            Err(BadLine::Order(line)) => ("chapter_order", line),
            Err(BadLine::Late(line)) => ("chapter_late", line),
        };
        refuse(code, field, plain.lines().nth(line - 1).unwrap_or_default())
    }

    /// Returns the ids of the known names, and the unknown names.
    fn ids(
        &self,
        field: &'static str,
        named: &[String],
        meaning: impl Fn(&str) -> Meaning,
    ) -> Result<(Vec<i64>, Vec<String>), Refusal> {
        if named.len() > self.config.import.max_names {
            return refuse("too_many", field, named.len().to_string());
        }
        let (mut ids, mut unknown) = (Vec::new(), Vec::new());
        for name in named.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
            match meaning(name) {
                Meaning::Id(id) if !ids.contains(&id) => ids.push(id),
                Meaning::Unknown => unknown.push(name.to_owned()),
                Meaning::Id(_) | Meaning::Ignored => {}
            }
        }
        Ok((ids, unknown))
    }

    /// Validates the consents. Each must be from a model that the line names.
    fn consents(&self, video: &Video, models: &[i64], names: &Names) -> Result<Vec<imports::ImportedConsent>, Refusal> {
        let field = "consents";
        let mut consents: Vec<imports::ImportedConsent> = Vec::with_capacity(video.consents.len());
        for line::ConsentLine { model, signed_on, document, reference } in &video.consents {
            let Meaning::Id(model_id) = names.model(model) else { return refuse("unknown_model", field, model) };
            let Some(person) = names.people.get(&model_id).filter(|_| models.contains(&model_id)) else {
                return refuse("not_a_model_of_it", field, model);
            };
            let day = day(signed_on).filter(|day| *day <= self.now.date());
            let Some(signed_on) = day else { return refuse("invalid", field, signed_on) };
            if signed_on < adult_since(person.birth_date) {
                return refuse("not_adult", field, model);
            }
            if !DOCUMENTS.contains(&document.as_str()) {
                return refuse("invalid", field, document);
            }
            if !(1..=REFERENCE_MOST).contains(&reference.chars().count()) {
                return refuse("required", field, reference);
            }
            if consents.iter().any(|one| one.model_id == model_id) {
                return refuse("twice", field, model);
            }
            let (document_kind, document_ref) = (document.clone(), reference.clone());
            consents.push(imports::ImportedConsent { model_id, signed_on, document_kind, document_ref });
        }
        Ok(consents)
    }

    fn translations(&self, video: &Video) -> Result<Vec<(&'static str, String, String)>, Refusal> {
        let field = "translations";
        let texts = video.translations.iter().map(|(lang, text)| {
            let Ok(lang) = lang.parse::<Lang>() else { return refuse("invalid", field, lang) };
            let title = self.text(field, &text.title, true, TITLE_MOST)?;
            Ok((lang.as_str(), title, self.text(field, &text.description, false, DESCRIPTION_MOST)?))
        });
        texts.collect()
    }

    fn embed(&self, video: &Video) -> Result<Option<(String, String)>, Refusal> {
        let Some(embed) = &video.embed else { return Ok(None) };
        if !self.config.embeds.contains_key(&embed.site) {
            return refuse("unknown_site", "embed", &embed.site);
        }
        if !import::is_embed_id(&embed.id) {
            return refuse("invalid", "embed", &embed.id);
        }
        Ok(Some((embed.site.clone(), embed.id.clone())))
    }

    fn date(&self, video: &Video) -> Result<Option<OffsetDateTime>, Refusal> {
        let Some(text) = &video.date else { return Ok(None) };
        match moment(text) {
            Some(moment) if moment <= self.now && moment.year() >= 1970 => Ok(Some(moment)),
            _ => refuse("invalid", "date", text),
        }
    }

    fn publish_at(&self, video: &Video) -> Result<Option<OffsetDateTime>, Refusal> {
        let Some(text) = &video.publish_at else { return Ok(None) };
        let latest = self.now + Duration::days(self.config.films.publish_days_max.into());
        match moment(text) {
            Some(moment) if moment <= latest => Ok(Some(moment)),
            Some(_) => refuse("publish_too_late", "publish_at", text),
            None => refuse("invalid", "publish_at", text),
        }
    }
}

/// Maximum length of an id in characters, as in the constraint `imports_source_id_length`.
const ID_MOST: usize = 200;
/// Maximum length of a document's storage reference in characters. Moderators have the same limit.
const REFERENCE_MOST: usize = 200;

/// Returns the date of the eighteenth birthday.
pub fn adult_since(birth: Date) -> Date {
    // Day 60 of a common year is 1 March, when people born on 29 February come of age.
    birth
        .replace_year(birth.year() + 18)
        .or_else(|_| Date::from_ordinal_date(birth.year() + 18, 60))
        .unwrap_or(Date::MAX)
}

/// Parses a time such as `2026-01-31T12:00:00Z` or `2026-01-31 12:00:00` (UTC), a date, or seconds since 1970.
fn moment(text: &str) -> Option<OffsetDateTime> {
    let clock = format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");
    let seconds = || OffsetDateTime::from_unix_timestamp(text.parse().ok()?).ok();
    OffsetDateTime::parse(text, &Rfc3339)
        .or_else(|_| PrimitiveDateTime::parse(text, clock).map(PrimitiveDateTime::assume_utc))
        .ok()
        .or_else(|| Some(day(text)?.with_time(Time::MIDNIGHT).assume_utc()))
        .or_else(seconds)
}

/// Parses a date such as `2026-01-31`.
pub fn day(text: &str) -> Option<Date> {
    Date::parse(text, format_description!("[year]-[month]-[day]")).ok()
}

/// Returns the title as a path segment, or `default` if nothing is left of it.
pub fn dir(title: &str, default: &str) -> String {
    match slug::slugify(title) {
        empty if empty.is_empty() => default.to_owned(),
        dir => dir,
    }
}

fn word<T: std::str::FromStr>(field: &'static str, text: Option<&str>, default: T) -> Result<T, Refusal> {
    match text {
        None => Ok(default),
        Some(text) => text.parse().or_else(|_| refuse("invalid", field, text)),
    }
}

/// Returns the duration in seconds. For a line with a film, this is a placeholder, because the film is probed for its
/// duration.
fn duration(video: &Video, has_film: bool) -> Result<i32, Refusal> {
    let Some(duration) = &video.duration else {
        return if has_film { Ok(1) } else { refuse("required", "duration", "") };
    };
    match duration.seconds().map(u32::try_from) {
        Some(Ok(seconds @ 1..=SECONDS_MOST)) => i32::try_from(seconds).or_else(|_| refuse("invalid", "duration", "")),
        _ => refuse("invalid", "duration", format!("{duration:?}")),
    }
}

fn count<T: TryFrom<i64> + PartialOrd + Default>(field: &'static str, number: i64) -> Result<T, Refusal> {
    T::try_from(number)
        .ok()
        .filter(|count| *count >= T::default())
        .map_or_else(|| refuse("invalid", field, number.to_string()), Ok)
}

fn film(video: &Video) -> Result<Option<From>, Refusal> {
    let named = [video.embed.is_some(), video.file.is_some(), video.address.is_some()];
    if named.into_iter().filter(|is_named| *is_named).count() > 1 {
        return refuse("too_many", "embed, file, address", "");
    }
    Ok(From::of(FILM, video.file.as_ref(), video.address.as_ref()))
}

fn picture(video: &Video) -> Result<Option<From>, Refusal> {
    if video.picture_file.is_some() && video.picture_address.is_some() {
        return refuse("too_many", "picture_file, picture_address", "");
    }
    Ok(From::of(PICTURE, video.picture_file.as_ref(), video.picture_address.as_ref()))
}

/// Returns a digest that detects changes in a line with the same id.
fn digest(video: &Video) -> [u8; 32] {
    Sha256::digest(serde_json::to_vec(video).unwrap_or_default()).into()
}

/// Builds the metadata for the upload of a film.
pub fn details(checked: &CheckedLine, names: &Names, source: &str) -> FilmDetails {
    let row = &checked.row;
    let person = |id: &i64| names.people.get(id).map(|model| model.dir.clone());
    let consents = row.consents.iter().filter_map(|consent| {
        Some((
            person(&consent.model_id)?,
            consent.signed_on,
            consent.document_kind.clone(),
            consent.document_ref.clone(),
        ))
    });
    FilmDetails {
        title: row.title.clone(),
        description: row.description.clone(),
        chapters: row.chapters.clone(),
        lang: row.lang.to_owned(),
        gender: row.gender.to_owned(),
        categories: row.categories.iter().filter_map(|id| names.category_dirs.get(id).cloned()).collect(),
        models: row.models.iter().filter_map(person).collect(),
        is_private: row.is_private,
        publish_at: row.publish_at,
        origin: Some(Origin {
            source: source.to_owned(),
            date: row.date,
            counts: (row.viewed, row.likes, row.dislikes),
            translations: row
                .translations
                .iter()
                .map(|(lang, title, about)| ((*lang).to_owned(), title.clone(), about.clone()))
                .collect(),
            consents: consents.collect(),
            is_cleared: row.is_cleared,
        }),
    }
}

#[cfg(test)]
mod tests;
