//! `GET /api/member.php` and `POST /api/member.php`: the member's own profile.

use axum::{
    extract::{Request, State},
    response::Response,
};
use lantern_accounts::viewer::Member;
use lantern_catalog::{
    prints, profile_reviews,
    profiles::{self, Profile, ProfilePicture, ProfileRow},
    status::MemberStatus,
};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client,
    openapi::{Doc, refusal, too_often},
    private,
};
use lantern_media::pictures::{Kind, Pictures, StoredPicture};
use lantern_media::pictures::{avatar, cover};
use lantern_ratelimit::{Action, Key};
use lantern_search::index::age_of;
use rand::{TryRngCore, rngs::OsRng};
use serde::Serialize;
use sqlx::PgPool;
use time::Time;
use utoipa::ToSchema;

use super::{
    profile_fields::{self, Edit, Rules},
    profile_form::{self, AVATAR, COVER, ProfileForm},
};
use crate::state::AppState;

/// The member's own profile.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProfileAnswer {
    /// Always 1 after a change.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, maximum = 1)]
    ok: Option<u8>,
    /// All fields, as the member sees them.
    user: OwnProfile,
    /// Parts that only the member sees until they are reviewed: `avatar`, `cover`, `texts`.
    #[schema(example = json!(["avatar"]))]
    waiting: Vec<&'static str>,
    /// Latest birth date of an adult.
    #[schema(example = "2008-09-21", format = Date)]
    born_until: String,
    /// Requirements for the pictures.
    limits: PictureLimits,
}

/// Requirements for the pictures of a profile.
#[derive(Debug, Serialize, ToSchema)]
struct PictureLimits {
    /// Maximum size of a picture in bytes.
    #[schema(example = 8_388_608, minimum = 1)]
    max_bytes: usize,
    /// Minimum width of the avatar in pixels.
    #[schema(example = 100, minimum = 1)]
    avatar_width: u32,
    /// Minimum height of the avatar in pixels.
    #[schema(example = 100, minimum = 1)]
    avatar_height: u32,
    /// Minimum width of the cover picture in pixels.
    #[schema(example = 1250, minimum = 1)]
    cover_width: u32,
    /// Minimum height of the cover picture in pixels.
    #[schema(example = 250, minimum = 1)]
    cover_height: u32,
}

impl PictureLimits {
    fn new(config: &Config) -> Self {
        let pictures = &config.pictures;
        let ([avatar_width, avatar_height], [cover_width, cover_height]) =
            (<[u32; 2]>::from(pictures.avatar_min), <[u32; 2]>::from(pictures.cover_min));
        Self { max_bytes: pictures.max_bytes, avatar_width, avatar_height, cover_width, cover_height }
    }
}

/// All fields of the member's own profile; empty ones are null.
#[derive(Debug, Serialize, ToSchema)]
struct OwnProfile {
    /// Id.
    #[schema(example = 2, minimum = 1)]
    user_id: i64,
    /// Name.
    #[schema(example = "demo")]
    username: String,
    /// Status, never 5.
    #[schema(example = 1)]
    status_id: MemberStatus,
    /// Picture, 320 pixels.
    #[schema(example = "/media/p/demo/pictures/43-320.webp")]
    avatar: Option<String>,
    /// Cover picture, above the profile.
    #[schema(example = "/media/p/demo/pictures/43-320.webp")]
    cover: Option<String>,
    /// Code.
    #[schema(value_type = Option<lantern_config::MemberGender>)]
    gender: Option<String>,
    /// `YYYY-MM-DD`; visible only to the member.
    #[schema(example = "1990-05-04", format = Date)]
    birth_date: Option<String>,
    /// Age in whole years.
    #[schema(example = 36, minimum = 18)]
    age: Option<i64>,
    /// Code.
    #[schema(value_type = Option<lantern_config::Relationship>)]
    relationship: Option<String>,
    /// Code.
    #[schema(value_type = Option<lantern_config::Orientation>)]
    orientation: Option<String>,
    /// Free text.
    #[schema(example = "university")]
    education: Option<String>,
    /// Web address.
    #[schema(example = "https://member.example/")]
    website: Option<String>,
    /// Free text, several lines.
    #[schema(example = "Some words about me.")]
    about: Option<String>,
    /// Free text.
    #[schema(example = "Osaka")]
    city: Option<String>,
    /// ISO 3166-1 alpha-2.
    #[schema(example = "JP", pattern = "^[A-Z]{2}$")]
    country: Option<String>,
    /// Free text.
    #[schema(example = "Trains")]
    interests: Option<String>,
    /// Free text.
    #[schema(example = "Gardener")]
    occupation: Option<String>,
}

