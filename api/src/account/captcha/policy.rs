//! The policy of pages that load the captcha of this site, and its films from elsewhere.

use axum::{
    extract::{Request, State},
    http::header,
    middleware::Next,
    response::Response,
};

use crate::state::AppState;

/// Gives pages the policy that the captcha of this site needs.
pub async fn allow_sources(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if let Some(policy) = state.captcha.page_policy() {
        response.headers_mut().entry(header::CONTENT_SECURITY_POLICY).or_insert_with(|| policy.clone());
    }
    response
}
