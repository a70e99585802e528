//! Logging to standard error. Standard output is reserved for results.

use std::io::IsTerminal;

use anyhow::Context;
use lantern_config::{Log, LogFormat};
use tracing_subscriber::{EnvFilter, fmt};

use crate::terminal::LogWriter;

pub fn init(config: &Log) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&config.filter).with_context(|| format!("log.filter {:?}", config.filter))?;
    let ansi = std::io::stderr().is_terminal();
    let builder = fmt().with_env_filter(filter).with_writer(move || LogWriter { ansi }).with_ansi(ansi);
    match config.format {
        LogFormat::Text => builder.init(),
        LogFormat::Json => builder.json().init(),
    }
    Ok(())
}
