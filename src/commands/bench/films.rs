//! Uploads and transcoding on a temporary site, compared with a plain file write and with plain ffmpeg.

mod plain;

use std::{path::Path, sync::Arc, time::Instant};

use anyhow::{Context, ensure};
use lantern_benches::{median, uploads as sender};
use lantern_catalog::{
    changes::Changes,
    films::{self, FilmDetails},
    seed,
    uploads::{self, NewUpload, UploadBounds, UploadProgress},
};
use lantern_config::{Config, Gender, LOCAL_GROUP, Lang};
use lantern_media::{film, incoming::Incoming};
use lantern_site::Site;
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use super::site::{self, TemporarySite};
use crate::{progress::Progress, stack};

const GIB: u64 = 1 << 30;
/// Number of demo videos. The site needs only their categories.
const VIDEOS: u32 = 100;
/// Minimum length of a film in seconds, which the settings must allow.
const MIN_SECONDS: u32 = 10;

/// Measures the upload of a film of `gibibytes` GiB, without transcoding it.
pub async fn upload(mut config: Config, gibibytes: u64) -> anyhow::Result<String> {
    let bytes = gibibytes * GIB;
    config.uploads.max_bytes = config.uploads.max_bytes.max(bytes);
    config.uploads.member_bytes = config.uploads.member_bytes.max(bytes);
    // The member is new, so the limits for new members are turned off.
    config.uploads.new_days = 0;
    site::with_temporary(config, async |own| {
        let token = seed::crowd(&own.database.pool, own.config.mode, 1).await?.pop().context("a member")?;
        let (state, _limits, tasks) =
            stack::site(&own.config, &own.data, &own.database, &own.search, Changes::default(), Arc::default())?;
        tasks.spawn();
        let (listener, url) = super::served::bind().await?;
        let stop = CancellationToken::new();
        let server = tokio::spawn(lantern_site::serve(listener, Site::new(state), stop.clone()));
        let folder = own.data.dir.uploads(&own.config.uploads);
        tokio::fs::create_dir_all(&folder).await?;
        let sync_bytes = own.config.uploads.sync_bytes;
        let options =
            sender::UploadsOptions { url, cookie: format!("session={token}"), bytes, sync_bytes, folder: &folder };
        let report = sender::run(&options).await;
        stop.cancel();
        server.await?;
        report
    })
    .await
}

/// Measures the transcoding of `number` films of `seconds` seconds each, taking turns with plain ffmpeg at the same
/// encoder settings.
pub async fn transcode(mut config: Config, number: usize, seconds: u32) -> anyhow::Result<String> {
    let seconds = seconds.max(MIN_SECONDS);
    config.films.exclusive_seconds = MIN_SECONDS - 1;
    config.uploads.per_member = u32::try_from(number)?;
    // Generated films look alike and would otherwise be rejected as duplicates.
    config.films.likeness.frames = u8::MAX;
    site::with_temporary(config, async |own| {
        let step = Progress::new("Temporary site");
        own.seed(VIDEOS, &step).await?;
        seed::crowd(&own.database.pool, own.config.mode, 1).await?;
        let folder = tempfile::tempdir_in(&own.config.data_dir)?;
        step.done("ready");
        let (mut whole, mut ladder) = (Comparison::default(), Comparison::default());
        for round in 0..number {
            let film = folder.path().join(format!("{round}.mkv"));
            plain::generate(&film, round, seconds).await?;
            // The order alternates, so that a noisy machine affects Lantern and ffmpeg alike.
            let mut times = [[0.0; 2]; 2];
            for at in if round % 2 == 0 { [0, 1] } else { [1, 0] } {
                times[at] = if at == 0 {
                    [render(own, &film).await?, job(own, &film).await?]
                } else {
                    plain::transcode(&film, f64::from(seconds)).await?
                };
            }
            let [[our_ladder, ours], [plain_ladder, plain]] = times;
            ladder.push(our_ladder, plain_ladder);
            whole.push(ours, plain);
            tokio::fs::remove_file(&film).await?;
        }
        Ok(format!(
            "films of {seconds} s at 1280x720, medians of {number}\nthree heights alone: {}\nwhole video: {}, {:.2} per minute\n",
            ladder.line(),
            whole.line(),
            60.0 / median(whole.ours.clone())
        ))
    })
    .await
}

