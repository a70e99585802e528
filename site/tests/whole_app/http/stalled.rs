//! Stalled uploads do not block other clients.

use std::{convert::Infallible, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::Request,
};
use futures_util::{StreamExt, stream};

use crate::{
    report::send::{complain, no_captcha, png},
    support::{App, PATIENCE},
};

const FORM: [(&str, &str); 2] = [("email", "reader@mail.example"), ("message", "Where is the lamp?")];

/// Returns a form of which only the beginning is sent.
fn stalled(path: &str, address: &str) -> Request<Body> {
    let beginning = stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"--x\r\n"))]);
    Request::post(path)
        .header("content-type", "multipart/form-data; boundary=x")
        .header("content-length", "60000")
        .header("x-forwarded-for", address)
        .body(Body::from_stream(beginning.chain(stream::pending())))
        .unwrap()
}

#[tokio::test]
async fn stalled_forms_block_no_other_client() {
    let app = App::configured(|config| {
        no_captcha(config);
        config.server.uploads_per_client = 2;
    })
    .await;
    let address = |number: usize| format!("192.0.2.{}", number / 2 + 1);
    let forms: Vec<_> = (0..40).map(|number| app.call(stalled("/api/report.php", &address(number)))).collect();
    let reports = async {
        // This lets all of them begin.
        tokio::task::yield_now().await;
        let person = app.report_from("198.51.100.1", &FORM, Some(&png(20, 20, 20))).await;
        assert_eq!((person.status, person.text()), (200, "{\"ok\":1}".to_owned()));
        let member = app.member("mona").await;
        assert_eq!(complain(&member, "video", "1", "spam").await.status, 200);
        // A third form from a client that is already sending two is refused.
        app.call(stalled("/api/report.php", "192.0.2.1")).await.refused(429, "too_many_attempts");
    };
    tokio::select! {
        () = reports => {}
        _ = futures_util::future::join_all(forms) => panic!("the forms ended first"),
    }
    app.finish().await;
}

#[tokio::test]
async fn stalled_body_is_refused_after_a_timeout() {
    let app = App::configured(|config| {
        no_captcha(config);
        config.server.body_timeout = 1;
    })
    .await;
    for path in ["/api/report.php", "/api/login.php"] {
        let ended = tokio::time::timeout(PATIENCE, app.call(stalled(path, "192.0.2.1"))).await;
        ended.unwrap_or_else(|_| panic!("{path} is still read")).refused(408, "body_too_slow");
    }
    app.finish().await;
}

#[tokio::test]
async fn trickling_form_is_refused_after_a_timeout() {
    let app = App::configured(|config| {
        no_captcha(config);
        config.server.upload_timeout = 1;
    })
    .await;
    let drops = stream::unfold((), |()| async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        Some((Ok::<_, Infallible>(Bytes::from_static(b"-")), ()))
    });
    let request = Request::post("/api/report.php")
        .header("content-type", "multipart/form-data; boundary=x")
        .body(Body::from_stream(drops))
        .unwrap();
    let ended = tokio::time::timeout(PATIENCE, app.call(request)).await;
    ended.expect("the form is still read").refused(408, "body_too_slow");
    app.finish().await;
}

#[tokio::test]
async fn memory_of_forms_is_bounded() {
    let app = App::configured(|config| {
        no_captcha(config);
        config.server.upload_memory = 64 << 10;
        config.server.form_files_limit = 64 << 10;
    })
    .await;
    let part = Bytes::from(vec![b'-'; 60 << 10]);
    let held = stream::iter([Ok::<_, Infallible>(part)]).chain(stream::pending());
    let first = Request::post("/api/report.php")
        .header("content-type", "multipart/form-data; boundary=x")
        .header("x-forwarded-for", "192.0.2.1")
        .body(Body::from_stream(held))
        .unwrap();
    let second = async {
        tokio::task::yield_now().await;
        let large = [("message", &*"a".repeat(10 << 10)), FORM[0]];
        app.report_from("192.0.2.2", &large, None).await.refused(503, "unavailable");
        assert_eq!(app.report_from("192.0.2.2", &FORM, None).await.status, 200, "a small form fits");
    };
    tokio::select! {
        () = second => {}
        _ = app.call(first) => panic!("the first form ended"),
    }
    app.finish().await;
}
