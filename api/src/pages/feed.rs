//! Listings as RSS 2.0 with Media RSS: `/videos/{sort}/feed/`, `/categories/{dirs}/{sort}/feed/`,
//! `/model/{dir}/feed/`, with `?lang=` and `?gender=`. The items are the listing's first page.

use std::fmt;

use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use lantern_config::{Gender, Lang, VideoSort, lifetimes};
use time::{
    OffsetDateTime,
    format_description::well_known::{Rfc2822, Rfc3339},
};

use super::{
    address,
    answers::Answers,
    calls::{self, Call, Part},
    describe::Scene,
    escape::Text,
    head::SITE,
    page::{Asked, Site},
    query::Params,
    screen::{Scope, Screen, VideoList},
    texts::text,
    view::{Card, Videos, seconds},
};
use crate::error::{ApiError, ApiResult};

/// The feed of a list that has one.
#[must_use]
pub fn path(list: &VideoList) -> Option<String> {
    match &list.scope {
        Scope::Browse(dirs) if dirs.is_empty() => Some(format!("/videos/{}/feed/", list.sort)),
        Scope::Browse(dirs) => Some(format!("/categories/{}/{}/feed/", dirs.join(","), list.sort)),
        Scope::Model(dir) => Some(format!("/model/{dir}/feed/")),
        Scope::Search { .. } | Scope::Country(_) => None,
    }
}

/// The handler.
///
/// # Errors
/// 404 for a category or model that doesn't exist.
pub async fn show(site: &Site, asked: &Asked) -> ApiResult<Response> {
    let path = asked.parts.uri.path();
    let list =
        path.strip_suffix("/feed/").map(page_of_feed).and_then(|page| match Screen::of(&page, &Params::default()) {
            Some(Screen::Videos(list)) => Some(list),
            Some(Screen::Model { videos, .. }) => videos,
            _ => None,
        });
    let list = list.ok_or(ApiError::NotFound("not_found"))?;
    // A feed is everyone's: what the address doesn't say is not read from cookies.
    let mut visitor = asked.visitor.clone();
    visitor.boot.lang = asked.params.word("lang").unwrap_or(Lang::En);
    visitor.gender = asked.params.word("gender").unwrap_or(Gender::Str);
    let url = calls::videos(&list, &visitor, &site.app.config).ok_or(ApiError::NotFound("not_found"))?;
    let answers = Answers::ask(&site.api, &asked.parts, vec![Call { part: Part::Videos, url }]).await;
    if let Some(error) = answers.failure() {
        return Err(error.clone());
    }
    let found: Videos = answers.read(Part::Videos).ok_or_else(|| ApiError::internal("an answer can't be read"))?;
    let title = Scene { visitor: &visitor, origin: &asked.origin, answers: &answers }.list_heading(&list, &found);
    let lifetime = if list.sort == VideoSort::LatestUpdates { lifetimes::LATEST } else { lifetimes::HOME };
    let keep = HeaderValue::try_from(format!("public, max-age={lifetime}")).map_err(ApiError::internal)?;
    let kind = HeaderValue::from_static("application/rss+xml; charset=utf-8");
    let own = address::videos(&list, 1).gender(visitor.gender).in_lang(Some(visitor.boot.lang));
    let feed =
        Feed { origin: &asked.origin, lang: visitor.boot.lang, title: &title, path: &own, videos: &found.videos };
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, keep)], feed.to_string()).into_response())
}

/// The page whose videos a feed lists.
fn page_of_feed(above: &str) -> String {
    if above.starts_with("/model/") { format!("{above}/") } else { format!("{above}/1/") }
}

struct Feed<'a> {
    origin: &'a str,
    lang: Lang,
    title: &'a str,
    /// Of the listing.
    path: &'a str,
    videos: &'a [Card],
}

impl fmt::Display for Feed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { origin, lang, title, path, .. } = self;
        let about = text(*lang, "about.home");
        write!(
            f,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
             <rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel>\
             <title>{}</title><link>{}</link><description>{}</description><language>{lang}</language>",
            Text(format!("{title} · {SITE}")),
            Text(format!("{origin}{path}")),
            Text(&about)
        )?;
        for card in self.videos {
            self.item(f, card)?;
        }
        f.write_str("</channel></rss>")
    }
}

impl Feed<'_> {
    fn item(&self, f: &mut fmt::Formatter<'_>, card: &Card) -> fmt::Result {
        let origin = self.origin;
        let page = format!("{origin}{}", address::video(card.video_id, &card.dir));
        let player = format!("{origin}{}", address::embed(card.video_id));
        let words: Vec<&str> = card.models.iter().chain(&card.categories).map(|item| item.title.as_str()).collect();
        write!(
            f,
            "<item><title>{title}</title><link>{page}</link><guid isPermaLink=\"true\">{page}</guid>",
            title = Text(&card.title),
            page = Text(&page)
        )?;
        if let Some(date) = rfc2822(&card.post_date) {
            write!(f, "<pubDate>{date}</pubDate>")?;
        }
        write!(
            f,
            "<media:content medium=\"video\" duration=\"{}\" expression=\"full\">\
             <media:player url=\"{}\" /><media:title type=\"plain\">{}</media:title>\
             <media:rating scheme=\"urn:simple\">adult</media:rating>",
            seconds(&card.duration),
            Text(&player),
            Text(&card.title)
        )?;
        if !words.is_empty() {
            write!(f, "<media:keywords>{}</media:keywords>", Text(words.join(", ")))?;
        }
        if !card.thumbsrc.is_empty() {
            let picture = format!("{origin}{}", card.thumbsrc);
            write!(f, "<media:thumbnail url=\"{}\" width=\"640\" height=\"360\" />", Text(picture))?;
        }
        f.write_str("</media:content></item>")
    }
}

fn rfc2822(date: &str) -> Option<String> {
    OffsetDateTime::parse(date, &Rfc3339).ok()?.format(&Rfc2822).ok()
}
