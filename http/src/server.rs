//! Accepts connections and bounds what each may hold: a place, the time for a head, the time without taking its answer.
//!
//! HTTP/1.1 alone, which is what proxies speak to the servers behind them: docs/adr/0030-what-a-client-may-take.md.

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

/// Between two tries to accept while the machine has no files left.
const ACCEPT_AGAIN: Duration = Duration::from_secs(1);
/// Connections that the system holds for us until they are accepted.
const BACKLOG: u32 = 1024;
/// For what is on its way when the server stops: the rest of a handshake, the first bytes of a request. Several round trips between the
/// machines of one site.
const ON_ITS_WAY: Duration = Duration::from_millis(100);

/// A port that is ours, and refuses connections until it is listened on: a proxy then tries another node instead of waiting for this one.
pub struct Port {
    socket: TcpSocket,
    address: SocketAddr,
}

impl Port {
    /// Takes the port of the first address of `host` that can be had; 0 takes any free one.
    ///
    /// # Errors
    /// The name has no address; the port is taken or not permitted.
    pub async fn reserve(host: &str, port: u16) -> io::Result<Self> {
        let mut failure = io::Error::new(ErrorKind::InvalidInput, "the name has no address");
        for address in lookup_host((host, port)).await? {
            match Self::at(address) {
                Ok(port) => return Ok(port),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    fn at(address: SocketAddr) -> io::Result<Self> {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // Connections of an earlier process that are not quite over hold nobody up.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        let address = socket.local_addr()?;
        Ok(Self { socket, address })
    }

    /// Its address.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Accepts connections from now on.
    ///
    /// # Errors
    /// Another program, which had reserved it as well, was faster.
    pub fn listen(self) -> io::Result<TcpListener> {
        self.socket.listen(BACKLOG)
    }
}

/// A service that answers requests of any connection.
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
    for_peer: fn(&S, SocketAddr) -> S,
    connections: Arc<Connections>,
    draining: CancellationToken,
    http: http1::Builder,
    times: Times,
    open: TaskTracker,
}

/// What a server takes over from its process.
pub struct Process<'a> {
    /// Limits and timeouts.
    pub settings: &'a ServerSettings,
    /// Connections of all servers of the process.
    pub connections: Arc<Connections>,
    /// Cancelled once the process is about to stop.
    pub draining: CancellationToken,
}

impl<S: Site> Server<S> {
    /// Prepares a server; it accepts nothing before [`Self::run`]. `for_peer` makes the service of one connection.
    #[must_use]
    pub fn new(listener: TcpListener, site: S, for_peer: fn(&S, SocketAddr) -> S, process: Process<'_>) -> Self {
        let Process { settings, connections, draining } = process;
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(settings.header_timeout));
        let times = Times { write: Duration::from_secs(settings.write_timeout), linger: Lingering::new(settings) };
        Self { listener, site, for_peer, connections, draining, http, times, open: TaskTracker::new() }
    }

    /// Answers until `stop`; then takes no more connections, lets open requests end and closes the others. From when the site drains,
    /// each response closes its connection.
    pub async fn run(&self, stop: CancellationToken) {
        let connections = &self.connections;
        while let Some(accepted) = stop.run_until_cancelled(accept(&self.listener, connections)).await {
            self.answer_on(accepted, &stop);
        }
        // What has got through to this machine is answered; whoever connects now is refused and can go elsewhere.
        refuse_handshakes(&self.listener);
        let settled = Instant::now() + ON_ITS_WAY;
        while let Ok(accepted) = timeout_at(settled, accept(&self.listener, connections)).await {
            self.answer_on(accepted, &stop);
        }
        while let Some(accepted) = accept(&self.listener, connections).now_or_never() {
            self.answer_on(accepted, &stop);
        }
        if let Err(error) = SockRef::from(&self.listener).shutdown(Shutdown::Both) {
            // Where the system can't do that, the listener closes with the server.
            tracing::debug!(%error, "the listener is still open");
        }
        self.open.close();
        self.open.wait().await;
    }

    fn answer_on(&self, (stream, peer, place): (TcpStream, SocketAddr, ConnectionSlot), stop: &CancellationToken) {
        let site = (self.for_peer)(&self.site, peer);
        let ends = (self.draining.clone(), stop.clone());
        let connection = answer(stream, site, self.http.clone(), self.times, ends);
        self.open.spawn(async move {
            connection.await;
            drop(place);
        });
    }
}

/// Drops packets that begin a handshake. Closing the listener while they come in would break connections that were established and not
/// accepted yet, with the request already sent.
#[cfg(target_os = "linux")]
fn refuse_handshakes(listener: &TcpListener) {
    use socket2::SockFilter;
    // Classic BPF over the TCP header: of its flags (byte 13) SYN, but not ACK.
    let filter = [
        SockFilter::new(0x30, 0, 0, 13),   // load the byte
        SockFilter::new(0x54, 0, 0, 0x12), // and with SYN | ACK
        SockFilter::new(0x15, 0, 1, 0x02), // is it SYN alone?
        SockFilter::new(0x06, 0, 0, 0),    // drop
        SockFilter::new(0x06, 0, 0, u32::MAX),
    ];
    if let Err(error) = SockRef::from(listener).attach_filter(&filter) {
        tracing::debug!(%error, "connections are accepted until the listener is closed");
    }
}

#[cfg(not(target_os = "linux"))]
fn refuse_handshakes(_: &TcpListener) {}

/// What bounds the end of an answer.
#[derive(Clone, Copy)]
struct Times {
    /// Without the client taking anything.
    write: Duration,
    linger: Lingering,
}

/// The next connection for which there is a place.
async fn accept(listener: &TcpListener, connections: &Connections) -> (TcpStream, SocketAddr, ConnectionSlot) {
    loop {
        connections.room().await;
        match listener.accept().await {
            Ok((stream, peer)) => {
                if let Some(place) = connections.place(peer.ip()) {
                    return (stream, peer, place);
                }
            }
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                tokio::time::sleep(ACCEPT_AGAIN).await;
            }
        }
    }
}

/// Whether the other end gave up before it was accepted.
fn is_the_clients(error: &io::Error) -> bool {
    use ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Answers one request after the other until either end has enough.
async fn answer<S: Site>(
    stream: TcpStream,
    site: S,
    http: http1::Builder,
    times: Times,
    (draining, stop): (CancellationToken, CancellationToken),
) {
    // An answer is written at once; to wait for more would only delay its end.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection that is gone already");
        return;
    }
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(times.write));
    let unread = Unread::default();
    let stream = LingeringStream::new(Box::pin(stream), unread.clone(), times.linger);
    let stopping = stop.clone();
    let service = service_fn(move |request: Request<Incoming>| {
        let answering = site.clone().call(request.map(|body| Body::new(unread.watch(body))));
        let (draining, stopping) = (draining.clone(), stopping.clone());
        async move {
            let mut response = answering.await?;
            if draining.is_cancelled() || stopping.is_cancelled() {
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok::<_, Infallible>(response)
        }
    });
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => match timeout(ON_ITS_WAY, connection.as_mut()).await {
            Ok(ended) => ended,
            Err(_) => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        },
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection was closed");
    }
}
