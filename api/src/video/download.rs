//! `GET` and `POST /api/download.php`: downloads of films. A client first gets a ticket. Once the wait is over, it gets a link for the
//! ticket (docs/adr/0039-downloads-wait-with-a-ticket.md).

use std::time::Duration;

use axum::{extract::State, response::Response};
use lantern_accounts::viewer::Viewer;
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Form, Query,
    openapi::{Doc, field, id_schema, invalid, query, refusal, too_often},
    private,
};
use lantern_media::{links::Signer, stores::Stores};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::file::{self, Film};
use crate::{access::Requester, state::AppState};

/// The file in a film's folder that is downloaded.
const FILE: &str = "video.mp4";
/// Maximum length of a file name without its extension. A segment of an address has at most 64 characters.
const NAME_MAX: usize = 60;

/// A file to download, and the ticket for it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Offer {
    /// Seconds until the ticket can be exchanged for a link.
    #[schema(example = 60, minimum = 0)]
    wait: u32,
    /// Ticket to request the link with.
    #[schema(example = "1.0.1800000060.5f1d0c")]
    ticket: String,
    /// Name of the file.
    #[schema(example = "quiet-river.mp4")]
    name: String,
    /// Size in bytes.
    #[schema(example = 146_515, minimum = 0)]
    bytes: u64,
    /// Length of the shorter side in pixels.
    #[schema(example = 720, minimum = 1)]
    height: u16,
}

/// A download link.
#[derive(Debug, Serialize, ToSchema)]
pub struct DownloadLink {
    /// Address, valid only for this file.
    #[schema(example = "/media/d/1800000000/sig/demo/01/video.mp4/quiet-river.mp4")]
    url: String,
    /// Name of the file.
    #[schema(example = "quiet-river.mp4")]
    name: String,
    /// When the link expires, Unix seconds.
    #[schema(example = 1_800_000_000, minimum = 0)]
    expires: i64,
}

#[derive(Debug, Deserialize)]
pub struct TicketForm {
    ticket: String,
}

pub fn offer_doc(_: &Config) -> Doc {
    Doc::new("site", "download", "/api/download.php", "The download of a video, and how long to wait")
        .about("Members wait less than guests. The ticket is valid only for the viewer who requested it, for an hour after the wait.")
        .takes(query("video_id", "Id of the video.", id_schema(), 1).required())
        .answers::<Offer>("The file and the wait.")
        .refuses(refusal(403, &[("dont_have_permission", "the video is private")]))
        .refuses(refusal(
            404,
            &[
                ("video_not_found", "no such video, deleted, or not released yet"),
                ("file_not_found", "its file is missing"),
            ],
        ))
        .refuses(lantern_uploads::away())
        .refuses(refusal(422, &[("required", "`video_id` is missing")]))
        .refuses(invalid())
        .refuses(too_often())
}

pub fn link_doc(_: &Config) -> Doc {
    let ticket = json!({ "type": "string", "minLength": 1, "maxLength": 200 });
    Doc::post("site", "download_link", "/api/download.php", "A link to download a video's file")
        .about("The link opens one file for 100 days, as long as the viewer may see the video.")
        .field(field("ticket", "From the preceding `GET`.", ticket, "1.0.1800000060.5f1d0c"))
        .answers::<DownloadLink>("The link.")
        .refuses(refusal(
            403,
            &[
                ("dont_have_permission", "the ticket is forged or another viewer's, or the video is private"),
                ("link_expired", "the ticket has expired"),
            ],
        ))
        .refuses(refusal(
            404,
            &[
                ("video_not_found", "no such video, deleted, or not released yet"),
                ("file_not_found", "its file is missing"),
            ],
        ))
        .refuses(lantern_uploads::away())
        .refuses(refusal(422, &[("required", "`ticket` is empty")]))
        .refuses(refusal(
            429,
            &[("download_too_early", "the wait is not over; `info.retry_after` holds the remaining seconds")],
        ))
        .refuses(too_often())
}

