//! Visibility of objects.

use lantern_config::Section;
use sqlx::PgConnection;

use crate::Result;

/// Returns whether the object exists for `member` (`None` is a guest), according to the rule `visible_to` in
/// `migrations/0016_visible_to.sql`.
pub async fn is_visible(conn: &mut PgConnection, section: Section, id: i64, member: Option<i64>) -> Result<bool> {
    let query = sqlx::query_scalar!(r#"select visible_to($1, $2, $3) as "visible!""#, section.as_str(), id, member);
    Ok(query.fetch_one(conn).await?)
}
