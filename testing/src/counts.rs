//! Reference counts for tests of facet counts.

use sqlx::PgPool;

/// Number of visible videos in a category and for a gender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryCount {
    /// Slug of the category.
    pub dir: String,
    /// Wire code of the orientation.
    pub gender: String,
    /// Visible videos.
    pub total: i64,
}

/// Counts the rows of visible videos by category and gender.
pub async fn count_by_category(pool: &PgPool) -> sqlx::Result<Vec<CategoryCount>> {
    let rows: Vec<(String, String, i64)> = sqlx::query_as(
        "select c.dir, v.gender, count(*)
         from videos v join video_categories l on l.video_id = v.id join categories c on c.id = l.category_id
         where v.visible group by c.dir, v.gender order by c.dir, v.gender",
    )
    .fetch_all(pool)
    .await?;
    Ok(rows.into_iter().map(|(dir, gender, total)| CategoryCount { dir, gender, total }).collect())
}
