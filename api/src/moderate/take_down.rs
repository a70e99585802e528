//! `POST /api/moderate/take_down`: takes a video or album down permanently.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use lantern_catalog::moderation::uploads;
use lantern_config::Config;
use lantern_errors::ApiResult;
use lantern_http::{
    Done, Form,
    openapi::{Doc, field, id_schema, refusal},
    private,
};
use serde::Deserialize;
use serde_json::json;
use sqlx::PgPool;

use super::{Moderator, UploadKind, for_grave_decisions, kinds, note};
use crate::action::form::{Id, id};

#[derive(Debug, Deserialize)]
pub struct TakeDownForm {
    section: UploadKind,
    id: Option<Id>,
    note: Option<String>,
}

pub fn doc(config: &Config) -> Doc {
    let text = json!({ "type": "string", "maxLength": config.moderation.note_max });
    let doc = Doc::post("moderation", "take_down", "/api/moderate/take_down", "Take a video or album down permanently")
        .about(
            "The film or the pictures can't be uploaded again. Pending reports of the object are resolved as right.",
        );
    for_grave_decisions(doc)
        .field(field("section", "Kind of the upload.", kinds(), "video"))
        .field(field("id", "Id.", id_schema(), 1))
        .field(field("note", "Reason, for the record.", text, ""))
        .answers::<Done>("It was taken down, and the decision recorded.")
        .refuses(refusal(
            404,
            &[
                ("video_not_found", "no such video, or already removed"),
                ("album_not_found", "no such album, or already removed"),
            ],
        ))
        .refuses(refusal(422, &[("required", "a required field is missing"), ("max_length", "`note` is too long")]))
}

pub async fn take_down(
    State(pool): State<PgPool>,
    State(config): State<Arc<Config>>,
    moderator: Moderator,
    Form(sent): Form<TakeDownForm>,
) -> ApiResult<Response> {
    let (id, note) = (id("id", sent.id)?, note(&config, "note", sent.note.as_deref())?);
    let section = sent.section.as_str();
    let actor = moderator.decides_gravely_on(section, id).await?;
    match uploads::take_down(&pool, &actor, section, id, &note).await? {
        true => Ok(private::done()),
        false => Err(sent.section.missing()),
    }
}
