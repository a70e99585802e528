//! Progress output. On a terminal, it is a bar with the rate and the remaining time, and elsewhere plain lines.

use std::{
    io::{ErrorKind, IsTerminal, Write},
    sync::Mutex,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

use crate::terminal::escaped;

/// Interval between two plain lines for the same step.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// A named step with a known amount of work.
pub struct Progress {
    name: String,
    started: Instant,
    state: Mutex<State>,
}

struct State {
    bar: Option<ProgressBar>,
    last_line: Instant,
}

impl Progress {
    #[must_use]
    pub fn new(name: &str) -> Self {
        let now = Instant::now();
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            #[expect(clippy::expect_used, reason = "a constant template")]
            bar.set_style(
                ProgressStyle::with_template("{msg:<28} {bar:32} {human_pos}/{human_len}  {per_sec}  {eta} left")
                    .expect("a valid template"),
            );
            bar.set_message(name.to_owned());
            bar
        });
        Self { name: name.to_owned(), started: now, state: Mutex::new(State { bar, last_line: now }) }
    }

    /// Reports that `done` of `total` units are finished.
    pub fn at(&self, done: u64, total: u64) {
        let Ok(mut state) = self.state.lock() else { return };
        if let Some(bar) = &state.bar {
            bar.set_length(total.max(done));
            bar.set_position(done);
        } else if state.last_line.elapsed() >= LINE_EVERY {
            state.last_line = Instant::now();
            say(&format!("{}: {done} of {total}", self.name));
        }
    }

    /// Ends the step and prints its result and duration.
    pub fn done(self, result: &str) {
        if let Ok(state) = self.state.lock()
            && let Some(bar) = &state.bar
        {
            bar.finish_and_clear();
        }
        say(&format!("{:<28} {result} ({:.1} s)", self.name, self.started.elapsed().as_secs_f64()));
    }
}

/// Prints a line to standard output, with control characters escaped. A closed pipe (`| head`) is ignored.
pub fn say(line: &str) {
    let line = escaped(line);
    if let Err(error) = writeln!(std::io::stdout(), "{line}")
        && error.kind() != ErrorKind::BrokenPipe
    {
        tracing::warn!(%error, %line, "can't write to standard output");
    }
}
