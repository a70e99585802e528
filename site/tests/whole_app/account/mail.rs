//! Mails: content, working links, and reliable delivery.

use lantern_accounts::mail::Mail;
use lantern_catalog::queue;
use lantern_config::{Lang, MailKind, mail_texts};

use crate::support::{App, mails::ReadMail, smtp::SmtpServer};

fn confirm(to: &str, lang: Lang, link: &str) -> Mail {
    Mail::new(MailKind::Confirm, to, "Mika_1", lang).with_link(link)
}

async fn with_server(server: &SmtpServer, retry_seconds: &[u64]) -> App {
    let (smtp, retry_seconds) = (server.url.clone(), retry_seconds.to_vec());
    let app = App::empty(|config| {
        config.mail.smtp = smtp;
        (config.mail.retry_seconds, config.mail.outage_seconds) = (retry_seconds, 0);
        config.mail.from = "Lantern & Söhne <post@tube.example>".to_owned();
        // Mails are sent only when a test flushes.
        config.mail.poll_seconds = 3600;
    })
    .await;
    app.flush().await;
    app
}

/// Returns the numbers of pending and failed mails.
async fn counts(app: &App) -> (i64, i64) {
    let sizes = queue::sizes(app.pool()).await.unwrap();
    sizes.into_iter().find(|size| size.kind == queue::MAIL).map_or((0, 0), |size| (size.waiting, size.failed))
}

async fn claim(app: &App, lease: std::time::Duration) -> Option<queue::Job> {
    queue::claim(&mut app.pool().acquire().await.unwrap(), queue::MAIL, 1, lease).await.unwrap().pop()
}

#[tokio::test]
async fn mails_have_localized_text_and_html_parts() {
    let app = App::empty(|config| config.server.public_url = "https://tube.example/".to_owned()).await;
    for lang in Lang::ALL {
        let to = format!("reader@{lang}.example");
        for kind in MailKind::ALL {
            let mail = Mail::new(*kind, &to, "Mika_1", *lang);
            let mail = match kind {
                MailKind::ReportReceived => Mail { username: None, number: Some(4711), ..mail },
                MailKind::NoAccount => Mail { username: None, ..mail },
                MailKind::MailChanged => mail,
                MailKind::Digest => {
                    let stop = Some("?token=a-b_c".to_owned());
                    Mail { number: Some(4711), stop, ..mail.with_link("/confirm/?token=a-b_c&x=1") }
                }
                _ => mail.with_link("/confirm/?token=a-b_c&x=1"),
            };
            app.state().mailer.send(&mail).await.unwrap();
        }
    }
    let mails = app.mails().await;
    assert_eq!(mails.len(), Lang::ALL.len() * MailKind::ALL.len());
    for mail in &mails {
        let header = |name: &str| mail.headers[name].as_str();
        let lang: Lang = header("content-language").parse().unwrap();
        assert!(
            header("to").ends_with(&format!("reader@{lang}.example>"))
                || header("to") == format!("reader@{lang}.example")
        );
        assert!(header("from").contains("Lantern") && header("from").contains("<no-reply@localhost>"));
        assert_eq!(header("auto-submitted"), "auto-generated");
        assert!(header("message-id").ends_with("@localhost>") && header("mime-version") == "1.0");
        assert!(mail.headers.contains_key("date"));
        let kind = header("message-id").split(['.', '@']).nth(1).unwrap().replace('-', "_");
        let kind: MailKind = kind.parse().unwrap();
        let text = mail_texts::text(kind, lang);
        let filled =
            |text: &str| text.replace("{site}", "Lantern").replace("{number}", "4711").replace("{username}", "Mika_1");
        assert_eq!(header("subject"), filled(&text.subject), "{kind} {lang}");
        for expected in [&text.text, &text.otherwise, &mail_texts::frame(lang).foot].map(|expected| filled(expected)) {
            assert!(mail.text.contains(&expected), "{kind} {lang}: {}", mail.text);
            assert!(mail.html.contains(&expected), "{kind} {lang}: {}", mail.html);
        }
        assert!(mail.html.contains(&format!("<html lang=\"{lang}\">")));
        assert!(!mail.text.contains('{') && !mail.html.contains('{'), "{kind} {lang}");
        assert_eq!(
            mail.html.contains("<a href=\"https://tube.example/confirm/?token=a-b_c&amp;x=1\""),
            !matches!(kind, MailKind::MailChanged | MailKind::ReportReceived | MailKind::NoAccount)
        );
        let stops =
            ["list-unsubscribe", "list-unsubscribe-post"].map(|name| mail.headers.get(name).map(String::as_str));
        let page = "https://tube.example/unsubscribe/?token=a-b_c";
        let by_programs = Some("<https://tube.example/api/unsubscribe.php?token=a-b_c>");
        let (of_digest, none) = ([by_programs, Some("List-Unsubscribe=One-Click")], [None; 2]);
        assert_eq!(stops, if kind == MailKind::Digest { of_digest } else { none }, "{kind}");
        assert_eq!([&mail.text, &mail.html].map(|part| part.contains(page)), [kind == MailKind::Digest; 2], "{kind}");
        assert!(!mail.html.contains("<img") && !mail.html.contains("<link"), "no remote content");
    }
    app.finish().await;
}

