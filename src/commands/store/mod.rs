//! `lantern store`: films, pictures and originals per storage group, moves between groups, and remakes.

mod conditions;
mod remake;

use std::collections::BTreeMap;

use anyhow::ensure;
use clap::{Args, Subcommand, ValueEnum};
use lantern_catalog::{
    films, originals,
    storage::{self, pictures},
};
use lantern_config::{Config, LOCAL_GROUP};
use sqlx::{PgConnection, PgPool};

use crate::{progress::say, stack};

/// Show films, pictures and originals per storage group, move them to another group, or encode films anew.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  lantern store\n  lantern store --move-to 2\n  lantern store --move-to 2 --only pictures\n  \
                  lantern store --move-to 3 --only originals\n  lantern store --move-to 0 --video 42\n  \
                  lantern store remake --where ladder=old\n\nThe worker moves files one by one; each film and picture is served \
                  from its old group until all its files are\nin the new one. Originals are the uploaded files \
                  (films.keep_original), which are never served."
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
struct Moves {
    /// Target group of films and pictures (0 is the media folder).
    #[arg(long, value_name = "GROUP")]
    move_to: Option<i32>,
    /// Only films, only pictures of members, albums and videos, or only originals.
    #[arg(long, requires = "move_to")]
    only: Option<Only>,
    /// Only the film of this video, or its original.
    #[arg(long, value_name = "ID", requires = "move_to")]
    video: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Only {
    Films,
    Pictures,
    Originals,
}

pub async fn run(config: Config, args: StoreArgs) -> anyhow::Result<()> {
    if let Some(to) = args.moves.move_to {
        ensure!(
            to == LOCAL_GROUP || config.storage.groups.contains_key(&to),
            "no storage group {to}; configure it as storage.groups.{to}"
        );
    }
    ensure!(
        args.moves.video.is_none() || args.moves.only != Some(Only::Pictures),
        "a poster moves with all other pictures; leave out --video or --only pictures"
    );
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
        request_moves(&mut conn, to, args).await?;
    }
    let mut groups = BTreeMap::<i32, (i64, i64)>::new();
    for (group, films) in storage::totals(&mut conn).await? {
        groups.entry(group).or_default().0 = films;
    }
    for (group, pictures) in pictures::totals(&mut conn).await? {
        groups.entry(group).or_default().1 = pictures;
    }
    for (group, (films, pictures)) in groups {
        let name = format!("Group {group}");
        say(&format!("{name:<15}{films} films and {pictures} pictures in {}", place(config, group)));
    }
    for originals::GroupOriginals { group, originals, bytes } in originals::totals(&mut conn).await? {
        say(&format!("Originals      {originals} of {bytes} bytes in {}", place(config, group)));
    }
    let waiting = storage::waiting(&mut conn).await?;
    let why = waiting.last_error.map_or_else(String::new, |why| format!("; last error: {why}"));
    say(&format!("To move        {} films and originals, {} pictures{why}", waiting.moves, waiting.picture_moves));
    let remakes = films::remake_totals(&mut conn).await?;
    say(&format!("To remake      {}", remakes.waiting));
    say(&format!("To remove      {}, and later the former files of {} remade films", waiting.removals, remakes.former));
    Ok(())
}

/// Enqueues moves to a group. Originals are moved only on request, as they are rarely in the group of their films.
async fn request_moves(conn: &mut PgConnection, to: i32, args: &Moves) -> anyhow::Result<()> {
    if matches!(args.only, None | Some(Only::Films)) {
        let moves = storage::request_moves(conn, to, args.video).await?;
        say(&format!("Enqueued       {moves} films to move to group {to}"));
    }
    if args.only == Some(Only::Pictures) || (args.only.is_none() && args.video.is_none()) {
        let moves = pictures::request_moves(conn, to).await?;
        say(&format!("Enqueued       {moves} pictures to move to group {to}"));
    }
    if args.only == Some(Only::Originals) {
        let moves = originals::request_moves(conn, to, args.video).await?;
        say(&format!("Enqueued       {moves} originals to move to group {to}"));
    }
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
