//! Operators' texts below lists.

use axum::http::Method;
use lantern_catalog::list_texts::{self, ListText};
use lantern_config::Lang;
use serde_json::{Value, json};

use crate::{page::dom::Dom, support::App};

const PATH: &str = "/categories/travel/latest-updates/1/";
const HEAD: &str = "application/vnd.lantern.head+json";

async fn set(app: &App, lang: Lang, body: &str) {
    let text = ListText { path: PATH.to_owned(), lang: lang.as_str().to_owned(), body: body.to_owned() };
    assert!(list_texts::set(app.pool(), &text).await.unwrap());
    app.state().list_texts.load(app.pool()).await.unwrap();
}

/// Returns the text embedded in a page, and the one in the page's separate head.
async fn texts(app: &App, path: &str) -> [Value; 2] {
    let page = app.send(Method::GET, path, &[("cookie", "age_agreed=1")]).await;
    let head = app.send(Method::GET, path, &[("cookie", "age_agreed=1"), ("accept", HEAD)]).await;
    let head: Value = serde_json::from_str(&head.text()).unwrap();
    [Dom::parse(&page).boot()["text"].clone(), head["text"].clone()]
}

#[tokio::test]
async fn list_text_is_shown_on_first_page_in_its_language() {
    let app = App::start().await;
    set(&app, Lang::En, "# Travel & <more>\n\nBy train.").await;
    let blocks = json!([{ "heading": true, "text": "Travel & <more>" }, { "heading": false, "text": "By train." }]);
    assert_eq!(texts(&app, PATH).await, [blocks.clone(), blocks.clone()]);
    assert_eq!(texts(&app, &format!("{PATH}?gender=she")).await[0], blocks);
    let html = app.send(Method::GET, PATH, &[("cookie", "age_agreed=1")]).await.text();
    assert!(html.contains("<h2>Travel &amp; &lt;more&gt;</h2><p>By train.</p>"), "crawlers read it");
    for elsewhere in [
        "/categories/travel/latest-updates/2/".to_owned(),
        "/categories/travel/top-rated/1/".to_owned(),
        format!("{PATH}?duration=long"),
        format!("{PATH}?lang=de"),
    ] {
        assert_eq!(texts(&app, &elsewhere).await, [Value::Null, Value::Null], "{elsewhere}");
    }
    let gated = app.send(Method::GET, PATH, &[]).await;
    assert_eq!(Dom::parse(&gated).boot().get("text"), None);
    assert!(!gated.text().contains("By train."), "the age gate does not send it");
    app.finish().await;
}

#[tokio::test]
async fn changed_list_text_is_shown_after_reload() {
    let app = App::start().await;
    let text = async || texts(&app, PATH).await[0][0]["text"].clone();
    set(&app, Lang::En, "One.").await;
    set(&app, Lang::En, "Two.").await;
    assert_eq!(text().await, "Two.");
    app.sql("update list_texts set body = 'Three.'").await;
    app.state().list_texts.load(app.pool()).await.unwrap();
    assert_eq!(text().await, "Three.", "changed by plain SQL");
    assert!(list_texts::remove(app.pool(), PATH, Lang::En).await.unwrap());
    assert!(!list_texts::remove(app.pool(), PATH, Lang::En).await.unwrap());
    app.state().list_texts.load(app.pool()).await.unwrap();
    assert_eq!(text().await, Value::Null);
    app.finish().await;
}
