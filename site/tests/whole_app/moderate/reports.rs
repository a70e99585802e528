//! A decision on an object closes its reports.

use serde_json::json;

use super::decide::{QUEUE, inspect};
use crate::{
    report::send::{complain, no_captcha},
    support::App,
};

const REPORTS: &str = "/api/moderate/reports";

#[tokio::test]
async fn rejection_closes_all_reports_of_a_video_and_restores_it() {
    let app = App::configured(|config| {
        no_captcha(config);
        config.reports.trust_gain = 0;
    })
    .await;
    let nils = app.moderator("nils").await;
    for n in 0..4 {
        let member = app.proven(&format!("proven{n}"), n).await;
        assert_eq!(complain(&member, "video", "1", "illegal").await.status, 200);
        member.post(REPORTS, &[("id", "1"), ("verdict", "reject")]).await.refused(403, "dont_have_permission");
    }
    let is_queued = async || {
        let queue = nils.get(QUEUE).await.json();
        queue["uploads"].as_array().unwrap().iter().any(|row| row["section"] == "video" && row["id"] == 1)
    };
    assert!(is_queued().await, "a video hidden by reports is queued");
    let seen = inspect(&nils, 1).await;
    assert_eq!(seen["reports"].as_array().unwrap().len(), 4);
    let id = seen["reports"][2]["id"].to_string();
    nils.post(REPORTS, &[("verdict", "reject")]).await.refused(422, "required");
    let form = [("id", id.as_str()), ("verdict", "reject"), ("note", "Nothing of the kind")];
    assert_eq!(nils.post(REPORTS, &form).await.json(), json!({ "reports": 4, "restored": true }));
    nils.post(REPORTS, &form).await.refused(404, "report_not_found");
    assert!(!is_queued().await);
    let seen = inspect(&nils, 1).await;
    assert_eq!((&seen["status_id"], seen["reports"].as_array().unwrap().len()), (&json!(1), 0));
    let decision = &seen["decisions"][0];
    assert_eq!((&decision["actor"], &decision["act"]), (&json!("nils"), &json!("reject reports")), "{decision}");
    assert_eq!(decision["details"]["note"], "Nothing of the kind");
    assert_eq!(nils.get("/api/me.php").await.json()["user"]["is_moderator"], true);
    app.drain().await;
    app.finish().await;
}
