//! With `accounts.disclose_addresses` off, nothing but mails tells which addresses have an account.

use serde_json::{Value, json};

use crate::{
    account::signup::{login, signed_up, site},
    support::{App, Reply, Session},
};

async fn discreet() -> App {
    site(|config| {
        config.accounts.disclose_addresses = false;
        config.accounts.confirm_again_seconds = 0;
    })
    .await
}

fn form<'a>(usr: &'a str, eml: &'a str) -> [(&'a str, &'a str); 4] {
    [("usr", usr), ("eml", eml), ("pwd", "battery staple"), ("agree18", "1")]
}

/// What a stranger sees of an answer.
fn seen(reply: &Reply) -> (u16, Value, Vec<String>) {
    let mut body = reply.json();
    body.as_object_mut().unwrap().remove("request_id");
    let mut headers: Vec<String> = reply.headers.keys().map(ToString::to_string).collect();
    headers.sort();
    (reply.status, body, headers)
}

/// The kind and the recipient of every mail that was queued since the last time.
async fn mails(app: &App) -> Vec<(String, String)> {
    app.flush().await;
    let text = |mail: &Value, key: &str| mail[key].as_str().unwrap().to_owned();
    let mails = app.queued_mails().await.iter().map(|mail| (text(mail, "kind"), text(mail, "to"))).collect();
    app.sql("truncate kept_mails").await;
    mails
}

fn mail(kind: &str, to: &str) -> (String, String) {
    (kind.to_owned(), to.to_owned())
}

/// Passwords hashed or checked so far.
async fn hashes(app: &App) -> u64 {
    let figures = app.watch("/metrics").await.text();
    figures.lines().find_map(|line| line.strip_prefix("lantern_password_hashes_total ")?.parse().ok()).unwrap()
}

/// The answer, and the hashes it took.
async fn costing(app: &App, asked: impl Future<Output = Reply>) -> (Reply, u64) {
    let before = hashes(app).await;
    let reply = asked.await;
    (reply, hashes(app).await - before)
}

fn somewhere(app: &App, number: u8) -> Session {
    app.guest().at(&format!("203.0.113.{number}"))
}

#[tokio::test]
async fn signing_up_looks_the_same_whether_or_not_the_address_has_an_account() {
    let app = discreet().await;
    signed_up(&app).await;
    mails(&app).await;
    let sign_up =
        async |from, usr, eml| costing(&app, somewhere(&app, from).post("/api/signup.php", &form(usr, eml))).await;
    let (free, of_free) = sign_up(1, "newcomer", "free@example.org").await;
    let (taken, of_taken) = sign_up(2, "stranger", "MIKA@example.org").await;
    assert_eq!(seen(&free), seen(&taken));
    assert_eq!((free.status, of_free, of_taken), (200, 1, 1));
    assert_eq!(mails(&app).await, [mail("confirm", "free@example.org"), mail("already_member", "mika@example.org")]);
    // Asked for once more, both names are taken; names are no secret, and cost the same.
    let (again_free, of_free) = sign_up(3, "Newcomer", "other@example.org").await;
    let (again_taken, of_taken) = sign_up(4, "Stranger", "other@example.org").await;
    again_free.refused(409, "usr_occupied");
    assert_eq!(seen(&again_free), seen(&again_taken));
    assert_eq!((of_free, of_taken), (1, 1));
    assert!(mails(&app).await.is_empty());
    // Nor does signing in with what was just chosen tell: one account waits for its confirmation, the other isn't there.
    for (real, none) in [("newcomer", "stranger"), ("free@example.org", "mika@example.org")] {
        let (real, of_real) = costing(&app, login(&somewhere(&app, 5), real, "battery staple")).await;
        let (none, of_none) = costing(&app, login(&somewhere(&app, 6), none, "battery staple")).await;
        real.refused(401, "invalid_usr_or_pwd");
        assert_eq!(seen(&real), seen(&none));
        assert_eq!((of_real, of_none), (1, 1));
        assert_eq!(mails(&app).await, [mail("confirm", "free@example.org")]);
    }
    // A name that nobody confirmed is free again.
    app.sql("update held_names set until = to_timestamp(1789999999)").await;
    app.sweep().await;
    assert_eq!(app.numbers("select count(*) from held_names").await, [0]);
    assert_eq!(sign_up(7, "stranger", "later@example.org").await.0.status, 200);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn failed_sign_ins_are_counted_alike() {
    let app = discreet().await;
    let browser = app.guest();
    assert_eq!(browser.post("/api/signup.php", &form("newcomer", "free@example.org")).await.status, 200);
    let tries = async |usr: &str, from| {
        let browser = somewhere(&app, from);
        let mut statuses = Vec::new();
        for _ in 0..7 {
            statuses.push(login(&browser, usr, "battery staple").await.status);
        }
        statuses
    };
    let (waiting, none) = (tries("newcomer", 8).await, tries("somebody", 9).await);
    assert_eq!(waiting, none);
    assert!(waiting.contains(&429), "{waiting:?}");
    app.flush().await;
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn a_forgotten_password_looks_the_same_for_every_address() {
    let app = discreet().await;
    signed_up(&app).await;
    mails(&app).await;
    let ask =
        async |from, eml: &str| costing(&app, somewhere(&app, from).post("/api/restore.php", &[("eml", eml)])).await;
    let (known, of_known) = ask(1, "mika@example.org").await;
    let (unknown, of_unknown) = ask(2, "Nobody@example.org").await;
    assert_eq!(known.json(), json!({"ok": 1}));
    assert_eq!(seen(&known), seen(&unknown));
    assert_eq!((of_known, of_unknown), (0, 0));
    let mut sent = mails(&app).await;
    sent.sort();
    assert_eq!(sent, [mail("no_account", "Nobody@example.org"), mail("restore", "mika@example.org")]);
    // A banned member has nothing to restore, which is nobody else's business.
    app.change("update users set status_id = 5").await;
    assert_eq!(seen(&ask(3, "mika@example.org").await.0), seen(&known));
    assert!(mails(&app).await.is_empty());
    app.finish().await;
}

#[tokio::test]
async fn a_member_does_not_learn_either_who_has_an_address() {
    let app = discreet().await;
    let browser = signed_up(&app).await;
    let mut mika =
        Session { cookie: login(&browser, "Mika", "correct horse").await.cookies(), ..browser.at("127.0.0.1") };
    app.sql(
        "insert into users (username, email, email_confirmed_at) values ('lena', 'lena@example.org', to_timestamp(1780000000))",
    )
    .await;
    mails(&app).await;
    let mut answers = Vec::new();
    for eml in ["free@example.org", "lena@example.org"] {
        let reply = mika.post("/api/account.php", &[("act", "mail"), ("eml", eml), ("pwd_now", "correct horse")]).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        mika = Session { cookie: reply.cookies(), ..mika.at("127.0.0.1") };
        let shown = mika.get("/api/account.php").await;
        answers.push((seen(&reply), shown.status, shown.text().replace(eml, "…").contains("…")));
        if eml == "free@example.org" {
            assert_eq!(mails(&app).await, [mail("mail_asked", "mika@example.org"), mail("confirm_new", eml)]);
        } else {
            assert_eq!(mails(&app).await, [mail("mail_asked", "mika@example.org"), mail("already_member", eml)]);
        }
    }
    assert_eq!(answers[0], answers[1]);
    app.drain().await;
    app.finish().await;
}
