//! `/sitemap.xml` and its parts `/sitemap/{name}.xml.gz`: pages that answer 200, for search engines.
//!
//! A part holds a block of ids, so its name means the same for ever and no answer is counted before it
//! is written. Rows are read by key and packed as they come: a part costs one page of rows in memory.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
};

use axum::{
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use flate2::{Compression, write::GzEncoder};
use futures_util::stream::try_unfold;
use lantern_catalog::sitemap::{self, SitemapModel, SitemapPage, SitemapVideo};
use lantern_config::{Gender, Lang};
use time::OffsetDateTime;

use super::{
    address::{self, Address},
    escape::Text,
    fixed, page,
    shorten::beginning,
};
use crate::{
    error::{ApiError, ApiResult},
    extract::{Segments, number},
    index::{clip_pictures, large_picture, picture, rfc3339},
    state::AppState,
};

/// Rows read at once.
const ROWS: i64 = 200;
/// Longest description; the page has all of it.
const DESCRIPTION: usize = 300;
/// Longest film an entry may name, in seconds.
const LONGEST: i32 = 28_800;
const KEEP: HeaderValue = HeaderValue::from_static("public, max-age=3600");
const OPEN: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
    <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
    xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
    xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\">";
const CLOSE: &str = "</urlset>";

/// Parts that are whole.
pub(crate) const WHOLE: [&str; 2] = ["pages", "categories"];

/// Parts that come in blocks, whose number their name ends with.
pub(crate) fn blocks() -> Vec<&'static str> {
    Kind::ALL.into_iter().map(Kind::as_str).chain(["models", "videos"]).collect()
}

/// The list of all parts.
///
/// # Errors
/// When the catalog can't answer.
pub async fn index(State(state): State<AppState>, headers: HeaderMap) -> ApiResult<Response> {
    let size = state.config.sitemap.urls_per_file.into();
    let videos = sitemap::video_blocks(&state.pool, size).await?;
    let models = sitemap::model_blocks(&state.pool, size).await?;
    let origin = page::origin(&state, &headers);
    let names = WHOLE.map(str::to_owned).into_iter();
    let mut names: Vec<String> = names.chain(models.into_iter().map(|block| format!("models-{block}"))).collect();
    for kind in Kind::ALL {
        let blocks = sitemap::page_blocks(&state.pool, kind.as_str(), size).await?;
        names.extend(blocks.into_iter().map(|block| format!("{}-{block}", kind.as_str())));
    }
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">",
    );
    for name in names.into_iter().chain(videos.into_iter().map(|block| format!("videos-{block}"))) {
        // Writing to a String can't fail, here and below.
        let _ = write!(xml, "<sitemap><loc>{}</loc></sitemap>", Text(format!("{origin}/sitemap/{name}.xml.gz")));
    }
    xml.push_str("</sitemapindex>");
    let kind = HeaderValue::from_static("application/xml; charset=utf-8");
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, KEEP)], xml).into_response())
}

/// One part.
///
/// # Errors
/// 404 for a part without pages.
pub async fn file(State(state): State<AppState>, segments: Segments, headers: HeaderMap) -> ApiResult<Response> {
    let [name] = segments.take()?;
    let missing = ApiError::NotFound("not_found");
    let name = name.strip_suffix(".xml.gz").ok_or(missing.clone())?;
    let origin = page::origin(&state, &headers);
    let rows = match name.split_once('-') {
        None if name == "pages" => Rows::Rest(fixed::lists(&sitemap::orientations(&state.pool).await?)),
        None if name == "categories" => Rows::Rest(categories(&state).await?),
        Some((kind, block)) if let Some(kind) = Kind::ALL.into_iter().find(|known| known.as_str() == kind) => {
            Rows::Pages(kind, Block::of(block, &state)?)
        }
        Some(("models", block)) => Rows::Models(Block::of(block, &state)?),
        Some(("videos", block)) => Rows::Videos(Block::of(block, &state)?),
        _ => return Err(missing),
    };
    let mut part = Part { state, origin, rows: Some(rows), gzip: GzEncoder::new(Vec::new(), Compression::default()) };
    part.gzip.write_all(OPEN.as_bytes()).map_err(ApiError::internal)?;
    // Before anything is sent, so that a part without pages is still 404.
    if part.page().await? == 0 {
        return Err(missing);
    }
    let stream = try_unfold(Some(part), |part| async {
        let Some(part) = part else { return Ok(None) };
        part.next().await.map(Some).inspect_err(|error| tracing::error!(%error, "a sitemap was cut off"))
    });
    let kind = HeaderValue::from_static("application/gzip");
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, KEEP)], Body::from_stream(stream)).into_response())
}

