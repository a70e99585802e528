//! Tasks: their form, lists, cancelation and deletion.

use meilisearch_sdk::errors::ErrorCode;
use meilisearch_sdk::tasks::{TasksCancelQuery, TasksDeleteQuery};
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::contract;
use crate::errors::expect;
use crate::fixture::{Fixture, code, keys};

contract!(tell_everything, are_listed, are_filtered_by_time, are_canceled, are_deleted, refuse_wrong_filters);

async fn tell_everything(f: Fixture) {
    let task = f.finished(&f.send("POST", "/indexes", &json!({ "uid": f.uid("a") }).to_string()).await).await;
    let order = [
        "uid",
        "batchUid",
        "indexUid",
        "status",
        "type",
        "canceledBy",
        "details",
        "error",
        "duration",
        "enqueuedAt",
        "startedAt",
        "finishedAt",
    ];
    assert_eq!(keys(&task), order);
    assert_eq!(
        (&task["indexUid"], &task["status"], &task["type"]),
        (&json!(f.uid("a")), &json!("succeeded"), &json!("indexCreation"))
    );
    assert_eq!(
        (&task["canceledBy"], &task["error"], &task["details"]),
        (&Value::Null, &Value::Null, &json!({ "primaryKey": null }))
    );
    let time = |name: &str| OffsetDateTime::parse(task[name].as_str().unwrap(), &Rfc3339).unwrap();
    assert!(time("enqueuedAt") <= time("startedAt") && time("startedAt") <= time("finishedAt"));
    let duration = task["duration"].as_str().unwrap();
    assert!(duration.starts_with("PT") && duration.ends_with('S'), "{duration}");
    let failed = f.finished(&f.call("DELETE", &format!("/indexes/{}", f.uid("none"))).await).await;
    let error = json!({
        "message": format!("Index `{}` not found.", f.uid("none")),
        "code": "index_not_found",
        "type": "invalid_request",
        "link": "https://docs.meilisearch.com/errors#index_not_found",
    });
    assert_eq!((&failed["status"], &failed["error"]), (&json!("failed"), &error));
    let missing = f.call("GET", "/tasks/4000000000").await;
    expect(&missing, 404, "task_not_found", "Task `4000000000` not found.");
    let wrong = f.call("GET", "/tasks/doggo").await;
    let message = "Task uid `doggo` is invalid. It should only contain numeric characters.";
    expect(&wrong, 400, "invalid_task_uids", message);
}

/// The path of a list of the test's own tasks.
fn own(f: &Fixture, more: &str) -> String {
    format!("/tasks?indexUids={},{}{more}", f.uid("a"), f.uid("b"))
}

fn uids(list: &Value) -> Vec<u64> {
    list["results"].as_array().unwrap().iter().map(|task| task["uid"].as_u64().unwrap()).collect()
}

async fn are_listed(f: Fixture) {
    let (a, b) = (f.index("a"), f.index("b"));
    for id in 0..5 {
        f.done(a.add_documents(&[json!({ "id": id })], Some("id")).await).await;
    }
    f.done(b.add_documents(&[json!({ "id": 1 })], Some("id")).await).await;
    f.failed(f.client.create_index(&a.uid, None).await).await;
    let list = async |more: &str| f.call("GET", &own(&f, more)).await.body;
    let all = list("").await;
    assert_eq!(keys(&all), ["results", "total", "limit", "from", "next"]);
    let newest_first = uids(&all);
    assert!(newest_first.is_sorted_by(|a, b| a > b) && newest_first.len() == 7, "{all}");
    assert_eq!((&all["total"], &all["limit"], &all["next"]), (&json!(7), &json!(20), &Value::Null));
    assert_eq!(all["from"], newest_first[0]);
    let page = list(&format!("&limit=2&from={}", newest_first[3])).await;
    assert_eq!(uids(&page), newest_first[3..5]);
    assert_eq!((&page["total"], &page["next"]), (&json!(7), &json!(newest_first[5])));
    let oldest_first: Vec<u64> = newest_first.iter().rev().copied().collect();
    let reversed = list(&format!("&limit=2&reverse=true&from={}", oldest_first[1])).await;
    assert_eq!((uids(&reversed), &reversed["next"]), (oldest_first[1..3].to_vec(), &json!(oldest_first[3])));
    assert_eq!(uids(&list("&statuses=failed").await), newest_first[..1]);
    assert_eq!(uids(&list("&statuses=failed,succeeded&types=indexCreation").await), newest_first[..1]);
    assert_eq!(list("&types=documentAdditionOrUpdate").await["total"], 6);
    assert_eq!(list("&types=dumpCreation").await["total"], 0);
    assert_eq!(list("&statuses=*&types=*&uids=*&canceledBy=*&afterEnqueuedAt=*").await["total"], 7);
    let some = format!("&uids={},{}", newest_first[2], newest_first[6]);
    assert_eq!(uids(&list(&some).await), [newest_first[2], newest_first[6]]);
    let nothing = list("&limit=0").await;
    assert_eq!((uids(&nothing).len(), &nothing["total"]), (0, &json!(7)));
}