pub async fn offer(
    State(state): State<AppState>,
    Viewer(viewer): Viewer,
    query: Query,
    requester: Requester,
) -> ApiResult<Response> {
    let video_id = query.number("video_id", 1..=i64::MAX)?.ok_or(ApiError::required("video_id"))?;
    let film = file::film(&state.pool, requester, video_id).await?;
    let bytes = size(&state.stores, &film).await?;
    let downloads = &state.config.downloads;
    let wait = if viewer.is_some() { downloads.member_wait } else { downloads.guest_wait };
    let member_id = viewer.map_or(0, |member| member.id);
    let ticket = DownloadTicket { video_id, member_id, ready_at: (state.now)() + i64::from(wait) };
    Ok(private::uncompressed(Offer {
        wait,
        ticket: ticket.sign(&state.signer),
        name: name(&film),
        bytes,
        height: film.height,
    }))
}

pub async fn link(
    State(state): State<AppState>,
    Viewer(viewer): Viewer,
    requester: Requester,
    Form(sent): Form<TicketForm>,
) -> ApiResult<Response> {
    let refused = ApiError::Forbidden("dont_have_permission");
    let ticket = DownloadTicket::read(&sent.ticket, &state.signer).ok_or(refused.clone())?;
    // A ticket issued to a guest (member id 0) stays valid after the guest signs in.
    if ticket.member_id != 0 && viewer.is_none_or(|member| member.id != ticket.member_id) {
        return Err(refused);
    }
    let (now, downloads) = ((state.now)(), &state.config.downloads);
    if now < ticket.ready_at {
        let left = Duration::from_secs(ticket.ready_at.abs_diff(now));
        return Err(ApiError::TooManyOf("download_too_early", left, None));
    }
    if now - ticket.ready_at >= i64::from(downloads.ticket_seconds) {
        return Err(ApiError::Forbidden("link_expired"));
    }
    let film = file::film(&state.pool, requester, ticket.video_id).await?;
    size(&state.stores, &film).await?;
    let (name, expires) = (name(&film), now + i64::from(downloads.link_seconds));
    let url = state.signer.download(&film.key, FILE, &name, expires).map_err(ApiError::internal)?;
    Ok(private::uncompressed(DownloadLink { url, name, expires }))
}

/// Returns the size of the film's file in bytes. Fails with 404 `file_not_found` if it is missing.
async fn size(stores: &Stores, film: &Film) -> ApiResult<u64> {
    let store = file::store(stores, film).await?;
    let length = store.length(&format!("{}/{FILE}", film.key)).await.map_err(lantern_uploads::of_store)?;
    length.ok_or(ApiError::NotFound("file_not_found"))
}

/// Returns the name under which browsers save the file.
fn name(film: &Film) -> String {
    format!("{}.mp4", film.dir.chars().take(NAME_MAX).collect::<String>())
}

/// The right to get a link from a certain time on. The ticket is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DownloadTicket {
    video_id: i64,
    /// Id of the member, or 0 for a guest.
    member_id: i64,
    /// Time when the wait is over, in Unix seconds.
    ready_at: i64,
}

impl DownloadTicket {
    fn sign(self, signer: &Signer) -> String {
        let words = format!("{}.{}.{}", self.video_id, self.member_id, self.ready_at);
        let digest = hex::encode(signer.digest("download ticket", words.as_bytes()));
        format!("{words}.{digest}")
    }

    fn read(text: &str, signer: &Signer) -> Option<Self> {
        let (words, digest) = text.rsplit_once('.')?;
        let digest = hex::decode(digest).ok()?;
        if !signer.is_digest("download ticket", words.as_bytes(), &digest) {
            return None;
        }
        let mut numbers = words.split('.').map(|number| number.parse().ok());
        let mut next = || numbers.next().flatten();
        Some(Self { video_id: next()?, member_id: next()?, ready_at: next()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticket_round_trips_and_rejects_changes() {
        let signer = Signer::new(b"secret");
        let ticket = DownloadTicket { video_id: 7, member_id: 3, ready_at: 1_800_000_060 };
        let text = ticket.sign(&signer);
        assert_eq!(DownloadTicket::read(&text, &signer), Some(ticket));
        assert_eq!(DownloadTicket::read(&text, &Signer::new(b"other")), None);
        for wrong in [
            text.replacen("7.3.1800000060", "7.3.1800000000", 1),
            text.replacen("7.3.", "8.3.", 1),
            text.replacen("7.3.", "7.0.", 1),
            text[..text.len() - 2].to_owned(),
            String::new(),
            "....".to_owned(),
        ] {
            assert_eq!(DownloadTicket::read(&wrong, &signer), None, "{wrong}");
        }
    }
}
