//! Signed-in members, for benchmarks of concurrent use.

use lantern_config::Mode;
use sha2::{Digest, Sha256};
use sqlx::PgPool;
use uuid::Uuid;

use crate::{Error, Result};

/// Length of a session token in characters.
const TOKEN: usize = 43;

/// Creates `count` confirmed members, each signed in for a day, and returns their session tokens.
///
/// # Errors
/// The program is in production mode, or a query fails.
pub async fn crowd(pool: &PgPool, mode: Mode, count: u32) -> Result<Vec<String>> {
    if mode == Mode::Production {
        return Err(Error::Seed("benchmark members are refused in production mode".to_owned()));
    }
    let tokens: Vec<String> = (0..count).map(|_| token()).collect();
    let hashes: Vec<Vec<u8>> = tokens.iter().map(|token| Sha256::digest(token).to_vec()).collect();
    let query = sqlx::query!(
        "with new as (
             insert into users (username, email, email_confirmed_at)
             select 'crowd-' || n, 'crowd-' || n || '@members.example', now() from generate_series(1, cardinality($1::bytea[])) n
             returning id, substr(username, 7)::bigint as n)
         insert into sessions (user_id, token_hash, expires_at)
         select new.id, h.hash, now() + interval '1 day'
         from new join unnest($1::bytea[]) with ordinality h(hash, n) using (n)",
        &hashes
    );
    query.execute(pool).await?;
    Ok(tokens)
}

/// Totals of the counters of all videos.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sums {
    /// Number of comments.
    pub comments: i64,
    /// Number of upvotes and downvotes.
    pub votes: i64,
    /// Number of views.
    pub views: i64,
}

/// Adds up the counters of all videos, so that they can be compared with the number of successful responses.
pub async fn sums(pool: &PgPool) -> Result<Sums> {
    let query = sqlx::query_as!(
        Sums,
        r#"select coalesce(sum(comments), 0)::bigint as "comments!", coalesce(sum(likes + dislikes), 0)::bigint as "votes!",
                  coalesce(sum(viewed), 0)::bigint as "views!" from video_stats"#
    );
    Ok(query.fetch_one(pool).await?)
}

fn token() -> String {
    let mut token = Uuid::new_v4().simple().to_string() + &Uuid::new_v4().simple().to_string();
    token.truncate(TOKEN);
    token
}
