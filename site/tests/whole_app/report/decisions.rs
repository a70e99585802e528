//! Moderators' decisions on objects hidden by reports, and changes that the owners make in the meantime.

use lantern_catalog::{
    films::{self, FilmDetails},
    managed,
    moderation::Actor,
    reports::queue::{self, ClosingOutcome, ReportVerdict},
    status::UploadStatus,
};
use lantern_config::Config;
use time::OffsetDateTime;

use crate::{
    report::send::{RIGHT, WRONG, complain, no_captcha},
    support::{App, NOW, Session, done},
};

/// Disables gains in trust, so that four members always have the same weight.
fn even(config: &mut Config) {
    no_captcha(config);
    config.reports.trust_gain = 0;
}

/// One object of each kind that can be hidden, each with the query that counts it while it is visible.
const HIDEABLE: [(&str, &str); 5] = [
    ("video", "select count(*) from videos where id = 1 and visible"),
    ("album", "select count(*) from albums where id = 1 and visible"),
    ("playlist", "select count(*) from playlists where id = 1 and visibility = 'public'"),
    ("comment", "select count(*) from comments where id = 1 and deleted_at is null"),
    ("wall", "select count(*) from walls where id = 1 and deleted_at is null"),
];

/// Returns members whose joint reports hide an object.
async fn jury(app: &App) -> Vec<Session> {
    let mut members = Vec::new();
    for n in 0..4 {
        members.push(app.proven(&format!("proven{n}"), n).await);
    }
    members
}

async fn hide(app: &App, jury: &[Session], section: &str) {
    for member in jury {
        assert_eq!(complain(member, section, "1", "illegal").await.status, 200, "{section}");
    }
    let hides = format!("select count(*) from report_hides where section = '{section}' and object_id = 1");
    assert_eq!(app.numbers(&hides).await, [1], "{section}");
}

async fn close(app: &App, section: &str, verdict: ReportVerdict<'_>) -> ClosingOutcome {
    let first = format!("select min(id) from reports where section = '{section}' and state = 'open'");
    let closed =
        queue::close(app.pool(), &Actor::OPERATOR, app.numbers(&first).await[0], verdict).await.unwrap().unwrap();
    app.drain().await;
    closed
}

#[tokio::test]
async fn rejected_reports_restore_every_kind_of_object() {
    let app = App::configured(even).await;
    let jury = jury(&app).await;
    app.change("update videos set user_id = (select min(id) from users) where id = 1").await;
    for (section, shown) in HIDEABLE {
        assert_eq!(app.numbers(shown).await, [1], "{section}");
        hide(&app, &jury, section).await;
        assert_eq!(app.numbers(shown).await, [0], "{section}");
    }
    for (section, shown) in HIDEABLE {
        let closed = close(&app, section, WRONG).await;
        assert_eq!(closed, ClosingOutcome { reports: 4, removed: false, restored: true, hidden: false });
        assert_eq!(app.numbers(shown).await, [1], "{section}");
    }
    let notified = app.numbers("select count(*) from notifications where kind = 'upload_published'").await;
    assert_eq!(notified, [0], "it was published before");
    app.finish().await;
}

