//! Weight of reports: whose reports hide an object, and the limits per network and group.

use lantern_catalog::{
    moderation::Actor,
    reports::{
        self,
        queue::{self, WantedReports},
    },
};
use lantern_config::Config;
use serde_json::json;
use time::OffsetDateTime;

use crate::{
    moderate::decide::QUEUE,
    report::send::{RIGHT, complain, no_captcha},
    support::{App, NOW, Session},
};

/// Returns two members with confirmed reports, who together have enough weight to hide an object.
async fn pair(app: &App, number: u8) -> [Session; 2] {
    [app.proven(&format!("one{number}"), 2 * number).await, app.proven(&format!("two{number}"), 2 * number + 1).await]
}

/// Lets each member report the video with a fresh rate limit. Returns whether it is now hidden.
async fn report(app: &App, pair: &[Session], id: i64) -> bool {
    for member in pair {
        let key = lantern_ratelimit::Key::member(member.id);
        app.state().limits.clear(lantern_ratelimit::Action::Contact, &key).await.unwrap();
        assert_eq!(complain(member, "video", &id.to_string(), "minor").await.status, 200);
    }
    app.numbers(&format!("select count(*) from report_hides where section = 'video' and object_id = {id}")).await == [1]
}

#[tokio::test]
async fn only_members_with_confirmed_reports_hide_and_other_reports_are_queued_as_urgent() {
    let app = App::configured(no_captcha).await;
    let nils = app.moderator("nils").await;
    // Another video is reported for a less severe reason.
    let settled = app.settled("spammed").await;
    assert_eq!(complain(&settled, "video", "5", "illegal").await.status, 200);
    for n in 0..20 {
        let member = app.settled(&format!("settled{n}")).await.at(&format!("203.0.{n}.1"));
        assert_eq!(complain(&member, "video", "1", "minor").await.status, 200);
    }
    assert_eq!(app.numbers("select count(*) from report_hides").await, [0], "old accounts alone hide nothing");
    let queue = nils.get(QUEUE).await.json();
    let first = &queue["uploads"][0];
    assert_eq!(
        (&first["section"], &first["id"], &first["is_urgent"]),
        (&json!("video"), &json!(1), &json!(true)),
        "{first}"
    );
    let others = queue["uploads"].as_array().unwrap();
    assert!(others.iter().any(|row| row["id"] == 5 && row["is_urgent"] == false), "severe but not urgent");
    // Among urgent objects, confirmed earlier reports outrank the number of reports.
    let [one, _] = pair(&app, 20).await;
    assert_eq!(complain(&one, "video", "2", "non_consensual").await.status, 200);
    assert_eq!(nils.get(QUEUE).await.json()["uploads"][0]["id"], 2);
    let listed =
        queue::list(app.pool(), WantedReports { state: None, id: None, object: None, limit: 100 }).await.unwrap();
    let order: Vec<_> = listed.iter().map(|report| (report.object_id, report.is_urgent)).collect();
    assert_eq!((order[0], order[1], order[21]), ((Some(2), true), (Some(1), true), (Some(5), false)), "{order:?}");
    // Three confirmed reports don't count if they concern the same object or were confirmed by the reporter.
    let same = app.settled("same").await.at("203.0.200.1");
    let own = app.settled("own").await.at("203.0.201.1");
    app.sql(&format!(
        "insert into reports (subject, email, message, section, object_id, reason, user_id, state, closed_at, handled_by)
         select '', 'a@b.example', '', 'video', 251, 'minor', {}, 'resolved', now(), null::bigint from generate_series(1, 3)
         union all select '', 'a@b.example', '', 'video', n, 'minor', {1}, 'resolved', now(), {1} from generate_series(251, 253) n",
        same.id, own.id
    ))
    .await;
    assert!(!report(&app, &[one, same, own], 2).await);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn one_network_hides_nothing_alone_and_has_limited_weight_per_day() {
    let app = App::configured(|config: &mut Config| {
        no_captcha(config);
        config.reports.network_weight = 20;
    })
    .await;
    let mut same = Vec::new();
    for n in 0..5 {
        same.push(app.proven(&format!("same{n}"), 7).await.at(&format!("203.0.113.{n}")));
    }
    assert!(!report(&app, &same, 1).await, "five trusted members of one network");
    assert_eq!(
        app.numbers("select weight::bigint from reports where object_id = 1 order by id").await,
        [6, 2, 0, 0, 0]
    );
    // IPv6 networks are counted per /48.
    let mut v6 = Vec::new();
    for n in 0..3 {
        v6.push(app.proven(&format!("six{n}"), 7).await.at(&format!("2001:db8:7:{n}::1")));
    }
    assert!(!report(&app, &v6, 4).await);
    assert_eq!(app.numbers("select weight::bigint from reports where object_id = 4 order by id").await, [6, 2, 0]);
    for id in [2, 3] {
        report(&app, &same[..2], id).await;
    }
    let of_day = "select sum(weight) from reports r where network_key = (select network_key from reports where object_id = 1 order by id limit 1)
                  and section is not null";
    assert_eq!(app.numbers(of_day).await, [20], "further reports are recorded without weight");
    assert_eq!(app.numbers("select count(*) from reports where object_id = 3 and state = 'open'").await, [2]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn group_that_hides_many_is_held_until_a_moderator_confirms() {
    let app = App::configured(|config: &mut Config| {
        no_captcha(config);
        config.reports.hides_per_group = 3;
    })
    .await;
    let (one, two, others) = (pair(&app, 1).await, pair(&app, 2).await, pair(&app, 3).await);
    let mixed = [one[0].at("203.0.50.7"), two[0].at("203.0.51.7")];
    assert!(report(&app, &one, 1).await && report(&app, &two, 2).await);
    // One member of each pair reports jointly, which turns the two pairs into one group.
    assert!(report(&app, &mixed, 3).await);
    assert!(!report(&app, &one, 4).await);
    assert!(!report(&app, &two, 4).await, "the pair of the same group is held, too");
    assert!(!report(&app, &two, 5).await);
    assert!(report(&app, &others, 6).await, "an unrelated group is not held");
    let now = OffsetDateTime::from_unix_timestamp(NOW).unwrap();
    let figures = reports::figures(&mut app.pool().acquire().await.unwrap(), now).await.unwrap();
    assert_eq!((figures.held, figures.hidden), (2, 4));
    let text = app.watch("/metrics").await.text();
    assert!(text.lines().any(|line| line == "lantern_reports_held 2"), "{text}");
    assert_eq!(app.numbers("select count(*) from reports where object_id in (4, 5) and state = 'open'").await, [6]);
    // A moderator confirms one of the reports.
    let first = app.numbers("select min(id) from reports where object_id = 1 and state = 'open'").await[0];
    queue::close(app.pool(), &Actor::OPERATOR, first, RIGHT).await.unwrap().unwrap();
    assert!(report(&app, &one, 7).await);
    app.drain().await;
    app.finish().await;
}
