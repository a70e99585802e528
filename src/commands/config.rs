//! `lantern config`: prints the default configuration.

use crate::progress::say;

/// Prints the commented defaults.
pub fn run() -> anyhow::Result<()> {
    say(lantern_config::DEFAULTS.trim_end());
    Ok(())
}
