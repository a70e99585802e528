//! `POST /api/album_edit.php`: members make albums and change their own.

use axum::{
    extract::{FromRef, Request, State},
    response::Response,
};
use lantern_catalog::{
    films::FilmDetails,
    own_albums::{self, AlbumChange},
};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client,
    openapi::{Doc, field, id_schema, refusal, too_often},
    private,
};
use lantern_media::{address, pictures::Pictures};
use lantern_ratelimit::{Action, Key};
use serde::Serialize;
use serde_json::json;
use sqlx::PgPool;
use utoipa::ToSchema;

use super::{
    form::{AlbumAct, AlbumForm, PHOTOS, SentAlbum},
    own::{OwnPhoto, find},
    photos::{PhotoRefusal, StoredPhotos},
};
use crate::{
    action::form::id,
    session::Member,
    state::AppState,
    upload::{self, Intake},
    video::details,
};

/// `status_id` of members who manage their uploads.
const MANAGES: i16 = 6;

/// What the album is now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AlbumEditAnswer {
    /// Always 1.
    #[schema(minimum = 1, maximum = 1, example = 1)]
    ok: u8,
    /// Its id; after `act` only `ok` is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = 7, minimum = 1)]
    album_id: Option<i64>,
    /// 1 active, 2 waits for a decision, 3 a draft, 4 rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = 2, minimum = 1, maximum = 4)]
    status_id: Option<i16>,
    /// All of its pictures in their order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    photos: Option<Vec<OwnPhoto>>,
    /// Pictures of this form that were not taken; the others were.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    refused: Option<Vec<RefusedPhoto>>,
}

/// A picture that was not taken.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RefusedPhoto {
    /// Its place among the form's pictures, from 0.
    #[schema(example = 1, minimum = 0)]
    index: usize,
    /// Why: `file_invalid_type`, `file_too_large`, `invalid_img_size`, `photo_animated`, `photo_duplicate`, `photo_banned`,
    /// `too_many_photos`.
    #[schema(example = "file_invalid_type")]
    code: &'static str,
}

impl From<PhotoRefusal> for RefusedPhoto {
    fn from((index, code): PhotoRefusal) -> Self {
        Self { index, code }
    }
}

pub fn doc(config: &Config) -> Doc {
    let ids = || json!({ "type": "string", "pattern": "^[0-9, ]*$" });
    let (pictures, albums) = (&config.pictures, &config.albums);
    let [width, height] = <[u32; 2]>::from(pictures.photo_min);
    let photo = format!(
        "A picture, at least {width} × {height} pixels; repeated for several, up to {} a form. JPEG, PNG, WebP or GIF that doesn't \
         move, whatever its name says; it is written anew, without what else the file held.",
        albums.form_photos
    );
    Doc::post("member", "album_edit", "/api/album_edit.php", "Make an album, change an own one, or delete it")
        .about(
            "Without `album_id` a new one is made, of `title` and the fields beside it. With `album_id` what is sent is changed: \
             `title` and the fields beside it say something else of the album, `remove`, `photos`, `order` and `cover` change its \
             pictures, in this order. All of it is done or nothing, but for single pictures: `refused` of the answer says which were \
             not taken. A draft is its member's alone until a form comes without `draft`; then, and after every change that a person \
             has to look at, the album waits for a decision. `act=2` deletes it, for members with `status_id` 6, and any draft.",
        )
        .for_members()
        .field(field("act", "Code of the action.", json!({ "type": "string", "enum": ["2"] }), ""))
        .field(field("album_id", "The own album.", id_schema(), ""))
        .fields(details::fields(config))
        .field(field("remove", "Ids of pictures that go, with commas between.", ids(), ""))
        .field(field("order", "Ids of pictures that come first, in this order.", ids(), ""))
        .field(field("cover", "Id of the picture that stands for the album.", id_schema(), ""))
        .field(field("draft", "Whether a draft stays one.", json!({ "type": "boolean" }), ""))
        .file(PHOTOS, &photo)
        .answers::<AlbumEditAnswer>("It is done; after `act` only `ok` is there.")
        .refuses(refusal(
            403,
            &[
                ("dont_have_permission", "`act`, and the member doesn't manage uploads"),
                ("upload_quota", "the member has `albums.undecided` albums that nobody decided on"),
            ],
        ))
        .refuses(refusal(
            404,
            &[
                ("album_not_found", "no such album of this member"),
                ("photo_not_found", "`remove`, `order` or `cover` names a picture that the album doesn't have"),
            ],
        ))
        .refuses(refusal(
            422,
            &[
                ("required", "a field that has to be there is not"),
                ("min_length", "a text has too few characters"),
                ("max_length", "a text has too many characters"),
                ("prohibited_terms", "a text holds a term that may not be published"),
                ("no_photos", "the album would be shown without a picture"),
                ("too_many_photos", "more than `albums.form_photos` came, or the album has `albums.max_photos`"),
                ("file_invalid_type", "no picture came that is of a kind that is taken and can be read to its end"),
                ("file_too_large", "none with at most `pictures.photo_bytes` bytes"),
                ("invalid_img_size", "none with neither too many pixels nor too few"),
                ("photo_animated", "none that doesn't move"),
                ("photo_duplicate", "none that the album doesn't have"),
                ("photo_banned", "none that wasn't taken down for good"),
            ],
        ))
        .refuses(too_often())
        .refuses(upload::docs::no_room())
}

