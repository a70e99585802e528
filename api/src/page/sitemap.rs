//! `/sitemap.xml` and its parts `/sitemap/{name}.xml.gz`: pages that answer 200, for search engines.
//!
//! They are made on a schedule, by one node for all, and sent as they were made (docs/adr/0030-what-a-client-may-take.md). A part
//! holds a block of ids, so its name means the same for ever. Rows are read by key and packed as they come.

use std::{
    fmt::Write as _,
    io::Write as _,
    time::{Duration, Instant},
};

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use flate2::{Compression, write::GzEncoder};
use lantern_catalog::{
    sitemap::{self, SitemapModel, SitemapPage, SitemapVideo},
    sitemap_parts::{self, NewPart},
};
use lantern_config::{Config, Gender, Lang};
use serde_json::json;
use sha2::{Digest, Sha256};
use sqlx::PgPool;
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;

use super::{
    address::{self, Address},
    escape::Escaped,
    fixed,
    shorten::beginning,
};
use crate::{
    cache,
    http::{
        error::{ApiError, ApiResult},
        extract::Segments,
    },
    index::{clip_pictures, large_picture, picture, rfc3339},
    openapi::{Doc, errors::unknown_address, params::segment},
    state::AppState,
    text::hex,
};

/// Rows read at once.
const ROWS: i64 = 200;
/// Longest description; the page has all of it.
const DESCRIPTION: usize = 300;
/// Longest film an entry may name, in seconds.
const LONGEST: i32 = 28_800;
/// The list of all parts among them.
const INDEX: &str = "index";
/// Between two looks whether they are due.
const LOOK_EVERY: Duration = Duration::from_secs(15);
const OPEN: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
    <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
    xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
    xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\">";
const CLOSE: &str = "</urlset>";

/// Parts that are whole.
pub(crate) const WHOLE: [&str; 2] = ["pages", "categories"];

/// Parts that come in blocks, whose number their name ends with.
pub(crate) fn blocks() -> Vec<&'static str> {
    SitemapKind::ALL.into_iter().map(SitemapKind::as_str).chain(["models", "videos"]).collect()
}

pub fn index_doc(_: &Config) -> Doc {
    let example = json!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"></sitemapindex>"
    );
    Doc::new("site", "sitemap", "/sitemap.xml", "The list of all sitemaps")
        .about("Made every `sitemap.refresh_seconds`, as its parts are; 503 before the first time.")
        .answers_with("A sitemap index.", "application/xml", &json!({ "type": "string" }), &example)
        .kept("public, max-age=600")
        .tagged()
}

/// The list of all parts.
///
/// # Errors
/// 503 before they were made for the first time.
pub async fn index(State(state): State<AppState>, headers: HeaderMap) -> ApiResult<Response> {
    let kind = HeaderValue::from_static("application/xml; charset=utf-8");
    kept(&state.config, &state.pool, INDEX, kind, &headers)
        .await?
        .ok_or_else(|| ApiError::unavailable("the sitemaps are being made"))
}

pub fn file_doc(config: &Config) -> Doc {
    let name = json!({ "type": "string", "pattern": format!(
        "^(?:{}|(?:{})-(?:0|[1-9][0-9]{{0,8}}))$",
        WHOLE.join("|"),
        blocks().join("|")
    ) });
    let about = format!(
        "As `/sitemap.xml` names them: `{}`, `{}-N`, where N counts blocks of {} ids.",
        WHOLE.join("`, `"),
        blocks().join("-N`, `"),
        config.sitemap.urls_per_file
    );
    Doc::new("site", "sitemap_part", "/sitemap/{name}.xml.gz", "One sitemap")
        .takes(segment("name", &about, name, "videos-0"))
        .answers_with(
            "Pages with their languages, pictures and films, packed with gzip.",
            "application/gzip",
            &json!({ "type": "string", "format": "binary" }),
            &json!(""),
        )
        .kept("public, max-age=600")
        .tagged()
        .refuses(unknown_address())
}

