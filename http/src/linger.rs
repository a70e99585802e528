//! Lingering close: lets a client that is still sending read why it was rejected.
//!
//! Closing a socket with unread bytes resets the connection, and the reset may overtake the response. Therefore the server first shuts
//! down its side and continues to read for a bounded time, like `lingering_close` of nginx
//! (docs/adr/0090-refusals-outlive-their-request.md).

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use lantern_config::Server;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

/// Size in bytes of the buffer for discarded data.
const CHUNK: usize = 16 * 1024;

/// Shared flag of a connection: whether the body of its latest request was not read to the end.
#[derive(Clone, Default)]
pub struct Unread(Arc<AtomicBool>);

impl Unread {
    /// Wraps the body of the next request on this connection and resets the flag.
    pub fn watch(&self, body: Incoming) -> WatchedBody {
        self.0.store(false, Ordering::Relaxed);
        WatchedBody { body, has_ended: false, unread: self.clone() }
    }
}

/// Request body that sets the flag if it is dropped before its end.
pub struct WatchedBody {
    body: Incoming,
    has_ended: bool,
    unread: Unread,
}

impl Body for WatchedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        self.has_ended |= frame.is_none();
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for WatchedBody {
    fn drop(&mut self) {
        if !self.has_ended && !self.body.is_end_stream() {
            self.unread.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Limits for reading from a connection after its last response.
#[derive(Debug, Clone, Copy)]
pub struct Lingering {
    time: Duration,
    bytes: u64,
}

impl Lingering {
    /// Creates the limits configured in `[server]`.
    pub fn new(server: &Server) -> Self {
        Self { time: Duration::from_secs(server.linger_seconds), bytes: server.linger_bytes }
    }
}

/// Progress of a shutdown.
enum Closing {
    Open,
    /// The response has ended. The server discards up to `left` further bytes.
    Reading {
        until: Pin<Box<Sleep>>,
        left: u64,
    },
    Closed,
}

/// Stream whose shutdown discards data that the client is still sending.
pub struct LingeringStream<S> {
    stream: S,
    unread: Unread,
    bounds: Lingering,
    closing: Closing,
}

impl<S> LingeringStream<S> {
    /// Wraps `stream`. The shutdown only lingers if `unread` is set.
    pub fn new(stream: S, unread: Unread, bounds: Lingering) -> Self {
        Self { stream, unread, bounds, closing: Closing::Open }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for LingeringStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for LingeringStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, unread, bounds, closing } = &mut *self;
        loop {
            match closing {
                Closing::Open => {
                    ready!(Pin::new(&mut *stream).poll_shutdown(cx))?;
                    *closing = if unread.0.load(Ordering::Relaxed) {
                        Closing::Reading { until: Box::pin(sleep(bounds.time)), left: bounds.bytes }
                    } else {
                        Closing::Closed
                    };
                }
                Closing::Reading { until, left } => {
                    let is_over = until.as_mut().poll(cx).is_ready() || *left == 0;
                    let read = if is_over { 0 } else { ready!(poll_discard(stream, cx)) };
                    *left = left.saturating_sub(read);
                    if read == 0 {
                        *closing = Closing::Closed;
                    }
                }
                Closing::Closed => return Poll::Ready(Ok(())),
            }
        }
    }
}

/// Reads and discards some bytes. Returns their number, or 0 at the end of the stream or after an error.
fn poll_discard<S: AsyncRead + Unpin>(stream: &mut S, cx: &mut Context<'_>) -> Poll<u64> {
    let mut chunk = [0; CHUNK];
    let mut buf = ReadBuf::new(&mut chunk);
    let read = ready!(Pin::new(stream).poll_read(cx, &mut buf));
    Poll::Ready(if read.is_ok() { buf.filled().len() as u64 } else { 0 })
}
