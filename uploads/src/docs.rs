//! Documentation shared by the upload calls.

use lantern_accounts::token::Token;
use lantern_http::openapi::{Param, Refusal, header, refusal, segment};
use serde_json::json;

use crate::tus;

/// `Tus-Resumable`, required in all requests but `OPTIONS`.
pub fn version() -> Param {
    header("Tus-Resumable", "Protocol version.", json!({ "type": "string", "enum": [tus::VERSION] }), tus::VERSION)
        .required()
}

/// Token of an upload in its address.
pub fn token() -> Param {
    let schema = json!({ "type": "string", "pattern": Token::PATTERN });
    segment("token", "Token of the upload.", schema, "9xYl2wVqkq3Qq0a1k1hH8mWfJc5cTqO6yH3b0dFzUuE")
}

pub const fn other_version() -> Refusal {
    refusal(412, &[("tus_version", "unsupported or missing protocol version")])
}

pub const fn missing() -> Refusal {
    refusal(404, &[("upload_not_found", "the member has no such upload, or it expired")])
}

/// Documents the refusal of a request for which the disk has no space.
pub const fn no_room() -> Refusal {
    refusal(
        507,
        &[(
            "disk_full",
            "no disk space left after space for other uploads and `uploads.reserve_bytes`; received bytes are not lost",
        )],
    )
}