#[tokio::test]
async fn links_point_to_the_site() {
    let app = App::start().await;
    app.state().mailer.send(&confirm("reader@mail.example", Lang::En, "/api/me.php?a=1&b=%2F")).await.unwrap();
    let mail = app.mail_to("reader@mail.example").await;
    assert!(mail.link().starts_with("http://127.0.0.1:8080/api/me.php?"), "{}", mail.link());
    assert_eq!(mail.path(), "/api/me.php?a=1&b=%2F");
    assert_eq!(app.get(&mail.path()).await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn mail_folder_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let app = App::empty(|_| {}).await;
    app.state().mailer.send(&confirm("reader@mail.example", Lang::De, "/")).await.unwrap();
    assert_eq!(app.mails().await.len(), 1);
    let folder = app.state().config.data_dir.join("mail");
    assert_eq!(std::fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(counts(&app).await, (0, 0), "sent mails leave the queue");
    app.finish().await;
}

#[tokio::test]
async fn mail_folder_is_created_at_startup_or_startup_fails() {
    let app = App::empty(|_| {}).await;
    let mut config = lantern_config::Config::clone(&app.state().config);
    assert!(config.data_dir.join("mail").is_dir());
    let file = config.data_dir.join("no-folder");
    std::fs::write(&file, "").unwrap();
    config.data_dir = file;
    let refused = lantern_accounts::mail::Mailer::new(app.pool().clone(), &config).err().unwrap();
    assert!(format!("{refused:#}").contains("failed to create the mail folder"), "{refused:#}");
    app.finish().await;
}

#[tokio::test]
async fn mail_is_sent_only_after_its_transaction_commits() {
    let app = App::empty(|_| {}).await;
    let mut tx = app.pool().begin().await.unwrap();
    app.state().mailer.queue(&mut tx, &confirm("never@mail.example", Lang::En, "/")).await.unwrap();
    tx.rollback().await.unwrap();
    let mut tx = app.pool().begin().await.unwrap();
    app.state().mailer.queue(&mut tx, &confirm("soon@mail.example", Lang::En, "/")).await.unwrap();
    assert!(app.mails().await.is_empty());
    tx.commit().await.unwrap();
    assert_eq!(app.mails().await[0].headers["to"], "Mika_1 <soon@mail.example>");
    app.finish().await;
}

#[tokio::test]
async fn refuses_addresses_that_inject_headers() {
    let app = App::empty(|_| {}).await;
    for address in ["a@b.example\r\nBcc: all@b.example", "a@b.example, c@b.example", "<a@b.example>", "nobody"] {
        app.state().mailer.send(&confirm(address, Lang::En, "/")).await.unwrap();
    }
    assert!(app.mails().await.is_empty());
    assert_eq!(counts(&app).await, (0, 4));
    let unexpected = app.numbers("select count(*) from jobs where payload <> '{}' or last_error is null").await;
    assert_eq!(unexpected, [0], "the error is stored, the payload deleted");
    app.finish().await;
}

#[tokio::test]
async fn delivers_complete_mail_over_smtp() {
    let server = SmtpServer::start().await;
    let app = with_server(&server, &[0]).await;
    app.state().mailer.send(&confirm("reader@mail.example", Lang::Ja, "/api/me.php")).await.unwrap();
    app.flush().await;
    let mails = server.mails();
    let [arrived] = &mails[..] else { panic!("{mails:?}") };
    assert_eq!((&*arrived.from, &*arrived.to), ("post@tube.example", "reader@mail.example"));
    let mail = ReadMail::parse(&arrived.raw);
    assert!(mail.headers["from"].contains("Lantern & Söhne"), "{}", mail.headers["from"]);
    assert!(mail.text.contains("Mika_1さん") && mail.html.contains("Lantern &amp; Söhne"));
    assert_eq!(counts(&app).await, (0, 0));
    app.finish().await;
}

#[tokio::test]
async fn deferred_mail_is_retried_with_the_same_message_id() {
    let server = SmtpServer::start().await;
    let app = with_server(&server, &[3600, 3600]).await;
    server.refuse(&["451 later"]);
    app.state()
        .mailer
        .queue(&mut app.pool().acquire().await.unwrap(), &confirm("reader@mail.example", Lang::En, "/"))
        .await
        .unwrap();
    app.flush().await;
    assert_eq!((server.mails().len(), counts(&app).await), (0, (1, 0)));
    let id = app.numbers("select id from jobs where kind = 'mail' and state = 'queued' and attempts = 1").await[0];
    app.flush().await;
    assert!(server.mails().is_empty(), "the retry is not due");
    app.sql("update jobs set run_at = now()").await;
    app.flush().await;
    let mail = ReadMail::parse(&server.mails()[0].raw);
    assert_eq!(mail.headers["message-id"], format!("<{id}.confirm@tube.example>"));
    assert_eq!(counts(&app).await, (0, 0));
    app.finish().await;
}

#[tokio::test]
async fn undeliverable_mail_is_given_up_and_blocks_no_other() {
    let server = SmtpServer::start().await;
    let app = with_server(&server, &[0]).await;
    server.refuse(&["550 no such mailbox"]);
    for reader in ["gone@mail.example", "here@mail.example"] {
        app.state()
            .mailer
            .queue(&mut app.pool().acquire().await.unwrap(), &confirm(reader, Lang::En, "/"))
            .await
            .unwrap();
    }
    app.flush().await;
    assert_eq!(server.mails().iter().map(|mail| &*mail.to).collect::<Vec<_>>(), ["here@mail.example"]);
    assert_eq!(counts(&app).await, (0, 1));
    // A mail that is always deferred is given up after the last retry.
    server.refuse(&["451 later", "451 later"]);
    app.state()
        .mailer
        .queue(&mut app.pool().acquire().await.unwrap(), &confirm("full@mail.example", Lang::En, "/"))
        .await
        .unwrap();
    app.flush().await;
    app.flush().await;
    assert_eq!((server.mails().len(), counts(&app).await), (1, (0, 2)));
    app.finish().await;
}

#[tokio::test]
async fn mail_survives_sender_crash_and_unreachable_server() {
    let server = SmtpServer::start().await;
    let url = server.url.clone();
    let app = with_server(&server, &[0, 0, 0]).await;
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let unreachable = format!("smtp://{}", closed.local_addr().unwrap());
    drop(closed);
    // The first node can't reach the mail server.
    let mut config = lantern_config::Config::clone(&app.state().config);
    config.mail.smtp = unreachable;
    let (first_mailer, task) = lantern_accounts::mail::Mailer::new(app.pool().clone(), &config).unwrap();
    tokio::spawn(async move { task.run().await });
    first_mailer.send(&confirm("reader@mail.example", Lang::En, "/")).await.unwrap();
    first_mailer.flush().await.unwrap();
    assert_eq!(counts(&app).await, (1, 0));
    drop(first_mailer);
    // The second node dies while sending, and its lease expires.
    let claimed = claim(&app, std::time::Duration::ZERO).await.unwrap();
    assert!(claimed.payload["to"] == "reader@mail.example" && server.mails().is_empty());
    config.mail.smtp = url;
    let (third, task) = lantern_accounts::mail::Mailer::new(app.pool().clone(), &config).unwrap();
    tokio::spawn(async move { task.run().await });
    third.flush().await.unwrap();
    assert_eq!(server.mails().len(), 1);
    assert_eq!(counts(&app).await, (0, 0));
    app.finish().await;
}

#[tokio::test]
async fn mail_is_claimed_by_one_node_at_a_time() {
    let app = App::empty(|config| config.mail.poll_seconds = 3600).await;
    app.flush().await;
    let mut conn = app.pool().acquire().await.unwrap();
    app.state().mailer.queue(&mut conn, &confirm("reader@mail.example", Lang::En, "/")).await.unwrap();
    let claim = async || claim(&app, std::time::Duration::from_secs(60)).await;
    let claimed = claim().await.unwrap();
    assert!(claim().await.is_none(), "the lease is still valid");
    app.sql("update jobs set claimed_until = clock_timestamp() - interval '1 second'").await;
    let again = claim().await.unwrap();
    assert_eq!((again.id, claimed.attempts, again.attempts), (claimed.id, 1, 2));
    app.finish().await;
}

async fn queue(app: &App, readers: &[&str]) {
    for reader in readers {
        let mut conn = app.pool().acquire().await.unwrap();
        app.state().mailer.queue(&mut conn, &confirm(reader, Lang::En, "/")).await.unwrap();
    }
}

#[tokio::test]
async fn deferred_mail_blocks_no_other() {
    let server = SmtpServer::start().await;
    let app = with_server(&server, &[3600]).await;
    queue(&app, &["grey@mail.example", "here@mail.example", "full@mail.example", "there@mail.example"]).await;
    server.refuse(&["450 greylisted, try again", "250 fine", "452 mailbox full"]);
    app.flush().await;
    let arrived = || server.mails().into_iter().map(|mail| mail.to).collect::<Vec<_>>();
    assert_eq!(arrived(), ["here@mail.example", "there@mail.example"]);
    let deferred = "select count(*) from jobs where kind = 'mail' and state = 'queued' and attempts = 1
                 and run_at > now() + interval '59 minutes'";
    assert_eq!(app.numbers(deferred).await, [2]);
    app.sql("update jobs set run_at = now()").await;
    app.flush().await;
    assert_eq!(arrived()[2..], ["grey@mail.example", "full@mail.example"]);
    let counts = &app.state().mailer.counts;
    assert_eq!([&counts.done, &counts.delayed, &counts.outages].map(|count| count.get()), [4, 2, 0]);
    app.finish().await;
}

#[tokio::test]
async fn outages_do_not_count_as_attempts() {
    let server = SmtpServer::start().await;
    let app = with_server(&server, &[3600]).await;
    queue(&app, &["one@mail.example", "two@mail.example"]).await;
    // A greeting that looks like the refusal of a mail is an outage too.
    for greeting in ["421 too busy", "450 slow down", "554 no service here"] {
        *server.turned_away.lock().unwrap() = Some(greeting);
        app.flush().await;
        assert_eq!(counts(&app).await, (2, 0), "{greeting}");
    }
    *server.turned_away.lock().unwrap() = None;
    server.refuse(&["421 going down"]);
    app.flush().await;
    assert_eq!(app.numbers("select count(*) from jobs where attempts = 0 and run_at <= now()").await, [2]);
    assert_eq!(app.state().mailer.counts.outages.get(), 4);
    app.flush().await;
    assert_eq!(server.mails().len(), 2);
    app.finish().await;
}

#[tokio::test]
async fn mail_that_expires_or_crashes_its_sender_is_given_up_with_reason() {
    let server = SmtpServer::start().await;
    let app = with_server(&server, &[3600]).await;
    queue(&app, &["old@mail.example", "young@mail.example"]).await;
    app.sql("update jobs set created_at = now() - interval '49 hours' where payload->>'to' like 'old%'").await;
    *server.turned_away.lock().unwrap() = Some("421 too busy");
    app.flush().await;
    let given_up = |why: &str| {
        format!("select count(*) from jobs where state = 'failed' and payload = '{{}}' and last_error like '{why}%'")
    };
    assert_eq!(app.numbers(&given_up("it is older than mail.expire_hours; ")).await, [1]);
    assert_eq!((counts(&app).await, app.state().mailer.counts.given_up.get()), ((1, 1), 1));
    // Every claim ended because the sender crashed.
    *server.turned_away.lock().unwrap() = None;
    app.sql("update jobs set attempts = 2 where state = 'queued'").await;
    app.flush().await;
    assert_eq!(app.numbers(&given_up("no worker completed it")).await, [1]);
    assert!(server.mails().is_empty());
    app.finish().await;
}
