//! `/sitemap.xml` and its parts `/sitemap/{name}.xml.gz`, which list the pages that return 200, for search engines.
//!
//! One node generates them on a schedule for all nodes, and they are sent as stored (docs/adr/0030-what-a-client-may-take.md). A part
//! covers a fixed block of ids, so its name always has the same meaning.

mod part;

use std::time::{Duration, Instant};

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use lantern_catalog::{
    schedules::{self, ScheduleName},
    sitemap,
    sitemap_parts::{self, NewPart},
};
use lantern_config::{Config, Gender};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Segments, cache,
    openapi::{Doc, segment, unknown_address},
};
use serde_json::json;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use self::part::{Block, Rows, SitemapKind, SitemapPart};
use lantern_listing::pages::address::{self, Address};

use crate::{list_pages, xml::Xml};

/// Name under which the list of all parts is stored.
const INDEX: &str = "index";
const SCHEMA: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
/// External caches must revalidate, because they would otherwise continue to list videos that have been taken down.
const KEEP: &str = "public, no-cache";

/// Parts that are not split into blocks.
pub(crate) const WHOLE: [&str; 2] = ["pages", "categories"];

/// Returns the parts that are split into blocks. Their names end with the number of the block.
pub(crate) fn blocks() -> Vec<&'static str> {
    SitemapKind::ALL.into_iter().map(SitemapKind::as_str).chain(["models", "videos"]).collect()
}

pub(crate) fn index_doc(_: &Config) -> Doc {
    let example = json!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"></sitemapindex>"
    );
    Doc::new("site", "sitemap", "/sitemap.xml", "The list of all sitemaps")
        .about("Generated every `sitemap.refresh_seconds`, like its parts; 503 before the first time.")
        .answers_with("A sitemap index.", "application/xml", &json!({ "type": "string" }), &example)
        .cache_control(KEEP)
        .tagged()
}

/// Sends the list of all parts.
pub(crate) async fn index(State(pool): State<PgPool>, headers: HeaderMap) -> ApiResult<Response> {
    let kind = HeaderValue::from_static("application/xml; charset=utf-8");
    send_stored(&pool, INDEX, kind, &headers)
        .await?
        .ok_or_else(|| ApiError::unavailable("the sitemaps have not been generated yet"))
}

pub(crate) fn file_doc(config: &Config) -> Doc {
    let name = json!({ "type": "string", "pattern": format!(
        "^(?:{}|(?:{})-(?:0|[1-9][0-9]{{0,8}}))$",
        WHOLE.join("|"),
        blocks().join("|")
    ) });
    let about = format!(
        "A name listed in `/sitemap.xml`: `{}`, `{}-N`, where N counts blocks of {} ids.",
        WHOLE.join("`, `"),
        blocks().join("-N`, `"),
        config.sitemap.urls_per_file
    );
    Doc::new("site", "sitemap_part", "/sitemap/{name}.xml.gz", "One sitemap")
        .takes(segment("name", &about, name, "videos-0"))
        .answers_with(
            "Pages with their languages, pictures and films, compressed with gzip.",
            "application/gzip",
            &json!({ "type": "string", "format": "binary" }),
            &json!(""),
        )
        .cache_control(KEEP)
        .tagged()
        .refuses(unknown_address())
}

pub(crate) async fn file(State(pool): State<PgPool>, segments: Segments, headers: HeaderMap) -> ApiResult<Response> {
    let [name] = segments.take()?;
    let missing = || ApiError::NotFound("not_found");
    let name = name.strip_suffix(".xml.gz").filter(|name| *name != INDEX).ok_or_else(missing)?;
    send_stored(&pool, name, HeaderValue::from_static("application/gzip"), &headers).await?.ok_or_else(missing)
}

/// Responds with a part as stored.
async fn send_stored(pool: &PgPool, name: &str, kind: HeaderValue, headers: &HeaderMap) -> ApiResult<Option<Response>> {
    let tags: Vec<String> = cache::requested_tags(headers).map(|(_, tag)| tag.trim_matches('"').to_owned()).collect();
    let Some(part) = sitemap_parts::find(pool, name, &tags).await? else { return Ok(None) };
    let fixed =
        [(header::ETAG, cache::quoted(&part.tag, "")?), (header::CACHE_CONTROL, HeaderValue::from_static(KEEP))];
    let Some(body) = part.body else { return Ok(Some((StatusCode::NOT_MODIFIED, fixed).into_response())) };
    Ok(Some((fixed, [(header::CONTENT_TYPE, kind)], body).into_response()))
}

/// Generates the sitemaps if they are due. Only one node does so.
pub async fn make_if_due(pool: &PgPool, config: &Config, stop: &CancellationToken) -> ApiResult<()> {
    let every = Duration::from_secs(config.sitemap.refresh_seconds);
    schedules::run_if_due(pool, ScheduleName::Sitemaps, every, stop, make(pool, config)).await
}

