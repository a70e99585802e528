//! `lantern import`: imports videos from another system.

use std::{
    fs::File,
    io::{self, Read},
    path::PathBuf,
};

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum, builder::PossibleValuesParser};
use lantern_catalog::imports::STATES;
use lantern_config::{Config, DataDir, Gender, Lang};
use lantern_index::text::TermList;
use lantern_media::{
    incoming::Incoming,
    pictures::{Decoder, Pictures},
    stores::Stores,
};
use sqlx::PgPool;
use time::OffsetDateTime;
use tokio::sync::mpsc;

use crate::{
    import::{Chunk, Columns, Films, Form, Import, Names, Places, Report, Rules, Synonyms, client, read, status},
    progress::say,
    stack,
};

/// Import videos from another system. Importing is idempotent: existing videos are updated only where they differ, so run the same
/// command again to resume an interrupted import.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  lantern import --source oldsite videos.jsonl\n  \
    lantern import --source oldsite --dry-run --refused refused.jsonl videos.jsonl\n  \
    lantern import --source dump --form delimited --delimiter '|' --columns id,title,duration,categories,-,embed --site videos dump.csv\n  \
    zcat films.jsonl.gz | lantern import --source oldsite --files /srv/films --member studio -\n  \
    lantern import --source oldsite --status --state refused\n  \
    lantern import --source oldsite --status --json videos.jsonl\n\n\
    A line is a video ({\"id\": …, \"title\": …, \"duration\": …}), a category ({\"category\": {\"titles\": {\"en\": …}}}) or a model\n\
    ({\"model\": {\"title\": …, \"birth_date\": …}}); docs/OPERATIONS.md has all fields.")]
pub struct ImportArgs {
    /// File to import; - is standard input.
    #[arg(required_unless_present = "status")]
    file: Option<PathBuf>,
    /// Name of the other system: lower-case letters, digits and hyphens. Ids are unique within it.
    #[arg(long, value_parser = source)]
    source: String,
    /// Validate everything but write nothing.
    #[arg(long)]
    dry_run: bool,
    /// File format.
    #[arg(long, default_value = "json")]
    form: Format,
    /// Comma-separated fields of the columns; - skips a column.
    #[arg(long, required_if_eq("form", "delimited"))]
    columns: Option<String>,
    /// Separator of columns; \t for a tab.
    #[arg(long, default_value = "|", value_parser = delimiter)]
    delimiter: u8,
    /// Separator of names in a list.
    #[arg(long, default_value = ";")]
    list: char,
    /// Skip the first line, a header.
    #[arg(long)]
    header: bool,
    /// Site of the ids in column `embed`, a key of [embeds].
    #[arg(long)]
    site: Option<String>,
    /// Default language.
    #[arg(long, default_value = "en")]
    lang: Lang,
    /// Default orientation.
    #[arg(long, default_value = "str")]
    orientation: Gender,
    /// Owner of videos whose line names no member.
    #[arg(long)]
    member: Option<String>,
    /// TOML file of synonyms with the tables [categories] and [models]: "spelling" = "name", or "" to leave a name out.
    #[arg(long)]
    synonyms: Option<PathBuf>,
    /// Create unknown categories.
    #[arg(long)]
    create_categories: bool,
    /// Folder of the films and pictures named by `file` and `picture_file`.
    #[arg(long)]
    files: Option<PathBuf>,
    /// Publish videos without review if they name no model and set `nobody`, or if all their models consented. You vouch for these videos,
    /// and the moderation record says so. All other videos wait for review.
    #[arg(long)]
    cleared: bool,
    /// Change the birth date of an existing model if the file has another one. The moderation record lists each change.
    #[arg(long)]
    allow_birth_dates: bool,
    /// Write refusals to this file, one JSON object per line. If a picture is refused, its video is imported without it.
    #[arg(long)]
    refused: Option<PathBuf>,
    /// Import nothing, but show what became of the videos: of all, or of those that the lines of FILE name.
    #[arg(long, conflicts_with_all = ["dry_run", "refused", "cleared", "allow_birth_dates", "create_categories"])]
    status: bool,
    /// With --status, only videos in this state.
    #[arg(long, requires = "status", value_parser = states())]
    state: Option<String>,
    /// With --status, maximum number of videos.
    #[arg(long, requires = "status", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    limit: u32,
    /// With --status, print JSON: the counts, then one object per line.
    #[arg(long, requires = "status")]
    json: bool,
    #[arg(skip)]
    opened: Opened,
}

/// Files opened by [`ImportArgs::open`].
#[derive(Debug, Default)]
struct Opened {
    /// The file to import; standard input if there is none.
    from: Option<File>,
    refused: Option<File>,
}

