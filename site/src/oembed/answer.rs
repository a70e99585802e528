//! The oEmbed answer for a video, as JSON and as XML.

use lantern_api::video::show::ShownVideo;
use lantern_listing::pages::address;
use lantern_search::index::VideoCard;
use maud::html;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    document::SITE,
    oembed::link::SIZE,
    player::{self, PlayerOptions},
    xml::Xml,
};

/// Widths and heights of a video's pictures.
const PICTURES: [[u32; 2]; 2] = [[640, 360], [320, 180]];
/// Number of seconds for which an answer may be cached.
pub const CACHE_AGE: u32 = 3600;

/// A video, in the terms of oEmbed.
#[derive(Debug, Serialize, ToSchema)]
pub struct OembedAnswer {
    /// Version of the protocol.
    #[schema(example = "1.0")]
    version: &'static str,
    /// `video`, or `link` if it has no player.
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
    /// Name of the uploader.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "demo")]
    author_name: Option<String>,
    /// The uploader's page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "https://tube.example/members/1/")]
    author_url: Option<String>,
    /// Seconds for which the answer may be cached.
    #[schema(example = 3600, minimum = 1)]
    cache_age: u32,
    /// The largest picture that fits; omitted with its size if there is none.
    #[serde(flatten)]
    thumbnail: Thumbnail,
    /// The player; omitted for a `link`.
    #[serde(flatten)]
    player: Player,
}

/// The player of a video.
#[derive(Debug, Default, Serialize, ToSchema)]
struct Player {
    /// Its width in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = 426, minimum = 1)]
    width: Option<u32>,
    /// Its height in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = 265, minimum = 1)]
    height: Option<u32>,
    /// The player as an `iframe`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "<iframe src=\"https://tube.example/embed/1/\"></iframe>")]
    html: Option<String>,
}

impl Player {
    fn new(video: &ShownVideo, src: &str, [width, height]: [u32; 2]) -> Self {
        let html = html! {
            iframe src=(src) width=(width) height=(height) title=(video.card.title) sandbox=[player::sandbox(video)]
                allow="fullscreen; picture-in-picture" loading="lazy" style="border:0" {}
        };
        Self { width: Some(width), height: Some(height), html: Some(html.into_string()) }
    }
}

/// The picture of a video.
#[derive(Debug, Default, Serialize, ToSchema)]
struct Thumbnail {
    /// Address of the picture.
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
    /// Returns the largest picture of a video that fits into `most`.
    fn of(card: &VideoCard, origin: &str, most: [Option<u32>; 2]) -> Self {
        let mut pictures = [&card.pictures.thumbsrc, &card.pictures.thumb].into_iter().zip(PICTURES);
        let fits = |size: [u32; 2]| most.into_iter().zip(size).all(|(most, size)| most.is_none_or(|most| size <= most));
        match pictures.find(|(path, size)| !path.is_empty() && fits(*size)) {
            Some((path, [width, height])) => Self {
                thumbnail_url: Some(format!("{origin}{path}")),
                thumbnail_width: Some(width),
                thumbnail_height: Some(height),
            },
            None => Self::default(),
        }
    }
}

/// Returns the answer for a video. Its player and picture are no larger than `most`.
pub fn describe(video: &ShownVideo, origin: &str, options: PlayerOptions, most: [Option<u32>; 2]) -> OembedAnswer {
    let card = &video.card;
    let player = player::of(video, origin, options);
    OembedAnswer {
        version: "1.0",
        kind: if player.is_some() { "video" } else { "link" },
        provider_name: SITE,
        provider_url: format!("{origin}/"),
        title: card.title.clone(),
        author_name: video.user.as_ref().map(|user| user.username.clone()),
        author_url: video.user.as_ref().map(|user| format!("{origin}{}", address::member(user.user_id))),
        cache_age: CACHE_AGE,
        thumbnail: Thumbnail::of(card, origin, most),
        player: player.map_or_else(Player::default, |src| Player::new(video, &src, scaled(SIZE, most))),
    }
}

/// Scales a size down to fit into `most`, keeping its proportions.
fn scaled([width, height]: [u32; 2], most: [Option<u32>; 2]) -> [u32; 2] {
    let scale = |most: Option<u32>, size: u32| most.map_or(1.0, |most| f64::from(most) / f64::from(size));
    let scale = scale(most[0], width).min(scale(most[1], height)).min(1.0);
    [width, height].map(|size| ((f64::from(size) * scale) as u32).max(1))
}

/// Writes the answer as XML.
pub fn xml(answer: &Value) -> Vec<u8> {
    let mut xml = Xml::document();
    xml.element("oembed", &[], |xml| {
        for (name, value) in answer.as_object().into_iter().flatten() {
            xml.text(name, &value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        }
    });
    xml.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn player_is_scaled_in_proportion() {
        assert_eq!(scaled(SIZE, [None, None]), SIZE);
        assert_eq!(scaled(SIZE, [Some(213), None]), [213, 132]);
        assert_eq!(scaled(SIZE, [Some(1000), Some(53)]), [85, 53]);
    }
}
