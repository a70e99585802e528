//! `POST /api/video_edit.php`: sets the details of an upload or of one of the member's videos. Members who manage uploads can also manage
//! their videos (`act`).

use axum::{
    extract::{FromRef, Request, State},
    response::Response,
};
use lantern_accounts::{token::Token, viewer::Member};
use lantern_catalog::{
    managed,
    status::{MemberStatus, UploadStatus},
};
use lantern_config::{Config, Gender, Lang};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client, is_multipart,
    openapi::{Doc, field, id_schema, refusal, too_often},
    private, small_form,
};
use lantern_media::film::SHOTS;
use lantern_ratelimit::{Action, Key};
use lantern_search::index::rfc3339;
use lantern_uploads::{ENDINGS, Intake, whole::FILM};
use serde::{Deserialize, Serialize};
use serde_json::json;
use time::{Duration, OffsetDateTime};
use utoipa::ToSchema;

use super::{
    chapters,
    details::{self, SentDetails, Visible},
};
use crate::{
    action::{
        Acts,
        form::{Id, id},
    },
    state::AppState,
    video::whole::{self, SentFilm},
};

/// A management action, identified by its number on the wire.
#[derive(Debug, Clone, Copy, Deserialize)]
enum UploadAct {
    #[serde(rename = "2")]
    Delete,
    #[serde(rename = "3")]
    TogglePrivate,
    #[serde(rename = "4")]
    Readd,
}

#[derive(Debug, Deserialize)]
pub struct EditForm {
    act: Option<UploadAct>,
    video_id: Option<Id>,
    days: Option<u32>,
    upload: Option<String>,
    pub shot: Option<u8>,
    pub title: Option<String>,
    pub description: Option<String>,
    pub chapters: Option<String>,
    pub lang: Option<Lang>,
    pub orientation: Option<Gender>,
    pub categories: Option<String>,
    pub models: Option<String>,
    pub visible: Option<Visible>,
    pub publish_at: Option<String>,
    pub exclusive: Option<bool>,
}

impl EditForm {
    /// Whether the form describes a new film, without naming an existing upload or video.
    pub const fn is_for_new_film(&self) -> bool {
        self.act.is_none() && self.video_id.is_none() && self.upload.is_none() && self.shot.is_none()
    }

    pub fn details(&self) -> SentDetails<'_> {
        SentDetails {
            title: self.title.as_deref(),
            description: self.description.as_deref(),
            chapters: self.chapters.as_deref(),
            duration: None,
            lang: self.lang,
            orientation: self.orientation,
            categories: self.categories.as_deref(),
            models: self.models.as_deref(),
            visible: self.visible,
            publish_at: self.publish_at.as_deref(),
        }
    }
}

/// State of the video after the request.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ManagedAnswer {
    /// Always 1.
    #[schema(minimum = 1, maximum = 1, example = 1)]
    ok: u8,
    /// After `act=3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    is_private: Option<bool>,
    /// After `act=4`, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = DateTime)]
    readd_at: Option<String>,
    /// After a form without `act` for a video: its status.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    status_id: Option<UploadStatus>,
    /// After a form with a film: name of the new upload.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "9xYl2wVqkq3Qq0a1k1hH8mWfJc5cTqO6yH3b0dFzUuE")]
    upload: Option<String>,
}

impl ManagedAnswer {
    const fn done() -> Self {
        Self { ok: 1, is_private: None, readd_at: None, status_id: None, upload: None }
    }
}

