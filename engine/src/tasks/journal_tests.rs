use time::OffsetDateTime;

use super::super::{Kind, Status};
use super::*;

fn entry(uid: u32, payload: Option<usize>) -> Entry {
    let task = Task {
        uid,
        batch_uid: None,
        index_uid: Some("films".into()),
        status: Status::Enqueued,
        kind: Kind::DocumentClear { deleted: None },
        canceled_by: None,
        error: None,
        enqueued_at: OffsetDateTime::UNIX_EPOCH,
        started_at: None,
        finished_at: None,
        payload_bytes: payload.unwrap_or(0),
    };
    Entry { task, payload: payload.map(|length| Bytes::from(vec![7; length])) }
}

fn uids(entries: &[Entry]) -> Vec<u32> {
    entries.iter().map(|entry| entry.task.uid).collect()
}

#[test]
fn records_come_back_in_order_and_end_with_their_epoch() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let (mut journal, found) = Journal::open(&path, None).unwrap();
    assert!(found.is_empty());
    assert!(journal.append(&[entry(0, None), entry(1, Some(300))]).unwrap());
    assert!(journal.append(&[entry(2, Some(0))]).unwrap());
    let (_, found) = Journal::open(&path, Some(1)).unwrap();
    assert_eq!(uids(&found), [0, 1, 2]);
    let lengths: Vec<_> = found.iter().map(|e| e.payload.as_ref().map(Bytes::len)).collect();
    assert_eq!(lengths, [None, Some(300), Some(0)]);

    journal.next_epoch();
    assert!(Journal::open(&path, Some(2)).unwrap().1.is_empty());
    assert!(journal.append(&[entry(3, Some(10))]).unwrap());
    // What follows is left over from the epoch before.
    let (mut journal, found) = Journal::open(&path, Some(2)).unwrap();
    assert_eq!(uids(&found), [3]);
    assert!(journal.append(&[entry(4, None)]).unwrap());
    assert_eq!(uids(&Journal::open(&path, Some(2)).unwrap().1), [3, 4]);
}

#[test]
fn a_torn_record_ends_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let (mut journal, _) = Journal::open(&path, None).unwrap();
    assert!(journal.append(&[entry(0, Some(50))]).unwrap());
    let first_ends = journal.end;
    assert!(journal.append(&[entry(1, Some(5000))]).unwrap());
    for torn_at in [first_ends + 2, first_ends + 30, journal.end - 1] {
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[usize_of(torn_at)] ^= 1;
        let (found, end) = records(&bytes, 1).unwrap();
        assert_eq!((uids(&found), end), (vec![0], first_ends));
    }
}

#[test]
fn a_full_journal_takes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (mut journal, _) = Journal::open(&folder.path().join("journal"), None).unwrap();
    assert!(!journal.append(&[entry(0, Some(5 << 20))]).unwrap());
    for uid in 0..3 {
        assert!(journal.append(&[entry(uid, Some(1 << 20))]).unwrap());
    }
    assert!(!journal.append(&[entry(3, Some(1 << 20))]).unwrap());
    journal.next_epoch();
    assert!(journal.append(&[entry(3, Some(1 << 20))]).unwrap());
}

#[test]
fn a_damaged_or_missing_journal_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    assert_eq!(Journal::open(&path, Some(1)).err().unwrap().kind(), ErrorKind::NotFound);
    Journal::open(&path, None).unwrap();
    std::fs::write(&path, [1; 8192]).unwrap();
    assert_eq!(Journal::open(&path, Some(1)).err().unwrap().kind(), ErrorKind::InvalidData);
}
