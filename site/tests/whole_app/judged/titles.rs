//! Known-item search. A title typed as shown finds its video, or another one with the same title, among the first results.

use lantern_config::Lang;

use super::{
    corpus::{Corpus, Video},
    dice::Dice,
    queries::escaped,
};
use crate::support::App;

/// Number of videos drawn from a corpus.
const DRAWN: usize = 60;
/// Number of titles that may miss their video. A title that consists of one German compound ranks among longer titles that begin with it.
pub const MISSED: usize = 2;
/// Number of first results that must contain the video.
const FIRST: usize = 3;
/// Length of the longest query that fits the search box, in characters. Longer pasted text is cut.
const BOX: usize = 69;

fn shown(video: &Video, lang: Lang) -> &str {
    video.titles.get(lang.as_str()).unwrap_or_else(|| &video.titles[&video.by])
}

/// Describes the titles that don't find their video. In each language, searches for the title as shown in that language and in another
/// one.
pub async fn missed(app: &App, name: &str, corpus: &Corpus) -> Vec<String> {
    let dice = &mut Dice::new(&format!("{name} titles"));
    let mut missed = Vec::new();
    for (id, video) in dice.some(corpus.numbered().collect(), DRAWN) {
        for lang in Lang::ALL {
            let mut texts = [shown(video, *lang), shown(video, *dice.pick(Lang::ALL))].to_vec();
            texts.dedup();
            for title in texts {
                let text: String = title.chars().take(BOX).collect();
                let path = format!(
                    "/api/videos2.php?params=86400/str/relevance/{FIRST}/search..1.all.all.all&s={}&lang={lang}",
                    escaped(&text)
                );
                let answer = app.json(&path).await;
                let videos = answer["videos"].as_array().unwrap();
                if !videos.iter().any(|one| one["video_id"] == id || one["title"] == shown(video, *lang)) {
                    let first: Vec<&str> = videos.iter().filter_map(|one| one["title"].as_str()).collect();
                    missed.push(format!("{lang} {id} {text} → {}", first.join(" | ")));
                }
            }
        }
    }
    missed
}
