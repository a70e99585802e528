//! What visitors open after a search moves up in it, by some places within the first page: nothing comes in that the search doesn't
//! find, and nothing is pushed off the page.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use lantern_catalog::{
    search_clicks::{self, Led, Wanted},
    search_log,
};
use lantern_config::Lang;

use super::{log::Clicked, request::SearchRequest, run::Outcome, searcher};
use crate::{
    action::{
        Acted,
        form::{StatForm, required},
    },
    http::{ApiResult, Client},
    state::AppState,
};

/// Days whose clicks count: what was liked before may be stale.
const DAYS: i32 = 30;

/// Places by which videos move up, by search.
type Lifts = HashMap<(Lang, String), Vec<(i64, f64)>>;

/// What this node knows of clicks.
#[derive(Default)]
pub struct Clicks(RwLock<Arc<Lifts>>);

/// `act=found`: `object_id` is a video that was opened after a search for `s` in `lang`, where it stood at `position`.
pub fn found(state: &AppState, client: &Client, headers: &axum::http::HeaderMap, form: &StatForm) -> ApiResult<Acted> {
    let query = required("s", form.s.as_deref())?;
    let (lang, place) = (required("lang", form.lang)?, required("position", form.position)?);
    let video_id = form.object()?;
    if let Some(visitor) = searcher::of_click(&state.config, &state.views, client, headers) {
        state.search_log.record_click(&visitor, Clicked { query, lang, video_id, place: place.get() });
    }
    Ok(Acted::done())
}

/// Takes over what was clicked on since the last time.
pub async fn refresh(state: &AppState) -> ApiResult<()> {
    let settings = &state.config.search_log;
    let wanted = Wanted { days: DAYS, lang: None, min_count: settings.min_count.into(), limit: settings.known_clicks };
    let lifts = lifts(search_clicks::report(&state.pool, wanted).await?, settings.click_places);
    *state.clicks.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(lifts);
    Ok(())
}

/// How many places each video moves up: its share of a search's clicks of at most `most`. What stands lower is seen by fewer, so a
/// click there says more.
fn lifts(led: Vec<Led>, most: u32) -> Lifts {
    let mut lifts = Lifts::new();
    for Led { lang, query, video_id, visitors, places, .. } in led {
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
    /// Moves up what visitors opened. Only where the engine decides on the order, and everything asked for is in what is shown.
    pub fn lift(&self, ask: &SearchRequest, outcome: &mut Outcome) {
        if !ask.is_ranked_first_page() || !outcome.relaxed.is_empty() {
            return;
        }
        let lifts = Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner));
        let Some(query) = search_log::normal(&ask.text) else { return };
        let Some(videos) = lifts.get(&(ask.lang, query)) else { return };
        let lift = |id: i64| videos.iter().find(|(video, _)| *video == id).map_or(0.0, |(_, places)| *places);
        let hits = std::mem::take(&mut outcome.found.hits);
        let mut placed: Vec<_> =
            hits.into_iter().enumerate().map(|(at, video)| (at as f64 - lift(video.id), video)).collect();
        placed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        outcome.found.hits = placed.into_iter().map(|(_, video)| video).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn led(video_id: i64, visitors: i64, place: i64) -> Led {
        Led {
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
