//! Stored data about a report: weight, picture, and acknowledgment.

use serde_json::json;

use crate::{
    report::send::{complain, no_captcha, png},
    support::{App, Session},
};

const FORM: [(&str, &str); 5] = [
    ("email", "reader@mail.example"),
    ("message", "Where is the lamp?"),
    ("section", "video"),
    ("object_id", "1"),
    ("reason", "spam"),
];

#[tokio::test]
async fn trust_grows_and_falls_within_its_bounds() {
    let app = App::configured(no_captcha).await;
    for (name, network, state, times, weight) in [
        ("right", 1, "resolved", 20, 6),
        ("wrong", 2, "rejected", 20, 0),
        ("fair", 3, "resolved", 1, 4),
        ("hasty", 4, "rejected", 1, 1),
    ] {
        let member = app.settled(name).await.at(&format!("203.0.{network}.7"));
        app.sql(&format!(
            "insert into reports (subject, email, message, section, object_id, reason, user_id, state, closed_at)
             select '', 'a@b.example', '', 'video', n, 'minor', {}, '{state}', now() from generate_series(101, 100 + {times}) n",
            member.id
        ))
        .await;
        assert_eq!(complain(&member, "video", "1", "minor").await.status, 200);
        let query = format!("select weight::bigint from reports where user_id = {} and state = 'open'", member.id);
        assert_eq!(app.numbers(&query).await, [weight], "{name}");
    }
    app.finish().await;
}

#[tokio::test]
async fn pictures_of_refused_and_repeated_reports_are_not_stored() {
    let app = App::configured(no_captcha).await;
    let picture = png(20, 20, 20);
    let stored = || std::fs::read_dir(app.state().config.data_dir.join("reports")).map_or(0, Iterator::count);
    for _ in 0..2 {
        assert_eq!(app.report_from("192.0.2.1", &FORM, Some(&picture)).await.status, 200);
        assert_eq!(stored(), 1, "a repeated report stores nothing");
    }
    let mut form = FORM;
    form[3].1 = "999999";
    app.report_from("192.0.2.2", &form, Some(&picture)).await.refused(404, "video_not_found");
    assert_eq!((stored(), app.numbers("select count(*) from reports").await[0]), (1, 1));
    app.finish().await;
}

#[tokio::test]
async fn member_gets_acknowledgement_at_own_address_and_in_own_language() {
    let app = App::configured(no_captcha).await;
    let member = app.member("mika").await;
    let german = Session { cookie: format!("{}; app_lang=de", member.cookie), ..member.at("127.0.0.1") };
    assert_eq!(complain(&german, "video", "1", "spam").await.status, 200);
    let mail = app.mail_to("mika@members.example").await;
    assert_eq!(mail.headers["content-language"], "de");
    assert_eq!(
        app.numbers("select count(*) from reports where lang = 'de' and email = 'mika@members.example'").await,
        [1]
    );
    app.finish().await;
}

#[tokio::test]
async fn rate_limited_report_does_not_consume_the_captcha() {
    let app = App::empty(|config| {
        config.server.trusted_proxies = vec!["127.0.0.1".to_owned()];
        config.captcha.max_number = 100;
        config.limits.contact =
            serde_json::from_value(json!({"kind": "exact", "attempts": 1, "per_seconds": 3600})).unwrap();
    })
    .await;
    let (first, second) = (app.proof("report").await, app.proof("report").await);
    let send = async |address: &str, proof: &str| {
        app.report_from(address, &[FORM[0], FORM[1], ("captcha", proof)], None).await
    };
    assert_eq!(send("192.0.2.1", &first).await.status, 200);
    send("192.0.2.1", &second).await.refused(429, "too_many_attempts");
    assert_eq!(send("192.0.2.2", &second).await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn missing_members_and_deleted_messages_cannot_be_reported() {
    let app = App::configured(no_captcha).await;
    let (one, two) = (app.settled("one").await, app.settled("two").await);
    for gone in ["39", "40", "999"] {
        complain(&one, "user", gone, "spam").await.refused(404, "member_not_found");
    }
    app.sql(&format!(
        "insert into messages (id, sender_id, recipient_id, body, recipient_deleted)
         overriding system value values (900, {0}, {1}, 'Hello', true), (901, {0}, {1}, 'Hello again', false)",
        one.id, two.id
    ))
    .await;
    complain(&two, "message", "900", "insult").await.refused(404, "message_not_found");
    assert_eq!(complain(&two, "message", "901", "insult").await.status, 200);
    // Playlist 7 is private and belongs to this user.
    let owner = app.sign_in(2, "other").await;
    assert_eq!(complain(&owner, "playlist", "7", "broken").await.status, 200);
    app.drain().await;
    app.finish().await;
}
