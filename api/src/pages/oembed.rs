//! `GET /oembed?url=&format=`: what another site needs to show a video of ours (oembed.com, version 1.0).

use axum::{
    extract::{Request, State},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{
    address, answers, calls,
    escape::Text,
    head::SITE,
    page::{Asked, Site},
    query::write,
    screen::Screen,
    view::{Video, VideoAnswer, Whole},
};
use crate::{
    error::{ApiError, ApiResult},
    extract::Query,
    web::{Page, resolve},
};

/// Width and height of an embedded player (UI.md).
pub const SIZE: [u32; 2] = [426, 265];
/// Width and height of a video's picture.
const PICTURE: [u32; 2] = [640, 360];
/// Both formats of the protocol.
pub const FORMATS: [Format; 2] = [Format::Json, Format::Xml];

/// How the answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON.
    Json,
    /// XML.
    Xml,
}

impl Format {
    /// The type under which pages announce it.
    #[must_use]
    pub fn discovered(self) -> &'static str {
        match self {
            Self::Json => "application/json+oembed",
            Self::Xml => "text/xml+oembed",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Xml => "xml",
        }
    }
}

/// Where the answer for a page is.
#[must_use]
pub fn path(page: &str, format: Format) -> String {
    format!("/oembed{}", write(&[("url", page), ("format", format.name())]))
}

/// The handler.
///
/// # Errors
/// 404 for an address that is no video of ours, 403 for a private one, 422 for a parameter outside its vocabulary or range.
pub async fn oembed(State(site): State<Site>, request: Request) -> ApiResult<Response> {
    let asked = Asked::new(&site.app, request.into_parts().0).await?;
    // A call for programs: strict, unlike a page.
    let query = Query::parse(asked.parts.uri.query().unwrap_or_default())?;
    let format = match query.get("format") {
        None | Some("json") => Format::Json,
        Some("xml") => Format::Xml,
        // The protocol's 501 is for providers that lack one of the two; this is none.
        _ => return Err(ApiError::invalid("format")),
    };
    let id =
        video_id(query.get("url").unwrap_or_default(), &asked.origin).ok_or(ApiError::NotFound("video_not_found"))?;
    // The answer is everyone's, so the language is not a cookie's.
    let lang = query.lang()?;
    let most = [query.number("maxwidth", 1..=u32::MAX)?, query.number("maxheight", 1..=u32::MAX)?];
    let answer = answers::get(&site.api, &asked.parts, &calls::video(id, lang)).await?;
    let VideoAnswer { video } = serde_json::from_slice(&answer)?;
    let Video::Whole(video) = video else { return Err(ApiError::Forbidden("dont_have_permission")) };
    let answer = described(id, &video, &asked, most);
    let (kind, body) = match format {
        Format::Json => ("application/json", serde_json::to_string(&answer)?),
        Format::Xml => ("text/xml; charset=utf-8", xml(&serde_json::to_value(&answer)?)),
    };
    let fixed = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600")),
    ];
    Ok((fixed, body).into_response())
}

