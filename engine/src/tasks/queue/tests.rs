use std::time::Duration;

use super::super::batch::Limits;
use super::super::{Kind, NewTask, Status, Task, TaskId};
use super::*;

const LIMITS: Limits = Limits { tasks: 100, documents: 1000, bytes: 1 << 20 };

fn open(folder: &Path, history: usize) -> Queue {
    let caps = Caps { waiting_tasks: 1000, waiting_bytes: 100 << 20, history };
    Queue::open(folder, 256 << 20, 16, caps).unwrap()
}

fn deletion(payload: usize) -> NewTask {
    NewTask {
        index_uid: Some("films".into()),
        kind: Kind::DocumentDeletion { provided: 1, deleted: None },
        payload: Some(vec![b'x'; payload].into()),
    }
}

fn add(queue: &Queue, payloads: &[usize]) -> Vec<Task> {
    queue.accept(payloads.iter().copied().map(deletion).collect()).into_iter().map(Result::unwrap).collect()
}

fn done(task: &Task) -> Task {
    Task { status: Status::Succeeded, ..task.clone() }
}

fn listed(queue: &Queue, oldest_first: bool) -> Vec<(TaskId, Status)> {
    let now = queue.read().unwrap();
    let tasks: Vec<_> = queue.all(&now, oldest_first).unwrap().map(Result::unwrap).map(|t| (t.uid, t.status)).collect();
    assert_eq!(queue.len(&now).unwrap(), tasks.len() as u64);
    tasks
}

#[test]
fn list_contains_waiting_and_finished_tasks() {
    use Status::{Enqueued, Succeeded};
    let folder = tempfile::tempdir().unwrap();
    let queue = open(folder.path(), 1000);
    let tasks = add(&queue, &[10, 10, 10, 10]);
    queue.finish(&[done(&tasks[1]), done(&tasks[3])], |_, _| Ok(())).unwrap();
    let expected = [(0, Enqueued), (1, Succeeded), (2, Enqueued), (3, Succeeded)];
    assert_eq!(listed(&queue, true), expected);
    assert_eq!(listed(&queue, false), expected.into_iter().rev().collect::<Vec<_>>());
    queue.close();
    drop(queue);

    let queue = open(folder.path(), 1000);
    assert_eq!(listed(&queue, true), expected);
    assert_eq!(lock(&queue.state).waiting.iter().map(|task| task.uid).collect::<Vec<_>>(), [0, 2]);
    assert_eq!(add(&queue, &[1])[0].uid, 4);
    let Work::Batch(_, batch) = queue.next_work(LIMITS, None) else { panic!("there is work") };
    assert_eq!(batch.iter().map(|task| task.uid).collect::<Vec<_>>(), [0, 2, 4]);
}

#[test]
fn pruned_task_numbers_are_not_reused() {
    let folder = tempfile::tempdir().unwrap();
    let queue = open(folder.path(), 10);
    let tasks = add(&queue, &[1; 3]);
    queue.finish(&[done(&tasks[0]), done(&tasks[1])], |_, _| Ok(())).unwrap();
    let more = add(&queue, &[1; 12]);
    queue.finish(&more.iter().map(done).collect::<Vec<_>>(), |_, _| Ok(())).unwrap();
    let before = listed(&queue, true);
    assert_eq!((before.len(), before[0]), (11, (2, Status::Enqueued)));
    queue.close();
    drop(queue);

    let queue = open(folder.path(), 10);
    assert_eq!(listed(&queue, true), before);
    assert_eq!(add(&queue, &[1])[0].uid, 15);
}

#[test]
fn concurrent_tasks_are_accepted_while_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let caps = Caps { waiting_tasks: 1000, waiting_bytes: 100 << 20, history: 1000 };
    let queue = Queue::open(folder.path(), 8 << 20, 16, caps).unwrap();
    let answers = queue.accept((0..40).map(|_| deletion(1 << 20)).collect());
    let taken: Vec<_> = answers.iter().flatten().map(|task| task.uid).collect();
    assert!(taken.len() > 1 && taken.len() < 8, "{taken:?}");
    assert_eq!(taken, (0..).take(taken.len()).collect::<Vec<TaskId>>());
    assert!(answers.iter().all(|answer| matches!(answer, Ok(_) | Err(TaskRefusal::Store(_)))));
    assert_eq!(listed(&queue, true).len(), taken.len());
    assert_eq!(add(&queue, &[10])[0].uid, TaskId::try_from(taken.len()).unwrap());
}

#[test]
fn space_freed_by_last_outcome_is_reused() {
    let folder = tempfile::tempdir().unwrap();
    let caps = Caps { waiting_tasks: 1000, waiting_bytes: 100 << 20, history: 1000 };
    let queue = Queue::open(folder.path(), 8 << 20, 16, caps).unwrap();
    for _ in 0..3 {
        let answers = queue.accept((0..40).map(|_| deletion(1 << 20)).collect());
        let taken: Vec<_> = answers.into_iter().flatten().collect();
        assert!(taken.len() > 1, "{} were taken", taken.len());
        queue.finish(&taken.iter().map(done).collect::<Vec<_>>(), |_, _| Ok(())).unwrap();
    }
}

#[test]
fn lone_task_starts_at_once_and_burst_is_gathered() {
    let folder = tempfile::tempdir().unwrap();
    let queue = open(folder.path(), 1000);
    add(&queue, &[1]);
    assert!(lock(&queue.state).burst_at.is_none());
    let Work::Batch(_, batch) = queue.next_work(LIMITS, None) else { panic!("there is work") };
    assert_eq!(batch.len(), 1);
    add(&queue, &[1]);
    assert!(lock(&queue.state).burst_at.is_some());
    queue.finish(&[done(&batch[0])], |_, _| Ok(())).unwrap();

    let mut state = lock(&queue.state);
    let now = Instant::now();
    state.burst_at = Some(now);
    assert!(state.gathering(&[1], now).is_some());
    assert!(state.gathering(&[1], now.checked_sub(Duration::from_secs(1)).unwrap()).is_none(), "the wait is limited");
    state.waiting_bytes = 1 << 20;
    assert!(state.gathering(&[1], now).is_none(), "large batches don't wait");
    (state.waiting_bytes, state.burst_at) = (1, None);
    assert!(state.gathering(&[1], now).is_none());
}
