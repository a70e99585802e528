//! Tasks: format and lists.

use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::contract;
use crate::errors::expect;
use crate::fixture::{Fixture, keys};

contract!(have_all_members, are_listed, refuse_wrong_filters);

async fn have_all_members(f: Fixture) {
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

/// Returns the path that lists only this test's tasks.
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
    assert_eq!(list("&statuses=*&types=*&uids=*").await["total"], 7);
    let some = format!("&uids={},{}", newest_first[2], newest_first[6]);
    assert_eq!(uids(&list(&some).await), [newest_first[2], newest_first[6]]);
    let nothing = list("&limit=0").await;
    assert_eq!((uids(&nothing).len(), &nothing["total"]), (0, &json!(7)));
}

async fn refuse_wrong_filters(f: Fixture) {
    let number = |name: &str, text: &str| {
        format!("Invalid value in parameter `{name}`: could not parse `{text}` as a positive integer")
    };
    let kinds = "Invalid value in parameter `types`: `doggo` is not a valid task type. Available types are \
                 `documentAdditionOrUpdate`, …";
    let statuses = "Invalid value in parameter `statuses`: `doggo` is not a valid task status. Available statuses are \
                    `enqueued`, `processing`, `succeeded`, `failed`, `canceled`.";
    let cases = [
        ("uids=doggo", "invalid_task_uids", number("uids", "doggo")),
        ("uids=1,dogo", "invalid_task_uids", number("uids[1]", "dogo")),
        ("types=doggo", "invalid_task_types", kinds.to_owned()),
        ("statuses=doggo", "invalid_task_statuses", statuses.to_owned()),
        (
            "indexUids=the%20dog",
            "invalid_index_uid",
            "Invalid value in parameter `indexUids`: `the dog` is not a valid index uid. …".to_owned(),
        ),
    ];
    for (query, code, message) in cases {
        expect(&f.call("GET", &format!("/tasks?{query}")).await, 400, code, &message);
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
}
