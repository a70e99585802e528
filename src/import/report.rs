//! What became of the lines of a file.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufWriter, Write},
    path::Path,
};

use anyhow::Context;
use lantern_catalog::imports::ImportOutcome;
use serde_json::json;

use super::{check::Refusal, pictures::Brought};

/// Refusals that are shown on the terminal; all are counted.
const SHOWN: usize = 20;
/// Names that nobody knows which are shown, those that came most often.
const NAMES: usize = 20;

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowOutcome {
    Added,
    Changed,
    Same,
    /// Deleted or rejected here.
    Closed,
    /// There with its film: what else differs is to be written.
    There,
    /// Its film is on the way.
    Film,
    /// A category or a model.
    Name,
}

/// The counts of a run.
#[derive(Debug, Default)]
pub struct Report {
    pub added: u64,
    pub changed: u64,
    pub same: u64,
    pub closed: u64,
    pub films: u64,
    pub names: u64,
    /// Of those that were added or changed, the ones that wait for a person or a film.
    pub waiting: u64,
    pub refused: u64,
    /// Pictures that came, and those that were refused: their videos came without.
    pub pictures: u64,
    pub no_pictures: u64,
    codes: BTreeMap<&'static str, u64>,
    picture_codes: BTreeMap<&'static str, u64>,
    first: Vec<String>,
    unknown: BTreeMap<(&'static str, String), u64>,
    file: Option<BufWriter<File>>,
}

impl Report {
    /// Refusals go to a file, too, if one is named.
    pub fn new(refused: Option<&Path>) -> anyhow::Result<Self> {
        let open = |path: &Path| File::create(path).map(BufWriter::new).with_context(|| path.display().to_string());
        Ok(Self { file: refused.map(open).transpose()?, ..Self::default() })
    }

    pub fn count(&mut self, became: RowOutcome) {
        *match became {
            RowOutcome::Added => &mut self.added,
            RowOutcome::Changed => &mut self.changed,
            RowOutcome::Same | RowOutcome::There => &mut self.same,
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

    /// Counts pictures of videos; one that was refused is no refusal of its line.
    pub fn take_pictures(&mut self, brought: &Brought) -> anyhow::Result<()> {
        self.pictures += brought.count;
        for (line, id, refusal) in &brought.refused {
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
            writeln!(file, "{row}").context("the file of refusals")?;
        }
        Ok(())
    }

    /// A name that nobody knows.
    pub fn miss(&mut self, what: &'static str, name: String) {
        *self.unknown.entry((what, name)).or_default() += 1;
    }

    /// Everything, as lines.
    pub fn lines(mut self) -> anyhow::Result<Vec<String>> {
        if let Some(file) = &mut self.file {
            file.flush().context("the file of refusals")?;
        }
        let mut lines = vec![format!(
            "{} added, {} changed, {} as before, {} closed here, {} films on their way, {} categories and models, {} refused; {} wait for a \
             person or a film",
            self.added, self.changed, self.same, self.closed, self.films, self.names, self.refused, self.waiting
        )];
        let codes = |codes: &BTreeMap<_, _>| codes.iter().map(|(code, count)| format!("  {code}: {count}")).collect();
        lines.append(&mut codes(&self.codes));
        if self.pictures + self.no_pictures > 0 {
            lines.push(format!("{} pictures, {} refused: their videos came without", self.pictures, self.no_pictures));
            lines.append(&mut codes(&self.picture_codes));
        }
        lines.append(&mut self.first);
        let mut unknown: Vec<_> = self.unknown.into_iter().collect();
        unknown.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        if !unknown.is_empty() {
            lines.push(format!("{} names that nobody knows, the most frequent first:", unknown.len()));
        }
        lines
            .extend(unknown.into_iter().take(NAMES).map(|((what, name), count)| format!("  {what} {name:?}: {count}")));
        Ok(lines)
    }
}

/// What became of a row, in the words of the report; `None` where it has to be refused.
pub fn became(outcome: ImportOutcome) -> Option<RowOutcome> {
    match outcome {
        ImportOutcome::Added => Some(RowOutcome::Added),
        ImportOutcome::Changed | ImportOutcome::Pictured => Some(RowOutcome::Changed),
        ImportOutcome::Same => Some(RowOutcome::Same),
        ImportOutcome::Closed => Some(RowOutcome::Closed),
        ImportOutcome::Taken => None,
    }
}
