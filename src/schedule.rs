//! All periodic jobs, listed in one table.

use std::{sync::Arc, time::Duration};

use axum::extract::FromRef;
use futures_util::future::BoxFuture;
use lantern_accounts::{mail::send_digests, session, sweep};
use lantern_api::Shared;
use lantern_catalog::{
    erasure, films, managed,
    moderation::{consents, quarantine},
    notifications, page_views,
};
use lantern_config::Config;
use lantern_indexer::Indexer;
use lantern_ratelimit::Limits;
use lantern_site::SiteState;
use lantern_uploads::Intake;
use time::OffsetDateTime;
use tokio::time::{Instant, MissedTickBehavior, interval, interval_at};
use tokio_util::sync::CancellationToken;

use crate::supervisor::{Role, Supervisor};

/// Interval at which expired data is removed. It is short, so that little is removed at a time.
const SWEEP: Duration = Duration::from_secs(60);
/// Interval of checks for changed rows, and for work that is due once a day or less often.
const POLL: Duration = Duration::from_secs(15);
/// Interval of checks for takedowns. It is short, because people are waiting for the takedowns to take effect.
const TAKEDOWNS: Duration = Duration::from_secs(1);
/// Interval at which daily counts that have been kept long enough are removed.
const RETENTION: Duration = Duration::from_secs(3600);

pub struct Site {
    pub indexer: Indexer,
    pub state: SiteState,
    /// Rate limits for clients.
    pub limits: Arc<Limits>,
    pub stop: CancellationToken,
}

struct Job {
    name: &'static str,
    every: fn(&Config) -> Duration,
    /// Whether the first run is at startup. Otherwise, it is after one interval.
    at_start: bool,
    run: for<'a> fn(&'a Site) -> BoxFuture<'a, anyhow::Result<()>>,
    /// Error message to log if the job fails. It names the consequence.
    failed: &'static str,
}

