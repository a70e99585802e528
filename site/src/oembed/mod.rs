//! `GET /oembed?url=&format=`: what another site needs to embed one of our videos (oembed.com, version 1.0).

pub mod answer;
pub mod link;

use axum::{
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use lantern_api::{access::AccessCheck, params, sources::Sources, video::show::Video};
use lantern_catalog::status::UploadStatus;
use lantern_config::{Config, Lang};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query,
    openapi::{Doc, invalid, query, refusal, too_often},
    security,
};
use lantern_listing::pages::{Page, query::Params, resolve};
use serde_json::json;

use crate::{
    oembed::{
        answer::{CACHE_AGE, OembedAnswer, describe, xml},
        link::Format,
    },
    player::{self, PlayerOptions},
    request::{self, PageRequest},
};

pub fn doc(config: &Config) -> Doc {
    let example = format!("{}/videos/1/a-tea-ceremony-in-manila/", config.public_url());
    let format = json!({ "type": "string", "enum": ["json", "xml"], "default": "json" });
    let most = json!({ "type": "integer", "minimum": 1, "maximum": u32::MAX });
    Doc::new("site", "oembed", "/oembed", "What another site needs to embed a video of ours (oEmbed 1.0)")
        .takes(
            query(
                "url",
                "Address of a video's page or player on this site; its `start_time` and `lang` are passed on.",
                json!({ "type": "string" }),
                example,
            )
            .required(),
        )
        .takes(query(
            "format",
            "Format of the response; `xml` has the same fields as elements of `oembed`.",
            format,
            "json",
        ))
        .takes_all([
            query("maxwidth", "Maximum width of player and picture, in pixels.", most.clone(), 426),
            query("maxheight", "Maximum height of player and picture, in pixels.", most, 265),
        ])
        .takes(params::lang())
        .answers::<OembedAnswer>("The video.")
        .also_as(
            "text/xml",
            &json!({ "type": "string" }),
            &json!(
                "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?><oembed><version>1.0</version></oembed>"
            ),
        )
        .cache_control("public, max-age=3600")
        .for_other_sites()
        .refuses(refusal(401, &[("dont_have_permission", "the video is private")]))
        .refuses(refusal(
            404,
            &[(
                "video_not_found",
                "the address is not that of a video here, or the video was deleted or isn't released yet",
            )],
        ))
        .refuses(refusal(422, &[("required", "`url` is missing")]))
        .refuses(invalid())
        .refuses(too_often())
        .refuses(refusal(501, &[("invalid", "`format` is neither `json` nor `xml`")]))
}

/// Handles a request with the protocol's statuses (section 2.3.4): 404 if the address is not that of one of our videos or the video has
/// been deleted, 401 if it is private, 501 for any other format. Responds with 422 for a parameter outside its vocabulary or range.
pub async fn oembed(State(sources): State<Sources>, State(check): State<AccessCheck>, request: Request) -> Response {
    security::allow_cross_origin(answer(&sources, &check, request).await)
}

async fn answer(sources: &Sources, check: &AccessCheck, request: Request) -> ApiResult<Response> {
    let request = PageRequest::new(check, request.into_parts().0).await?;
    // This is a call for programs, so it is strict, unlike a page.
    let query = Query::parse(request.parts.uri.query().unwrap_or_default())?;
    let format = match query.get("format") {
        None | Some("json") => Format::Json,
        Some("xml") => Format::Xml,
        _ => return Err(refused(StatusCode::NOT_IMPLEMENTED, "invalid", Some("format"))),
    };
    let url = query.get("url").unwrap_or_default();
    let id = video_id(url, &request.origin).ok_or(ApiError::NotFound("video_not_found"))?;
    // The answer is the same for everyone, so cookies don't set its language.
    let lang = query.word("lang")?.or_else(|| url_params(url).word("lang"));
    let options = PlayerOptions { lang, start: player::start_of(&url_params(url)) };
    let most = [query.number("maxwidth", 1..=u32::MAX)?, query.number("maxheight", 1..=u32::MAX)?];
    let found = request::video(sources, request.guest(check), id, lang.unwrap_or(Lang::En)).await?;
    let answer = match &found.video {
        Video::Shown(video) => describe(video, &request.origin, options, most),
        Video::Gone { status_id: UploadStatus::Deleted, .. } => return Err(ApiError::NotFound("video_not_found")),
        Video::Gone { .. } => return Err(refused(StatusCode::UNAUTHORIZED, "dont_have_permission", None)),
    };
    let (kind, body) = match format {
        Format::Json => ("application/json", serde_json::to_vec(&answer)?),
        Format::Xml => ("text/xml; charset=utf-8", xml(&serde_json::to_value(&answer)?)),
    };
    let keep = HeaderValue::try_from(format!("public, max-age={CACHE_AGE}")).map_err(ApiError::internal)?;
    let fixed = [(header::CONTENT_TYPE, HeaderValue::from_static(kind)), (header::CACHE_CONTROL, keep)];
    Ok((fixed, body).into_response())
}

fn refused(status: StatusCode, code: &'static str, field: Option<&'static str>) -> ApiError {
    ApiError::Refused { status, code, field, info: None }
}

/// Parses the parameters of a page's address.
fn url_params(url: &str) -> Params {
    let (_, query) = url.split_once('?').unwrap_or_default();
    Params::parse(query.split('#').next().unwrap_or_default())
}

/// Returns the id of the video whose page or player on this site has this address.
fn video_id(url: &str, origin: &str) -> Option<i64> {
    let authority = |address: &str| address.split_once("://").map(|(_, rest)| rest.to_owned());
    let (rest, ours) = (authority(url)?, authority(origin)?);
    let path = rest.strip_prefix(ours.as_str()).filter(|path| path.starts_with('/'))?;
    let path = path.split(['?', '#']).next()?;
    match resolve(&format!("{}/", path.trim_end_matches('/')), None) {
        Page::Embed(id) => Some(id),
        Page::Shown(shown) if shown.screen == "video" => shown.parse("id"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_videos_have_an_answer() {
        let id = |url: &str| video_id(url, "https://tube.example");
        assert_eq!(id("https://tube.example/videos/12/night-market/?start_time=5"), Some(12));
        assert_eq!(id("http://tube.example/videos/12"), Some(12));
        assert_eq!(id("https://tube.example/embed/12/"), Some(12));
        for url in [
            "",
            "/videos/12/",
            "https://evil.example/videos/12/",
            "https://tube.example.evil.example/videos/12/",
            "https://tube.example@evil.example/videos/12/",
            "https://tube.example/videos/longest/1/",
            "https://tube.example/models/12/",
        ] {
            assert_eq!(id(url), None, "{url}");
        }
    }

    #[test]
    fn address_may_set_the_language() {
        let url_lang = |url: &str| url_params(url).word::<Lang>("lang");
        assert_eq!(url_lang("https://tube.example/videos/12/?type=hd&lang=de#player"), Some(Lang::De));
        for url in ["https://tube.example/videos/12/", "https://tube.example/videos/12/?lang=xx"] {
            assert_eq!(url_lang(url), None, "{url}");
        }
    }
}
