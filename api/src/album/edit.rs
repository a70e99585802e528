//! `POST /api/album_edit.php`: creates, edits and deletes members' albums.

use axum::{
    extract::{FromRef, Request, State},
    response::Response,
};
use lantern_accounts::viewer::Member;
use lantern_catalog::{
    films::FilmDetails,
    own_albums::{self, AlbumChange},
    status::{MemberStatus, UploadStatus},
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
use lantern_uploads::Intake;
use serde::Serialize;
use serde_json::json;
use sqlx::PgPool;
use utoipa::ToSchema;

use super::{
    form::{AlbumAct, AlbumForm, PHOTOS, SentAlbum},
    own::{OwnPhoto, find},
    photos::{PhotoRefusal, StoredPhotos},
};
use crate::{action::form::id, state::AppState, video::details};

/// State of the album after the request.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AlbumEditAnswer {
    /// Always 1.
    #[schema(minimum = 1, maximum = 1, example = 1)]
    ok: u8,
    /// Id of the album; absent after `act`, whose answer holds only `ok`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = 7, minimum = 1)]
    album_id: Option<i64>,
    /// Status, never 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = 2)]
    status_id: Option<UploadStatus>,
    /// All pictures of the album, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    photos: Option<Vec<OwnPhoto>>,
    /// Pictures of this form that were rejected; the others were stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    refused: Option<Vec<RefusedPhoto>>,
}

/// A rejected picture.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RefusedPhoto {
    /// Index among the form's pictures, from 0.
    #[schema(example = 1, minimum = 0)]
    index: usize,
    /// Reason: `file_invalid_type`, `file_too_large`, `invalid_img_size`, `photo_animated`, `photo_duplicate`, `photo_banned`,
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
        "A picture of at least {width} × {height} pixels; repeat the field for several, up to {} per form. JPEG, PNG, WebP or GIF without \
         animation, whatever the file name; it is re-encoded, which drops metadata and any other content.",
        albums.form_photos
    );
    Doc::post("member", "album_edit", "/api/album_edit.php", "Create, edit or delete an own album")
        .about(
            "Without `album_id`, creates an album. With `album_id`, edits one: a form with `title` replaces the title, the description and \
             all other details; `remove`, `photos`, `order` and `cover` change the pictures and are applied in this order. The request \
             is atomic, except that single pictures may be rejected; `refused` lists them. Only the album's owner can see a draft. A form \
             without `draft` submits the album for review, and so does every later change that needs one. `act=2` deletes a draft or, \
             for members with `status_id` 6, any own album.",
        )
        .for_members()
        .field(field("act", "Code of the action.", json!({ "type": "string", "enum": ["2"] }), ""))
        .field(field("album_id", "Id of the own album.", id_schema(), ""))
        .fields(details::fields(config))
        .field(field("remove", "Comma-separated ids of pictures to remove.", ids(), ""))
        .field(field("order", "Comma-separated ids of pictures to move to the front, in this order.", ids(), ""))
        .field(field("cover", "Id of the cover picture.", id_schema(), ""))
        .field(field("draft", "1 keeps a draft as it is, without submitting it for review.", json!({ "type": "boolean" }), ""))
        .file(PHOTOS, &photo)
        .answers::<AlbumEditAnswer>("Done; after `act` only `ok`.")
        .refuses(refusal(
            403,
            &[
                ("dont_have_permission", "`act` by a member who does not manage uploads"),
                ("upload_quota", "the member has `albums.undecided` albums that await a decision"),
            ],
        ))
        .refuses(refusal(
            404,
            &[
                ("album_not_found", "no such album of this member"),
                ("photo_not_found", "`remove`, `order` or `cover` names a picture that is not in the album"),
            ],
        ))
        .refuses(refusal(
            422,
            &[
                ("required", "a required field is missing"),
                ("min_length", "a text is too short"),
                ("max_length", "a text is too long"),
                ("prohibited_terms", "a text contains a prohibited term"),
                ("no_photos", "the album would be published without a picture"),
                ("too_many_photos", "more than `albums.form_photos` were sent, or the album has reached `albums.max_photos`"),
                ("file_invalid_type", "no picture was accepted, and one is unreadable or of another type"),
                ("file_too_large", "no picture was accepted, and one is larger than `pictures.photo_bytes`"),
                ("invalid_img_size", "no picture was accepted, and one has too many or too few pixels"),
                ("photo_animated", "no picture was accepted, and one is animated"),
                ("photo_duplicate", "no picture was accepted, and one is already in the album"),
                ("photo_banned", "no picture was accepted, and one was permanently taken down"),
            ],
        ))
        .refuses(too_often())
        .refuses(lantern_uploads::no_room())
        .refuses(lantern_uploads::away())
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
        _ => Some(details::read(&state.pool, &state.config, &state.prohibited, form.details()).await?),
    };
    let most = state.config.albums.max_photos;
    let edit = AlbumEdit { details, remove: form.removed(most)?, order: form.ordered(most)?, form };
    // Rejects unknown albums before any picture is processed.
    if let Some(id) = edit.form.album_id {
        find(&state.pool, &member, id.into()).await?;
    }
    // Saving runs in a separate task. Otherwise, a disconnecting client would leave pictures behind that no row refers to.
    let saving = tokio::spawn(async move {
        let stored = StoredPhotos::store(&state.pictures, photos).await?;
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
    // The query does not tell why it deleted nothing.
    if member.status_id == MemberStatus::ManagesUploads {
        Err(ApiError::NotFound("album_not_found"))
    } else {
        Err(ApiError::Forbidden("dont_have_permission"))
    }
}

/// A parsed form.
struct AlbumEdit {
    form: AlbumForm,
    details: Option<FilmDetails>,
    remove: Vec<i64>,
    order: Vec<i64>,
}

impl AlbumEdit {
    /// Creates or updates the album.
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
