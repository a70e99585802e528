//! One struct per section of `default.toml`; that file holds the meaning and reason of every key.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};

use crate::AddressRange;

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
    /// Name of the header with the visitor's country.
    pub country_header: String,
    /// Seconds per request.
    pub request_timeout: u64,
    /// Bytes per request body.
    pub body_limit: usize,
    /// Bytes of a form with pictures.
    pub form_files_limit: usize,
    /// Seconds for open requests at shutdown.
    pub shutdown_grace: u64,
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

/// `[search]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// URL of a Meilisearch server; empty means the embedded engine.
    pub url: String,
    /// Key of that server.
    pub key: String,
    /// Loopback address of the embedded engine's HTTP protocol; empty means none.
    pub listen: String,
    /// First memory-map size in bytes.
    pub map_size: usize,
    /// Bytes for decoded facet values per index.
    pub facet_memory: usize,
    /// Milliseconds per search.
    pub budget_ms: u64,
    /// Waiting searches before refusal.
    pub queue: usize,
    /// Highest number of hits a search counts and pages through.
    pub max_total_hits: usize,
}

/// `[sync]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sync {
    /// Milliseconds between polls of the outbox.
    pub poll_ms: u64,
    /// Outbox rows per claim.
    pub batch: i64,
    /// Seconds a claim lasts.
    pub lease: u64,
    /// Seconds before the tries of a refused object, by the number of its refusals; the last one repeats.
    pub parked_retry_seconds: Vec<u64>,
    /// Seconds a writer may be silent before another one takes over.
    pub writer_lease: u64,
    /// Seconds a consumer may be silent before it is dropped.
    pub consumer_expires: u64,
    /// Seconds between counter transfers.
    pub counters_interval: u64,
    /// Seconds between refreshes of charts and suggested queries.
    pub charts_interval: u64,
    /// Documents per task in a full build.
    pub rebuild_batch: i64,
    /// Entries per country chart.
    pub chart_size: i64,
    /// Number of suggested queries.
    pub suggested_queries: i64,
}

/// `[listing]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listing {
    /// Items per home block.
    pub home_block: u32,
    /// Accepted page sizes of related videos.
    pub related_counts: Vec<u32>,
    /// Largest accepted page size.
    pub max_page_size: u32,
    /// Keyword tags in the footer.
    pub keywords: u32,
    /// Comments of a page.
    pub comments_page: u32,
    /// Friends and subscriptions of a page.
    pub people_page: u32,
    /// Videos a friend site is given.
    pub friend_promo: u32,
    /// Videos of a playlist that are listed.
    pub playlist_videos: u32,
    /// Videos a category needs to be in the sidebar.
    pub sidebar_min_videos: usize,
    /// The same in per cent of the orientation's videos, 0 to 100; the smaller number counts.
    pub sidebar_min_percent: usize,
    /// Values per facet.
    pub max_facet_values: usize,
    /// Categories chosen at once.
    pub max_categories: usize,
    /// Shortest search in characters.
    pub search_min: usize,
    /// Longest search in characters.
    pub search_max: usize,
    /// Items of each group above the videos of a search.
    pub group_items: usize,
    /// Below so many hits another spelling is looked for.
    pub few_hits: usize,
    /// Words a search without hits gives up at most.
    pub relaxed_words: usize,
    /// Ids of channels that pages don't name.
    pub hidden_channels: Vec<i64>,
}

/// `[cache]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    /// Bytes of finished answers in memory.
    pub max_bytes: u64,
    /// Seconds an answer counts as fresh while the index doesn't change.
    pub fresh: u64,
    /// Seconds a response is cached and may be sent once more while it is computed anew.
    pub stale: u64,
}

/// `[search_log]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchLog {
    /// Fewest different visitors of a day who must have searched a query for that day to count: to be kept once it has ended, shown
    /// or suggested.
    pub min_count: i32,
    /// Days the counts are stored.
    pub retention_days: i32,
    /// Pairs of a visitor and a query a node remembers until midnight UTC; beyond it nothing is counted.
    pub remembered: usize,
    /// Queries of one visitor that count on one day.
    pub visitor_queries: u32,
}

