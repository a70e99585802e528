//! Forms with pictures on their way in: bounded for each client, in bytes for all, and in time.
//!
//! Memory is taken by the bytes that have come and not by those that were announced, so that a form that stalls holds back nobody.

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

/// Bytes that are counted as one.
const UNIT: usize = 1024;
/// When a client with too many forms may try again: forms are done within seconds.
const RETRY: Duration = Duration::from_secs(5);

/// All forms with pictures of this process.
pub struct FileForms {
    clients: PerClient,
    memory: Arc<Semaphore>,
    largest: usize,
    time_limit: Duration,
}

/// What a form holds while it comes in and is worked on.
pub struct FileForm {
    _share: Share,
    memory: Option<OwnedSemaphorePermit>,
    counted: usize,
}

impl FileForms {
    /// As `[server]` bounds them.
    pub fn new(server: &Server) -> Self {
        Self {
            clients: PerClient::new(server.uploads_per_client),
            memory: Arc::new(Semaphore::new((server.upload_memory / UNIT).min(Semaphore::MAX_PERMITS))),
            largest: server.form_files_limit,
            time_limit: Duration::from_secs(server.upload_timeout),
        }
    }

    /// One of the forms that a client may send at once, for who reads it bit by bit. Fails with 429 when there are too many.
    pub fn share(&self, client: ClientKey) -> ApiResult<Share> {
        self.clients.take(client).ok_or(ApiError::TooMany(RETRY))
    }

    /// Reads the body of `request`, which then has it in memory. The [`FileForm`] is to be held for as long as the form is. Fails
    /// with 408 when it comes too slowly, 413 when it is too large, 429 when `client` sends too many at once, 503 without memory.
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

    /// Takes what is missing for `bytes`.
    fn count(&self, form: &mut FileForm, bytes: usize) -> ApiResult<()> {
        let missing = bytes.div_ceil(UNIT) - form.counted;
        let more = u32::try_from(missing).map_err(ApiError::internal)?;
        let Ok(permit) = Arc::clone(&self.memory).try_acquire_many_owned(more) else {
            return Err(ApiError::unavailable("too many forms with pictures"));
        };
        form.counted += missing;
        match &mut form.memory {
            Some(held) => held.merge(permit),
            none => *none = Some(permit),
        }
        Ok(())
    }
}
