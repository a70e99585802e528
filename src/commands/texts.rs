//! `lantern texts`: shows, sets and removes the texts below listings.

use std::{
    io::{IsTerminal, Read},
    path::PathBuf,
};

use anyhow::Context;
use clap::{Args, Subcommand};
use lantern_catalog::list_texts::{self, BODY_MOST, ListText, TEXTS_MOST};
use lantern_config::{Config, Lang};
use lantern_site::list_path;
use sqlx::PgPool;

use crate::{progress::say, stack};

/// Show, set or remove the texts below listings.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lantern texts list\n  lantern texts set /categories/travel/ --lang de --file travel.txt\n  echo 'All new videos.' | lantern \
                  texts set /videos/latest-updates/ --lang en\n  lantern texts remove /categories/travel/ --lang de\n\nTexts are plain: empty lines separate \
                  paragraphs, and `# ` starts a heading. A text appears on the first page of its\nlisting, for people and search engines, \
                  if the page is in the language of the text. All nodes apply a change within\n15 seconds. Without a terminal, list prints \
                  tab-separated columns: path, language, text as JSON."
)]
pub struct TextsArgs {
    #[command(subcommand)]
    command: TextsCommand,
}

#[derive(Debug, Subcommand)]
enum TextsCommand {
    /// List texts.
    List {
        /// Only texts of this listing.
        path: Option<String>,
        /// Only texts in this language.
        #[arg(long)]
        lang: Option<Lang>,
    },
    /// Set or replace the text below a listing.
    Set {
        /// Path of the listing, such as /categories/travel/.
        path: String,
        /// Language of the text.
        #[arg(long)]
        lang: Lang,
        /// File with the text; default: standard input.
        #[arg(long)]
        file: Option<PathBuf>,
    },
    /// Remove a text.
    Remove {
        /// Path of the listing.
        path: String,
        /// Language of the text.
        #[arg(long)]
        lang: Lang,
    },
}

/// Works on the catalog of the running Lantern. If none is running, Postgres runs for the duration of the command.
pub async fn run(config: Config, args: TextsArgs) -> anyhow::Result<()> {
    // The arguments are validated before Postgres starts.
    let command = match args.command {
        TextsCommand::Set { path, lang, file } => TextsAct::Set(read(&path, lang, file)?),
        TextsCommand::Remove { path, lang } => TextsAct::Remove(named(&path)?, lang),
        TextsCommand::List { path, lang } => TextsAct::List(path.as_deref().map(named).transpose()?, lang),
    };
    stack::with_catalog(&config, async |pool| match command {
        TextsAct::List(path, lang) => print(pool, path.as_deref(), lang).await,
        TextsAct::Set(text) => {
            anyhow::ensure!(list_texts::set(pool, &text).await?, "the maximum of {TEXTS_MOST} texts is reached");
            say(&format!("Text set below {}.", text.path));
            Ok(())
        }
        TextsAct::Remove(path, lang) => {
            anyhow::ensure!(list_texts::remove(pool, &path, lang).await?, "no text in {lang} below {path}");
            say(&format!("Text removed from {path}."));
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
    list_path(path).with_context(|| format!("{path} is not the first page of a listing, such as /categories/travel/"))
}

fn read(path: &str, lang: Lang, file: Option<PathBuf>) -> anyhow::Result<ListText> {
    let path = named(path)?;
    let body = match file {
        Some(file) => std::fs::read_to_string(&file).with_context(|| format!("can't read {}", file.display()))?,
        None => {
            let mut body = String::new();
            std::io::stdin().read_to_string(&mut body).context("can't read standard input")?;
            body
        }
    };
    let body = body.trim().to_owned();
    let length = body.chars().count();
    anyhow::ensure!(
        (1..=BODY_MOST).contains(&length),
        "the text has {length} characters; 1 to {BODY_MOST} are allowed"
    );
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
        say("No texts.");
    }
    for ListText { path, lang, body } in &texts {
        say(&format!("{lang}  {path}\n{body}\n"));
    }
    Ok(())
}
