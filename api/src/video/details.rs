//! Details of a film, which its member sets during the upload or once it has become a video.

use lantern_accounts::{token::Token, viewer::Member};
use lantern_catalog::{
    films::{self, FilmDetails, ScheduleOutcome},
    status::UploadStatus,
};
use lantern_config::{Config, Gender, Lang, Visibility};
use lantern_errors::{ApiError, ApiResult, FieldError};
use lantern_http::openapi::{Param, field, one_of};
use lantern_index::text::{TermList, plain};
use lantern_ratelimit::{Action, Key};
use serde::Deserialize;
use serde_json::json;
use sqlx::{PgConnection, PgPool};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use super::{chapters, edit::EditForm};
use crate::{
    action::{Acts, form::required},
    text::{TextBounds, checked},
};

/// Visibility, encoded as in the upload form, which is the reverse of the playlist form.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "u8")]
pub struct Visible(pub Visibility);

impl TryFrom<u8> for Visible {
    type Error = &'static str;

    fn try_from(visible: u8) -> Result<Self, Self::Error> {
        Visibility::from_upload_form(visible).map(Self).ok_or("0 or 1")
    }
}

/// Returns the fields that video and album forms share, for the OpenAPI document.
pub fn fields(config: &Config) -> [Param; 7] {
    let films = &config.films;
    let text = |min: usize, max: usize| json!({ "type": "string", "minLength": min, "maxLength": max });
    let dirs = json!({ "type": "string" });
    [
        field("title", "Title.", text(films.title_min, films.title_max), ""),
        field("description", "Description; may be empty.", text(0, films.description_max), ""),
        field("lang", "Language of title and description.", one_of(Lang::ALL), ""),
        field("orientation", "Orientation.", one_of(Gender::ALL), ""),
        field(
            "categories",
            &format!("Categories, as named in URLs, comma-separated; 1 to {}.", films.max_categories),
            dirs.clone(),
            "",
        ),
        field("models", &format!("Models, as named in URLs, comma-separated; up to {}.", films.max_models), dirs, ""),
        field(
            "visible",
            "0 public, 1 private: the reverse of the playlist form.",
            json!({ "type": "integer", "enum": [0, 1] }),
            "",
        ),
    ]
}

/// Returns the field for a video's time of publication, for the OpenAPI document.
pub fn publish_at_field(config: &Config) -> Param {
    let about = format!(
        "When the video is published if it is approved by then, RFC 3339 with an offset; at most {} days ahead, and only before the \
         first publication. `{NOW}` or a time in the past publishes it as soon as it is approved; without the field, an own video keeps \
         its time.",
        config.films.publish_days_max
    );
    field(PUBLISH_AT, &about, json!({ "type": "string" }), "2027-01-31T18:00:00+01:00")
}

/// Name of the field for a video's time of publication.
const PUBLISH_AT: &str = "publish_at";
/// Its value that removes a time. An empty field counts as absent.
const NOW: &str = "now";

/// `upload=…`: saves the details of an upload's film, and starts processing if the upload is complete.
pub async fn describe(acts: &Acts, member: &Member, token: &str, form: &EditForm) -> ApiResult<()> {
    let missing = || ApiError::NotFound("upload_not_found");
    let token = Token::parse(token).ok_or_else(missing)?;
    let details = read(&acts.pool, &acts.config, &acts.prohibited, form.details()).await?;
    acts.limits.take(Action::Act, &Key::member(member.id)).await?;
    let is_exclusive = form.exclusive.unwrap_or(false);
    let found = films::describe(&acts.pool, token.as_str(), member.id, &details, is_exclusive).await?;
    if found { Ok(()) } else { Err(missing()) }
}

/// `video_id=…`: replaces the details of one of the member's videos, chooses its screenshot and schedules its
/// publication. Returns the video's status.
pub async fn revise(acts: &Acts, member: &Member, id: i64, form: &EditForm) -> ApiResult<UploadStatus> {
    let missing = || ApiError::NotFound("video_not_found");
    // Validate the whole form before any of it takes effect.
    let details = match form.title {
        Some(_) => {
            let duration = films::duration(&mut *acts.pool.acquire().await?, member.id, id).await?;
            let sent = SentDetails { duration, ..form.details() };
            Some(read(&acts.pool, &acts.config, &acts.prohibited, sent).await?)
        }
        None => None,
    };
    if form.shot.is_some_and(|shot| shot >= lantern_media::film::SHOTS) {
        return Err(ApiError::invalid("shot"));
    }
    let publish_at = publish_at(&mut *acts.pool.acquire().await?, &acts.config, form.publish_at.as_deref()).await?;
    if details.is_none() && form.shot.is_none() && form.publish_at.is_none() {
        return Err(ApiError::Field { field: "shot", code: "need_select_screenshot", bound: None });
    }
    acts.limits.take(Action::Act, &Key::member(member.id)).await?;
    let mut transaction = acts.pool.begin().await?;
    let mut status = None;
    if let Some(details) = details {
        status = Some(films::revise(&mut transaction, member.id, id, &details).await?.ok_or_else(missing)?);
    }
    if let Some(shot) = form.shot {
        status = Some(films::choose(&mut transaction, member.id, id, shot.into()).await?.ok_or_else(missing)?);
    }
    if form.publish_at.is_some() {
        status = Some(match films::schedule(&mut transaction, member.id, id, publish_at).await? {
            ScheduleOutcome::Set(status) => status,
            ScheduleOutcome::NoVideo => return Err(missing()),
            ScheduleOutcome::WasPublished => {
                return Err(ApiError::Field { field: PUBLISH_AT, code: "already_published", bound: None });
            }
        });
    }
    transaction.commit().await?;
    status.ok_or_else(missing)
}

