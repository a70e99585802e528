//! How the site is served: `[server]`, `[security]`, `[database]` and `[log]`.

use serde::{Deserialize, Deserializer};

/// Which rules apply at start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Demo data may be seeded; cookies work over plain http.
    Development,
    /// Seeding and default secrets are refused.
    Production,
}

/// `[server]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// Address to listen on.
    pub host: String,
    /// Port; 0 takes any free one.
    pub port: u16,
    /// Absolute address of the site; empty means host and port.
    pub public_url: String,
    /// Domain of page-readable cookies; empty means host-only.
    pub cookie_domain: String,
    /// CIDR ranges of trusted proxies; [`NO_PROXY`] alone says that there are none, nothing that nobody has said.
    #[serde(deserialize_with = "word_or_list")]
    pub trusted_proxies: Vec<String>,
    /// Address of figures and health, as `address:port`; empty means none.
    pub monitor_listen: String,
    /// Names by which operators may ask there, beside any address and `localhost`.
    pub monitor_hosts: Vec<String>,
    /// Name of the header with the visitor's country.
    pub country_header: String,
    /// Seconds per request.
    pub request_timeout: u64,
    /// Bytes per request body.
    pub body_limit: usize,
    /// Bytes of a form with pictures.
    pub form_files_limit: usize,
    /// Seconds between the signal and the end of accepting requests.
    pub drain_seconds: u64,
    /// Seconds for open requests at shutdown.
    pub shutdown_grace: u64,
    /// Seconds for each of the last steps of a shutdown.
    pub flush_seconds: u64,
    /// Connections held at once.
    pub connections: usize,
    /// Connections of one client.
    pub connections_per_client: usize,
    /// Seconds until the head of a request must have come; also those a connection may rest.
    pub header_timeout: u64,
    /// Seconds without a byte of a body.
    pub body_timeout: u64,
    /// Seconds for the whole body of a form with pictures.
    pub upload_timeout: u64,
    /// Seconds in which a client must take something of its answer.
    pub write_timeout: u64,
    /// Seconds that a client is still read from after an answer that came before its whole request; at least one.
    pub linger_seconds: u64,
    /// Bytes of the same; 0 reads none.
    pub linger_bytes: u64,
    /// Forms with pictures of one client at once.
    pub uploads_per_client: usize,
    /// Bytes of all forms with pictures in memory.
    pub upload_memory: usize,
}

/// `server.trusted_proxies`: visitors reach this program without a proxy.
pub const NO_PROXY: &str = "none";

/// A list of texts, or one text for a list of it alone.
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
    /// User that a start as root goes on as; empty means the owner of the data, else `postgres` or `nobody`.
    pub user: String,
    /// Seconds browsers insist on https; 0 sends no such header.
    pub hsts_seconds: u64,
    /// Whether they insist for all hosts below this one, too.
    pub hsts_subdomains: bool,
}

/// Fewest characters of `security.secret`: 128 bits written in hexadecimal.
pub const SECRET_MIN: usize = 32;

/// `[database]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Database {
    /// Connection URL; empty runs an own cluster.
    pub url: String,
    /// The same database as the role that owns it; empty means that of `url` does.
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
    /// Text or JSON lines.
    pub format: LogFormat,
}

/// Shape of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// For collectors.
    Json,
}