impl ImportArgs {
    /// Opens the file to import and the one for refusals. Root does this before privileges are dropped, because both may be in folders that
    /// only root can enter.
    pub fn open(&mut self, config: &Config) -> anyhow::Result<()> {
        // Nothing is overwritten if the other arguments are invalid.
        form(config, self)?;
        if let Some(file) = self.file.as_ref().filter(|file| file.as_os_str() != "-") {
            self.opened.from = Some(File::open(file).with_context(|| file.display().to_string())?);
        }
        let create = |path: &PathBuf| File::create(path).with_context(|| path.display().to_string());
        self.opened.refused = self.refused.as_ref().map(create).transpose()?;
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    Json,
    Delimited,
}

pub fn source(text: &str) -> Result<String, String> {
    let is_name = (1..=50).contains(&text.len()) && slug::slugify(text) == text;
    if is_name { Ok(text.to_owned()) } else { Err("lower-case letters, digits and hyphens, at most 50".to_owned()) }
}

fn states() -> PossibleValuesParser {
    PossibleValuesParser::new(STATES.into_iter().chain([status::NOT_IMPORTED]))
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() => Ok(*byte),
        _ => Err("one ASCII character, or \\t".to_owned()),
    }
}

/// Writes to the catalog of the running Lantern. If none is running, Postgres runs for the duration of the command.
pub async fn run(config: Config, mut args: ImportArgs) -> anyhow::Result<()> {
    let form = form(&config, &args)?;
    let Opened { from, refused } = std::mem::take(&mut args.opened);
    let size = from.as_ref().map(|file| Ok::<_, io::Error>(file.metadata()?.len())).transpose()?;
    let from: Box<dyn Read + Send> = from.map_or_else(|| Box::new(io::stdin()) as _, |file| Box::new(file) as _);
    if args.status {
        let ImportArgs { source, state, limit, json, .. } = &args;
        let wanted = status::Wanted { source, state: state.as_deref(), limit: *limit, is_json: *json };
        let chunks = args.file.is_some().then(|| read(from, form));
        return stack::with_catalog(&config, async |pool| status::show(pool, &wanted, chunks).await).await;
    }
    let (report, chunks) = (Report::new(refused), read(from, form));
    stack::with_catalog(&config, async |pool| take(&config, pool, &args, report, (chunks, size)).await).await
}

async fn take(
    config: &Config,
    pool: &PgPool,
    args: &ImportArgs,
    report: Report,
    (chunks, size): (mpsc::Receiver<io::Result<Chunk>>, Option<u64>),
) -> anyhow::Result<()> {
    let synonyms = args.synonyms.as_deref().map(Synonyms::read).transpose()?.unwrap_or_default();
    let names = Names::load(pool, &synonyms).await?;
    let rules = Rules {
        config,
        prohibited: TermList::of(&config.safety),
        lang: args.lang,
        orientation: args.orientation,
        is_cleared: args.cleared,
        now: OffsetDateTime::now_utc(),
    };
    let stores = Stores::new(config, DataDir::new(&config.data_dir).media(&config.media), pool.clone())?;
    let films = Films {
        config,
        pool,
        source: &args.source,
        places: Places { folder: args.files.clone(), origins: &config.import.origins },
        incoming: Incoming::new(DataDir::new(&config.data_dir).uploads(&config.uploads)),
        stores: stores.clone(),
        client: client(&config.import.origins, config.import.fetch_seconds)?,
        is_dry: args.dry_run,
    };
    let pictures = Pictures::new(stores, config.pictures.clone(), Decoder::this_program()?);
    let mut import = Import::new(rules, names, films, pictures, report);
    import.creates_categories = args.create_categories;
    import.allows_birth_dates = args.allow_birth_dates;
    import.member.clone_from(&args.member);
    let report = import.run(chunks, size).await.context("import interrupted; run it again to resume")?;
    report.lines()?.iter().for_each(|line| say(line));
    Ok(())
}

fn form(config: &Config, args: &ImportArgs) -> anyhow::Result<Form> {
    let Some(columns) = &args.columns else {
        return match args.form {
            Format::Json => Ok(Form::Json),
            Format::Delimited => bail!("--form delimited needs --columns"),
        };
    };
    ensure!(matches!(args.form, Format::Delimited), "--columns needs --form delimited");
    if let Some(site) = &args.site {
        ensure!(config.embeds.contains_key(site), "--site: [embeds] has no site {site:?}");
    }
    let columns = Columns::new(columns, args.list, args.site.clone())?;
    Ok(Form::Delimited { columns, delimiter: args.delimiter, has_header: args.header })
}