impl OwnProfile {
    fn new(owned: ProfileRow, now: i64) -> Self {
        let Profile { birth_date, gender, relationship, orientation, education, website, .. } = owned.profile;
        let born = birth_date.map(|day| day.with_time(Time::MIDNIGHT).assume_utc().unix_timestamp());
        Self {
            user_id: owned.user_id,
            username: owned.username,
            status_id: owned.status_id,
            avatar: avatar(owned.avatar_key.as_deref()),
            cover: cover(owned.cover_key.as_deref()),
            birth_date: birth_date.map(|day| day.to_string()),
            age: born.map(|born| age_of(born, now)),
            gender,
            relationship,
            orientation,
            education,
            website,
            about: owned.profile.about,
            city: owned.profile.city,
            country: owned.profile.country,
            interests: owned.profile.interests,
            occupation: owned.profile.occupation,
        }
    }
}

pub fn own_doc(_: &Config) -> Doc {
    Doc::new("member", "own_profile", "/api/member.php", "The member's own profile")
        .about("All fields of the form; empty ones are null.")
        .for_members()
        .answers::<ProfileAnswer>("The profile.")
}

/// Returns the member's own profile for the form.
pub async fn own(State(state): State<AppState>, member: Member) -> ApiResult<Response> {
    Ok(private::answer(answer(&state, &member, None).await?))
}

async fn answer(state: &AppState, member: &Member, ok: Option<u8>) -> ApiResult<ProfileAnswer> {
    let row = profiles::find(&state.pool, member.id).await?.ok_or(ApiError::NeedAuth)?;
    let reviews = profile_reviews::own(&state.pool, member.id).await?;
    let waits = [
        ("avatar", reviews.avatar.is_some()),
        ("cover", reviews.cover.is_some()),
        ("texts", !reviews.texts.is_empty()),
    ];
    let waiting = waits.into_iter().filter(|(_, waits)| *waits).map(|(kind, _)| kind).collect();
    let now = (state.now)();
    let user = OwnProfile::new(row.with(reviews), now);
    let born_until = profile_fields::born_until(now).to_string();
    Ok(ProfileAnswer { ok, user, waiting, born_until, limits: PictureLimits::new(&state.config) })
}

pub fn change_doc(config: &Config) -> Doc {
    let pictures = &config.pictures;
    let ([avatar_width, avatar_height], [width, height]) =
        (<[u32; 2]>::from(pictures.avatar_min), <[u32; 2]>::from(pictures.cover_min));
    Doc::post("member", "change_profile", "/api/member.php", "Change the member's own profile")
        .about(
            "A sent field is set, an empty one cleared, an absent one left unchanged; the request is atomic. With \
             `moderation.review_profiles`, new texts and pictures are visible only to the member until they are reviewed. A form without \
             pictures may have any encoding. Pictures are JPEG, PNG, WebP or GIF (first frame only); they are \
             cropped and re-encoded, which drops metadata and any other content.",
        )
        .for_members()
        .fields(profile_form::fields())
        .file("u_ava", &format!("Avatar, at least {avatar_width} × {avatar_height} pixels, cropped to a square."))
        .file("u_cover", &format!("Cover picture above the profile, at least {width} × {height} pixels, cropped to 5:1."))
        .answers::<ProfileAnswer>("The profile as it is now.")
        .refuses(refusal(
            422,
            &[
                ("max_length", "a text is too long"),
                ("prohibited_terms", "a text contains a prohibited term"),
                ("file_invalid_type", "not a picture of an accepted type, whatever its file name"),
                ("file_too_large", "larger than `pictures.max_bytes`"),
                ("invalid_img_size", "too many or too few pixels"),
                ("photo_banned", "a picture that was permanently taken down"),
            ],
        ))
        .refuses(lantern_uploads::no_room())
        .refuses(lantern_uploads::away())
        .refuses(too_often())
}

/// Applies either all changes that were sent or none.
pub async fn change(
    State(state): State<AppState>,
    client: Client,
    member: Member,
    request: Request,
) -> ApiResult<Response> {
    state.limits.take(Action::Act, &Key::member(member.id)).await?;
    let (request, upload) = state.file_forms.read(client.key, request).await?;
    let form = ProfileForm::read(request, &state.config).await?;
    let rules = Rules { now: (state.now)(), prohibited: &state.prohibited };
    let edit = profile_fields::read(&form.fields, &rules).map_err(ApiError::Fields)?;
    // Saving runs in a separate task. Otherwise, a disconnecting client would leave pictures behind that no row refers
    // to.
    let saving = tokio::spawn(async move {
        store(&state, &member, form, &edit).await?;
        drop(upload);
        Ok(private::answer(answer(&state, &member, Some(1)).await?))
    });
    saving.await.map_err(ApiError::internal)?
}

/// Stores the pictures and fields of a form. Removes the pictures again if the fields cannot be saved.
async fn store(state: &AppState, member: &Member, form: ProfileForm, edit: &Edit) -> ApiResult<()> {
    let pictures = &state.pictures;
    let stored = StoredPictures::store(pictures, member, form).await?;
    match save(&state.pool, &state.config, member, edit, &stored).await {
        Ok(replaced) => remove(pictures, replaced).await,
        Err(error) => {
            remove(pictures, stored.keys()).await;
            return Err(error);
        }
    }
    Ok(())
}

