//! What a write costs the search after it: counts are of exactly what a search sees, so nothing decoded before a write is believed
//! unseen.

use std::{fmt::Write, time::Instant};

use anyhow::Context;
use lantern_index::{Filter, SearchClient};
use meilisearch_sdk::{documents::DocumentsQuery, search::Selectors};
use serde_json::{Value, json};

use crate::{
    listing::FACETS,
    load::{histogram, micros, quantile},
};

/// Writes of each kind; every second one puts back what the one before it changed.
const WRITES: usize = 20;

/// Prints a counted listing's time at rest, and right after writes of one video: of its views, and of its categories. The video is
/// put back afterwards, whatever happened.
pub(crate) async fn table(client: &SearchClient, out: &mut String) -> anyhow::Result<()> {
    let video = any_video(client).await?;
    let measured = measure(client, &video, out).await;
    put(client, &video).await?;
    measured
}

async fn measure(client: &SearchClient, video: &Value, out: &mut String) -> anyhow::Result<()> {
    let viewed = video["viewed"].as_u64().context("a video without views")?;
    let dirs = video["category_dirs"].as_array().context("a video without categories")?;
    let views = json!({ "id": video["id"], "viewed": viewed + 1 });
    let categories = json!({ "id": video["id"], "category_dirs": dirs[..dirs.len().saturating_sub(1)] });
    writeln!(out, "\n{:<48} {:>9} {:>9}", "a counted listing", "p50", "worst")?;
    for (name, change) in
        [("at rest", None), ("after a write of views", Some(views)), ("after a write of categories", Some(categories))]
    {
        let mut times = histogram()?;
        for turn in 0..WRITES {
            if let Some(change) = &change {
                put(client, if turn % 2 == 0 { change } else { video }).await?;
            }
            times.saturating_record(search(client).await?);
        }
        writeln!(out, "{name:<48} {:>9.2} {:>9.2}", quantile(&times, 0.5), quantile(&times, 1.0))?;
    }
    Ok(())
}

async fn any_video(client: &SearchClient) -> anyhow::Result<Value> {
    let index = client.index("videos");
    let mut query = DocumentsQuery::new(&index);
    query.with_limit(1).with_fields(["id", "viewed", "category_dirs"]);
    query.execute::<Value>().await?.results.pop().context("the index holds no videos")
}

async fn put(client: &SearchClient, video: &Value) -> anyhow::Result<()> {
    let task = client.index("videos").add_or_update(&[video], Some("id")).await?;
    let task = task.wait_for_completion(client, None, None).await?;
    anyhow::ensure!(task.is_success(), "the engine refused a write: {task:?}");
    Ok(())
}

/// Microseconds of a listing with its counts.
async fn search(client: &SearchClient) -> anyhow::Result<u64> {
    let index = client.index("videos");
    let filter = Filter::eq("gender", "str").and(Filter::between("duration", 600, 1800)).to_string();
    let started = Instant::now();
    index
        .search()
        .with_filter(&filter)
        .with_sort(&["post_date:desc", "id:desc"])
        .with_facets(Selectors::Some(&FACETS))
        .execute::<Value>()
        .await?;
    Ok(micros(started))
}
