//! Which chapter of a video a search finds.

use std::collections::BTreeMap;

use lantern_catalog::chapters::{self, Chapter};
use lantern_config::Lang;
use lantern_index::text::marks;

use crate::index::{ChapterHit, VideoDoc, duration_text};

/// Returns the chapter whose title matches more of the query than the title of the video does. `words` are the words to highlight in each
/// language.
pub fn hit(video: &VideoDoc, words: &BTreeMap<Lang, String>) -> Option<ChapterHit> {
    if video.chapters.is_empty() {
        return None;
    }
    let lang: Lang = video.lang.parse().ok()?;
    let words = words.get(&lang)?;
    let count = |title: &str| marks::matches(title, lang, words, lang).len();
    let duration = i32::try_from(video.duration).unwrap_or(i32::MAX);
    let mut best = (count(&video.title), None);
    for chapter in chapters::stored(&video.chapters, duration) {
        let found = count(&chapter.title);
        if found > best.0 {
            best = (found, Some(chapter));
        }
    }
    best.1.map(|Chapter { start, title }| ChapterHit {
        start,
        time: duration_text(start.into()),
        title,
        lang: lang.as_str(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chapter_that_matches_more_than_the_title_is_the_hit() {
        let video = VideoDoc {
            title: "A walk by the sea".to_owned(),
            lang: "en".to_owned(),
            duration: 100,
            chapters: "0:00 Opening\n0:30 Stalls\n0:40 Stalls by the sea\n1:40 After the film".to_owned(),
            ..VideoDoc::default()
        };
        let start = |query: &str| hit(&video, &[(Lang::En, query.to_owned())].into()).map(|hit| hit.start);
        assert_eq!(start("stall"), Some(30));
        assert_eq!(start("stalls sea"), Some(40));
        assert_eq!(start("sea"), None, "the title matches as much");
        assert_eq!(start("nothing"), None);
        assert_eq!(start("film"), None, "it begins after the end");
        assert_eq!(hit(&video, &[(Lang::De, "stall".to_owned())].into()), None);
    }
}
