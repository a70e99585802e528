//! Compares the reports of killed processes with the state found afterwards.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::model::Model;
use super::op::Op;
use crate::support::Raw;

#[derive(Default)]
pub struct Witness {
    /// Writes that were acknowledged but not yet checked.
    acknowledged: BTreeMap<u64, Op>,
    /// Writes that were sent but not answered, with the lifetime of their process. They may or may not be stored.
    open: Vec<(Range<OffsetDateTime>, Op)>,
    model: Model,
    /// The first task that is not yet checked.
    next: u64,
    found_unanswered: u64,
    found_waiting: u64,
    checks: u64,
}

impl Witness {
    /// Records the output of a process.
    pub fn record(&mut self, lines: &[String], lived: Range<OffsetDateTime>) {
        let mut tried: BTreeMap<&str, Op> = BTreeMap::new();
        for line in lines {
            let words: Vec<&str> = line.splitn(3, ' ').collect();
            match words[..] {
                // A line cut off by the kill isn't valid JSON. Its request was never sent.
                ["TRY", number, op] => tried.extend(serde_json::from_str(op).ok().map(|op| (number, op))),
                ["ACK", number, uid] => {
                    let op = tried.remove(number).unwrap();
                    assert!(
                        self.acknowledged.insert(uid.parse().unwrap(), op).is_none(),
                        "task {uid} was assigned twice"
                    );
                }
                ["NO", number] => drop(tried.remove(number)),
                // Lines of the test harness.
                _ => {}
            }
        }
        self.open.extend(tried.into_values().map(|op| (lived.clone(), op)));
    }

    /// Checks the tasks, waits until they are done, and compares the indexes.
    pub async fn check(&mut self, raw: &Raw) {
        self.checks += 1;
        let listed = self.listed(raw).await;
        for (uid, op) in &self.acknowledged {
            assert!(listed.iter().any(|task| task["uid"] == *uid), "acknowledged task {uid} is lost: {op:?}");
        }
        for (at, task) in listed.iter().enumerate() {
            let uid = task["uid"].as_u64().unwrap();
            assert_eq!(uid, self.next, "tasks are numbered without gaps");
            self.next += 1;
            self.found_waiting += u64::from(task["status"] == "enqueued" || task["status"] == "processing");
            let op = self.acknowledged.remove(&uid).unwrap_or_else(|| self.unanswered(task, sent_to(&listed, at)));
            let done = raw.finished(uid).await;
            let before = self.model.documents();
            let status = if self.model.apply(&op) { "succeeded" } else { "failed" };
            assert_eq!(done["status"], status, "{op:?}: {done}");
            if matches!(op, Op::DeleteBelow { .. } | Op::Clear { .. } | Op::Drop { .. }) {
                assert_eq!(done["details"]["deletedDocuments"], before - self.model.documents(), "{op:?}: {done}");
            }
        }
        // Requests that are not listed by now never will be.
        self.open.clear();
        self.model.compare(raw).await;
    }

    /// Returns the unanswered write that matches `task`. Each writer has at most one in the lifetime of its process.
    fn unanswered(&mut self, task: &Value, index: Option<&str>) -> Op {
        let enqueued_at = OffsetDateTime::parse(task["enqueuedAt"].as_str().unwrap(), &Rfc3339).unwrap();
        let fits =
            |(lived, op): &(Range<_>, Op)| lived.contains(&enqueued_at) && op.index() == index && op.may_be(task);
        let known = self.open.iter().position(fits);
        self.found_unanswered += 1;
        self.open.swap_remove(known.unwrap_or_else(|| panic!("unknown task {task}: {:?}", self.open))).1
    }

    /// Lists the tasks from the first unchecked one.
    async fn listed(&self, raw: &Raw) -> Vec<Value> {
        let page = raw.get(&format!("/tasks?reverse=true&from={}&limit=1000000", self.next)).await;
        page["results"].as_array().unwrap().clone()
    }

    /// Returns the number of compared tasks.
    pub fn verified(&self) -> u64 {
        self.next
    }

    pub fn summary(&self) -> String {
        format!(
            "{} tasks compared in {} checks, {} of them were waiting after a kill, {} had no response; {} documents at the end",
            self.next,
            self.checks,
            self.found_waiting,
            self.found_unanswered,
            self.model.documents()
        )
    }
}

/// Returns the index that a listed task was sent to. Tasks finished before a swap now have the other name.
fn sent_to(listed: &[Value], at: usize) -> Option<&str> {
    let swaps = |task: &&Value| task["type"] == "indexSwap" && task["status"] == "succeeded";
    let mut name = listed[at]["indexUid"].as_str()?;
    for swap in listed[at + 1..].iter().rev().filter(swaps) {
        let pair = [0, 1].map(|side| swap["details"]["swaps"][0]["indexes"][side].as_str().unwrap());
        name = if name == pair[0] {
            pair[1]
        } else if name == pair[1] {
            pair[0]
        } else {
            name
        };
    }
    Some(name)
}
