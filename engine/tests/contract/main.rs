//! The protocol as `meilisearch-sdk` sees it: every test runs in process and over loopback HTTP, from the same source.

#![expect(clippy::unwrap_used, reason = "a test whose setting fails should stop")]

mod documents;
mod indexes;
mod raw;
mod search;
mod settings;
mod support;
mod tasks;

/// Makes two tests of each function: one for each transport.
#[macro_export]
macro_rules! over_every_transport {
    ($($name:ident),+ $(,)?) => {
        mod in_process {
            $(#[tokio::test(flavor = "multi_thread")] async fn $name() { super::$name($crate::support::in_process()).await })+
        }
        mod over_http {
            $(#[tokio::test(flavor = "multi_thread")] async fn $name() { super::$name($crate::support::over_http().await).await })+
        }
    };
}
