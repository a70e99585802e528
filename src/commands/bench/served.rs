//! Benchmarks that serve the site of a stopped Lantern.

use std::{future::IntoFuture, sync::Arc};

use anyhow::ensure;
use lantern_catalog::{changes::Changes, seed};
use lantern_config::{CaptchaProvider, Config, Gcra, Policy};
use lantern_ratelimit::{Action, Figures};
use lantern_site::{Site, SiteState};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::BenchArgs;
use crate::{
    progress::say,
    stack::{self, Data, Database, Search},
};

/// Compares axum's server with Lantern's own on the same site.
pub async fn servers(config: Config, args: &BenchArgs) -> anyhow::Result<()> {
    let report = with_site(config, async |state| {
        let site = Site::new(state);
        let [first, second] = [TcpListener::bind("127.0.0.1:0").await?, TcpListener::bind("127.0.0.1:0").await?];
        let url = |listener: &TcpListener| {
            listener.local_addr().map(|address| format!("http://{address}/api/json/main/14400/str.en.json"))
        };
        let options = lantern_benches::servers::ServersOptions {
            urls: [url(&first)?, url(&second)?],
            seconds: args.seconds,
            connections: args.connections,
            rounds: args.rounds,
        };
        let axum = tokio::spawn(axum::serve(first, site.clone()).into_future());
        let own = tokio::spawn(lantern_site::serve(second, site, CancellationToken::new()));
        let report = lantern_benches::servers::run(&options).await;
        axum.abort();
        own.abort();
        report
    });
    say(&format!("axum's server and Lantern's own: {}", report.await?.trim_end()));
    Ok(())
}

/// Measures logins on a free port, without login limits.
pub async fn logins(mut config: Config, args: &BenchArgs, pairs: usize) -> anyhow::Result<()> {
    config.limits.login_account = unlimited();
    config.limits.login_account_anywhere = unlimited();
    config.limits.login_address = unlimited();
    config.captcha.provider = CaptchaProvider::Off;
    on_own_port(config, async |url, state| {
        ensure!(
            seed::is_demo(&state.pool).await?,
            "this catalog has no demo member; run `lantern up` once on an empty folder in development mode"
        );
        lantern_benches::logins::run(&lantern_benches::logins::LoginsOptions {
            url,
            member: (seed::DEMO_USER, seed::DEMO_PASSWORD),
            pairs,
            seconds: args.seconds,
            connections: args.connections,
            seed: args.seed,
        })
        .await
    })
    .await
}

/// Measures the effect of `limits.compute` on a free port, without other search limits.
pub async fn budget(mut config: Config, args: &BenchArgs) -> anyhow::Result<()> {
    config.limits.search = unlimited();
    config.limits.suggest = unlimited();
    config.server.trusted_proxies = vec!["127.0.0.1".to_owned()];
    on_own_port(config, async |url, state| {
        let options = lantern_benches::budget::BudgetOptions { url, seconds: args.seconds, seed: args.seed };
        let compute = |figures: &Figures| figures.action == Action::Compute;
        let charged = || state.limits.figures().find(compute).map_or(0, |figures| figures.accepted);
        lantern_benches::budget::run(&options, charged).await
    })
    .await
}

/// Returns a policy that allows every request.
fn unlimited() -> Policy {
    Policy::Gcra(Gcra { burst: u32::MAX / 2, per_seconds: 1, cells: 1_000_000, exempt_loopback: true })
}

/// Serves the site of a stopped Lantern while `measure` runs, and prints its report.
async fn on_own_port(
    config: Config,
    measure: impl AsyncFnOnce(String, SiteState) -> anyhow::Result<String>,
) -> anyhow::Result<()> {
    let report = with_site(config, async |state| {
        let (listener, url) = bind().await?;
        let server = tokio::spawn(lantern_site::serve(listener, Site::new(state.clone()), CancellationToken::new()));
        let report = measure(url, state).await;
        server.abort();
        report
    });
    say(report.await?.trim_end());
    Ok(())
}

/// Binds a free loopback port. Returns the listener and its URL.
pub async fn bind() -> anyhow::Result<(TcpListener, String)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    Ok((listener, url))
}

/// Opens the site of a stopped Lantern while `measure` runs.
async fn with_site(
    config: Config,
    measure: impl AsyncFnOnce(SiteState) -> anyhow::Result<String>,
) -> anyhow::Result<String> {
    let config = Arc::new(config);
    let data = Data::open(&config.data_dir)?;
    let database = Database::open(&config, &data.dir).await?;
    let search = Search::open(&config, &data.dir).await?;
    let (state, _limits, tasks) = stack::site(&config, &data, &database, &search, Changes::default(), Arc::default())?;
    tasks.spawn();
    let report = measure(state).await;
    search.close().await;
    database.close().await?;
    report
}
