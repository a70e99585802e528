//! All work that recurs, in one table.

use std::{sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use lantern_api::AppState;
use lantern_catalog::{managed, page_views};
use lantern_config::Config;
use lantern_indexer::Indexer;
use lantern_ratelimit::Limits;
use time::OffsetDateTime;
use tokio::time::{Instant, MissedTickBehavior, interval, interval_at};
use tokio_util::sync::CancellationToken;

use crate::supervisor::{Role, Supervisor};

/// Between two removals of what is over: often enough that it stays little.
const SWEEP: Duration = Duration::from_secs(60);
/// Between two looks whether something is due that is due once a day or less often.
const LOOK: Duration = Duration::from_secs(15);
/// Between two looks for what was taken down: people wait for it to be gone.
const TAKEN_DOWN: Duration = Duration::from_secs(1);
/// Between two removals of what is counted by day; days end once a day.
const FORGET_DAYS: Duration = Duration::from_secs(3600);

pub struct Site {
    pub indexer: Indexer,
    pub state: AppState,
    /// Counts per client.
    pub limits: Arc<Limits>,
    pub stop: CancellationToken,
}

struct Job {
    name: &'static str,
    every: fn(&Config) -> Duration,
    /// Whether a start waits for nothing.
    at_start: bool,
    run: for<'a> fn(&'a Site) -> BoxFuture<'a, anyhow::Result<()>>,
    /// What follows from a failure.
    failed: &'static str,
}

