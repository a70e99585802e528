//! `lantern status`: shows the outbox backlog, rejected documents and disk space.

use anyhow::bail;
use clap::Args;
use lantern_catalog::{
    consumers,
    outbox::{self, Lag},
    parked::{self, ParkedObject},
    queue,
    reports::{self, ReportFigures},
};
use lantern_config::{Config, DataDir, Encoder};
use lantern_engine::Damage;
use lantern_media::{disk::Disk, film::ladder::Hardware};
use sqlx::PgPool;
use time::{Duration, OffsetDateTime};

use crate::{commands::index, progress::say, stack};

/// Show the outbox backlog, rejected documents and disk space.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  lantern status\n  lantern status --retry")]
pub struct StatusArgs {
    /// Retry parked objects now instead of at their scheduled time.
    #[arg(long)]
    retry: bool,
    /// Maximum number of parked objects shown.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: u32,
}

/// Queries the catalog and engine of the running Lantern. If none is running, opens both. Fails if the engine is
/// unavailable.
pub async fn run(config: Config, args: StatusArgs) -> anyhow::Result<()> {
    stack::with_catalog(&config, async |pool| {
        print_changes(pool, &args).await?;
        print_films(pool, &config).await?;
        print_plan(&config, pool).await
    })
    .await?;
    let data = DataDir::new(&config.data_dir);
    print_damages(&lantern_engine::damages(&data.index())?, OffsetDateTime::now_utc());
    print_disks(&data);
    match index::with_server(&config, async |server| Ok(index::totals(&server.get("/stats").await?))).await {
        Ok(totals) => say(&format!("Search engine  {totals}")),
        Err(error) => bail!("the search engine is unavailable: {error:#}"),
    }
    Ok(())
}

async fn print_changes(pool: &PgPool, args: &StatusArgs) -> anyhow::Result<()> {
    let mut conn = pool.acquire().await?;
    if args.retry {
        say(&format!("Retrying       {} parked objects", parked::retry(&mut conn, true).await?));
    }
    let lag = outbox::lag(&mut conn).await?;
    say(&format!("Changes        {}", waiting(&lag)));
    let shown = parked::list(&mut conn, args.limit.into()).await?;
    say(&format!("Parked         {}", lag.parked));
    let now = OffsetDateTime::now_utc();
    shown.iter().for_each(|one| say(&format!("  {}", line(one, now))));
    let more = lag.parked - shown.len() as i64;
    if more > 0 {
        say(&format!("  and {more} more (--limit)"));
    }
    reported(&reports::figures(&mut conn, now).await?).iter().for_each(|line| say(line));
    Ok(())
}

/// Prints the number of enqueued films and how ffmpeg is confined on this machine.
async fn print_films(pool: &PgPool, config: &Config) -> anyhow::Result<()> {
    let waiting = queue::waiting(pool, queue::FILM).await?;
    let tools = stack::tools(config)?;
    let confined = match tools.confinement().await? {
        None => return Ok(()),
        Some((found, true)) => format!("ffmpeg's sandbox on this machine: {found}"),
        Some((found, false)) => format!(
            "none transcoded on this machine, because ffmpeg's sandbox is incomplete: {found}; see \
             films.allow_weak_confinement"
        ),
    };
    say(&format!("Films          {waiting} waiting; {confined}"));
    if config.films.encoder != Encoder::Software {
        say(&format!("Encoder        {}", Hardware::find(&tools, &config.films).await));
    }
    Ok(())
}

/// Formats the numbers of pending reports and hidden objects. A second line counts the objects that were not hidden because of
/// `reports.hides_per_group`, if there are any.
fn reported(figures: &ReportFigures) -> Vec<String> {
    let ReportFigures { waiting, urgent, hidden, held } = figures;
    let mut lines =
        vec![format!("Reports        {waiting} pending, {urgent} urgent; {hidden} objects hidden in the last 24 h")];
    if *held > 0 {
        lines.push(format!(
            "  {held} more objects were not hidden, because reports from the same accounts or networks hid too many \
             within 24 h (lantern moderate reports)"
        ));
    }
    lines
}