/// A change to a picture.
enum ProfileChange {
    Stay,
    Clear,
    Set(StoredPicture),
}

/// Pictures from a form that are on disk but to which no row refers yet.
struct StoredPictures {
    avatar: ProfileChange,
    cover: ProfileChange,
}

impl StoredPictures {
    async fn store(pictures: &Pictures, member: &Member, form: ProfileForm) -> ApiResult<Self> {
        let (clear_avatar, clear_cover) = (form.ticked("u_ava_rem"), form.ticked("u_cover_rem"));
        let mut stored = Self {
            avatar: Self::store_one(pictures, member, Kind::Avatar, form.avatar, clear_avatar).await?,
            cover: ProfileChange::Stay,
        };
        match Self::store_one(pictures, member, Kind::Cover, form.cover, clear_cover).await {
            Ok(cover) => stored.cover = cover,
            Err(error) => {
                remove(pictures, stored.keys()).await;
                return Err(error);
            }
        }
        Ok(stored)
    }

    async fn store_one(
        pictures: &Pictures,
        member: &Member,
        kind: Kind,
        file: Option<Vec<u8>>,
        clear: bool,
    ) -> ApiResult<ProfileChange> {
        let Some(bytes) = file else { return Ok(if clear { ProfileChange::Clear } else { ProfileChange::Stay }) };
        let mut random = [0; 12];
        OsRng.try_fill_bytes(&mut random).map_err(ApiError::internal)?;
        let field = if kind == Kind::Avatar { AVATAR } else { COVER };
        let stored = pictures
            .store(kind, member.id, &hex::encode(random), bytes)
            .await
            .map_err(|error| not_stored(error, field))?;
        Ok(ProfileChange::Set(stored))
    }

    fn keys(&self) -> Vec<String> {
        let key = |change: &ProfileChange| match change {
            ProfileChange::Set(stored) => Some(stored.key.clone()),
            _ => None,
        };
        [&self.avatar, &self.cover].into_iter().filter_map(key).collect()
    }
}

fn not_stored(error: lantern_media::Error, field: &'static str) -> ApiError {
    match error {
        lantern_media::Error::Picture(refused) => ApiError::Field { field, code: refused.code(), bound: None },
        error => lantern_uploads::of_disk(error),
    }
}

/// Saves everything in one transaction. Returns the keys of pictures to which nothing refers any longer.
async fn save(
    pool: &PgPool,
    config: &Config,
    member: &Member,
    edit: &Edit,
    pictures: &StoredPictures,
) -> ApiResult<Vec<String>> {
    let is_reviewed = config.moderation.review_profiles;
    let mut tx = pool.begin().await?;
    let saved = match is_reviewed {
        true => profile_reviews::submit(&mut tx, member.id, &edit.profile, &edit.sent).await,
        false => profiles::save(&mut tx, member.id, &edit.profile, &edit.sent).await,
    };
    saved.map_err(|error| match error.constraint() {
        // The profile may have been created before the member came of age.
        Some("profiles_adult") => ApiError::invalid("birth_date"),
        // The account was deleted while the form was being sent.
        Some("profiles_user_id_fkey") => ApiError::NeedAuth,
        _ => error.into(),
    })?;
    let mut replaced = Vec::new();
    for (picture, field, change) in
        [(ProfilePicture::Avatar, AVATAR, &pictures.avatar), (ProfilePicture::Cover, COVER, &pictures.cover)]
    {
        let key = match change {
            ProfileChange::Stay => continue,
            ProfileChange::Clear => None,
            ProfileChange::Set(stored) => {
                if prints::is_banned(&mut *tx, &stored.print, config.pictures.look_bits).await? {
                    return Err(ApiError::Field { field, code: "photo_banned", bound: None });
                }
                prints::keep(&mut tx, ("user", member.id), &stored.key, &stored.print).await?;
                Some(stored.key.as_str())
            }
        };
        // A removal needs no review. It also discards the picture that is awaiting one.
        replaced
            .extend(profile_reviews::submit_picture(&mut tx, member.id, picture, key.filter(|_| is_reviewed)).await?);
        if key.is_none() || !is_reviewed {
            replaced.extend(profiles::set_picture(&mut tx, member.id, picture, key).await?);
        }
    }
    // Reported pictures stay until the reports on the member have been decided.
    let held = prints::hold(&mut tx, ("user", member.id), &replaced).await?;
    replaced.retain(|key| !held.contains(key));
    tx.commit().await?;
    Ok(replaced)
}

/// Removes pictures. Failures are only logged, because a leftover file takes only a few kilobytes.
async fn remove(pictures: &Pictures, keys: Vec<String>) {
    for key in keys {
        if let Err(error) = pictures.remove(&key).await {
            tracing::warn!(key, %error, "could not remove an unused picture");
        }
    }
}
