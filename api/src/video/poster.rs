//! `POST /api/video_poster.php`: sets an uploaded picture as the poster of one of the member's videos.

use axum::{
    extract::{FromRequest, Request, State},
    http::StatusCode,
    response::Response,
};
use lantern_accounts::viewer::Member;
use lantern_catalog::{
    films::{self, PosterOutcome},
    status::UploadStatus,
};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult, Info};
use lantern_http::{
    Client,
    extract::files::FormWithFiles,
    openapi::{Doc, Param, field, id_schema, refusal, too_often},
    private,
};
use lantern_media::Error as MediaError;
use lantern_media::pictures::{Crop, picture};
use lantern_ratelimit::{Action, Key};
use rand::{TryRngCore, rngs::OsRng};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::{
    action::form::{Id, id, required},
    state::AppState,
};

/// Form field of the picture.
const POSTER: &str = "poster";
/// Number of random bytes in a picture's name, which is written in hex. They are too many to guess.
const NAME_BYTES: usize = 12;

#[derive(Debug, Deserialize)]
pub struct PosterForm {
    video_id: Option<Id>,
    crop_x: Option<u32>,
    crop_y: Option<u32>,
    crop_width: Option<u32>,
    crop_height: Option<u32>,
}

impl PosterForm {
    /// Returns the part of the picture to use, or `None` if the form has none of its numbers.
    fn crop(&self) -> ApiResult<Option<Crop>> {
        let Self { crop_x, crop_y, crop_width, crop_height, .. } = *self;
        if [crop_x, crop_y, crop_width, crop_height].iter().all(Option::is_none) {
            return Ok(None);
        }
        Ok(Some(Crop {
            x: required("crop_x", crop_x)?,
            y: required("crop_y", crop_y)?,
            width: required("crop_width", crop_width)?,
            height: required("crop_height", crop_height)?,
        }))
    }
}

/// Result of setting a poster.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PosterAnswer {
    /// Always 1.
    #[schema(minimum = 1, maximum = 1, example = 1)]
    ok: u8,
    /// The picture, 320 pixels wide.
    #[schema(example = "/media/p/videos/0a/0a1b2c3d4e5f60718293a4b5-320.jpg")]
    poster: String,
    /// Status of the video: in review, or still rejected.
    #[schema(example = 2)]
    status_id: UploadStatus,
}

pub fn doc(config: &Config) -> Doc {
    let (width, height) = config.pictures.poster_min;
    Doc::post("member", "video_poster", "/api/video_poster.php", "Set the poster of an own video")
        .about(
            "The poster replaces the screenshot; choosing a screenshot removes it again. The video is reviewed again. Pictures are \
             JPEG, PNG, WebP or GIF (first frame only). Four numbers choose a part of the picture; the rest isn't stored. The picture, \
             or this part of it, is then cropped around its center to the aspect ratio of films (16:9) and re-encoded, which drops \
             metadata and any other content.",
        )
        .for_members()
        .field(field("video_id", "Id of the own video.", id_schema(), 1).required())
        .fields(crop_fields(config.pictures.poster_min))
        .file(POSTER, &format!("The picture, at least {width} × {height} pixels."))
        .answers::<PosterAnswer>("The poster is set.")
        .refuses(refusal(404, &[("video_not_found", "no such video of this member, or one without a film")]))
        .refuses(refusal(
            422,
            &[
                ("required", "`video_id` is missing, or some of the crop's numbers are; `field` names it"),
                ("need_select_screenshot", "the form contains no picture"),
                (
                    "screen_upload_error",
                    "the picture was rejected; `info.code` holds the reason: `file_invalid_type`, `file_too_large`, `invalid_img_size`, \
                     `photo_banned`, `crop_outside` or `crop_too_small`",
                ),
            ],
        ))
        .refuses(lantern_uploads::no_room())
        .refuses(lantern_uploads::away())
        .refuses(too_often())
}

fn crop_fields((width, height): (u32, u32)) -> [Param; 4] {
    let crop = |name, what: &str, least: u32, example: u32| {
        let about = format!("{what} the crop, in pixels of the picture after rotating it upright.");
        field(name, &about, json!({ "type": "integer", "minimum": least, "maximum": u32::MAX }), example)
    };
    [
        crop("crop_x", "Left edge of", 0, 0),
        crop("crop_y", "Upper edge of", 0, 40),
        crop("crop_width", "Width of", width, 640),
        crop("crop_height", "Height of", height, 360),
    ]
}

pub async fn video_poster(
    State(state): State<AppState>,
    client: Client,
    member: Member,
    request: Request,
) -> ApiResult<Response> {
    state.limits.take(Action::Act, &Key::member(member.id)).await?;
    let (request, memory) = state.file_forms.read(client.key, request).await?;
    let FormWithFiles(sent, files) = FormWithFiles::<PosterForm>::from_request(request, &state).await?;
    let (video_id, crop) = (id("video_id", sent.video_id)?, sent.crop()?);
    let file = files.into_iter().find(|file| file.field == POSTER);
    let bytes = file.ok_or(ApiError::Field { field: POSTER, code: "need_select_screenshot", bound: None })?.bytes;
    if bytes.len() > state.config.pictures.max_bytes {
        return Err(rejected("file_too_large"));
    }
    // Saving runs in a separate task. Otherwise, a disconnecting client would leave a picture behind that no row refers
    // to.
    let saving = tokio::spawn(async move {
        let answer = store(&state, &member, video_id, (crop, bytes)).await;
        drop(memory);
        answer
    });
    saving.await.map_err(ApiError::internal)?
}

/// Stores the picture and sets it as the poster. Removes it again if it is rejected.
async fn store(
    state: &AppState,
    member: &Member,
    video_id: i64,
    (crop, bytes): (Option<Crop>, Vec<u8>),
) -> ApiResult<Response> {
    let mut random = [0; NAME_BYTES];
    OsRng.try_fill_bytes(&mut random).map_err(ApiError::internal)?;
    let stored = state.pictures.store_poster(&hex::encode(random), crop, bytes).await.map_err(|error| match error {
        MediaError::Picture(refused) => rejected(refused.code()),
        error => lantern_uploads::of_disk(error),
    })?;
    let (key, look_bits) = (stored.key.as_str(), state.config.pictures.look_bits);
    let set = films::set_poster(&state.pool, member.id, video_id, (key, &stored.print), look_bits).await;
    if !matches!(set, Ok(PosterOutcome::Set(_)))
        && let Err(error) = state.pictures.remove(key).await
    {
        tracing::warn!(key, %error, "could not remove an unused picture");
    }
    match set? {
        PosterOutcome::Set(status_id) => {
            Ok(private::answer(PosterAnswer { ok: 1, poster: picture(Some(key)), status_id }))
        }
        PosterOutcome::NoVideo => Err(ApiError::NotFound("video_not_found")),
        PosterOutcome::Banned => Err(rejected("photo_banned")),
    }
}

/// Returns the specified code for a rejected picture, with the reason.
fn rejected(why: &'static str) -> ApiError {
    let info = Info { code: Some(why), ..Info::default() };
    ApiError::Refused {
        status: StatusCode::UNPROCESSABLE_ENTITY,
        code: "screen_upload_error",
        field: Some(POSTER),
        info: Some(info),
    }
}
