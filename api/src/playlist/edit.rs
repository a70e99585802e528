//! `act=playlist`: `section=new|upd|del|add|rem|move`, where `object_id` is the playlist. `video_id` is the video to add (at `position`
//! or at the end), to remove, or to move to `position` (starting at 1).

use std::num::NonZeroU32;

use lantern_accounts::viewer::Member;
use lantern_catalog::actions::{
    self,
    playlist_items::{self, ItemsOutcome},
    playlists::{self, PlaylistDetails, PlaylistOutcome},
};
use lantern_config::{Config, Section};
use lantern_errors::{ApiError, ApiResult, FieldError};
use lantern_index::text::TermList;
use sqlx::PgPool;

use crate::{
    action::{
        ActAnswer,
        form::{StatForm, id, required},
        not_found, ok_or_not_found,
    },
    text::{TextBounds, checked},
};

const MISSING: &str = "playlist_not_found";

pub async fn playlist(
    pool: &PgPool,
    config: &Config,
    prohibited: &TermList,
    member: &Member,
    form: &StatForm,
) -> ApiResult<ActAnswer> {
    match form.section::<String>()?.as_str() {
        "new" => create(pool, config, prohibited, member, form).await,
        "upd" => {
            let (playlist, details) = (form.object()?, details(config, prohibited, form)?);
            ok_or_not_found(playlists::update(pool, member.id, playlist, &details).await?, MISSING)
        }
        "del" => ok_or_not_found(playlists::delete(pool, member.id, form.object()?).await?, MISSING),
        "add" => {
            let most = config.playlists.max_videos;
            let (playlist, video) = (form.object()?, id("video_id", form.video_id)?);
            let place = form.position.map(NonZeroU32::get);
            answer_changed(playlist_items::add(pool, member.id, playlist, video, most, place).await?)
        }
        "rem" => {
            let (playlist, video) = (form.object()?, id("video_id", form.video_id)?);
            answer_changed(playlist_items::remove(pool, member.id, playlist, video).await?)
        }
        "move" => {
            let (playlist, video) = (form.object()?, id("video_id", form.video_id)?);
            let place = required("position", form.position)?.get();
            answer_changed(playlist_items::move_to(pool, member.id, playlist, video, place).await?)
        }
        _ => Err(ApiError::invalid("section")),
    }
}

/// Creates a playlist, with a first video if one is given.
async fn create(
    pool: &PgPool,
    config: &Config,
    prohibited: &TermList,
    member: &Member,
    form: &StatForm,
) -> ApiResult<ActAnswer> {
    let details = details(config, prohibited, form)?;
    let video = form.video_id.map(i64::from);
    if let Some(video) = video {
        let mut conn = pool.acquire().await?;
        if !actions::is_visible(&mut conn, Section::Video, video, Some(member.id)).await? {
            return Err(not_found(Section::Video));
        }
    }
    let bounds = &config.playlists;
    let made = playlists::create(pool, member.id, &details, bounds.max_per_member, bounds.same_seconds).await?;
    let playlist = match made {
        PlaylistOutcome::New(playlist) | PlaylistOutcome::Same(playlist) => playlist,
        PlaylistOutcome::TooMany => return Err(ApiError::Conflict("too_many_playlists")),
        PlaylistOutcome::Missing => return Err(ApiError::NeedAuth),
    };
    if let Some(video) = video {
        match playlist_items::add(pool, member.id, playlist, video, bounds.max_videos, None).await? {
            // This was a repeated click.
            ItemsOutcome::Already => {}
            added => {
                answer_changed(added)?;
            }
        }
    }
    Ok(ActAnswer { playlist_id: Some(playlist), ..ActAnswer::done() })
}

/// Validates the details. Reports all invalid fields at once, as the form shows them.
fn details(config: &Config, prohibited: &TermList, form: &StatForm) -> ApiResult<PlaylistDetails> {
    let config = &config.playlists;
    let title = TextBounds {
        field: "title",
        min: config.title_min,
        min_code: "min_length",
        max: config.title_max,
        one_line: true,
    };
    let description = TextBounds {
        field: "desc",
        min: config.description_min,
        min_code: "min_length",
        max: config.description_max,
        one_line: false,
    };
    let title = checked(form.title.as_deref(), title, prohibited);
    let description = checked(form.desc.as_deref(), description, prohibited);
    let refusals = [title.as_ref().err(), description.as_ref().err()];
    let wrong: Vec<FieldError> = refusals.into_iter().flatten().flat_map(ApiError::fields).collect();
    if wrong.len() > 1 {
        return Err(ApiError::Fields(wrong));
    }
    Ok(PlaylistDetails {
        title: title?,
        description: description?,
        visibility: form.visible.map(|visible| visible.0),
        orientation: form.orientation,
    })
}

fn answer_changed(outcome: ItemsOutcome) -> ApiResult<ActAnswer> {
    match outcome {
        ItemsOutcome::Done => Ok(ActAnswer::done()),
        ItemsOutcome::Already => Err(ApiError::Conflict("playlist_already_added")),
        ItemsOutcome::Full => Err(ApiError::Conflict("playlist_full")),
        ItemsOutcome::NoPlaylist => Err(ApiError::NotFound(MISSING)),
        ItemsOutcome::NoVideo => Err(not_found(Section::Video)),
    }
}
