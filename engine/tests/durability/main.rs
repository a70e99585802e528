//! Tests what the engine guarantees beyond the protocol: no acknowledged write is lost, reads continue during writes, maps grow, only one
//! process at a time can use a folder, damage is reported, a full queue or a full disk causes errors, and folders shrink again.

#![expect(clippy::unwrap_used, reason = "tests panic if their setup fails")]
#![expect(clippy::print_stdout, reason = "tests print their measurements and the form that ran")]

mod batches;
mod compaction;
mod crash;
mod damage;
mod disk_full;
mod limits;
mod maps;
mod restart;
mod support;