pub fn doc(config: &Config) -> Doc {
    let days = json!({ "type": "integer", "minimum": 1, "maximum": config.member_area.readd_days_max,
        "default": config.member_area.readd_days });
    let film = format!(
        "A film, in a multipart form: at most {} bytes. Its name has Latin letters and digits and ends with one of {}; its format is \
         detected from its content.",
        config.uploads.max_bytes,
        ENDINGS.join(", ")
    );
    let shot = json!({ "type": "integer", "minimum": 0, "maximum": SHOTS - 1 });
    Doc::post("member", "video_edit", "/api/video_edit.php", "Describe an upload or an own video, or manage it")
        .about(
            "With `upload`: sets the details of its film; processing starts when the upload is complete. With `video_id` alone: `shot` \
             chooses its picture, `publish_at` sets its time of publication, `title` and the fields beside it replace its details; \
             unless only `visible` differs, it is reviewed again. With `act`, only for members with `status_id` 6: 2 deletes the video, or cancels the scheduled return of a deleted \
             one; 3 makes it private or public again; 4 removes the video and restores it unchanged after `days`, also one that \
             its owner deleted, but not one that moderation deleted. With a film in `video`: creates a complete upload with the \
             details of the form and starts processing; an interrupted form leaves nothing behind. Fields before the film are \
             validated before the film is received.",
        )
        .for_members()
        .field(field("act", "Code of the action.", json!({ "type": "string", "enum": ["2", "3", "4"] }), ""))
        .field(field("video_id", "Id of the own video.", id_schema(), 1))
        .field(field("days", "Days until the video is restored.", days, ""))
        .field(field("upload", "Name of the own upload.", json!({ "type": "string", "pattern": Token::PATTERN }), ""))
        .field(field("shot", "Number of the screenshot.", shot, ""))
        .fields(details::fields(config))
        .field(details::publish_at_field(config))
        .field(chapters::param(&config.films))
        .field(field(
            "exclusive",
            "1 if it was made exclusively for this site; it may then be shorter.",
            json!({ "type": "integer", "enum": [0, 1] }),
            "",
        ))
        .file_or_none(FILM, &film)
        .answers::<ManagedAnswer>("Done.")
        .refuses(refusal(400, &[("video_upload_error", "the upload was interrupted; `info.code` holds the reason")]))
        .refuses(refusal(
            403,
            &[
                ("dont_have_permission", "the member does not manage uploads"),
                ("upload_quota", "the member has too many unfinished uploads, or too many unprocessed bytes"),
            ],
        ))
        .refuses(refusal(413, &[("video_size_limit", "the film is larger than `uploads.max_bytes`")]))
        .refuses(lantern_uploads::no_room())
        .refuses(lantern_uploads::away())
        .refuses(refusal(
            404,
            &[("video_not_found", "no such video of this member"), ("upload_not_found", "no such upload of this member")],
        ))
        .refuses(refusal(
            422,
            &[
                ("required", "neither `upload` nor `video_id`, or a required field is missing"),
                ("need_select_screenshot", "the video has no picture yet, and `shot` is missing"),
                ("min_length", "a text is too short"),
                ("max_length", "a text is too long"),
                ("prohibited_terms", "a text contains a prohibited term"),
                ("publish_too_late", "`publish_at` is more than `films.publish_days_max` days ahead"),
                ("already_published", "`publish_at` is in the future, but the video was published before"),
                ("chapter_unreadable", "line `info.line` of the chapters is not a time and a title"),
                ("chapter_start", "the first chapter does not begin at 0:00"),
                ("chapter_order", "chapter in line `info.line` does not begin after the one before it"),
                ("chapter_late", "chapter in line `info.line` begins after the end of the film"),
                ("chapter_title_length", "the title in line `info.line` is too long"),
                ("too_many_chapters", "there are more chapters than `info.bound`"),
                ("video_bad_filename", "the film's name has characters other than Latin letters and digits, or another extension"),
                ("video_corrupted_file", "the film is empty"),
            ],
        ))
        .refuses(too_often())
}

pub async fn video_edit(
    State(state): State<AppState>,
    client: Client,
    member: Member,
    request: Request,
) -> ApiResult<Response> {
    let acts = Acts::from_ref(&state);
    if !is_multipart(&request) {
        let sent = small_form(request, &acts.config).await?;
        return edit(&acts, &member, &sent).await;
    }
    let share = state.file_forms.share(client.key)?;
    // The form is received in a separate task. Otherwise, a disconnecting client would leave the received bytes behind.
    let intake = Intake::from_ref(&state);
    let taking = tokio::spawn(async move {
        let answer = match whole::take(&intake, &acts.prohibited, &member, request).await? {
            SentFilm::Texts(sent) => edit(&acts, &member, &sent).await,
            SentFilm::Film(token) => {
                Ok(private::answer(ManagedAnswer { upload: Some(token.as_str().to_owned()), ..ManagedAnswer::done() }))
            }
        };
        drop(share);
        answer
    });
    taking.await.map_err(ApiError::internal)?
}

async fn edit(acts: &Acts, member: &Member, sent: &EditForm) -> ApiResult<Response> {
    let mut answer = ManagedAnswer::done();
    match (sent.act, &sent.upload) {
        (Some(act), _) => manage(acts, member, act, sent, &mut answer).await?,
        (None, Some(token)) => details::describe(acts, member, token, sent).await?,
        (None, None) => {
            let id = id("video_id", sent.video_id)?;
            answer.status_id = Some(details::revise(acts, member, id, sent).await?);
        }
    }
    Ok(private::answer(answer))
}

async fn manage(
    acts: &Acts,
    member: &Member,
    act: UploadAct,
    sent: &EditForm,
    answer: &mut ManagedAnswer,
) -> ApiResult<()> {
    let (area, id) = (&acts.config.member_area, id("video_id", sent.video_id)?);
    let days = sent.days.unwrap_or(area.readd_days);
    if !(1..=area.readd_days_max).contains(&days) {
        return Err(ApiError::invalid("days"));
    }
    acts.limits.take(Action::Act, &Key::member(member.id)).await?;
    let mut conn = acts.pool.acquire().await?;
    let done = match act {
        UploadAct::Delete => managed::delete(&mut conn, member.id, id).await?,
        UploadAct::TogglePrivate => {
            answer.is_private = managed::toggle_private(&mut conn, member.id, id).await?;
            answer.is_private.is_some()
        }
        UploadAct::Readd => {
            let now = OffsetDateTime::from_unix_timestamp((acts.now)()).map_err(ApiError::internal)?;
            let at = now + Duration::days(days.into());
            answer.readd_at = Some(rfc3339(at.unix_timestamp()));
            managed::readd(&mut conn, member.id, id, at).await?
        }
    };
    // The query refuses a missing video and a member who may not manage uploads alike, so the reason is determined here.
    match done {
        true => Ok(()),
        false if member.status_id == MemberStatus::ManagesUploads => Err(ApiError::NotFound("video_not_found")),
        false => Err(ApiError::Forbidden("dont_have_permission")),
    }
}
