//! Tasks about tasks.

use super::super::queue::Running;
use super::super::{Kind, Status, Task, TaskId};
use super::Writer;
use crate::index::failure::Failure;

impl Writer {
    /// Marks every still waiting task of the list as canceled; they are recorded with the cancelation itself.
    pub(super) fn cancel(&self, running: &Running, tasks: &mut Vec<Task>) -> Result<(), Failure> {
        let Some(Task { uid: canceler, kind: Kind::TaskCancelation { uids, canceled, .. }, .. }) = tasks.first_mut()
        else {
            return Ok(());
        };
        let canceler = *canceler;
        let now = self.queue.read()?;
        let mut doomed = Vec::new();
        for uid in uids.iter().filter(|uid| !running.uids.contains(uid)) {
            if let Some(mut task) = self.queue.task(&now, *uid)?.filter(|task| task.status == Status::Enqueued) {
                task.status = Status::Canceled;
                task.canceled_by = Some(canceler);
                task.kind.nothing_done();
                doomed.push(task);
            }
        }
        *canceled = Some(doomed.len() as u64);
        tasks.extend(doomed);
        Ok(())
    }

    /// Which of `uids` are tasks that are done.
    pub(super) fn finished(&self, uids: &[TaskId]) -> Result<Vec<TaskId>, Failure> {
        let now = self.queue.read()?;
        let mut finished = Vec::new();
        for uid in uids {
            if self.queue.task(&now, *uid)?.is_some_and(|task| task.status.is_final()) {
                finished.push(*uid);
            }
        }
        Ok(finished)
    }
}
