//! Links the player needs for a clip: its streams and seek-bar pictures, signed.

use lantern_catalog::{
    audio_tracks::{AudioKind, AudioTrack},
    captions::CaptionKind,
    video_codec::VideoCodec,
};
use serde::Serialize;
use tokio::io::AsyncReadExt;
use utoipa::ToSchema;

use crate::{
    labels::label,
    links::{LinkError, Signer},
    stores::{Store, StoreFailure},
};

/// Response of `videofile.php`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Manifest {
    /// Streams, preferred one first.
    pub video_url: Vec<Stream>,
    /// Seek-bar pictures.
    pub timeline: Timeline,
    /// Audio tracks that the HLS playlist offers, the default first. Empty if there is only one, or none.
    pub audio: Vec<AudioOption>,
    /// Captions, ordered by language.
    pub captions: Vec<Caption>,
    /// HLS playlist that includes the captions, for players that only get a playlist. Absent without captions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "/api/stream.php?video_id=1")]
    pub playlist: Option<String>,
    /// Expiry of the links, in Unix seconds.
    #[schema(example = 1800000000, minimum = 0)]
    pub expires: i64,
}

/// One way to play the clip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Stream {
    /// Packaging of the stream.
    #[serde(rename = "type")]
    pub kind: StreamKind,
    /// Codec of the video.
    #[schema(example = "h264")]
    pub codec: VideoCodec,
    /// Height of the best rendition, in pixels.
    #[schema(example = 480, minimum = 1)]
    pub height: u16,
    /// Signed URL.
    #[schema(example = "/media/s/1800000000/sig/demo/01/hls/master.m3u8")]
    pub url: String,
    /// Whether a player that supports this stream should start with it.
    #[schema(example = true)]
    pub is_default: bool,
}

/// Packaging of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StreamKind {
    /// HTTP Live Streaming, adaptive across its heights.
    Hls,
    /// Single file, for browsers without HLS and for downloads.
    Mp4,
}

/// Seek-bar pictures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Timeline {
    /// Signed URL of the WebVTT file, whose cues refer to parts of one picture.
    #[schema(example = "/media/s/1800000000/sig/demo/01/timeline.vtt")]
    pub vtt: String,
}

/// An audio track.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AudioOption {
    /// What it is for.
    #[schema(example = "main")]
    pub kind: AudioKind,
    /// Language, ISO 639-1; `null` if it is unknown.
    #[schema(example = "de")]
    pub lang: Option<String>,
    /// Name of the language in the language itself, and the track's title. Empty if the file tells neither.
    #[schema(example = "Deutsch")]
    pub label: String,
}

impl From<&AudioTrack> for AudioOption {
    fn from(track: &AudioTrack) -> Self {
        Self { kind: track.kind, lang: track.lang.clone(), label: label(track) }
    }
}

/// A track of captions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Caption {
    /// What it is for, as in HTML: subtitles hold what is said, captions also other sounds.
    #[schema(example = "subtitles")]
    pub kind: CaptionKind,
    /// Language, ISO 639-1.
    #[schema(example = "de")]
    pub lang: String,
    /// Name of the language in the language itself.
    #[schema(example = "Deutsch")]
    pub label: String,
    /// Address of the WebVTT file.
    #[schema(example = "/api/captions.php?video_id=1&lang=de&kind=subtitles")]
    pub src: String,
}

/// Returns the name of the main playlist of a set of renditions.
pub(crate) fn main_list(codec: VideoCodec) -> String {
    format!("master{}.m3u8", suffix(codec))
}

/// Returns the end of the names of the files of a set of renditions.
pub(crate) fn suffix(codec: VideoCodec) -> String {
    if codec == VideoCodec::H264 { String::new() } else { format!("-{}", codec.as_str()) }
}

/// Folder of the segments, in that of the film.
pub const HLS: &str = "hls";
/// Maximum bytes of a main playlist. It has two short lines per rendition.
const MAIN_BYTES: u64 = 1 << 16;

/// Reads the main playlist of the film in folder `key`, or returns `None` if it has none.
///
/// # Errors
/// Returns [`StoreFailure`] if the store is unavailable.
pub async fn read_main(store: &Store, key: &str) -> Result<Option<String>, StoreFailure> {
    let path = format!("{key}/{HLS}/{}", main_list(VideoCodec::H264));
    if store.length(&path).await?.is_none() {
        return Ok(None);
    }
    let mut text = String::new();
    store.read(&path).await?.take(MAIN_BYTES).read_to_string(&mut text).await.map_err(StoreFailure::Way)?;
    Ok(Some(text))
}

/// Builds the links for the film in folder `media_key`, whose tallest rendition is `height` pixels high and which may have a second set of
/// renditions. The links are valid until `expires` (Unix seconds). The caller adds the audio tracks and captions.
///
/// # Errors
/// Returns [`LinkError::BadPath`] if the key isn't a plain relative path.
pub fn manifest(
    signer: &Signer,
    media_key: &str,
    height: u16,
    second: Option<VideoCodec>,
    expires: i64,
) -> Result<Manifest, LinkError> {
    let stream = |kind, codec, file: &str| {
        signer.link(media_key, file, expires).map(|url| Stream {
            kind,
            codec,
            height,
            url,
            is_default: kind == StreamKind::Hls && codec == VideoCodec::H264,
        })
    };
    let list = |codec| stream(StreamKind::Hls, codec, &format!("{HLS}/{}", main_list(codec)));
    let file = stream(StreamKind::Mp4, VideoCodec::H264, "video.mp4")?;
    // The second set comes last, for players that take the first stream of a kind without looking at its codec.
    let video_url = [Some(list(VideoCodec::H264)?), Some(file), second.map(list).transpose()?];
    Ok(Manifest {
        video_url: video_url.into_iter().flatten().collect(),
        timeline: Timeline { vtt: signer.link(media_key, "timeline.vtt", expires)? },
        audio: Vec::new(),
        captions: Vec::new(),
        playlist: None,
        expires,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_format_the_player_expects() {
        let manifest = manifest(&Signer::new(b"secret"), "demo/03", 720, Some(VideoCodec::Av1), 1_800_000_000).unwrap();
        let json = serde_json::to_value(&manifest).unwrap();
        let streams = json["video_url"].as_array().unwrap();
        assert_eq!(streams.len(), 3);
        assert_eq!((&streams[2]["codec"], &streams[2]["is_default"]), (&"av1".into(), &false.into()));
        assert!(streams[2]["url"].as_str().unwrap().ends_with("/hls/master-av1.m3u8"));
        assert_eq!(streams[0]["type"], "hls");
        assert_eq!(streams[0]["height"], 720);
        assert_eq!(streams[0]["is_default"], true);
        assert_eq!(streams[1]["type"], "mp4");
        assert_eq!(streams[1]["is_default"], false);
        assert_eq!(json["expires"], 1_800_000_000_i64);
        for url in [&streams[0]["url"], &streams[1]["url"], &json["timeline"]["vtt"]] {
            assert!(url.as_str().unwrap().starts_with("/media/s/1800000000/"), "{url}");
        }
    }

    #[test]
    fn parent_folders_in_keys_are_refused() {
        assert_eq!(manifest(&Signer::new(b"secret"), "../etc", 480, None, 0), Err(LinkError::BadPath));
    }
}
