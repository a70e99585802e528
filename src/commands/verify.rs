//! `lantern verify`

use std::sync::Arc;

use anyhow::bail;
use clap::Args as ClapArgs;
use lantern_config::Config;
use lantern_indexer::{IndexName, Indexer};

use crate::{
    progress::say,
    stack::{Data, Database, Search},
};

/// Compare every document of the index with the catalog.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:\n  lantern verify\n  lantern verify --repair")]
pub struct Args {
    /// Write what is missing or different and remove what should not be there.
    #[arg(long)]
    repair: bool,
}

/// Prints one line per index; fails when something differs and was not repaired.
pub async fn run(config: Config, args: Args) -> anyhow::Result<()> {
    let config = Arc::new(config);
    let data = Data::open(&config.data_dir)?;
    let database = Database::open(&config, &data.dir).await?;
    let search = Search::open(&config, &data.dir).await?;
    let outcome = async {
        let indexer = Indexer::new(database.pool.clone(), search.client.clone(), config.clone(), &data.dir.sled())?;
        indexer.drain().await?;
        let mut wrong = 0;
        for index in IndexName::ALL {
            let found = indexer.verify(index, args.repair).await?;
            wrong += found.missing + found.different + found.surplus;
            say(&format!(
                "{:<12} {:>9} documents, {} missing, {} different, {} surplus",
                index.uid(),
                found.checked,
                found.missing,
                found.different,
                found.surplus
            ));
        }
        if wrong > 0 && !args.repair {
            bail!("{wrong} documents differ; run `lantern verify --repair`");
        }
        Ok(())
    }
    .await;
    search.close().await;
    database.close().await?;
    outcome
}
