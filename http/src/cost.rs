//! Charges clients for computation: each millisecond counts against `limits.compute` of the client address.
//!
//! Cached responses are free, and so is waiting for a computation that another client pays for. Work outside of a request (startup, a
//! refresh) is free.

use std::{sync::Arc, time::Instant};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use lantern_errors::ApiResult;
use lantern_ratelimit::{Action, ClientKey, Limits};

use crate::Client;

tokio::task_local! {
    /// Client that is charged for the current request. It is charged for all work on the response, because a page makes several calls.
    static PAYER: Payer;
}

#[derive(Clone)]
struct Payer {
    limits: Arc<Limits>,
    client: ClientKey,
}

/// Middleware that charges the computation of a request to its client.
pub async fn payer(State(limits): State<Arc<Limits>>, client: Client, request: Request, next: Next) -> Response {
    PAYER.scope(Payer { limits, client: client.key }, next.run(request)).await
}

/// Checks the computation budget of the client. Fails with 429 and the time until it suffices again. Always succeeds outside of a
/// request.
pub fn afford() -> ApiResult<()> {
    let afford = |payer: &Payer| payer.limits.afford(Action::Compute, payer.client);
    Ok(PAYER.try_with(afford).unwrap_or(Ok(()))?)
}

/// Runs `work` and charges the elapsed time to the client, even if the future is dropped early.
pub async fn metered<T>(work: impl Future<Output = T>) -> T {
    let _meter = Meter { payer: PAYER.try_with(Payer::clone).ok(), started: Instant::now() };
    work.await
}

/// Checks the budget of the client with [`afford`], then runs `work` like [`metered`].
pub async fn paid<T>(work: impl Future<Output = ApiResult<T>>) -> ApiResult<T> {
    afford()?;
    metered(work).await
}

/// Charges the elapsed time when dropped, so that clients that disconnect pay, too.
struct Meter {
    payer: Option<Payer>,
    started: Instant,
}

impl Drop for Meter {
    fn drop(&mut self) {
        let Some(payer) = &self.payer else { return };
        // Every computation costs at least 1 ms.
        let spent = u32::try_from(self.started.elapsed().as_millis()).unwrap_or(u32::MAX).max(1);
        payer.limits.charge(Action::Compute, payer.client, spent);
    }
}
