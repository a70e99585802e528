//! A sitemap being written: rows are read by key and packed as they come.

use std::{fmt::Write as _, io::Write as _};

use flate2::{Compression, write::GzEncoder};
use lantern_catalog::sitemap::{self, SitemapModel, SitemapPage, SitemapVideo};
use lantern_config::Lang;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;

use crate::{
    http::error::{ApiError, ApiResult},
    index::{clip_pictures, large_picture, picture, rfc3339},
    page::{
        address::{self, Address},
        escape::Escaped,
        shorten::beginning,
    },
    state::AppState,
};

/// Rows read at once.
const ROWS: i64 = 200;
/// Longest description; the page has all of it.
const DESCRIPTION: usize = 300;
/// Longest film an entry may name, in seconds.
const LONGEST: i32 = 28_800;
const OPEN: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
    <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
    xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
    xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\">";
const CLOSE: &str = "</urlset>";

/// Ids of a part: above `after`, up to `last`.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    after: i64,
    last: i64,
}

impl Block {
    pub fn of(number: i64, size: i64) -> Self {
        Self { after: number * size, last: (number + 1) * size }
    }
}

/// Pages whose entries tell little more than their address.
#[derive(Debug, Clone, Copy)]
pub enum SitemapKind {
    Albums,
    Playlists,
    Members,
}

impl SitemapKind {
    pub const ALL: [Self; 3] = [Self::Albums, Self::Playlists, Self::Members];

    /// Name in the catalog and of the parts.
    pub const fn as_str(self) -> &'static str {
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
pub enum Rows {
    Videos(Block),
    Pages(SitemapKind, Block),
    Models(Block),
    /// Addresses already known.
    Rest(Vec<Address>),
}

/// A part being written.
pub struct SitemapPart<'a> {
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
    pub async fn write(state: &'a AppState, rows: Rows) -> ApiResult<Option<(Vec<u8>, String)>> {
        let gzip = GzEncoder::new(Vec::new(), Compression::default());
        let mut part = Self { state, origin: state.config.public_url(), rows: Some(rows), gzip, gist: Sha256::new() };
        part.gzip.write_all(OPEN.as_bytes()).map_err(ApiError::internal)?;
        let mut pages = 0;
        while part.rows.is_some() {
            pages += part.page().await?;
        }
        part.gzip.write_all(CLOSE.as_bytes()).map_err(ApiError::internal)?;
        let body = part.gzip.finish().map_err(ApiError::internal)?;
        Ok((pages > 0).then(|| (body, hex::encode(part.gist.finalize()))))
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
