//! `lantern openapi`: prints the OpenAPI document.

use lantern_config::Config;

use crate::progress::say;

/// Prints the OpenAPI document for these settings.
pub fn run(config: &Config) -> anyhow::Result<()> {
    say(&serde_json::to_string_pretty(&lantern_site::document(config))?);
    Ok(())
}
