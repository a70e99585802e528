//! What oEmbed says of a video, as JSON and as XML.

use lantern_search::index::VideoCard;
use maud::html;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::link::SIZE;
use crate::{
    page::{
        address,
        document::SITE,
        player::{self, PlayerOptions},
        xml::Xml,
    },
    video::show::ShownVideo,
};

/// Width and height of a video's pictures.
const PICTURES: [[u32; 2]; 2] = [[640, 360], [320, 180]];
/// Seconds an answer may be kept.
pub const CACHE_AGE: u32 = 3600;

/// What the protocol says of a video.
#[derive(Debug, Serialize, ToSchema)]
pub struct OembedAnswer {
    /// Of the protocol.
    #[schema(example = "1.0")]
    version: &'static str,
    /// `video`, or `link` for one that plays nowhere.
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
    /// The uploader's page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "https://tube.example/members/1/")]
    author_url: Option<String>,
    /// Seconds the answer may be kept.
    #[schema(example = 3600, minimum = 1)]
    cache_age: u32,
    /// The largest picture that fits; left out with its size where there is none.
    #[serde(flatten)]
    thumbnail: Thumbnail,
    /// The player; left out for a `link`.
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
    /// It as an `iframe`.
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
    /// The largest picture of a video that is no larger than requested.
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

/// The answer for a video; player and picture are no larger than `most`.
pub fn described(video: &ShownVideo, origin: &str, options: PlayerOptions, most: [Option<u32>; 2]) -> OembedAnswer {
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
        player: player.map_or_else(Player::default, |src| Player::new(video, &src, within(SIZE, most))),
    }
}

/// The size in its proportions, no larger than requested.
fn within([width, height]: [u32; 2], most: [Option<u32>; 2]) -> [u32; 2] {
    let scale = |most: Option<u32>, size: u32| most.map_or(1.0, |most| f64::from(most) / f64::from(size));
    let scale = scale(most[0], width).min(scale(most[1], height)).min(1.0);
    [width, height].map(|size| ((f64::from(size) * scale) as u32).max(1))
}

/// The same as XML.
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
    fn the_player_fits_and_keeps_its_proportions() {
        assert_eq!(within(SIZE, [None, None]), SIZE);
        assert_eq!(within(SIZE, [Some(213), None]), [213, 132]);
        assert_eq!(within(SIZE, [Some(1000), Some(53)]), [85, 53]);
    }
}
