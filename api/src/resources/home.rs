//! `GET /api/json/main/{lifetime}/{gender}.{lang}.json`: what every page's frame needs.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{
    changes::{LIST, Object},
    outbox::Entity,
};
use lantern_config::{Gender, Lang, ModelSort, lifetimes};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::shows;
use super::{
    categories::{CategoryCard, counted},
    models, suggester,
};
use crate::{
    cache::Shows,
    error::{ApiError, ApiResult},
    extract::{ModelFilters, Segments, json_name, lifetime_of, word},
    index::ModelCard,
    state::AppState,
};

#[derive(Debug, Serialize)]
struct MainAnswer {
    categories: Vec<CategoryCard>,
    keywords: Vec<Keyword>,
    models: Vec<ModelCard>,
}

impl Shows for MainAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.push((Entity::Category, LIST));
        shows::models(&self.models, objects);
    }
}

#[derive(Debug, Serialize)]
struct Keyword {
    title: String,
}

/// Frequent searches the keywords are drawn from, as a multiple of their number.
const DRAW_FROM: usize = 10;

/// The handler.
///
/// # Errors
/// 404 for what is outside the contract.
pub async fn home(State(state): State<AppState>, segments: Segments, headers: HeaderMap) -> ApiResult<Response> {
    let [lifetime, file] = segments.take()?;
    let lifetime = lifetime_of(&lifetime, lifetimes::MAIN)?;
    let (gender, lang) = json_name(&file)?.split_once('.').ok_or(ApiError::NotFound("not_found"))?;
    let (gender, lang): (Gender, Lang) = (word(gender)?, word(lang)?);
    let key = format!("main/{lifetime}/{gender}.{lang}");
    let cache = state.cache.clone();
    let compute = async move { main(&state, gender, lang, lifetime).await };
    cache.respond(&key, lifetime, &headers, compute).await
}

async fn main(state: &AppState, gender: Gender, lang: Lang, lifetime: u32) -> ApiResult<MainAnswer> {
    let listing = &state.config.listing;
    let (filters, block) = (ModelFilters::default(), listing.home_block as usize);
    let draw = models::page(state, gender, &filters, ModelSort::MostPopular, (0, block));
    let wanted = listing.keywords as usize;
    let queries = suggester::frequent(state, lang, wanted * DRAW_FROM);
    let (categories, (models, _), queries) = tokio::try_join!(counted(state, gender, lang), draw, queries)?;
    let round = (state.now)() / i64::from(lifetime);
    let titles = queries.into_iter().map(|query| query.title).collect();
    Ok(MainAnswer { categories, keywords: at_random(titles, wanted, round), models })
}

/// `wanted` of the titles at random; the choice is the same on every node and changes with `round`.
fn at_random(mut titles: Vec<String>, wanted: usize, round: i64) -> Vec<Keyword> {
    titles.sort_by_cached_key(|title| {
        let digest = Sha256::new().chain_update(round.to_be_bytes()).chain_update(title);
        <[u8; 32]>::from(digest.finalize())
    });
    titles.truncate(wanted);
    titles.into_iter().map(|title| Keyword { title }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_change_with_the_round_only() {
        let titles = || (0..50).map(|n| format!("word {n}")).collect::<Vec<_>>();
        let draw = |round| {
            let drawn = at_random(titles(), 10, round);
            drawn.into_iter().map(|keyword| keyword.title).collect::<Vec<_>>()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert_eq!(draw(1).len(), 10);
    }
}
