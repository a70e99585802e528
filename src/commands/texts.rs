//! `lantern texts`: what is said below lists.

use std::{
    io::{IsTerminal, Read},
    path::PathBuf,
};

use anyhow::Context;
use clap::{Args, Subcommand};
use lantern_api::list_path;
use lantern_catalog::list_texts::{self, BODY_MOST, ListText, TEXTS_MOST};
use lantern_config::{Config, Lang};
use sqlx::PgPool;

use crate::{progress::say, stack};

/// Show, set or remove texts below lists.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lantern texts list\n  lantern texts set /categories/travel/ --lang de --file travel.txt\n  echo 'All new videos.' | lantern \
                  texts set /videos/latest-updates/ --lang en\n  lantern texts remove /categories/travel/ --lang de\n\nA text is plain: paragraphs are apart by an \
                  empty line, and a line that begins with `# ` is a heading. It is shown on the first page of a\nlist, to people and search engines, \
                  in its language only; every node knows of a change within 15 seconds. Without a terminal, list\nprints lines with a tab between the \
                  columns: path, language, text as JSON."
)]
pub struct TextsArgs {
    #[command(subcommand)]
    command: TextsCommand,
}

#[derive(Debug, Subcommand)]
enum TextsCommand {
    /// Show texts.
    List {
        /// Only those of a list.
        path: Option<String>,
        /// Only those in this language.
        #[arg(long)]
        lang: Option<Lang>,
    },
    /// Put a text below a list, in the place of the one that is there.
    Set {
        /// Address of the list, such as /categories/travel/.
        path: String,
        /// The text's language.
        #[arg(long)]
        lang: Lang,
        /// Where the text is; without it, it is read from standard input.
        #[arg(long)]
        file: Option<PathBuf>,
    },
    /// Take a text away.
    Remove {
        /// Address of the list.
        path: String,
        /// The text's language.
        #[arg(long)]
        lang: Lang,
    },
}

/// Works on the catalog of the running Lantern; without one, starts Postgres for the moment.
pub async fn run(config: Config, args: TextsArgs) -> anyhow::Result<()> {
    // Before Postgres is started for nothing.
    let command = match args.command {
        TextsCommand::Set { path, lang, file } => TextsAct::Set(read(&path, lang, file)?),
        TextsCommand::Remove { path, lang } => TextsAct::Remove(named(&path)?, lang),
        TextsCommand::List { path, lang } => TextsAct::List(path.as_deref().map(named).transpose()?, lang),
    };
    stack::with_catalog(&config, async |pool| match command {
        TextsAct::List(path, lang) => print(pool, path.as_deref(), lang).await,
        TextsAct::Set(text) => {
            anyhow::ensure!(
                list_texts::set(pool, &text).await?,
                "there are {TEXTS_MOST} texts already, which is the most"
            );
            say(&format!("It stands below {}.", text.path));
            Ok(())
        }
        TextsAct::Remove(path, lang) => {
            anyhow::ensure!(list_texts::remove(pool, &path, lang).await?, "there is no text in {lang} below {path}");
            say(&format!("It is gone from {path}."));
            Ok(())
        }
    })
    .await
}

enum TextsAct {
    List(Option<String>, Option<Lang>),
    Set(ListText),
    Remove(String, Lang),
}

fn named(path: &str) -> anyhow::Result<String> {
    list_path(path).with_context(|| format!("{path} is no list's first page; try one such as /categories/travel/"))
}

fn read(path: &str, lang: Lang, file: Option<PathBuf>) -> anyhow::Result<ListText> {
    let path = named(path)?;
    let body = match file {
        Some(file) => std::fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?,
        None => {
            let mut body = String::new();
            std::io::stdin().read_to_string(&mut body).context("reading standard input")?;
            body
        }
    };
    let body = body.trim().to_owned();
    let length = body.chars().count();
    anyhow::ensure!((1..=BODY_MOST).contains(&length), "the text has {length} characters, must have 1 to {BODY_MOST}");
    Ok(ListText { path, lang: lang.as_str().to_owned(), body })
}

async fn print(pool: &PgPool, path: Option<&str>, lang: Option<Lang>) -> anyhow::Result<()> {
    let texts = list_texts::list(pool, path, lang).await?;
    if !std::io::stdout().is_terminal() {
        for ListText { path, lang, body } in &texts {
            say(&format!("{path}\t{lang}\t{}", serde_json::to_string(body)?));
        }
        return Ok(());
    }
    if texts.is_empty() {
        say("There is no such text.");
    }
    for ListText { path, lang, body } in &texts {
        say(&format!("{lang}  {path}\n{body}\n"));
    }
    Ok(())
}
