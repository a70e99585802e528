//! Messages and reports: validation, acknowledgment and effects.

use axum::{body::Body, http::Method};
use flate2::{Compression, Crc, write::ZlibEncoder};
use lantern_catalog::{
    moderation::{Actor, members},
    reports::queue::{self, ClosingOutcome, ReportVerdict, WantedReports},
};
use lantern_config::{CaptchaProvider, Config};

use crate::support::{App, NOW, Reply, Session, listing, video_ids};

pub const RIGHT: ReportVerdict<'static> =
    ReportVerdict { is_right: true, remove: false, show: false, all: true, note: "checked" };
pub const WRONG: ReportVerdict<'static> =
    ReportVerdict { is_right: false, remove: false, show: false, all: true, note: "" };

pub fn no_captcha(config: &mut Config) {
    config.captcha.provider = CaptchaProvider::Off;
    // Guests differ in their `X-Forwarded-For` address.
    config.server.trusted_proxies = vec!["127.0.0.1".to_owned()];
}

/// Encodes a multipart form with an optional file, as a browser would.
fn multipart(fields: &[(&str, &str)], file: Option<&[u8]>) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend(format!("--x\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").bytes());
    }
    if let Some(file) = file {
        body.extend(b"--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.png\"\r\ncontent-type: image/png\r\n\r\n");
        body.extend(file);
        body.extend(b"\r\n");
    }
    body.extend(b"--x--\r\n");
    body
}

impl App {
    pub async fn report_from(&self, address: &str, fields: &[(&str, &str)], file: Option<&[u8]>) -> Reply {
        let body = multipart(fields, file);
        let headers = [("content-type", "multipart/form-data; boundary=x"), ("x-forwarded-for", address)];
        let mut request = axum::http::Request::builder().method(Method::POST).uri("/api/report.php");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let length = body.len();
        self.call(request.header("content-length", length).body(Body::from(body)).unwrap()).await
    }

    /// Returns a member who has confirmed earlier reports, in a separate network.
    pub async fn proven(&self, name: &str, network: u8) -> Session {
        let session = self.settled(name).await;
        self.sql(&format!(
            "insert into reports (subject, email, message, section, object_id, reason, user_id, state, closed_at)
             select '', 'a@b.example', '', 'video', n, 'minor', {}, 'resolved', to_timestamp({NOW}) from generate_series(251, 253) n",
            session.id
        ))
        .await;
        session.at(&format!("203.0.{network}.7"))
    }

    async fn report(&self, fields: &[(&str, &str)], file: Option<&[u8]>) -> Reply {
        self.report_from("192.0.2.1", fields, file).await
    }

    /// Returns a member whose account is 30 days old.
    pub async fn settled(&self, name: &str) -> Session {
        let session = self.member(name).await;
        self.change(&format!(
            "update users set created_at = to_timestamp({NOW}) - interval '30 days' where id = {}",
            session.id
        ))
        .await;
        session
    }

    /// Whether the list contains the video. The page size varies, to avoid a stale cached list.
    async fn is_listed(&self, id: i64) -> bool {
        self.drain().await;
        let count =
            u32::try_from(90 + self.numbers("select count(*) from reports where state <> 'open'").await[0] % 10)
                .unwrap();
        let ids = video_ids(&self.json(&listing("latest-updates", count, "all..1.all..")).await);
        ids.contains(&id)
    }
}

pub async fn complain(session: &Session, section: &str, object_id: &str, reason: &str) -> Reply {
    session.post("/api/report.php", &[("section", section), ("object_id", object_id), ("reason", reason)]).await
}

/// Returns a picture in a single color whose header claims this size, with `rows` rows of data.
pub fn png(width: u32, height: u32, rows: u32) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8; 4], data: &[u8]| {
        let mut crc = Crc::new();
        crc.update(kind);
        crc.update(data);
        file.extend((data.len() as u32).to_be_bytes());
        file.extend(kind);
        file.extend(data);
        file.extend(crc.sum().to_be_bytes());
    };
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
    chunk(b"IHDR", &header);
    let mut pixels = ZlibEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..rows {
        std::io::Write::write_all(&mut pixels, &vec![0; width as usize + 1]).unwrap();
    }
    chunk(b"IDAT", &pixels.finish().unwrap());
    chunk(b"IEND", &[]);
    file
}

const FORM: [(&str, &str); 4] = [
    ("subject", "A <b>question</b>"),
    ("email", "reader@mail.example"),
    ("message", "Where is\nthe lamp?"),
    ("ref", "/videos/1/"),
];

