//! Demo uploads. Generated films become videos through an upload and a job, like any others, and end up in different
//! states.

use anyhow::{Context, ensure};
use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use lantern_catalog::{
    films::{self, FilmDetails},
    moderation::{
        Actor, staff,
        uploads::{Decision, Verdict, decide},
    },
    seed::DEMO_USER,
    uploads::{self, NewUpload, UploadBounds, UploadProgress},
};
use lantern_config::{Config, Gender, LOCAL_GROUP, Lang};
use lantern_media::{demo, incoming::Incoming};
use rand::RngCore;
use sqlx::PgPool;
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use crate::{
    progress::Progress,
    stack::{self, Data, Database},
};

/// Length of an upload token in bytes, which are 256 bits.
const TOKEN_BYTES: usize = 32;
/// Number of seconds by which films are longer than the minimum length.
const SPARE: usize = 5;
/// Number of the screenshot to choose.
const SHOT: i16 = 5;

/// Final state of a demo film.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MediaState {
    /// The member has to choose a screenshot.
    Choosing,
    /// The video awaits a review.
    Pending,
    /// The video is published.
    Published,
}

/// Number of the clip, title, category and final state.
const FILMS: [(usize, &str, &str, MediaState); 4] = [
    (0, "Northern lights, slowly", "travel", MediaState::Published),
    (1, "Silk in slow motion", "fashion", MediaState::Published),
    (11, "Lanterns drifting by", "city-nights", MediaState::Pending),
    (9, "Dunes at dusk, slowly", "travel", MediaState::Choosing),
];

/// Uploads films as the demo member, unless that member already has uploads, and waits for the videos. The demo clips
/// must exist.
pub async fn upload(config: &Config, data: &Data, database: &Database) -> anyhow::Result<()> {
    let pool = &database.pool;
    let Some((member, _)) = staff::member(pool, DEMO_USER).await? else { return Ok(()) };
    if !uploads::list(pool, member, config.films.shown_days, 1).await?.is_empty() {
        return Ok(());
    }
    let step = Progress::new("Demo uploads");
    let total = FILMS.len() as u64;
    let incoming = Incoming::new(std::path::absolute(data.dir.uploads(&config.uploads))?);
    let worker = stack::worker(config, &data.dir, pool)?;
    for (done, film) in (0..).zip(FILMS) {
        step.at(done, total);
        let token = send(config, data, pool, &incoming, (member, film)).await?;
        worker.work_once(&CancellationToken::new()).await?;
        let ended = uploads::list(pool, member, config.films.shown_days, 1).await?.into_iter().next();
        let ended = ended.filter(|ended| ended.upload.token == token).context("the upload is missing")?;
        // After a temporary failure, such as a full disk, the site's worker retries.
        let Some(video) = ended.video else { continue };
        advance(pool, member, video.id, film.3).await?;
    }
    step.done(&format!("{total} films uploaded as {DEMO_USER}"));
    Ok(())
}

/// Creates a complete upload with metadata. Returns its token.
async fn send(
    config: &Config,
    data: &Data,
    pool: &PgPool,
    incoming: &Incoming,
    (member, (clip, title, category, _)): (i64, (usize, &str, &str, MediaState)),
) -> anyhow::Result<String> {
    let mut bytes = [0; TOKEN_BYTES];
    rand::rng().fill_bytes(&mut bytes);
    let token = BASE64_URL_SAFE_NO_PAD.encode(bytes);
    incoming.create(&token).await?;
    let file = incoming.path(&token);
    let seconds = config.films.exclusive_seconds as usize + SPARE;
    demo::slow_motion(&data.dir.media(&config.media), clip, seconds, &file).await?;
    let size_bytes = i64::try_from(file.metadata()?.len())?;
    let now = OffsetDateTime::now_utc();
    let expires_at = now + Duration::hours(config.uploads.expire_hours.into());
    let file_name = format!("{}.mp4", title.replace([' ', ','], "_"));
    let new = NewUpload {
        token: &token,
        user_id: member,
        file_name: &file_name,
        size_bytes,
        replaces: None,
        group: LOCAL_GROUP,
        now,
        expires_at,
    };
    let bounds = UploadBounds {
        uploads: config.uploads.per_member.into(),
        bytes: i64::MAX,
        new_bytes: i64::MAX,
        new_for: Duration::ZERO,
    };
    ensure!(
        uploads::begin(pool, new, bounds).await? == uploads::BeginOutcome::Begun,
        "the demo member has too many unfinished uploads"
    );
    let upload = uploads::find(pool, &token, member).await?.context("the upload is missing")?;
    uploads::advance(pool, upload.id, UploadProgress { from: 0, to: size_bytes, expires_at }).await?;
    let details = FilmDetails {
        title: title.to_owned(),
        description: String::new(),
        chapters: String::new(),
        lang: Lang::En.as_str().to_owned(),
        gender: Gender::Str.as_str().to_owned(),
        categories: vec![category.to_owned()],
        models: Vec::new(),
        is_private: false,
        publish_at: None,
        origin: None,
    };
    films::describe(pool, &token, member, &details, true).await?;
    Ok(token)
}

async fn advance(pool: &PgPool, member: i64, video: i64, to: MediaState) -> anyhow::Result<()> {
    if to > MediaState::Choosing {
        films::choose(&mut *pool.acquire().await?, member, video, SHOT).await?;
    }
    if to == MediaState::Published {
        let verdict = Verdict::Approve { nobody: true };
        let decision = Decision { section: "video", id: video, revision: None, verdict, note: "demo" };
        decide(pool, &Actor::OPERATOR, decision).await?;
    }
    Ok(())
}
