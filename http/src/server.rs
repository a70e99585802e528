//! Accepts connections and limits each of them. A connection needs a slot, and there are limits on the time for the request head and on
//! the time during which the client does not read the response.
//!
//! The server supports only HTTP/1.1, which proxies use for upstream servers: docs/adr/0030-what-a-client-may-take.md.

use std::{
    convert::Infallible,
    io::{self, ErrorKind},
    net::{Shutdown, SocketAddr},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use axum::{
    body::Body,
    extract::Request as SiteRequest,
    http::{HeaderValue, header},
    response::Response,
};
use futures_util::FutureExt;
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use lantern_config::Server as ServerSettings;
use socket2::SockRef;
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream, lookup_host},
    time::{Instant, timeout, timeout_at},
};
use tokio_io_timeout::TimeoutStream;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::Service;

use crate::{
    connections::{ConnectionSlot, Connections},
    linger::{Lingering, LingeringStream, Unread},
};

/// Pause before the next `accept` when file descriptors are exhausted.
const ACCEPT_RETRY: Duration = Duration::from_secs(1);
/// Maximum number of connections that the kernel queues until they are accepted.
const BACKLOG: u32 = 1024;
/// Grace period for data in flight when the server stops, such as the rest of a handshake or the first bytes of a request. It covers
/// several round trips between the machines of a site.
const IN_FLIGHT: Duration = Duration::from_millis(100);

/// A reserved port. It refuses connections until [`Self::listen`], so that a proxy tries another node instead of waiting.
pub struct Port {
    socket: TcpSocket,
    address: SocketAddr,
}

