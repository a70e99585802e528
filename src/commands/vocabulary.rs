//! `lantern vocabulary`: prints the vocabulary of lists.

use crate::progress::say;

/// Prints `listing/vocabulary.json`.
pub fn run() -> anyhow::Result<()> {
    say(&serde_json::to_string_pretty(&lantern_listing::vocabulary())?);
    Ok(())
}