async fn are_filtered_by_time(f: Fixture) {
    let a = f.index("a");
    f.done(a.add_documents(&[json!({ "id": 1 })], Some("id")).await).await;
    f.done(a.add_documents(&[json!({ "id": 2 })], Some("id")).await).await;
    let list = async |more: String| f.call("GET", &own(&f, &more)).await.body;
    let all = list(String::new()).await;
    let escape = |time: &Value| time.as_str().unwrap().replace('+', "%2B");
    for (before, after, time) in [
        ("beforeEnqueuedAt", "afterEnqueuedAt", "enqueuedAt"),
        ("beforeStartedAt", "afterStartedAt", "startedAt"),
        ("beforeFinishedAt", "afterFinishedAt", "finishedAt"),
    ] {
        let (second, first) = (&all["results"][0][time], &all["results"][1][time]);
        assert_eq!(uids(&list(format!("&{before}={}", escape(second))).await), uids(&all)[1..], "{before}");
        assert_eq!(uids(&list(format!("&{after}={}", escape(first))).await), uids(&all)[..1], "{after}");
        assert_eq!(list(format!("&{after}=2001-01-01&{before}=2999-12-31")).await["total"], 2);
        // "After" a day means after all of it.
        let day = &first.as_str().unwrap()[..10];
        assert_eq!(list(format!("&{after}={day}")).await["total"], 0);
    }
}

/// Canceled tasks either ran before or left no trace; nothing is lost in between.
async fn are_canceled(f: Fixture) {
    let index = f.index("a");
    let documents =
        |from: u32| (from..from + 400).map(|id| json!({ "id": id, "text": format!("words {id}") })).collect::<Vec<_>>();
    let mut tasks = Vec::new();
    for batch in 0..20 {
        tasks.push(index.add_documents(&documents(batch * 400), Some("id")).await.unwrap().get_task_uid());
    }
    let path = format!("/tasks/cancel?indexUids={}", index.uid);
    let accepted = f.call("POST", &path).await;
    assert_eq!((accepted.status, &accepted.body["type"]), (200, &json!("taskCancelation")));
    let cancelation = f.finished(&accepted).await;
    let details = &cancelation["details"];
    assert_eq!((&details["matchedTasks"], &details["originalFilter"]), (&json!(20), &json!(path[13..])), "{details}");
    let (mut indexed, mut canceled) = (0, 0);
    for task in tasks {
        let task = f.call("GET", &format!("/tasks/{task}")).await.body;
        match task["status"].as_str() {
            Some("succeeded") => indexed += 400,
            Some("canceled") => {
                canceled += 1;
                assert_eq!(task["canceledBy"], cancelation["uid"]);
                assert_eq!(task["details"], json!({ "receivedDocuments": 400, "indexedDocuments": 0 }));
            }
            _ => panic!("{task}"),
        }
    }
    assert_eq!(details["canceledTasks"], canceled);
    let by = f.call("GET", &format!("/tasks?canceledBy={}", cancelation["uid"])).await.body;
    assert_eq!(by["total"], canceled);
    let stored = index.get_stats().await.map_or(0, |stats| stats.number_of_documents);
    assert_eq!(stored, indexed);
    let unfiltered = TasksCancelQuery::new(&f.client);
    assert_eq!(code(f.client.cancel_tasks_with(&unfiltered).await), ErrorCode::MissingTaskFilters);
}

