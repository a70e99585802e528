//! Size of a list, which is part of every response that contains a page of a list.

use serde::Serialize;
use utoipa::ToSchema;

/// Size of a list, and the code to show if the page is empty.
#[derive(Debug, Serialize, ToSchema)]
pub struct Totals {
    /// Exact number of items on all pages.
    #[schema(example = 1, minimum = 0)]
    total_count: usize,
    /// Number of pages.
    #[schema(example = 1, minimum = 0)]
    pub pages: usize,
    /// Code to show if the page is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    code: Option<&'static str>,
}

impl Totals {
    /// Creates the totals of a list of `total` items with `per_page` items per page. `shown` is the number of items on this page, and
    /// `none` is the code to use if it is 0.
    pub fn new(total: impl TryInto<usize>, per_page: impl TryInto<usize>, shown: usize, none: &'static str) -> Self {
        let total_count = total.try_into().unwrap_or_default();
        let per_page = per_page.try_into().unwrap_or_default().max(1);
        Self { total_count, pages: total_count.div_ceil(per_page), code: (shown == 0).then_some(none) }
    }
}

/// Returns the number of pages for `total` items with `limit` items per page.
pub fn pages(total: i64, limit: i64) -> i64 {
    (total + limit - 1) / limit.max(1)
}