pub async fn album_edit(
    State(state): State<AppState>,
    client: Client,
    member: Member,
    request: Request,
) -> ApiResult<Response> {
    state.limits.take(Action::Act, &Key::member(member.id)).await?;
    let share = state.file_forms.share(client.key)?;
    let SentAlbum { form, photos } = SentAlbum::read(request, &Intake::from_ref(&state), &member).await?;
    if let Some(AlbumAct::Delete) = form.act {
        return delete(&state.pool, &member, &form).await;
    }
    let details = match (form.album_id, &form.title) {
        (Some(_), None) => None,
        _ => Some(details::read(&state.pool, &state.config, &state.prohibited, form.said()).await?),
    };
    let most = state.config.albums.max_photos;
    let edit = AlbumEdit { details, remove: form.removed(most)?, order: form.ordered(most)?, form };
    // Before work begins on what nobody may have.
    if let Some(id) = edit.form.album_id {
        find(&state.pool, &member, id.into()).await?;
    }
    // In a task of its own: who hangs up now would leave pictures behind that stand in no row.
    let saving = tokio::spawn(async move {
        let stored = StoredPhotos::keep(&state.pictures, photos).await?;
        let answer = edit.save(&state.pool, &state.config, &state.pictures, &member, stored).await;
        drop(share);
        answer.map(private::answer)
    });
    saving.await.map_err(ApiError::internal)?
}

async fn delete(pool: &PgPool, member: &Member, form: &AlbumForm) -> ApiResult<Response> {
    let id = id("album_id", form.album_id)?;
    let mut conn = pool.acquire().await?;
    if own_albums::delete(&mut conn, member.id, id).await? {
        return Ok(private::done());
    }
    // The query refuses both; only the reason is looked for here.
    if member.status_id == MANAGES {
        Err(ApiError::NotFound("album_not_found"))
    } else {
        Err(ApiError::Forbidden("dont_have_permission"))
    }
}

/// A form that was read, and what it says.
struct AlbumEdit {
    form: AlbumForm,
    details: Option<FilmDetails>,
    remove: Vec<i64>,
    order: Vec<i64>,
}

impl AlbumEdit {
    /// Changes the album, or makes it.
    async fn save(
        &self,
        pool: &PgPool,
        config: &Config,
        pictures: &Pictures,
        member: &Member,
        stored: StoredPhotos,
    ) -> ApiResult<AlbumEditAnswer> {
        let title = self.details.as_ref().map_or("", |details| details.title.as_str());
        let change = AlbumChange {
            album_id: self.form.album_id.map(Into::into),
            details: self.details.as_ref(),
            dir: &address::dir(title, "album"),
            remove: &self.remove,
            add: &[],
            order: &self.order,
            cover: self.form.cover.map(Into::into),
            is_draft: self.form.draft.unwrap_or(false),
        };
        let (done, refused) = stored.save(pool, config, pictures, member.id, change).await?;
        let album = find(pool, member, done.album_id).await?;
        Ok(AlbumEditAnswer {
            ok: 1,
            album_id: Some(done.album_id),
            status_id: Some(done.status_id),
            photos: Some(album.photos.into_iter().map(OwnPhoto::from).collect()),
            refused: Some(refused.into_iter().map(RefusedPhoto::from).collect()),
        })
    }
}
