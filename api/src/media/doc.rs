//! Documentation of pictures, streams and downloads.

use lantern_config::Config;
use serde_json::{Value, json};

use lantern_http::openapi::{Doc, Param, errors::malformed, refusal, segment};

/// Pattern of a name below the media folder.
const NAME: &str = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}";

/// Example of a redirect to an external store.
const STORE: &str = "https://s3.example/films/demo/01/video.mp4?X-Amz-Expires=900";

/// Returns the documentation of all media calls.
pub fn all(_: &Config) -> Vec<Doc> {
    vec![picture(), signed(), download()]
}

fn picture() -> Doc {
    let file =
        "(?:poster\\.jpg|sprite\\.webp|preview\\.mp4|(?:shot-)?[0-9]+-(?:320|640)\\.webp|[0-9a-f]{24}-[0-9]+\\.jpg)";
    let path = json!({ "type": "string", "pattern": format!("^(?:{NAME}/){{0,6}}{file}$") });
    Doc::page("site", "picture", "/media/p/{path}", "A picture")
        .about(
            "A picture is immutable, and removed together with the object that shows it. Private pictures are served to viewers with \
             access. Any site may embed pictures. Posters are served as AVIF or WebP if listed in `Accept`; `preview.mp4` is a silent \
             preview of a few seconds.",
        )
        .takes(segment("path", "Path of the file, with slashes.", path, "demo/01/poster.jpg"))
        .answers_file("The picture.", &["image/webp", "image/jpeg", "image/avif", "video/mp4"])
        .cache_control("public, max-age=86400, s-maxage=3600")
        .refuses(malformed())
        .refuses(refusal(404, &[("file_not_found", "no such picture, or no object that the visitor may see shows it")]))
        .refuses(lantern_uploads::away())
}

fn signed() -> Doc {
    let ends = "(?:mp4|m4s|m3u8|vtt|webp|jpg)";
    let path =
        json!({ "type": "string", "pattern": format!("^(?:{NAME}/){{1,6}}[A-Za-z0-9_-][A-Za-z0-9._-]*\\.{ends}$") });
    Doc::page("site", "film", "/media/s/{expires}/{signature}/{path}", "A part of a film")
        .about(
            "`videofile.php` returns these addresses. Relative addresses in a playlist or cue work with the same signature. \
             The file is served as long as the visitor may see the video.",
        )
        .takes(expires())
        .takes(segment("signature", "Signature of the folder and expiry.", signature(), "0".repeat(64)))
        .takes(segment("path", "Path of the file, with slashes.", path, "demo/01/video.mp4"))
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
        .redirects_with(302, "Address of the file in the film's store, valid no longer than the link.", STORE)
        .refuses(malformed())
        .refuses(refusal(
            403,
            &[
                ("dont_have_permission", "the signature is not valid for this folder and expiry"),
                ("link_expired", "the time in the address has passed"),
            ],
        ))
        .refuses(refusal(404, &[("file_not_found", "no such file, or the video is gone or this visitor may not see it")]))
        .refuses(lantern_uploads::away())
}

fn download() -> Doc {
    let path = json!({ "type": "string", "pattern": format!("^(?:{NAME}/){{2,6}}{NAME}$") });
    Doc::page("site", "download_file", "/media/d/{expires}/{signature}/{path}", "Download a film")
        .about("`download.php` returns these addresses. Each opens a single file, as long as the visitor may see the video.")
        .takes(expires())
        .takes(segment("signature", "Signature of the file, its name and expiry.", signature(), "0".repeat(64)))
        .takes(segment(
            "path",
            "Path of the file, followed by the download name.",
            path,
            "demo/01/video.mp4/quiet-river.mp4",
        ))
        .answers_file("The file, as an attachment.", &["video/mp4"])
        .cache_control("private, max-age=86400")
        .redirects_with(302, "Address of the file in the film's store, valid no longer than the link.", STORE)
        .refuses(malformed())
        .refuses(refusal(
            403,
            &[
                ("dont_have_permission", "the signature is not valid for this file, name and expiry"),
                ("link_expired", "the time in the address has passed"),
            ],
        ))
        .refuses(refusal(
            404,
            &[("file_not_found", "no such file, or the video is gone or this visitor may not see it")],
        ))
        .refuses(lantern_uploads::away())
}

fn expires() -> Param {
    let seconds = json!({ "type": "integer", "format": "int64", "minimum": 1, "maximum": i64::MAX });
    segment("expires", "Expiry of the link in Unix seconds.", seconds, 1_800_000_000)
}

fn signature() -> Value {
    json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
}
