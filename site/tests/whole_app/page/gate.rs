//! The age gate. The server does not send what the gate covers.

use axum::{
    body::Body,
    http::{Method, Request},
};

use crate::{
    page::dom::Dom,
    support::{App, Reply},
};

#[tokio::test]
async fn age_gate_sends_no_content() {
    let app = App::start().await;
    for path in ["/videos/4/video-4/", "/videos/latest-updates/1/", "/model/mika-sato/", "/"] {
        let reply = app.get(path).await;
        let dom = Dom::parse(&reply);
        assert_eq!(reply.status, 200, "{path}");
        let boot = dom.boot();
        assert_eq!((&boot["age_gate"], boot["answers"].as_object().unwrap().len()), (&true.into(), 0), "{path}");
        assert_eq!(dom.texts("h1"), ["This site is for adults only"], "{path}");
        assert!(dom.texts("main li, main img, iframe, link[rel='preload']").is_empty(), "{path}");
        assert!(dom.texts("script[type='application/ld+json']").is_empty(), "{path}: titles, pictures, names");
        let pictures = dom.attrs("meta[property='og:image'], meta[name='twitter:player']", "content");
        let only = pictures == ["http://127.0.0.1:8080/assets/share.jpg"];
        assert!(only && !reply.text().contains("/media/"), "{path}: {pictures:?}");
        assert!(
            dom.canonical().is_some() && !dom.meta("og:title").is_empty(),
            "the title of a shared link may be shown"
        );
        let head = app.send(Method::GET, path, &[("accept", "application/vnd.lantern.head+json")]).await.json();
        assert!(head["data"].is_null() && !head["head"].as_str().unwrap().contains("/media/"), "{path}: {head}");
        assert_eq!(dom.attr("form input[name='to']", "value").as_deref(), Some(path));
    }
    assert_eq!(app.get("/videos/999999/").await.status, 404);
    app.finish().await;
}

async fn agree(app: &App, to: &str, headers: &[(&str, &str)]) -> Reply {
    let mut request = Request::post("/agree/").header("content-type", "application/x-www-form-urlencoded");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    app.call(request.body(Body::from(format!("to={to}"))).unwrap()).await
}

#[tokio::test]
async fn age_gate_form_works_without_scripts() {
    let app = App::start().await;
    let reply = agree(&app, "%2Fvideos%2F4%2F%3Flang%3Dde", &[("sec-fetch-site", "same-origin")]).await;
    assert_eq!((reply.status, reply.header("location")), (303, "/videos/4/?lang=de"));
    let cookie = reply.header("set-cookie").split(';').next().unwrap().to_owned();
    assert_eq!(cookie, "age_agreed=1");
    let shown = app.send(Method::GET, reply.header("location"), &[("cookie", &cookie)]).await;
    assert_eq!(Dom::parse(&shown).boot()["age_gate"], false);
    for to in [
        "",
        "%2F%2Fevil.example",
        "%2F%5Cevil.example",
        "https%3A%2F%2Fevil.example",
        "%2Fa%0D%0Ax",
        "%2F%09%2Fevil.example",
        "%2F.%2F%2Fevil.example",
        "%2Fa%5C..%5C%5Cevil.example",
    ] {
        agree(&app, to, &[]).await.refused(400, "malformed");
    }
    agree(&app, "%2F", &[("sec-fetch-site", "cross-site")]).await.refused(403, "cross_site");
    app.get("/agree/").await.refused(405, "method_not_allowed");
    app.finish().await;
}
