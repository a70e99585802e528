//! The ffmpeg arguments for the sound of a film. A film with one track has it in every rendition. With several, they are stored once, in the
//! tallest rendition, from which playlists of their own are cut.

use std::path::Path;

use super::{Rendition, encoding::input, words};
use crate::{
    captions::language,
    film::probe::{Audio, NOTICEABLE, Source},
};

/// Returns whether the film has several audio tracks.
pub fn is_separate(source: &Source) -> bool {
    source.audio.len() > 1
}

/// Returns the tracks that have to be decoded to a temporary file first. ffmpeg starts its filters anew when the sound changes, so that a
/// filter which fills the silence before a late start, or after an early end, would fill it again.
pub fn uneven(source: &Source) -> impl Iterator<Item = &Audio> {
    source.audio.iter().filter(|sound| is_uneven(source, sound))
}

fn is_uneven(source: &Source, sound: &Audio) -> bool {
    sound.may_change && (is_late(sound) || is_separate(source))
}

fn is_late(sound: &Audio) -> bool {
    sound.start > NOTICEABLE
}

/// Returns the name of the temporary file with a track that doesn't change its rate and channels.
pub fn even_file(sound: &Audio) -> String {
    format!("sound-{}.mka", sound.index)
}

/// Returns the arguments that decode a track to its temporary file.
pub fn decoding(file: &Path, source: &Source, sound: &Audio) -> Vec<String> {
    let mut args = input(file, source);
    args.extend(words(&format!("-map 0:{} -c:a flac -compression_level 0 -ac 2 -ar 48000", sound.index)));
    args.extend(words("-map_metadata -1 -map_chapters -1"));
    args
}

/// Returns the arguments for the sound of a rendition.
pub fn encoding(source: &Source, rendition: &Rendition, is_tallest: bool, max_seconds: Option<u32>) -> Vec<String> {
    match &source.audio[..] {
        [only] if rendition.is_copied && only.is_plain => words(&format!("-map 0:{} -c:a copy", only.index)).collect(),
        [only] => {
            let (map, filter, rate) = (map(source, only), even(source, only, max_seconds), rendition.rung.audio);
            words(&format!("{map} -c:a aac -ac 2 -ar 48000 -b:a {rate}k -af {filter}")).collect()
        }
        several if is_tallest => {
            let rate = rendition.rung.audio;
            let shared = words(&format!("-c:a aac -ac 2 -ar 48000 -b:a {rate}k")).collect::<Vec<_>>();
            (0..).zip(several).flat_map(|(at, sound)| separate(source, sound, at, max_seconds)).chain(shared).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the arguments for one of several tracks, the `at`-th of the rendition. Players wait for a track that ends before the film.
fn separate(source: &Source, sound: &Audio, at: usize, max_seconds: Option<u32>) -> Vec<String> {
    let filter = format!("{},apad=whole_dur={:.3}", even(source, sound, max_seconds), source.duration);
    let default = if at == 0 { "default" } else { "0" };
    let mut args: Vec<String> =
        words(&format!("{} -filter:a:{at} {filter} -disposition:a:{at} {default}", map(source, sound))).collect();
    if let Some(code) = sound.track.lang.as_deref().and_then(language::three_letters) {
        args.extend([format!("-metadata:s:a:{at}"), format!("language={code}")]);
    }
    if !sound.track.title.is_empty() {
        args.extend([format!("-metadata:s:a:{at}"), format!("title={}", sound.track.title)]);
    }
    args
}

/// Returns the argument that selects a track. Temporary files are the inputs after the film.
fn map(source: &Source, sound: &Audio) -> String {
    match uneven(source).position(|even| even.index == sound.index) {
        Some(at) => format!("-map {}:0", at + 1),
        None => format!("-map 0:{}", sound.index),
    }
}

/// Returns the filter that fills gaps and corrects drift, so that sound and picture stay in sync. A gap is filled in memory when the next
/// sample arrives, so samples after the end are dropped.
fn even(source: &Source, sound: &Audio, max_seconds: Option<u32>) -> String {
    // Only the main track counts for the length of the film.
    let end = if is_separate(source) { Some(source.duration) } else { None };
    let end = end.into_iter().chain(max_seconds.map(f64::from)).reduce(f64::min);
    let end = end.map(|end| format!("atrim=end={end:.3},")).unwrap_or_default();
    let first = if is_late(sound) { ":first_pts=0" } else { "" };
    format!("{end}aresample=async=1000{first}")
}
