//! `lantern store remake`: enqueues films to be encoded anew.

use anyhow::{Error, bail};
use clap::Args;
use lantern_catalog::films::{self, Remake, SelectedFilm};
use lantern_config::Config;
use lantern_media::film::{EncodingSettings, Ladder};
use sqlx::PgPool;

use super::conditions::{Condition, Conditions};
use crate::progress::say;

/// Encode films anew with today's settings, from their originals.
#[derive(Debug, Args)]
#[command(
    after_help = "Conditions (films must meet all of them):\n  all                         every film\n  ladder=old                  today's \
                  settings ([films]) would make other renditions, or those\n                              that made them aren't \
                  recorded\n  video=42                    the film of this video\n  member=NAME                 films of this \
                  member\n  height=720                  the largest rendition has this height\n  second-codec=none           none, av1 or \
                  hevc\n  uploaded-before=2026-01-31  uploaded before this day (UTC)\n  uploaded-since=2026-01-31   uploaded on this day or \
                  later\n\nExamples:\n  lantern store remake --where ladder=old --dry-run\n  lantern store remake --where \
                  second-codec=none,height=1080\n\nThe worker remakes films one by one, while no upload waits. Players get the \
                  former renditions until\nthe new ones are complete. `lantern jobs --kind film_remake` shows the progress."
)]
pub(super) struct RemakeArgs {
    /// Conditions, separated by commas.
    #[arg(long = "where", value_name = "CONDITIONS", required = true, value_delimiter = ',')]
    conditions: Vec<Condition>,
    /// Encode the largest renditions of films without an original again, which loses quality.
    #[arg(long)]
    from_renditions: bool,
    /// Only show how many films match.
    #[arg(long)]
    dry_run: bool,
}

/// Numbers of matching films.
#[derive(Debug, Default)]
struct Matches {
    requested: u64,
    with_original: u64,
    without_original: u64,
}

pub(super) async fn run(config: &Config, pool: &PgPool, args: &RemakeArgs) -> anyhow::Result<()> {
    let wanted = Conditions::new(&args.conditions).map_err(Error::msg)?;
    let is_wanted = |film: &SelectedFilm| !wanted.is_old || is_old(film, Ladder::from(&config.films));
    let (mut conn, mut matches, mut enqueued, mut after) = (pool.acquire().await?, Matches::default(), 0, 0);
    loop {
        let page = films::select(&mut conn, &wanted.selection, after).await?;
        let Some(last) = page.last() else { break };
        after = last.video_id;
        let mut remakes = Vec::new();
        for film in page.into_iter().filter(is_wanted) {
            let from_rendition = !film.has_original;
            match &film {
                SelectedFilm { is_requested: true, .. } => matches.requested += 1,
                SelectedFilm { has_original: true, .. } => matches.with_original += 1,
                _ => matches.without_original += 1,
            }
            if !film.is_requested && (film.has_original || args.from_renditions) {
                let (video, key) = (film.video_id, film.key);
                remakes.push(Remake { video, key, from_rendition, step: None, percent: 0 });
            }
        }
        if !args.dry_run {
            enqueued += films::request_remakes(&mut conn, &remakes).await?;
        }
    }
    show(&matches, args, enqueued)
}

/// Returns whether today's settings would make other renditions. Unknown settings are old ones.
fn is_old(film: &SelectedFilm, ladder: Ladder<'_>) -> bool {
    let made = film.encoding.as_ref().map(|made| serde_json::from_value::<EncodingSettings>(made.clone()));
    !matches!(made, Some(Ok(made)) if made.is_current(ladder))
}

fn show(matches: &Matches, args: &RemakeArgs, enqueued: u64) -> anyhow::Result<()> {
    let Matches { requested, with_original, without_original } = *matches;
    say(&format!("Matching       {} films", requested + with_original + without_original));
    say(&format!("Requested      {requested} are already being remade or waiting"));
    say(&format!("Originals      {with_original} have one"));
    let what = if args.from_renditions { "are remade from their largest rendition" } else { "are left as they are" };
    say(&format!("No original    {without_original} {what}"));
    if args.dry_run {
        say("Nothing was enqueued (--dry-run).");
        return Ok(());
    }
    say(&format!("Enqueued       {enqueued} remakes"));
    if without_original > 0 && requested + with_original == 0 && !args.from_renditions {
        bail!(
            "none of these films has an original (films.keep_original); use --from-renditions to encode their largest \
             renditions again, which loses quality"
        );
    }
    Ok(())
}
