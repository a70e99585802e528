//! Erasure of an account. Only what others need as evidence remains.

use lantern_catalog::{
    account_removal::{self, RemovalOutcome},
    erasure,
    moderation::{Actor, quarantine, uploads},
    reports::queue,
};
use sqlx::AssertSqlSafe;
use time::{Duration, OffsetDateTime};

use crate::{
    report::send::{RIGHT, WRONG},
    support::App,
};

/// Marker contained in every text, name and address of the member.
const MARK: &str = "zyxmark";

/// Returns the tables that have a row with the marker.
async fn tables_with(app: &App, mark: &str) -> Vec<String> {
    let tables = "select table_name::text from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
                  order by 1";
    let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(app.pool()).await.unwrap();
    assert!(tables.len() > 60, "{}", tables.len());
    let mut found = Vec::new();
    for table in tables {
        let query = format!("select count(*) from \"{table}\" r where r::text ilike '%{mark}%'");
        let rows: i64 = sqlx::query_scalar(AssertSqlSafe(query)).fetch_one(app.pool()).await.unwrap();
        if rows > 0 {
            found.push(table);
        }
    }
    found
}

/// Inserts a row with the marker into every table that stores members' texts.
async fn write_everything(app: &App, id: i64) {
    app.change(&format!(
        "update users set email = '{MARK}@mail.example', oidc_subject = '{MARK}' where id = {id};
         insert into profiles (user_id, about, city, education, website, interests, occupation)
             values ({id}, '{MARK}', '{MARK}', '{MARK}', 'https://{MARK}.example', '{MARK}', '{MARK}') on conflict (user_id) do nothing;
         update sessions set agent = '{MARK}' where user_id = {id};
         insert into mail_tokens (token_hash, user_id, purpose, expires_at, email)
             values (sha256('{MARK}'), {id}, 'mail', now() + interval '1 day', '{MARK}@new.example');
         insert into messages (sender_id, recipient_id, body) values ({id}, 1, '{MARK}'), (1, {id}, 'To {MARK}');
         insert into comments (section, object_id, user_id, body) values ('video', 21, {id}, 'A {MARK} word');
         insert into walls (user_id, author_id, body) values (1, {id}, 'A {MARK} word'), ({id}, 1, 'Dear {MARK}');
         insert into playlists (user_id, title, description, visibility) values ({id}, '{MARK}', 'About {MARK}', 'public');
         insert into saved_searches (user_id, name, address, seen_at) values ({id}, '{MARK}', '/search/1/?s={MARK}', now());
         insert into bans (user_id, reason, status_before, lifted_at) values ({id}, '{MARK}', 1, now());
         insert into jobs (kind, payload) values ('mail', '{{\"to\": \"{MARK}@mail.example\", \"username\": \"{MARK}\"}}');
         insert into jobs (kind, payload, state, finished_at, last_error)
             values ('mail', '{{}}', 'failed', now(), '550 no mailbox {MARK}@mail.example');
         insert into albums (id, dir, title, description, lang, gender, status_id, user_id) overriding system value
             values (901, '{MARK}-album', '{MARK}', '{MARK}', 'en', 'str', 1, {id}), (902, '{MARK}-draft', '{MARK}', '{MARK}', 'en', 'str', 3, {id});
         insert into videos (id, dir, title, description, lang, gender, duration, status_id, user_id, is_private) overriding system value
             values (901, '{MARK}-shown', '{MARK}', '{MARK}', 'en', 'str', 60, 1, {id}, false),
                    (902, '{MARK}-private', '{MARK}', '{MARK}', 'en', 'str', 60, 1, {id}, true),
                    (903, '{MARK}-rejected', '{MARK}', '{MARK}', 'en', 'str', 60, 4, {id}, false),
                    (904, '{MARK}-down', '{MARK}', '{MARK}', 'en', 'str', 60, 1, {id}, false),
                    (905, '{MARK}-reported', '{MARK}', '{MARK}', 'en', 'str', 60, 1, {id}, false);
         insert into video_translations (video_id, lang, title, description) select n, 'de', '{MARK}', '{MARK}' from generate_series(901, 905) n;
         insert into uploads (token, user_id, kind, file_name, size_bytes, state, expires_at, sha256, video_id, metadata)
             values ('{MARK}', {id}, 'video', '{MARK}.mp4', 10, 'done', now(), sha256('{MARK}'), 901, '{{\"title\": \"{MARK}\"}}');
         insert into reports (subject, email, message, section, object_id, reason, user_id)
             values ('{MARK}', '{MARK}@mail.example', 'I am {MARK}', 'video', 21, 'spam', {id});
         insert into reports (subject, email, message, section, object_id, reason)
             values ('', 'a@b.example', 'Look', 'video', 905, 'illegal')"
    ))
    .await;
}

#[tokio::test]
async fn erasure_leaves_only_evidence() {
    let app = App::start().await;
    let member = app.member(MARK).await;
    write_everything(&app, member.id).await;
    assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "video", 904, "").await.unwrap());
    assert!(tables_with(&app, MARK).await.len() > 12, "{:?}", tables_with(&app, MARK).await);

    let mut transaction = app.pool().begin().await.unwrap();
    assert_eq!(account_removal::remove(&mut transaction, member.id, true).await.unwrap(), RemovalOutcome::Gone);
    transaction.commit().await.unwrap();
    // Quarantined and reported videos and the member's report remain.
    assert_eq!(tables_with(&app, MARK).await, ["reports", "video_translations", "videos"]);
    let held = "select id from videos where title = 'zyxmark' order by id";
    assert_eq!(app.numbers(held).await, [904, 905]);
    assert_eq!(tables_with(&app, "zyxmark@").await, ["reports"], "moderators may need to reply");

    // The reports are closed and the quarantine ends.
    for (object, verdict) in [(905, RIGHT), (21, WRONG)] {
        let report = app.numbers(&format!("select id from reports where object_id = {object}")).await[0];
        queue::close(app.pool(), &Actor::OPERATOR, report, verdict).await.unwrap().unwrap();
    }
    quarantine::end_due(app.pool(), 30, OffsetDateTime::now_utc() + Duration::days(31)).await.unwrap();
    erasure::forget_texts(&mut app.pool().acquire().await.unwrap()).await.unwrap();
    assert_eq!(tables_with(&app, MARK).await, ["reports"], "reports about others remain");
    assert_eq!(tables_with(&app, "zyxmark@").await, [""; 0]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn uploads_left_to_the_site_keep_texts_without_the_name() {
    let app = App::start().await;
    let member = app.member("zyxname").await;
    write_everything(&app, member.id).await;
    let mut transaction = app.pool().begin().await.unwrap();
    account_removal::remove(&mut transaction, member.id, false).await.unwrap();
    transaction.commit().await.unwrap();
    assert_eq!(tables_with(&app, "zyxname").await, [""; 0]);
    let retained = "select id from videos where title = 'zyxmark' union all select id from albums where title = 'zyxmark' order by 1";
    assert_eq!(app.numbers(retained).await, [901, 901, 904, 905], "public objects remain");
    app.drain().await;
    app.finish().await;
}
