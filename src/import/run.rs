//! Importing a file: the lines are taken one by one and written in batches.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    io,
};

use anyhow::Context;
use lantern_catalog::imports::{self, ImportOutcome, ImportRow, NewModel, StoreOutcome};
use lantern_config::Lang;
use lantern_index::all_names;
use lantern_media::pictures::Pictures;
use sqlx::PgPool;
use time::Date;
use tokio::{sync::mpsc, task::JoinHandle};

use super::{
    check::{self, CheckedLine, Refusal, Rules, refuse},
    films::Films,
    line::{Category, Line, ModelLine, ReadLine, Unreadable, Video},
    names::{Meaning, Model, Names},
    pictures::PendingRow,
    read::Chunk,
    report::{Report, RowOutcome, row_outcome},
};
use crate::progress::Progress;

/// A batch that is being written. For each row, it has the line number, the id and whether the video awaits a review or
/// a film. The outcomes are still pending.
struct WrittenRows {
    rows: Vec<(u64, String, bool)>,
    outcomes: JoinHandle<lantern_catalog::Result<Vec<ImportOutcome>>>,
}

/// The names and the birth date of a model's line.
struct CheckedModel {
    title: String,
    aliases: Vec<String>,
    names: BTreeMap<String, String>,
    birth_date: Date,
}

/// An import run.
pub struct Import<'a> {
    pub rules: Rules<'a>,
    pub names: Names,
    pub films: Films<'a>,
    pub pictures: Pictures,
    pub report: Report,
    /// Whether to create unknown categories.
    pub creates_categories: bool,
    /// Whether a model's line may change the date of birth.
    pub allows_birth_dates: bool,
    /// Owner of videos whose line names no member.
    pub member: Option<String>,
    members: HashMap<String, Option<i64>>,
    /// Hashes of the ids and embeds seen so far.
    seen: HashSet<u64>,
    batch: Vec<PendingRow>,
    written: Option<WrittenRows>,
}

impl<'a> Import<'a> {
    pub fn new(rules: Rules<'a>, names: Names, films: Films<'a>, pictures: Pictures, report: Report) -> Self {
        Self {
            rules,
            names,
            films,
            pictures,
            report,
            creates_categories: false,
            allows_birth_dates: false,
            member: None,
            members: HashMap::new(),
            seen: HashSet::new(),
            batch: Vec::new(),
            written: None,
        }
    }

    /// Imports all lines. `size` is the size of the file in bytes, if it is known.
    pub async fn run(
        mut self,
        mut chunks: mpsc::Receiver<io::Result<Chunk>>,
        size: Option<u64>,
    ) -> anyhow::Result<Report> {
        let step = Progress::new(if self.films.is_dry { "Dry run" } else { "Import" });
        let mut lines = 0;
        while let Some(chunk) = chunks.recv().await {
            let chunk = chunk.context("can't read the file")?;
            lines += chunk.lines.len() as u64;
            for (number, line) in chunk.lines {
                self.take(number, line).await?;
            }
            step.at(lines, size.map_or(lines, |size| expected(lines, chunk.bytes, size)));
        }
        self.write().await?;
        self.finish_batch().await?;
        step.done(&format!("{lines} lines"));
        Ok(self.report)
    }

    async fn take(&mut self, number: u64, read: Result<ReadLine, Unreadable>) -> anyhow::Result<()> {
        let (id, taken) = match read {
            Err(Unreadable { id, why }) => (id, refuse("malformed", "line", why)),
            Ok(ReadLine { line, unknown_fields }) => {
                unknown_fields.into_iter().for_each(|name| self.report.count_unknown("field", name));
                self.take_line(number, line).await?
            }
        };
        match taken {
            // A row is counted once it has been written.
            Ok(None) => Ok(()),
            Ok(Some(outcome)) => {
                self.report.count(outcome);
                Ok(())
            }
            Err(refusal) => self.report.refuse(number, &id, &refusal),
        }
    }

    /// Takes a line. Returns the video's id, if it is for a video, and what became of it.
    async fn take_line(
        &mut self,
        number: u64,
        line: Line,
    ) -> anyhow::Result<(String, Result<Option<RowOutcome>, Refusal>)> {
        Ok(match line {
            Line::Category(category) => (String::new(), self.take_category(&category).await?),
            Line::Model(model) => (String::new(), self.take_model(&model).await?),
            Line::Video(video) => {
                let taken = self.take_video(number, &video).await?;
                (video.id, taken)
            }
        })
    }

