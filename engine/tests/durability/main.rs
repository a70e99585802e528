//! What the engine promises beside the protocol: nothing acknowledged is lost, reads go on during writes, maps grow, one
//! process at a time, damage is named, a full queue and a full disk say so, folders shrink again.

#![expect(clippy::unwrap_used, reason = "a test whose setting fails should stop")]
#![expect(
    clippy::print_stdout,
    reason = "what was measured, and which form of a test ran, is for the reader of its output"
)]

mod batches;
mod compaction;
mod crash;
mod damage;
mod disk_full;
mod limits;
mod maps;
mod restart;
mod support;
