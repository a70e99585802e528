//! `POST /api/moderate/clear`: one thing that a member shows or wrote goes.

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
    const fn what(self) -> Clearable {
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
    let doc = Doc::post("moderation", "clear", "/api/moderate/clear", "Take away one thing that a member shows or wrote").about(
        "`avatar` and `cover` can't be uploaded again, whether they are shown or wait; `profile` are its texts, `playlist` its title and \
         description. Reports of it that wait were right; of a profile that they hid the rest is shown again.",
    );
    for_grave_decisions(doc)
        .field(field("what", "What goes.", what, "comment"))
        .field(field("id", "Id of the member, the playlist, the comment or the entry.", id_schema(), 1))
        .field(field("note", "Why, for the record.", text, ""))
        .answers::<Done>("It is gone, and that is recorded.")
        .refuses(refusal(
            404,
            &[
                ("member_not_found", "no such member"),
                ("playlist_not_found", "no such playlist"),
                ("comment_not_found", "no such comment, or it is gone"),
                ("wall_not_found", "no such entry, or it is gone"),
            ],
        ))
        .refuses(refusal(
            422,
            &[("required", "a field that has to be there is not"), ("max_length", "`note` has too many characters")],
        ))
}

pub async fn clear(
    State(pool): State<PgPool>,
    State(config): State<Arc<Config>>,
    moderator: Moderator,
    Form(sent): Form<ClearForm>,
) -> ApiResult<Response> {
    let (id, note) = (id("id", sent.id)?, note(&config, "note", sent.note.as_deref())?);
    let what = sent.what.what();
    let actor = match what {
        // A picture that is cleared may not come back.
        Clearable::Avatar | Clearable::Cover => moderator.decides_gravely_on(what.section(), id).await?,
        _ => moderator.decides_on(what.section(), id).await?,
    };
    match clearing::clear(&pool, &actor, what, id, &note).await? {
        true => Ok(private::done()),
        false => Err(sent.what.missing()),
    }
}
