//! `Content-Security-Policy` of pages that load captchas, players or films from other origins.

use axum::{
    extract::{Request, State},
    http::header,
    middleware::Next,
    response::Response,
};

use crate::state::AppState;

/// Adds the policy to pages that don't set one themselves.
pub async fn allow_sources(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if let Some(policy) = state.captcha.page_policy() {
        response.headers_mut().entry(header::CONTENT_SECURITY_POLICY).or_insert_with(|| policy.clone());
    }
    response
}
