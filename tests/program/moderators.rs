//! Attacks with stolen moderator sessions and with colluding accounts, on a site with two nodes. Each of these attacks
//! succeeded against an earlier version.

use std::time::{Duration, Instant};

use lantern_testing::TestDb;
use serde_json::Value;
use sqlx::{AssertSqlSafe, PgPool};
use totp_rs::TOTP;

use crate::{node::Node, nodes, run};

/// Time limit within which something must be hidden on all nodes.
const HIDDEN_WITHIN: Duration = Duration::from_secs(5);
const TAKE_DOWN: &str = "/api/moderate/take_down";
const SECOND_STEP: &str = "/api/moderate/second_step";

/// Starts two nodes that share rate limits and a secret. They are behind a proxy that forwards client addresses.
async fn site(more: &[(&'static str, &str)]) -> (TestDb, [Node; 2]) {
    let db = nodes::database().await;
    let settings = [
        ("LANTERN__LIMITS__STORE", "shared"),
        ("LANTERN__SECURITY__SECRET", "a secret that both nodes have in this test"),
        ("LANTERN__SERVER__TRUSTED_PROXIES", "[\"127.0.0.1\"]"),
    ];
    let settings: Vec<_> = settings.iter().chain(more).map(|(name, value)| (*name, (*value).to_owned())).collect();
    let nodes = [Node::on(&db.url, &settings), Node::on(&db.url, &settings)];
    (db, nodes)
}

async fn numbers(pool: &PgPool, query: &str) -> Vec<i64> {
    sqlx::query_scalar(AssertSqlSafe(query.to_owned())).fetch_all(pool).await.unwrap()
}

async fn sql(pool: &PgPool, statements: &str) {
    sqlx::raw_sql(AssertSqlSafe(statements.to_owned())).execute(pool).await.unwrap();
}

/// A member's browser.
struct Browser {
    id: i64,
    cookie: String,
    address: String,
}

impl Browser {
    /// Creates a browser in which the member is signed in.
    async fn of(pool: &PgPool, username: &str, number: u8) -> Self {
        let token = format!("{number:A>43}");
        sql(
            pool,
            &format!(
                "insert into sessions (user_id, token_hash, expires_at)
                 select id, sha256('{token}'), now() + interval '1 day' from users where username = '{username}'"
            ),
        )
        .await;
        let id = numbers(pool, &format!("select id from users where username = '{username}'")).await[0];
        Self { id, cookie: format!("session={token}"), address: format!("203.0.{number}.7") }
    }

    /// Sends a request to a node. Returns status and body.
    fn send(&self, node: &Node, method: &str, path: &str, form: &str) -> (u16, String) {
        let headers = [
            ("Cookie", self.cookie.as_str()),
            ("Sec-Fetch-Site", "same-origin"),
            ("X-Forwarded-For", self.address.as_str()),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ];
        let (head, body) = node.ask(method, path, &headers, form);
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body)
    }

    /// Posts a form. Returns `ok` or the error code.
    fn post(&self, node: &Node, path: &str, form: &str) -> String {
        let (status, body) = self.send(node, "POST", path, form);
        if status == 200 {
            return "ok".to_owned();
        }
        let body: Value = serde_json::from_str(&body[body.find('{').unwrap()..=body.rfind('}').unwrap()]).unwrap();
        body["code"].as_str().unwrap().to_owned()
    }
}

/// Creates a moderator. Returns the moderator's browser and authenticator app.
async fn moderator(pool: &PgPool, node: &Node, username: &str, number: u8) -> (Browser, TOTP) {
    let output = node.command(&["moderate", "staff", "add", username, "--json"]).output().unwrap();
    let added: Value = serde_json::from_slice(&output.stdout).unwrap();
    let app = TOTP::from_url(added["key"].as_str().unwrap()).unwrap();
    (Browser::of(pool, username, number).await, app)
}

/// Returns the code that is valid `intervals` from now. The previous and the next code are accepted too.
fn code(app: &TOTP, intervals: i64) -> String {
    let now = time::OffsetDateTime::now_utc().unix_timestamp();
    format!("code={}", app.generate((now + 30 * intervals).try_into().unwrap()))
}

/// Returns the names of confirmed members other than `demo`.
async fn members(pool: &PgPool, number: i64) -> Vec<String> {
    let query = sqlx::query_scalar(
        "select username from users where status_id = ordinary() and email_confirmed_at is not null and username <> 'demo'
         order by id limit $1",
    );
    let members: Vec<String> = query.bind(number).fetch_all(pool).await.unwrap();
    assert_eq!(members.len(), usize::try_from(number).unwrap());
    members
}

fn operator(node: &Node, words: &[&str]) -> String {
    let (output, text) = run(&mut node.command(words));
    assert!(output.status.success(), "{words:?}: {text}");
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn stolen_moderator_session_does_limited_reversible_damage() {
    let (db, nodes) = site(&[]).await;
    let [a, b] = &nodes;
    let names = members(&db.pool, 2).await;
    let (thief, app) = moderator(&db.pool, a, &names[0], 1).await;
    let (other, others_app) = moderator(&db.pool, b, &names[1], 2).await;
    let first_code = code(&app, 0);
    assert_eq!(thief.post(b, SECOND_STEP, &first_code), "ok");
    assert_eq!(other.post(a, SECOND_STEP, &code(&others_app, 0)), "ok");

    // The thief takes down all visible videos on both nodes in turn, as fast as possible.
    let videos = format!("select id from videos where visible and user_id is distinct from {} order by id", thief.id);
    let videos = numbers(&db.pool, &videos).await;
    let mut taken = Vec::new();
    let sweep = |taken: &mut Vec<i64>| {
        for (n, id) in videos.iter().enumerate() {
            match &*thief.post(&nodes[n % 2], TAKE_DOWN, &format!("section=video&id={id}")) {
                "ok" => taken.push(*id),
                refusal => assert!(["step_up_needed", "video_not_found"].contains(&refusal), "{refusal}"),
            }
        }
    };
    sweep(&mut taken);
    assert_eq!(taken.len(), 5, "of {}", videos.len());
    // A code can't be used twice.
    assert_eq!(thief.post(a, SECOND_STEP, &first_code), "wrong_code");
    sweep(&mut taken);
    assert_eq!(taken.len(), 5);
    // Moderators can't decide on other moderators or on their own uploads.
    assert_eq!(thief.post(a, "/api/moderate/ban", &format!("username={}&reason=spam", names[1])), "staff_member");
    let own = format!(
        "update albums set user_id = {}, status_id = in_review() where id = (select min(id) from albums) returning id",
        thief.id
    );
    let own = numbers(&db.pool, &own).await[0];
    let approve = format!("section=album&id={own}&revision=0&verdict=approve&nobody=1");
    assert_eq!(thief.post(b, "/api/moderate/decide", &approve), "own_object");
    for node in &nodes {
        node.forgets(&taken, "taken down");
    }

    // Another moderator restores one video, and the operator restores the rest.
    let [first, rest @ ..] = &taken[..] else { panic!("{taken:?}") };
    let form = format!("section=video&id={first}");
    assert_eq!(thief.post(a, "/api/moderate/restore", &form), "second_moderator_needed");
    assert_eq!(other.post(b, "/api/moderate/restore", &form), "ok");
    assert_eq!(operator(a, &["moderate", "quarantine", "--json"]).lines().count(), rest.len());
    for id in rest {
        operator(a, &["moderate", "restore", "video", &id.to_string(), "--note", "a stolen session"]);
    }
    let shown = numbers(&db.pool, "select id from videos where visible").await;
    assert!(taken.iter().all(|id| shown.contains(id)), "{taken:?}");
    assert_eq!(numbers(&db.pool, "select count(*) from media_prints where banned_at is not null").await, [0]);

    // Guessing codes from another address doesn't lock out the moderator.
    let guesser = Browser::of(&db.pool, &names[0], 3).await;
    let guesses = (0..20).filter(|n| guesser.post(&nodes[n % 2], SECOND_STEP, "code=000000") == "wrong_code").count();
    assert_eq!(guesses, 5, "together on both nodes");
    assert_eq!(thief.post(a, SECOND_STEP, &code(&app, 1)), "ok");
    operator(b, &["moderate", "audit", "--verify"]);
    nodes.into_iter().for_each(Node::end);
}

#[tokio::test(flavor = "multi_thread")]
async fn document_reads_are_limited_and_revoked_consent_hides_everywhere() {
    let (db, nodes) = site(&[]).await;
    let [a, b] = &nodes;
    let names = members(&db.pool, 1).await;
    let (reader, app) = moderator(&db.pool, a, &names[0], 1).await;
    assert_eq!(reader.post(a, SECOND_STEP, &code(&app, 0)), "ok");
    let video = format!(
        "select v.id from videos v join video_models l on l.video_id = v.id
         where visible and gender = 'str' and user_id is distinct from {} order by v.duration desc limit 1",
        reader.id
    );
    let video = numbers(&db.pool, &video).await[0];
    let models = "select dir from models m join video_models l on l.model_id = m.id where video_id = $1 limit 1";
    let model: String = sqlx::query_scalar(models).bind(video).fetch_one(&db.pool).await.unwrap();
    let (number, day) = (video.to_string(), time::OffsetDateTime::now_utc().date().to_string());
    let fields =
        [("section", "video"), ("id", &*number), ("model", &*model), ("signed_on", &*day), ("document", "passport")];
    let mut body: String = fields
        .iter()
        .map(|(name, value)| format!("--x\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"))
        .collect();
    body.push_str(
        "--x\r\ncontent-disposition: form-data; name=\"proof\"; filename=\"a\"\r\n\r\n%PDF-1.7 A scan\r\n--x--\r\n",
    );
    let headers = [
        ("Cookie", &*reader.cookie),
        ("Sec-Fetch-Site", "same-origin"),
        ("Content-Type", "multipart/form-data; boundary=x"),
    ];
    let (head, text) = a.ask("POST", "/api/moderate/consent", &headers, &body);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}{text}");

    // The documents are read on both nodes in turn until the limit is reached.
    let proof = format!("/api/moderate/proof?section=video&id={video}&model={model}");
    let statuses: Vec<u16> = (0..60).map(|n| reader.send(&nodes[n % 2], "GET", &proof, "").0).collect();
    let read = statuses.iter().filter(|status| **status == 200).count();
    assert_eq!((read, statuses[20]), (20, 429), "{statuses:?}");
    let audit = operator(b, &["moderate", "audit", "--json", "--limit", "1000"]);
    let recorded = audit.lines().filter(|line| line.contains("\"read proof\"") && line.contains(&names[0])).count();
    assert_eq!(recorded, read, "each read is recorded");

    // The model revokes the consent.
    for node in &nodes {
        assert!(node.listed().contains(&video));
    }
    let since = Instant::now();
    operator(b, &["moderate", "consent", "revoke", "video", &number, &model, "--note", "in writing"]);
    let committed = Instant::now();
    for node in &nodes {
        node.forgets(&[video], "its consent is revoked");
        let page = format!("/api/json/video/86400/{}/{video}.json", video / 1000 * 1000);
        let (head, _) = node.ask("GET", &page, &[], "");
        assert!(!head.starts_with("HTTP/1.1 200"), "{head}");
    }
    assert!(committed.elapsed() < HIDDEN_WITHIN, "{:?} after {:?}", committed.elapsed(), since.elapsed());
    let approve = format!("section=video&id={video}&revision=0&verdict=approve");
    assert_eq!(reader.post(a, "/api/moderate/decide", &approve), "consent_missing");
    let again = ["moderate", "consent", "revoke", "video", &*number, &*model];
    let (output, text) = run(&mut a.command(&again));
    assert!(!output.status.success() && text.contains("to revoke"), "{text}");
    nodes.into_iter().for_each(Node::end);
}

#[tokio::test(flavor = "multi_thread")]
async fn colluding_accounts_hide_nothing_and_trusted_ones_are_limited() {
    let (db, nodes) = site(&[("LANTERN__REPORTS__HIDES_PER_GROUP", "2")]).await;
    let names = members(&db.pool, 4).await;
    sql(&db.pool, "update users set created_at = now() - interval '400 days'").await;
    let mut band = Vec::new();
    for (n, name) in names.iter().enumerate() {
        band.push(Browser::of(&db.pool, name, u8::try_from(n).unwrap()).await);
    }
    let videos = numbers(&db.pool, "select id from videos where visible order by id limit 5").await;
    let report = |who: &[Browser], id: i64| {
        for (n, browser) in who.iter().enumerate() {
            let form = format!("section=video&object_id={id}&reason=minor");
            assert_eq!(browser.post(&nodes[n % 2], "/api/report.php", &form), "ok");
        }
    };
    let hidden = async || {
        numbers(&db.pool, "select object_id from report_hides where section = 'video' order by hidden_at").await
    };

    // These are four old accounts in four networks, without earlier reports.
    report(&band, videos[0]);
    assert_eq!(hidden().await, [0; 0]);
    assert_eq!(
        numbers(&db.pool, "select count(*) from reports where is_urgent and state = 'open'").await,
        [4],
        "pending as urgent"
    );

    // The accounts now have a good record, but they are in one network.
    let right = "insert into reports (subject, email, message, section, object_id, reason, user_id, state, closed_at)
                 select '', 'a@b.example', '', 'video', n, 'minor', u.id, 'resolved', now() from generate_series(900001, 900003) n, users u";
    sql(&db.pool, right).await;
    let same: Vec<Browser> = band
        .iter()
        .map(|one| Browser { id: one.id, cookie: one.cookie.clone(), address: format!("198.51.100.{}", one.id % 200) })
        .collect();
    report(&same, videos[1]);
    assert_eq!(hidden().await, [0; 0]);

    // From separate networks they can hide videos, but at most two (`reports.hides_per_group`) that no moderator has
    // confirmed.
    for id in &videos[2..] {
        report(&band, *id);
    }
    assert_eq!(hidden().await, videos[2..4]);
    for node in &nodes {
        node.forgets(&videos[2..4], "hidden by reports");
        assert!(node.listed().contains(&videos[4]), "held");
    }
    let (output, _) = run(&mut nodes[0].command(&["status"]));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("  1 more objects were not hidden"), "{stdout}");
    nodes.into_iter().for_each(Node::end);
}