    async fn take_video(&mut self, number: u64, video: &Video) -> anyhow::Result<Result<Option<RowOutcome>, Refusal>> {
        if self.creates_categories {
            self.create_categories(video).await?;
        }
        let mut checked = match self.rules.check(video, &self.names) {
            Ok(checked) => checked,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if !self.seen.insert(key(&checked.row.source_id)) {
            return Ok(refuse("twice", "id", ""));
        }
        let embed = checked.row.embed.as_ref().map(|(site, id)| key(&format!("{site}\n{id}")));
        if embed.is_some_and(|embed| !self.seen.insert(embed)) {
            return Ok(refuse("twice", "embed", ""));
        }
        let member = checked.member.take().or_else(|| self.member.clone());
        if let Some(name) = member {
            let Some(id) = self.member_id(&name).await? else { return Ok(refuse("unknown_member", "member", name)) };
            checked.row.user_id = Some(id);
        }
        let CheckedLine { unknown_categories, unknown_models, .. } = &checked;
        unknown_categories.iter().for_each(|name| self.report.count_unknown("category", name.clone()));
        unknown_models.iter().for_each(|name| self.report.count_unknown("model", name.clone()));
        if let Some(from) = &checked.film {
            match self.films.take(&checked, from, &self.names).await? {
                Ok(RowOutcome::Existing) => {}
                taken => return Ok(taken.map(Some)),
            }
        }
        self.batch.push(PendingRow { line: number, row: checked.row, picture: checked.picture });
        if self.batch.len() >= self.rules.config.import.batch {
            self.write().await?;
        }
        Ok(Ok(None))
    }

    /// Starts writing the batch. Meanwhile, the next batch is validated.
    async fn write(&mut self) -> anyhow::Result<()> {
        let mut batch = std::mem::take(&mut self.batch);
        self.finish_batch().await?;
        let fetched = self.films.fetch_pictures(&mut batch, &self.pictures).await?;
        self.report.count_pictures(&fetched)?;
        let (lines, rows): (Vec<u64>, Vec<ImportRow>) = batch.into_iter().map(|one| (one.line, one.row)).unzip();
        let noted = lines.into_iter().zip(&rows).map(|(line, row)| {
            let waits = !row.is_cleared || row.embed.is_none();
            (line, row.source_id.clone(), waits)
        });
        let noted = noted.collect();
        let (pool, source, is_dry): (PgPool, String, bool) =
            (self.films.pool.clone(), self.films.source.to_owned(), self.films.is_dry);
        let outcomes = tokio::spawn(async move { imports::apply(&pool, &source, &rows, is_dry).await });
        self.written = Some(WrittenRows { rows: noted, outcomes });
        Ok(())
    }

    async fn finish_batch(&mut self) -> anyhow::Result<()> {
        let Some(WrittenRows { rows, outcomes }) = self.written.take() else { return Ok(()) };
        for ((line, id, waits), outcome) in rows.into_iter().zip(outcomes.await??) {
            match row_outcome(outcome) {
                Some(outcome) => {
                    self.report.count(outcome);
                    self.report.waiting +=
                        u64::from(waits && matches!(outcome, RowOutcome::Added | RowOutcome::Changed));
                }
                None => {
                    let refusal = Refusal { code: "taken", field: "embed", value: String::new() };
                    self.report.refuse(line, &id, &refusal)?;
                }
            }
        }
        Ok(())
    }

    async fn member_id(&mut self, name: &str) -> anyhow::Result<Option<i64>> {
        if let Some(known) = self.members.get(name) {
            return Ok(*known);
        }
        let found = imports::members(self.films.pool, &[name.to_owned()]).await?;
        let id = found.first().map(|(_, id)| *id);
        self.members.insert(name.to_owned(), id);
        Ok(id)
    }

    async fn create_categories(&mut self, video: &Video) -> anyhow::Result<()> {
        for name in &video.categories {
            let name = name.trim();
            if self.names.category(name) != Meaning::Unknown || slug::slugify(name).is_empty() {
                continue;
            }
            let lang = video.lang.as_deref().and_then(|lang| lang.parse().ok()).unwrap_or(self.rules.lang);
            let titles = [(lang.as_str().to_owned(), name.to_owned())];
            let category = Category { dir: None, titles: titles.into() };
            // An invalid name is left out of the video, like any unknown name.
            if self.take_category(&category).await?.is_ok() {
                self.report.count(RowOutcome::Name);
            }
        }
        Ok(())
    }

    async fn take_category(&mut self, category: &Category) -> anyhow::Result<Result<Option<RowOutcome>, Refusal>> {
        let mut titles = Vec::new();
        for (lang, title) in &category.titles {
            let Ok(lang) = lang.parse::<Lang>() else { return Ok(refuse("invalid", "titles", lang)) };
            match self.rules.text("titles", title, true, NAME_MOST) {
                Ok(title) => titles.push((lang.as_str(), title)),
                Err(refusal) => return Ok(Err(refusal)),
            }
        }
        let english = titles.iter().find(|(lang, _)| *lang == Lang::En.as_str()).or(titles.first());
        let Some((_, title)) = english else { return Ok(refuse("required", "titles", "")) };
        let dir = category.dir.clone().unwrap_or_else(|| slug::slugify(title));
        if dir.is_empty() || slug::slugify(&dir) != dir {
            return Ok(refuse("invalid", "dir", dir));
        }
        let id = match self.films.is_dry {
            true => self.placeholder_id(),
            false => match imports::store_category(self.films.pool, &dir, &titles).await? {
                StoreOutcome::Id(id) => id,
                StoreOutcome::TitleTaken | StoreOutcome::NotAdult | StoreOutcome::OtherBirthDate => {
                    return Ok(refuse("taken", "titles", dir));
                }
            },
        };
        self.names.add_category(id, &dir, titles.iter().map(|(_, title)| title.as_str()));
        Ok(Ok(Some(RowOutcome::Name)))
    }

    async fn take_model(&mut self, model: &ModelLine) -> anyhow::Result<Result<Option<RowOutcome>, Refusal>> {
        let CheckedModel { title, aliases, names, birth_date } = match self.model(model) {
            Ok(checked) => checked,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let orientation = match model.orientation.as_deref().map(str::parse) {
            None => self.rules.orientation,
            Some(Ok(orientation)) => orientation,
            Some(Err(_)) => return Ok(refuse("invalid", "orientation", model.orientation.clone().unwrap_or_default())),
        };
        let dir = model.dir.clone().unwrap_or_else(|| check::dir(&title, ""));
        if dir.is_empty() || slug::slugify(&dir) != dir {
            return Ok(refuse("invalid", "dir", dir));
        }
        let (country, about) = (model.country.as_deref(), model.about.as_deref().filter(|about| !about.is_empty()));
        if country.is_some_and(|country| country.len() != 2 || !country.bytes().all(|byte| byte.is_ascii_uppercase())) {
            return Ok(refuse("invalid", "country", country.unwrap_or_default()));
        }
        let is_other = |known: &Model| known.dir == dir && known.birth_date != birth_date;
        let id = match self.films.is_dry {
            true if !self.allows_birth_dates && self.names.people.values().any(is_other) => {
                return Ok(refuse("other_birth_date", "birth_date", &model.birth_date));
            }
            true => self.placeholder_id(),
            false => {
                let new = NewModel {
                    dir: &dir,
                    title: &title,
                    aliases: &aliases,
                    names: &names,
                    gender: orientation.as_str(),
                    birth_date,
                    allows_birth_date: self.allows_birth_dates,
                    country,
                    about,
                };
                let mut conn = self.films.pool.acquire().await?;
                match imports::store_model(&mut conn, &new).await? {
                    StoreOutcome::Id(id) => id,
                    StoreOutcome::OtherBirthDate => {
                        return Ok(refuse("other_birth_date", "birth_date", &model.birth_date));
                    }
                    StoreOutcome::NotAdult | StoreOutcome::TitleTaken => {
                        return Ok(refuse("not_adult", "birth_date", &model.birth_date));
                    }
                }
            }
        };
        let spellings = all_names(&title, &names, &aliases).into_iter();
        self.names.add_model(id, &dir, birth_date, spellings);
        Ok(Ok(Some(RowOutcome::Name)))
    }

    /// Checks the names and the birth date of a model. Refuses minors.
    fn model(&self, model: &ModelLine) -> Result<CheckedModel, Refusal> {
        let title = self.rules.text("title", &model.title, true, NAME_MOST)?;
        let aliases = model.aliases.iter().map(|alias| self.rules.text("aliases", alias, true, NAME_MOST));
        let aliases = aliases.collect::<Result<_, _>>()?;
        let name = |(lang, name): (&String, &String)| match lang.parse::<Lang>() {
            Ok(lang) => Ok((lang.to_string(), self.rules.text("names", name, true, NAME_MOST)?)),
            Err(_) => refuse("invalid", "names", lang),
        };
        let names = model.names.iter().map(name).collect::<Result<_, _>>()?;
        if let Some(about) = &model.about {
            self.rules.text("about", about, false, lantern_config::DESCRIPTION_MOST)?;
        }
        match check::day(&model.birth_date) {
            None => refuse("invalid", "birth_date", &model.birth_date),
            Some(birth) if check::adult_since(birth) > self.rules.now.date() => {
                refuse("not_adult", "birth_date", &model.birth_date)
            }
            Some(birth_date) => Ok(CheckedModel { title, aliases, names, birth_date }),
        }
    }

    /// Returns an id for a category or model that a dry run doesn't create.
    fn placeholder_id(&self) -> i64 {
        -1 - i64::try_from(self.names.people.len() + self.names.category_dirs.len()).unwrap_or(0)
    }
}

/// Maximum length of a name in characters, as in the constraints `category_titles_length`, `models_title_length` and
/// `model_names_length`.
const NAME_MOST: usize = 100;

/// Estimates the total number of lines from the lines and bytes read so far.
fn expected(lines: u64, bytes: u64, size: u64) -> u64 {
    u64::try_from(u128::from(lines) * u128::from(size) / u128::from(bytes.max(1))).unwrap_or(lines).max(lines)
}

/// Returns a 64-bit hash. Collisions within a file are so rare that they don't matter.
fn key(text: &str) -> u64 {
    use sha2::{Digest, Sha256};
    let digest: [u8; 32] = Sha256::digest(text).into();
    u64::from_le_bytes(digest[..8].try_into().unwrap_or_default())
}