/// Generates all sitemaps. Pauses after each part for as long as that part took, so that it uses at most half a core.
pub async fn make(pool: &PgPool, config: &Config) -> ApiResult<()> {
    let mut names = Vec::new();
    for (name, rows) in plan(pool, config).await? {
        let begun = Instant::now();
        if write(pool, config, &name, rows).await? {
            names.push(name);
        }
        tokio::time::sleep(begun.elapsed()).await;
    }
    write_list(pool, config, &names).await?;
    names.push(INDEX.to_owned());
    Ok(sitemap_parts::keep_only(pool, &names).await?)
}

/// Regenerates the parts that list objects that have been taken down since.
pub async fn make_stale(pool: &PgPool, config: &Config) -> ApiResult<()> {
    let size = i64::from(config.sitemap.urls_per_file);
    for (section, id) in sitemap_parts::stale(pool).await? {
        let number = (id - 1) / size;
        let (block, name) = (Block::of(number, size), format!("{section}s-{number}"));
        let rows = match section.as_str() {
            "video" => Some(Rows::Videos(block)),
            "album" => Some(Rows::Pages(SitemapKind::Albums, block)),
            "playlist" => Some(Rows::Pages(SitemapKind::Playlists, block)),
            _ => None,
        };
        if let Some(rows) = rows
            && !write(pool, config, &name, rows).await?
        {
            sitemap_parts::remove(pool, &name).await?;
            let names = sitemap_parts::names(pool).await?;
            write_list(pool, config, &names.into_iter().filter(|name| name != INDEX).collect::<Vec<_>>()).await?;
        }
        sitemap_parts::freshen(pool, &section, id).await?;
    }
    Ok(())
}

/// Writes a part and stores it. Returns false if the part has no pages.
async fn write(pool: &PgPool, config: &Config, name: &str, rows: Rows) -> ApiResult<bool> {
    let read_at = sitemap_parts::now(pool).await?;
    let Some((body, gist)) = SitemapPart::write(pool, config, rows).await? else { return Ok(false) };
    store(pool, config, NewPart { name, body: &body, tag: &cache::etag_text(&body), gist: &gist, read_at }).await?;
    Ok(true)
}

async fn write_list(pool: &PgPool, config: &Config, names: &[String]) -> ApiResult<()> {
    let read_at = sitemap_parts::now(pool).await?;
    let body = list(&config.public_url(), names);
    let tag = cache::etag_text(&body);
    store(pool, config, NewPart { name: INDEX, body: &body, tag: &tag, gist: &tag, read_at }).await
}

async fn store(pool: &PgPool, config: &Config, part: NewPart<'_>) -> ApiResult<()> {
    let counters_every = Duration::from_secs(config.sitemap.counters_seconds);
    Ok(sitemap_parts::keep(pool, &part, counters_every).await?)
}

/// Returns every possible part, in the order of the list.
async fn plan(pool: &PgPool, config: &Config) -> ApiResult<Vec<(String, Rows)>> {
    let (pool, size) = (pool, i64::from(config.sitemap.urls_per_file));
    let pages = list_pages::lists(&sitemap::orientations(pool).await?);
    let mut plan = vec![("pages".to_owned(), Rows::Rest(pages))];
    plan.push(("categories".to_owned(), Rows::Rest(categories(pool).await?)));
    for block in sitemap::model_blocks(pool, size).await? {
        plan.push((format!("models-{block}"), Rows::Models(Block::of(block, size))));
    }
    for kind in SitemapKind::ALL {
        for block in sitemap::page_blocks(pool, kind.as_str(), size).await? {
            plan.push((format!("{}-{block}", kind.as_str()), Rows::Pages(kind, Block::of(block, size))));
        }
    }
    for block in sitemap::video_blocks(pool, size).await? {
        plan.push((format!("videos-{block}"), Rows::Videos(Block::of(block, size))));
    }
    Ok(plan)
}

fn list(origin: &str, names: &[String]) -> Vec<u8> {
    let mut xml = Xml::document();
    xml.element("sitemapindex", &[("xmlns", SCHEMA)], |xml| {
        for name in names {
            xml.element("sitemap", &[], |xml| xml.text("loc", &format!("{origin}/sitemap/{name}.xml.gz")));
        }
    });
    xml.into_bytes()
}

/// Returns the addresses of all categories that have videos, for each orientation.
async fn categories(pool: &PgPool) -> ApiResult<Vec<Address>> {
    let mut found = Vec::new();
    for gender in Gender::ALL {
        let dirs = sitemap::categories(pool, gender.as_str()).await?;
        found.extend(dirs.iter().map(|dir| address::category(dir).gender(*gender)));
    }
    Ok(found)
}
