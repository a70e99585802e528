//! Index `captions`: what is said in videos that guests may see, by passages.

use crate::document::document;

/// Number of lines in a passage. Fewer take more space, and in more of them unrelated words occur together (ADR 104).
pub const PASSAGE_LINES: usize = 10;

/// Maximum number of characters of a line that are indexed. Captions rarely have more than 84, and a search compares many lines.
pub const LINE_CHARS: usize = 500;

document! {
    /// Passage of captions: [`PASSAGE_LINES`] lines of a track, and the line after them, in which a sentence may end.
    CaptionsDoc {
        /// `<video id>-<language>-<kind>-<number of the passage>`.
        id: String,
        /// Id of the video.
        video_id: i64 = [Retrieved, Filterable],
        /// ISO 639-1 code of the language.
        lang: String = [Retrieved],
        /// Orientation code of the video.
        gender: String = [Filterable],
        /// Keys of its words ([`crate::text::keys::spoken_keys`]).
        keys: Vec<String> = [Filterable],
        /// Its lines: each the second at which it appears, a space and the text.
        lines: String = [Retrieved],
    }
    searchable: ["lang"],
    sortable: ["video_id"],
    tie: "video_id:desc",
}

impl CaptionsDoc {
    /// Returns the lines, each with its second.
    pub fn spoken(&self) -> impl Iterator<Item = (u32, &str)> {
        self.lines.lines().filter_map(|line| {
            let (second, text) = line.split_once(' ')?;
            Some((second.parse().ok()?, text))
        })
    }

    /// Returns the id of the video to which the passage with this id belongs.
    #[must_use]
    pub fn video_of(id: &str) -> Option<i64> {
        id.split_once('-')?.0.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_their_second() {
        let passage = CaptionsDoc { lines: "0 Hello.\n83 1 2 3\n84 ".to_owned(), ..CaptionsDoc::default() };
        assert_eq!(passage.spoken().collect::<Vec<_>>(), [(0, "Hello."), (83, "1 2 3"), (84, "")]);
    }

    #[test]
    fn ids_begin_with_the_video() {
        assert_eq!(CaptionsDoc::video_of("42-en-subtitles-0"), Some(42));
        assert_eq!((CaptionsDoc::video_of("42"), CaptionsDoc::video_of("JP-42")), (None, None));
    }
}
