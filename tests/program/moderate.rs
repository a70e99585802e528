//! Moderation from the command line while Lantern is running.

use serde_json::json;

use crate::{database, lantern, run, stop, up};

#[tokio::test(flavor = "multi_thread")]
async fn pending_uploads_are_listed_and_decided_once() {
    let folder = tempfile::tempdir().unwrap();
    let child = up(folder.path());
    let pool = database(folder.path()).await;
    let waits = "update videos set status_id = in_review() where id = (select min(id) from videos where status_id = published()) returning id";
    let video: i64 = sqlx::query_scalar(waits).fetch_one(&pool).await.unwrap();
    let id = video.to_string();
    let other: i64 = sqlx::query_scalar(
        "with other as (select max(id) as id from videos where status_id = published()),
              seen as (insert into fingerprints (video_id, seconds, frames) select id, 9, array_fill(0::bigint, array[10]) from other)
         insert into likenesses (video_id, other_id, distance) select $1, id, 2 from other returning other_id",
    )
    .bind(video)
    .fetch_one(&pool)
    .await
    .unwrap();
    let moderate = |words: &[&str]| run(lantern(folder.path()).arg("moderate").args(words));

    let (output, text) = moderate(&["list"]);
    assert!(output.status.success(), "{text}");
    let listed = String::from_utf8(output.stdout).unwrap();
    let line = listed.lines().next().unwrap();
    assert!(line.starts_with(&format!("video\t{id}\t")) && line.contains(&format!("\tlike {other}\t")), "{listed}");
    let (output, text) = moderate(&["list", "--json"]);
    assert!(output.status.success(), "{text}");
    let rows = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<serde_json::Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let row = rows.iter().find(|row| row["id"] == video).unwrap();
    assert_eq!((&row["like"], &row["like_banned"]), (&json!([other]), &json!([])), "{row}");
    let revision = row["revision"].to_string();
    // An upload with a prohibited term is listed first, even if it is the latest one.
    let term = lantern_config::Config::default().safety.prohibited_terms[0].clone();
    let sql = "update videos set status_id = in_review(), title = $1 where id = (select id from videos where status_id = published() order by id desc offset 1 limit 1) returning id";
    let late: i64 = sqlx::query_scalar(sql).bind(term).fetch_one(&pool).await.unwrap();
    let (output, text) = moderate(&["list", "--json", "--limit", "1"]);
    assert!(output.status.success(), "{text}");
    let first: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&first["id"], &first["has_terms"], &row["has_terms"]), (&json!(late), &json!(true), &json!(false)));
    let (output, text) = moderate(&["approve", "video", &id, "--revision", "99"]);
    assert!(!output.status.success() && text.contains("review it again"), "{text}");
    let (output, text) = moderate(&["approve", "video", &id, "--nobody", "--revision", &revision]);
    assert!(output.status.success(), "{text}");
    let status = "select status_id from videos where id = $1";
    assert_eq!(sqlx::query_scalar::<_, i16>(status).bind(video).fetch_one(&pool).await.unwrap(), 1);
    let (output, text) = moderate(&["reject", "video", &id, "--reason", "boredom"]);
    assert!(
        !output.status.success() && text.contains("unknown reason \"boredom\"; known are wrong_details, quality"),
        "{text}"
    );
    let (output, text) = moderate(&["reject", "video", &id, "--reason", "quality"]);
    assert!(!output.status.success());
    assert_eq!(text.trim(), format!("lantern: video {id} is not pending"));

    // A video that justified reports have hidden stays hidden until the operator explicitly shows it.
    let hide = "with hidden as (update videos set status_id = in_review() where id = $1)
                insert into report_hides (section, object_id, before) values ('video', $1, '1')";
    sqlx::query(hide).bind(video).execute(&pool).await.unwrap();
    let report = "insert into reports (subject, email, message, section, object_id) values ('', 'a@b.example', 'Look', 'video', $1)
                  returning id";
    let report: i64 = sqlx::query_scalar(report).bind(video).fetch_one(&pool).await.unwrap();
    let (output, text) = moderate(&["reports", "resolve", &report.to_string()]);
    assert!(output.status.success(), "{text}");
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), "1 reports resolved; the object stays hidden");
    assert_eq!(sqlx::query_scalar::<_, i16>(status).bind(video).fetch_one(&pool).await.unwrap(), 2);
    let (output, text) = moderate(&["show", "video", &id]);
    assert!(output.status.success(), "{text}");
    assert_eq!(sqlx::query_scalar::<_, i16>(status).bind(video).fetch_one(&pool).await.unwrap(), 1);
    let (output, text) = moderate(&["show", "video", &id]);
    assert!(!output.status.success());
    assert_eq!(text.trim(), format!("lantern: video {id} is not hidden by reports"));

    // The key of a moderator is shown only once.
    let (output, text) = moderate(&["staff", "add", "demo", "--json"]);
    assert!(output.status.success(), "{text}");
    let added: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(added["key"].as_str().unwrap().starts_with("otpauth://totp/Lantern:demo?secret="), "{added}");
    let (output, text) = moderate(&["staff", "add", "demo"]);
    assert!(!output.status.success() && text.contains("demo is already a moderator"), "{text}");
    let (output, text) = moderate(&["staff", "list"]);
    assert!(output.status.success(), "{text}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("has not signed in yet"));
    let (output, text) = moderate(&["staff", "renew", "demo"]);
    assert!(output.status.success(), "{text}");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains('█') && shown.contains("otpauth://totp/"), "{shown}");
    let (output, text) = moderate(&["staff", "remove", "demo"]);
    assert!(output.status.success(), "{text}");

    // The moderation record contains all decisions.
    let (output, text) = moderate(&["audit", "--verify", "--json"]);
    assert!(output.status.success(), "{text}");
    let whole: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(whole["rows"], 6, "{whole}");
    let (output, text) = moderate(&["audit", "--verify", "--head", whole["head"].as_str().unwrap()]);
    assert!(output.status.success(), "{text}");
    let (output, text) = moderate(&["audit", "--verify", "--head", "00"]);
    assert!(!output.status.success() && text.contains("doesn't contain --head"), "{text}");
    let (output, text) = moderate(&["audit"]);
    assert!(output.status.success(), "{text}");
    let acts = String::from_utf8(output.stdout).unwrap();
    let acts: Vec<&str> = acts.lines().map(|line| line.split('\t').nth(3).unwrap()).collect();
    assert_eq!(acts, ["revoke", "grant", "grant", "show again", "resolve reports", "approve"]);
    pool.close().await;
    stop(child);
}
