//! Writes a sitemap by reading rows by key and compressing them as they arrive.

use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};
use lantern_catalog::sitemap::{self, SitemapModel, SitemapPage, SitemapVideo};
use lantern_config::{Config, Lang, import};
use lantern_errors::{ApiError, ApiResult};
use lantern_listing::pages::address::{self, Address};
use lantern_media::pictures::{large_picture, picture};
use lantern_search::index::{clip_pictures, rfc3339};
use sha2::{Digest, Sha256};
use sqlx::PgPool;
use time::OffsetDateTime;

use crate::{
    player::{self, PlayerOptions},
    shorten::beginning,
    sitemap::SCHEMA,
    xml::Xml,
};

/// Number of rows read at once.
const ROWS: i64 = 200;
/// Maximum length of a description in characters. The page contains the full description.
const DESCRIPTION: usize = 300;
/// Maximum duration that an entry may have, in seconds.
const LONGEST: i32 = 28_800;
/// Root element, and the namespaces for its content.
const ROOT: &str = "urlset";
const FORMATS: [(&str, &str); 4] = [
    ("xmlns", SCHEMA),
    ("xmlns:xhtml", "http://www.w3.org/1999/xhtml"),
    ("xmlns:image", "http://www.google.com/schemas/sitemap-image/1.1"),
    ("xmlns:video", "http://www.google.com/schemas/sitemap-video/1.1"),
];

/// Ids in a part: those above `after`, up to and including `last`.
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

/// Pages whose entries contain little more than their address.
#[derive(Debug, Clone, Copy)]
pub enum SitemapKind {
    Albums,
    Playlists,
    Members,
}

impl SitemapKind {
    pub const ALL: [Self; 3] = [Self::Albums, Self::Playlists, Self::Members];

    /// Returns the name in the catalog and in the names of parts.
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

/// Entries that have yet to be written.
pub enum Rows {
    Videos(Block),
    Pages(SitemapKind, Block),
    Models(Block),
    /// Addresses that are already known.
    Rest(Vec<Address>),
}

pub struct SitemapPart<'a> {
    pool: &'a PgPool,
    config: &'a Config,
    origin: String,
    /// Remaining rows, or `None` after the last batch.
    rows: Option<Rows>,
    gzip: GzEncoder<Vec<u8>>,
    /// Digest of the content, excluding counters.
    gist: Sha256,
}

impl<'a> SitemapPart<'a> {
    /// Writes a whole part. Returns it compressed, with the digest of its content excluding counters, or `None` if it has no pages.
    pub async fn write(pool: &'a PgPool, config: &'a Config, rows: Rows) -> ApiResult<Option<(Vec<u8>, String)>> {
        let gzip = GzEncoder::new(Vec::new(), Compression::default());
        let mut part = Self { pool, config, origin: config.public_url(), rows: Some(rows), gzip, gist: Sha256::new() };
        let (mut begin, mut end) = (Xml::document(), Xml::part());
        begin.open(ROOT, &FORMATS);
        end.close(ROOT);
        part.gzip.write_all(&begin.into_bytes()).map_err(ApiError::internal)?;
        let mut pages = 0;
        while part.rows.is_some() {
            pages += part.write_batch().await?;
        }
        part.gzip.write_all(&end.into_bytes()).map_err(ApiError::internal)?;
        let body = part.gzip.finish().map_err(ApiError::internal)?;
        Ok((pages > 0).then(|| (body, hex::encode(part.gist.finalize()))))
    }

    /// Writes one batch of rows and returns their number.
    async fn write_batch(&mut self) -> ApiResult<usize> {
        let Some(rows) = self.rows.take() else { return Ok(0) };
        let (mut xml, mut without_counters) = (Xml::part(), None);
        let (count, rest) = match rows {
            Rows::Videos(block) => {
                let mut found = sitemap::videos(self.pool, block.after, block.last, ROWS).await?;
                found.iter().for_each(|video| self.video(&mut xml, video));
                let without = without_counters.insert(Xml::part());
                for video in &mut found {
                    (video.viewed, video.rating) = (0, 0.0);
                    self.video(without, video);
                }
                (found.len(), found.last().map(|video| Rows::Videos(Block { after: video.id, ..block })))
            }
            Rows::Pages(kind, block) => {
                let found = sitemap::pages(self.pool, kind.as_str(), block.after, block.last, ROWS).await?;
                found.iter().for_each(|page| self.object(&mut xml, kind, page));
                (found.len(), found.last().map(|page| Rows::Pages(kind, Block { after: page.id, ..block })))
            }
            Rows::Models(block) => {
                let found = sitemap::models(self.pool, block.after, block.last, ROWS).await?;
                found.iter().for_each(|model| self.model(&mut xml, model));
                (found.len(), found.last().map(|model| Rows::Models(Block { after: model.id, ..block })))
            }
            Rows::Rest(addresses) => {
                addresses.iter().for_each(|address| self.entry(&mut xml, address, None, |_| {}));
                (addresses.len(), None)
            }
        };
        self.rows = rest;
        let xml = xml.into_bytes();
        self.gist.update(without_counters.map_or_else(|| xml.clone(), Xml::into_bytes));
        self.gzip.write_all(&xml).map_err(ApiError::internal)?;
        Ok(count)
    }