const JOBS: [Job; 29] = [
    Job {
        name: "counters",
        every: |config| Duration::from_secs(config.sync.counters_interval),
        at_start: false,
        run: |site| Box::pin(async { as_writer(site.indexer.transfer_counters().await) }),
        failed: "counters did not reach the index; they follow at the next interval",
    },
    Job {
        name: "re-adds",
        every: |_| LOOK,
        at_start: false,
        run: |site| {
            Box::pin(async {
                managed::bring_back(&site.state.pool, OffsetDateTime::now_utc()).await?;
                Ok(())
            })
        },
        failed: "videos to re-add wait for the next interval",
    },
    Job {
        name: "view windows",
        every: |config| Duration::from_secs(config.sync.charts_interval),
        at_start: false,
        run: |site| Box::pin(async { as_writer(site.indexer.age_windows().await) }),
        failed: "views of the day, week and month are not aged; they are at the next interval",
    },
    Job {
        name: "charts",
        every: |config| Duration::from_secs(config.sync.charts_interval),
        at_start: false,
        run: |site| Box::pin(async { as_writer(site.indexer.refresh_charts().await) }),
        failed: "charts and suggestions were not refreshed; they are at the next interval",
    },
    Job {
        name: "silent indexes",
        every: |config| Duration::from_secs(config.sync.charts_interval),
        at_start: false,
        run: |site| Box::pin(async { as_writer(site.indexer.drop_silent_consumers().await) }),
        failed: "indexes that nobody follows the catalog for can't be dropped",
    },
    Job {
        name: "views",
        every: |config| Duration::from_millis(config.views.flush_ms),
        at_start: true,
        run: |site| Box::pin(site.state.views.flush()),
        failed: "views wait",
    },
    Job {
        name: "page views",
        every: |config| Duration::from_secs(config.page_views.flush_seconds),
        at_start: false,
        run: |site| Box::pin(async { Ok(site.state.page_views.flush(&site.state.pool).await?) }),
        failed: "visits of pages wait",
    },
    Job {
        name: "old page views",
        every: |_| FORGET_DAYS,
        at_start: false,
        run: |site| {
            Box::pin(async {
                Ok(page_views::forget(&site.state.pool, site.state.config.page_views.retention_days).await?)
            })
        },
        failed: "old visits of pages could not be removed",
    },
    Job {
        name: "viewers",
        every: |_| SWEEP,
        at_start: true,
        run: |site| Box::pin(async { Ok(site.state.views.forget().await?) }),
        failed: "who saw what could not be forgotten",
    },
    Job {
        name: "searchers",
        every: |_| SWEEP,
        at_start: false,
        run: |site| Box::pin(async { Ok(site.state.search_log.forget_visitors()?) }),
        failed: "who searched yesterday could not be forgotten",
    },
    Job {
        name: "searches",
        every: |_| FORGET_DAYS,
        at_start: false,
        run: |site| Box::pin(async { Ok(site.state.search_log.forget().await?) }),
        failed: "counts of searches could not be removed",
    },
    Job {
        name: "keywords",
        every: |_| LOOK,
        at_start: false,
        run: |site| Box::pin(async { Ok(site.state.keywords.sample().await?) }),
        failed: "the day's keywords are sampled when a page needs them",
    },
    Job {
        name: "words",
        every: |_| LOOK,
        at_start: true,
        run: |site| {
            Box::pin(async {
                let lantern_api::Shared { pool, config, lexicon, .. } = &*site.state;
                Ok(lantern_api::refresh_words(pool, config, lexicon, &site.stop).await?)
            })
        },
        failed: "words of new titles are not known until the next look",
    },
    Job {
        name: "texts below lists",
        every: |_| LOOK,
        at_start: true,
        run: |site| Box::pin(async { Ok(site.state.list_texts.load(&site.state.pool).await?) }),
        failed: "texts that changed are not shown until the next look",
    },
    Job {
        name: "clicks",
        every: |config| Duration::from_secs(config.sync.charts_interval),
        at_start: true,
        run: |site| {
            Box::pin(async { Ok(site.state.clicks.load(&site.state.pool, &site.state.config.search_log).await?) })
        },
        failed: "what searches led to is not known until the next look",
    },
    Job {
        name: "stale sitemaps",
        every: |_| TAKEN_DOWN,
        at_start: false,
        run: |site| {
            Box::pin(async { Ok(lantern_api::make_stale_sitemaps(&site.state.pool, &site.state.config).await?) })
        },
        failed: "sitemaps name what was taken down until the next look",
    },
    Job {
        name: "sitemaps",
        every: |config| LOOK.min(Duration::from_secs(config.sitemap.refresh_seconds)),
        at_start: true,
        run: |site| {
            Box::pin(async {
                Ok(lantern_api::make_sitemaps_if_due(&site.state.pool, &site.state.config, &site.stop).await?)
            })
        },
        failed: "the sitemaps can't be made; the old ones stay until the next look",
    },
    Job {
        name: "sessions",
        every: |_| SWEEP,
        at_start: false,
        run: |site| Box::pin(async { Ok(site.state.sweep_sessions().await?) }),
        failed: "sessions that ended can't be removed",
    },
    Job {
        name: "mailed links",
        every: |_| SWEEP,
        at_start: false,
        run: |site| Box::pin(async { Ok(site.state.sweep_links().await?) }),
        failed: "links that ended can't be removed",
    },
    Job {
        name: "unconfirmed accounts",
        every: |_| SWEEP,
        at_start: false,
        run: |site| Box::pin(async { Ok(site.state.sweep_accounts().await?) }),
        failed: "accounts that nobody confirmed can't be removed",
    },
    Job {
        name: "notifications",
        every: |_| FORGET_DAYS,
        at_start: false,
        run: |site| Box::pin(async { Ok(site.state.sweep_notifications().await?) }),
        failed: "notifications that are old can't be removed",
    },
    Job {
        name: "digests",
        every: |_| SWEEP,
        at_start: false,
        run: |site| {
            Box::pin(async {
                Ok(lantern_api::send_digests(&site.state.pool, &site.state.config, &site.state.mailer).await?)
            })
        },
        failed: "mails that sum up what is new wait for the next look",
    },
    Job {
        name: "purges",
        every: |_| SWEEP,
        at_start: false,
        run: |site| Box::pin(async { Ok(site.state.purger.sweep(&site.state.pool).await?) }),
        failed: "what caches outside could not be told can't be given up",
    },
    Job {
        name: "limits",
        every: |_| SWEEP,
        at_start: false,
        run: |site| {
            Box::pin(async {
                site.limits.sweep().await?;
                Ok(())
            })
        },
        failed: "limits at rest can't be removed",
    },
    Job {
        name: "pictures",
        every: |config| Duration::from_secs(60 * u64::from(config.pictures.orphan_sweep_minutes)),
        at_start: true,
        run: |site| {
            Box::pin(async {
                let pictures = site.state.sweep_albums().await? + site.state.sweep_pictures().await?;
                if pictures > 0 {
                    tracing::info!(pictures, "pictures that no profile and no album shows were removed");
                }
                Ok(())
            })
        },
        failed: "pictures that no profile and no album shows can't be removed",
    },
    Job {
        name: "looks of pictures",
        every: |_| SWEEP,
        at_start: true,
        run: |site| {
            Box::pin(async {
                while !site.stop.is_cancelled() && site.state.look_at_pictures().await? > 0 {}
                Ok(())
            })
        },
        failed: "pictures that nobody compared with what was taken down wait for the next interval",
    },
    Job {
        name: "quarantine",
        every: |_| SWEEP,
        at_start: true,
        run: |site| {
            Box::pin(async {
                let objects = site.state.sweep_quarantine().await?;
                if objects > 0 {
                    tracing::info!(objects, "what was taken down can no longer be restored");
                }
                Ok(())
            })
        },
        failed: "files of what was taken down stay until the next look",
    },
    Job {
        name: "copies of documents",
        every: |_| FORGET_DAYS,
        at_start: true,
        run: |site| {
            Box::pin(async {
                let copies = site.state.sweep_proofs().await?;
                if copies > 0 {
                    tracing::info!(copies, "copies of documents were deleted: what they prove is gone");
                }
                Ok(())
            })
        },
        failed: "copies of documents that nothing needs stay until the next look",
    },
    Job {
        name: "uploads",
        every: |_| SWEEP,
        at_start: true,
        run: |site| {
            Box::pin(async {
                let uploads = site.state.sweep_uploads().await?;
                if uploads > 0 {
                    tracing::info!(uploads, "uploads that nobody went on with were removed");
                }
                Ok(())
            })
        },
        failed: "uploads that nobody goes on with can't be removed",
    },
];

/// That another process writes the index is no failure.
fn as_writer<T>(outcome: Result<T, lantern_indexer::Error>) -> anyhow::Result<()> {
    match outcome {
        Err(error) if !error.is_superseded() => Err(error.into()),
        _ => Ok(()),
    }
}

/// Runs every job until `site.stop`, each as a role of its own; a run that has begun ends by itself.
pub fn start(site: Site, supervisor: &Supervisor) -> Vec<Role> {
    let site = Arc::new(site);
    let role = |job: &'static Job| supervisor.start(job.name, &site.stop, &site, move |site, _| repeat(job, site));
    JOBS.iter().map(role).collect()
}

async fn repeat(job: &'static Job, site: Arc<Site>) -> anyhow::Result<()> {
    let every = (job.every)(&site.state.config);
    let mut ticks = if job.at_start { interval(every) } else { interval_at(Instant::now() + every, every) };
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = site.stop.cancelled() => return Ok(()),
            _ = ticks.tick() => {}
        }
        let started = Instant::now();
        let outcome = (job.run)(&site).await;
        site.state.jobs.record(job.name, started.elapsed(), outcome.is_ok(), (site.state.now)());
        if let Err(error) = outcome {
            tracing::error!(job = job.name, %error, "{}", job.failed);
        }
    }
}
