//! `lantern index`: how large the search indexes are, and giving disk space back.

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

/// Between two looks at a task.
const LOOK_EVERY: Duration = Duration::from_millis(300);

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
    /// Print how many documents each index has and how much of the disk space is in use.
    Stats,
    /// Copy indexes without their free pages; searches go on meanwhile, writes wait.
    Compact {
        /// Only this index.
        #[arg(long)]
        index: Option<String>,
    },
}

pub async fn run(config: Config, args: IndexArgs) -> anyhow::Result<()> {
    ask(&config, async |server| act(server, &args.action).await).await
}

/// Asks the running Lantern or the configured Meilisearch server; without either, opens the engine here.
pub async fn ask<T>(config: &Config, act: impl AsyncFnOnce(&Server) -> anyhow::Result<T>) -> anyhow::Result<T> {
    if !config.search.url.is_empty() {
        return act(&Server::http(&config.search.url, &config.search.key)?).await;
    }
    let Some(data) = Data::open_if_free(&config.data_dir)? else {
        let (url, key) = running_server(config)?;
        let server = Server::http(&url, &key)?;
        server.get("/version").await.context("the running Lantern doesn't answer on search.listen")?;
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

/// Address and key of the configured Meilisearch server, or else of the running Lantern's engine.
pub fn running_server(config: &Config) -> anyhow::Result<(String, String)> {
    if config.search.url.is_empty() {
        Ok((running_engine(config)?, stack::key(&DataDir::new(&config.data_dir).master_key())?))
    } else {
        Ok((config.search.url.clone(), config.search.key.clone()))
    }
}

/// Where the running Lantern's engine answers.
fn running_engine(config: &Config) -> anyhow::Result<String> {
    match config.search.listen.rsplit_once(':') {
        Some((_, port)) if port != "0" => Ok(format!("http://{}", config.search.listen)),
        _ => bail!("the running Lantern's search.listen names no port to ask on; stop it first, or set one"),
    }
}

/// Something that speaks the Meilisearch protocol.
pub struct Server {
    base: String,
    transport: Transport,
}

impl Server {
    fn http(url: &str, key: &str) -> anyhow::Result<Self> {
        let transport = Transport::Http(ReqwestClient::new(Some(key).filter(|key| !key.is_empty()))?);
        Ok(Self { base: url.trim_end_matches('/').to_owned(), transport })
    }

    /// The answer to a `GET`.
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

/// How much all indexes hold, in words.
pub fn totals(stats: &Value) -> String {
    let documents: u64 = indexes(stats).filter_map(|(_, index)| index["numberOfDocuments"].as_u64()).sum();
    let bytes = stats["databaseSize"].as_u64().unwrap_or_default();
    format!("{} indexes, {documents} documents, {:.1} MiB on disk", indexes(stats).count(), mebibytes(bytes))
}

fn print_stats(stats: &Value) {
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    for (uid, index) in indexes(stats) {
        let (documents, bytes) = (number(&index["numberOfDocuments"]), number(&index["rawDocumentDbSize"]));
        say(&format!("{uid:<28} {documents:>10} documents, {:>10.1} MiB of them", mebibytes(bytes)));
    }
    let (all, used) = (number(&stats["databaseSize"]), number(&stats["usedDatabaseSize"]));
    say(&format!(
        "{:<28} {:>10.1} MiB on disk, {:.1} MiB in use; `lantern index compact` gives the rest back",
        "everything",
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
            Some("enqueued" | "processing") => tokio::time::sleep(LOOK_EVERY).await,
            Some("succeeded") => {
                let sizes = &task["details"];
                let (before, after) = (text(&sizes["preCompactionSize"]), text(&sizes["postCompactionSize"]));
                step.done(&format!("{before} before, {after} now"));
                return Ok(());
            }
            _ => bail!("the index {uid} isn't compacted: {}", text(&task["error"]["message"])),
        }
    }
}
