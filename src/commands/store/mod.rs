//! `lantern store`: films and originals per storage group, moves between groups, and remakes.

mod conditions;
mod remake;

use anyhow::ensure;
use clap::{Args, Subcommand};
use lantern_catalog::{films, originals, storage};
use lantern_config::{Config, LOCAL_GROUP};
use sqlx::PgPool;

use crate::{progress::say, stack};

/// Show films and originals per storage group, move them to another group, or encode films anew.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  lantern store\n  lantern store --move-to 2\n  lantern store --move-to 0 --video 42\n  \
                  lantern store --move-originals-to 3\n  lantern store remake --where ladder=old\n\nThe worker moves films one by one; each is served from its old group until all \
                  its files are in the new one.\nOriginals are the uploaded files (films.keep_original). Nobody is served them."
)]
pub struct StoreArgs {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    moves: Moves,
}

#[derive(Debug, Subcommand)]
enum Action {
    Remake(remake::RemakeArgs),
}

#[derive(Debug, Args)]
#[group(id = "target", args = ["move_to", "move_originals_to"], multiple = true)]
struct Moves {
    /// Target group of films (0 is the media folder).
    #[arg(long, value_name = "GROUP")]
    move_to: Option<i32>,
    /// Target group of originals.
    #[arg(long, value_name = "GROUP")]
    move_originals_to: Option<i32>,
    /// Only the film or original of this video.
    #[arg(long, value_name = "ID", requires = "target")]
    video: Option<i64>,
}

pub async fn run(config: Config, args: StoreArgs) -> anyhow::Result<()> {
    let Moves { move_to, move_originals_to, .. } = args.moves;
    for to in [move_to, move_originals_to].into_iter().flatten() {
        ensure!(
            to == LOCAL_GROUP || config.storage.groups.contains_key(&to),
            "no storage group {to}; configure it as storage.groups.{to}"
        );
    }
    stack::with_catalog(&config, async |pool| match &args.action {
        Some(Action::Remake(args)) => remake::run(&config, pool, args).await,
        None => show(&config, pool, &args.moves).await,
    })
    .await
}

/// Enqueues the wanted moves, and shows what is where.
async fn show(config: &Config, pool: &PgPool, args: &Moves) -> anyhow::Result<()> {
    let mut conn = pool.acquire().await?;
    if let Some(to) = args.move_to {
        let moves = storage::request_moves(&mut conn, to, args.video).await?;
        say(&format!("Enqueued       {moves} films to move to group {to}"));
    }
    if let Some(to) = args.move_originals_to {
        let moves = originals::request_moves(&mut conn, to, args.video).await?;
        say(&format!("Enqueued       {moves} originals to move to group {to}"));
    }
    for (group, films) in storage::totals(&mut conn).await? {
        say(&format!("{:<15}{films} films in {}", format!("Group {group}"), place(config, group)));
    }
    for originals::GroupOriginals { group, originals, bytes } in originals::totals(&mut conn).await? {
        say(&format!("Originals      {originals} of {bytes} bytes in {}", place(config, group)));
    }
    let waiting = storage::waiting(&mut conn).await?;
    let why = waiting.last_error.map_or_else(String::new, |why| format!("; last error: {why}"));
    say(&format!("To move        {}{why}", waiting.moves));
    let remakes = films::remake_totals(&mut conn).await?;
    say(&format!("To remake      {}", remakes.waiting));
    say(&format!("To remove      {}, and later the former files of {} remade films", waiting.removals, remakes.former));
    Ok(())
}

fn place(config: &Config, group: i32) -> String {
    match config.storage.groups.get(&group) {
        None if group == LOCAL_GROUP => "the media folder".to_owned(),
        None => format!("a group that is not configured: add storage.groups.{group}"),
        Some(set) if set.bucket.is_empty() => set.folder.clone(),
        Some(set) => format!("the bucket {}", set.bucket),
    }
}
