//! Videos in which the words of a search are said, by their captions.
//!
//! One request finds passages with all words, at most one of each video, and another one those of their videos that the list may show.
//! A passage is a hit only if a line, or two in succession, have all words.

mod line;

use std::collections::{BTreeMap, HashMap};

use lantern_config::Lang;
use lantern_errors::ApiResult;
use lantern_index::{
    CaptionsDoc, Filter, IndexName,
    text::{self, marks},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    highlight,
    index::{Reader, VideoCard, VideoDoc, VideoQuery, duration_text, find},
    lexicon::Lexicon,
    plan::{Plan, Planner},
    request::SearchRequest,
};
use line::{FoundLine, Wanted};

/// What is said in a video, where it matches a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SpokenLine {
    /// Second at which it is said.
    #[schema(example = 192, minimum = 0)]
    pub start: u32,
    /// The same as `h:m:s`.
    #[schema(example = "3:12", pattern = "^(?:[0-9]+:)?[0-5]?[0-9]:[0-5][0-9]$")]
    pub time: String,
    /// The line as HTML, escaped except for `<mark>` around matches.
    #[schema(example = "Here the <mark>night</mark> <mark>market</mark> begins.")]
    pub text: String,
    /// ISO 639-1 code of its language, which need not be one of the site's.
    #[schema(example = "en", pattern = "^[a-z]{2}$")]
    pub lang: String,
}

/// A video in which a search is said.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SpokenVideo {
    /// The video.
    pub video: VideoCard,
    /// The best line.
    pub line: SpokenLine,
}

/// Returns videos in which all words of a search are said, best first: in the visitor's language, then in one line, then the newest.
pub async fn find_spoken(reader: &Reader, lexicon: &Lexicon, request: &SearchRequest) -> ApiResult<Vec<SpokenVideo>> {
    let planner = Planner::new(reader, lexicon).await?;
    let whole = planner.plan(&request.text, request.lang);
    // Words in quotes are looked up, too.
    let plan = planner.plan(&text::unquoted(&text::wanted(&request.text)), request.lang);
    if !request.has_words() || plan.tokens().next().is_none() {
        return Ok(Vec::new());
    }
    let wanted = Wanted::new(&plan, &request.text);
    let mut lines: HashMap<i64, (CaptionsDoc, FoundLine)> = HashMap::new();
    for passage in passages(reader, request, &plan, &whole).await? {
        if let Some(line) = wanted.find(&passage) {
            lines.insert(passage.video_id, (passage, line));
        }
    }
    let videos = videos(reader, request, &whole, lines.keys().copied().collect()).await?;
    let names = reader.categories.current().await?;
    let words = plan.words();
    let mut found: Vec<((bool, bool), SpokenVideo)> = Vec::new();
    for video in videos {
        let Some((passage, line)) = lines.remove(&video.id) else { continue };
        let order = (passage.lang != request.lang.as_str(), line.is_split);
        let line = shown(&passage, &line, &words, request.lang);
        found.push((order, SpokenVideo { video: VideoCard::new(video, &names, request.lang), line }));
    }
    found.sort_by_key(|(order, _)| *order);
    found.truncate(reader.config.listing.spoken_items);
    Ok(found.into_iter().map(|(_, video)| video).collect())
}

/// Returns passages that have all words, at most one of each video, those of the newest videos first.
async fn passages(reader: &Reader, request: &SearchRequest, plan: &Plan, whole: &Plan) -> ApiResult<Vec<CaptionsDoc>> {
    let wanted = Filter::all(plan.tokens().map(|token| token.keys_filter()));
    let excluded = Filter::all(whole.excluded.iter().map(|token| token.keys_filter().not()));
    let of_gender = Filter::eq("gender", request.list.gender.as_str());
    let query = VideoQuery {
        index: IndexName::Captions,
        sort: &["video_id:desc"],
        limit: reader.config.listing.spoken_passages,
        fields: CaptionsDoc::fields(),
        counts: &[],
        distinct: Some("video_id"),
        exact: false,
        ..VideoQuery::new(of_gender.and(wanted).and(excluded))
    };
    Ok(find::<CaptionsDoc>(reader, query).await?.hits)
}

/// Returns those videos that the list may show, the newest first.
async fn videos(reader: &Reader, request: &SearchRequest, whole: &Plan, ids: Vec<i64>) -> ApiResult<Vec<VideoDoc>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let limit = ids.len();
    let filter = request.filter(reader.now()).and(whole.excluding()).and(Filter::in_("id", ids));
    let query = VideoQuery { sort: &["id:desc"], limit, counts: &[], exact: false, ..VideoQuery::new(filter) };
    Ok(find(reader, query).await?.hits)
}

fn shown(passage: &CaptionsDoc, line: &FoundLine, words: &BTreeMap<Lang, String>, visitor: Lang) -> SpokenLine {
    // Other languages have no rules, and what is found there was typed.
    let lang = passage.lang.parse().unwrap_or(visitor);
    let words = words.get(&lang).map_or("", String::as_str);
    let first = marks::matches(&line.text, lang, words, lang).first().map_or(0, |range| range.start);
    SpokenLine {
        start: line.second,
        time: duration_text(line.second.into()),
        text: highlight::html(&line::cut(&line.text, first), lang, words, lang),
        lang: passage.lang.clone(),
    }
}
