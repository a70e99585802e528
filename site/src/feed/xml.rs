//! Writes a feed as RSS 2.0 with Media RSS.

use lantern_config::Lang;
use lantern_listing::pages::address;
use lantern_search::index::VideoCard;
use time::{
    OffsetDateTime,
    format_description::well_known::{Rfc2822, Rfc3339},
};

use crate::{document::SITE, shorten::seconds, texts::fill, xml::Xml};

/// A list of videos with its metadata. All paths are on this site.
pub struct RssFeed<'a> {
    /// Origin of the site, without a trailing slash.
    pub origin: &'a str,
    pub lang: Lang,
    /// Name of the list.
    pub title: &'a str,
    pub description: &'a str,
    /// Path of the feed itself.
    pub own: &'a str,
    /// Path of the list's page.
    pub link: &'a str,
    /// Videos, in list order.
    pub videos: &'a [VideoCard],
}

impl RssFeed<'_> {
    /// Writes the feed.
    pub fn write(&self) -> Vec<u8> {
        let Self { origin, lang, title, description, own, link, videos } = self;
        let spaces = [
            ("version", "2.0"),
            ("xmlns:media", "http://search.yahoo.com/mrss/"),
            ("xmlns:atom", "http://www.w3.org/2005/Atom"),
        ];
        let own = format!("{origin}{own}");
        let mut xml = Xml::document();
        xml.open("rss", &spaces);
        xml.open("channel", &[]);
        xml.text("title", &format!("{title} · {SITE}"));
        xml.text("link", &format!("{origin}{link}"));
        xml.text("description", description);
        xml.text("language", lang.as_str());
        xml.empty("atom:link", &[("rel", "self"), ("type", "application/rss+xml"), ("href", &own)]);
        // This is the date of the newest video rather than today, so that the same videos give the same feed.
        if let Some(date) = videos.iter().filter_map(|card| date(&card.post_date)).max() {
            dated(&mut xml, "lastBuildDate", date);
        }
        for card in *videos {
            xml.element("item", &[], |xml| self.item(xml, card));
        }
        xml.close("channel");
        xml.close("rss");
        xml.into_bytes()
    }

    fn item(&self, xml: &mut Xml, card: &VideoCard) {
        let origin = self.origin;
        let short = [("name", card.title.as_str()), ("duration", card.duration.as_str())];
        let description = fill(self.lang, "about.video", &short);
        xml.text("title", &card.title);
        xml.text("link", &format!("{origin}{}", address::video(card.video_id, &card.dir)));
        // A video that is renamed gets another address, but readers must not show it as new.
        xml.text_with("guid", &[("isPermaLink", "false")], &format!("{origin}/videos/{}/", card.video_id));
        xml.text("description", &description);
        if let Some(date) = date(&card.post_date) {
            dated(xml, "pubDate", date);
        }
        let seconds = seconds(&card.duration).to_string();
        let about = [("medium", "video"), ("duration", &*seconds), ("expression", "full")];
        xml.element("media:content", &about, |xml| self.media(xml, card, &description));
    }

    fn media(&self, xml: &mut Xml, card: &VideoCard, description: &str) {
        let origin = self.origin;
        let words: Vec<&str> = card.models.iter().chain(&card.categories).map(|item| item.title.as_str()).collect();
        // A film on another site can be played only on the video's page.
        let player = match card.pictures.has_film() {
            true => address::embed(card.video_id),
            false => address::video(card.video_id, &card.dir),
        };
        xml.empty("media:player", &[("url", &format!("{origin}{player}"))]);
        xml.text_with("media:title", &[("type", "plain")], &card.title);
        xml.text_with("media:description", &[("type", "plain")], description);
        xml.text_with("media:rating", &[("scheme", "urn:simple")], "adult");
        if !words.is_empty() {
            xml.text("media:keywords", &words.join(", "));
        }
        if !card.pictures.thumbsrc.is_empty() {
            let picture = format!("{origin}{}", card.pictures.thumbsrc);
            xml.empty("media:thumbnail", &[("url", &picture), ("width", "640"), ("height", "360")]);
        }
    }
}

fn date(text: &str) -> Option<OffsetDateTime> {
    OffsetDateTime::parse(text, &Rfc3339).ok()
}

fn dated(xml: &mut Xml, name: &str, date: OffsetDateTime) {
    // RFC 2822 does not allow years before 1900.
    if let Ok(date) = date.format(&Rfc2822) {
        xml.text(name, &date);
    }
}
