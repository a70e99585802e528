//! `GET /api/messages.php?with=&page=` and `POST /api/messages.php {act: send|read|delete}`: messages between two members.

use axum::{extract::State, response::Response};
use lantern_catalog::messages::{self, Message};
use lantern_config::Config;
use lantern_ratelimit::{Action, Key};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::PgPool;
use std::sync::Arc;
use utoipa::ToSchema;

use lantern_accounts::viewer::Member;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Form, Query,
    openapi::{Doc, Refusal, field, id_schema, invalid, query, refusal, too_often},
    pages, private,
};
use lantern_media::pictures::avatar;
use lantern_search::index::rfc3339;

use crate::{
    action::{Acts, form::required},
    params,
    text::{TextBounds, checked},
};

/// Another member, in a conversation or notification.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MessagePartner)]
pub(crate) struct Partner {
    /// Id.
    #[schema(example = 2, minimum = 1)]
    pub user_id: i64,
    /// Name.
    #[schema(example = "demo")]
    pub username: String,
    /// Picture, 320 pixels; null if there is none.
    #[schema(example = "/media/p/demo/pictures/43-320.webp")]
    pub avatar: Option<String>,
}

/// A page of a conversation, the latest message first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MessagesAnswer {
    /// The other member.
    user: Partner,
    /// Messages.
    messages: Vec<MessageItem>,
    /// Exact total.
    #[schema(example = 1, minimum = 0)]
    total_count: i64,
    /// Number of pages.
    #[schema(example = 1, minimum = 0)]
    pages: i64,
}

/// A message.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Message)]
struct MessageItem {
    /// Id.
    #[schema(example = 7, minimum = 1)]
    message_id: i64,
    /// Whether the requesting member wrote it.
    #[schema(example = true)]
    own: bool,
    /// Plain text.
    #[schema(example = "See you there.")]
    text: String,
    /// RFC 3339.
    #[schema(example = "2026-05-04T12:00:00Z", format = DateTime)]
    created_at: String,
    /// Whether the recipient has read it.
    #[schema(example = false)]
    read: bool,
}

impl From<Message> for MessageItem {
    fn from(message: Message) -> Self {
        Self {
            message_id: message.id,
            own: message.own,
            text: message.body,
            created_at: rfc3339(message.created_at.unix_timestamp()),
            read: message.read,
        }
    }
}

const fn no_member() -> Refusal {
    refusal(404, &[("member_not_found", "no such member, or the requesting member")])
}

pub fn conversation_doc(config: &Config) -> Doc {
    let count = json!({ "type": "integer", "minimum": 1, "maximum": config.listing.max_page_size });
    Doc::new("member", "conversation", "/api/messages.php", "A conversation")
        .about("Latest message first. This call does not mark messages as read.")
        .for_members()
        .takes(query("with", "Id of the other member.", id_schema(), 2).required())
        .takes_all([params::page_query(), query("count", "Messages per page.", count, 20)])
        .answers::<MessagesAnswer>("A page of messages.")
        .refuses(no_member())
        .refuses(refusal(422, &[("required", "`with` is missing")]))
        .refuses(invalid())
}

pub async fn conversation(
    State(config): State<Arc<Config>>,
    State(pool): State<PgPool>,
    member: Member,
    query: Query,
) -> ApiResult<Response> {
    let with = query.number("with", 1..=i64::MAX)?.ok_or(ApiError::required("with"))?;
    let area = &config.member_area;
    let window = params::window(&query, area.messages_page, config.listing.max_page_size)?;
    let partner = messages::partner(&pool, member.id, with).await?.ok_or(UNKNOWN)?;
    let page = messages::conversation(&pool, member.id, with, window).await?;
    let avatar = avatar(partner.avatar_key.as_deref());
    Ok(private::answer(MessagesAnswer {
        user: Partner { user_id: partner.user_id, username: partner.username, avatar },
        messages: page.items.into_iter().map(MessageItem::from).collect(),
        total_count: page.total,
        pages: pages(page.total, window.limit),
    }))
}

