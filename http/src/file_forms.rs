//! Limits for forms with pictures while they are being received: concurrent forms per client, total memory, and time.
//!
//! Memory is counted by received rather than announced bytes, so that a stalled form does not block others.

use std::{sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    extract::Request,
};
use bytes::BytesMut;
use http_body_util::BodyExt;
use lantern_config::Server;
use lantern_errors::{ApiError, ApiResult};
use lantern_ratelimit::ClientKey;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::per_client::{PerClient, Share};

/// Bytes per semaphore permit.
const UNIT: usize = 1024;
/// `Retry-After` for a client with too many concurrent forms. A form takes several seconds.
const RETRY: Duration = Duration::from_secs(5);

/// Limits of forms with pictures in this process.
pub struct FileForms {
    clients: PerClient,
    memory: Arc<Semaphore>,
    largest: usize,
    time_limit: Duration,
}

/// Resources of a form while it is being received and processed. Dropping it releases them.
pub struct FileForm {
    _share: Share,
    memory: Option<OwnedSemaphorePermit>,
    counted: usize,
}

impl FileForms {
    /// Creates the limits configured in `[server]`.
    pub fn new(server: &Server) -> Self {
        Self {
            clients: PerClient::new(server.uploads_per_client),
            memory: Arc::new(Semaphore::new((server.upload_memory / UNIT).min(Semaphore::MAX_PERMITS))),
            largest: server.form_files_limit,
            time_limit: Duration::from_secs(server.upload_timeout),
        }
    }

    /// Claims one of the concurrent forms of a client, for callers that stream the body. Fails with 429 if there are too many.
    pub fn share(&self, client: ClientKey) -> ApiResult<Share> {
        self.clients.take(client).ok_or(ApiError::TooMany(RETRY))
    }

    /// Reads the body of `request` into memory and returns the request with it. The caller must hold the [`FileForm`] as long as the
    /// request.
    ///
    /// # Errors
    /// 408 if the body arrives too slowly, 413 if it is too large, 429 if `client` sends too many forms at once, 503 if no memory is
    /// free.
    pub async fn read(&self, client: ClientKey, request: Request) -> ApiResult<(Request, FileForm)> {
        let mut form = FileForm { _share: self.share(client)?, memory: None, counted: 0 };
        let (parts, body) = request.into_parts();
        let reading = tokio::time::timeout(self.time_limit, self.fill(&mut form, body));
        let bytes = reading.await.map_err(|_| ApiError::BodyTooSlow)??;
        Ok((Request::from_parts(parts, Body::from(bytes)), form))
    }

    async fn fill(&self, form: &mut FileForm, mut body: Body) -> ApiResult<Bytes> {
        let mut bytes = BytesMut::new();
        while let Some(frame) = body.frame().await {
            let Ok(data) = frame.map_err(|_| ApiError::Malformed("body"))?.into_data() else { continue };
            if bytes.len() + data.len() > self.largest {
                return Err(ApiError::BodyTooLarge);
            }
            self.count(form, bytes.len() + data.len())?;
            bytes.extend_from_slice(&data);
        }
        Ok(bytes.freeze())
    }

    /// Claims the missing memory for a form of `bytes` bytes.
    fn count(&self, form: &mut FileForm, bytes: usize) -> ApiResult<()> {
        let missing = bytes.div_ceil(UNIT) - form.counted;
        let more = u32::try_from(missing).map_err(ApiError::internal)?;
        let Ok(permit) = Arc::clone(&self.memory).try_acquire_many_owned(more) else {
            return Err(ApiError::unavailable("no memory left for forms with pictures"));
        };
        form.counted += missing;
        match &mut form.memory {
            Some(held) => held.merge(permit),
            none => *none = Some(permit),
        }
        Ok(())
    }
}
