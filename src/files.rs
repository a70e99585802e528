//! The limit on open files in this process. Each connection uses one file.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Files needed in addition to connections: for Postgres, the index, films that are being read, and the log.
const RESERVED: u64 = 1024;

/// Raises the limit on open files to what the connections need. Warns if the system allows fewer.
pub fn raise_limit(connections: usize) {
    let wanted = (connections as u64).saturating_add(RESERVED);
    let allowed = getrlimit(Resource::RLIMIT_NOFILE).and_then(|(soft, hard)| {
        let raised = wanted.min(hard).max(soft);
        setrlimit(Resource::RLIMIT_NOFILE, raised, hard).map(|()| raised)
    });
    match allowed {
        Ok(allowed) if allowed < wanted => tracing::warn!(
            allowed,
            wanted,
            "open-file limit is too low for server.connections; raise the limit (ulimit -n, LimitNOFILE) or lower the setting"
        ),
        Ok(_) => {}
        Err(error) => tracing::warn!(%error, "open-file limit can't be read or raised"),
    }
}
