//! What an upload shows, on a site nobody has uploaded to: a few generated films go the way of every other one, from the upload's
//! row through a job to a video, each to another state.

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
use lantern_config::{Config, Gender, Lang};
use lantern_media::{demo, incoming::Incoming};
use rand::RngCore;
use sqlx::PgPool;
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use crate::{
    progress::Progress,
    stack::{self, Data, Database},
};

/// Bytes of an upload's name: 256 bits.
const TOKEN_BYTES: usize = 32;
/// Seconds that a film is longer than it has to be.
const SPARE: usize = 5;
/// The picture that is chosen.
const SHOT: i16 = 5;

/// How far a film goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MediaState {
    /// Its member is to choose a picture.
    Chooses,
    /// It waits for a moderator.
    Waits,
    /// Everybody may watch it.
    Shown,
}

/// Number of the clip, title, category, how far it goes.
const FILMS: [(usize, &str, &str, MediaState); 4] = [
    (0, "Northern lights, slowly", "travel", MediaState::Shown),
    (1, "Silk in slow motion", "fashion", MediaState::Shown),
    (11, "Lanterns drifting by", "city-nights", MediaState::Waits),
    (9, "Dunes at dusk, slowly", "travel", MediaState::Chooses),
];

/// Uploads as the demo's member, unless that member did before, and waits for the videos. The demo's clips must be there.
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
        let ended = ended.filter(|ended| ended.upload.token == token).context("an upload is gone")?;
        // What hinders the work, as a full disk, hinders it for now: the worker of the site goes on later.
        let Some(video) = ended.video else { continue };
        advance(pool, member, video.id, film.3).await?;
    }
    step.done(&format!("{total} films, as {DEMO_USER} uploaded them"));
    Ok(())
}

/// Puts a film where the last piece of an upload leaves it; returns the upload's name.
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
    let new = NewUpload { token: &token, user_id: member, file_name: &file_name, size_bytes, now, expires_at };
    let bounds = UploadBounds {
        uploads: config.uploads.per_member.into(),
        bytes: i64::MAX,
        new_bytes: i64::MAX,
        new_for: Duration::ZERO,
    };
    ensure!(
        uploads::begin(pool, new, bounds).await? == uploads::BeginOutcome::Begun,
        "the demo's member has too many unfinished uploads"
    );
    let upload = uploads::find(pool, &token, member).await?.context("an upload is gone")?;
    uploads::advance(pool, upload.id, UploadProgress { from: 0, to: size_bytes, expires_at }).await?;
    let details = FilmDetails {
        title: title.to_owned(),
        description: String::new(),
        lang: Lang::En.as_str().to_owned(),
        gender: Gender::Str.as_str().to_owned(),
        categories: vec![category.to_owned()],
        models: Vec::new(),
        is_private: false,
        origin: None,
    };
    films::describe(pool, &token, member, &details, true).await?;
    Ok(token)
}

async fn advance(pool: &PgPool, member: i64, video: i64, to: MediaState) -> anyhow::Result<()> {
    if to > MediaState::Chooses {
        films::choose(&mut *pool.acquire().await?, member, video, SHOT).await?;
    }
    if to == MediaState::Shown {
        let verdict = Verdict::Approve { nobody: true };
        let decision = Decision { section: "video", id: video, revision: None, verdict, note: "demo" };
        decide(pool, &Actor::OPERATOR, decision).await?;
    }
    Ok(())
}
