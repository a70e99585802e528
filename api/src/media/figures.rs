//! What the checks did.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts since the start.
#[derive(Default)]
pub struct Figures {
    known: AtomicU64,
    asked: AtomicU64,
    prolonged: AtomicU64,
}

impl Figures {
    /// A file was known.
    pub fn known(&self) {
        self.known.fetch_add(1, Ordering::Relaxed);
    }

    /// Queries to the catalog.
    pub fn asked(&self) {
        self.asked.fetch_add(1, Ordering::Relaxed);
    }

    /// The catalog was away.
    pub fn prolonged(&self) {
        self.prolonged.fetch_add(1, Ordering::Relaxed);
    }

    /// In the text format of Prometheus.
    pub fn text(&self) -> String {
        let rows = [
            ("known_total", "Files of which was known whether everybody may see them.", &self.known),
            ("asked_total", "Questions to the catalog whether everybody may see a file.", &self.asked),
            (
                "prolonged_total",
                "Files served because they were allowed last, while the catalog was away.",
                &self.prolonged,
            ),
        ];
        let mut text = String::new();
        for (name, help, count) in rows {
            let value = count.load(Ordering::Relaxed);
            text.push_str(&format!(
                "# HELP lantern_media_{name} {help}\n# TYPE lantern_media_{name} counter\nlantern_media_{name} {value}\n"
            ));
        }
        text
    }
}