async fn are_deleted(f: Fixture) {
    let first = f.client.create_index(f.uid("a"), None).await.unwrap();
    f.wait(first.clone()).await;
    f.done(f.client.create_index(f.uid("b"), None).await).await;
    f.done(f.client.create_index(f.uid("c"), None).await).await;
    let accepted = f.call("DELETE", &own(&f, "")).await;
    assert_eq!((accepted.status, &accepted.body["type"]), (200, &json!("taskDeletion")));
    let details = f.finished(&accepted).await["details"].clone();
    assert_eq!((&details["matchedTasks"], &details["deletedTasks"]), (&json!(2), &json!(2)));
    assert_eq!(f.call("GET", &own(&f, "")).await.body["total"], 0);
    assert_eq!(f.call("GET", &format!("/tasks?indexUids={}", f.uid("c"))).await.body["total"], 1);
    assert_eq!(code(f.client.get_task(first).await), ErrorCode::TaskNotFound);
    let unfiltered = TasksDeleteQuery::new(&f.client);
    assert_eq!(code(f.client.delete_tasks_with(&unfiltered).await), ErrorCode::MissingTaskFilters);
}

async fn refuse_wrong_filters(f: Fixture) {
    let number = |name: &str, text: &str| {
        format!("Invalid value in parameter `{name}`: could not parse `{text}` as a positive integer")
    };
    let time = |name: &str| {
        format!(
            "Invalid value in parameter `{name}`: `doggo` is an invalid date-time. It should follow the YYYY-MM-DD or RFC \
             3339 date-time format."
        )
    };
    let kinds = "Invalid value in parameter `types`: `doggo` is not a valid task type. Available types are \
                 `documentAdditionOrUpdate`, …";
    let statuses = "Invalid value in parameter `statuses`: `doggo` is not a valid task status. Available statuses are \
                    `enqueued`, `processing`, `succeeded`, `failed`, `canceled`.";
    let cases = [
        ("uids=doggo", "invalid_task_uids", number("uids", "doggo")),
        ("uids=1,dogo", "invalid_task_uids", number("uids[1]", "dogo")),
        ("batchUids=doggo", "invalid_batch_uids", number("batchUids", "doggo")),
        ("canceledBy=doggo", "invalid_task_canceled_by", number("canceledBy", "doggo")),
        ("types=doggo", "invalid_task_types", kinds.to_owned()),
        ("statuses=doggo", "invalid_task_statuses", statuses.to_owned()),
        (
            "indexUids=the%20dog",
            "invalid_index_uid",
            "Invalid value in parameter `indexUids`: `the dog` is not a valid index uid. …".to_owned(),
        ),
        ("afterEnqueuedAt=doggo", "invalid_task_after_enqueued_at", time("afterEnqueuedAt")),
        ("beforeStartedAt=doggo", "invalid_task_before_started_at", time("beforeStartedAt")),
        ("afterFinishedAt=doggo", "invalid_task_after_finished_at", time("afterFinishedAt")),
    ];
    for (query, code, message) in cases {
        for (method, path) in [("GET", "/tasks"), ("POST", "/tasks/cancel"), ("DELETE", "/tasks")] {
            expect(&f.call(method, &format!("{path}?{query}")).await, 400, code, &message);
        }
    }
    expect(&f.call("GET", "/tasks?limit=doggo").await, 400, "invalid_task_limit", &number("limit", "doggo"));
    expect(&f.call("GET", "/tasks?from=doggo").await, 400, "invalid_task_from", &number("from", "doggo"));
    let reverse =
        "Invalid value in parameter `reverse`: could not parse `doggo` as a boolean, expected either `true` or `false`";
    expect(&f.call("GET", "/tasks?reverse=doggo").await, 400, "invalid_task_reverse", reverse);
    expect(
        &f.call("GET", "/tasks?doggo=1").await,
        400,
        "bad_request",
        "Unknown parameter `doggo`: expected one of `limit`, …",
    );
    expect(
        &f.call("DELETE", "/tasks?limit=1").await,
        400,
        "bad_request",
        "Unknown parameter `limit`: expected one of `uids`, …",
    );
}