impl Port {
    /// Reserves `port` on the first address of `host` for which this is possible. Port 0 reserves any free port.
    ///
    /// # Errors
    /// The name has no address, or the port is in use or not permitted.
    pub async fn reserve(host: &str, port: u16) -> io::Result<Self> {
        let mut failure = io::Error::new(ErrorKind::InvalidInput, "the host name has no address");
        for address in lookup_host((host, port)).await? {
            match Self::bind(address) {
                Ok(port) => return Ok(port),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    fn bind(address: SocketAddr) -> io::Result<Self> {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // This allows binding while connections of an earlier process are in TIME_WAIT.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        let address = socket.local_addr()?;
        Ok(Self { socket, address })
    }

    /// Returns the reserved address with the actual port.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Starts to listen for connections.
    ///
    /// # Errors
    /// Another program that reserved the same port is already listening.
    pub fn listen(self) -> io::Result<TcpListener> {
        self.socket.listen(BACKLOG)
    }
}

/// Service that handles the requests of a connection.
pub trait Site:
    Service<SiteRequest, Response = Response, Error = Infallible, Future: Send> + Clone + Send + Sync + 'static
{
}

impl<S> Site for S where
    S: Service<SiteRequest, Response = Response, Error = Infallible, Future: Send> + Clone + Send + Sync + 'static
{
}

/// Serves a site on one listener.
pub struct Server<S> {
    listener: TcpListener,
    site: S,
    /// Creates the service of a connection.
    for_peer: fn(&S, SocketAddr) -> S,
    connections: Arc<Connections>,
    draining: CancellationToken,
    http: http1::Builder,
    timeouts: Timeouts,
    open: TaskTracker,
}

/// State that all servers of a process share.
pub struct Process<'a> {
    /// Limits and timeouts.
    pub settings: &'a ServerSettings,
    /// Connection limits of the process.
    pub connections: Arc<Connections>,
    /// Canceled once the node drains. From then on, each response closes its connection.
    pub draining: CancellationToken,
}

impl<S: Site> Server<S> {
    /// Creates a server, which accepts connections once [`Self::run`] is called. `for_peer` creates the service of a connection.
    #[must_use]
    pub fn new(listener: TcpListener, site: S, for_peer: fn(&S, SocketAddr) -> S, process: Process<'_>) -> Self {
        let Process { settings, connections, draining } = process;
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(settings.header_timeout));
        let timeouts =
            Timeouts { write: Duration::from_secs(settings.write_timeout), linger: Lingering::new(settings) };
        Self { listener, site, for_peer, connections, draining, http, timeouts, open: TaskTracker::new() }
    }

    /// Serves requests until `stop` is canceled. Then accepts no more connections, closes idle ones and returns once all open requests have
    /// ended.
    pub async fn run(&self, stop: CancellationToken) {
        let connections = &self.connections;
        while let Some(accepted) = stop.run_until_cancelled(accept(&self.listener, connections)).await {
            self.spawn_connection(accepted, &stop);
        }
        // Connections that have reached this machine are served, and new ones are refused so that the client can try another node.
        refuse_handshakes(&self.listener);
        let settled = Instant::now() + IN_FLIGHT;
        while let Ok(accepted) = timeout_at(settled, accept(&self.listener, connections)).await {
            self.spawn_connection(accepted, &stop);
        }
        while let Some(accepted) = accept(&self.listener, connections).now_or_never() {
            self.spawn_connection(accepted, &stop);
        }
        if let Err(error) = SockRef::from(&self.listener).shutdown(Shutdown::Both) {
            // On systems that do not support this, the listener is closed when the server is dropped.
            tracing::debug!(%error, "failed to shut down the listener");
        }
        self.open.close();
        self.open.wait().await;
    }

    fn spawn_connection(
        &self,
        (stream, peer, slot): (TcpStream, SocketAddr, ConnectionSlot),
        stop: &CancellationToken,
    ) {
        let site = (self.for_peer)(&self.site, peer);
        let tokens = (self.draining.clone(), stop.clone());
        let connection = serve(stream, site, self.http.clone(), self.timeouts, tokens);
        self.open.spawn(async move {
            connection.await;
            drop(slot);
        });
    }
}

/// Drops packets that start a handshake. Closing the listener while they arrive would reset connections that are established but not
/// accepted yet, and whose request may already be sent.
#[cfg(target_os = "linux")]
fn refuse_handshakes(listener: &TcpListener) {
    use socket2::SockFilter;
    // Classic BPF on the TCP header: drop packets with SYN but without ACK in the flags (byte 13).
    let filter = [
        SockFilter::new(0x30, 0, 0, 13),   // load the byte
        SockFilter::new(0x54, 0, 0, 0x12), // and with SYN | ACK
        SockFilter::new(0x15, 0, 1, 0x02), // is it SYN alone?
        SockFilter::new(0x06, 0, 0, 0),    // drop
        SockFilter::new(0x06, 0, 0, u32::MAX),
    ];
    if let Err(error) = SockRef::from(listener).attach_filter(&filter) {
        tracing::debug!(%error, "failed to refuse handshakes");
    }
}

#[cfg(not(target_os = "linux"))]
fn refuse_handshakes(_: &TcpListener) {}

/// Timeouts for sending a response and closing its connection.
#[derive(Clone, Copy)]
struct Timeouts {
    /// Maximum time without the client reading anything.
    write: Duration,
    linger: Lingering,
}

/// Accepts the next connection that gets a slot and closes those that don't.
async fn accept(listener: &TcpListener, connections: &Connections) -> (TcpStream, SocketAddr, ConnectionSlot) {
    loop {
        connections.wait_for_slot().await;
        match listener.accept().await {
            Ok((stream, peer)) => {
                if let Some(slot) = connections.claim(peer.ip()) {
                    return (stream, peer, slot);
                }
            }
            Err(error) if is_client_abort(&error) => {}
            Err(error) => {
                tracing::error!(%error, "failed to accept a connection");
                tokio::time::sleep(ACCEPT_RETRY).await;
            }
        }
    }
}

/// Returns whether the client gave up before the connection was accepted.
fn is_client_abort(error: &io::Error) -> bool {
    use ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Serves the requests of a connection until either side closes it.
async fn serve<S: Site>(
    stream: TcpStream,
    site: S,
    http: http1::Builder,
    timeouts: Timeouts,
    (draining, stop): (CancellationToken, CancellationToken),
) {
    // Responses are written at once, so Nagle's algorithm would only delay their last packet.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "connection closed before it was served");
        return;
    }
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(timeouts.write));
    let unread = Unread::default();
    let stream = LingeringStream::new(Box::pin(stream), unread.clone(), timeouts.linger);
    let stopping = stop.clone();
    let service = service_fn(move |request: Request<Incoming>| {
        let response = site.clone().call(request.map(|body| Body::new(unread.watch(body))));
        let (draining, stopping) = (draining.clone(), stopping.clone());
        async move {
            let mut response = response.await?;
            if draining.is_cancelled() || stopping.is_cancelled() {
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, Infallible>(response)
        }
    });
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => match timeout(IN_FLIGHT, connection.as_mut()).await {
            Ok(ended) => ended,
            Err(_) => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        },
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "connection closed with an error");
    }
}
