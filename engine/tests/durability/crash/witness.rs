//! What the killed processes told, against what is found afterwards.

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
    /// Acknowledged and not yet looked at.
    acknowledged: BTreeMap<u64, Op>,
    /// Sent, without an answer: these may be there. With the time when their process lived.
    open: Vec<(Range<OffsetDateTime>, Op)>,
    model: Model,
    /// The first task not looked at.
    next: u64,
    found_unanswered: u64,
    found_waiting: u64,
    looks: u64,
}

impl Witness {
    /// Takes down what a process told.
    pub fn hear(&mut self, lines: &[String], lived: Range<OffsetDateTime>) {
        let mut tried: BTreeMap<&str, Op> = BTreeMap::new();
        for line in lines {
            let words: Vec<&str> = line.splitn(3, ' ').collect();
            match words[..] {
                // A line torn by the kill is no JSON: that request was never sent.
                ["TRY", number, op] => tried.extend(serde_json::from_str(op).ok().map(|op| (number, op))),
                ["ACK", number, uid] => {
                    let op = tried.remove(number).unwrap();
                    assert!(
                        self.acknowledged.insert(uid.parse().unwrap(), op).is_none(),
                        "task {uid} was given out twice"
                    );
                }
                ["NO", number] => drop(tried.remove(number)),
                // The test harness's own lines.
                _ => {}
            }
        }
        self.open.extend(tried.into_values().map(|op| (lived.clone(), op)));
    }

    /// Checks the tasks, waits until they are done, and compares the indexes.
    pub async fn check(&mut self, raw: &Raw) {
        self.looks += 1;
        let listed = self.listed(raw).await;
        for (uid, op) in &self.acknowledged {
            assert!(listed.iter().any(|task| task["uid"] == *uid), "the acknowledged task {uid} is lost: {op:?}");
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
        // What was sent and isn't listed by now never will be.
        self.open.clear();
        self.model.compare(raw).await;
    }

    /// The sent, unanswered write that `task` is: a writer has one at most in the life of its process.
    fn unanswered(&mut self, task: &Value, index: Option<&str>) -> Op {
        let came = OffsetDateTime::parse(task["enqueuedAt"].as_str().unwrap(), &Rfc3339).unwrap();
        let fits = |(lived, op): &(Range<_>, Op)| lived.contains(&came) && op.index() == index && op.may_be(task);
        let known = self.open.iter().position(fits);
        self.found_unanswered += 1;
        self.open.swap_remove(known.unwrap_or_else(|| panic!("nobody sent {task}: {:?}", self.open))).1
    }

    /// The tasks from the first not looked at on.
    async fn listed(&self, raw: &Raw) -> Vec<Value> {
        let page = raw.get(&format!("/tasks?reverse=true&from={}&limit=1000000", self.next)).await;
        page["results"].as_array().unwrap().clone()
    }

    /// How many tasks were compared.
    pub fn verified(&self) -> u64 {
        self.next
    }

    pub fn summary(&self) -> String {
        format!(
            "{} tasks compared in {} looks, {} of them were waiting after a kill, {} had no answer; {} documents at the end",
            self.next,
            self.looks,
            self.found_waiting,
            self.found_unanswered,
            self.model.documents()
        )
    }
}

/// The index that a task of the list was sent to: those that were done before a swap have the other name since.
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
