//! Serving the site: `[server]`, `[security]`, `[database]` and `[log]`.

use serde::{Deserialize, Deserializer};

/// Operating mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Demo data may be seeded, and cookies work over plain http.
    Development,
    /// Seeding and default secrets are rejected.
    Production,
}

/// `[server]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// Address to listen on.
    pub host: String,
    /// Port to listen on. 0 picks a free one.
    pub port: u16,
    /// Absolute URL of the site. If it is empty, host and port are used.
    pub public_url: String,
    /// Domain of the cookies that scripts can read. If it is empty, they are host-only.
    pub cookie_domain: String,
    /// CIDR ranges of trusted proxies. The list contains only [`NO_PROXY`] if there are no proxies, and is empty if it is not configured.
    #[serde(deserialize_with = "word_or_list")]
    pub trusted_proxies: Vec<String>,
    /// Address on which metrics and health checks are served, in the form `address:port`. If it is empty, they are not served.
    pub monitor_listen: String,
    /// Host names accepted at `monitor_listen` in addition to IP addresses and `localhost`.
    pub monitor_hosts: Vec<String>,
    /// Header that carries the visitor's country.
    pub country_header: String,
    /// Timeout of a request in seconds.
    pub request_timeout: u64,
    /// Maximum size of a request body in bytes.
    pub body_limit: usize,
    /// Maximum size of a form with pictures in bytes.
    pub form_files_limit: usize,
    /// Seconds between the stop signal and refusing new requests.
    pub drain_seconds: u64,
    /// Seconds granted to open requests at shutdown.
    pub shutdown_grace: u64,
    /// Seconds granted to each final step of a shutdown.
    pub flush_seconds: u64,
    /// Maximum number of open connections.
    pub connections: usize,
    /// Maximum number of open connections per client.
    pub connections_per_client: usize,
    /// Timeout for a request's head in seconds. It is also the idle timeout of a connection.
    pub header_timeout: u64,
    /// Maximum number of seconds between bytes of a body.
    pub body_timeout: u64,
    /// Timeout for the whole body of a form with pictures in seconds.
    pub upload_timeout: u64,
    /// Maximum number of seconds for which the client may not read from its response.
    pub write_timeout: u64,
    /// Seconds for which the rest of a request is read after an early response, at least 1.
    pub linger_seconds: u64,
    /// Maximum number of bytes read after an early response. With 0, none are read.
    pub linger_bytes: u64,
    /// Maximum number of concurrent forms with pictures per client.
    pub uploads_per_client: usize,
    /// Maximum memory of all forms with pictures in bytes.
    pub upload_memory: usize,
}

/// Value for `server.trusted_proxies` if visitors connect without a proxy.
pub const NO_PROXY: &str = "none";

/// Deserializes a list of strings, or a single string as a list of one.
fn word_or_list<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Word(String),
        List(Vec<String>),
    }
    Ok(match Given::deserialize(from)? {
        Given::Word(word) => vec![word],
        Given::List(list) => list,
    })
}

/// `[security]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Security {
    /// Secret that signs links to video files.
    pub secret: String,
    /// User that Lantern runs as after it is started as root and drops its privileges. If it is empty, this is the owner of the data
    /// folder, else `postgres` or `nobody`.
    pub user: String,
    /// `max-age` of Strict-Transport-Security in seconds. If it is 0, the header is omitted.
    pub hsts_seconds: u64,
    /// Whether Strict-Transport-Security includes subdomains.
    pub hsts_subdomains: bool,
}

/// Minimum length of `security.secret` in characters, which is 128 bits in hexadecimal.
pub const SECRET_MIN: usize = 32;

/// `[database]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Database {
    /// Connection URL. If it is empty, a managed cluster is run.
    pub url: String,
    /// Connection URL with the role that owns the database. If it is empty, the role in `url` owns it.
    pub setup_url: String,
    /// Pool size per process.
    pub max_connections: u32,
}

/// `[log]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// Filter in tracing's syntax.
    pub filter: String,
    /// Text or JSON.
    pub format: LogFormat,
}

/// Format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Human-readable.
    Text,
    /// Machine-readable.
    Json,
}
