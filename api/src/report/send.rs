//! `POST /api/report.php`: a message to the operators, or a report on an object.

use axum::{
    extract::{FromRequest, Request, State},
    http::HeaderMap,
    response::Response,
};
use lantern_accounts::{
    captcha::Purpose,
    mail::{Mail, Mailer},
    viewer::Viewer,
};
use lantern_catalog::reports::{self, About, Effect, NewReport, ReportOutcome, Reporter, SECTIONS};
use lantern_config::{Config, DataDir, MailKind};
use lantern_errors::{ApiError, ApiResult, FieldError};
use lantern_http::{
    Client, Done, cookies,
    extract::files::FormWithFiles,
    openapi::{Doc, field, id_schema, refusal, too_often},
    private,
};
use lantern_media::{
    Error as MediaError,
    pictures::{Pictures, RefusedPicture},
};
use lantern_ratelimit::{Action, Key};
use serde::Deserialize;
use serde_json::json;
use sqlx::PgPool;
use time::OffsetDateTime;
use uuid::Uuid;

use super::form::CheckedReport;
use crate::state::AppState;

/// Form fields. The reporter's identity and the weight of a report are never taken from the form.
#[derive(Debug, Default, Deserialize)]
pub struct ReportForm {
    pub subject: Option<String>,
    pub email: Option<String>,
    pub message: Option<String>,
    pub captcha: Option<String>,
    #[serde(rename = "ref")]
    pub page: Option<String>,
    pub section: Option<String>,
    pub object_id: Option<i64>,
    pub reason: Option<String>,
}

pub fn doc(config: &Config) -> Doc {
    let settings = &config.reports;
    let text = |most: usize| json!({ "type": "string", "maxLength": most });
    let sections = json!({ "type": "string", "enum": SECTIONS });
    let reasons = json!({ "type": "string", "enum": settings.reasons });
    Doc::post("actions", "report", "/api/report.php", "Contact the operators, or report an object")
        .about(
            "`section`, `object_id` and `reason` must be sent together. Members may omit `email` and `captcha`. A repeated report is \
             accepted but counts once. Several reports by members whose earlier reports were right hide the object until it is \
             reviewed.",
        )
        .field(field("subject", "Subject.", text(settings.max_subject), "A wrong title"))
        .field(field("email", "Address for a reply.", text(settings.max_email), "reader@mail.example"))
        .field(field("message", "Message.", text(settings.max_message), "The title is another film's."))
        .field(field("captcha", "Captcha proof for `report`.", json!({ "type": "string" }), ""))
        .file("file", "A picture: JPEG, PNG, WebP or GIF.")
        .field(field("ref", "Page that contains the form.", text(settings.max_ref), "/videos/1/"))
        .field(field("section", "Kind of the object.", sections, "video"))
        .field(field("object_id", "Id of the object.", id_schema(), 1))
        .field(field("reason", "Reason.", reasons, "broken"))
        .answers::<Done>("The report was accepted.")
        .refuses(refusal(
            404,
            &[
                ("video_not_found", "no such video"),
                ("album_not_found", "no such album"),
                ("model_not_found", "no such model"),
                ("channel_not_found", "no such channel"),
                ("playlist_not_found", "no such playlist"),
                ("member_not_found", "no such member"),
                ("comment_not_found", "no such comment"),
                ("wall_not_found", "no such wall entry"),
                ("message_not_found", "no such message to the member"),
            ],
        ))
        .refuses(refusal(
            422,
            &[
                ("required", "a required field is empty"),
                ("max_length", "a text is too long"),
                ("email_invalid", "`email` is not an address"),
                ("file_invalid_type", "`file` is not a readable picture"),
                ("file_too_large", "`file` has too many bytes or pixels"),
                ("captcha_required", "`captcha` is empty"),
                ("captcha_invalid", "the proof is wrong, expired, already used, or for another form"),
            ],
        ))
        .refuses(too_often())
}

