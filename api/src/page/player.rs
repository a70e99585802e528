//! Where a video plays in a frame of another page.

use lantern_config::Lang;
use maud::{Markup, html};

use super::{
    address::{self, Address},
    query::Params,
};
use crate::video::show::ShownVideo;

/// Where a player begins: the parameter of pages and players, in whole seconds.
const START_TIME: &str = "start_time";
/// Longest spelling of a start; no film is that long.
const START_DIGITS: usize = 6;

/// The second that an address asks a player to begin at; `None` also for what is none, as in the app.
pub fn start_of(params: &Params) -> Option<u32> {
    let said = params.get(START_TIME);
    let is_number = said.len() <= START_DIGITS && said.bytes().all(|byte| byte.is_ascii_digit());
    said.parse().ok().filter(|seconds| is_number && *seconds > 0)
}

/// What the address of our player says besides the video.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlayerOptions {
    /// Language of its words; `None` for that of the visitor's cookie.
    pub lang: Option<Lang>,
    /// Second to begin at.
    pub start: Option<u32>,
}

/// Path and query of our player.
pub fn own(id: i64, PlayerOptions { lang, start }: PlayerOptions) -> String {
    let start = start.map_or_else(String::new, |seconds| seconds.to_string());
    Address::new(address::embed(id)).with(START_TIME, &start, "").in_lang(lang)
}

/// The player of the site that a video was taken over from, else ours where its film is here. None where nothing plays: its address
/// would be one that isn't there.
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

/// The same of a video that is shown.
pub fn of(video: &ShownVideo, origin: &str, options: PlayerOptions) -> Option<String> {
    address(origin, video.card.video_id, video.embed.as_deref(), video.has_film, options)
}

/// The player in a frame, for who runs no scripts.
pub fn frame(video: &ShownVideo) -> Markup {
    // Where scripts run the app has its own player, and this one must not load.
    html! {
        @if let Some(src) = of(video, "", PlayerOptions::default()) {
            noscript { iframe src=(src) title=(video.card.title) sandbox=[sandbox(video)] allow="fullscreen" {} }
        }
    }
}

/// What another site's player may do: run its own scripts, and lead nowhere.
pub fn sandbox(video: &ShownVideo) -> Option<&'static str> {
    video.embed.as_ref().map(|_| "allow-scripts allow-same-origin")
}
