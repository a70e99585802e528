//! Serving the site: `[server]`, `[security]`, `[database]` and `[log]`.

use serde::{Deserialize, Deserializer};

/// Operating mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Demo data may be seeded; cookies work over plain http.
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
    /// Port; 0 picks a free one.
    pub port: u16,
    /// Absolute URL of the site; empty means host and port.
    pub public_url: String,
    /// Domain of cookies readable by scripts; empty means host-only.
    pub cookie_domain: String,
    /// CIDR ranges of trusted proxies; only [`NO_PROXY`] if there are none; empty if not configured.
    #[serde(deserialize_with = "word_or_list")]
    pub trusted_proxies: Vec<String>,
    /// Listen address of metrics and health checks, as `address:port`; empty means none.
    pub monitor_listen: String,
    /// Host names accepted there besides IP addresses and `localhost`.
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
    /// Maximum open connections.
    pub connections: usize,
    /// Maximum open connections per client.
    pub connections_per_client: usize,
    /// Timeout for a request's head in seconds; also the idle timeout of a connection.
    pub header_timeout: u64,
    /// Maximum seconds between bytes of a body.
    pub body_timeout: u64,
    /// Timeout for the whole body of a form with pictures in seconds.
    pub upload_timeout: u64,
    /// Maximum seconds without the client reading from its response.
    pub write_timeout: u64,
    /// Seconds for which the rest of a request is read after an early response, at least 1.
    pub linger_seconds: u64,
    /// Maximum bytes read then; 0 reads none.
    pub linger_bytes: u64,
    /// Maximum concurrent forms with pictures per client.
    pub uploads_per_client: usize,
    /// Maximum memory of all forms with pictures in bytes.
    pub upload_memory: usize,
}

/// `server.trusted_proxies`: visitors connect without a proxy.
pub const NO_PROXY: &str = "none";

/// Deserialises a list of strings, or a single string as a list of one.
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
    /// Signs links to video files.
    pub secret: String,
    /// User to drop privileges to when started as root; empty means the owner of the data folder, else `postgres` or `nobody`.
    pub user: String,
    /// `max-age` of Strict-Transport-Security in seconds; 0 omits the header.
    pub hsts_seconds: u64,
    /// Whether Strict-Transport-Security includes subdomains.
    pub hsts_subdomains: bool,
}

/// Minimum length of `security.secret` in characters: 128 bits in hexadecimal.
pub const SECRET_MIN: usize = 32;

/// `[database]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Database {
    /// Connection URL; empty runs a managed cluster.
    pub url: String,
    /// Connection URL with the role that owns the database; empty means the role of `url` owns it.
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
