//! `lantern errors`: prints or writes the error texts for the web app.

use anyhow::Context;
use clap::Args;
use lantern_config::{Lang, errors};
use std::path::PathBuf;

use crate::progress::say;

/// Print or write the texts of error codes.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  lantern errors --lang de\n  lantern errors --folder config/texts/errors\n  \
                        lantern errors --folder config/texts/errors --check")]
pub struct ErrorsArgs {
    /// Language to print.
    #[arg(long, default_value = "en")]
    lang: Lang,
    /// Write one file per language into this folder instead.
    #[arg(long, conflicts_with = "lang")]
    folder: Option<PathBuf>,
    /// Check that the files in the folder are up to date, without writing.
    #[arg(long, requires = "folder")]
    check: bool,
}

pub fn run(args: &ErrorsArgs) -> anyhow::Result<()> {
    let Some(folder) = &args.folder else {
        say(&json(args.lang)?);
        return Ok(());
    };
    if !args.check {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    for lang in Lang::ALL {
        let (file, text) = (folder.join(format!("{lang}.json")), json(*lang)? + "\n");
        if !args.check {
            std::fs::write(&file, text).with_context(|| file.display().to_string())?;
        } else if std::fs::read_to_string(&file).with_context(|| file.display().to_string())? != text {
            anyhow::bail!("{} differs from config/errors.toml; run ./dev gen", file.display());
        }
    }
    Ok(())
}

fn json(lang: Lang) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(&errors::of_language(lang))?)
}
