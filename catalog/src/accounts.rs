//! Accounts: who can sign in with what.

use sqlx::PgPool;

use crate::Result;

/// What a member's own pages start with.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of users, documented in the migrations")]
pub struct Own {
    pub username: String,
    pub avatar_key: Option<String>,
    pub status_id: i16,
    /// Messages the member has not read.
    pub unread_messages: i64,
    /// Members who wait for an answer.
    pub friend_requests: i64,
}

/// The member's own view of the account.
///
/// # Errors
/// When the query fails.
pub async fn own(pool: &PgPool, user_id: i64) -> Result<Option<Own>> {
    Ok(sqlx::query_as!(
        Own,
        r#"select u.username, u.avatar_key, u.status_id,
                  (select count(*) from messages m
                   where m.recipient_id = u.id and m.read_at is null and not m.recipient_deleted) as "unread_messages!",
                  (select count(*) from friends f where f.friend_id = u.id and f.state = 'requested') as "friend_requests!"
           from users u where u.id = $1"#,
        user_id
    )
    .fetch_optional(pool)
    .await?)
}
