//! `lantern status`: what waits, what is refused, and how much room is left.

use anyhow::bail;
use clap::Args;
use lantern_api::Disk;
use lantern_catalog::{
    consumers,
    outbox::{self, Lag},
    parked::{self, ParkedObject},
    reports::{self, ReportFigures},
};
use lantern_config::{Config, DataDir};
use lantern_engine::Damage;
use sqlx::PgPool;
use time::{Duration, OffsetDateTime};

use crate::{commands::index, progress::say, stack};

/// Show what waits for the index, what the search engine refuses, and the room on the disks.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  lantern status\n  lantern status --retry")]
pub struct StatusArgs {
    /// Try what is parked now instead of at its time.
    #[arg(long)]
    retry: bool,
    /// Parked objects shown at most.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: u32,
}

/// Asks the running Lantern's catalog and engine; without one, opens both for the moment. Fails when the engine can't be asked.
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
        Err(error) => bail!("the search engine can't be asked: {error:#}"),
    }
    Ok(())
}

async fn print_changes(pool: &PgPool, args: &StatusArgs) -> anyhow::Result<()> {
    let mut conn = pool.acquire().await?;
    if args.retry {
        say(&format!("Retried        {} parked objects wait again", parked::retry(&mut conn, true).await?));
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

/// What waits to become a video, and how the programs that make it are confined on this machine.
async fn print_films(pool: &PgPool, config: &Config) -> anyhow::Result<()> {
    let waiting = lantern_catalog::films::waiting(&mut *pool.acquire().await?).await?;
    let confined = match stack::tools(config)?.confinement().await? {
        None => return Ok(()),
        Some((found, true)) => format!("{found} on this machine"),
        Some((found, false)) => format!("none is made on this machine: {found}; see films.allow_weak_confinement"),
    };
    say(&format!("Films          {waiting} waiting; {confined}"));
    Ok(())
}

/// What waits for moderators, and whether reports were kept from hiding.
fn reported(figures: &ReportFigures) -> Vec<String> {
    let ReportFigures { waiting, urgent, hidden, held } = figures;
    let mut lines =
        vec![format!("Reports        {waiting} waiting, {urgent} of them urgent; {hidden} objects hidden in a day")];
    if *held > 0 {
        lines.push(format!(
            "  Automatic hiding is stopped: {held} more objects were reported by networks or accounts that hid too many in a day \
             (lantern moderate reports)"
        ));
    }
    lines
}

/// What a start with the settings of now would do to the indexes of this data folder.
async fn print_plan(config: &Config, pool: &PgPool) -> anyhow::Result<()> {
    let Ok(name) = stack::running_consumer(config) else { return Ok(()) };
    let built = consumers::find(&mut *pool.acquire().await?, &name).await?.flatten();
    let foreseen = lantern_indexer::foresee(config, built.as_deref())?;
    say(&format!("Next start     {}", foreseen.unwrap_or_else(|| "keeps all indexes as they are".to_owned())));
    Ok(())
}

fn waiting(lag: &Lag) -> String {
    match lag.waiting {
        0 => "none waits".to_owned(),
        waiting => format!("{waiting} waiting, the oldest for {}", span(lag.oldest.as_secs().cast_signed())),
    }
}

fn line(parked: &ParkedObject, now: OffsetDateTime) -> String {
    let ParkedObject { entity, entity_id, reason, refusals, since, retry_at } = parked;
    let next = match *retry_at - now {
        left if left > Duration::ZERO => format!("in {}", span(left.whole_seconds())),
        _ => "now".to_owned(),
    };
    let age = span((now - *since).whole_seconds());
    format!("{entity} {entity_id}: waiting for {age}, refused {refusals} times, next try {next}: {reason}")
}

/// Seconds in the largest unit that doesn't hide much.
pub fn span(seconds: i64) -> String {
    match seconds {
        s if s < 120 => format!("{s} s"),
        s if s < 2 * 3600 => format!("{} min", s / 60),
        s if s < 2 * 86_400 => format!("{} h", s / 3600),
        s => format!("{} days", s / 86_400),
    }
}

/// Indexes that were damaged; their files are aside, and they were or are built anew.
fn print_damages(damages: &[Damage], now: OffsetDateTime) {
    for Damage { uid, at, reason } in damages {
        let age = span((now - *at).whole_seconds());
        let uid = uid.as_deref().unwrap_or("all of them");
        say(&format!("Damaged index  {uid}, {age} ago: {reason}; its files are below index/quarantine"));
    }
}

/// One line, or two where the index has a disk of its own.
fn print_disks(data: &DataDir) {
    let mut shown = None;
    for folder in [data.root().to_owned(), data.index()] {
        let Some(disk) = Disk::of(&folder).filter(|disk| shown != Some(disk.size)) else { continue };
        shown = Some(disk.size);
        let gibibytes = |bytes: u64| bytes as f64 / f64::from(1 << 30);
        let (free, size) = (gibibytes(disk.free), gibibytes(disk.size));
        say(&format!("Disk           {free:.1} GiB free of {size:.1} below {}", folder.display()));
    }
}

#[cfg(test)]
mod tests {
    use lantern_catalog::outbox::Entity;

    use super::*;

    #[test]
    fn what_is_parked_is_one_line() {
        let now = OffsetDateTime::UNIX_EPOCH + Duration::days(20_000);
        let parked = ParkedObject {
            entity: Entity::Video,
            entity_id: 12,
            reason: "too large".to_owned(),
            refusals: 3,
            since: now - Duration::hours(5),
            retry_at: now + Duration::minutes(9),
        };
        assert_eq!(line(&parked, now), "video 12: waiting for 5 h, refused 3 times, next try in 9 min: too large");
        let due = ParkedObject { retry_at: now, ..parked };
        assert!(line(&due, now).contains("next try now: "));
    }

    #[test]
    fn spans_stay_readable() {
        assert_eq!([0, 119, 120, 7199, 7200, 172_800].map(span), ["0 s", "119 s", "2 min", "119 min", "2 h", "2 days"]);
    }
}
