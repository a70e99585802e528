//! Retries failed jobs whose work can still be done.

use anyhow::ensure;
use clap::{Args, builder::PossibleValuesParser};
use lantern_catalog::{
    films::{self, Remake, UnneededRemake},
    queue::{self, JobState, ListedJob, WantedJobs},
    storage::{
        self, Move, UnneededMove,
        pictures::{self, PictureMove},
    },
    uploads,
};
use lantern_config::{Config, DataDir, LOCAL_GROUP};
use lantern_media::incoming::Incoming;
use serde_json::json;
use sqlx::PgPool;

use super::{
    KINDS,
    describe::{kind, subject},
};
use crate::{commands::moderate::one_line, progress::say};

#[derive(Debug, Args)]
pub(super) struct Retry {
    /// Ids as listed.
    #[arg(required_unless_present = "failed", conflicts_with = "failed")]
    ids: Vec<i64>,
    /// Retry all failed jobs of the kind.
    #[arg(long, requires = "kind")]
    failed: bool,
    /// Kind of the failed jobs.
    #[arg(long, requires = "failed", value_parser = PossibleValuesParser::new(KINDS))]
    kind: Option<String>,
    /// Print JSON, one object per line.
    #[arg(long)]
    json: bool,
}

/// Retries the jobs one by one. Fails if one of them can't be retried.
pub async fn run(config: &Config, pool: &PgPool, args: &Retry) -> anyhow::Result<()> {
    let wanted = WantedJobs {
        ids: (!args.failed).then_some(&args.ids),
        kind: args.kind.as_deref(),
        state: args.failed.then_some(JobState::Failed),
        limit: i64::MAX,
    };
    let (jobs, _) = queue::list(&mut *pool.acquire().await?, &wanted).await?;
    let incoming = Incoming::new(DataDir::new(&config.data_dir).uploads(&config.uploads));
    let missing = args.ids.iter().filter(|id| jobs.iter().all(|job| job.id != **id)).copied();
    let mut outcomes: Vec<(i64, String, Option<String>)> =
        missing.map(|id| (id, "job".to_owned(), Some("there is no such job".to_owned()))).collect();
    for job in &jobs {
        let refusal = retry(pool, &incoming, job).await?;
        outcomes.push((job.id, format!("{} {}", kind(job), subject(job)), refusal));
    }
    for (id, about, refusal) in &outcomes {
        if args.json {
            say(&json!({ "id": id, "is_retried": refusal.is_none(), "why": refusal }).to_string());
        } else {
            let outcome = refusal.as_ref().map_or("retried".to_owned(), |why| format!("not retried: {why}"));
            say(&format!("{id} {}: {outcome}", one_line(about)));
        }
    }
    let refused = outcomes.iter().filter(|(.., refusal)| refusal.is_some()).count();
    ensure!(refused == 0, "{refused} of {} jobs can't be retried", outcomes.len());
    if outcomes.is_empty() && !args.json {
        say("No failed jobs.");
    }
    Ok(())
}

/// Retries a job. Returns why it can't be retried.
async fn retry(pool: &PgPool, incoming: &Incoming, job: &ListedJob) -> anyhow::Result<Option<String>> {
    if job.state != JobState::Failed {
        return Ok(Some(format!("it is {}, not failed", job.state.as_str())));
    }
    let changed = || "it has changed in the meantime".to_owned();
    Ok(match kind(job) {
        queue::FILM => retry_film(pool, incoming, job).await?,
        queue::FILM_MOVE => match serde_json::from_value::<Move>(job.payload.clone()) {
            Err(error) => Some(format!("its payload is invalid: {error}")),
            Ok(film) => storage::retry_move(pool, job.id, &film).await?.err().map(|why| match why {
                UnneededMove::Gone => "the video or its film is gone".to_owned(),
                UnneededMove::There => format!("the film is in group {}", film.to),
                UnneededMove::Requested => format!("another job moves the film to group {}", film.to),
                UnneededMove::Changed => changed(),
            }),
        },
        queue::FILM_REMAKE => match serde_json::from_value::<Remake>(job.payload.clone()) {
            Err(error) => Some(format!("its payload is invalid: {error}")),
            Ok(remake) => films::retry_remake(pool, job.id, &remake).await?.err().map(|why| match why {
                UnneededRemake::Gone => "the video is gone, or has other files".to_owned(),
                UnneededRemake::NoOriginal => "the original is gone".to_owned(),
                UnneededRemake::Requested => "another job remakes the film".to_owned(),
                UnneededRemake::Changed => changed(),
            }),
        },
        queue::PICTURE_MOVE => match serde_json::from_value::<PictureMove>(job.payload.clone()) {
            Err(error) => Some(format!("its payload is invalid: {error}")),
            Ok(picture) => pictures::retry_move(pool, job.id, &picture).await?.err().map(|why| match why {
                UnneededMove::Gone => "the picture is gone".to_owned(),
                UnneededMove::There => format!("the picture is in group {}", picture.to),
                UnneededMove::Requested => format!("another job moves the picture to group {}", picture.to),
                UnneededMove::Changed => changed(),
            }),
        },
        queue::MAIL => Some(
            "the content of a mail is deleted when it is given up, because it may have a secret link; the recipient can \
             request another"
                .to_owned(),
        ),
        kind @ ("reindex" | "verify") => Some(format!("run `lantern {kind}` again")),
        _ => (!queue::requeue(&mut *pool.acquire().await?, job.id, None).await?).then(changed),
    })
}

async fn retry_film(pool: &PgPool, incoming: &Incoming, job: &ListedJob) -> anyhow::Result<Option<String>> {
    let Some(film) = films::failed(&mut *pool.acquire().await?, job.id).await? else {
        return Ok(Some("its upload is gone: it expired, or its member removed it".to_owned()));
    };
    if film.group != LOCAL_GROUP {
        let pieces = uploads::pieces(pool, film.id).await?;
        let found = pieces.iter().map(|piece| piece.bytes).sum::<i64>();
        if found != film.size_bytes {
            return Ok(Some(format!("its store has {found} of {} bytes", film.size_bytes)));
        }
        return Ok((!films::retry(pool, job.id).await?).then(|| "it has changed in the meantime".to_owned()));
    }
    let path = incoming.path(&film.token);
    let length = match tokio::fs::metadata(&path).await {
        Ok(found) => found.len(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Some("its file is gone: it was refused, or it is on another node".to_owned()));
        }
        Err(error) => return Ok(Some(format!("can't read {}: {error}", path.display()))),
    };
    if length != film.size_bytes.unsigned_abs() {
        return Ok(Some(format!("its file has {length} of {} bytes", film.size_bytes)));
    }
    Ok((!films::retry(pool, job.id).await?).then(|| "it has changed in the meantime".to_owned()))
}
