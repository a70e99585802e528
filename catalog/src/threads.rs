//! Reading comments and wall entries as threads. A thread is a comment with its replies.

use lantern_config::{CommentSort, Section};
use sqlx::PgPool;
use time::OffsetDateTime;

use crate::{
    Result,
    community::{Page, Window, page},
};

/// The commented object, and who is reading. The section `user` is a member's wall.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Kind of the object.
    pub section: Section,
    /// Id of the object.
    pub object: i64,
    /// Member whose likes are returned. `None` for the public view.
    pub reader: Option<i64>,
}

/// A comment, or an entry on a member's wall.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the columns of comments and walls, documented in the migrations")]
pub struct Comment {
    pub id: i64,
    pub parent_id: Option<i64>,
    pub user_id: i64,
    pub username: String,
    pub avatar_key: Option<String>,
    pub body: String,
    pub created_at: OffsetDateTime,
    pub likes: i64,
    /// Whether the reader likes it.
    pub liked: bool,
}

/// A comment and its replies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// Id of the comment.
    pub id: i64,
    /// The comment, or `None` if it is gone and only replies are left.
    pub first: Option<Comment>,
    /// The first replies.
    pub replies: Vec<Comment>,
    /// Total number of replies.
    pub total_replies: i64,
}

/// A page of threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Threads {
    /// Threads on this page.
    pub threads: Vec<Thread>,
    /// Number of threads on all pages.
    pub total: i64,
    /// Number of comments and replies on all pages.
    pub total_comments: i64,
}

/// Returns a page of threads with their first `replies` replies.
pub async fn threads(pool: &PgPool, at: Place, sort: CommentSort, window: Window, replies: i64) -> Result<Threads> {
    let query = sqlx::query!(
        r#"with threads as (
             select coalesce(parent_id, id) as thread, count(parent_id) as replies,
                    max(case when $3 = 'most-liked' and parent_id is null then likes end) as likes
             from remarks where section = $1 and object_id = $2 group by 1
         ), page as (
             select thread, replies, row_number() over (order by likes desc nulls last,
                        case when $3 = 'oldest' then thread end, thread desc) as place
             from threads order by place limit $4 offset $5
         )
         select p.thread as "thread!", p.replies as "replies!", r.id as "id!", r.parent_id, r.user_id as "user_id!",
                r.username as "username!", r.avatar_key, r.body as "body!", r.created_at as "created_at!", r.likes as "likes!",
                case when $1 = 'user' then exists (select from wall_likes where wall_id = r.id and user_id = $7)
                     else exists (select from comment_likes where comment_id = r.id and user_id = $7) end as "liked!"
         from page p cross join lateral (
             (select * from remarks where section = $1 and object_id = $2 and id = p.thread)
             union all
             (select * from remarks where section = $1 and object_id = $2 and parent_id = p.thread order by id limit $6)
         ) r order by p.place, r.id"#,
        at.section.as_str(),
        at.object,
        sort.as_str(),
        window.limit,
        window.offset,
        replies,
        at.reader
    );
    let mut threads: Vec<Thread> = Vec::new();
    for row in query.fetch_all(pool).await? {
        let comment = Comment {
            id: row.id,
            parent_id: row.parent_id,
            user_id: row.user_id,
            username: row.username,
            avatar_key: row.avatar_key,
            body: row.body,
            created_at: row.created_at,
            likes: row.likes,
            liked: row.liked,
        };
        if threads.last().is_none_or(|last| last.id != row.thread) {
            threads.push(Thread { id: row.thread, first: None, replies: Vec::new(), total_replies: row.replies });
        }
        if let Some(thread) = threads.last_mut() {
            if comment.parent_id.is_none() { thread.first = Some(comment) } else { thread.replies.push(comment) }
        }
    }
    let totals = sqlx::query!(
        r#"select count(*) as "comments!", count(distinct coalesce(parent_id, id)) as "threads!"
           from remarks where section = $1 and object_id = $2"#,
        at.section.as_str(),
        at.object
    );
    let totals = totals.fetch_one(pool).await?;
    Ok(Threads { threads, total: totals.threads, total_comments: totals.comments })
}

/// Lists replies to a comment, oldest first.
pub async fn replies(pool: &PgPool, at: Place, thread: i64, window: Window) -> Result<Page<Comment>> {
    let items = sqlx::query_as!(
        Comment,
        r#"select id as "id!", parent_id, user_id as "user_id!", username as "username!", avatar_key, body as "body!",
                  created_at as "created_at!", likes as "likes!",
                  case when $1 = 'user' then exists (select from wall_likes where wall_id = r.id and user_id = $6)
                       else exists (select from comment_likes where comment_id = r.id and user_id = $6) end as "liked!"
           from remarks r where section = $1 and object_id = $2 and parent_id = $3 order by id limit $4 offset $5"#,
        at.section.as_str(),
        at.object,
        thread,
        window.limit,
        window.offset,
        at.reader
    );
    let total = sqlx::query_scalar!(
        r#"select count(*) as "n!" from remarks where section = $1 and object_id = $2 and parent_id = $3"#,
        at.section.as_str(),
        at.object,
        thread
    );
    page(items.fetch_all(pool), total.fetch_one(pool)).await
}
