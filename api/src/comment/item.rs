//! Comments in answers.

use lantern_catalog::{
    changes::{Object, Shows},
    community::Page,
    outbox::Entity,
    threads::{Comment, Place, Thread, Threads},
};
use lantern_config::{Section, schemas};
use lantern_http::pages;
use serde::Serialize;
use utoipa::ToSchema;

use lantern_media::pictures::avatar;
use lantern_search::index::rfc3339;

/// A page of comments.
#[derive(Debug, Serialize, ToSchema)]
pub struct CommentsAnswer {
    #[serde(skip)]
    about: Object,
    /// Comments, or the replies to one.
    pub comments: Vec<CommentItem>,
    /// Exact total: comments with their replies, or the replies to one.
    #[schema(example = 1, minimum = 0)]
    total_count: i64,
    /// Number of pages.
    #[schema(example = 1, minimum = 0)]
    pub pages: i64,
}

impl Shows for CommentsAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.push(self.about);
        let all = self.comments.iter().flat_map(|comment| std::iter::once(comment).chain(&comment.replies));
        objects.extend(all.filter_map(|comment| Some((Entity::User, comment.user_id?))));
    }
}

/// A comment.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Comment)]
pub struct CommentItem {
    /// Id.
    #[schema(example = 293, minimum = 1)]
    comment_id: i64,
    /// Kind of the commented object: `video`, `album`, `model`, `playlist` or `user`.
    #[schema(schema_with = subjects)]
    section: &'static str,
    /// Id of the commented object.
    #[schema(example = 1, minimum = 1)]
    object_id: i64,
    /// Id of the comment it replies to; null if it is not a reply.
    #[schema(minimum = 1)]
    parent_id: Option<i64>,
    /// Whether it was deleted and only its replies remain: author, text and date are empty.
    #[schema(example = false)]
    is_deleted: bool,
    /// Id of the author.
    #[schema(example = 2, minimum = 1)]
    pub user_id: Option<i64>,
    /// Name.
    #[schema(example = "demo")]
    pub username: String,
    /// Picture, 320 pixels; null if there is none.
    #[schema(example = "/media/p/demo/pictures/43-320.webp")]
    avatar: Option<String>,
    /// Plain text.
    #[schema(example = "Calm and elegant.")]
    pub comment: String,
    /// RFC 3339.
    #[schema(example = "2026-05-04T12:00:00Z", format = DateTime)]
    added_date: Option<String>,
    /// Number of likes.
    #[schema(example = 3, minimum = 0)]
    likes: i64,
    /// Whether the requesting member likes it; only known with a lifetime of 0.
    #[schema(example = false)]
    liked: bool,
    /// First replies, oldest first; replies have none.
    #[schema(no_recursion, example = json!([]))]
    replies: Vec<CommentItem>,
    /// Number of replies.
    #[schema(example = 0, minimum = 0)]
    total_replies: i64,
}

/// Kinds of objects that can be commented on.
fn subjects() -> utoipa::openapi::Schema {
    schemas::words(
        "Kind of the commented object; `user` is a member's wall.",
        ["video", "album", "model", "playlist", "user"],
    )
}

impl CommentsAnswer {
    /// Returns an empty page.
    pub fn none(at: Place) -> Self {
        Self { about: object(at), comments: Vec::new(), total_count: 0, pages: 0 }
    }

    /// Returns a page of comments.
    pub fn threads(found: Threads, at: Place, limit: i64) -> Self {
        Self {
            about: object(at),
            comments: found.threads.into_iter().map(|thread| of_thread(thread, at)).collect(),
            total_count: found.total_comments,
            pages: pages(found.total, limit),
        }
    }

    /// Returns a page of replies.
    pub fn replies(found: Page<Comment>, at: Place, limit: i64) -> Self {
        Self {
            about: object(at),
            comments: found.items.into_iter().map(|comment| item(comment, at)).collect(),
            total_count: found.total,
            pages: pages(found.total, limit),
        }
    }
}

fn of_thread(thread: Thread, at: Place) -> CommentItem {
    let first = thread.first.map_or_else(|| gone(thread.id, at), |comment| item(comment, at));
    let replies = thread.replies.into_iter().map(|reply| item(reply, at)).collect();
    CommentItem { replies, total_replies: thread.total_replies, ..first }
}

fn item(comment: Comment, at: Place) -> CommentItem {
    CommentItem {
        parent_id: comment.parent_id,
        is_deleted: false,
        user_id: Some(comment.user_id),
        username: comment.username,
        avatar: avatar(comment.avatar_key.as_deref()),
        comment: comment.body,
        added_date: Some(rfc3339(comment.created_at.unix_timestamp())),
        likes: comment.likes,
        liked: comment.liked,
        ..gone(comment.id, at)
    }
}

fn gone(comment_id: i64, at: Place) -> CommentItem {
    CommentItem {
        comment_id,
        section: at.section.as_str(),
        object_id: at.object,
        parent_id: None,
        is_deleted: true,
        user_id: None,
        username: String::new(),
        avatar: None,
        comment: String::new(),
        added_date: None,
        likes: 0,
        liked: false,
        replies: Vec::new(),
        total_replies: 0,
    }
}

/// Returns the object whose changes invalidate the answer. Only indexed objects have comments.
fn object(at: Place) -> Object {
    let entity = match at.section {
        Section::Video => Entity::Video,
        Section::Album => Entity::Album,
        Section::Model => Entity::Model,
        Section::Playlist => Entity::Playlist,
        Section::User | Section::Channel => Entity::User,
    };
    (entity, at.object)
}
