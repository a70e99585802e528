//! Friends and subscriptions, newest first. Members whose accounts are closed are left out.

use lantern_config::{CommentSection, Lang};
use sqlx::PgPool;
use time::OffsetDateTime;

use crate::Result;

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    /// Number of items on all pages.
    pub total: i64,
}

/// Part of a list to return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Maximum number of items.
    pub limit: i64,
    /// Number of items to skip.
    pub offset: i64,
}

/// Fetches the items of a page, then their total. In this order, the page still names an item that is removed between
/// the two queries, so the cached response is invalidated.
pub(crate) async fn page<T>(
    items: impl Future<Output = sqlx::Result<Vec<T>>>,
    total: impl Future<Output = sqlx::Result<i64>>,
) -> Result<Page<T>> {
    Ok(Page { items: items.await?, total: total.await? })
}

/// Returns whether guests may see the commented object, or `None` if the object doesn't exist.
pub async fn is_shown(pool: &PgPool, section: CommentSection, id: i64) -> Result<Option<bool>> {
    let query = match section {
        CommentSection::Video => sqlx::query_scalar!(r#"select visible as "v!" from videos where id = $1"#, id),
        CommentSection::Album => sqlx::query_scalar!(r#"select visible as "v!" from albums where id = $1"#, id),
        CommentSection::Model => sqlx::query_scalar!(r#"select true as "v!" from models where id = $1"#, id),
        CommentSection::Playlist => sqlx::query_scalar!(
            r#"select (p.visibility = 'public' and u.status_id <> banned()) as "v!"
                   from playlists p join users u on u.id = p.user_id where p.id = $1"#,
            id
        ),
    };
    Ok(query.fetch_optional(pool).await?)
}

/// Returns the id of a model.
pub async fn model_id(pool: &PgPool, dir: &str) -> Result<Option<i64>> {
    Ok(sqlx::query_scalar!("select id from models where dir = $1", dir).fetch_optional(pool).await?)
}

/// Lists the ids of a member's friends, without pending requests.
pub async fn friends(pool: &PgPool, member: i64, window: Window) -> Result<Page<i64>> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "n!" from friends f join users u on u.id = f.user_id + f.friend_id - $1
           where (f.user_id = $1 or f.friend_id = $1) and f.state = 'accepted'
             and is_active(u)"#,
        member
    );
    let items = sqlx::query_scalar!(
        "select u.id from friends f join users u on u.id = f.user_id + f.friend_id - $1
         where (f.user_id = $1 or f.friend_id = $1) and f.state = 'accepted'
           and is_active(u)
         order by f.accepted_at desc, u.id desc limit $2 offset $3",
        member,
        window.limit,
        window.offset
    );
    page(items.fetch_all(pool), total.fetch_one(pool)).await
}

/// Model, channel or member that a member follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    /// `model`, `channel` or `user`.
    pub section: String,
    /// Id of the model, channel or member.
    pub object_id: i64,
    /// Path segment. `None` for members.
    pub dir: Option<String>,
    /// Name of the model, channel or member.
    pub title: String,
    /// Stem of its image files.
    pub picture_key: Option<String>,
    /// When the subscription was made.
    pub created_at: OffsetDateTime,
}

/// Lists what a member follows, with models named in `lang`. Members whose accounts are closed are left out.
pub async fn subscriptions(pool: &PgPool, member: i64, window: Window, lang: Lang) -> Result<Page<Subscription>> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "n!" from subscriptions s
                left join models m on s.section = 'model' and m.id = s.object_id
                left join channels c on s.section = 'channel' and c.id = s.object_id
                left join users u on s.section = 'user' and u.id = s.object_id and is_active(u)
           where s.user_id = $1 and coalesce(m.id, c.id, u.id) is not null"#,
        member
    );
    let items = sqlx::query_as!(
        Subscription,
        r#"select s.section, s.object_id, s.created_at, coalesce(m.dir, c.dir) as "dir?",
                  coalesce(model_title(m, $4), c.title, u.username) as "title!",
                  coalesce(m.picture_key, c.picture_key, u.avatar_key) as "picture_key?"
           from subscriptions s
                left join models m on s.section = 'model' and m.id = s.object_id
                left join channels c on s.section = 'channel' and c.id = s.object_id
                left join users u on s.section = 'user' and u.id = s.object_id and is_active(u)
           where s.user_id = $1 and coalesce(m.id, c.id, u.id) is not null
           order by s.created_at desc, s.section, s.object_id desc limit $2 offset $3"#,
        member,
        window.limit,
        window.offset,
        lang.as_str()
    );
    page(items.fetch_all(pool), total.fetch_one(pool)).await
}