const UNKNOWN: ApiError = ApiError::NotFound("member_not_found");

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum MessageAct {
    Send,
    Read,
    Delete,
}

#[derive(Debug, Deserialize)]
pub struct MessageForm {
    act: MessageAct,
    to: Option<i64>,
    text: Option<String>,
    message_id: Option<i64>,
}

/// Result of an action on messages.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MessageAnswer {
    /// Always 1.
    #[schema(minimum = 1, maximum = 1, example = 1)]
    ok: u8,
    /// Id of the new message.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    message_id: Option<i64>,
}

pub fn act_doc(config: &Config) -> Doc {
    let text = json!({ "type": "string", "minLength": 1, "maxLength": config.member_area.message_max });
    Doc::post("member", "messages", "/api/messages.php", "Send, read and delete messages")
        .about(
            "`send` needs `to` and `text`; `read` marks the messages from `to` as read; `delete` removes one message (`message_id`) or a \
             whole conversation (`to`) from the member's own view, not from the other's.",
        )
        .for_members()
        .field(field("act", "Action to perform.", json!({ "type": "string", "enum": ["send", "read", "delete"] }), "send").required())
        .field(field("to", "Id of the other member.", id_schema(), 2))
        .field(field("text", "Plain text.", text, "See you there."))
        .field(field("message_id", "Id of the message to delete.", id_schema(), ""))
        .answers::<MessageAnswer>("Done.")
        .refuses(refusal(403, &[("blocked", "the other member has blocked this one")]))
        .refuses(no_member())
        .refuses(refusal(404, &[("message_not_found", "no such message in the member's own view")]))
        .refuses(refusal(
            422,
            &[
                ("required", "a field that the action requires is missing or blank"),
                ("max_length", "the text is too long"),
                ("prohibited_terms", "the text contains a prohibited term"),
            ],
        ))
        .refuses(too_often())
}

/// Sends messages, marks them as read, or deletes them from the member's view.
pub async fn act(State(acts): State<Acts>, member: Member, Form(sent): Form<MessageForm>) -> ApiResult<Response> {
    if !matches!(sent.act, MessageAct::Send) {
        acts.limits.take(Action::Act, &Key::member(member.id)).await?;
    }
    let message_id = match sent.act {
        MessageAct::Send => Some(send(&acts, &member, required("to", sent.to)?, sent.text).await?),
        MessageAct::Read => {
            messages::read(&mut *acts.pool.acquire().await?, member.id, required("to", sent.to)?).await?;
            None
        }
        MessageAct::Delete => {
            delete(&acts.pool, &member, sent.message_id, sent.to).await?;
            None
        }
    };
    Ok(private::answer(MessageAnswer { ok: 1, message_id }))
}

async fn send(acts: &Acts, member: &Member, to: i64, text: Option<String>) -> ApiResult<i64> {
    let bounds = TextBounds {
        field: "text",
        min: 1,
        min_code: "min_length",
        max: acts.config.member_area.message_max,
        one_line: false,
    };
    let text = checked(text.as_deref(), bounds, &acts.prohibited)?;
    let taken = acts.limits.take(Action::Message, &Key::member(member.id)).await?;
    let sent = messages::send(&mut *acts.pool.acquire().await?, member.id, to, &text).await;
    match sent {
        Ok(Some(id)) => Ok(id),
        // A message that was not sent does not count.
        refused => {
            taken.give_back().await?;
            Err(refused.err().map_or(UNKNOWN, ApiError::from))
        }
    }
}

async fn delete(pool: &PgPool, member: &Member, message: Option<i64>, with: Option<i64>) -> ApiResult<()> {
    let mut conn = pool.acquire().await?;
    match (message, with) {
        (Some(id), _) if messages::delete(&mut conn, member.id, id).await? => Ok(()),
        (Some(_), _) => Err(ApiError::NotFound("message_not_found")),
        (None, with) => Ok(messages::delete_conversation(&mut conn, member.id, required("message_id", with)?).await?),
    }
}
