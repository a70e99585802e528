//! Measures search by displayed title. In each interface language, searching for exactly a title must return its video among the first
//! results.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use anyhow::{Context, ensure};
use futures_util::{StreamExt, TryStreamExt, stream};
use lantern_config::Lang;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::{SiteUnderTest, mix::encode};

/// Number of top results that count as found.
const FIRST: usize = 3;
/// Maximum length of input in the search box, in characters. Longer input is truncated.
const BOX: usize = 69;
/// Videos per page of the newest videos, and per page of other videos. The latter pages are small, so that many are sampled.
const NEWEST_PAGE: u64 = 100;
const OTHER_PAGE: u64 = 10;
/// Concurrent requests.
const AT_ONCE: usize = 4;

/// What to search for.
#[derive(Debug, Clone)]
pub struct TitlesOptions {
    /// URL of a running Lantern on this machine.
    pub url: String,
    /// Number of newest videos, and number of other ones.
    pub videos: u64,
    /// Seed for choosing the other videos.
    pub seed: u64,
}

/// Title of each video in each language.
type ShownTitles = BTreeMap<i64, BTreeMap<Lang, String>>;

/// Title to search for.
struct TitleQuery<'a> {
    lang: Lang,
    /// Language of the title.
    of: Lang,
    id: i64,
    titles: &'a BTreeMap<Lang, String>,
}

/// Searches for every title in its own language, and for the title shown in another language. Reports the percentages found and every miss.
///
/// # Errors
/// If the URL is not on loopback, or the site has no videos or doesn't respond.
pub async fn run(options: &TitlesOptions) -> anyhow::Result<String> {
    let site = SiteUnderTest::new(&options.url)?;
    let shown = shown(&site, options).await?;
    ensure!(!shown.is_empty(), "the site holds no videos; run `lantern seed` first");
    let langs = Lang::ALL;
    let typed = shown.iter().enumerate().flat_map(|(turn, (id, titles))| {
        let of = move |at: usize| [langs[at], langs[(at + 1 + turn % (langs.len() - 1)) % langs.len()]];
        let each = move |at: usize| of(at).map(|of| TitleQuery { lang: langs[at], of, id: *id, titles });
        (0..langs.len()).flat_map(each)
    });
    let looked: Vec<(Lang, bool, Option<String>)> =
        stream::iter(typed).map(|typed| look(&site, typed)).buffered(AT_ONCE).try_collect().await?;
    report(&looked)
}

/// Returns the titles of the newest and of randomly drawn other videos in every language.
async fn shown(site: &SiteUnderTest, options: &TitlesOptions) -> anyhow::Result<ShownTitles> {
    let page = NEWEST_PAGE.min(options.videos);
    let mut pages: BTreeSet<(u64, u64)> = (1..=options.videos.div_ceil(page)).map(|number| (page, number)).collect();
    let first = list(site, Lang::En, OTHER_PAGE, 1).await?;
    let (last, newest) =
        (first["pages"].as_u64().context("the list has no page count")?, options.videos.div_ceil(OTHER_PAGE));
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    let wanted = newest.min(last.saturating_sub(newest));
    let mut others = BTreeSet::new();
    while (others.len() as u64) < wanted {
        others.insert(rng.random_range(newest + 1..=last));
    }
    pages.extend(others.into_iter().map(|page| (OTHER_PAGE, page)));
    let asks = pages.iter().flat_map(|page| Lang::ALL.iter().map(move |lang| (*lang, *page)));
    let lists: Vec<(Lang, Value)> = stream::iter(asks)
        .map(async |(lang, (count, page))| anyhow::Ok((lang, list(site, lang, count, page).await?)))
        .buffered(AT_ONCE)
        .try_collect()
        .await?;
    let mut shown = ShownTitles::new();
    for (lang, list) in &lists {
        for video in videos(list) {
            if let (Some(id), Some(title)) = (video["video_id"].as_i64(), video["title"].as_str()) {
                shown.entry(id).or_default().insert(*lang, title.to_owned());
            }
        }
    }
    // This drops videos that were added or removed between the requests.
    shown.retain(|_, titles| titles.len() == Lang::ALL.len());
    Ok(shown)
}

async fn list(site: &SiteUnderTest, lang: Lang, count: u64, page: u64) -> anyhow::Result<Value> {
    let path = format!("/api/json/videos2/86400/str/latest-updates/{count}/all..{page}.all.all.all.json?lang={lang}");
    site.json(&path).await
}

fn videos(answer: &Value) -> impl Iterator<Item = &Value> {
    answer["videos"].as_array().into_iter().flatten()
}

/// Checks whether the video, or another one with the same title, is among the first results. Describes a miss.
async fn look(site: &SiteUnderTest, typed: TitleQuery<'_>) -> anyhow::Result<(Lang, bool, Option<String>)> {
    let TitleQuery { lang, of, id, titles } = typed;
    let text: String = titles[&of].chars().take(BOX).collect();
    let path = format!(
        "/api/videos2.php?params=86400/str/relevance/{FIRST}/search..1.all.all.all&s={}&lang={lang}",
        encode(&text)
    );
    let answer = site.json(&path).await?;
    let is_it = |video: &Value| video["video_id"] == id || video["title"] == titles[&lang].as_str();
    let missed = (!videos(&answer).any(is_it)).then(|| {
        let first: Vec<&str> = videos(&answer).filter_map(|video| video["title"].as_str()).collect();
        format!("{lang} {id}, title in {of}: {text} → {}", first.join(" | "))
    });
    Ok((lang, of == lang, missed))
}

fn report(looked: &[(Lang, bool, Option<String>)]) -> anyhow::Result<String> {
    let mut out = format!("{:<8} {:>7} {:>14} {:>20}\n", "language", "titles", "own language", "other language");
    let share = |of: &dyn Fn(&Lang, bool) -> bool| {
        let of: Vec<_> = looked.iter().filter(|(lang, own, _)| of(lang, *own)).collect();
        let found = of.iter().filter(|(_, _, missed)| missed.is_none()).count();
        (of.len(), 100.0 * found as f64 / of.len().max(1) as f64)
    };
    for lang in Lang::ALL {
        let ((count, own), (_, other)) = (share(&|of, own| of == lang && own), share(&|of, own| of == lang && !own));
        writeln!(out, "{:<8} {count:>7} {own:>12.2} % {other:>18.2} %", lang.as_str())?;
    }
    let ((count, own), (_, other)) = (share(&|_, own| own), share(&|_, own| !own));
    writeln!(out, "{:<8} {count:>7} {own:>12.2} % {other:>18.2} %", "all")?;
    for missed in looked.iter().filter_map(|(_, _, missed)| missed.as_ref()) {
        writeln!(out, "{missed}")?;
    }
    Ok(out)
}
