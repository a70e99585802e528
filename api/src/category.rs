//! `GET /api/json/categories/{lifetime}/{gender}.{section}.{lang}.json`: lists the categories. Their videos are in the lists of videos.

use std::collections::HashMap;

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{
    changes::{LIST, Object, Shows},
    outbox::Entity,
};
use lantern_config::{CategorySection, Config, Gender, Lang, Listing, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Segments,
    cache::CachedAnswer,
    openapi::{Doc, segment},
};
use lantern_index::Filter;
use lantern_listing::{json_name, lifetime_of, word};
use lantern_search::index::{self, CategoryCard, Found, Reader, VideoQuery};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use lantern_index::text::alphabet;

use crate::{params, sources::Sources};

/// Categories.
#[derive(Debug, Serialize, ToSchema)]
pub struct CategoriesAnswer {
    /// Categories.
    pub categories: Vec<CategoryCard>,
}

impl Shows for CategoriesAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.push((Entity::Category, LIST));
    }
}

pub(crate) fn doc(config: &Config) -> Doc {
    let sections = json!({ "$ref": "#/components/schemas/CategorySection" });
    let about = format!(
        "`all`: most videos first; `sidebar`: those with at least {} videos, or {} per cent of the orientation's videos \
         if that is fewer; `letters`: by title, each with the letter it is listed under.",
        config.listing.sidebar_min_videos, config.listing.sidebar_min_percent
    );
    Doc::read(
        "lists",
        "categories",
        "/api/json/categories/{lifetime}/{gender}.{section}.{lang}.json",
        "Categories that have videos",
    )
    .takes_all([params::lifetime(lifetimes::LISTS), params::gender()])
    .takes(segment("section", &about, sections, "all"))
    .takes(params::lang_segment())
    .answers::<CategoriesAnswer>("Categories.")
    .cached()
}

pub(crate) async fn categories(
    State(sources): State<Sources>,
    segments: Segments,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let [lifetime, file] = segments.take()?;
    let lifetime = lifetime_of(&lifetime, lifetimes::LISTS)?;
    let mut parts = json_name(&file)?.split('.');
    let (Some(gender), Some(section), Some(lang), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(ApiError::NotFound("not_found"));
    };
    let (gender, lang): (Gender, Lang) = (word(gender)?, word(lang)?);
    let section: CategorySection = word(section)?;
    get(&sources, lifetime, (gender, section), lang).await?.respond(&headers)
}

/// Returns one section of the categories for an orientation.
pub async fn get(
    sources: &Sources,
    lifetime: u32,
    (gender, section): (Gender, CategorySection),
    lang: Lang,
) -> ApiResult<CachedAnswer<CategoriesAnswer>> {
    let key = format!("categories/{lifetime}/{gender}.{section}.{lang}");
    let Sources { cache, reader, .. } = sources.clone();
    let compute = async move { list(&reader, gender, section, lang).await };
    cache.get(&key, lifetime, compute).await
}

async fn list(reader: &Reader, gender: Gender, section: CategorySection, lang: Lang) -> ApiResult<CategoriesAnswer> {
    let CountedCategories { mut categories, sidebar_min } = counted(reader, gender, lang).await?;
    match section {
        CategorySection::All => {}
        CategorySection::Sidebar => categories.retain(|category| category.total_videos >= sidebar_min),
        CategorySection::Letters => {
            categories.sort_by_cached_key(|category| alphabet::place(&category.title, lang));
            for category in &mut categories {
                category.letter = alphabet::letter(&category.title, lang);
            }
        }
    }
    Ok(CategoriesAnswer { categories })
}

/// Categories for an orientation, with counts.
pub(crate) struct CountedCategories {
    /// Categories that have videos, most videos first.
    pub categories: Vec<CategoryCard>,
    /// Minimum number of videos that a category needs to appear in the sidebar.
    pub sidebar_min: usize,
}

/// Counts the categories in the video index, so that the numbers match the listings to which they link.
pub(crate) async fn counted(reader: &Reader, gender: Gender, lang: Lang) -> ApiResult<CountedCategories> {
    let names = reader.categories.current().await?;
    let query = VideoQuery { counts: &["category_dirs"], ..VideoQuery::new(Filter::eq("gender", gender.as_str())) };
    let found: Found<serde::de::IgnoredAny> = index::find(reader, query).await?;
    let none = HashMap::new();
    let totals = found.counts.get("category_dirs").unwrap_or(&none);
    let mut cards: Vec<CategoryCard> = names
        .list
        .iter()
        .filter_map(|category| {
            let total = totals.get(&category.dir).copied()?;
            Some(index::category_card(category, names.title(&category.dir, lang), total))
        })
        .collect();
    cards.sort_by(|a, b| b.total_videos.cmp(&a.total_videos).then_with(|| a.dir.cmp(&b.dir)));
    Ok(CountedCategories { categories: cards, sidebar_min: sidebar_min(&reader.config.listing, found.total) })
}

/// Returns the minimum number of videos that a category needs to appear in the sidebar, given the `total` number of the orientation's
/// videos.
fn sidebar_min(listing: &Listing, total: usize) -> usize {
    let share = total.saturating_mul(listing.sidebar_min_percent).div_ceil(100);
    listing.sidebar_min_videos.min(share)
}

#[cfg(test)]
mod tests {
    use lantern_config::Config;

    use super::*;

    #[test]
    fn small_catalog_has_a_sidebar_too() {
        let listing = Config::default().listing;
        for (total, least) in [(0, 0), (1, 1), (3_600, 72), (49_999, 1_000), (50_000, 1_000), (usize::MAX, 1_000)] {
            assert_eq!(sidebar_min(&listing, total), least, "{total}");
        }
    }
}
