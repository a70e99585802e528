//! Cuts renditions into segments and writes the master playlist.

use std::{fmt::Write, path::Path};

use tokio::fs;

use lantern_catalog::{
    audio_tracks::{AudioKind, AudioTrack},
    video_codec::VideoCodec,
};

use super::{
    header,
    ladder::{self, Rendition, SEGMENT_SECONDS, stem},
};
use crate::{Error, Result, clips, labels};

/// Returns the arguments to cut a rendition, with or without its sound, into segments without encoding it again. The rendition is next to the
/// folder, and `stem` is its name without the ending.
pub fn cutting(stem: &str, has_sound: bool) -> Vec<String> {
    segments(&format!("{stem}.mp4"), if has_sound { "-map 0" } else { "-map 0:v" }, stem)
}

/// Returns the arguments to cut the `at`-th audio track of a rendition into segments.
pub fn cutting_sound(height: u16, at: usize) -> Vec<String> {
    segments(&ladder::name(height), &format!("-map 0:a:{at}"), &sound_name(at))
}

fn segments(film: &str, map: &str, name: &str) -> Vec<String> {
    let args = format!(
        "-protocol_whitelist file -i ../{film} {map} -c copy -f hls -hls_time {SEGMENT_SECONDS} -hls_playlist_type vod \
         -hls_segment_type fmp4 -hls_fmp4_init_filename {name}-init.mp4 -hls_segment_filename {name}-%d.m4s {name}.m3u8"
    );
    args.split(' ').map(str::to_owned).collect()
}

/// Returns the name of the playlist of the `at`-th audio track.
fn sound_name(at: usize) -> String {
    format!("sound-{}", at + 1)
}

/// Writes the master playlist of the renditions in `codec`, tallest one first. ffmpeg's master playlist lacks the bandwidth of copied renditions, which players
/// need in order to choose one. `tracks` are the audio tracks that have playlists of their own (RFC 8216, section 4.3.4.1).
pub async fn write_master(
    folder: &Path,
    renditions: &[Rendition],
    codec: VideoCodec,
    tracks: &[AudioTrack],
) -> Result<()> {
    let mut text = String::from("#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n");
    let mut sound = 0;
    for (at, track) in tracks.iter().enumerate() {
        sound = sound.max(peak(folder, &sound_name(at)).await?);
        text += &media(at, track, &labels::unique(tracks)[at]);
    }
    let group = if tracks.is_empty() { "" } else { ",AUDIO=\"sound\"" };
    for Rendition { rung, width, height, .. } in renditions.iter().rev() {
        let name = stem(rung.height, codec);
        let codecs = codecs(folder, &name, codec, !tracks.is_empty()).await?;
        let bandwidth = peak(folder, &name).await? + sound;
        writeln!(
            text,
            "#EXT-X-STREAM-INF:BANDWIDTH={bandwidth},RESOLUTION={width}x{height},CODECS=\"{codecs}\"{group}\n{name}.m3u8"
        )
        .unwrap_or_else(|_| unreachable!("writing to a String"));
    }
    let file = folder.join(clips::main_list(codec));
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

/// Returns the codecs in the format of RFC 6381. The video's codec is read from its header, and the audio's is AAC-LC, in the same segments
/// or in others.
async fn codecs(folder: &Path, name: &str, codec: VideoCodec, has_other_sound: bool) -> Result<String> {
    let file = folder.join(format!("{name}-init.mp4"));
    let head = fs::read(&file).await.map_err(Error::at(&file))?;
    let video = header::video_codec(&head, codec).ok_or_else(|| {
        let why = std::io::Error::new(std::io::ErrorKind::InvalidData, "a rendition has another codec");
        Error::at(&file)(why)
    })?;
    let sound = if has_other_sound || header::has_aac(&head) { ",mp4a.40.2" } else { "" };
    Ok(format!("{video}{sound}"))
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
