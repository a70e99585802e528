//! In-memory boosts for videos that visitors opened after a search.

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

/// Number of days for which a click counts, so that the effect of old clicks fades.
const DAYS: i32 = 30;

/// For each language and query, the ids of the boosted videos and the number of places by which each moves up.
type Boosts = HashMap<(Lang, String), Vec<(i64, f64)>>;

/// Boosts as this node last loaded them.
#[derive(Default)]
pub struct Clicks(RwLock<Arc<Boosts>>);

/// Distributes `max_places` among the clicked videos of each search by their share of clicks. Clicks on lower positions
/// weigh more, because fewer visitors see those positions.
fn boosts(opened: Vec<OpenedVideo>, max_places: u32) -> Boosts {
    let mut boosts = Boosts::new();
    for OpenedVideo { lang, query, video_id, visitors, places, .. } in opened {
        let Ok(lang) = lang.parse() else { continue };
        let place = places as f64 / visitors.max(1) as f64;
        boosts.entry((lang, query)).or_default().push((video_id, visitors as f64 * (1.0 + place).log2()));
    }
    for videos in boosts.values_mut() {
        let all: f64 = videos.iter().map(|(_, weight)| weight).sum();
        videos.iter_mut().for_each(|(_, weight)| *weight *= f64::from(max_places) / all);
    }
    boosts
}

impl Clicks {
    /// Reloads the boosts from the catalog.
    pub async fn load(&self, pool: &PgPool, settings: &config::SearchLog) -> ApiResult<()> {
        let wanted =
            WantedClicks { days: DAYS, lang: None, min_count: settings.min_count.into(), limit: settings.known_clicks };
        let boosts = boosts(search_clicks::report(pool, wanted).await?, settings.click_places);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(boosts);
        Ok(())
    }

    /// Returns the boosted videos of a search, each with the number of places by which it moves up.
    pub fn of(&self, lang: Lang, text: &str) -> Vec<(i64, f64)> {
        let boosts = Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner));
        search_log::normal(text).and_then(|query| boosts.get(&(lang, query)).cloned()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(video_id: i64, visitors: i64, place: i64) -> OpenedVideo {
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
    fn video_moves_up_by_its_share_of_clicks() {
        let boosts = boosts(vec![opened(1, 10, 1), opened(2, 10, 3)], 9);
        let videos = &boosts[&(Lang::En, "piano".to_owned())];
        assert!((videos[0].1 - 3.0).abs() < 0.01 && (videos[1].1 - 6.0).abs() < 0.01, "{videos:?}");
    }
}