    /// Writes the entry for a page: its address in every language, the time when it changed, and `more`.
    fn entry(&self, xml: &mut Xml, address: &Address, modified: Option<OffsetDateTime>, more: impl FnOnce(&mut Xml)) {
        let at = |lang| format!("{}{}", self.origin, address.in_lang(lang));
        xml.element("url", &[], |xml| {
            xml.text("loc", &at(None));
            if let Some(modified) = modified {
                xml.text("lastmod", &rfc3339(modified.unix_timestamp()));
            }
            let named = Lang::ALL.iter().map(|lang| (lang.as_str(), Some(*lang)));
            for (name, lang) in named.chain([("x-default", None)]) {
                xml.empty("xhtml:link", &[("rel", "alternate"), ("hreflang", name), ("href", &at(lang))]);
            }
            more(xml);
        });
    }

    fn image(&self, xml: &mut Xml, path: &str) {
        xml.element("image:image", &[], |xml| xml.text("image:loc", &format!("{}{path}", self.origin)));
    }

    fn model(&self, xml: &mut Xml, model: &SitemapModel) {
        self.entry(xml, &Address::new(address::model(&model.dir)), Some(model.modified_at), |xml| {
            if let Some(key) = &model.picture_key {
                self.image(xml, &picture(Some(key)));
            }
        });
    }

    fn object(&self, xml: &mut Xml, kind: SitemapKind, page: &SitemapPage) {
        self.entry(xml, &Address::new(kind.path(page)), page.modified_at, |xml| {
            if let Some(key) = &page.picture_key {
                self.image(xml, &large_picture(Some(key)));
            }
        });
    }

    fn video(&self, xml: &mut Xml, video: &SitemapVideo) {
        let address = Address::new(address::video(video.id, &video.dir));
        self.entry(xml, &address, Some(video.post_date), |xml| {
            // The format requires a picture, so a film without one is not listed, although its page is.
            if let Some(key) = &video.media_key {
                let poster = clip_pictures(Some(key), 0).img;
                self.image(xml, &poster);
                let elsewhere = video.ex_tube.as_deref().zip(video.ex_id.as_deref());
                let elsewhere = elsewhere.and_then(|(site, id)| import::player(&self.config.embeds, site, id));
                // A video without a player is listed only with its picture.
                if let Some(player) = player::address(
                    &self.origin,
                    video.id,
                    elsewhere.as_deref(),
                    video.has_film,
                    PlayerOptions::default(),
                ) {
                    xml.element("video:video", &[], |xml| self.film(xml, video, &poster, &player));
                }
            }
        });
    }

    /// Writes the entry for a film. Its elements are in the order of the format's schema.
    fn film(&self, xml: &mut Xml, video: &SitemapVideo, poster: &str, player: &str) {
        let origin = &self.origin;
        let about = if video.description.trim().is_empty() { &video.title } else { &video.description };
        xml.text("video:thumbnail_loc", &format!("{origin}{poster}"));
        xml.text("video:title", &video.title);
        xml.text("video:description", &beginning(about, DESCRIPTION));
        xml.text("video:player_loc", player);
        xml.text("video:duration", &video.duration.clamp(1, LONGEST).to_string());
        xml.text("video:rating", &format!("{:.1}", video.rating));
        xml.text("video:view_count", &video.viewed.to_string());
        xml.text("video:publication_date", &rfc3339(video.post_date.unix_timestamp()));
        for name in video.models.iter().take(32) {
            xml.text("video:tag", name);
        }
        for (name, value) in [("family_friendly", "no"), ("requires_subscription", "no"), ("live", "no")] {
            xml.text(&format!("video:{name}"), value);
        }
    }
}
