//! The `lantern` program: sub-commands only; each stage lives in its own crate.

mod commands;
mod files;
mod import;
mod logging;
mod monitor;
mod private;
mod progress;
mod schedule;
mod shutdown;
mod stack;
mod supervisor;
mod terminal;
mod user;
mod warm;

use std::{path::PathBuf, process::ExitCode, time::Duration};

use clap::{Parser, Subcommand};
use lantern_config::Config;

/// For threads that still block at the end.
const LEFT_BEHIND: Duration = Duration::from_secs(1);

/// Search-first, multilingual video-tube platform.
#[derive(Debug, Parser)]
#[command(version, about, propagate_version = true)]
struct Cli {
    /// Configuration file that overrides the defaults (see `lantern config`).
    #[arg(long, env = "LANTERN_CONFIG", global = true)]
    config: Option<PathBuf>,
    /// Folder for everything Lantern writes; overrides `data_dir`.
    #[arg(long, global = true)]
    data_dir: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run everything in one process: Postgres when none is named, engine, indexer, api and web app.
    Up(commands::up::UpArgs),
    /// Make videos of uploads and nothing else, beside an `up` elsewhere.
    Work,
    /// Fill an empty catalog with demo data.
    Seed(commands::seed::SeedArgs),
    /// Build indexes anew beside the live ones and swap them in.
    Reindex(commands::reindex::ReindexArgs),
    /// Compare the index with the catalog.
    Verify(commands::verify::VerifyArgs),
    /// Show the sizes of the search indexes, or compact them.
    Index(commands::index::IndexArgs),
    /// Show what is searched most, or what is searched in vain.
    Searches(commands::searches::SearchesArgs),
    /// Show, add or refuse words that mean the same.
    Words(commands::words::WordsArgs),
    /// Show what waits for the index, what the search engine refuses, and the room on the disks.
    Status(commands::status::StatusArgs),
    /// Show the indexes that follow the catalog, or retire one that is gone for good.
    Nodes(commands::nodes::NodesArgs),
    /// Show in which storage groups films are, or move them to another.
    Store(commands::store::StoreArgs),
    /// Show the rate limits, and what they let through and refused.
    Limits(commands::limits::LimitsArgs),
    /// Decide on uploads, reports and members.
    Moderate(commands::moderate::ModerateArgs),
    /// Show how often pages were visited, by campaign and kind of page.
    PageViews(commands::page_views::PageViewsArgs),
    /// Show, set or remove texts below lists.
    Texts(commands::texts::TextsArgs),
    /// Show, add or end members' premium.
    Premium(commands::premium::PremiumArgs),
    /// Take over videos of another system.
    Import(commands::import::ImportArgs),
    /// Write categories, models and videos as `import` reads them.
    Export(commands::export::ExportArgs),
    /// Measure a running Lantern or the engine alone.
    Bench(commands::bench::BenchArgs),
    /// Decode one picture of a member, apart from everything else; started by `up` itself.
    #[command(hide = true, name = lantern_media::pictures::COMMAND)]
    DecodePicture {
        /// What to make of it, as JSON.
        job: String,
    },
    /// Become a program that reads what strangers sent, apart from everything else; started by `up` and `work` themselves.
    #[command(hide = true, name = lantern_media::confined::COMMAND)]
    Confined {
        /// What it may take, as JSON.
        rules: String,
        /// The program and its arguments.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<std::ffi::OsString>,
    },
    /// Print every setting with its default and reason.
    Config,
    /// Print or write the texts of error codes, as the web app loads them.
    Errors(commands::errors::ErrorsArgs),
    /// Print the API's document (OpenAPI 3.1), as it is served at /api/openapi.json.
    Openapi,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Command::DecodePicture { job } = &cli.command {
        return lantern_media::pictures::run(job);
    }
    if let Command::Confined { rules, command } = &cli.command {
        return lantern_media::confined::become_program(rules, command);
    }
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // One clear sentence; the chain names the cause.
            eprintln!("lantern: {}", terminal::escaped(&format!("{error:#}")));
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<()> {
    let mut config = Config::load(cli.config.as_deref())?;
    if let Some(data_dir) = cli.data_dir {
        config.data_dir = data_dir;
    }
    if matches!(cli.command, Command::Config) {
        return commands::config::run();
    }
    if matches!(cli.command, Command::Openapi) {
        return commands::openapi::run(&config);
    }
    if let Command::Errors(args) = &cli.command {
        return commands::errors::run(args);
    }
    user::leave_root(&mut config)?;
    private::begin();
    logging::init(&config.log)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let outcome = runtime.block_on(async {
        match cli.command {
            Command::Up(args) => commands::up::run(config, args).await,
            Command::Seed(args) => commands::seed::run(config, args).await,
            Command::Reindex(args) => commands::reindex::run(config, args).await,
            Command::Verify(args) => commands::verify::run(config, args).await,
            Command::Index(args) => commands::index::run(config, args).await,
            Command::Searches(args) => commands::searches::run(config, args).await,
            Command::Words(args) => commands::words::run(config, args).await,
            Command::Status(args) => commands::status::run(config, args).await,
            Command::Nodes(args) => commands::nodes::run(config, args).await,
            Command::Store(args) => commands::store::run(config, args).await,
            Command::Limits(args) => commands::limits::run(config, args).await,
            Command::Moderate(args) => commands::moderate::run(config, args).await,
            Command::PageViews(args) => commands::page_views::run(config, args).await,
            Command::Texts(args) => commands::texts::run(config, args).await,
            Command::Premium(args) => commands::premium::run(config, args).await,
            Command::Import(args) => commands::import::run(config, args).await,
            Command::Export(args) => commands::export::run(config, args).await,
            Command::Bench(args) => commands::bench::run(config, args).await,
            Command::Work => commands::work::run(config).await,
            Command::Config | Command::Openapi | Command::Errors(_) => Ok(()),
            Command::DecodePicture { .. } | Command::Confined { .. } => Ok(()),
        }
    });
    // What blocks a thread can't be interrupted, and every command has waited for what it needs.
    runtime.shutdown_timeout(LEFT_BEHIND);
    outcome
}
