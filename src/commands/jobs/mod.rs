//! `lantern jobs`: the queue, and retries of failed jobs.

mod describe;
mod retry;

use clap::{Args, Subcommand, ValueEnum, builder::PossibleValuesParser};
use lantern_catalog::queue::{self, JobState, ListedJob, WantedJobs};
use lantern_config::Config;
use serde_json::{Value, json};
use sqlx::PgPool;
use time::OffsetDateTime;

use self::describe::{kind, progress, subject};
use super::{
    moderate::{one_line, rfc3339},
    status::span,
};
use crate::{progress::say, stack};

/// Kinds on the command line.
const KINDS: [&str; 9] = [
    queue::FILM,
    queue::FILM_MOVE,
    queue::FILM_REMAKE,
    queue::PICTURE_MOVE,
    queue::FILM_REMOVAL,
    queue::MAIL,
    queue::PURGE,
    "reindex",
    "verify",
];

/// Show waiting, running and failed jobs, or retry failed ones.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  lantern jobs\n  lantern jobs --kind film --state failed\n  lantern jobs retry 7 9\n  \
                  lantern jobs retry --kind film --failed\n\nA failed film can be retried while its file exists (films.failed_hours). Its \
                  upload then waits\nagain, and the video goes through review as usual. `retry` fails if a job can't be retried."
)]
pub struct JobsArgs {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    list: List,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Retry failed jobs whose work can still be done.
    Retry(retry::Retry),
}

#[derive(Debug, Args)]
struct List {
    /// Only jobs of this kind.
    #[arg(long, value_parser = PossibleValuesParser::new(KINDS))]
    kind: Option<String>,
    /// Only jobs in this state.
    #[arg(long)]
    state: Option<State>,
    /// Maximum number of jobs.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: u32,
    /// Print JSON, one object per line.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum State {
    Waiting,
    Running,
    Failed,
}

/// Works on the catalog of the running Lantern. If none is running, Postgres runs for the duration of the command.
pub async fn run(config: Config, args: JobsArgs) -> anyhow::Result<()> {
    stack::with_catalog(&config, async |pool| match args.action {
        Some(Action::Retry(args)) => retry::run(&config, pool, &args).await,
        None => list(pool, &args.list).await,
    })
    .await
}

async fn list(pool: &PgPool, args: &List) -> anyhow::Result<()> {
    let state = args.state.map(|state| match state {
        State::Waiting => JobState::Waiting,
        State::Running => JobState::Running,
        State::Failed => JobState::Failed,
    });
    let wanted = WantedJobs { kind: args.kind.as_deref(), state, limit: args.limit.into(), ids: None };
    let (jobs, total) = queue::list(&mut *pool.acquire().await?, &wanted).await?;
    let now = OffsetDateTime::now_utc();
    if args.json {
        jobs.iter().for_each(|job| say(&as_json(job, now).to_string()));
        return Ok(());
    }
    if jobs.is_empty() {
        say("No jobs.");
        return Ok(());
    }
    say(&columns(["id", "kind", "state", "age", "tries", "next", "about"]));
    for job in &jobs {
        lines(job, now).iter().for_each(|line| say(line));
    }
    let more = total - jobs.len() as i64;
    if more > 0 {
        say(&format!("and {more} more (--limit)"));
    }
    Ok(())
}

fn columns([id, kind, state, age, tries, next, about]: [&str; 7]) -> String {
    format!("{id:>9}  {kind:<13}{state:<9}{age:>8}{tries:>7}{next:>10}  {about}")
}

/// Formats a job as a row, and a second line for the reason of its last failure.
fn lines(job: &ListedJob, now: OffsetDateTime) -> Vec<String> {
    let next = job.next_at.map_or_else(String::new, |at| match (at - now).whole_seconds() {
        left if left > 0 => format!("in {}", span(left)),
        _ => "now".to_owned(),
    });
    let about = [Some(subject(job)), progress(job)].into_iter().flatten().collect::<Vec<_>>().join(": ");
    let row = columns([
        &job.id.to_string(),
        kind(job),
        job.state.as_str(),
        &span((now - job.created_at).whole_seconds()),
        &job.attempts.to_string(),
        &next,
        &one_line(&about),
    ]);
    let lost = job.is_abandoned.then(|| "its worker stopped without a result".to_owned());
    let reasons = [lost, job.last_error.as_ref().map(|why| format!("last error: {}", one_line(why)))];
    let reasons: Vec<String> = reasons.into_iter().flatten().collect();
    let second = (!reasons.is_empty()).then(|| format!("{:>11}{}", "", reasons.join("; ")));
    std::iter::once(row).chain(second).collect()
}

fn as_json(job: &ListedJob, now: OffsetDateTime) -> Value {
    json!({
        "id": job.id,
        "kind": job.kind,
        "state": job.state.as_str(),
        "about": subject(job),
        "payload": job.payload,
        "created_at": rfc3339(job.created_at),
        "age_seconds": (now - job.created_at).whole_seconds(),
        "attempts": job.attempts,
        "lost": job.lost,
        "is_abandoned": job.is_abandoned,
        "next_at": job.next_at.map(rfc3339),
        "progress": progress(job),
        "last_error": job.last_error,
    })
}

#[cfg(test)]
mod tests {
    use lantern_catalog::queue::Subject;
    use time::Duration;

    use super::*;

    #[test]
    fn job_takes_a_line_and_its_failure_another() {
        let now = OffsetDateTime::UNIX_EPOCH + Duration::days(20_000);
        let subject = Subject {
            file_name: Some("market.mp4".to_owned()),
            member: Some("mona".to_owned()),
            title: Some("Night market".to_owned()),
            video_id: None,
        };
        let job = ListedJob {
            id: 7,
            kind: queue::FILM.to_owned(),
            state: JobState::Running,
            payload: json!({ "upload": 3, "step": "encoding", "percent": 40 }),
            subject,
            attempts: 2,
            lost: 1,
            created_at: now - Duration::hours(3),
            next_at: None,
            is_abandoned: false,
            last_error: Some("the disk\nwas full".to_owned()),
        };
        let about = "“Night market” (market.mp4) of mona: encoding, 40 %";
        assert_eq!(
            lines(&job, now),
            [
                format!("        7  film         running       3 h      2            {about}"),
                "           last error: the disk was full".to_owned()
            ]
        );
        let next_at = Some(now + Duration::minutes(9));
        let waits =
            ListedJob { state: JobState::Waiting, next_at, is_abandoned: true, last_error: None, ..job.clone() };
        let shown = lines(&waits, now);
        assert!(shown[0].ends_with("  in 9 min  “Night market” (market.mp4) of mona"), "{shown:?}");
        assert_eq!(shown[1].trim(), "its worker stopped without a result");
        let done = ListedJob { last_error: None, state: JobState::Done, ..job };
        assert_eq!(lines(&done, now).len(), 1);
    }
}
