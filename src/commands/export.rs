//! `lantern export`: writes categories, models and videos in the format of `lantern import`.

use std::io::{BufWriter, Write, stdout};

use anyhow::Context;
use clap::Args;
use lantern_catalog::imports::{self, ExportRow};
use lantern_config::Config;
use lantern_media::pictures::{Kind, file_of};
use serde_json::json;
use sqlx::PgPool;
use time::format_description::well_known::Rfc3339;

use super::import::source;
use crate::{
    import::line::{Category, ConsentLine, Duration, Embed, ModelLine, Translation, Video},
    stack,
    terminal::escaped,
};

/// Number of videos per query.
const PAGE: i64 = 1_000;

/// Write categories, models and videos to standard output in the format of `lantern import`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lantern export > site.jsonl\n  lantern export --source oldsite > oldsite.jsonl\n\n\
    Paths of films and pictures are relative to the media folder; pass it to `lantern import` as --files FOLDER."
)]
pub struct ExportArgs {
    /// Only videos imported from this system, with the ids that they have there.
    #[arg(long, value_parser = source)]
    source: Option<String>,
}

/// Reads from the catalog of the running Lantern. If none is running, Postgres runs for the duration of the command.
pub async fn run(config: Config, args: ExportArgs) -> anyhow::Result<()> {
    stack::with_catalog(&config, async |pool| write(pool, args.source.as_deref()).await).await
}

async fn write(pool: &PgPool, source: Option<&str>) -> anyhow::Result<()> {
    let mut out = BufWriter::new(stdout().lock());
    for category in imports::categories(pool).await? {
        let titles = category.titles.into_iter().collect();
        line(&mut out, &json!({ "category": Category { dir: Some(category.dir), titles } }))?;
    }
    for model in imports::models(pool).await? {
        let model = ModelLine {
            dir: Some(model.dir),
            title: model.title,
            aliases: model.aliases,
            names: model.names.0,
            orientation: Some(model.gender),
            birth_date: model.birth_date.to_string(),
            country: model.country,
            about: model.about,
        };
        line(&mut out, &json!({ "model": model }))?;
    }
    let mut after = 0;
    loop {
        let videos = imports::export_after(pool, after, source, PAGE).await?;
        let Some(last) = videos.last() else { break };
        after = last.id;
        for video in videos {
            line(&mut out, &of(video)?)?;
        }
    }
    out.flush().context("can't write to standard output")
}

fn line(out: &mut impl Write, value: &impl serde::Serialize) -> anyhow::Result<()> {
    let line = serde_json::to_string(value)?;
    writeln!(out, "{}", escaped(&line)).context("can't write to standard output")
}

fn of(video: ExportRow) -> anyhow::Result<Video> {
    let translations =
        video.translations.into_iter().map(|(lang, title, description)| (lang, Translation { title, description }));
    let consents = video.consents.into_iter().map(|consent| ConsentLine {
        model: consent.model,
        signed_on: consent.signed_on.to_string(),
        document: consent.document_kind,
        reference: consent.document_ref,
    });
    let has_film_here = video.ex_tube.is_none() && video.media_key.is_some();
    let embed = video.ex_tube.zip(video.ex_id).map(|(site, id)| Embed { site, id });
    Ok(Video {
        id: video.source_id.unwrap_or_else(|| video.id.to_string()),
        title: video.title,
        lang: Some(video.lang),
        description: video.description,
        chapters: video.chapters,
        orientation: Some(video.gender),
        duration: Some(Duration::Seconds(video.duration.into())),
        date: Some(video.post_date.format(&Rfc3339)?),
        publish_at: video.publish_at.map(|at| at.format(&Rfc3339)).transpose()?,
        categories: video.categories,
        models: video.models,
        private: video.is_private,
        hd: video.is_hd,
        views: video.viewed,
        likes: video.likes.into(),
        dislikes: video.dislikes.into(),
        member: video.username,
        translations: translations.collect(),
        consents: consents.collect(),
        picture_file: match (&video.picture_key, &video.media_key) {
            (Some(key), _) => Some(file_of(key, Kind::Poster.widths()[0])),
            (None, Some(key)) if !has_film_here => Some(format!("{key}/poster.jpg")),
            _ => None,
        },
        file: video.media_key.filter(|_| has_film_here).map(|key| format!("{key}/video.mp4")),
        embed,
        ..Video::default()
    })
}
