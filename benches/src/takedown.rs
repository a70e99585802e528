//! Measures how soon a taken-down video disappears from every node.

use std::{
    fmt::Write,
    io::Read,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use flate2::read::GzDecoder;
use lantern_config::Gender;
use reqwest::{Client, Response, StatusCode, Url, header::CONTENT_TYPE};
use serde_json::Value;

use crate::{SiteUnderTest, media};

/// How long each place is polled after the take-down, to catch places where the video reappears.
const POLL_TIME: Duration = Duration::from_secs(10);
/// Interval between polls of a place.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// What to measure.
#[derive(Debug)]
pub struct TakedownOptions {
    /// URLs of the nodes of one running site.
    pub urls: Vec<String>,
    /// Video to take down. It must be among the 60 newest of its orientation.
    pub video_id: i64,
}

/// Resource of a node that shows the video.
struct Place {
    name: &'static str,
    url: String,
    /// Text in a response that shows the video, or `None` if any successful response shows it.
    sign: Option<String>,
}

impl Place {
    async fn shows(&self, client: &Client) -> anyhow::Result<bool> {
        let response = client.get(&self.url).send().await.with_context(|| self.url.clone())?;
        match (response.status(), &self.sign) {
            (StatusCode::FORBIDDEN | StatusCode::NOT_FOUND | StatusCode::GONE, _) => Ok(false),
            (StatusCode::OK, None) => Ok(true),
            (StatusCode::OK, Some(sign)) => Ok(text(response).await?.contains(sign)),
            (status, _) => bail!("{} responded with {status}", self.url),
        }
    }
}

/// Reports for each place of each node how many seconds after the end of `take_down` it last showed the video.
pub async fn run(
    options: &TakedownOptions,
    take_down: impl AsyncFnOnce() -> anyhow::Result<()>,
) -> anyhow::Result<String> {
    let mut nodes = Vec::new();
    for url in &options.urls {
        let site = SiteUnderTest::new(url)?;
        let places = places(&site, options.video_id).await?;
        for place in &places {
            ensure!(place.shows(&site.client).await?, "{} doesn't show the video", place.url);
        }
        nodes.push((site, places));
    }
    let began = Instant::now();
    take_down().await?;
    let ended = Instant::now();
    let mut report = format!("taken down in {:.2} s; last shown after (seconds):\n", (ended - began).as_secs_f64());
    let looks = nodes.into_iter().flat_map(|(site, places)| {
        places.into_iter().map(move |place| {
            let client = site.client.clone();
            let node = site.base.clone();
            async move { anyhow::Ok((node, place.name, last_shown(&client, &place, ended).await?)) }
        })
    });
    for (node, place, last) in futures_util::future::try_join_all(looks).await? {
        let last = last.map_or_else(|| "never".to_owned(), |last| format!("{:.2}", last.as_secs_f64()));
        writeln!(report, "{node:<32} {place:<10} {last:>6}")?;
    }
    Ok(report)
}

/// Returns when the place last showed the video, or `None` if it never did. Fails if it still shows the video at the end.
async fn last_shown(client: &Client, place: &Place, ended: Instant) -> anyhow::Result<Option<Duration>> {
    let mut last = None;
    while ended.elapsed() < POLL_TIME {
        if place.shows(client).await? {
            last = Some(ended.elapsed());
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    ensure!(last.is_none_or(|last| last + Duration::from_secs(1) < POLL_TIME), "{} still shows the video", place.url);
    Ok(last)
}

/// Returns all places that show a video: its page, file and poster, a list, a search, a feed and a part of the sitemap.
async fn places(site: &SiteUnderTest, video_id: i64) -> anyhow::Result<Vec<Place>> {
    let SiteUnderTest { client, base } = site;
    let page = client.get(format!("{base}/videos/{video_id}/")).send().await?.error_for_status()?;
    let page = page.url().to_string();
    let link = format!("/videos/{video_id}/");
    let (list, card) = list(site, video_id).await?;
    let text = |name: &str| card[name].as_str().with_context(|| format!("the card has no {name}"));
    let (title, picture) = (text("title")?, text("thumb")?);
    let params = list
        .split("/videos2/")
        .nth(1)
        .and_then(|rest| rest.strip_suffix(".json"))
        .context("unexpected path of the list")?;
    let params = params.replace("/all.", "/search.");
    let search = Url::parse_with_params(&format!("{base}/api/videos2.php"), [("params", &*params), ("s", title)])?;
    let feed = format!("{base}/videos/latest-updates/feed/");
    let place = |name, url, sign: Option<&String>| Place { name, url, sign: sign.cloned() };
    let card = sign(video_id);
    Ok(vec![
        place("page", page, None),
        place("film", format!("{base}{}", media::film(site, video_id).await?), None),
        place("picture", format!("{base}{picture}"), None),
        place("list", list, Some(&card)),
        place("search", search.into(), Some(&card)),
        place("feed", feed, Some(&link)),
        place("sitemap", sitemap(site, &link).await?, Some(&link)),
    ])
}

/// Returns the text that a list with the video contains.
fn sign(video_id: i64) -> String {
    format!("\"video_id\":{video_id},")
}

/// Finds the list of newest videos that includes the video. Returns the list's URL and the video's card.
async fn list(site: &SiteUnderTest, video_id: i64) -> anyhow::Result<(String, Value)> {
    for orientation in Gender::ALL {
        let list =
            format!("{}/api/json/videos2/86400/{orientation}/latest-updates/60/all..1.all.all.all.json", site.base);
        let bytes = site.client.get(&list).send().await?.error_for_status()?.bytes().await?;
        let mut answer: Value = serde_json::from_slice(&bytes)?;
        let cards = answer["videos"].as_array_mut().context("the list has no videos")?;
        if let Some(card) = cards.iter_mut().find(|card| card["video_id"] == video_id) {
            return Ok((list, card.take()));
        }
    }
    bail!("the video isn't among the newest of its orientation")
}

/// Returns the URL of the sitemap part that lists `link`.
async fn sitemap(site: &SiteUnderTest, link: &str) -> anyhow::Result<String> {
    let index = site.client.get(format!("{}/sitemap.xml", site.base)).send().await?.error_for_status()?.text().await?;
    for part in index.split("<loc>").skip(1) {
        let part = part.split('<').next().context("malformed sitemap index")?;
        let path = Url::parse(part)?.path().to_owned();
        let url = format!("{}{path}", site.base);
        if text(site.client.get(&url).send().await?.error_for_status()?).await?.contains(link) {
            return Ok(url);
        }
    }
    bail!("no part of the sitemap lists the video")
}

/// Returns the text of a response, decompressed if it is a gzip file.
async fn text(response: Response) -> anyhow::Result<String> {
    if response.headers().get(CONTENT_TYPE).is_none_or(|kind| kind != "application/gzip") {
        return Ok(response.text().await?);
    }
    let packed = response.bytes().await?;
    let mut text = String::new();
    GzDecoder::new(&*packed).read_to_string(&mut text)?;
    Ok(text)
}
