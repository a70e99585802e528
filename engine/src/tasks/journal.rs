//! The journal: a file of fixed length in which small writes become durable with one sync each.
//!
//! LMDB syncs twice a commit and lets one transaction run at a time; the journal is overwritten in place, so that a sync
//! writes the record alone. Records belong to an epoch, whose number is in the queue's LMDB environment: the transaction
//! that takes over every unfinished task of the journal also begins the next epoch, and with it all records are void at once.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::Task;
use crate::sync::sync_folder;

/// Bytes of the file.
const SIZE: u64 = 4 << 20;
/// Records begin after a block that tells the file's kind.
const HEAD: u64 = 4096;
const MAGIC: &[u8; 16] = b"task journal 001";
/// Length, epoch and digest before each body.
const RECORD_HEAD: usize = 4 + 8 + 8;

/// The open journal.
pub struct Journal {
    file: File,
    epoch: u32,
    /// Where the next record goes.
    end: u64,
}

/// A task and its payload, as the journal keeps them.
#[derive(Debug, Clone)]
pub struct Entry {
    pub task: Task,
    pub payload: Option<Bytes>,
}

impl Journal {
    /// Opens the journal in `path`, making it if there is none and `epoch` is `None`: no epoch was ever begun.
    /// Answers the records of `epoch`, too.
    pub fn open(path: &Path, epoch: Option<u32>) -> Result<(Self, Vec<Entry>)> {
        let mut file = match File::options().read(true).write(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound && epoch.is_none() => File::create_new(path)?,
            Err(error) => return Err(error),
        };
        let Some(epoch) = epoch else {
            // Zeros now, so that later syncs change no length and no allocation.
            file.write_all(&head())?;
            file.write_all(&vec![0; usize_of(SIZE - HEAD)])?;
            file.set_len(SIZE)?;
            file.sync_all()?;
            sync_folder(path.parent().unwrap_or(path))?;
            return Ok((
                Self { file: File::options().read(true).write(true).open(path)?, epoch: 1, end: HEAD },
                Vec::new(),
            ));
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if bytes.len() as u64 != SIZE || !bytes.starts_with(MAGIC) {
            return Err(Error::new(ErrorKind::InvalidData, "the journal was damaged"));
        }
        let (entries, end) = records(&bytes, epoch)?;
        Ok((Self { file, epoch, end }, entries))
    }

    /// The epoch of the records.
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Writes `entries` and syncs them, or answers `false` when they don't fit.
    pub fn append(&mut self, entries: &[Entry]) -> Result<bool> {
        let room = SIZE - self.end;
        if entries.iter().map(|entry| entry.task.payload_bytes as u64).sum::<u64>() > room {
            return Ok(false);
        }
        let mut bytes = Vec::new();
        for entry in entries {
            write_record(&mut bytes, self.epoch, entry)?;
        }
        if bytes.len() as u64 > room {
            return Ok(false);
        }
        let written = self.file.write_all_at(&bytes, self.end).and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => self.end += bytes.len() as u64,
            // What the disk holds now is unknown: nothing more goes there in this epoch.
            Err(_) => self.end = SIZE,
        }
        written.map(|()| true)
    }

    /// Begins the epoch after this one; the queue's transaction that says so is committed.
    pub fn next_epoch(&mut self) {
        self.epoch += 1;
        self.end = HEAD;
    }

    /// Bytes on disk.
    pub fn size(&self) -> u64 {
        SIZE
    }
}

fn head() -> Vec<u8> {
    let mut head = MAGIC.to_vec();
    head.resize(usize_of(HEAD), 0);
    head
}

fn usize_of(size: u64) -> usize {
    usize::try_from(size).unwrap_or(usize::MAX)
}

/// Every whole record of `epoch` and the offset after the last. A torn one was never acknowledged.
fn records(bytes: &[u8], epoch: u32) -> Result<(Vec<Entry>, u64)> {
    let (mut entries, mut at) = (Vec::new(), usize_of(HEAD));
    while let Some((body, next)) = record(bytes, at, epoch) {
        let mut rest = body;
        let task_length = read_number::<4>(&mut rest).map_or(0, u32::from_le_bytes) as usize;
        let (task, rest) = rest.split_at_checked(task_length).ok_or(ErrorKind::InvalidData)?;
        let task: Task = serde_json::from_slice(task)?;
        let (has_payload, payload) = rest.split_first().ok_or(ErrorKind::InvalidData)?;
        entries.push(Entry { task, payload: (*has_payload == 1).then(|| Bytes::copy_from_slice(payload)) });
        at = next;
    }
    Ok((entries, at as u64))
}

fn record(bytes: &[u8], at: usize, epoch: u32) -> Option<(&[u8], usize)> {
    let mut rest = bytes.get(at..)?;
    let length = u32::from_le_bytes(read_number(&mut rest)?) as usize;
    let of = u64::from_le_bytes(read_number(&mut rest)?);
    let known: [u8; 8] = read_number(&mut rest)?;
    let body = rest.get(..length)?;
    (length > 0 && of == u64::from(epoch) && digest(epoch, body) == known).then_some((body, at + RECORD_HEAD + length))
}

fn read_number<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (number, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(*number)
}

fn write_record(out: &mut Vec<u8>, epoch: u32, entry: &Entry) -> Result<()> {
    let task = serde_json::to_vec(&entry.task)?;
    let mut body = Vec::with_capacity(task.len() + 5 + entry.payload.as_ref().map_or(0, Bytes::len));
    body.extend_from_slice(&length(task.len())?.to_le_bytes());
    body.extend_from_slice(&task);
    body.push(u8::from(entry.payload.is_some()));
    body.extend_from_slice(entry.payload.as_deref().unwrap_or_default());
    out.extend_from_slice(&length(body.len())?.to_le_bytes());
    out.extend_from_slice(&u64::from(epoch).to_le_bytes());
    out.extend_from_slice(&digest(epoch, &body));
    out.extend_from_slice(&body);
    Ok(())
}

fn length(length: usize) -> Result<u32> {
    u32::try_from(length).map_err(|_| ErrorKind::InvalidInput.into())
}

fn digest(epoch: u32, body: &[u8]) -> [u8; 8] {
    let whole = Sha256::new().chain_update(epoch.to_le_bytes()).chain_update(body).finalize();
    let mut digest = [0; 8];
    digest.copy_from_slice(&whole[..8]);
    digest
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
