//! Chapters of a video: the field of the form, and the chapters that its page shows.

use lantern_catalog::chapters::{self, BadLine, Chapter};
use lantern_config::Films;
use lantern_errors::{ApiError, ApiResult, FieldError};
use lantern_http::openapi::{Param, field};
use lantern_index::text::{TermList, plain};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

const CHAPTERS: &str = "chapters";

/// A chapter, which ends where the next one begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Chapter)]
pub struct ChapterItem {
    /// Second at which it begins; 0 for the first one.
    #[schema(example = 83, minimum = 0)]
    pub start: i32,
    /// Title.
    #[schema(example = "The stalls")]
    pub title: String,
}

impl From<Chapter> for ChapterItem {
    fn from(Chapter { start, title }: Chapter) -> Self {
        Self { start, title }
    }
}

/// Returns the field for the OpenAPI document.
pub fn param(films: &Films) -> Param {
    let about = format!(
        "Chapters, one per line, each `m:ss Title` or `h:mm:ss Title`; the first at 0:00, up to {}, with titles of up to {} characters. \
         If empty, the lines of this form in the description are the chapters, if there are at least three.",
        films.max_chapters, films.chapter_title_max
    );
    field(CHAPTERS, &about, json!({ "type": "string" }), "0:00 Opening\n1:23 The stalls")
}

/// Validates the field, and returns its text to store. `duration` is that of the film in seconds, if it is known. Fails with 422 and the
/// number of the first bad line.
pub fn read(sent: Option<&str>, duration: Option<i32>, films: &Films, prohibited: &TermList) -> ApiResult<String> {
    let refuse = |code, line: Option<usize>, bound| {
        let line = line.and_then(|line| u32::try_from(line).ok());
        Err(ApiError::Fields(vec![FieldError { field: CHAPTERS, code, bound, line }]))
    };
    // Each line is cleaned for itself, so that their numbers stay the same.
    let lines = sent.unwrap_or_default().lines().map(|line| plain(line).replace('\n', " "));
    let text = lines.collect::<Vec<_>>().join("\n");
    let read = match chapters::written(&text, duration) {
        Ok(read) => read,
        Err(BadLine::Unreadable(line)) => return refuse("chapter_unreadable", Some(line), None),
        Err(BadLine::Start(line)) => return refuse("chapter_start", Some(line), None),
        Err(BadLine::Order(line)) => return refuse("chapter_order", Some(line), None),
        Err(BadLine::Late(line)) => return refuse("chapter_late", Some(line), None),
    };
    // Every line that isn't empty is a chapter.
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).map(|(line, _)| line);
    for (line, chapter) in lines.zip(&read) {
        if chapter.title.chars().count() > films.chapter_title_max {
            return refuse("chapter_title_length", Some(line), Some(films.chapter_title_max));
        }
        if prohibited.found_in(&chapter.title) {
            return refuse("prohibited_terms", Some(line), None);
        }
    }
    if read.len() > films.max_chapters {
        return refuse("too_many_chapters", None, Some(films.max_chapters));
    }
    Ok(chapters::text(&read))
}

#[cfg(test)]
mod tests {
    use lantern_config::Config;

    use super::*;

    /// Returns the stored text, or the code, line and bound of the refusal.
    fn sent(text: &str) -> Result<String, (&'static str, Option<u32>, Option<usize>)> {
        let mut films = Config::load(None).unwrap().films;
        (films.max_chapters, films.chapter_title_max) = (3, 10);
        let prohibited = TermList::new(&["forbidden".to_owned()]);
        read(Some(text), Some(600), &films, &prohibited).map_err(|error| {
            let wrong = error.fields()[0];
            assert_eq!(wrong.field, "chapters");
            (wrong.code, wrong.line, wrong.bound)
        })
    }

    #[test]
    fn refusals_name_the_line() {
        assert_eq!(sent("\n [0:00] - Opening\n1:02:03 Late"), Err(("chapter_late", Some(3), None)));
        assert_eq!(sent("0:00 Opening\n\nThe stalls"), Err(("chapter_unreadable", Some(3), None)));
        assert_eq!(sent("0:01 Opening"), Err(("chapter_start", Some(1), None)));
        assert_eq!(sent("0:00 Opening\n0:00 Stalls"), Err(("chapter_order", Some(2), None)));
        assert_eq!(sent("0:00 A\n\n1:00 Elevenchars"), Err(("chapter_title_length", Some(3), Some(10))));
        assert_eq!(sent("0:00 A\n1:00 For\u{200B}bidden"), Err(("prohibited_terms", Some(2), None)));
        assert_eq!(sent("0:00 A\n1:00 B\n2:00 C\n3:00 D"), Err(("too_many_chapters", None, Some(3))));
        assert_eq!(sent("０：００　散歩\r\n\r\n1:00 - B"), Ok("0:00 散歩\n1:00 B".to_owned()));
        assert_eq!(sent(" \n"), Ok(String::new()));
    }
}
