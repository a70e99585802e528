//! `GET /api/captcha.php`: what a browser needs to prove that it is no robot.

use axum::{extract::State, response::Response};
use lantern_ratelimit::{Action, Key};

use crate::{
    account::captcha::Purpose,
    http::{
        error::{ApiError, ApiResult},
        extract::{Client, Query},
        private,
    },
    state::AppState,
};

/// The handler.
///
/// # Errors
/// 422 without a form it is for, 429 for a client that asks too often.
pub async fn captcha(State(state): State<AppState>, client: Client, query: Query) -> ApiResult<Response> {
    let required = ApiError::Field { field: "for", code: "required", bound: None };
    let purpose: Purpose = query.word("for")?.ok_or(required)?;
    state.limits.take(Action::Captcha, &Key::client(&client.key)).await?;
    Ok(private::secret(state.captcha.challenge(purpose)))
}
