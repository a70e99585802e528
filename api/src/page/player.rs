//! Where a video plays in a frame of another page.

use lantern_config::Lang;
use maud::{Markup, html};

use super::address::{self, Address};
use crate::video::show::ShownVideo;

/// The player of the site that a video was taken over from, else ours where its film is here. None where nothing plays: its address
/// would be one that isn't there.
pub fn address(origin: &str, id: i64, elsewhere: Option<&str>, has_film: bool, lang: Option<Lang>) -> Option<String> {
    let own = || has_film.then(|| format!("{origin}{}", Address::new(address::embed(id)).in_lang(lang)));
    elsewhere.map(str::to_owned).or_else(own)
}

/// The same of a video that is shown.
pub fn of(video: &ShownVideo, origin: &str, lang: Option<Lang>) -> Option<String> {
    address(origin, video.card.video_id, video.embed.as_deref(), video.has_film, lang)
}

/// The player in a frame, for who runs no scripts.
pub fn frame(video: &ShownVideo) -> Markup {
    // Where scripts run the app has its own player, and this one must not load.
    html! {
        @if let Some(src) = of(video, "", None) {
            noscript { iframe src=(src) title=(video.card.title) sandbox=[sandbox(video)] allow="fullscreen" {} }
        }
    }
}

/// What another site's player may do: run its own scripts, and lead nowhere.
pub fn sandbox(video: &ShownVideo) -> Option<&'static str> {
    video.embed.as_ref().map(|_| "allow-scripts allow-same-origin")
}