#[tokio::test]
async fn confirmed_reports_keep_object_hidden_until_shown_again() {
    let app = App::configured(even).await;
    let jury = jury(&app).await;
    // All objects are hidden first, because members gain weight from confirmed reports.
    for (section, _) in HIDEABLE {
        hide(&app, &jury, section).await;
    }
    for (section, shown) in HIDEABLE {
        let closed = close(&app, section, RIGHT).await;
        assert_eq!(app.numbers(shown).await, [0], "{section} was published again");
        assert_eq!(closed, ClosingOutcome { reports: 4, removed: false, restored: false, hidden: true }, "{section}");
    }
    for (section, shown) in HIDEABLE {
        assert!(queue::show_again(app.pool(), &Actor::OPERATOR, section, 1).await.unwrap(), "{section}");
        assert!(!queue::show_again(app.pool(), &Actor::OPERATOR, section, 1).await.unwrap(), "{section} twice");
        assert_eq!(app.numbers(shown).await, [1], "{section}");
    }
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn one_confirmed_report_keeps_object_hidden_unless_verdict_shows_it() {
    let app = App::configured(even).await;
    let jury = jury(&app).await;
    hide(&app, &jury, "video").await;
    hide(&app, &jury, "album").await;
    close(&app, "video", ReportVerdict { all: false, ..RIGHT }).await;
    assert!(close(&app, "video", WRONG).await.hidden);
    assert_eq!(app.numbers(HIDEABLE[0].1).await, [0]);
    assert!(close(&app, "album", ReportVerdict { show: true, ..RIGHT }).await.restored);
    assert_eq!(app.numbers(HIDEABLE[1].1).await, [1]);
    app.finish().await;
}

#[tokio::test]
async fn object_stays_hidden_until_its_last_report_is_closed() {
    let app = App::configured(even).await;
    hide(&app, &jury(&app).await, "video").await;
    let one = ReportVerdict { all: false, ..WRONG };
    for left in [3, 2, 1, 0] {
        let closed = close(&app, "video", one).await;
        assert_eq!(
            closed,
            ClosingOutcome { reports: 1, removed: false, restored: left == 0, hidden: left > 0 },
            "{left}"
        );
        let waiting = "select count(*) from reports where state = 'open'";
        assert_eq!(
            (app.numbers(waiting).await, app.numbers(HIDEABLE[0].1).await),
            (vec![left], vec![i64::from(left == 0)])
        );
    }
    app.finish().await;
}

#[tokio::test]
async fn object_deleted_by_its_owner_is_not_restored() {
    let app = App::configured(even).await;
    let jury = jury(&app).await;
    for section in ["video", "comment", "wall"] {
        hide(&app, &jury, section).await;
    }
    app.change("update videos set status_id = deleted() where id = 1").await;
    let author = async |table: &str, column: &str| {
        let id = app.numbers(&format!("select {column} from {table} where id = 1")).await[0];
        app.sign_in(id, "author").await
    };
    done(&author("comments", "user_id").await.act(&[("act", "comm_del"), ("comment_id", "1")]).await);
    done(&author("walls", "author_id").await.act(&[("act", "wall_del"), ("wall_id", "1")]).await);
    for (section, shown) in HIDEABLE.into_iter().filter(|(section, _)| ["video", "comment", "wall"].contains(section)) {
        close(&app, section, WRONG).await;
        assert_eq!(app.numbers(shown).await, [0], "{section}");
    }
    app.finish().await;
}

#[tokio::test]
async fn owner_cannot_publish_hidden_playlist_before_a_decision() {
    let app = App::configured(even).await;
    let jury = jury(&app).await;
    let owner = app.sign_in(2, "other").await;
    hide(&app, &jury, "playlist").await;
    let set_visible = async |visible: &str| {
        let form = [
            ("act", "playlist"),
            ("section", "upd"),
            ("object_id", "1"),
            ("title", "Evenings"),
            ("desc", "For evenings"),
        ];
        done(&owner.act(&[&form[..], &[("visible", visible)]].concat()).await);
        app.drain().await;
    };
    let shown = HIDEABLE[2].1;
    set_visible("1").await;
    assert_eq!(app.numbers(shown).await, [0]);
    assert_eq!(app.numbers("select count(*) from playlists where id = 1 and title = 'Evenings'").await, [1]);
    // After the decision, the owner's last choice applies.
    set_visible("0").await;
    assert!(close(&app, "playlist", WRONG).await.restored);
    assert_eq!(app.numbers(shown).await, [0]);
    set_visible("1").await;
    assert_eq!(app.numbers(shown).await, [1]);
    app.finish().await;
}

#[tokio::test]
async fn removed_video_is_not_restored_on_its_scheduled_day() {
    let app = App::configured(even).await;
    let member = app.settled("settled").await;
    assert_eq!(complain(&member, "video", "1", "illegal").await.status, 200);
    app.change(
        "update videos set restore_status_id = published(), status_id = deleted(), readd_at = to_timestamp(1790000000) where id = 1",
    )
    .await;
    assert!(close(&app, "video", ReportVerdict { remove: true, ..RIGHT }).await.removed);
    let later = OffsetDateTime::from_unix_timestamp(NOW + 1).unwrap();
    assert_eq!(managed::bring_back(app.pool(), later).await.unwrap(), 0);
    assert_eq!(app.numbers(HIDEABLE[0].1).await, [0]);
    app.finish().await;
}

#[tokio::test]
async fn video_edited_while_hidden_needs_review() {
    let app = App::configured(even).await;
    hide(&app, &jury(&app).await, "video").await;
    let owner = app.numbers("select user_id from videos where id = 1").await[0];
    let own = films::own(&mut app.pool().acquire().await.unwrap(), owner, 1).await.unwrap().unwrap();
    let details = FilmDetails { title: "Another one".to_owned(), ..own.details };
    let mut transaction = app.pool().begin().await.unwrap();
    let revised = films::revise(&mut transaction, owner, 1, &details).await.unwrap();
    assert_eq!(revised, Some(UploadStatus::InReview));
    transaction.commit().await.unwrap();
    close(&app, "video", WRONG).await;
    assert_eq!(app.numbers("select status_id::bigint from videos where id = 1").await, [2]);
    app.finish().await;
}
