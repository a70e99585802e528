//! `GET /api/stream.php`: HLS playlists that include the captions of a video, for players that only get a playlist.

use axum::{
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use lantern_catalog::captions::CaptionKind;
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query,
    openapi::{Doc, id_schema, invalid, query, refusal, too_often},
    private::{NeverCompress, PRIVATE},
};
use lantern_media::clips::{self, Caption, Manifest};
use serde_json::json;

use super::tracks;
use crate::{access::Requester, state::AppState, video::file};

/// Address of this call.
const ADDRESS: &str = "/api/stream.php";
/// Attribute that refers to the playlist of a track.
const URI: &str = ",URI=\"";
/// Media type of playlists.
const M3U8: HeaderValue = HeaderValue::from_static("application/vnd.apple.mpegurl");

/// Adds the address of the playlist that includes the captions, if the video has some.
pub(crate) fn with_playlist(manifest: Manifest, video_id: i64) -> Manifest {
    let playlist = (!manifest.captions.is_empty()).then(|| format!("{ADDRESS}?video_id={video_id}"));
    Manifest { playlist, ..manifest }
}

pub(crate) fn doc(_: &Config) -> Doc {
    let text = json!({ "type": "string" });
    Doc::new("site", "stream", ADDRESS, "HLS playlist of a video with captions")
        .about(
            "For players that only get a playlist. Without `lang`, it is the main playlist, whose links expire like those of \
             `videofile.php`; with `lang`, the playlist of that track.",
        )
        .takes(query("video_id", "Id of the video.", id_schema(), 1).required())
        .takes_all(tracks::parameters())
        .answers_with("The playlist.", "application/vnd.apple.mpegurl", &text, &json!("#EXTM3U\n"))
        .refuses(refusal(403, &[("dont_have_permission", "the video is private")]))
        .refuses(refusal(
            404,
            &[
                ("video_not_found", "no such video, deleted, or not released yet"),
                ("captions_not_found", "the video has no captions of this language and kind"),
                ("file_not_found", "the film has no playlist"),
            ],
        ))
        .refuses(refusal(422, &[("required", "`video_id` is missing")]))
        .refuses(lantern_uploads::away())
        .refuses(invalid())
        .refuses(too_often())
}

pub(crate) async fn stream(State(state): State<AppState>, query: Query, requester: Requester) -> ApiResult<Response> {
    let id = query.number("video_id", 1..=i64::MAX)?.ok_or(ApiError::required("video_id"))?;
    let track = query.get("lang").map(|_| tracks::of_query(&query)).transpose()?;
    let film = file::film(&state.pool, requester, id).await?;
    let all = tracks::of_video(&mut *state.pool.acquire().await?, id).await?;
    let text = if let Some(track) = track {
        let known = all.iter().find(|known| known.lang == track.lang && known.kind == track.kind);
        track_playlist(known.ok_or(ApiError::NotFound("captions_not_found"))?, film.duration)
    } else {
        let store = file::store(&state.stores, &film).await?;
        let main = clips::read_main(store, &film.key).await.map_err(lantern_uploads::of_store)?;
        let main = main.ok_or(ApiError::NotFound("file_not_found"))?;
        let seconds = i64::try_from(state.config.media.link_seconds).unwrap_or(i64::MAX);
        let expires = (state.now)().saturating_add(seconds);
        let link = |name: &str| state.signer.link(&film.key, &format!("{}/{name}", clips::HLS), expires);
        main_playlist(&main, id, &all, link).map_err(ApiError::internal)?
    };
    let headers = [(header::CACHE_CONTROL, PRIVATE), (header::CONTENT_TYPE, M3U8)];
    let mut response = (headers, text).into_response();
    // It contains signed links.
    response.extensions_mut().insert(NeverCompress);
    Ok(response)
}

/// Adds the tracks to a main playlist and makes its addresses absolute (RFC 8216, section 4.3.4).
fn main_playlist<E>(
    main: &str,
    video_id: i64,
    tracks: &[Caption],
    link: impl Fn(&str) -> Result<String, E>,
) -> Result<String, E> {
    let mut lines: Vec<String> = Vec::new();
    for line in main.lines() {
        if line.starts_with("#EXT-X-STREAM-INF:") && !tracks.is_empty() {
            lines.push(format!("{line},SUBTITLES=\"captions\""));
        } else if let Some((start, name)) = sound(line) {
            lines.push(format!("{start}{URI}{}\"", link(name)?));
        } else if line.starts_with('#') || line.is_empty() {
            lines.push(line.to_owned());
        } else {
            lines.push(link(line)?);
        }
    }
    lines.extend(tracks.iter().map(|track| rendition(video_id, track)));
    Ok(lines.join("\n") + "\n")
}

/// Splits the line of an audio track into what comes before the address of its playlist, which is last, and the address.
fn sound(line: &str) -> Option<(&str, &str)> {
    let (start, name) = line.strip_suffix('"')?.rsplit_once(URI)?;
    line.starts_with("#EXT-X-MEDIA:TYPE=AUDIO").then_some((start, name))
}

fn rendition(video_id: i64, Caption { kind, lang, label, .. }: &Caption) -> String {
    // Names are unique within a group.
    let (mark, characteristics) = match kind {
        CaptionKind::Captions => (
            " (CC)",
            ",CHARACTERISTICS=\"public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound\"",
        ),
        CaptionKind::Subtitles => ("", ""),
    };
    format!(
        "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"captions\",NAME=\"{label}{mark}\",LANGUAGE=\"{lang}\",DEFAULT=NO,AUTOSELECT=YES,\
         FORCED=NO{characteristics},URI=\"{ADDRESS}?video_id={video_id}&lang={lang}&kind={}\"",
        kind.as_str()
    )
}

/// Returns the playlist of a track: a single segment as long as the film.
fn track_playlist(track: &Caption, seconds: i32) -> String {
    format!(
        "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:{seconds}\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:{seconds},\n{}\n#EXT-X-ENDLIST\n",
        track.src
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: &str =
        "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-STREAM-INF:BANDWIDTH=9,RESOLUTION=4x2,CODECS=\"avc1.42\"\n240.m3u8\n";

    #[test]
    fn main_playlist_refers_to_tracks_and_absolute_addresses() {
        let caption = |kind| Caption { kind, lang: "de".to_owned(), label: "Deutsch".to_owned(), src: String::new() };
        let link = |name: &str| Ok::<_, ()>(format!("/media/{name}"));
        let text =
            main_playlist(MAIN, 7, &[caption(CaptionKind::Subtitles), caption(CaptionKind::Captions)], link).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2], "#EXT-X-STREAM-INF:BANDWIDTH=9,RESOLUTION=4x2,CODECS=\"avc1.42\",SUBTITLES=\"captions\"");
        assert_eq!(lines[3], "/media/240.m3u8");
        assert!(lines[4].contains("NAME=\"Deutsch\",LANGUAGE=\"de\""), "{}", lines[4]);
        assert!(lines[4].ends_with("URI=\"/api/stream.php?video_id=7&lang=de&kind=subtitles\""), "{}", lines[4]);
        assert!(lines[5].contains("NAME=\"Deutsch (CC)\""), "{}", lines[5]);
        assert_eq!(lines.len(), 6);
        assert_eq!(main_playlist(MAIN, 7, &[], link).unwrap(), MAIN.replace("240", "/media/240"));
        let sound = "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"sound\",NAME=\"a,URI=b\",URI=\"sound-1.m3u8\"\n";
        let wanted = sound.replace("sound-1.", "/media/sound-1.");
        assert_eq!(main_playlist(sound, 7, &[], link).unwrap(), wanted);
    }
}
