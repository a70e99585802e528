//! What visitors opened after which search, as this node remembers it.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use lantern_catalog::{
    search_clicks::{self, OpenedVideo, WantedClicks},
    search_log,
};
use lantern_config::{self as config, Lang};
use sqlx::PgPool;

use lantern_errors::ApiResult;

/// Days whose clicks count: what was liked before may be stale.
const DAYS: i32 = 30;

/// Places by which videos move up, by search.
type Lifts = HashMap<(Lang, String), Vec<(i64, f64)>>;

/// What this node knows of clicks.
#[derive(Default)]
pub struct Clicks(RwLock<Arc<Lifts>>);

/// How many places each video moves up: its share of a search's clicks of at most `most`. What stands lower is seen by fewer, so a
/// click there says more.
fn lifts(led: Vec<OpenedVideo>, most: u32) -> Lifts {
    let mut lifts = Lifts::new();
    for OpenedVideo { lang, query, video_id, visitors, places, .. } in led {
        let Ok(lang) = lang.parse() else { continue };
        let place = places as f64 / visitors.max(1) as f64;
        lifts.entry((lang, query)).or_default().push((video_id, visitors as f64 * (1.0 + place).log2()));
    }
    for videos in lifts.values_mut() {
        let all: f64 = videos.iter().map(|(_, weight)| weight).sum();
        videos.iter_mut().for_each(|(_, weight)| *weight *= f64::from(most) / all);
    }
    lifts
}

impl Clicks {
    /// Takes over what was clicked on since the last time.
    pub async fn load(&self, pool: &PgPool, settings: &config::SearchLog) -> ApiResult<()> {
        let wanted =
            WantedClicks { days: DAYS, lang: None, min_count: settings.min_count.into(), limit: settings.known_clicks };
        let lifts = lifts(search_clicks::report(pool, wanted).await?, settings.click_places);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(lifts);
        Ok(())
    }

    /// The videos that moved up after a search, with the number of places.
    pub fn lifted(&self, lang: Lang, text: &str) -> Vec<(i64, f64)> {
        let lifts = Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner));
        search_log::normal(text).and_then(|query| lifts.get(&(lang, query)).cloned()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn led(video_id: i64, visitors: i64, place: i64) -> OpenedVideo {
        OpenedVideo {
            lang: "en".to_owned(),
            query: "piano".to_owned(),
            video_id,
            title: String::new(),
            visitors,
            places: visitors * place,
        }
    }

    #[test]
    fn a_video_moves_up_by_its_share_of_the_clicks() {
        let lifts = lifts(vec![led(1, 10, 1), led(2, 10, 3)], 9);
        let videos = &lifts[&(Lang::En, "piano".to_owned())];
        assert!((videos[0].1 - 3.0).abs() < 0.01 && (videos[1].1 - 6.0).abs() < 0.01, "{videos:?}");
    }
}
