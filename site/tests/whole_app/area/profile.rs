//! The member's own profile: fields, validation, and columns that the form cannot set.

use axum::{body::Body, http::Method};
use serde_json::{Value, json};

use crate::support::{App, Session, done};

const PATH: &str = "/api/member.php";

async fn profile(session: &Session) -> Value {
    let reply = session.get(PATH).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(reply.header("cache-control"), "private, no-store");
    reply.json()["user"].clone()
}

/// Returns the fields and codes of a refused form.
#[track_caller]
fn field_errors(reply: &crate::support::Reply) -> Vec<(String, String)> {
    assert_eq!(reply.status, 422, "{}", reply.text());
    let codes = reply.json()["codes"].as_array().unwrap().clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    codes.iter().map(|error| (text(&error["field"]), text(&error["code"]))).collect()
}

#[tokio::test]
async fn profile_stores_and_shows_submitted_fields() {
    // The review of profiles is tested in moderate/community.rs.
    let app = App::configured(|config| config.moderation.review_profiles = false).await;
    let mona = app.member("mona").await;
    let empty = profile(&mona).await;
    assert_eq!(
        (&empty["username"], &empty["gender"], &empty["birth_date"]),
        (&json!("mona"), &json!(null), &json!(null))
    );
    let answer = done(
        &mona
            .post(
                PATH,
                &[
                    ("gender", "female"),
                    ("birth_date", "1990-05-04"),
                    ("relationship", "in_relationship"),
                    ("orientation", "bisexual"),
                    ("education", " Evening   classes "),
                    ("website", "https://mona.example"),
                    ("about", "First line\r\n\r\n\r\nSecond <b>line</b>"),
                    ("city", "Osaka"),
                    ("country", "JP"),
                    ("interests", "Trains"),
                    ("occupation", "Gardener"),
                ],
            )
            .await,
    );
    let expected = json!({
        "user_id": mona.id, "username": "mona", "status_id": 1, "avatar": null, "cover": null, "gender": "female",
        "birth_date": "1990-05-04", "age": 36, "relationship": "in_relationship", "orientation": "bisexual",
        "education": "Evening classes", "website": "https://mona.example/", "about": "First line\n\nSecond <b>line</b>",
        "city": "Osaka", "country": "JP", "interests": "Trains", "occupation": "Gardener",
    });
    assert_eq!(answer["user"], expected);
    assert_eq!(profile(&mona).await, expected);
    app.drain().await;
    let shown = app.json(&format!("/api/json/member/7200/0/{}.json", mona.id)).await["member"].clone();
    for field in ["gender", "age", "relationship", "orientation", "education", "website", "about", "city", "country"] {
        assert_eq!(shown[field], expected[field], "{field}");
    }
    assert_eq!(shown["birth_date"], Value::Null, "birth dates are private");
    let found = "/api/json/members/7200/filt-country~JP-gender~female-age~36.36-relationship~in_relationship-avatar~no-orientation~bisexual/recent/96/1.json";
    let ids: Vec<i64> = app.json(found).await["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|card| card["user_id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids, [mona.id], "every member filter matches");

    // Omitted fields stay unchanged, and empty fields are cleared.
    done(&mona.post(PATH, &[("city", ""), ("occupation", "Baker")]).await);
    let after = profile(&mona).await;
    assert_eq!(
        (&after["city"], &after["occupation"], &after["about"]),
        (&json!(null), &json!("Baker"), &expected["about"])
    );
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn reports_every_invalid_field_and_changes_nothing() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    done(&mona.post(PATH, &[("city", "Osaka")]).await);
    let long = "x".repeat(2001);
    let form = [
        ("gender", "str"),
        ("birth_date", "2009-01-01"),
        ("relationship", "divorced"),
        ("orientation", "none"),
        ("education", &long),
        ("website", "javascript:alert(1)"),
        ("about", &long),
        ("city", &long),
        ("country", "ZZ"),
        ("interests", "forbidden"),
        ("occupation", &long),
    ];
    let mut errors = field_errors(&mona.post(PATH, &form).await);
    errors.sort();
    let of = |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect::<Vec<_>>();
    assert_eq!(
        errors,
        of(&[
            ("about", "max_length"),
            ("birth_date", "invalid"),
            ("city", "max_length"),
            ("country", "invalid"),
            ("education", "max_length"),
            ("gender", "invalid"),
            ("interests", "prohibited_terms"),
            ("occupation", "max_length"),
            ("orientation", "invalid"),
            ("relationship", "invalid"),
            ("website", "invalid"),
        ])
    );
    assert_eq!(profile(&mona).await["city"], "Osaka");
    // The catalog accepts the longest texts that the form accepts.
    let of = |most: usize| "ф".repeat(most);
    let (education, about, city, interests, occupation) = (of(200), of(2000), of(100), of(1000), of(200));
    let website = format!("https://mona.example/{}", "x".repeat(300 - 21));
    let longest = [
        ("education", &*education),
        ("about", &about),
        ("city", &city),
        ("interests", &interests),
        ("occupation", &occupation),
        ("website", &website),
    ];
    done(&mona.post(PATH, &longest).await);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn form_changes_only_the_own_profile() {
    // The review of profiles is tested in moderate/community.rs.
    let app = App::configured(|config| config.moderation.review_profiles = false).await;
    let mona = app.member("mona").await;
    let before = "select count(*) from profiles where city = 'Osaka'";
    let form = [
        ("city", "Osaka"),
        ("user_id", "3"),
        ("id", "3"),
        ("status_id", "6"),
        ("username", "admin"),
        ("email", "other@example.org"),
        ("avatar_key", "demo/pictures/01"),
        ("created_at", "2000-01-01"),
        ("email_confirmed_at", ""),
    ];
    done(&mona.post(PATH, &form).await);
    assert_eq!(app.numbers(before).await, [1]);
    let mine = format!(
        "select count(*) from users u join profiles p on p.user_id = u.id where u.id = {} and city = 'Osaka' and status_id = ordinary()
         and username = 'mona' and email = 'mona@members.example' and avatar_key is null and email_confirmed_at is not null",
        mona.id
    );
    assert_eq!(app.numbers(&mine).await, [1]);
    let cross = [("content-type", "application/x-www-form-urlencoded"), ("sec-fetch-site", "cross-site")];
    mona.send(Method::POST, PATH, &cross, Body::from("city=Kobe")).await.refused(403, "cross_site");
    app.get(PATH).await.refused(401, "need_auth");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn concurrent_edits_are_all_saved() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    // There are as many concurrent requests as one client may send (`server.uploads_per_client`).
    let fields = ["about", "city", "interests"];
    // The first round inserts the row, and the others update it.
    for round in 0..8 {
        let value = format!("Round {round}");
        let forms = fields.map(|field| [(field, value.as_str())]);
        for reply in futures_util::future::join_all(forms.iter().map(|form| mona.post(PATH, form))).await {
            done(&reply);
        }
        let stored = profile(&mona).await;
        assert_eq!(fields.map(|field| stored[field].clone()), fields.map(|_| json!(value)));
    }
    app.drain().await;
    app.finish().await;
}
