//! If `accounts.disclose_addresses` is off, only mails reveal which addresses have an account.

use serde_json::{Value, json};

use crate::{
    account::signup::{login, signed_up, site},
    support::{App, Reply, Session},
};

async fn undisclosed_site() -> App {
    site(|config| {
        config.accounts.disclose_addresses = false;
        config.accounts.confirm_again_seconds = 0;
    })
    .await
}

fn form<'a>(usr: &'a str, eml: &'a str) -> [(&'a str, &'a str); 4] {
    [("usr", usr), ("eml", eml), ("pwd", "battery staple"), ("agree18", "1")]
}

/// Returns the parts of a response that must not differ between addresses.
fn comparable(reply: &Reply) -> (u16, Value, Vec<String>) {
    let mut body = reply.json();
    body.as_object_mut().unwrap().remove("request_id");
    let mut headers: Vec<String> = reply.headers.keys().map(ToString::to_string).collect();
    headers.sort();
    (reply.status, body, headers)
}

/// Returns the kind and recipient of every mail queued since the last call.
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

/// Returns the number of passwords hashed or checked so far.
async fn hashes(app: &App) -> u64 {
    let figures = app.watch("/metrics").await.text();
    figures.lines().find_map(|line| line.strip_prefix("lantern_password_hashes_total ")?.parse().ok()).unwrap()
}

/// Returns the response and the number of hashes it took.
async fn with_hashes(app: &App, request: impl Future<Output = Reply>) -> (Reply, u64) {
    let before = hashes(app).await;
    let reply = request.await;
    (reply, hashes(app).await - before)
}

fn client(app: &App, number: u8) -> Session {
    app.guest().at(&format!("203.0.113.{number}"))
}

#[tokio::test]
async fn sign_up_responses_do_not_reveal_accounts() {
    let app = undisclosed_site().await;
    signed_up(&app).await;
    mails(&app).await;
    let sign_up =
        async |from, usr, eml| with_hashes(&app, client(&app, from).post("/api/signup.php", &form(usr, eml))).await;
    let (free, free_hashes) = sign_up(1, "newcomer", "free@example.org").await;
    let (taken, taken_hashes) = sign_up(2, "stranger", "MIKA@example.org").await;
    assert_eq!(comparable(&free), comparable(&taken));
    assert_eq!((free.status, free_hashes, taken_hashes), (200, 1, 1));
    assert_eq!(mails(&app).await, [mail("confirm", "free@example.org"), mail("already_member", "mika@example.org")]);
    // Both names are now taken. This may be revealed because names are public, and both responses cost the same.
    let (again_free, free_hashes) = sign_up(3, "Newcomer", "other@example.org").await;
    let (again_taken, taken_hashes) = sign_up(4, "Stranger", "other@example.org").await;
    again_free.refused(409, "usr_occupied");
    assert_eq!(comparable(&again_free), comparable(&again_taken));
    assert_eq!((free_hashes, taken_hashes), (1, 1));
    assert!(mails(&app).await.is_empty());
    // Signing in with the chosen password reveals nothing either: one account is unconfirmed, and the other does not
    // exist.
    for (real, none) in [("newcomer", "stranger"), ("free@example.org", "mika@example.org")] {
        let (real, real_hashes) = with_hashes(&app, login(&client(&app, 5), real, "battery staple")).await;
        let (none, none_hashes) = with_hashes(&app, login(&client(&app, 6), none, "battery staple")).await;
        real.refused(401, "invalid_usr_or_pwd");
        assert_eq!(comparable(&real), comparable(&none));
        assert_eq!((real_hashes, none_hashes), (1, 1));
        assert_eq!(mails(&app).await, [mail("confirm", "free@example.org")]);
    }
    // A name that is never confirmed is released.
    app.sql("update held_names set until = to_timestamp(1789999999)").await;
    app.sweep().await;
    assert_eq!(app.numbers("select count(*) from held_names").await, [0]);
    assert_eq!(sign_up(7, "stranger", "later@example.org").await.0.status, 200);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn failed_sign_ins_count_equally_without_an_account() {
    let app = undisclosed_site().await;
    let browser = app.guest();
    assert_eq!(browser.post("/api/signup.php", &form("newcomer", "free@example.org")).await.status, 200);
    let tries = async |usr: &str, from| {
        let browser = client(&app, from);
        let mut statuses = Vec::new();
        for _ in 0..7 {
            statuses.push(login(&browser, usr, "battery staple").await.status);
        }
        statuses
    };
    let (unconfirmed, unknown) = (tries("newcomer", 8).await, tries("somebody", 9).await);
    assert_eq!(unconfirmed, unknown);
    assert!(unconfirmed.contains(&429), "{unconfirmed:?}");
    app.flush().await;
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn restore_responses_do_not_reveal_accounts() {
    let app = undisclosed_site().await;
    signed_up(&app).await;
    mails(&app).await;
    let restore =
        async |from, eml: &str| with_hashes(&app, client(&app, from).post("/api/restore.php", &[("eml", eml)])).await;
    let (known, known_hashes) = restore(1, "mika@example.org").await;
    let (unknown, unknown_hashes) = restore(2, "Nobody@example.org").await;
    assert_eq!(known.json(), json!({"ok": 1}));
    assert_eq!(comparable(&known), comparable(&unknown));
    assert_eq!((known_hashes, unknown_hashes), (0, 0));
    let mut sent = mails(&app).await;
    sent.sort();
    assert_eq!(sent, [mail("no_account", "Nobody@example.org"), mail("restore", "mika@example.org")]);
    // A banned member cannot reset the password, and the response does not reveal the ban.
    app.change("update users set status_id = banned()").await;
    assert_eq!(comparable(&restore(3, "mika@example.org").await.0), comparable(&known));
    assert!(mails(&app).await.is_empty());
    app.finish().await;
}

#[tokio::test]
async fn address_change_does_not_reveal_accounts() {
    let app = undisclosed_site().await;
    let browser = signed_up(&app).await;
    let mut mika =
        Session { cookie: login(&browser, "Mika", "correct horse").await.cookies(), ..browser.at("127.0.0.1") };
    app.sql(
        "insert into users (username, email, email_confirmed_at) values ('lena', 'lena@example.org', to_timestamp(1780000000))",
    )
    .await;
    mails(&app).await;
    let mut responses = Vec::new();
    for eml in ["free@example.org", "lena@example.org"] {
        let reply = mika.post("/api/account.php", &[("act", "mail"), ("eml", eml), ("pwd_now", "correct horse")]).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        mika = Session { cookie: reply.cookies(), ..mika.at("127.0.0.1") };
        let shown = mika.get("/api/account.php").await;
        responses.push((comparable(&reply), shown.status, shown.text().replace(eml, "…").contains("…")));
        if eml == "free@example.org" {
            assert_eq!(mails(&app).await, [mail("mail_asked", "mika@example.org"), mail("confirm_new", eml)]);
        } else {
            assert_eq!(mails(&app).await, [mail("mail_asked", "mika@example.org"), mail("already_member", eml)]);
        }
    }
    assert_eq!(responses[0], responses[1]);
    app.drain().await;
    app.finish().await;
}