pub async fn report(
    State(state): State<AppState>,
    client: Client,
    viewer: Viewer,
    headers: HeaderMap,
    request: Request,
) -> ApiResult<Response> {
    let (request, _upload) = state.file_forms.read(client.key, request).await?;
    let FormWithFiles(sent, files) = FormWithFiles::<ReportForm>::from_request(request, &state).await?;
    let member = viewer.0.map(|member| member.id);
    let on_file = match member {
        Some(id) => reports::email_of(&state.pool, id).await?,
        None => None,
    };
    let report = CheckedReport::new(&state.config.reports, &sent, on_file.as_deref())?;
    let key = member.map_or_else(|| Key::client(&client.key), Key::member);
    state.limits.peek(Action::Contact, &key).await?;
    if member.is_none() {
        let proof = sent.captcha.as_deref().unwrap_or_default();
        state.captcha.verify(Purpose::Report, proof, client.address).await?;
    }
    state.limits.take(Action::Contact, &key).await?;
    let picture = files.into_iter().find(|file| file.field == "file").map(|file| file.bytes);
    let file_key = match picture {
        Some(bytes) => Some(store_picture(&state.config, &state.pictures, bytes).await?),
        None => None,
    };
    let guest = state.signer.digest("reporter", client.key.as_ref());
    let network = state.signer.digest("network of a reporter", client.key.network().as_ref());
    let new = NewReport {
        subject: report.subject,
        email: report.email,
        message: report.message,
        file_key: file_key.as_deref(),
        page: report.page,
        about: report.about,
        reporter: member.map_or(Reporter::Guest(&guest), Reporter::Member),
        network: &network,
        lang: cookies::lang(&headers),
        now: OffsetDateTime::from_unix_timestamp((state.now)()).map_err(ApiError::internal)?,
    };
    let outcome = store(&state.pool, &state.config, &state.mailer, &new).await;
    if let (Some(name), false) = (&file_key, matches!(outcome, Ok(ReportOutcome::Taken { .. }))) {
        delete_picture(&state.config, name).await;
    }
    match outcome? {
        // The response doesn't reveal whether the report counted.
        ReportOutcome::Taken { .. } | ReportOutcome::Repeated => Ok(private::done()),
        ReportOutcome::NoObject => Err(ApiError::NotFound(missing(new.about))),
    }
}

/// Stores the report and queues its acknowledgment in one transaction.
async fn store(pool: &PgPool, config: &Config, mailer: &Mailer, new: &NewReport<'_>) -> ApiResult<ReportOutcome> {
    let mut tx = pool.begin().await?;
    let outcome = reports::add(&mut tx, new, &config.reports).await?;
    if let ReportOutcome::Taken { id, effect } = outcome {
        let mail = Mail {
            kind: MailKind::ReportReceived,
            to: new.email.to_owned(),
            username: None,
            lang: new.lang,
            link: None,
            number: Some(id),
            stop: None,
        };
        mailer.queue(&mut tx, &mail).await?;
        tx.commit().await?;
        mailer.wake();
        match effect {
            Effect::None => {}
            Effect::Hidden => {
                tracing::warn!(report = id, about = ?new.about, "reports hid an object; review it with `lantern moderate reports`");
            }
            Effect::Held => tracing::error!(
                report = id,
                about = ?new.about,
                "an object stays visible despite reports: its reporters hid too many in a day; review it with `lantern moderate reports`"
            ),
        }
    }
    Ok(outcome)
}

/// Stores the picture in a folder that is not served.
async fn store_picture(config: &Config, pictures: &Pictures, bytes: Vec<u8>) -> ApiResult<String> {
    let name = format!("{}.jpg", Uuid::new_v4().simple());
    let folder = DataDir::new(&config.data_dir).reports();
    let wrong = |code| ApiError::Fields(vec![FieldError { field: "file", code, bound: None, line: None }]);
    pictures.store_private(&folder, &name, bytes).await.map_err(|error| match error {
        MediaError::Picture(RefusedPicture::Type) => wrong("file_invalid_type"),
        MediaError::Picture(_) => wrong("file_too_large"),
        error @ MediaError::TimedOut { .. } => ApiError::unavailable(error),
        other => ApiError::internal(other),
    })?;
    Ok(name)
}

async fn delete_picture(config: &Config, name: &str) {
    let file = DataDir::new(&config.data_dir).reports().join(name);
    if let Err(error) = tokio::fs::remove_file(&file).await {
        tracing::warn!(%error, file = %file.display(), "failed to delete the picture of a report");
    }
}

fn missing(about: Option<About<'_>>) -> &'static str {
    match about.map_or("", |about| about.section) {
        "video" => "video_not_found",
        "album" => "album_not_found",
        "model" => "model_not_found",
        "channel" => "channel_not_found",
        "playlist" => "playlist_not_found",
        "user" => "member_not_found",
        "comment" => "comment_not_found",
        "wall" => "wall_not_found",
        _ => "message_not_found",
    }
}