/// The categories of every orientation that has videos in them.
async fn categories(state: &AppState) -> ApiResult<Vec<Address>> {
    let mut found = Vec::new();
    for gender in Gender::ALL {
        let dirs = sitemap::categories(&state.pool, gender.as_str()).await?;
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
    fn of(text: &str, state: &AppState) -> ApiResult<Self> {
        let size = i64::from(state.config.sitemap.urls_per_file);
        let block = i64::from(number(text, 0..=u32::MAX)?);
        Ok(Self { after: block * size, last: (block + 1) * size })
    }
}

/// Pages whose entries tell little more than their address.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Albums,
    Playlists,
    Members,
}

impl Kind {
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
    Pages(Kind, Block),
    Models(Block),
    /// Addresses already known.
    Rest(Vec<Address>),
}

/// A part being written.
struct Part {
    state: AppState,
    origin: String,
    /// `None` after the last.
    rows: Option<Rows>,
    gzip: GzEncoder<Vec<u8>>,
}

impl Part {
    /// The next bytes, and the part if it is not at its end.
    async fn next(mut self) -> io::Result<(Bytes, Option<Self>)> {
        if self.page().await.map_err(io::Error::other)? > 0 {
            let packed = std::mem::take(self.gzip.get_mut());
            return Ok((packed.into(), Some(self)));
        }
        self.gzip.write_all(CLOSE.as_bytes())?;
        Ok((self.gzip.finish()?.into(), None))
    }

    /// Writes one page of rows; how many they were.
    async fn page(&mut self) -> ApiResult<usize> {
        let Some(rows) = self.rows.take() else { return Ok(0) };
        let mut xml = String::new();
        let (count, rest) = match rows {
            Rows::Videos(block) => {
                let found = sitemap::videos(&self.state.pool, block.after, block.last, ROWS).await?;
                found.iter().for_each(|video| self.video(&mut xml, video));
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
        self.gzip.write_all(xml.as_bytes()).map_err(ApiError::internal)?;
        Ok(count)
    }

    /// A page in every language, with when it changed and more about it.
    fn entry(&self, xml: &mut String, address: &Address, modified: Option<OffsetDateTime>, more: &str) {
        let origin = &self.origin;
        let _ = write!(xml, "<url><loc>{}</loc>", Text(format!("{origin}{}", address.in_lang(None))));
        if let Some(at) = modified {
            let _ = write!(xml, "<lastmod>{}</lastmod>", rfc3339(at.unix_timestamp()));
        }
        let named = Lang::ALL.iter().map(|lang| (lang.as_str(), Some(*lang)));
        for (name, lang) in named.chain([("x-default", None)]) {
            let href = format!("{origin}{}", address.in_lang(lang));
            let _ = write!(xml, "<xhtml:link rel=\"alternate\" hreflang=\"{name}\" href=\"{}\" />", Text(href));
        }
        let _ = write!(xml, "{more}</url>");
    }

    fn image(&self, path: &str) -> String {
        format!("<image:image><image:loc>{}</image:loc></image:image>", Text(format!("{}{path}", self.origin)))
    }

    fn model(&self, xml: &mut String, model: &SitemapModel) {
        let image = model.picture_key.as_deref().map(|key| self.image(&picture(Some(key)))).unwrap_or_default();
        self.entry(xml, &Address::new(address::model(&model.dir)), Some(model.modified_at), &image);
    }

    fn object(&self, xml: &mut String, kind: Kind, page: &SitemapPage) {
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
            Text(format!("{origin}{poster}")),
            Text(&video.title),
            Text(beginning(about, DESCRIPTION)),
            Text(format!("{origin}{}", address::embed(video.id))),
            video.duration.clamp(1, LONGEST),
            video.rating,
            video.viewed,
            rfc3339(video.post_date.unix_timestamp()),
        );
        // Elements come in the order of the format's schema.
        for name in video.models.iter().take(32) {
            let _ = write!(more, "<video:tag>{}</video:tag>", Text(name));
        }
        more.push_str(
            "<video:family_friendly>no</video:family_friendly><video:requires_subscription>no</video:requires_subscription>\
             <video:live>no</video:live></video:video>",
        );
        self.entry(xml, &address, posted, &more);
    }
}
