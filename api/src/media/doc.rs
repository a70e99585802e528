//! Pictures, and everything that plays.

use lantern_config::Config;
use serde_json::json;

use crate::openapi::{
    Doc,
    errors::{malformed, refusal},
    params::segment,
};

/// A name below the media folder.
const NAME: &str = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}";

/// Both.
pub fn all(_: &Config) -> Vec<Doc> {
    vec![picture(), signed()]
}

fn picture() -> Doc {
    let file = "(?:poster\\.jpg|sprite\\.webp|(?:shot-)?[0-9]+-(?:320|640)\\.webp|[0-9a-f]{24}-[0-9]+\\.jpg)";
    let path = json!({ "type": "string", "pattern": format!("^(?:{NAME}/){{0,6}}{file}$") });
    Doc::page("site", "picture", "/media/p/{path}", "A picture")
        .about(
            "Never changes under its name, and goes with what it shows; what is private is there for who may see it. Any site may show it.",
        )
        .takes(segment("path", "Its name, with slashes.", path, "demo/01/poster.jpg"))
        .answers_file("The picture.", &["image/webp", "image/jpeg"])
        .kept("public, max-age=86400, s-maxage=3600")
        .refuses(malformed())
        .refuses(refusal(404, &[("file_not_found", "no such picture, or nothing that this visitor may see shows it")]))
}

fn signed() -> Doc {
    let ends = "(?:mp4|m4s|m3u8|vtt|webp|jpg)";
    let path =
        json!({ "type": "string", "pattern": format!("^(?:{NAME}/){{1,6}}[A-Za-z0-9_-][A-Za-z0-9._-]*\\.{ends}$") });
    let seconds = json!({ "type": "integer", "format": "int64", "minimum": 1, "maximum": i64::MAX });
    let signature = json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" });
    Doc::page("site", "film", "/media/s/{expires}/{signature}/{path}", "A part of a film")
        .about(
            "`videofile.php` makes these addresses; what a playlist or a cue names relative to its own address opens with the \
             same signature, while its video may be seen.",
        )
        .takes(segment("expires", "When the link stops working, unix seconds.", seconds, 1_800_000_000))
        .takes(segment("signature", "Of the folder and that time.", signature, "0".repeat(64)))
        .takes(segment("path", "The file's name, with slashes.", path, "demo/01/video.mp4"))
        .answers_file(
            "The file.",
            &[
                "video/mp4",
                "video/iso.segment",
                "application/vnd.apple.mpegurl",
                "text/vtt",
                "image/webp",
                "image/jpeg",
            ],
        )
        .kept("private, max-age=86400")
        .refuses(malformed())
        .refuses(refusal(
            403,
            &[
                ("dont_have_permission", "the signature is not ours for this folder and time"),
                ("link_expired", "the time in the address has passed"),
            ],
        ))
        .refuses(refusal(404, &[("file_not_found", "no such file, or the video is gone or this visitor may not see it")]))
}
