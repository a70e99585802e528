//! Labels of audio tracks, as players list them.

use lantern_catalog::audio_tracks::{AudioKind, AudioTrack};

use crate::captions::language;

/// Returns the label of a track: its language in the language itself, its title, or both if the title doesn't name the language. Empty
/// if the file tells neither.
#[must_use]
pub fn label(track: &AudioTrack) -> String {
    let title = &track.title;
    match &track.lang {
        None => title.clone(),
        Some(lang) => {
            let name = language::name(lang);
            if title.is_empty() {
                name
            } else if title.to_lowercase().contains(&name.to_lowercase()) {
                title.clone()
            } else {
                format!("{name} – {title}")
            }
        }
    }
}

/// Returns the names of tracks in a playlist, where they have to be unique and not empty (RFC 8216, section 4.3.4.1.1).
pub(crate) fn unique(tracks: &[AudioTrack]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (at, track) in tracks.iter().enumerate() {
        let kind = match track.kind {
            AudioKind::Main => "",
            AudioKind::Commentary => " (commentary)",
            AudioKind::Descriptions => " (audio description)",
        };
        let name = format!("{}{kind}", label(track));
        // The number tells tracks apart that are called the same.
        let numbered = || format!("{name} {}", at + 1).trim_start().to_owned();
        let is_known = name.is_empty() || names.contains(&name);
        let name = if is_known { numbered() } else { name };
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(lang: Option<&str>, title: &str, kind: AudioKind) -> AudioTrack {
        AudioTrack { lang: lang.map(str::to_owned), title: title.to_owned(), kind }
    }

    #[test]
    fn label_names_the_language_once() {
        let labels =
            [(Some("de"), ""), (Some("de"), "Mit Deutsch"), (Some("en"), "Stereo"), (None, "Stereo"), (None, "")]
                .map(|(lang, title)| label(&track(lang, title, AudioKind::Main)));
        assert_eq!(labels, ["Deutsch", "Mit Deutsch", "English – Stereo", "Stereo", ""]);
    }

    #[test]
    fn names_in_a_playlist_are_unique() {
        let tracks = [
            track(Some("en"), "", AudioKind::Main),
            track(Some("en"), "", AudioKind::Commentary),
            track(None, "English", AudioKind::Main),
            track(None, "", AudioKind::Main),
        ];
        assert_eq!(unique(&tracks), ["English", "English (commentary)", "English 3", "4"]);
    }
}
