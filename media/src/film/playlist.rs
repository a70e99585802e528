//! Cuts renditions into segments and writes the master playlist.

use std::{fmt::Write, path::Path};

use tokio::fs;

use lantern_catalog::audio_tracks::{AudioKind, AudioTrack};

use super::ladder::{self, Rendition, SEGMENT_SECONDS};
use crate::{Error, Result, labels};

/// Returns the arguments to cut a rendition, with or without its sound, into segments without encoding it again. The rendition is next to the
/// folder.
pub fn cutting(height: u16, has_sound: bool) -> Vec<String> {
    segments(height, if has_sound { "-map 0" } else { "-map 0:v" }, &height.to_string())
}

/// Returns the arguments to cut the `at`-th audio track of a rendition into segments.
pub fn cutting_sound(height: u16, at: usize) -> Vec<String> {
    segments(height, &format!("-map 0:a:{at}"), &sound_name(at))
}

fn segments(height: u16, map: &str, name: &str) -> Vec<String> {
    let args = format!(
        "-protocol_whitelist file -i ../{} {map} -c copy -f hls -hls_time {SEGMENT_SECONDS} -hls_playlist_type vod \
         -hls_segment_type fmp4 -hls_fmp4_init_filename {name}-init.mp4 -hls_segment_filename {name}-%d.m4s {name}.m3u8",
        ladder::name(height)
    );
    args.split(' ').map(str::to_owned).collect()
}

/// Returns the name of the playlist of the `at`-th audio track.
fn sound_name(at: usize) -> String {
    format!("sound-{}", at + 1)
}

/// Writes the master playlist, tallest rendition first. ffmpeg's master playlist lacks the bandwidth of copied renditions, which players
/// need in order to choose one. `tracks` are the audio tracks that have playlists of their own (RFC 8216, section 4.3.4.1).
pub async fn write_master(folder: &Path, renditions: &[Rendition], tracks: &[AudioTrack]) -> Result<()> {
    let mut text = String::from("#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n");
    let mut sound = 0;
    for (at, track) in tracks.iter().enumerate() {
        sound = sound.max(peak(folder, &sound_name(at)).await?);
        text += &media(at, track, &labels::unique(tracks)[at]);
    }
    let group = if tracks.is_empty() { "" } else { ",AUDIO=\"sound\"" };
    for Rendition { rung, width, height, .. } in renditions.iter().rev() {
        let name = rung.height.to_string();
        let codecs = codecs(folder, &name, !tracks.is_empty()).await?;
        let bandwidth = peak(folder, &name).await? + sound;
        writeln!(
            text,
            "#EXT-X-STREAM-INF:BANDWIDTH={bandwidth},RESOLUTION={width}x{height},CODECS=\"{codecs}\"{group}\n{name}.m3u8"
        )
        .unwrap_or_else(|_| unreachable!("writing to a String"));
    }
    let file = folder.join("master.m3u8");
    fs::write(&file, text).await.map_err(Error::at(&file))
}

fn media(at: usize, track: &AudioTrack, label: &str) -> String {
    let default = if at == 0 { "YES" } else { "NO" };
    let language = track.lang.as_ref().map(|lang| format!(",LANGUAGE=\"{lang}\"")).unwrap_or_default();
    let characteristics = match track.kind {
        AudioKind::Descriptions => ",CHARACTERISTICS=\"public.accessibility.describes-video\"",
        AudioKind::Main | AudioKind::Commentary => "",
    };
    // Commentary is only heard when it is chosen.
    let automatic = if track.kind == AudioKind::Commentary { "NO" } else { "YES" };
    // A quoted string can't contain its mark.
    let label = label.replace('"', "'");
    format!(
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"sound\",NAME=\"{label}\"{language},DEFAULT={default},AUTOSELECT={automatic},CHANNELS=\"2\"\
         {characteristics},URI=\"{}.m3u8\"\n",
        sound_name(at)
    )
}

/// Returns the codecs in the format of RFC 6381. The video's codec is read from its header (ISO 14496-15, `avcC`), and the audio's is
/// AAC-LC, in the same segments or in others.
async fn codecs(folder: &Path, name: &str, has_other_sound: bool) -> Result<String> {
    let file = folder.join(format!("{name}-init.mp4"));
    let head = fs::read(&file).await.map_err(Error::at(&file))?;
    let at = |tag: &[u8]| head.windows(tag.len()).position(|window| window == tag);
    // The tag is followed by a version, then profile, compatibility and level.
    let kind = at(b"avcC").and_then(|at| head.get(at + 5..at + 8)).ok_or_else(|| {
        let why = std::io::Error::new(std::io::ErrorKind::InvalidData, "no H.264 in a rendition");
        Error::at(&file)(why)
    })?;
    let sound = if has_other_sound || at(b"mp4a").is_some() { ",mp4a.40.2" } else { "" };
    Ok(format!("avc1.{}{sound}", hex::encode(kind)))
}

/// Returns the bit rate of the densest segment of a playlist, in bit/s.
async fn peak(folder: &Path, name: &str) -> Result<u64> {
    let list = folder.join(format!("{name}.m3u8"));
    let text = fs::read_to_string(&list).await.map_err(Error::at(&list))?;
    let (mut densest, mut seconds) = (0.0, f64::from(SEGMENT_SECONDS));
    for line in text.lines() {
        if let Some(length) = line.strip_prefix("#EXTINF:") {
            seconds = length.trim_end_matches(',').parse().unwrap_or(seconds);
        } else if !line.starts_with('#') {
            let segment = folder.join(line);
            let found = fs::metadata(&segment).await.map_err(Error::at(&segment))?;
            // A final segment with few frames isn't representative.
            densest = f64::max(densest, bits(found.len()) / seconds.max(1.0));
        }
    }
    Ok(whole(densest))
}

#[expect(clippy::cast_precision_loss, reason = "segments have some megabytes")]
fn bits(bytes: u64) -> f64 {
    (bytes * 8) as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some million bits a second")]
fn whole(rate: f64) -> u64 {
    rate.ceil() as u64
}
