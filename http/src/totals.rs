//! How much there is of a list, which every answer with a page of one says.

use serde::Serialize;
use utoipa::ToSchema;

/// How many there are, and what to say when there are none.
#[derive(Debug, Serialize, ToSchema)]
pub struct Totals {
    /// Exact number of all.
    #[schema(example = 1, minimum = 0)]
    total_count: usize,
    /// Number of pages.
    #[schema(example = 1, minimum = 0)]
    pub pages: usize,
    /// What to say when there are none on the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    code: Option<&'static str>,
}

impl Totals {
    /// Of a list of `total` items, `per_page` a page; `none` is said when `shown`, those on the page, are none.
    pub fn new(total: impl TryInto<usize>, per_page: impl TryInto<usize>, shown: usize, none: &'static str) -> Self {
        let total_count = total.try_into().unwrap_or_default();
        let per_page = per_page.try_into().unwrap_or_default().max(1);
        Self { total_count, pages: total_count.div_ceil(per_page), code: (shown == 0).then_some(none) }
    }
}

/// Number of pages of `limit` items.
pub fn pages(total: i64, limit: i64) -> i64 {
    (total + limit - 1) / limit.max(1)
}