/// One part.
///
/// # Errors
/// 404 for a part without pages.
pub async fn file(State(state): State<AppState>, segments: Segments, headers: HeaderMap) -> ApiResult<Response> {
    let [name] = segments.take()?;
    let missing = || ApiError::NotFound("not_found");
    let name = name.strip_suffix(".xml.gz").filter(|name| *name != INDEX).ok_or_else(missing)?;
    kept(&state.config, &state.pool, name, HeaderValue::from_static("application/gzip"), &headers)
        .await?
        .ok_or_else(missing)
}

/// A part as it was made.
async fn kept(
    config: &Config,
    pool: &PgPool,
    name: &str,
    kind: HeaderValue,
    asked: &HeaderMap,
) -> ApiResult<Option<Response>> {
    let tags: Vec<String> = cache::asked_tags(asked).map(|(_, tag)| tag.trim_matches('"').to_owned()).collect();
    let Some(part) = sitemap_parts::find(pool, name, &tags).await? else { return Ok(None) };
    let keep = HeaderValue::try_from(format!("public, max-age={}", config.sitemap.refresh_seconds));
    let fixed =
        [(header::ETAG, cache::quoted(&part.tag, "")?), (header::CACHE_CONTROL, keep.map_err(ApiError::internal)?)];
    let Some(body) = part.body else { return Ok(Some((StatusCode::NOT_MODIFIED, fixed).into_response())) };
    Ok(Some((fixed, [(header::CONTENT_TYPE, kind)], body).into_response()))
}

/// Makes the sitemaps whenever they are due, until `stop`; of several nodes one does.
pub async fn make_when_due(state: AppState, stop: CancellationToken) {
    let every = Duration::from_secs(state.config.sitemap.refresh_seconds);
    let due = async || -> ApiResult<()> {
        if sitemap_parts::claim(&state.pool, every).await? { make(&state).await } else { Ok(()) }
    };
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            made = due() => if let Err(error) = made {
                tracing::error!(%error, "the sitemaps can't be made; the old ones stay until they are due again");
            }
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(LOOK_EVERY.min(every)) => {}
        }
    }
}

/// Makes all of them anew. After each part it rests as long as that took: at most half a core is theirs.
pub async fn make(state: &AppState) -> ApiResult<()> {
    let mut names = Vec::new();
    for (name, rows) in plan(state).await? {
        let begun = Instant::now();
        let Some((body, gist)) = SitemapPart::write(state, rows).await? else { continue };
        keep(&state.config, &state.pool, &name, &body, &gist).await?;
        names.push(name);
        tokio::time::sleep(begun.elapsed()).await;
    }
    let list = list(&state.config.public_url(), &names);
    keep(&state.config, &state.pool, INDEX, list.as_bytes(), &cache::etag_text(list.as_bytes())).await?;
    names.push(INDEX.to_owned());
    Ok(sitemap_parts::keep_only(&state.pool, &names).await?)
}

async fn keep(config: &Config, pool: &PgPool, name: &str, body: &[u8], gist: &str) -> ApiResult<()> {
    let part = NewPart { name, body, tag: &cache::etag_text(body), gist };
    let counters_every = Duration::from_secs(config.sitemap.counters_seconds);
    Ok(sitemap_parts::keep(pool, &part, counters_every).await?)
}

/// Every part there may be, in the order of the list.
async fn plan(state: &AppState) -> ApiResult<Vec<(String, Rows)>> {
    let (pool, size) = (&state.pool, i64::from(state.config.sitemap.urls_per_file));
    let pages = fixed::lists(&sitemap::orientations(pool).await?);
    let mut plan = vec![("pages".to_owned(), Rows::Rest(pages))];
    plan.push(("categories".to_owned(), Rows::Rest(categories(&state.pool).await?)));
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

fn list(origin: &str, names: &[String]) -> String {
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">",
    );
    for name in names {
        // Writing to a String can't fail, here and below.
        let _ = write!(xml, "<sitemap><loc>{}</loc></sitemap>", Escaped(format!("{origin}/sitemap/{name}.xml.gz")));
    }
    xml.push_str("</sitemapindex>");
    xml
}

