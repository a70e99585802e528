//! `POST /api/moderate/clear`: removes a member's picture, text or entry.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use lantern_catalog::moderation::clearing::{self, Clearable};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Done, Form,
    openapi::{Doc, field, id_schema, refusal},
    private,
};
use serde::Deserialize;
use serde_json::json;
use sqlx::PgPool;

use super::{Moderator, for_grave_decisions, note};
use crate::action::form::{Id, id};

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    Avatar,
    Cover,
    Profile,
    Playlist,
    Comment,
    Wall,
}

impl Word {
    const fn clearable(self) -> Clearable {
        match self {
            Self::Avatar => Clearable::Avatar,
            Self::Cover => Clearable::Cover,
            Self::Profile => Clearable::Profile,
            Self::Playlist => Clearable::Playlist,
            Self::Comment => Clearable::Comment,
            Self::Wall => Clearable::Wall,
        }
    }

    const fn missing(self) -> ApiError {
        ApiError::NotFound(match self {
            Self::Avatar | Self::Cover | Self::Profile => "member_not_found",
            Self::Playlist => "playlist_not_found",
            Self::Comment => "comment_not_found",
            Self::Wall => "wall_not_found",
        })
    }
}

#[derive(Debug, Deserialize)]
pub struct ClearForm {
    what: Word,
    id: Option<Id>,
    note: Option<String>,
}

pub fn doc(config: &Config) -> Doc {
    let text = json!({ "type": "string", "maxLength": config.moderation.note_max });
    let what = json!({ "type": "string", "enum": ["avatar", "cover", "profile", "playlist", "comment", "wall"] });
    let doc = Doc::post("moderation", "clear", "/api/moderate/clear", "Remove a picture, a text or an entry of a member").about(
        "Removes an `avatar` or `cover`, shown or pending, and blocks uploading it again; the texts of a `profile`; the title and \
         description of a `playlist`. Pending reports of it are resolved as right; if they hid a profile, the rest of it is shown again.",
    );
    for_grave_decisions(doc)
        .field(field("what", "What to remove.", what, "comment"))
        .field(field("id", "Id of the member, playlist, comment or wall entry.", id_schema(), 1))
        .field(field("note", "Reason, for the record.", text, ""))
        .answers::<Done>("It was removed, and the decision recorded.")
        .refuses(refusal(
            404,
            &[
                ("member_not_found", "no such member"),
                ("playlist_not_found", "no such playlist"),
                ("comment_not_found", "no such comment, or already removed"),
                ("wall_not_found", "no such entry, or already removed"),
            ],
        ))
        .refuses(refusal(422, &[("required", "a required field is missing"), ("max_length", "`note` is too long")]))
}

pub async fn clear(
    State(pool): State<PgPool>,
    State(config): State<Arc<Config>>,
    moderator: Moderator,
    Form(sent): Form<ClearForm>,
) -> ApiResult<Response> {
    let (id, note) = (id("id", sent.id)?, note(&config, "note", sent.note.as_deref())?);
    let what = sent.what.clearable();
    let actor = match what {
        // Cleared pictures are blocked, which can't be undone.
        Clearable::Avatar | Clearable::Cover => moderator.decides_gravely_on(what.section(), id).await?,
        _ => moderator.decides_on(what.section(), id).await?,
    };
    match clearing::clear(&pool, &actor, what, id, &note).await? {
        true => Ok(private::done()),
        false => Err(sent.what.missing()),
    }
}