/// Parses a time of publication. Returns `None` for none. A time in the past has no effect in the catalog.
async fn publish_at(conn: &mut PgConnection, config: &Config, text: Option<&str>) -> ApiResult<Option<OffsetDateTime>> {
    let Some(text) = text.filter(|text| *text != NOW) else { return Ok(None) };
    let at = OffsetDateTime::parse(text, &Rfc3339).map_err(|_| ApiError::invalid(PUBLISH_AT))?;
    let days = config.films.publish_days_max;
    if films::is_within(conn, at, days).await? {
        return Ok(Some(at));
    }
    Err(ApiError::Field { field: PUBLISH_AT, code: "publish_too_late", bound: usize::try_from(days).ok() })
}

/// The details that video and album forms share, as sent.
#[derive(Debug, Clone, Copy)]
pub struct SentDetails<'a> {
    pub title: Option<&'a str>,
    pub description: Option<&'a str>,
    /// Chapters, which albums don't have.
    pub chapters: Option<&'a str>,
    /// Duration of the film in seconds, if it is known.
    pub duration: Option<i32>,
    pub lang: Option<Lang>,
    pub orientation: Option<Gender>,
    pub categories: Option<&'a str>,
    pub models: Option<&'a str>,
    pub visible: Option<Visible>,
    pub publish_at: Option<&'a str>,
}

/// Validates the details. Reports all invalid fields at once, as the form shows them.
pub async fn read(
    pool: &PgPool,
    config: &Config,
    prohibited: &TermList,
    form: SentDetails<'_>,
) -> ApiResult<FilmDetails> {
    let limits = &config.films;
    let bounds = |field, min, max, one_line| TextBounds { field, min, min_code: "min_length", max, one_line };
    let title = bounds("title", limits.title_min, limits.title_max, true);
    let title = checked(form.title, title, prohibited);
    let description = match plain(form.description.unwrap_or_default()) {
        empty if empty.is_empty() => Ok(empty),
        text => checked(Some(&text), bounds("description", 0, limits.description_max, false), prohibited),
    };
    let chapters = chapters::read(form.chapters, form.duration, limits, prohibited);
    let lang = required("lang", form.lang);
    let orientation = required("orientation", form.orientation);
    let mut conn = pool.acquire().await?;
    let mut categories = dirs("categories", form.categories, limits.max_categories);
    if let Ok(named) = &categories {
        if named.is_empty() {
            categories = required("categories", None);
        } else if !films::unknown_categories(&mut conn, named).await?.is_empty() {
            categories = Err(ApiError::invalid("categories"));
        }
    }
    let mut models = dirs("models", form.models, limits.max_models);
    if let Ok(named) = &models
        && !films::unknown_models(&mut conn, named).await?.is_empty()
    {
        models = Err(ApiError::invalid("models"));
    }
    let publish_at = publish_at(&mut conn, config, form.publish_at).await;
    let refusals = [
        title.as_ref().err(),
        description.as_ref().err(),
        chapters.as_ref().err(),
        lang.as_ref().err(),
        orientation.as_ref().err(),
        categories.as_ref().err(),
        models.as_ref().err(),
        publish_at.as_ref().err(),
    ];
    let wrong: Vec<FieldError> = refusals.into_iter().flatten().flat_map(ApiError::fields).collect();
    if wrong.len() > 1 {
        return Err(ApiError::Fields(wrong));
    }
    Ok(FilmDetails {
        title: title?,
        description: description?,
        chapters: chapters?,
        lang: lang?.as_str().to_owned(),
        gender: orientation?.as_str().to_owned(),
        categories: categories?,
        models: models?,
        is_private: form.visible.is_some_and(|visible| visible.0 == Visibility::Private),
        publish_at: publish_at?,
        origin: None,
    })
}

/// Parses comma-separated names. Sorts them and drops duplicates.
fn dirs(field: &'static str, text: Option<&str>, most: usize) -> ApiResult<Vec<String>> {
    let named = text.unwrap_or_default().split(',').map(str::trim).filter(|dir| !dir.is_empty());
    let mut named: Vec<String> = named.map(str::to_owned).collect();
    named.sort_unstable();
    named.dedup();
    if named.len() > most {
        return Err(ApiError::Field { field, code: "invalid", bound: Some(most) });
    }
    Ok(named)
}