/// `[safety]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Safety {
    /// What may be neither recorded nor suggested.
    pub prohibited_terms: Vec<String>,
}

/// `[visitors]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Visitors {
    /// Countries with the age gate; `*` means all.
    pub age_gate_countries: Vec<String>,
    /// Country when none is known.
    pub default_country: String,
}

/// `crawlers.name_server`: the one the system asks.
pub const SYSTEM_NAME_SERVER: &str = "system";

/// `[crawlers]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crawlers {
    /// Name server asked about addresses, as `address:port`, or [`SYSTEM_NAME_SERVER`]; empty means none.
    pub name_server: String,
    /// Milliseconds for all questions about one address.
    pub lookup_ms: u64,
    /// Addresses looked up at the same time.
    pub lookups: usize,
    /// Addresses whose names are remembered.
    pub remembered: u64,
    /// Seconds they are remembered.
    pub remember_seconds: u64,
    /// The search engines.
    pub engines: Vec<Crawler>,
}

/// `[[crawlers.engines]]`: one search engine.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crawler {
    /// Names of which its `User-Agent` contains one, letter case apart.
    pub agents: Vec<String>,
    /// What the names of its addresses end in.
    pub domains: Vec<String>,
    /// Where it comes from, whatever the addresses are called.
    pub ranges: Vec<AddressRange>,
}

/// `[sitemap]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sitemap {
    /// Most pages one file names, 1 to [`SITEMAP_MOST`].
    pub urls_per_file: u32,
    /// Seconds between two makings.
    pub refresh_seconds: u64,
    /// Seconds after which counters alone are a reason to write a part again.
    pub counters_seconds: u64,
}

/// Most pages a sitemap file may name; the protocol's own bound is 50,000.
pub const SITEMAP_MOST: u32 = 45_000;

/// `[media]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Media {
    /// Folder of files; empty means below the data folder.
    pub folder: String,
    /// Seconds a signed link is valid.
    pub link_seconds: u64,
    /// Seconds browsers keep a picture.
    pub browser_seconds: u32,
    /// Seconds a cache outside keeps a picture.
    pub shared_seconds: u32,
    /// Files and films remembered to be shown or not.
    pub known_files: u64,
    /// Seconds after which the catalog is read again.
    pub known_seconds: u64,
    /// Milliseconds that question may take, at least 1.
    pub ask_ms: u64,
    /// Seconds beyond that in which what was allowed is served while the catalog is away.
    pub away_seconds: u64,
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

/// Where each part of the data folder lives.
#[derive(Debug, Clone)]
pub struct DataDir(PathBuf);

impl DataDir {
    /// Wraps the configured folder.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        Self(root.to_owned())
    }
    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.0
    }
    /// Own Postgres cluster.
    #[must_use]
    pub fn postgres(&self) -> PathBuf {
        self.0.join("postgres")
    }
    /// Embedded engine.
    #[must_use]
    pub fn index(&self) -> PathBuf {
        self.0.join("index")
    }
    /// Video files and pictures: the configured folder, else one below this.
    #[must_use]
    pub fn media(&self, media: &Media) -> PathBuf {
        if media.folder.is_empty() { self.0.join("media") } else { PathBuf::from(&media.folder) }
    }
    /// Limits and checkpoints.
    #[must_use]
    pub fn sled(&self) -> PathBuf {
        self.0.join("sled")
    }
    /// Master key of the embedded engine.
    #[must_use]
    pub fn master_key(&self) -> PathBuf {
        self.0.join("master.key")
    }
    /// Address of the own cluster while it runs.
    #[must_use]
    pub fn database_url(&self) -> PathBuf {
        self.0.join("database.url")
    }
    /// Mails, while no server takes them.
    #[must_use]
    pub fn mail(&self) -> PathBuf {
        self.0.join("mail")
    }
    /// Temporary files, where the system's own folder is closed to us.
    #[must_use]
    pub fn temporary(&self) -> PathBuf {
        self.0.join("tmp")
    }
    /// Pictures attached to reports.
    #[must_use]
    pub fn reports(&self) -> PathBuf {
        self.0.join("reports")
    }
    /// Secret behind signed links.
    #[must_use]
    pub fn secret_key(&self) -> PathBuf {
        self.0.join("secret.key")
    }
}
