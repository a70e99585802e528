//! The age gate for visitors without scripts. It is a form that sets the same cookie as the app's button.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use lantern_config::{Config, Lang};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Form, cookies,
    openapi::{Doc, field},
    own_path::is_own_path,
};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;

use crate::texts::text;

/// Renders the form, which posts `to` to `action`.
pub fn form(lang: Lang, action: &str, to: &str) -> Markup {
    html! {
        h1 { (text(lang, "gate.title")) }
        p { (text(lang, "gate.text")) }
        form method="post" action=(action) {
            input type="hidden" name="to" value=(to);
            button { (text(lang, "gate.agree")) }
        }
    }
}

/// The form of the age gate.
#[derive(Deserialize)]
pub struct GateForm {
    /// Address that the visitor requested.
    #[serde(default)]
    to: String,
}

pub fn doc(_: &Config) -> Doc {
    // A second slash, or a backslash, would redirect to another site.
    let here =
        json!({ "type": "string", "pattern": "^/(?:[^/\\\\\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*)?$" });
    Doc::post("site", "agree", "/agree/", "The age gate's form, for visitors without scripts")
        .about("Sets the cookie `age_agreed`, as the app's button does. A `to` that is missing or leads to another site is `malformed`.")
        .field(field("to", "Address on this site to redirect to, without the origin.", here, "/videos/1/").required())
        .redirects("To the address in `to`.", "/videos/1/")
}

/// `POST /agree/`: stores in a cookie that the visitor is an adult, and redirects to `to`.
pub async fn agree(State(config): State<Arc<Config>>, Form(sent): Form<GateForm>) -> ApiResult<Response> {
    let to = sent.to.as_str();
    if !is_own_path(to) {
        return Err(ApiError::Malformed("to"));
    }
    let location = HeaderValue::try_from(to).map_err(|_| ApiError::Malformed("to"))?;
    let fixed = [(header::LOCATION, location), (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"))];
    let mut response = (StatusCode::SEE_OTHER, fixed).into_response();
    let cookie = cookies::set(&config, cookies::AGE_AGREED, "1").ok_or(ApiError::Malformed("cookie"))?;
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}
