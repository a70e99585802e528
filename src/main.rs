//! The `lantern` program: its sub-commands, which start and connect the parts that the other crates implement.

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

/// Grace period for blocking threads at exit.
const BLOCKING_GRACE: Duration = Duration::from_secs(1);

/// Search-first, multilingual video-tube platform.
#[derive(Debug, Parser)]
#[command(version, about, propagate_version = true)]
struct Cli {
    /// Configuration file that overrides the defaults (see `lantern config`).
    #[arg(long, env = "LANTERN_CONFIG", global = true)]
    config: Option<PathBuf>,
    /// Folder for all data; overrides `data_dir`.
    #[arg(long, global = true)]
    data_dir: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run everything in one process: Postgres unless one is configured, engine, indexer, API and web app.
    Up(commands::up::UpArgs),
    /// Transcode uploads only, next to an `up` on another node.
    Work,
    /// Fill an empty catalog with demo data.
    Seed(commands::seed::SeedArgs),
    /// Rebuild indexes as shadow indexes and swap them in.
    Reindex(commands::reindex::ReindexArgs),
    /// Compare the index with the catalog.
    Verify(commands::verify::VerifyArgs),
    /// Show the sizes of the search indexes, or compact them.
    Index(commands::index::IndexArgs),
    /// Show the most frequent queries, or those without results.
    Searches(commands::searches::SearchesArgs),
    /// Show, add or reject synonyms.
    Words(commands::words::WordsArgs),
    /// Show the outbox backlog, rejected documents and disk space.
    Status(commands::status::StatusArgs),
    /// Show the consumers that index the catalog, or retire one that is gone for good.
    Nodes(commands::nodes::NodesArgs),
    /// Show waiting, running and failed jobs, or retry failed ones.
    Jobs(commands::jobs::JobsArgs),
    /// Show films per storage group, or move them to another group.
    Store(commands::store::StoreArgs),
    /// Show the rate limits with counts of allowed and rejected requests.
    Limits(commands::limits::LimitsArgs),
    /// Decide on uploads, reports and members.
    Moderate(commands::moderate::ModerateArgs),
    /// Show page views by campaign and page type.
    PageViews(commands::page_views::PageViewsArgs),
    /// Show, set or remove the texts below listings.
    Texts(commands::texts::TextsArgs),
    /// Show, grant or end members' premium.
    Premium(commands::premium::PremiumArgs),
    /// Import videos from another system.
    Import(commands::import::ImportArgs),
    /// Export categories, models and videos in the format of `import`.
    Export(commands::export::ExportArgs),
    /// Benchmark a running Lantern or the engine alone.
    Bench(commands::bench::BenchArgs),
    /// Decode one uploaded picture in a sandbox; started by `up`.
    #[command(hide = true, name = lantern_media::pictures::COMMAND)]
    DecodePicture {
        /// Decoding job as JSON.
        job: String,
    },
    /// Replace this process with a program that reads untrusted input in a sandbox; started by `up` and `work`.
    #[command(hide = true, name = lantern_media::confined::COMMAND)]
    Confined {
        /// Resource limits as JSON.
        rules: String,
        /// Program and its arguments.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<std::ffi::OsString>,
    },
    /// Print every setting with its default and reason.
    Config,
    /// Print or write the error texts that the web app loads.
    Errors(commands::errors::ErrorsArgs),
    /// Print the OpenAPI 3.1 document served at /api/openapi.json.
    Openapi,
    /// Print the vocabulary of lists from which the web app is generated.
    Vocabulary,
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
            // The error is printed on one line, followed by its causes.
            eprintln!("lantern: {}", terminal::escaped(&format!("{error:#}")));
            ExitCode::FAILURE
        }
    }
}

fn run(mut cli: Cli) -> anyhow::Result<()> {
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
    if matches!(cli.command, Command::Vocabulary) {
        return commands::vocabulary::run();
    }
    if let Command::Errors(args) = &cli.command {
        return commands::errors::run(args);
    }
    if let Command::Import(args) = &mut cli.command {
        args.open(&config)?;
    }
    user::drop_root(&mut config)?;
    private::set_umask();
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
            Command::Jobs(args) => commands::jobs::run(config, args).await,
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
            Command::Config | Command::Openapi | Command::Vocabulary | Command::Errors(_) => Ok(()),
            Command::DecodePicture { .. } | Command::Confined { .. } => Ok(()),
        }
    });
    // Blocking threads can't be interrupted. Every command has already waited for those that matter.
    runtime.shutdown_timeout(BLOCKING_GRACE);
    outcome
}