/// The video of a page's or player's address on this site.
fn video_id(url: &str, origin: &str) -> Option<i64> {
    let authority = |address: &str| address.split_once("://").map(|(_, rest)| rest.to_owned());
    let (rest, ours) = (authority(url)?, authority(origin)?);
    let path = rest.strip_prefix(ours.as_str()).filter(|path| path.starts_with('/'))?;
    let path = path.split(['?', '#']).next()?;
    match resolve(&format!("{}/", path.trim_end_matches('/')), None) {
        Page::Embed => path.trim_matches('/').rsplit('/').next()?.parse().ok(),
        Page::Shown => match Screen::of(path, &super::query::Params::default())? {
            Screen::Video(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}

/// What the protocol says of a video.
#[derive(Debug, Serialize, ToSchema)]
pub struct OembedAnswer {
    /// Of the protocol.
    #[schema(example = "1.0")]
    version: &'static str,
    /// Always `video`.
    #[serde(rename = "type")]
    #[schema(example = "video")]
    kind: &'static str,
    /// Name of this site.
    #[schema(example = "Lantern")]
    provider_name: &'static str,
    /// Address of this site.
    #[schema(example = "https://tube.example/")]
    provider_url: String,
    /// Title.
    #[schema(example = "Night market")]
    title: String,
    /// Who uploaded it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "demo")]
    author_name: Option<String>,
    /// The picture; left out with its size while there is none.
    #[serde(flatten)]
    thumbnail: Thumbnail,
    /// Width of the player in pixels.
    #[schema(example = 426, minimum = 1)]
    width: u32,
    /// Height of the player in pixels.
    #[schema(example = 265, minimum = 1)]
    height: u32,
    /// The player as an `iframe`.
    #[schema(example = "<iframe src=\"https://tube.example/embed/1/\"></iframe>")]
    html: String,
}

#[derive(Debug, Default, Serialize, ToSchema)]
struct Thumbnail {
    /// Picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "https://tube.example/media/p/demo/01/shot-1-640.webp")]
    thumbnail_url: Option<String>,
    /// Its width in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = 640)]
    thumbnail_width: Option<u32>,
    /// Its height in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = 360)]
    thumbnail_height: Option<u32>,
}

impl Thumbnail {
    fn new(url: String) -> Self {
        let [width, height] = PICTURE;
        Self { thumbnail_url: Some(url), thumbnail_width: Some(width), thumbnail_height: Some(height) }
    }
}

fn described(id: i64, video: &Whole, asked: &Asked, most: [Option<u32>; 2]) -> OembedAnswer {
    let card = &video.card;
    let [width, height] = within(SIZE, most);
    let player = format!("{}{}", asked.origin, address::embed(id));
    let html = format!(
        "<iframe src=\"{}\" width=\"{width}\" height=\"{height}\" title=\"{}\" \
         allow=\"fullscreen; picture-in-picture\" loading=\"lazy\" style=\"border:0\"></iframe>",
        Text(player),
        Text(&card.title)
    );
    let picture = format!("{}{}", asked.origin, card.thumbsrc);
    OembedAnswer {
        version: "1.0",
        kind: "video",
        provider_name: SITE,
        provider_url: format!("{}/", asked.origin),
        title: card.title.clone(),
        author_name: video.user.as_ref().map(|user| user.username.clone()),
        thumbnail: if card.thumbsrc.is_empty() { Thumbnail::default() } else { Thumbnail::new(picture) },
        width,
        height,
        html,
    }
}

/// The size in its proportions, no larger than asked.
fn within([width, height]: [u32; 2], most: [Option<u32>; 2]) -> [u32; 2] {
    let scale = |most: Option<u32>, size: u32| most.map_or(1.0, |most| f64::from(most) / f64::from(size));
    let scale = scale(most[0], width).min(scale(most[1], height)).min(1.0);
    [width, height].map(|size| ((f64::from(size) * scale) as u32).max(1))
}

fn xml(answer: &Value) -> String {
    let element = |(name, value): (&String, &Value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!("<{name}>{}</{name}>", Text(value))
    };
    let inner: String = answer.as_object().into_iter().flatten().map(element).collect();
    format!("<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?><oembed>{inner}</oembed>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_videos_have_an_answer() {
        let id = |url: &str| video_id(url, "https://tube.example");
        assert_eq!(id("https://tube.example/videos/12/night-market/?start_time=5"), Some(12));
        assert_eq!(id("http://tube.example/videos/12"), Some(12));
        assert_eq!(id("https://tube.example/embed/12/"), Some(12));
        for url in [
            "",
            "/videos/12/",
            "https://evil.example/videos/12/",
            "https://tube.example.evil.example/videos/12/",
            "https://tube.example@evil.example/videos/12/",
            "https://tube.example/videos/longest/1/",
            "https://tube.example/models/12/",
        ] {
            assert_eq!(id(url), None, "{url}");
        }
    }

    #[test]
    fn the_player_fits_and_keeps_its_proportions() {
        assert_eq!(within(SIZE, [None, None]), SIZE);
        assert_eq!(within(SIZE, [Some(213), None]), [213, 132]);
        assert_eq!(within(SIZE, [Some(1000), Some(53)]), [85, 53]);
    }
}
