//! The truth that counts of facets are tested against.

use sqlx::PgPool;

/// Visible videos of one category and gender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryCount {
    /// Category.
    pub dir: String,
    /// Wire code of the gender.
    pub gender: String,
    /// Visible videos.
    pub total: i64,
}

/// Counts visible videos by category and gender, by counting rows.
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
