//! What the document says alike of several calls.

use lantern_http::openapi::{Param, Refusal, header, refusal, segment};
use serde_json::json;

use super::tus;
use crate::account::token::Token;

/// `Tus-Resumable`, which every request but `OPTIONS` has.
pub fn version() -> Param {
    header(
        "Tus-Resumable",
        "Version of the protocol.",
        json!({ "type": "string", "enum": [tus::VERSION] }),
        tus::VERSION,
    )
    .required()
}

/// The upload's own part of its address.
pub fn token() -> Param {
    let schema = json!({ "type": "string", "pattern": Token::PATTERN });
    segment("token", "Names the upload.", schema, "9xYl2wVqkq3Qq0a1k1hH8mWfJc5cTqO6yH3b0dFzUuE")
}

pub const fn other_version() -> Refusal {
    refusal(412, &[("tus_version", "another version of the protocol, or none")])
}

pub const fn missing() -> Refusal {
    refusal(404, &[("upload_not_found", "no such upload of this member, or its time is over")])
}

pub const fn no_room() -> Refusal {
    refusal(
        507,
        &[(
            "disk_full",
            "the disk has no room beside what others are sending and `uploads.reserve_bytes`; nothing that has come is lost",
        )],
    )
}
