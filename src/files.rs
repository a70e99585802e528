//! How many files this process may have open: each connection is one.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Files beside connections: Postgres, the index, films that are being read, the log.
const BESIDE: u64 = 1024;

/// Asks the system for as many as `connections` need, and says so when it gives fewer.
pub fn allow(connections: usize) {
    let wanted = (connections as u64).saturating_add(BESIDE);
    let allowed = getrlimit(Resource::RLIMIT_NOFILE).and_then(|(soft, hard)| {
        let raised = wanted.min(hard).max(soft);
        setrlimit(Resource::RLIMIT_NOFILE, raised, hard).map(|()| raised)
    });
    match allowed {
        Ok(allowed) if allowed < wanted => tracing::warn!(
            allowed,
            wanted,
            "this process may open fewer files than server.connections needs; raise the limit (ulimit -n, LimitNOFILE) or lower the setting"
        ),
        Ok(_) => {}
        Err(error) => tracing::warn!(%error, "the limit of open files can't be read or raised"),
    }
}