/// Seconds taken by Lantern, seconds taken by plain ffmpeg, and their ratios, per round.
#[derive(Debug, Default)]
struct Comparison {
    ours: Vec<f64>,
    plain: Vec<f64>,
    ratios: Vec<f64>,
}

impl Comparison {
    fn push(&mut self, ours: f64, plain: f64) {
        self.ours.push(ours);
        self.plain.push(plain);
        self.ratios.push(ours / plain);
    }

    fn line(&self) -> String {
        let [ours, plain, ratio] = [&self.ours, &self.plain, &self.ratios].map(|numbers| median(numbers.clone()));
        format!("{ours:.1} s, plain ffmpeg {plain:.1} s: {ratio:.2}x its time")
    }
}

/// Measures how many seconds it takes to encode a film's renditions with their segments.
async fn render(own: &TemporarySite, film: &Path) -> anyhow::Result<f64> {
    let tools = stack::tools(&own.config)?;
    let made = tempfile::tempdir_in(&own.config.data_dir)?;
    // The paths are absolute, because ffmpeg runs in a folder of its own.
    let (film, folder) = (std::path::absolute(film)?, std::path::absolute(made.path())?);
    let source = film::probe(&tools, &film).await?;
    let started = Instant::now();
    film::ladder::render(&tools, &film, &source, (&own.config.films).into(), &folder, |_| ()).await?;
    Ok(started.elapsed().as_secs_f64())
}

/// Measures how many seconds pass from a complete upload with metadata until its video exists.
async fn job(own: &TemporarySite, film: &Path) -> anyhow::Result<f64> {
    let pool = &own.database.pool;
    let (member, _) = lantern_catalog::moderation::staff::member(pool, "crowd-1").await?.context("a member")?;
    let incoming = Incoming::new(std::path::absolute(own.data.dir.uploads(&own.config.uploads))?);
    let token = film.file_stem().context("a name")?.to_string_lossy().into_owned();
    incoming.create(&token).await?;
    let size_bytes = i64::try_from(tokio::fs::copy(film, incoming.path(&token)).await?)?;
    let now = OffsetDateTime::now_utc();
    let expires_at = now + Duration::hours(1);
    let new = NewUpload {
        token: &token,
        user_id: member,
        file_name: "film.mkv",
        size_bytes,
        replaces: None,
        group: LOCAL_GROUP,
        now,
        expires_at,
    };
    let bounds = UploadBounds {
        uploads: own.config.uploads.per_member.into(),
        bytes: i64::MAX,
        new_bytes: i64::MAX,
        new_for: Duration::ZERO,
    };
    ensure!(
        uploads::begin(pool, new, bounds).await? == uploads::BeginOutcome::Begun,
        "the member has too many uploads"
    );
    let upload = uploads::find(pool, &token, member).await?.context("the upload is missing")?;
    uploads::advance(pool, upload.id, UploadProgress { from: 0, to: size_bytes, expires_at }).await?;
    let details = FilmDetails {
        title: format!("Film {token}"),
        description: String::new(),
        chapters: String::new(),
        lang: Lang::En.as_str().to_owned(),
        gender: Gender::Str.as_str().to_owned(),
        categories: vec!["travel".to_owned()],
        models: Vec::new(),
        is_private: false,
        publish_at: None,
        origin: None,
    };
    films::describe(pool, &token, member, &details, true).await?;
    let worker = stack::worker(&own.config, &own.data.dir, pool)?;
    let started = Instant::now();
    worker.work_once(&CancellationToken::new()).await?;
    let seconds = started.elapsed().as_secs_f64();
    let ended = uploads::list(pool, member, own.config.films.shown_days, 1).await?.into_iter().next();
    ensure!(ended.is_some_and(|ended| ended.video.is_some()), "the film did not become a video");
    Ok(seconds)
}
