//! `/explain`, which explains the ranking of each result to operators.

use serde_json::{Value, json};

use crate::support::{App, video_ids};

async fn explained(app: &App, text: &str) -> Value {
    let path = format!("/explain?params=86400/str/relevance/100/search..1.all.all.all&s={text}&lang=en");
    let reply = app.watch(&path).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

/// Returns the explanations after checking that they are in the order of the page.
fn why(answer: &Value) -> &[Value] {
    let why = answer["why"].as_array().unwrap();
    let ids: Vec<i64> = why.iter().map(|why| why["video_id"].as_i64().unwrap()).collect();
    assert_eq!(ids, video_ids(&answer["search"]), "one per video, in the order of the page");
    why
}

#[tokio::test]
async fn explains_each_result_by_ranking_rule() {
    let app = App::learned().await;
    let answer = explained(&app, "harbour").await;
    let why = why(&answer);
    assert!(!why.is_empty());
    let rules = |why: &Value| why["rules"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    for why in why {
        assert_eq!((&why["text"], &why["reading"]), (&json!("harbour"), &json!("harbour \"ǀ\"")), "{why}");
        assert_eq!(
            (&why["rules"]["words"]["order"], &why["rules"]["typo"]["typoCount"]),
            (&json!(0), &json!(0)),
            "{why}"
        );
        for rule in ["proximity", "exactness", "attribute", "viewed:desc"] {
            assert!(rules(why).contains(&rule.to_owned()), "{why}");
        }
    }
    let plan = answer["plan"].as_str().unwrap();
    assert!(plan.starts_with("harbour[=en:harbour"), "{plan}");
    let fields = why[0]["fields"].as_array().unwrap();
    assert!(fields.contains(&json!("*.en")) && !fields.contains(&json!("*.de")), "{fields:?}");
    app.finish().await;
}

#[tokio::test]
async fn explains_relaxed_results_by_the_query_used() {
    let app = App::learned().await;
    // First try a misspelled word, then two words that no video has both of.
    let slip = explained(&app, "harbuor").await;
    assert!(!why(&slip).is_empty() && why(&slip).iter().all(|why| why["text"] == "harbour"), "{slip}");
    let left = explained(&app, "harbour%20zzzzzz").await;
    assert_eq!(left["search"]["relaxed"], json!(["words"]));
    assert!(!why(&left).is_empty() && why(&left).iter().all(|why| why["text"] == "harbour"), "{left}");
    app.finish().await;
}

#[tokio::test]
async fn explanations_are_served_to_operators_only() {
    let app = App::start().await;
    let path = "/explain?params=86400/str/relevance/100/search..1.all.all.all&s=harbour";
    assert_eq!(app.get(path).await.status, 404);
    // The query is validated here, too.
    assert_eq!(app.watch("/explain?params=86400/str/relevance/100/search..1.all.all.all&s=x").await.status, 422);
    app.finish().await;
}
