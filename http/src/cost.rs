//! Who pays for what has to be computed: the milliseconds it takes come off what `limits.compute` allows a client address.
//!
//! What is cached costs nothing, nor does waiting for what another one pays. Work that no request began (a start, a refresh) is free.

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
    /// The client of the request, for everything that is done for the response: a page makes several calls.
    static PAYER: Payer;
}

#[derive(Clone)]
struct Payer {
    limits: Arc<Limits>,
    client: ClientKey,
}

/// The middleware: what the request needs is paid by its client.
pub async fn payer(State(limits): State<Arc<Limits>>, client: Client, request: Request, next: Next) -> Response {
    PAYER.scope(Payer { limits, client: client.key }, next.run(request)).await
}

/// Whether the client may have something computed. Fails with 429 and the time until the client has paid for what it had.
pub fn afford() -> ApiResult<()> {
    let afford = |payer: &Payer| payer.limits.afford(Action::Compute, payer.client);
    Ok(PAYER.try_with(afford).unwrap_or(Ok(()))?)
}

/// Does `work` at the client's cost, also when it is given up on the way.
pub async fn metered<T>(work: impl Future<Output = T>) -> T {
    let _meter = Meter { payer: PAYER.try_with(Payer::clone).ok(), begun: Instant::now() };
    work.await
}

/// Does `work` at the cost of who asked, if it can be afforded.
pub async fn paid<T>(work: impl Future<Output = ApiResult<T>>) -> ApiResult<T> {
    afford()?;
    metered(work).await
}

/// Charges what has passed when it is dropped: a client that hangs up pays, too.
struct Meter {
    payer: Option<Payer>,
    begun: Instant,
}

impl Drop for Meter {
    fn drop(&mut self) {
        let Some(payer) = &self.payer else { return };
        // To ask at all costs something.
        let spent = u32::try_from(self.begun.elapsed().as_millis()).unwrap_or(u32::MAX).max(1);
        payer.limits.charge(Action::Compute, payer.client, spent);
    }
}
