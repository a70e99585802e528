//! `lantern errors`: the texts of error codes, as the web app loads them.

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
    /// The language to print.
    #[arg(long, default_value = "en")]
    lang: Lang,
    /// Write one file for each language into this folder instead.
    #[arg(long, conflicts_with = "lang")]
    folder: Option<PathBuf>,
    /// Only compare the files in the folder with what would be written.
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
            anyhow::bail!("{} is not what config/errors.toml says; run ./dev gen", file.display());
        }
    }
    Ok(())
}

fn json(lang: Lang) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(&errors::of_language(lang))?)
}