/// The categories of every orientation that has videos in them.
async fn categories(pool: &PgPool) -> ApiResult<Vec<Address>> {
    let mut found = Vec::new();
    for gender in Gender::ALL {
        let dirs = sitemap::categories(pool, gender.as_str()).await?;
        found.extend(dirs.iter().map(|dir| address::category(dir).gender(*gender)));
    }
    Ok(found)
}

/// Ids of a part: above `after`, up to `last`.
#[derive(Debug, Clone, Copy)]
struct Block {
    after: i64,
    last: i64,
}

impl Block {
    fn of(number: i64, size: i64) -> Self {
        Self { after: number * size, last: (number + 1) * size }
    }
}

/// Pages whose entries tell little more than their address.
#[derive(Debug, Clone, Copy)]
enum SitemapKind {
    Albums,
    Playlists,
    Members,
}

impl SitemapKind {
    const ALL: [Self; 3] = [Self::Albums, Self::Playlists, Self::Members];

    /// Name in the catalog and of the parts.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Albums => "albums",
            Self::Playlists => "playlists",
            Self::Members => "members",
        }
    }

    fn path(self, SitemapPage { id, dir, .. }: &SitemapPage) -> String {
        match self {
            Self::Albums => address::album(*id, dir),
            Self::Playlists => address::playlist(*id),
            Self::Members => format!("{}{dir}", address::member(*id)),
        }
    }
}

/// What is still to be written.
enum Rows {
    Videos(Block),
    Pages(SitemapKind, Block),
    Models(Block),
    /// Addresses already known.
    Rest(Vec<Address>),
}

/// A part being written.
struct SitemapPart<'a> {
    state: &'a AppState,
    origin: String,
    /// `None` after the last.
    rows: Option<Rows>,
    gzip: GzEncoder<Vec<u8>>,
    /// Of what is said apart from counters.
    gist: Sha256,
}

impl<'a> SitemapPart<'a> {
    /// All of it, packed, with what names its gist; `None` when it has no pages.
    async fn write(state: &'a AppState, rows: Rows) -> ApiResult<Option<(Vec<u8>, String)>> {
        let gzip = GzEncoder::new(Vec::new(), Compression::default());
        let mut part = Self { state, origin: state.config.public_url(), rows: Some(rows), gzip, gist: Sha256::new() };
        part.gzip.write_all(OPEN.as_bytes()).map_err(ApiError::internal)?;
        let mut pages = 0;
        while part.rows.is_some() {
            pages += part.page().await?;
        }
        part.gzip.write_all(CLOSE.as_bytes()).map_err(ApiError::internal)?;
        let body = part.gzip.finish().map_err(ApiError::internal)?;
        Ok((pages > 0).then(|| (body, hex::encode(&part.gist.finalize()))))
    }

    /// Writes one page of rows; how many they were.
    async fn page(&mut self) -> ApiResult<usize> {
        let Some(rows) = self.rows.take() else { return Ok(0) };
        let (mut xml, mut said) = (String::new(), None);
        let (count, rest) = match rows {
            Rows::Videos(block) => {
                let mut found = sitemap::videos(&self.state.pool, block.after, block.last, ROWS).await?;
                found.iter().for_each(|video| self.video(&mut xml, video));
                let apart = said.insert(String::new());
                for video in &mut found {
                    (video.viewed, video.rating) = (0, 0.0);
                    self.video(apart, video);
                }
                (found.len(), found.last().map(|video| Rows::Videos(Block { after: video.id, ..block })))
            }
            Rows::Pages(kind, block) => {
                let found = sitemap::pages(&self.state.pool, kind.as_str(), block.after, block.last, ROWS).await?;
                found.iter().for_each(|page| self.object(&mut xml, kind, page));
                (found.len(), found.last().map(|page| Rows::Pages(kind, Block { after: page.id, ..block })))
            }
            Rows::Models(block) => {
                let found = sitemap::models(&self.state.pool, block.after, block.last, ROWS).await?;
                found.iter().for_each(|model| self.model(&mut xml, model));
                (found.len(), found.last().map(|model| Rows::Models(Block { after: model.id, ..block })))
            }
            Rows::Rest(addresses) => {
                addresses.iter().for_each(|address| self.entry(&mut xml, address, None, ""));
                (addresses.len(), None)
            }
        };
        self.rows = rest;
        self.gist.update(said.as_ref().unwrap_or(&xml));
        self.gzip.write_all(xml.as_bytes()).map_err(ApiError::internal)?;
        Ok(count)
    }

