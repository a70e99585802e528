//! `lantern nodes`: the consumers that index the catalog, with their backlogs.

use anyhow::bail;
use clap::{Args, Subcommand};
use lantern_catalog::consumers::{self, Node};
use lantern_config::Config;
use sqlx::PgPool;

use crate::{commands::status::span, progress::say, stack};

/// Show the consumers that index the catalog, or retire one that is gone for good.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lantern nodes\n  lantern nodes retire 6f0c9d5e-1c6b-4d8b-9a4e-8f6f6f0d7c11\n\nA consumer is the index of a node \
                  or of a Meilisearch server. If the Lantern of a retired consumer returns, it rebuilds the index."
)]
pub struct NodesArgs {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List consumers (default).
    List,
    /// Remove a consumer and its pending changes.
    Retire {
        /// Name as listed.
        name: String,
        /// Retire the consumer even if it is active; its Lantern then rebuilds the index.
        #[arg(long)]
        force: bool,
    },
}

pub async fn run(config: Config, args: NodesArgs) -> anyhow::Result<()> {
    let own = stack::running_consumer(&config).ok();
    stack::with_catalog(&config, async |pool| match args.action {
        Some(Action::Retire { name, force }) => retire(pool, &name, force).await,
        Some(Action::List) | None => list(pool, own.as_deref()).await,
    })
    .await
}

async fn list(pool: &PgPool, own: Option<&str>) -> anyhow::Result<()> {
    let nodes = consumers::list(&mut *pool.acquire().await?).await?;
    if nodes.is_empty() {
        say("No consumers yet.");
    }
    nodes.iter().for_each(|node| say(&line(node, own == Some(&node.name))));
    Ok(())
}

fn line(node: &Node, is_own: bool) -> String {
    let seconds = |duration: std::time::Duration| span(duration.as_secs().cast_signed());
    let state = match (node.is_written, node.is_built) {
        (true, true) => "active".to_owned(),
        (true, false) => "active, build incomplete".to_owned(),
        (false, _) => format!("stopped, last seen {} ago", seconds(node.silence)),
    };
    let waiting = match node.waiting {
        0 => "no pending changes".to_owned(),
        waiting => format!("{waiting} pending changes, oldest {}", seconds(node.oldest)),
    };
    let own = if is_own { " (of this data folder)" } else { "" };
    format!("{}{own}: {state}; {waiting}; {} parked", node.name, node.parked)
}

async fn retire(pool: &PgPool, name: &str, force: bool) -> anyhow::Result<()> {
    let mut conn = pool.acquire().await?;
    if consumers::find(&mut conn, name).await?.is_none() {
        bail!("no consumer {name}; list them with `lantern nodes`");
    }
    if !consumers::retire(&mut conn, name, force).await? {
        bail!("{name} is active; stop its Lantern first, or add --force to have it rebuilt");
    }
    say(&format!("{name} is retired; if its Lantern returns, it rebuilds the index."));
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn line_describes_node() {
        let node = Node {
            name: "n".to_owned(),
            is_written: false,
            is_built: true,
            epoch: 4,
            silence: Duration::from_secs(300),
            oldest: Duration::from_secs(90),
            waiting: 8200,
            parked: 1,
        };
        let stopped = "n: stopped, last seen 5 min ago; 8200 pending changes, oldest 90 s; 1 parked";
        assert_eq!(line(&node, false), stopped);
        let own = line(&Node { is_written: true, waiting: 0, ..node }, true);
        assert_eq!(own, "n (of this data folder): active; no pending changes; 1 parked");
    }
}