#[tokio::test]
async fn message_is_stored_with_its_picture_and_acknowledged() {
    let app = App::start().await;
    let proof = app.proof("report").await;
    let form = [&FORM[..], &[("captcha", &*proof)]].concat();
    let reply = app.report(&form, Some(&png(40, 30, 30))).await;
    assert_eq!((reply.status, reply.text()), (200, "{\"ok\":1}".to_owned()));
    let all = queue::list(app.pool(), WantedReports { state: None, id: None, object: None, limit: 10 }).await.unwrap();
    let [stored] = &all[..] else { panic!("{all:?}") };
    assert_eq!(
        (&*stored.subject, &*stored.message, &*stored.state),
        ("A <b>question</b>", "Where is\nthe lamp?", "open")
    );
    assert_eq!(
        (stored.page.as_deref(), stored.username.as_deref(), stored.section.as_deref()),
        (Some("/videos/1/"), None, None)
    );
    let name = stored.file_key.clone().unwrap();
    let file = std::fs::read(app.state().config.data_dir.join("reports").join(&name)).unwrap();
    assert!(file.starts_with(b"\xff\xd8\xff"), "re-encoded as JPEG");
    for path in [format!("/media/p/reports/{name}"), format!("/media/p/../reports/{name}"), format!("/reports/{name}")]
    {
        assert_eq!(app.get(&path).await.status, 404, "{path}");
    }
    let mail = app.mail_to("reader@mail.example").await;
    assert!(mail.headers["subject"].contains(&format!("({})", stored.id)));
    assert!(
        !mail.text.contains("lamp") && !mail.text.contains("question"),
        "the mail must not repeat the sender's text to a third party"
    );
    app.report(&form, None).await.refused(422, "captcha_invalid");
    app.report(&FORM, None).await.refused(422, "captcha_required");
    let files = std::fs::read_dir(app.state().config.data_dir.join("reports")).unwrap().count();
    assert_eq!((files, app.numbers("select count(*) from reports").await[0]), (1, 1));
    app.finish().await;
}

