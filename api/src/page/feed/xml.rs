//! A feed as RSS 2.0 with Media RSS.

use std::fmt;

use lantern_config::Lang;
use time::{
    OffsetDateTime,
    format_description::well_known::{Rfc2822, Rfc3339},
};

use crate::{
    index::VideoCard,
    page::{address, document::SITE, escape::Escaped, shorten::seconds, texts::fill},
};

/// A list of videos and what is said of it; paths are those of this site.
pub struct RssFeed<'a> {
    /// The site's address without a slash.
    pub origin: &'a str,
    /// Language of its texts.
    pub lang: Lang,
    /// What the list is called.
    pub title: &'a str,
    /// A sentence about it.
    pub description: &'a str,
    /// Where the feed itself is.
    pub own: &'a str,
    /// The page of the list.
    pub link: &'a str,
    /// Its videos in its order.
    pub videos: &'a [VideoCard],
}

impl fmt::Display for RssFeed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { origin, lang, title, description, own, link, videos } = self;
        write!(
            f,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
             <rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\" xmlns:atom=\"http://www.w3.org/2005/Atom\">\
             <channel><title>{}</title><link>{}</link><description>{}</description><language>{lang}</language>\
             <atom:link rel=\"self\" type=\"application/rss+xml\" href=\"{}\" />",
            Escaped(format!("{title} · {SITE}")),
            Escaped(format!("{origin}{link}")),
            Escaped(description),
            Escaped(format!("{origin}{own}"))
        )?;
        // The newest video, not the clock: the same videos are the same feed.
        if let Some(date) = videos.iter().filter_map(|card| date(&card.post_date)).max() {
            element(f, "lastBuildDate", date)?;
        }
        for card in *videos {
            self.item(f, card)?;
        }
        f.write_str("</channel></rss>")
    }
}

impl RssFeed<'_> {
    fn item(&self, f: &mut fmt::Formatter<'_>, card: &VideoCard) -> fmt::Result {
        let origin = self.origin;
        let page = format!("{origin}{}", address::video(card.video_id, &card.dir));
        let short = [("name", card.title.as_str()), ("duration", card.duration.as_str())];
        let description = fill(self.lang, "about.video", &short);
        // A video that is renamed has another address, but readers have seen it.
        write!(
            f,
            "<item><title>{}</title><link>{}</link><guid isPermaLink=\"false\">{origin}/videos/{}/</guid>\
             <description>{}</description>",
            Escaped(&card.title),
            Escaped(page),
            card.video_id,
            Escaped(&description)
        )?;
        if let Some(date) = date(&card.post_date) {
            element(f, "pubDate", date)?;
        }
        self.media(f, card, &description)?;
        f.write_str("</item>")
    }

    fn media(&self, f: &mut fmt::Formatter<'_>, card: &VideoCard, description: &str) -> fmt::Result {
        let origin = self.origin;
        let player = format!("{origin}{}", address::embed(card.video_id));
        let words: Vec<&str> = card.models.iter().chain(&card.categories).map(|item| item.title.as_str()).collect();
        write!(
            f,
            "<media:content medium=\"video\" duration=\"{}\" expression=\"full\">\
             <media:player url=\"{}\" /><media:title type=\"plain\">{}</media:title>\
             <media:description type=\"plain\">{}</media:description>\
             <media:rating scheme=\"urn:simple\">adult</media:rating>",
            seconds(&card.duration),
            Escaped(player),
            Escaped(&card.title),
            Escaped(description)
        )?;
        if !words.is_empty() {
            write!(f, "<media:keywords>{}</media:keywords>", Escaped(words.join(", ")))?;
        }
        if !card.pictures.thumbsrc.is_empty() {
            let picture = format!("{origin}{}", card.pictures.thumbsrc);
            write!(f, "<media:thumbnail url=\"{}\" width=\"640\" height=\"360\" />", Escaped(picture))?;
        }
        f.write_str("</media:content>")
    }
}

fn date(text: &str) -> Option<OffsetDateTime> {
    OffsetDateTime::parse(text, &Rfc3339).ok()
}

fn element(f: &mut fmt::Formatter<'_>, name: &str, date: OffsetDateTime) -> fmt::Result {
    match date.format(&Rfc2822) {
        Ok(date) => write!(f, "<{name}>{date}</{name}>"),
        // A year before 1900, which RFC 2822 can't say.
        Err(_) => Ok(()),
    }
}