const JOBS: [Job; 30] = [
    Job {
        name: "counters",
        every: |config| Duration::from_secs(config.sync.counters_interval),
        at_start: false,
        run: |site| Box::pin(async { ignore_superseded(site.indexer.transfer_counters().await) }),
        failed: "counters were not indexed; retrying at the next interval",
    },
    Job {
        name: "re-adds",
        every: |_| POLL,
        at_start: false,
        run: |site| {
            Box::pin(async {
                managed::bring_back(&site.state.pool, OffsetDateTime::now_utc()).await?;
                Ok(())
            })
        },
        failed: "due videos were not re-added; retrying at the next interval",
    },
    Job {
        name: "publications",
        every: |config| Duration::from_millis(config.films.publish_poll_ms),
        at_start: true,
        run: |site| {
            Box::pin(async {
                films::publish_due(&site.state.pool).await?;
                Ok(())
            })
        },
        failed: "due videos were not published; retrying at the next interval",
    },
    Job {
        name: "view windows",
        every: |config| Duration::from_secs(config.sync.charts_interval),
        at_start: false,
        run: |site| Box::pin(async { ignore_superseded(site.indexer.age_windows().await) }),
        failed: "daily, weekly and monthly views were not updated; retrying at the next interval",
    },
    Job {
        name: "charts",
        every: |config| Duration::from_secs(config.sync.charts_interval),
        at_start: false,
        run: |site| Box::pin(async { ignore_superseded(site.indexer.refresh_charts().await) }),
        failed: "charts and suggestions were not refreshed; retrying at the next interval",
    },
    Job {
        name: "silent indexes",
        every: |config| Duration::from_secs(config.sync.charts_interval),
        at_start: false,
        run: |site| Box::pin(async { ignore_superseded(site.indexer.drop_silent_consumers().await) }),
        failed: "outbox consumers that are no longer used were not dropped; retrying at the next interval",
    },
    Job {
        name: "views",
        every: |config| Duration::from_millis(config.views.flush_ms),
        at_start: true,
        run: |site| Box::pin(site.state.views.flush()),
        failed: "views were not stored; retrying at the next interval",
    },
    Job {
        name: "page views",
        every: |config| Duration::from_secs(config.page_views.flush_seconds),
        at_start: false,
        run: |site| Box::pin(async { Ok(site.state.page_views.flush(&site.state.pool).await?) }),
        failed: "page views were not stored; retrying at the next interval",
    },
    Job {
        name: "old page views",
        every: |_| RETENTION,
        at_start: false,
        run: |site| {
            Box::pin(async {
                Ok(page_views::forget(&site.state.pool, site.state.config.page_views.retention_days).await?)
            })
        },
        failed: "old page views were not removed; retrying at the next interval",
    },
    Job {
        name: "viewers",
        every: |_| SWEEP,
        at_start: true,
        run: |site| Box::pin(async { Ok(site.state.views.forget().await?) }),
        failed: "expired viewer records were not removed; retrying at the next interval",
    },
    Job {
        name: "searchers",
        every: |_| SWEEP,
        at_start: false,
        run: |site| Box::pin(async { Ok(site.state.search_log.forget_visitors()?) }),
        failed: "past days' visitors were not removed from the search log; retrying at the next interval",
    },
    Job {
        name: "searches",
        every: |_| RETENTION,
        at_start: false,
        run: |site| Box::pin(async { Ok(site.state.search_log.forget().await?) }),
        failed: "old query counts were not removed; retrying at the next interval",
    },
    Job {
        name: "keywords",
        every: |_| POLL,
        at_start: false,
        run: |site| Box::pin(async { Ok(site.state.keywords.sample().await?) }),
        failed: "keywords of the day were not sampled; the next page that needs them samples them",
    },
    Job {
        name: "words",
        every: |_| POLL,
        at_start: true,
        run: |site| {
            Box::pin(async {
                let Shared { pool, config, lexicon, .. } = &**site.state;
                Ok(lantern_search::refresh::words(pool, config, lexicon, &site.stop).await?)
            })
        },
        failed: "words of new titles were not loaded; retrying at the next interval",
    },
    Job {
        name: "texts below lists",
        every: |_| POLL,
        at_start: true,
        run: |site| Box::pin(async { Ok(site.state.list_texts.load(&site.state.pool).await?) }),
        failed: "changed texts were not loaded; retrying at the next interval",
    },
    Job {
        name: "clicks",
        every: |config| Duration::from_secs(config.sync.charts_interval),
        at_start: true,
        run: |site| {
            Box::pin(async { Ok(site.state.clicks.load(&site.state.pool, &site.state.config.search_log).await?) })
        },
        failed: "search clicks were not loaded; retrying at the next interval",
    },
    Job {
        name: "stale sitemaps",
        every: |_| TAKEDOWNS,
        at_start: false,
        run: |site| {
            Box::pin(async { Ok(lantern_site::sitemap::make_stale(&site.state.pool, &site.state.config).await?) })
        },
        failed: "sitemaps still list removed pages; retrying at the next interval",
    },
    Job {
        name: "sitemaps",
        every: |config| POLL.min(Duration::from_secs(config.sitemap.refresh_seconds)),
        at_start: true,
        run: |site| {
            Box::pin(async {
                Ok(lantern_site::sitemap::make_if_due(&site.state.pool, &site.state.config, &site.stop).await?)
            })
        },
        failed: "sitemaps can't be built; the old ones are served until the next interval",
    },
    Job {
        name: "sessions",
        every: |_| SWEEP,
        at_start: false,
        run: |site| {
            Box::pin(async { Ok(sweep::sessions(&site.state.pool, &site.state.config, (site.state.now)()).await?) })
        },
        failed: "expired sessions were not removed; retrying at the next interval",
    },
    Job {
        name: "mailed links",
        every: |_| SWEEP,
        at_start: false,
        run: |site| Box::pin(async { Ok(sweep::links(&site.state.pool, (site.state.now)()).await?) }),
        failed: "expired mailed links were not removed; retrying at the next interval",
    },
    Job {
        name: "unconfirmed accounts",
        every: |_| SWEEP,
        at_start: false,
        run: |site| {
            Box::pin(async { Ok(sweep::accounts(&site.state.pool, &site.state.config, (site.state.now)()).await?) })
        },
        failed: "unconfirmed accounts were not removed; retrying at the next interval",
    },
    Job {
        name: "notifications",
        every: |_| RETENTION,
        at_start: false,
        run: |site| {
            Box::pin(async {
                notifications::sweep(&site.state.pool, &site.state.config.notifications).await?;
                Ok(())
            })
        },
        failed: "old notifications were not removed; retrying at the next interval",
    },
    Job {
        name: "digests",
        every: |_| SWEEP,
        at_start: false,
        run: |site| {
            Box::pin(async { Ok(send_digests(&site.state.pool, &site.state.config, &site.state.mailer).await?) })
        },
        failed: "digest mails were not sent; retrying at the next interval",
    },
    Job {
        name: "purges",
        every: |_| SWEEP,
        at_start: false,
        run: |site| Box::pin(async { Ok(site.state.purger.sweep(&site.state.pool).await?) }),
        failed: "expired cache purges were not dropped; retrying at the next interval",
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
        failed: "idle rate limits were not removed; retrying at the next interval",
    },
    Job {
        name: "pictures",
        every: |config| Duration::from_secs(60 * u64::from(config.pictures.orphan_sweep_minutes)),
        at_start: true,
        run: |site| {
            Box::pin(async {
                let Shared { pictures, pool, config, now, .. } = &**site.state;
                let pictures = pictures.sweep_albums(pool, &config.albums).await?
                    + pictures.sweep(pool, &config.albums, now()).await?;
                if pictures > 0 {
                    tracing::info!(pictures, "orphaned pictures removed");
                }
                Ok(())
            })
        },
        failed: "orphaned pictures were not removed; retrying at the next interval",
    },
    Job {
        name: "looks of pictures",
        every: |_| SWEEP,
        at_start: true,
        run: |site| {
            Box::pin(async {
                while !site.stop.is_cancelled() && site.state.pictures.fingerprint(&site.state.pool).await? > 0 {}
                Ok(())
            })
        },
        failed: "pictures were not compared with takedowns; retrying at the next interval",
    },
    Job {
        name: "quarantine",
        every: |_| SWEEP,
        at_start: true,
        run: |site| {
            Box::pin(async {
                let Shared { pool, config, now, .. } = &**site.state;
                let objects =
                    quarantine::end_due(pool, config.moderation.quarantine_days, session::now(now())?).await?;
                erasure::forget_texts(&mut *pool.acquire().await?).await?;
                if objects > 0 {
                    tracing::info!(objects, "removed content can no longer be restored");
                }
                Ok(())
            })
        },
        failed: "files of removed content were not deleted; retrying at the next interval",
    },
    Job {
        name: "copies of documents",
        every: |_| RETENTION,
        at_start: true,
        run: |site| {
            Box::pin(async {
                let Shared { pool, config, now, .. } = &**site.state;
                let copies = consents::drop_unneeded(pool, config.consents.keep_days, session::now(now())?).await?;
                if copies > 0 {
                    tracing::info!(
                        copies,
                        "copies of performers' documents deleted, because their videos or albums are gone"
                    );
                }
                Ok(())
            })
        },
        failed: "unneeded copies of documents were not deleted; retrying at the next interval",
    },
    Job {
        name: "uploads",
        every: |_| SWEEP,
        at_start: true,
        run: |site| {
            Box::pin(async {
                let uploads = lantern_uploads::sweep(&Intake::from_ref(&*site.state)).await?;
                if uploads > 0 {
                    tracing::info!(uploads, "abandoned uploads removed");
                }
                Ok(())
            })
        },
        failed: "abandoned uploads were not removed; retrying at the next interval",
    },
];

/// Treats it as success if another process is writing the index.
fn ignore_superseded<T>(outcome: Result<T, lantern_indexer::Error>) -> anyhow::Result<()> {
    match outcome {
        Err(error) if !error.is_superseded() => Err(error.into()),
        _ => Ok(()),
    }
}

/// Runs every job as a role of its own until `site.stop` is canceled. Runs in progress at that moment are completed.
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
        site.state.health.jobs.record(job.name, started.elapsed(), outcome.is_ok(), (site.state.now)());
        if let Err(error) = outcome {
            tracing::error!(job = job.name, %error, "{}", job.failed);
        }
    }
}
