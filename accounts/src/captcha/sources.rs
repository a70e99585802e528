//! `Content-Security-Policy` of pages that load captchas, players or films from other origins.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::header,
    middleware::Next,
    response::Response,
};

use super::Captcha;

/// Adds the policy to pages that don't set one themselves.
pub async fn allow_sources(State(captcha): State<Arc<Captcha>>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if let Some(policy) = captcha.page_policy() {
        response.headers_mut().entry(header::CONTENT_SECURITY_POLICY).or_insert_with(|| policy.clone());
    }
    response
}
