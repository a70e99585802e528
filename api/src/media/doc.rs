//! Pictures, and everything that plays.

use lantern_config::Config;
use serde_json::{Value, json};

use lantern_http::openapi::{Doc, Param, Refusal, errors::malformed, refusal, segment};

/// A name below the media folder.
const NAME: &str = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}";

/// Where a store could have a file.
const STORE: &str = "https://s3.example/films/demo/01/video.mp4?X-Amz-Expires=900";

/// All three.
pub fn all(_: &Config) -> Vec<Doc> {
    vec![picture(), signed(), download()]
}

fn picture() -> Doc {
    let file =
        "(?:poster\\.jpg|sprite\\.webp|preview\\.mp4|(?:shot-)?[0-9]+-(?:320|640)\\.webp|[0-9a-f]{24}-[0-9]+\\.jpg)";
    let path = json!({ "type": "string", "pattern": format!("^(?:{NAME}/){{0,6}}{file}$") });
    Doc::page("site", "picture", "/media/p/{path}", "A picture")
        .about(
            "Never changes under its name, and goes with what it shows; what is private is there for who may see it. Any site may show \
             it. A poster comes as AVIF or WebP to who names them in `Accept`; `preview.mp4` is a few silent seconds for a card.",
        )
        .takes(segment("path", "Its name, with slashes.", path, "demo/01/poster.jpg"))
        .answers_file("The picture.", &["image/webp", "image/jpeg", "image/avif", "video/mp4"])
        .cache_control("public, max-age=86400, s-maxage=3600")
        .refuses(malformed())
        .refuses(refusal(404, &[("file_not_found", "no such picture, or nothing that this visitor may see shows it")]))
        .refuses(away())
}

/// A store elsewhere that doesn't answer.
pub const fn away() -> Refusal {
    refusal(503, &[("store_unavailable", "the store of the film is away; `info.retry_after` says when to try again")])
}

fn signed() -> Doc {
    let ends = "(?:mp4|m4s|m3u8|vtt|webp|jpg)";
    let path =
        json!({ "type": "string", "pattern": format!("^(?:{NAME}/){{1,6}}[A-Za-z0-9_-][A-Za-z0-9._-]*\\.{ends}$") });
    Doc::page("site", "film", "/media/s/{expires}/{signature}/{path}", "A part of a film")
        .about(
            "`videofile.php` makes these addresses; what a playlist or a cue names relative to its own address opens with the \
             same signature, while its video may be seen.",
        )
        .takes(expires())
        .takes(segment("signature", "Of the folder and that time.", signature(), "0".repeat(64)))
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
        .cache_control("private, max-age=86400")
        .redirects_with(302, "Where the film's store itself has the file, for no longer than the link lasts.", STORE)
        .refuses(malformed())
        .refuses(refusal(
            403,
            &[
                ("dont_have_permission", "the signature is not ours for this folder and time"),
                ("link_expired", "the time in the address has passed"),
            ],
        ))
        .refuses(refusal(404, &[("file_not_found", "no such file, or the video is gone or this visitor may not see it")]))
        .refuses(away())
}

fn download() -> Doc {
    let path = json!({ "type": "string", "pattern": format!("^(?:{NAME}/){{2,6}}{NAME}$") });
    Doc::page("site", "download_file", "/media/d/{expires}/{signature}/{path}", "A film to keep")
        .about("`download.php` makes these addresses; one opens its file alone, while its video may be seen.")
        .takes(expires())
        .takes(segment("signature", "Of the file, its name and that time.", signature(), "0".repeat(64)))
        .takes(segment(
            "path",
            "The film's file, and what the browser calls it.",
            path,
            "demo/01/video.mp4/quiet-river.mp4",
        ))
        .answers_file("The file, as an attachment.", &["video/mp4"])
        .cache_control("private, max-age=86400")
        .redirects_with(302, "Where the film's store itself has the file, for no longer than the link lasts.", STORE)
        .refuses(malformed())
        .refuses(refusal(
            403,
            &[
                ("dont_have_permission", "the signature is not ours for this file, name and time"),
                ("link_expired", "the time in the address has passed"),
            ],
        ))
        .refuses(refusal(
            404,
            &[("file_not_found", "no such file, or the video is gone or this visitor may not see it")],
        ))
        .refuses(away())
}

fn expires() -> Param {
    let seconds = json!({ "type": "integer", "format": "int64", "minimum": 1, "maximum": i64::MAX });
    segment("expires", "When the link stops working, unix seconds.", seconds, 1_800_000_000)
}

fn signature() -> Value {
    json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
}
