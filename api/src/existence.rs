//! Checks that the objects in a list's address exist. If one doesn't, the page is a 404 instead of an empty list.

use lantern_catalog::{members, videos};
use lantern_errors::{ApiError, ApiResult};
use lantern_index::{Filter, IndexName, SearchClient};
use lantern_listing::{Names, Section};
use lantern_search::index::{self, CategoryNames, Reader};
use sqlx::PgPool;

/// Fails with 404 `category_not_found` or `model_not_found` if a name does not exist.
pub async fn all_known(pool: &PgPool, reader: &Reader, names: &Names) -> ApiResult<()> {
    categories_exist(&reader.categories, &names.categories).await?;
    categories_exist(&reader.categories, &names.not_categories).await?;
    for dir in names.models.iter().chain(&names.not_models) {
        owner_exists(pool, &reader.search, &Section::Model(dir.clone())).await?;
    }
    Ok(())
}

/// Fails with 404 `category_not_found` if a category does not exist.
pub async fn categories_exist(categories: &CategoryNames, dirs: &[String]) -> ApiResult<()> {
    let categories = categories.current().await?;
    if dirs.iter().all(|dir| categories.knows(dir)) { Ok(()) } else { Err(ApiError::NotFound("category_not_found")) }
}

/// Checks that the object to which an empty list belongs exists. Fails with 404 `model_not_found`, `member_not_found`
/// or `channel_not_found`.
pub async fn owner_exists(pool: &PgPool, search: &SearchClient, section: &Section) -> ApiResult<()> {
    let (exists, unknown) = match section {
        Section::Model(dir) => {
            (index::exists(search, IndexName::Models, Filter::eq("dir", dir)).await?, "model_not_found")
        }
        Section::Member(id) => (members::exists(pool, *id).await?, "member_not_found"),
        Section::Channel(id) => (videos::channel_exists(pool, *id).await?, "channel_not_found"),
        _ => return Ok(()),
    };
    if exists { Ok(()) } else { Err(ApiError::NotFound(unknown)) }
}
