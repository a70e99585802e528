//! E-mail digests of unread notifications.

use sqlx::{PgConnection, PgPool};

use crate::Result;

/// A digest that is due.
#[derive(Debug, Clone)]
pub struct DueDigest {
    /// Id of the member.
    pub user_id: i64,
    /// Username.
    pub username: String,
    /// E-mail address.
    pub email: String,
    /// Language of the e-mail.
    pub lang: String,
    /// Number of unread notifications since the last digest. If it is 0, no e-mail needs to be sent.
    pub unread: i64,
    /// Token that unsubscribes from the digest.
    pub stop_token: String,
}

/// Claims up to `most` due digests. The claim takes effect when the transaction commits.
pub async fn take(conn: &mut PgConnection, most: i64) -> Result<Vec<DueDigest>> {
    let query = sqlx::query_as!(
        DueDigest,
        r#"with due as (
             select s.user_id, s.digest_sent_at from notification_settings s join users u on u.id = s.user_id
             where s.digest <> 'off' and is_active(u)
               -- For the index; how often it comes is decided next.
               and s.digest_sent_at <= now() - interval '1 day'
               and s.digest_sent_at <= now() - case s.digest when 'daily' then interval '1 day' else interval '7 days' end
             order by s.digest_sent_at limit $1 for update of s skip locked
         )
         update notification_settings s set digest_sent_at = now()
         from due join users u on u.id = due.user_id where s.user_id = due.user_id
         returning u.id as user_id, u.username, u.email, s.digest_lang as lang, s.stop_token::text as "stop_token!",
             (select count(*) from shown_notifications n
              where n.user_id = u.id and n.read_at is null and n.happened_at > due.digest_sent_at) as "unread!""#,
        most
    );
    Ok(query.fetch_all(conn).await?)
}

/// Cancels the digest that a token belongs to. The call is idempotent. Returns whether the token is valid.
pub async fn stop(pool: &PgPool, token: &str) -> Result<bool> {
    let query = sqlx::query!(
        "update notification_settings set digest = 'off'
         where stop_token = case when $1::text ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then $1::text::uuid end",
        token
    );
    Ok(query.execute(pool).await?.rows_affected() > 0)
}
