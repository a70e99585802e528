//! `lantern index`: shows the sizes of the search indexes or compacts them.

use std::time::Duration;

use anyhow::{Context, bail};
use axum::http::HeaderValue;
use clap::{Args, Subcommand};
use lantern_config::{Config, DataDir};
use lantern_index::Transport;
use meilisearch_sdk::{
    request::{HttpClient, Method},
    reqwest::ReqwestClient,
};
use serde_json::Value;

use crate::{
    progress::{Progress, say},
    stack::{self, Data, Search},
};

/// Interval at which the status of a task is requested.
const POLL_EVERY: Duration = Duration::from_millis(300);

/// Show the sizes of the search indexes, or compact them.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lantern index stats\n  lantern index compact\n  lantern index compact --index videos"
)]
pub struct IndexArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print document counts and disk usage per index.
    Stats,
    /// Rewrite indexes without free pages. Searches continue; writes wait.
    Compact {
        /// Only this index.
        #[arg(long)]
        index: Option<String>,
    },
}

pub async fn run(config: Config, args: IndexArgs) -> anyhow::Result<()> {
    with_server(&config, async |server| act(server, &args.action).await).await
}

/// Runs `act` on the configured Meilisearch server or the running Lantern's engine. If there is neither, opens the
/// engine in this process.
pub async fn with_server<T>(config: &Config, act: impl AsyncFnOnce(&Server) -> anyhow::Result<T>) -> anyhow::Result<T> {
    if !config.search.url.is_empty() {
        return act(&Server::http(&config.search.url, &config.search.key)?).await;
    }
    let Some(data) = Data::open_if_free(&config.data_dir)? else {
        let (url, key) = running_server(config)?;
        let server = Server::http(&url, &key)?;
        server.get("/version").await.context("the running Lantern doesn't respond on search.listen")?;
        return act(&server).await;
    };
    let search = Search::open(config, &data.dir).await?;
    let outcome = async {
        let (engine, keys) = search.embedded.as_ref().context("the engine isn't embedded")?;
        let key = stack::key(&data.dir.master_key())?;
        let authorization = Some(HeaderValue::from_str(&format!("Bearer {key}"))?);
        let router = engine.router(keys.clone());
        act(&Server { base: String::new(), transport: Transport::InProcess { router, authorization } }).await
    }
    .await;
    search.close().await;
    outcome
}

/// Returns the URL and key of the configured Meilisearch server or, without one, of the running Lantern's engine.
pub fn running_server(config: &Config) -> anyhow::Result<(String, String)> {
    if config.search.url.is_empty() {
        Ok((running_engine(config)?, stack::key(&DataDir::new(&config.data_dir).master_key())?))
    } else {
        Ok((config.search.url.clone(), config.search.key.clone()))
    }
}

/// Returns the URL of the running Lantern's engine.
fn running_engine(config: &Config) -> anyhow::Result<String> {
    match config.search.listen.rsplit_once(':') {
        Some((_, port)) if port != "0" => Ok(format!("http://{}", config.search.listen)),
        _ => bail!("search.listen of the running Lantern has no fixed port; set one, or stop Lantern first"),
    }
}

/// Client for a server that speaks the Meilisearch protocol.
pub struct Server {
    base: String,
    transport: Transport,
}

impl Server {
    fn http(url: &str, key: &str) -> anyhow::Result<Self> {
        let transport = Transport::Http(ReqwestClient::new(Some(key).filter(|key| !key.is_empty()))?);
        Ok(Self { base: url.trim_end_matches('/').to_owned(), transport })
    }

    /// Sends a `GET` and returns the response body.
    pub async fn get(&self, path: &str) -> anyhow::Result<Value> {
        let url = format!("{}{path}", self.base);
        Ok(self.transport.request::<(), (), Value>(&url, Method::Get { query: () }, 200).await?)
    }

    async fn post(&self, path: &str) -> anyhow::Result<Value> {
        let url = format!("{}{path}", self.base);
        Ok(self.transport.request::<(), (), Value>(&url, Method::Post { query: (), body: () }, 202).await?)
    }
}

async fn act(server: &Server, action: &Action) -> anyhow::Result<()> {
    let stats = server.get("/stats").await?;
    match action {
        Action::Stats => print_stats(&stats),
        Action::Compact { index: Some(uid) } => compact(server, uid).await?,
        Action::Compact { index: None } => {
            for uid in indexes(&stats).map(|(uid, _)| uid) {
                compact(server, uid).await?;
            }
        }
    }
    Ok(())
}

fn indexes(stats: &Value) -> impl Iterator<Item = (&String, &Value)> {
    stats["indexes"].as_object().into_iter().flatten()
}

/// Summarizes the size of all indexes in one line.
pub fn totals(stats: &Value) -> String {
    let documents: u64 = indexes(stats).filter_map(|(_, index)| index["numberOfDocuments"].as_u64()).sum();
    let bytes = stats["databaseSize"].as_u64().unwrap_or_default();
    format!("{} indexes, {documents} documents, {:.1} MiB on disk", indexes(stats).count(), mebibytes(bytes))
}

fn print_stats(stats: &Value) {
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    for (uid, index) in indexes(stats) {
        let (documents, bytes) = (number(&index["numberOfDocuments"]), number(&index["rawDocumentDbSize"]));
        say(&format!("{uid:<28} {documents:>10} documents, {:>10.1} MiB of documents", mebibytes(bytes)));
    }
    let (all, used) = (number(&stats["databaseSize"]), number(&stats["usedDatabaseSize"]));
    say(&format!(
        "{:<28} {:>10.1} MiB on disk, {:.1} MiB in use; `lantern index compact` frees the rest",
        "total",
        mebibytes(all),
        mebibytes(used)
    ));
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

async fn compact(server: &Server, uid: &str) -> anyhow::Result<()> {
    let step = Progress::new(&format!("Index {uid}"));
    let summary = server.post(&format!("/indexes/{uid}/compact")).await?;
    let path = format!("/tasks/{}", summary["taskUid"]);
    loop {
        let task = server.get(&path).await?;
        let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
        match task["status"].as_str() {
            Some("enqueued" | "processing") => tokio::time::sleep(POLL_EVERY).await,
            Some("succeeded") => {
                let sizes = &task["details"];
                let (before, after) = (text(&sizes["preCompactionSize"]), text(&sizes["postCompactionSize"]));
                step.done(&format!("{before} before, {after} after"));
                return Ok(());
            }
            _ => bail!("index {uid} was not compacted: {}", text(&task["error"]["message"])),
        }
    }
}
