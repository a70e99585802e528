//! Messages between two members. Each of the two has their own view of a conversation, and deletes only from that view.
//! Members whose accounts are closed are left out.

use sqlx::{PgConnection, PgExecutor, PgPool};
use time::OffsetDateTime;

use crate::{
    Result,
    community::{Page, Window, page},
    run,
};

/// A conversation, as listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// Id of the other member.
    pub user_id: i64,
    /// Username of the other member.
    pub username: String,
    /// Avatar of the other member.
    pub avatar_key: Option<String>,
    /// Text of the latest message.
    pub text: String,
    /// When that message was sent.
    pub created_at: OffsetDateTime,
    /// Whether the reader wrote that message.
    pub own: bool,
    /// Number of messages that the reader hasn't read.
    pub unread: i64,
}

/// A message as seen by one of the two members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Id of the message.
    pub id: i64,
    /// Whether the reader wrote it.
    pub own: bool,
    /// Plain text.
    pub body: String,
    /// When it was sent.
    pub created_at: OffsetDateTime,
    /// Whether the recipient has read it.
    pub read: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the columns of users, documented in the migrations")]
pub struct Partner {
    pub user_id: i64,
    pub username: String,
    pub avatar_key: Option<String>,
}

/// Counts a member's unread messages.
pub async fn unread(executor: impl PgExecutor<'_>, user_id: i64) -> Result<i64> {
    let query = sqlx::query_scalar!(
        r#"select count(*) as "n!" from messages m join users u on u.id = m.sender_id
           where m.recipient_id = $1 and m.read_at is null and not m.recipient_deleted and u.status_id <> banned()"#,
        user_id
    );
    Ok(query.fetch_one(executor).await?)
}

/// Sends a message. Returns `None` if there is no such recipient, because it is the sender or an account that is closed
/// or unconfirmed.
///
/// # Errors
/// The query fails. It fails with the constraint `blocks_refused` if the recipient has blocked the sender.
pub async fn send(conn: &mut PgConnection, user_id: i64, to: i64, text: &str) -> Result<Option<i64>> {
    let query = sqlx::query_scalar!(
        "insert into messages (sender_id, recipient_id, body)
         select $1, id, $3 from users where id = $2 and id <> $1 and is_active(users)
         returning id",
        user_id,
        to,
        text
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Marks all messages from another member as read and returns their number.
pub async fn read(conn: &mut PgConnection, user_id: i64, from: i64) -> Result<u64> {
    let query = sqlx::query!(
        "update messages set read_at = now() where recipient_id = $1 and sender_id = $2 and read_at is null",
        user_id,
        from
    );
    Ok(query.execute(conn).await?.rows_affected())
}

/// Deletes a message from a member's own view. Returns `false` if it isn't in that view.
pub async fn delete(conn: &mut PgConnection, user_id: i64, message_id: i64) -> Result<bool> {
    let query = sqlx::query!(
        "update messages set sender_deleted = sender_deleted or sender_id = $1,
                             recipient_deleted = recipient_deleted or recipient_id = $1
         where id = $2 and ((sender_id = $1 and not sender_deleted) or (recipient_id = $1 and not recipient_deleted))",
        user_id,
        message_id
    );
    Ok(query.execute(conn).await?.rows_affected() > 0)
}

/// Deletes a conversation from a member's own view.
pub async fn delete_conversation(conn: &mut PgConnection, user_id: i64, with: i64) -> Result<()> {
    let query = sqlx::query!(
        "update messages set sender_deleted = sender_deleted or sender_id = $1,
                             recipient_deleted = recipient_deleted or recipient_id = $1
         where (sender_id = $1 and recipient_id = $2 and not sender_deleted)
            or (recipient_id = $1 and sender_id = $2 and not recipient_deleted)",
        user_id,
        with
    );
    run(query, conn).await
}

/// Lists a member's conversations, the one with the newest message first.
pub async fn conversations(pool: &PgPool, user_id: i64, window: Window) -> Result<Page<Conversation>> {
    let items = sqlx::query_as!(
        Conversation,
        r#"select u.id as user_id, u.username, u.avatar_key, l.body as "text!", l.created_at as "created_at!", l.sender_id = $1 as "own!",
                  (select count(*) from messages m where m.recipient_id = $1 and m.sender_id = u.id
                     and m.read_at is null and not m.recipient_deleted) as "unread!"
           from (select sender_id as id from messages where recipient_id = $1 and not recipient_deleted
                 union select recipient_id from messages where sender_id = $1 and not sender_deleted) p
                join users u on u.id = p.id and u.status_id <> banned()
                cross join lateral (
                    select * from (
                        (select id, body, created_at, sender_id from messages
                         where recipient_id = $1 and sender_id = u.id and not recipient_deleted order by id desc limit 1)
                        union all
                        (select id, body, created_at, sender_id from messages
                         where sender_id = $1 and recipient_id = u.id and not sender_deleted order by id desc limit 1)
                    ) latest order by id desc limit 1) l
           order by l.id desc limit $2 offset $3"#,
        user_id,
        window.limit,
        window.offset
    );
    let total = sqlx::query_scalar!(
        r#"select count(*) as "n!"
           from (select sender_id as id from messages where recipient_id = $1 and not recipient_deleted
                 union select recipient_id from messages where sender_id = $1 and not sender_deleted) p
                join users u on u.id = p.id and u.status_id <> banned()"#,
        user_id
    );
    page(items.fetch_all(pool), total.fetch_one(pool)).await
}

/// Returns a member to converse with, or `None` for the reader's own account and for closed or unconfirmed ones.
pub async fn partner(executor: impl PgExecutor<'_>, user_id: i64, with: i64) -> Result<Option<Partner>> {
    let query = sqlx::query_as!(
        Partner,
        "select id as user_id, username, avatar_key from users
         where id = $2 and id <> $1 and is_active(users)",
        user_id,
        with
    );
    Ok(query.fetch_optional(executor).await?)
}

/// Lists the messages between two members as seen by the first one, newest first.
pub async fn conversation(pool: &PgPool, user_id: i64, with: i64, window: Window) -> Result<Page<Message>> {
    let items = sqlx::query_as!(
        Message,
        r#"select id, sender_id = $1 as "own!", body, created_at, read_at is not null as "read!" from messages
           where (recipient_id = $1 and sender_id = $2 and not recipient_deleted)
              or (sender_id = $1 and recipient_id = $2 and not sender_deleted)
           order by id desc limit $3 offset $4"#,
        user_id,
        with,
        window.limit,
        window.offset
    );
    let total = sqlx::query_scalar!(
        r#"select count(*) as "n!" from messages
           where (recipient_id = $1 and sender_id = $2 and not recipient_deleted)
              or (sender_id = $1 and recipient_id = $2 and not sender_deleted)"#,
        user_id,
        with
    );
    page(items.fetch_all(pool), total.fetch_one(pool)).await
}
