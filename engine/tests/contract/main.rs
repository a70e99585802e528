//! The protocol as seen by `meilisearch-sdk` and plain HTTP. From one source, every test runs in process, over loopback HTTP, and on the
//! server at `MEILI_URL` with `MEILI_KEY`. Every assertion must therefore also hold for a real Meilisearch.
//!
//! Without a server, the tests that need it are listed as ignored, never as passed.

#![expect(clippy::unwrap_used, reason = "tests panic if their setup fails")]

mod auth;
mod document_reads;
mod document_writes;
mod errors;
mod facets;
mod filters;
mod fixture;
mod formatting;
mod hostile;
mod indexes;
mod paging;
mod search;
mod search_errors;
mod settings;
mod settings_errors;
mod tasks;
mod wire;

use std::future::Future;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::pin::Pin;

use fixture::Fixture;
use futures_util::FutureExt;
use libtest_mimic::{Arguments, Trial};

/// A contract test.
type Test = fn(Fixture) -> Pin<Box<dyn Future<Output = ()>>>;

/// Lists the tests of a module.
#[macro_export]
macro_rules! contract {
    ($($name:ident),+ $(,)?) => {
        $crate::contract!(TESTS: $($name),+);
    };
    ($list:ident: $($name:ident),+ $(,)?) => {
        pub const $list: &[(&str, $crate::Test)] = &[$((stringify!($name), |fixture| Box::pin($name(fixture)))),+];
    };
}

const MODULES: [(&str, &[(&str, Test)]); 15] = [
    ("auth", auth::TESTS),
    ("document_reads", document_reads::TESTS),
    ("document_writes", document_writes::TESTS),
    ("errors", errors::TESTS),
    ("facets", facets::TESTS),
    ("filters", filters::TESTS),
    ("formatting", formatting::TESTS),
    ("indexes", indexes::TESTS),
    ("paging", paging::TESTS),
    ("search", search::TESTS),
    ("search_key", auth::SEARCH_KEY_TESTS),
    ("search_errors", search_errors::TESTS),
    ("settings", settings::TESTS),
    ("settings_errors", settings_errors::TESTS),
    ("tasks", tasks::TESTS),
];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for transport in wire::TRANSPORTS {
        for (module, tests) in MODULES {
            let missing = transport.missing(module);
            if let Some(missing) = &missing {
                eprintln!("skipped: {}::{module}: {missing}", transport.name);
            }
            for &(name, test) in tests {
                let (missing, skipped) = (missing.clone(), missing.is_some());
                let trial = Trial::test(format!("{}::{module}::{name}", transport.name), move || match missing {
                    Some(missing) => Err(missing.into()),
                    None => {
                        run(transport, test);
                        Ok(())
                    }
                });
                trials.push(trial.with_ignored_flag(skipped));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Runs a test and cleans up after it, whatever its outcome.
fn run(transport: &wire::Transport, test: Test) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let fixture = Fixture::new((transport.open)().await);
        let outcome = AssertUnwindSafe(test(fixture.clone())).catch_unwind().await;
        fixture.clean().await;
        if let Err(panic) = outcome {
            resume_unwind(panic);
        }
    });
}
