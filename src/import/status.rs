//! `lantern import --status`: what became of imported videos.

use std::{collections::BTreeMap, io};

use anyhow::Context;
use lantern_catalog::imports::{self, ImportedRow};
use serde_json::{Value, json};
use sqlx::{PgConnection, PgPool};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};
use tokio::sync::mpsc;

use super::{
    line::{Line, ReadLine, Unreadable, Video},
    read::{Chunk, NumberedLine},
};
use crate::progress::say;

/// State of a line that was refused or has not been imported yet.
pub const NOT_IMPORTED: &str = "not_imported";

/// What to show.
#[derive(Debug)]
pub struct Wanted<'a> {
    pub source: &'a str,
    /// Only videos in this state. All of them are counted.
    pub state: Option<&'a str>,
    /// Maximum number of videos.
    pub limit: u32,
    pub is_json: bool,
}

/// Shows the videos of a source and their number by state: those named by the lines of a file, or all.
pub async fn show(
    pool: &PgPool,
    wanted: &Wanted<'_>,
    chunks: Option<mpsc::Receiver<io::Result<Chunk>>>,
) -> anyhow::Result<()> {
    let mut conn = pool.acquire().await?;
    let (counts, shown) = match chunks {
        Some(chunks) => of_file(&mut conn, wanted, chunks).await?,
        None => {
            let counts = imports::counts(&mut conn, wanted.source).await?.into_iter().collect();
            let rows = imports::states(&mut conn, wanted.source, None, wanted.state, wanted.limit.into()).await?;
            (
                counts,
                rows.into_iter().map(|row| Shown { line: None, id: row.source_id.clone(), row: Some(row) }).collect(),
            )
        }
    };
    print(wanted, &counts, &shown);
    Ok(())
}

/// A line or a row.
struct Shown {
    /// Number of the line in the file.
    line: Option<u64>,
    id: String,
    /// The imported row, if there is one.
    row: Option<ImportedRow>,
}

impl Shown {
    fn state(&self) -> &str {
        self.row.as_ref().map_or(NOT_IMPORTED, |row| &row.state)
    }
}

type Counts = BTreeMap<String, i64>;

async fn of_file(
    conn: &mut PgConnection,
    wanted: &Wanted<'_>,
    mut chunks: mpsc::Receiver<io::Result<Chunk>>,
) -> anyhow::Result<(Counts, Vec<Shown>)> {
    let (mut counts, mut shown) = (Counts::new(), Vec::new());
    while let Some(chunk) = chunks.recv().await {
        let lines: Vec<(u64, String)> =
            chunk.context("can't read the file")?.lines.into_iter().filter_map(video).collect();
        let ids: Vec<String> = lines.iter().map(|(_, id)| id.clone()).collect();
        let rows = imports::states(conn, wanted.source, Some(&ids), None, i64::MAX).await?;
        let rows: BTreeMap<String, ImportedRow> = rows.into_iter().map(|row| (row.source_id.clone(), row)).collect();
        for (line, id) in lines {
            let one = Shown { line: Some(line), row: rows.get(&id).cloned(), id };
            *counts.entry(one.state().to_owned()).or_default() += 1;
            if wanted.state.is_none_or(|state| state == one.state()) && shown.len() < wanted.limit as usize {
                shown.push(one);
            }
        }
    }
    Ok((counts, shown))
}

/// Returns the number and the id of a line that is for a video, perhaps an unreadable one.
fn video((number, line): NumberedLine) -> Option<(u64, String)> {
    match line {
        Ok(ReadLine { line: Line::Video(video), .. }) => {
            let Video { id, .. } = *video;
            Some((number, id))
        }
        Ok(_) => None,
        Err(Unreadable { id, .. }) => Some((number, id)),
    }
}

fn print(wanted: &Wanted<'_>, counts: &Counts, shown: &[Shown]) {
    let total: i64 = counts.values().sum();
    if wanted.is_json {
        say(&json!({ "source": wanted.source, "total": total, "counts": counts }).to_string());
        shown.iter().for_each(|one| say(&as_json(one).to_string()));
        return;
    }
    let parts = counts.iter().map(|(state, count)| format!("{count} {state}"));
    say(&format!("{total} videos{}{}", if total > 0 { ": " } else { "" }, parts.collect::<Vec<_>>().join(", ")));
    shown.iter().for_each(|one| say(&row(one)));
    let matching = wanted.state.map_or(total, |state| counts.get(state).copied().unwrap_or(0));
    let more = matching - shown.len() as i64;
    if more > 0 {
        say(&format!("and {more} more (--limit)"));
    }
}

fn row(one: &Shown) -> String {
    let line = one.line.map_or_else(String::new, |line| format!("{line:>8}  "));
    let about = one.row.as_ref().map_or_else(|| "refused or not imported yet; --refused lists why".to_owned(), about);
    format!("{line}{:<24}  {:<12}  {}", one.id, one.state(), about.replace(char::is_control, " ")).trim_end().to_owned()
}

/// Returns what else is known about a row.
fn about(row: &ImportedRow) -> String {
    let video = row.video_id.map(|id| format!("video {id} “{}”", row.title.as_deref().unwrap_or_default()));
    let lost = row.has_lost_audio.then(|| "without sound, which can't be decoded".to_owned());
    let step = row.step.as_ref().map(|step| format!("{step}, {} %", row.percent.unwrap_or(0)));
    let retry = row.retry_at.map(|at| format!("next attempt {}", rfc3339(at)));
    let job = row.job_id.filter(|_| row.video_id.is_none()).map(|id| format!("job {id}"));
    let reason = [row.code.as_deref(), row.why.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(": ");
    let reason = Some(reason).filter(|reason| !reason.is_empty());
    [video, lost, job, step, retry, reason].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn as_json(one: &Shown) -> Value {
    let mut shown = json!({ "line": one.line, "id": one.id, "state": one.state() });
    if let (Some(row), Some(fields)) = (&one.row, shown.as_object_mut()) {
        let more = json!({
            "imported_at": rfc3339(row.imported_at),
            "video_id": row.video_id,
            "title": row.title,
            "is_private": row.is_private,
            "has_lost_audio": row.has_lost_audio,
            "job_id": row.job_id,
            "code": row.code,
            "why": row.why,
            "step": row.step,
            "percent": row.percent,
            "retry_at": row.retry_at.map(rfc3339),
        });
        fields.extend(more.as_object().cloned().unwrap_or_default());
    }
    shown
}

fn rfc3339(at: OffsetDateTime) -> String {
    at.format(&Rfc3339).unwrap_or_default()
}