/// Prints what would be rebuilt in this data folder at a start with the current settings.
async fn print_plan(config: &Config, pool: &PgPool) -> anyhow::Result<()> {
    let Ok(name) = stack::running_consumer(config) else { return Ok(()) };
    let built = consumers::find(&mut *pool.acquire().await?, &name).await?.flatten();
    let foreseen = lantern_indexer::foresee(config, built.as_deref())?;
    say(&format!("Next start     {}", foreseen.unwrap_or_else(|| "keeps all indexes".to_owned())));
    Ok(())
}

fn waiting(lag: &Lag) -> String {
    match lag.waiting {
        0 => "none pending".to_owned(),
        waiting => format!("{waiting} pending, oldest {}", span(lag.oldest.as_secs().cast_signed())),
    }
}

fn line(parked: &ParkedObject, now: OffsetDateTime) -> String {
    let ParkedObject { entity, entity_id, reason, refusals, since, retry_at } = parked;
    let next = match *retry_at - now {
        left if left > Duration::ZERO => format!("in {}", span(left.whole_seconds())),
        _ => "now".to_owned(),
    };
    let age = span((now - *since).whole_seconds());
    format!("{entity} {entity_id}: parked {age} ago, rejected {refusals} times, next retry {next}: {reason}")
}

/// Formats seconds in the largest unit that doesn't lose much precision.
pub fn span(seconds: i64) -> String {
    match seconds {
        s if s < 120 => format!("{s} s"),
        s if s < 2 * 3600 => format!("{} min", s / 60),
        s if s < 2 * 86_400 => format!("{} h", s / 3600),
        s => format!("{} days", s / 86_400),
    }
}

/// Prints the damaged indexes, whose files were quarantined. They have been or are being rebuilt.
fn print_damages(damages: &[Damage], now: OffsetDateTime) {
    for Damage { uid, at, reason } in damages {
        let age = span((now - *at).whole_seconds());
        let uid = uid.as_deref().unwrap_or("all indexes");
        say(&format!("Damaged index  {uid}, {age} ago: {reason}; files are in index/quarantine"));
    }
}

/// Prints one line, or two if the index is on a disk of its own.
fn print_disks(data: &DataDir) {
    let mut shown = None;
    for folder in [data.root().to_owned(), data.index()] {
        let Some(disk) = Disk::of(&folder).filter(|disk| shown != Some(disk.size)) else { continue };
        shown = Some(disk.size);
        let gibibytes = |bytes: u64| bytes as f64 / f64::from(1 << 30);
        let (free, size) = (gibibytes(disk.free), gibibytes(disk.size));
        say(&format!("Disk           {free:.1} GiB free of {size:.1} in {}", folder.display()));
    }
}

#[cfg(test)]
mod tests {
    use lantern_catalog::outbox::Entity;

    use super::*;

    #[test]
    fn line_describes_parked_object() {
        let now = OffsetDateTime::UNIX_EPOCH + Duration::days(20_000);
        let parked = ParkedObject {
            entity: Entity::Video,
            entity_id: 12,
            reason: "too large".to_owned(),
            refusals: 3,
            since: now - Duration::hours(5),
            retry_at: now + Duration::minutes(9),
        };
        assert_eq!(line(&parked, now), "video 12: parked 5 h ago, rejected 3 times, next retry in 9 min: too large");
        let due = ParkedObject { retry_at: now, ..parked };
        assert!(line(&due, now).contains("next retry now: "));
    }

    #[test]
    fn span_chooses_unit() {
        assert_eq!([0, 119, 120, 7199, 7200, 172_800].map(span), ["0 s", "119 s", "2 min", "119 min", "2 h", "2 days"]);
    }
}
