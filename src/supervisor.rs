//! Supervised background tasks ("roles"). A role that panics, fails or returns early is restarted.

use std::{
    any::Any,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, anyhow};
use lantern_config::Supervision;
use lantern_http::health::Health;
use tokio::task::{JoinError, JoinHandle};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

/// Starts roles.
#[derive(Clone)]
pub struct Supervisor {
    bounds: Supervision,
    health: Arc<Health>,
}

/// A running role.
pub struct Role {
    name: &'static str,
    task: JoinHandle<anyhow::Result<()>>,
}

impl Supervisor {
    pub fn new(bounds: &Supervision, health: Arc<Health>) -> Self {
        Self { bounds: bounds.clone(), health }
    }

    /// Spawns `run` with clones of `context` and `stop`. It should return once `stop` is canceled. If it ends earlier,
    /// this is logged and counted, and it is started again after a pause that grows with each restart.
    pub fn start<C, F, R>(&self, name: &'static str, stop: &CancellationToken, context: &C, run: R) -> Role
    where
        C: Clone + Send + 'static,
        F: Future<Output = anyhow::Result<()>> + Send + 'static,
        R: Fn(C, CancellationToken) -> F + Send + 'static,
    {
        self.health.started(name);
        let (supervisor, stop, context) = (self.clone(), stop.clone(), context.clone());
        let task = tokio::spawn(async move {
            let mut pause = supervisor.bounds.first_pause();
            loop {
                let started = Instant::now();
                // A separate task isolates panics.
                let running = AbortOnDropHandle::new(tokio::spawn(run(context.clone(), stop.clone())));
                let outcome = running.await.unwrap_or_else(|error| Err(describe(error)));
                if stop.is_cancelled() {
                    return outcome.context(name);
                }
                if started.elapsed() >= supervisor.bounds.window() {
                    pause = supervisor.bounds.first_pause();
                }
                supervisor.note_end(name, outcome, pause);
                tokio::select! {
                    () = stop.cancelled() => return Ok(()),
                    () = tokio::time::sleep(pause) => {}
                }
                pause = supervisor.bounds.next_pause(pause);
            }
        });
        Role { name, task }
    }

    fn note_end(&self, role: &'static str, outcome: anyhow::Result<()>, pause: Duration) {
        let cause = outcome.map_or_else(|error| format!("{error:#}"), |()| "it returned".to_owned());
        tracing::error!(role, cause, restart_ms = pause.as_millis(), "role ended; restarting");
        self.health.restarted(role, Instant::now());
    }
}

fn describe(error: JoinError) -> anyhow::Error {
    match error.try_into_panic() {
        Ok(panic) => anyhow!("it panicked: {}", message(&*panic)),
        Err(error) => error.into(),
    }
}

/// Returns the message of a panic.
pub fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// Waits until all roles have stopped, aborts those that are still running at `deadline`, and returns all errors.
pub async fn finish(roles: Vec<Role>, deadline: tokio::time::Instant) -> Vec<anyhow::Error> {
    let mut errors = Vec::new();
    for mut role in roles {
        match tokio::time::timeout_at(deadline, &mut role.task).await {
            Ok(Ok(outcome)) => errors.extend(outcome.err()),
            Ok(Err(error)) => errors.push(describe(error).context(role.name)),
            Err(_) => {
                tracing::info!(role = role.name, "role did not stop in time and was aborted");
                role.task.abort();
            }
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use std::{
        future::pending,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use lantern_config::Config;
    use tokio::sync::mpsc;

    use super::*;

    fn supervisor() -> (Supervisor, Arc<Health>) {
        let health = Arc::new(Health::default());
        let bounds = Supervision { restart_ms: 1, ..Config::default().supervision };
        (Supervisor::new(&bounds, Arc::clone(&health)), health)
    }

    /// A role that ends early three times. The fourth time, it reports its run and then waits for `stop`.
    async fn fail_at_first(
        (runs, started): (Arc<AtomicUsize>, mpsc::Sender<usize>),
        stop: CancellationToken,
    ) -> anyhow::Result<()> {
        match runs.fetch_add(1, Ordering::SeqCst) {
            0 => panic!("of the first run"),
            1 => anyhow::bail!("an error of the second run"),
            2 => return Ok(()),
            run => started.send(run).await?,
        }
        stop.cancelled().await;
        Ok(())
    }

    fn deadline() -> tokio::time::Instant {
        tokio::time::Instant::now() + Duration::from_millis(300)
    }

    #[tokio::test]
    async fn role_restarts_after_panic_error_and_return() {
        let (supervisor, health) = supervisor();
        let stop = CancellationToken::new();
        let (started, mut runs) = mpsc::channel(1);
        let role = supervisor.start("failing", &stop, &(Arc::default(), started), fail_at_first);
        assert_eq!(runs.recv().await, Some(3), "the fourth run");
        let bounds = Supervision { restarts: 3, ..Config::default().supervision };
        assert_eq!(health.failing(&bounds, Instant::now()), ["failing"]);
        assert!(health.failing(&Supervision { restarts: 4, ..bounds }, Instant::now()).is_empty());
        stop.cancel();
        assert!(finish(vec![role], deadline()).await.is_empty());
    }

    #[tokio::test]
    async fn finish_waits_for_every_role_and_returns_all_errors() {
        let (supervisor, health) = supervisor();
        let stop = CancellationToken::new();
        let (ended, mut ends) = mpsc::channel(1);
        let roles = vec![
            supervisor.start("fails", &stop, &(), |(), stop| async move {
                stop.cancelled().await;
                anyhow::bail!("no more room")
            }),
            supervisor.start("panics", &stop, &(), |(), stop| async move {
                stop.cancelled().await;
                panic!("at the end")
            }),
            supervisor.start("hangs", &stop, &(), |(), _| pending()),
            supervisor.start("works", &stop, &ended, |ended, stop| async move {
                stop.cancelled().await;
                Ok(ended.send(()).await?)
            }),
        ];
        stop.cancel();
        let errors = finish(roles, deadline()).await;
        let errors: Vec<String> = errors.iter().map(|error| format!("{error:#}")).collect();
        assert_eq!(errors, ["fails: no more room", "panics: it panicked: at the end"]);
        assert_eq!(ends.recv().await, Some(()));
        let bounds = Supervision { restarts: 1, ..Config::default().supervision };
        assert!(health.failing(&bounds, Instant::now()).is_empty(), "returning after stop is not a restart");
    }
}
