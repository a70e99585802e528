//! Report about an import run.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufWriter, Write},
};

use anyhow::Context;
use lantern_catalog::imports::ImportOutcome;
use serde_json::json;

use super::{check::Refusal, pictures::FetchedPictures};

/// Number of refusals that are printed. All of them are counted.
const SHOWN: usize = 20;
/// Number of unknown names that are printed, which are the most frequent ones.
const NAMES: usize = 20;

/// Outcome of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowOutcome {
    Added,
    Changed,
    Unchanged,
    /// The video was deleted or rejected on this site.
    Closed,
    /// The video already has its film. Other changes remain to be written.
    Existing,
    /// The film was enqueued.
    Film,
    /// The line is a category or a model.
    Name,
}

/// Counts for a run.
#[derive(Debug, Default)]
pub struct Report {
    pub added: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub closed: u64,
    pub films: u64,
    pub names: u64,
    /// Number of added or changed videos that await a review or a film.
    pub waiting: u64,
    pub refused: u64,
    /// Number of pictures stored.
    pub pictures: u64,
    /// Number of pictures refused. Their videos were imported without them.
    pub no_pictures: u64,
    codes: BTreeMap<&'static str, u64>,
    picture_codes: BTreeMap<&'static str, u64>,
    first: Vec<String>,
    unknown: BTreeMap<(&'static str, String), u64>,
    file: Option<BufWriter<File>>,
}

impl Report {
    /// Creates a report. Refusals are also written to the file `refused`, if it is given.
    pub fn new(refused: Option<File>) -> Self {
        Self { file: refused.map(BufWriter::new), ..Self::default() }
    }

    pub fn count(&mut self, outcome: RowOutcome) {
        *match outcome {
            RowOutcome::Added => &mut self.added,
            RowOutcome::Changed => &mut self.changed,
            RowOutcome::Unchanged | RowOutcome::Existing => &mut self.unchanged,
            RowOutcome::Closed => &mut self.closed,
            RowOutcome::Film => &mut self.films,
            RowOutcome::Name => &mut self.names,
        } += 1;
    }

    pub fn refuse(&mut self, line: u64, id: &str, refusal: &Refusal) -> anyhow::Result<()> {
        self.refused += 1;
        *self.codes.entry(refusal.code).or_default() += 1;
        self.write(line, id, refusal)
    }

    /// Counts pictures. A refused picture does not count as a refused line.
    pub fn count_pictures(&mut self, fetched: &FetchedPictures) -> anyhow::Result<()> {
        self.pictures += fetched.count;
        for (line, id, refusal) in &fetched.refused {
            self.no_pictures += 1;
            *self.picture_codes.entry(refusal.code).or_default() += 1;
            self.write(*line, id, refusal)?;
        }
        Ok(())
    }

    fn write(&mut self, line: u64, id: &str, refusal: &Refusal) -> anyhow::Result<()> {
        let row =
            json!({ "line": line, "id": id, "code": refusal.code, "field": refusal.field, "value": refusal.value });
        if self.first.len() < SHOWN {
            self.first.push(row.to_string());
        }
        if let Some(file) = &mut self.file {
            writeln!(file, "{row}").context("can't write the file of refusals")?;
        }
        Ok(())
    }

    /// Counts an unknown name.
    pub fn count_unknown(&mut self, what: &'static str, name: String) {
        *self.unknown.entry((what, name)).or_default() += 1;
    }

    /// Formats the report as lines.
    pub fn lines(mut self) -> anyhow::Result<Vec<String>> {
        if let Some(file) = &mut self.file {
            file.flush().context("can't write the file of refusals")?;
        }
        let mut lines = vec![format!(
            "{} added, {} changed, {} unchanged, {} closed here, {} films enqueued, {} categories and models, {} refused; {} wait for \
             review or a film",
            self.added, self.changed, self.unchanged, self.closed, self.films, self.names, self.refused, self.waiting
        )];
        let codes = |codes: &BTreeMap<_, _>| codes.iter().map(|(code, count)| format!("  {code}: {count}")).collect();
        lines.append(&mut codes(&self.codes));
        if self.pictures + self.no_pictures > 0 {
            lines.push(format!("{} pictures, {} refused (videos imported without)", self.pictures, self.no_pictures));
            lines.append(&mut codes(&self.picture_codes));
        }
        lines.append(&mut self.first);
        let mut unknown: Vec<_> = self.unknown.into_iter().collect();
        unknown.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        if !unknown.is_empty() {
            lines.push(format!("{} unknown fields and names, most frequent first:", unknown.len()));
        }
        lines
            .extend(unknown.into_iter().take(NAMES).map(|((what, name), count)| format!("  {what} {name:?}: {count}")));
        Ok(lines)
    }
}

/// Converts the outcome for a row. Returns `None` if the row has to be refused.
pub fn row_outcome(outcome: ImportOutcome) -> Option<RowOutcome> {
    match outcome {
        ImportOutcome::Added => Some(RowOutcome::Added),
        ImportOutcome::Changed | ImportOutcome::Pictured => Some(RowOutcome::Changed),
        ImportOutcome::Same => Some(RowOutcome::Unchanged),
        ImportOutcome::Closed => Some(RowOutcome::Closed),
        ImportOutcome::Taken => None,
    }
}