    /// A page in every language, with when it changed and more about it.
    fn entry(&self, xml: &mut String, address: &Address, modified: Option<OffsetDateTime>, more: &str) {
        let origin = &self.origin;
        let _ = write!(xml, "<url><loc>{}</loc>", Escaped(format!("{origin}{}", address.in_lang(None))));
        if let Some(at) = modified {
            let _ = write!(xml, "<lastmod>{}</lastmod>", rfc3339(at.unix_timestamp()));
        }
        let named = Lang::ALL.iter().map(|lang| (lang.as_str(), Some(*lang)));
        for (name, lang) in named.chain([("x-default", None)]) {
            let href = format!("{origin}{}", address.in_lang(lang));
            let _ = write!(xml, "<xhtml:link rel=\"alternate\" hreflang=\"{name}\" href=\"{}\" />", Escaped(href));
        }
        let _ = write!(xml, "{more}</url>");
    }

    fn image(&self, path: &str) -> String {
        format!("<image:image><image:loc>{}</image:loc></image:image>", Escaped(format!("{}{path}", self.origin)))
    }

    fn model(&self, xml: &mut String, model: &SitemapModel) {
        let image = model.picture_key.as_deref().map(|key| self.image(&picture(Some(key)))).unwrap_or_default();
        self.entry(xml, &Address::new(address::model(&model.dir)), Some(model.modified_at), &image);
    }

    fn object(&self, xml: &mut String, kind: SitemapKind, page: &SitemapPage) {
        let image = page.picture_key.as_deref().map(|key| self.image(&large_picture(Some(key)))).unwrap_or_default();
        self.entry(xml, &Address::new(kind.path(page)), page.modified_at, &image);
    }

    fn video(&self, xml: &mut String, video: &SitemapVideo) {
        let address = Address::new(address::video(video.id, &video.dir));
        let posted = Some(video.post_date);
        // Without a picture a film has no entry; its page has.
        let Some(key) = &video.media_key else { return self.entry(xml, &address, posted, "") };
        let origin = &self.origin;
        let poster = clip_pictures(Some(key), 0).img;
        let about = if video.description.trim().is_empty() { &video.title } else { &video.description };
        let mut more = self.image(&poster);
        let _ = write!(
            more,
            "<video:video><video:thumbnail_loc>{}</video:thumbnail_loc><video:title>{}</video:title>\
             <video:description>{}</video:description><video:player_loc>{}</video:player_loc>\
             <video:duration>{}</video:duration><video:rating>{:.1}</video:rating><video:view_count>{}</video:view_count>\
             <video:publication_date>{}</video:publication_date>",
            Escaped(format!("{origin}{poster}")),
            Escaped(&video.title),
            Escaped(beginning(about, DESCRIPTION)),
            Escaped(format!("{origin}{}", address::embed(video.id))),
            video.duration.clamp(1, LONGEST),
            video.rating,
            video.viewed,
            rfc3339(video.post_date.unix_timestamp()),
        );
        // Elements come in the order of the format's schema.
        for name in video.models.iter().take(32) {
            let _ = write!(more, "<video:tag>{}</video:tag>", Escaped(name));
        }
        more.push_str(
            "<video:family_friendly>no</video:family_friendly><video:requires_subscription>no</video:requires_subscription>\
             <video:live>no</video:live></video:video>",
        );
        self.entry(xml, &address, posted, &more);
    }
}
