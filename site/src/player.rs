//! The player for a video in a frame on another page.

use lantern_api::video::show::ShownVideo;
use lantern_config::Lang;
use lantern_listing::pages::{
    address::{self, Address},
    query::Params,
};
use maud::{Markup, html};

/// Parameter of pages and players: the second at which to start, as a whole number.
const START_TIME: &str = "start_time";
/// Maximum number of digits in a start time. No film is that long.
const START_DIGITS: usize = 6;

/// Returns the second at which to start, or `None` if it is absent or invalid, as in the app.
pub fn start_of(params: &Params) -> Option<u32> {
    let value = params.get(START_TIME);
    let is_number = value.len() <= START_DIGITS && value.bytes().all(|byte| byte.is_ascii_digit());
    value.parse().ok().filter(|seconds| is_number && *seconds > 0)
}

/// Returns the address at which a video's page or player starts at a second.
pub fn at(address: &str, start: i32) -> String {
    format!("{address}?{START_TIME}={start}")
}

/// Options in the address of our player.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlayerOptions {
    /// Language of the player's texts, or `None` for the language in the visitor's cookie.
    pub lang: Option<Lang>,
    /// The second at which to start.
    pub start: Option<u32>,
}

/// Returns the path and query of our player.
pub fn own(id: i64, PlayerOptions { lang, start }: PlayerOptions) -> String {
    let start = start.map_or_else(String::new, |seconds| seconds.to_string());
    Address::new(address::embed(id)).with(START_TIME, &start, "").in_lang(lang)
}

/// Returns the address of the player. For an imported video, it is the player of the source site; otherwise, it is our player if we have
/// the film. Returns `None` if nothing can be played, because our player would then return 404.
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

/// Returns the address of the player for a shown video.
pub fn of(video: &ShownVideo, origin: &str, options: PlayerOptions) -> Option<String> {
    address(origin, video.card.video_id, video.embed.as_deref(), video.has_film, options)
}

/// Renders the player in a frame, for visitors without scripts.
pub fn frame(video: &ShownVideo, start: Option<u32>) -> Markup {
    // With scripts, the app shows its player, and this one must not load.
    html! {
        @if let Some(src) = of(video, "", PlayerOptions { lang: None, start }) {
            noscript { iframe src=(src) title=(video.card.title) sandbox=[sandbox(video)] allow="fullscreen" {} }
        }
    }
}

/// Returns the sandbox for another site's player, which may run its scripts but not navigate the page.
pub fn sandbox(video: &ShownVideo) -> Option<&'static str> {
    video.embed.as_ref().map(|_| "allow-scripts allow-same-origin")
}
