//! Player of a video in a frame on another page.

use lantern_config::Lang;
use maud::{Markup, html};

use super::{
    address::{self, Address},
    query::Params,
};
use crate::video::show::ShownVideo;

/// Parameter of pages and players: second to start at, as a whole number.
const START_TIME: &str = "start_time";
/// Most digits of a start; no film is that long.
const START_DIGITS: usize = 6;

/// Returns the second to start at; `None` if absent or invalid, as in the app.
pub fn start_of(params: &Params) -> Option<u32> {
    let value = params.get(START_TIME);
    let is_number = value.len() <= START_DIGITS && value.bytes().all(|byte| byte.is_ascii_digit());
    value.parse().ok().filter(|seconds| is_number && *seconds > 0)
}

/// Options in the address of our player.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlayerOptions {
    /// Language of its texts; `None` for that of the visitor's cookie.
    pub lang: Option<Lang>,
    /// Second to start at.
    pub start: Option<u32>,
}

/// Returns path and query of our player.
pub fn own(id: i64, PlayerOptions { lang, start }: PlayerOptions) -> String {
    let start = start.map_or_else(String::new, |seconds| seconds.to_string());
    Address::new(address::embed(id)).with(START_TIME, &start, "").in_lang(lang)
}

/// Returns the address of the source site's player for an imported video, else of ours if we have the film. `None` if nothing plays:
/// our player would answer 404.
pub fn address(
    origin: &str,
    id: i64,
    elsewhere: Option<&str>,
    has_film: bool,
    options: PlayerOptions,
) -> Option<String> {
    let ours = || has_film.then(|| format!("{origin}{}", own(id, options)));
    elsewhere.map(str::to_owned).or_else(ours)
}

/// Returns the address of the player of a shown video.
pub fn of(video: &ShownVideo, origin: &str, options: PlayerOptions) -> Option<String> {
    address(origin, video.card.video_id, video.embed.as_deref(), video.has_film, options)
}

/// Renders the player in a frame, for visitors without scripts.
pub fn frame(video: &ShownVideo) -> Markup {
    // With scripts the app has its own player, and this one must not load.
    html! {
        @if let Some(src) = of(video, "", PlayerOptions::default()) {
            noscript { iframe src=(src) title=(video.card.title) sandbox=[sandbox(video)] allow="fullscreen" {} }
        }
    }
}

/// Returns the sandbox of another site's player, which may run its own scripts but not navigate the page.
pub fn sandbox(video: &ShownVideo) -> Option<&'static str> {
    video.embed.as_ref().map(|_| "allow-scripts allow-same-origin")
}
