//! `lantern import`: videos of another system, by lines.

use std::{fs::File, io::Read, path::PathBuf};

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use lantern_config::{Config, DataDir, Gender, Lang};
use lantern_index::text::TermList;
use lantern_media::{
    incoming::Incoming,
    pictures::{Decoder, Pictures},
};
use sqlx::PgPool;
use time::OffsetDateTime;

use crate::{
    import::{Columns, Films, Form, Import, Names, Places, Report, Rules, Synonyms, client, read},
    progress::say,
    stack,
};

/// Take over videos of another system. The same file can be taken any number of times: what is there already is only changed
/// where it differs, so a run that was cut short goes on by starting it again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  lantern import --source oldsite videos.jsonl\n  \
    lantern import --source oldsite --dry-run --refused refused.jsonl videos.jsonl\n  \
    lantern import --source dump --form delimited --delimiter '|' --columns id,title,duration,categories,-,embed --site videos dump.csv\n  \
    zcat films.jsonl.gz | lantern import --source oldsite --files /srv/films --member studio -\n\n\
    A line is a video ({\"id\": …, \"title\": …, \"duration\": …}), a category ({\"category\": {\"titles\": {\"en\": …}}}) or a model\n\
    ({\"model\": {\"title\": …, \"birth_date\": …}}); docs/OPERATIONS.md has all fields.")]
pub struct ImportArgs {
    /// The file; - is standard input.
    file: PathBuf,
    /// Name of the other system: small letters, digits and hyphens. Ids count within it.
    #[arg(long, value_parser = source)]
    source: String,
    /// Look at everything and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// How the file is written.
    #[arg(long, default_value = "json")]
    form: WrittenAs,
    /// Fields of the columns, with commas between; - for none.
    #[arg(long, required_if_eq("form", "delimited"))]
    columns: Option<String>,
    /// Between columns; \t for a tab.
    #[arg(long, default_value = "|", value_parser = delimiter)]
    delimiter: u8,
    /// Between the names of a list.
    #[arg(long, default_value = ";")]
    list: char,
    /// The first line names the columns, and is passed over.
    #[arg(long)]
    header: bool,
    /// Which of [embeds] the column `embed` has ids of.
    #[arg(long)]
    site: Option<String>,
    /// Language of what says nothing of it.
    #[arg(long, default_value = "en")]
    lang: Lang,
    /// Orientation of what says nothing of it.
    #[arg(long, default_value = "str")]
    orientation: Gender,
    /// Whose the videos are whose lines name no member.
    #[arg(long)]
    member: Option<String>,
    /// Other spellings of categories and models: a TOML file with the tables [categories] and [models], "spelling" = "name", and
    /// "" for names that are left out.
    #[arg(long)]
    synonyms: Option<PathBuf>,
    /// Make the categories that nobody knows.
    #[arg(long)]
    create_categories: bool,
    /// Folder of the films and pictures that lines name by `file` and `picture_file`.
    #[arg(long)]
    files: Option<PathBuf>,
    /// Show at once what names no model and says `nobody`, and what has the consents of all its models: you answer for it, and the
    /// record of decisions says so. Everything else waits for a person.
    #[arg(long)]
    cleared: bool,
    /// Write each refusal to this file, an object a line; those of pictures, too, whose videos came without.
    #[arg(long)]
    refused: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum WrittenAs {
    Json,
    Delimited,
}

pub fn source(text: &str) -> Result<String, String> {
    let is_name = (1..=50).contains(&text.len()) && slug::slugify(text) == text;
    if is_name { Ok(text.to_owned()) } else { Err("small letters, digits and hyphens, 50 at most".to_owned()) }
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() => Ok(*byte),
        _ => Err("one ASCII character, or \\t".to_owned()),
    }
}

/// Works on the catalog of the running Lantern; without one, starts Postgres for the moment.
pub async fn run(config: Config, args: ImportArgs) -> anyhow::Result<()> {
    let form = form(&config, &args)?;
    let (from, size) = open(&args.file)?;
    stack::with_catalog(&config, async |pool| take(&config, pool, &args, form, from, size).await).await
}

async fn take(
    config: &Config,
    pool: &PgPool,
    args: &ImportArgs,
    form: Form,
    from: Box<dyn Read + Send>,
    size: Option<u64>,
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
    let films = Films {
        config,
        pool,
        source: &args.source,
        places: Places { folder: args.files.clone(), origins: &config.import.origins },
        incoming: Incoming::new(DataDir::new(&config.data_dir).uploads(&config.uploads)),
        client: client(&config.import.origins, config.import.fetch_seconds)?,
        is_dry: args.dry_run,
    };
    let media = DataDir::new(&config.data_dir).media(&config.media);
    let pictures = Pictures::new(media, config.pictures.clone(), Decoder::this_program()?);
    let mut import = Import::new(rules, names, films, pictures, Report::new(args.refused.as_deref())?);
    import.creates_categories = args.create_categories;
    import.member.clone_from(&args.member);
    let report =
        import.run(read(from, form), size).await.context("what was taken over so far stays; start again to go on")?;
    report.lines()?.iter().for_each(|line| say(line));
    Ok(())
}

fn form(config: &Config, args: &ImportArgs) -> anyhow::Result<Form> {
    let Some(columns) = &args.columns else {
        return match args.form {
            WrittenAs::Json => Ok(Form::Json),
            WrittenAs::Delimited => bail!("say with --columns what the columns are"),
        };
    };
    ensure!(matches!(args.form, WrittenAs::Delimited), "--columns is for --form delimited");
    if let Some(site) = &args.site {
        ensure!(config.embeds.contains_key(site), "--site is {site:?}, and [embeds] has no such site");
    }
    let columns = Columns::new(columns, args.list, args.site.clone())?;
    Ok(Form::Delimited { columns, delimiter: args.delimiter, has_header: args.header })
}

fn open(path: &PathBuf) -> anyhow::Result<(Box<dyn Read + Send>, Option<u64>)> {
    if path.as_os_str() == "-" {
        return Ok((Box::new(std::io::stdin()), None));
    }
    let file = File::open(path).with_context(|| path.display().to_string())?;
    let size = file.metadata().with_context(|| path.display().to_string())?.len();
    Ok((Box::new(file), Some(size)))
}