#[tokio::test]
async fn form_errors_name_all_invalid_fields() {
    let app = App::empty(no_captcha).await;
    let reply = app.report(&[("subject", &*"x".repeat(201)), ("message", " ")], None).await;
    reply.refused(422, "required");
    assert_eq!(reply.json()["errors"], serde_json::json!(["required", "required", "max_length"]));
    let codes: Vec<(String, String)> = reply.json()["codes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["field"].as_str().unwrap().to_owned(), one["code"].as_str().unwrap().to_owned()))
        .collect();
    let pair = |field: &str, code: &str| (field.to_owned(), code.to_owned());
    assert_eq!(codes, [pair("email", "required"), pair("message", "required"), pair("subject", "max_length")]);
    let with = |field: &'static str, value: &'static str| {
        let mut form = FORM.to_vec();
        form.retain(|(name, _)| *name != field);
        form.push((field, value));
        form
    };
    let long: &'static str = Box::leak("ж".repeat(1501).into_boxed_str());
    app.report(&with("message", long), None).await.refused(422, "max_length");
    for address in ["reader", "reader@", "a b@mail.example", "reader@localhost", "a@b.example,c@d.example"] {
        let address: &'static str = Box::leak(address.to_owned().into_boxed_str());
        app.report(&with("email", address), None).await.refused(422, "email_invalid");
    }
    for (form, code, field) in [
        (with("section", "video"), "required", "object_id"),
        ([with("section", "video"), vec![("object_id", "1")]].concat(), "required", "reason"),
        ([with("section", "planet"), vec![("object_id", "1"), ("reason", "spam")]].concat(), "invalid", "section"),
        ([with("section", "video"), vec![("object_id", "1"), ("reason", "boring")]].concat(), "invalid", "reason"),
        ([with("section", "video"), vec![("object_id", "one"), ("reason", "spam")]].concat(), "invalid", "object_id"),
    ] {
        let reply = app.report(&form, None).await;
        reply.refused(422, code);
        assert_eq!(reply.json()["field"], field);
    }
    assert_eq!(app.numbers("select count(*) from reports").await, [0]);
    app.finish().await;
}

#[tokio::test]
async fn file_must_be_a_complete_picture() {
    let app = App::empty(no_captcha).await;
    let whole = png(64, 48, 48);
    let address = |n: u32| format!("192.0.2.{n}");
    for (n, file) in [
        &b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..],
        b"GIF89a",
        &whole[..whole.len() / 2],
        b"%PDF-1.7",
        &png(64, 48, 3),
    ]
    .into_iter()
    .enumerate()
    {
        app.report_from(&address(n as u32), &FORM, Some(file)).await.refused(422, "file_invalid_type");
    }
    // These are decompression bombs.
    for (n, (width, height)) in [(60_000, 60_000), (13_000, 10), (5001, 5000)].into_iter().enumerate() {
        app.report_from(&address(20 + n as u32), &FORM, Some(&png(width, height, 1)))
            .await
            .refused(422, "file_too_large");
    }
    let mut heavy = whole.clone();
    heavy.resize(app.state().config.pictures.max_bytes + 1, 0);
    app.report_from(&address(30), &FORM, Some(&heavy)).await.refused(422, "file_too_large");
    heavy.resize(app.state().config.server.form_files_limit + 1, 0);
    app.report_from(&address(31), &FORM, Some(&heavy)).await.refused(413, "body_too_large");
    assert!(!app.state().config.data_dir.join("reports").exists(), "refused files are not stored");
    assert_eq!(app.report_from(&address(40), &FORM, Some(&whole)).await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn messages_are_rate_limited() {
    let app = App::empty(no_captcha).await;
    for n in 0..5 {
        assert_eq!(app.report(&FORM, None).await.status, 200, "{n}");
    }
    app.report(&FORM, None).await.refused(429, "too_many_attempts");
    app.report(&[("email", "x")], None).await.refused(422, "email_invalid");
    assert_eq!(app.report_from("192.0.2.9", &FORM, None).await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn many_guest_reports_hide_nothing() {
    let app = App::configured(no_captcha).await;
    let id = video_ids(&app.json(&listing("latest-updates", 100, "all..1.all..")).await)[0];
    let object = id.to_string();
    let form = [&FORM[..], &[("section", "video"), ("object_id", &*object), ("reason", "minor")]].concat();
    for n in 0..60 {
        assert_eq!(app.report_from(&format!("198.51.{n}.1"), &form, None).await.status, 200);
    }
    // The same address on the same day counts as the same guest.
    assert_eq!(app.report_from("198.51.7.1", &form, None).await.status, 200);
    assert_eq!(app.numbers("select count(*) from reports where weight = 1 and not is_trusted").await, [60]);
    assert_eq!(
        app.numbers("select count(*) from reports where escalated_at is not null").await,
        [60],
        "they are escalated"
    );
    // Neither new accounts nor a single older account hides anything.
    for n in 0..5 {
        let young = app.member(&format!("young{n}")).await;
        assert_eq!(complain(&young, "video", &object, "minor").await.status, 200);
    }
    let one = app.settled("settled").await;
    assert_eq!(complain(&one, "video", &object, "minor").await.status, 200);
    assert!(app.is_listed(id).await);
    app.finish().await;
}

#[tokio::test]
async fn trusted_members_hide_a_video_until_a_moderator_decides() {
    let app = App::configured(no_captcha).await;
    let id = video_ids(&app.json(&listing("latest-updates", 100, "all..1.all..")).await)[0];
    let object = id.to_string();
    let mut members = Vec::new();
    for n in 0..5 {
        members.push(app.settled(&format!("settled{n}")).await);
    }
    // Reports for spam never hide an object, regardless of their weight.
    for member in &members {
        assert_eq!(complain(member, "video", &object, "spam").await.status, 200);
    }
    assert!(app.is_listed(id).await);
    let first = app.numbers("select min(id) from reports").await[0];
    let closed = queue::close(app.pool(), &Actor::OPERATOR, first, WRONG).await.unwrap();
    assert_eq!(closed, Some(ClosingOutcome { reports: 5, removed: false, restored: false, hidden: false }));
    // One rejected report costs each member two points of weight, leaving 1 + 1 + 1 + 1 + 1.
    for member in &members {
        assert_eq!(complain(member, "video", &object, "non_consensual").await.status, 200);
    }
    assert_eq!(app.numbers("select sum(weight) from reports where state = 'open'").await, [5]);
    assert!(app.is_listed(id).await);
    // Two members with confirmed reports hide it.
    for (name, network) in [("sharp1", 1), ("sharp2", 2)] {
        assert!(app.is_listed(id).await);
        let sharp = app.proven(name, network).await;
        assert_eq!(complain(&sharp, "video", &object, "non_consensual").await.status, 200);
    }
    assert!(!app.is_listed(id).await, "6 + 6 is above 10");
    let waiting =
        queue::list(app.pool(), WantedReports { state: None, id: None, object: None, limit: 1 }).await.unwrap();
    assert!(waiting[0].is_hidden && waiting[0].object_id == Some(id));
    assert!(queue::take(app.pool(), waiting[0].id).await.unwrap());
    assert!(!queue::take(app.pool(), waiting[0].id).await.unwrap(), "only one moderator can take it");
    let closed = queue::close(app.pool(), &Actor::OPERATOR, waiting[0].id, WRONG).await.unwrap().unwrap();
    assert_eq!((closed.reports, closed.restored), (7, true));
    assert!(app.is_listed(id).await, "restored");
    assert_eq!(queue::close(app.pool(), &Actor::OPERATOR, waiting[0].id, RIGHT).await.unwrap(), None);
    app.finish().await;
}

#[tokio::test]
async fn confirmed_report_can_remove_the_object_once() {
    let app = App::configured(no_captcha).await;
    let member = app.settled("settled").await;
    for (section, object) in [
        ("video", "1"),
        ("album", "1"),
        ("playlist", "1"),
        ("comment", "1"),
        ("wall", "1"),
        ("user", "4"),
        ("model", "1"),
        ("channel", "1"),
    ] {
        // The rate limit is not being tested.
        app.state()
            .limits
            .clear(lantern_ratelimit::Action::Contact, &lantern_ratelimit::Key::member(member.id))
            .await
            .unwrap();
        assert_eq!(complain(&member, section, object, "illegal").await.status, 200, "{section}");
        assert_eq!(complain(&member, section, object, "illegal").await.status, 200, "{section} again");
        let id = app.numbers("select max(id) from reports").await[0];
        let verdict = ReportVerdict { remove: true, ..RIGHT };
        let closed = queue::close(app.pool(), &Actor::OPERATOR, id, verdict).await.unwrap().unwrap();
        assert_eq!(closed.removed, !matches!(section, "user" | "model" | "channel"), "{section}");
        assert_eq!(closed.reports, 1, "{section}");
        app.state()
            .limits
            .clear(lantern_ratelimit::Action::Contact, &lantern_ratelimit::Key::member(member.id))
            .await
            .unwrap();
        let again = complain(&member, section, object, "illegal").await;
        assert_eq!(again.status, if closed.removed { 404 } else { 200 }, "{section} {}", again.text());
    }
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn reports_are_limited_to_visible_objects_and_ignore_forged_fields() {
    let app = App::configured(no_captcha).await;
    let (one, two) = (app.settled("one").await, app.settled("two").await);
    app.sql(&format!("insert into messages (id, sender_id, recipient_id, body) overriding system value values (900, {}, {}, 'Hello')", one.id, two.id)).await;
    complain(&one, "message", "900", "insult").await.refused(404, "message_not_found");
    let form = [&FORM[..], &[("section", "message"), ("object_id", "900"), ("reason", "insult")]].concat();
    app.report(&form, None).await.refused(404, "message_not_found");
    assert_eq!(complain(&two, "message", "900", "insult").await.status, 200);
    // These are another member's private playlist and a missing video.
    complain(&one, "playlist", "7", "spam").await.refused(404, "playlist_not_found");
    complain(&one, "video", "999999", "spam").await.refused(404, "video_not_found");
    let mut form = vec![("section", "video"), ("object_id", "1"), ("reason", "spam")];
    let other = two.id.to_string();
    form.extend([
        ("user_id", &*other),
        ("weight", "100"),
        ("is_trusted", "1"),
        ("is_severe", "1"),
        ("state", "resolved"),
    ]);
    assert_eq!(one.post("/api/report.php", &form).await.status, 200);
    let weight = app.numbers(&format!("select weight::bigint from reports where section = 'video' and user_id = {} and state = 'open' and not is_severe", one.id)).await;
    assert_eq!(weight, [3]);
    app.finish().await;
}

#[tokio::test]
async fn ban_ends_sessions_and_hides_comments() {
    let app = App::configured(no_captcha).await;
    let member = app.sign_in(7, "member-07").await;
    let names = async || {
        app.drain().await;
        let comments = app.json("/api/json/comments/86400/video/0/21.json").await;
        let listed = app.json("/api/json/members/7200/filt/recent/96/1.json").await;
        let has = |list: &serde_json::Value| list.as_array().unwrap().iter().any(|one| one["username"] == "member-07");
        (has(&comments["comments"]), has(&listed["members"]))
    };
    app.sql("insert into comments (section, object_id, user_id, body, created_at) values ('video', 21, 7, 'The last one', to_timestamp(1789999999))").await;
    assert_eq!(names().await, (true, true));
    let banned = members::ban(app.pool(), &Actor::OPERATOR, "Member-07", "spam", false).await.unwrap().unwrap();
    assert_eq!((banned.user_id, banned.sessions, banned.uploads), (7, 1, 0));
    assert_eq!(names().await, (false, false));
    complain(&member, "video", "1", "spam").await.refused(422, "required");
    assert_eq!(members::ban(app.pool(), &Actor::OPERATOR, "member-07", "spam", false).await.unwrap(), None);
    assert!(members::unban(app.pool(), &Actor::OPERATOR, "member-07").await.unwrap());
    assert!(!members::unban(app.pool(), &Actor::OPERATOR, "member-07").await.unwrap());
    assert_eq!(names().await, (true, true));
    app.finish().await;
}
