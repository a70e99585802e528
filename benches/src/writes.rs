//! Measures the cost of a write for the next search. Counts are exact for the snapshot that a search sees, so facet values decoded before
//! the write must be revalidated.

use std::{fmt::Write, time::Instant};

use anyhow::Context;
use lantern_index::{Filter, SearchClient};
use meilisearch_sdk::{documents::DocumentsQuery, search::Selectors};
use serde_json::{Value, json};

use crate::{
    listing::FACETS,
    load::{histogram, micros, quantile},
};

/// Number of writes per kind. Every second write reverts the previous one.
const WRITES: usize = 20;

/// Reports how long a listing with facet counts takes without writes, and right after writes to one video's views and categories. The video
/// is restored afterwards, even on failure.
pub(crate) async fn table(client: &SearchClient, out: &mut String) -> anyhow::Result<()> {
    let video = any_video(client).await?;
    let measured = measure(client, &video, out).await;
    put(client, &video).await?;
    measured
}

async fn measure(client: &SearchClient, video: &Value, out: &mut String) -> anyhow::Result<()> {
    let viewed = video["viewed"].as_u64().context("the video has no view count")?;
    let dirs = video["category_dirs"].as_array().context("the video has no categories")?;
    let views = json!({ "id": video["id"], "viewed": viewed + 1 });
    let categories = json!({ "id": video["id"], "category_dirs": dirs[..dirs.len().saturating_sub(1)] });
    writeln!(out, "\n{:<48} {:>9} {:>9}", "listing with counts", "p50", "worst")?;
    for (name, change) in [
        ("without writes", None),
        ("after a write of views", Some(views)),
        ("after a write of categories", Some(categories)),
    ] {
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
    anyhow::ensure!(task.is_success(), "the engine rejected a write: {task:?}");
    Ok(())
}

/// Returns the microseconds of a listing with counts.
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
