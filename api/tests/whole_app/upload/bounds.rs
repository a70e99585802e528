//! What uploads may take of the disk, and how long.

use std::time::{Duration, SystemTime};

use lantern_config::{Gcra, Policy};

use super::tus::{PATH, begin, begun, piece};
use crate::support::{App, NOW};

#[tokio::test]
async fn an_upload_has_a_size_and_not_more_than_is_allowed() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    begin(&mona, "10737418241").await.refused(413, "video_size_limit");
    for wrong in ["0", "", "-1", "1e3", "ten"] {
        begin(&mona, wrong).await.refused(422, "invalid");
    }
    begin(&app.guest(), "5").await.refused(401, "need_auth");
    assert!(std::fs::read_dir(app.state().incoming.folder().await.unwrap()).unwrap().next().is_none());
    app.finish().await;
}

#[tokio::test]
async fn unfinished_uploads_of_a_member_are_few_and_announce_little() {
    let app = App::configured(|config| {
        (config.uploads.per_member, config.uploads.max_bytes, config.uploads.member_bytes) = (3, 100, 150);
    })
    .await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    let first = begun(&mona, 6).await;
    begun(&mona, 94).await;
    begin(&mona, "51").await.refused(403, "upload_quota");
    begun(&mona, 50).await;
    begin(&mona, "1").await.refused(403, "upload_quota");
    begun(&nils, 100).await;
    // One that is whole leaves its place to another, but its bytes are still there.
    assert_eq!(piece(&mona, &first, 0, "abcdef").await.status, 204);
    begin(&mona, "1").await.refused(403, "upload_quota");
    app.sql("update uploads set state = 'done' where received_bytes = 6").await;
    begun(&mona, 6).await;
    let files = std::fs::read_dir(app.state().incoming.folder().await.unwrap()).unwrap().count();
    assert_eq!(files, 5, "of what was refused nothing is left");
    app.finish().await;
}

#[tokio::test]
async fn many_at_once_find_the_same_bounds() {
    let app = App::configured(|config| config.uploads.per_member = 3).await;
    let mona = app.member("mona").await;
    let all = futures_util::future::join_all((0..12).map(|_| begin(&mona, "5"))).await;
    assert_eq!(all.iter().filter(|reply| reply.status == 201).count(), 3);
    app.finish().await;
}

#[tokio::test]
async fn what_was_promised_and_what_stays_free_leave_no_room() {
    let app = App::configured(|config| config.uploads.reserve_bytes = u64::MAX / 2).await;
    let mona = app.member("mona").await;
    begin(&mona, "5").await.refused(507, "disk_full");
    app.finish().await;

    let app = App::start().await;
    let mona = app.member("mona").await;
    begun(&mona, 5).await;
    // So much that no disk has it twice.
    app.sql(
        "insert into uploads (token, user_id, kind, file_name, size_bytes, expires_at)
         select 'promised' || n, 1, 'video', 'film', 10737418240, now() from generate_series(1, 100000) n",
    )
    .await;
    begin(&mona, "5").await.refused(507, "disk_full");
    app.finish().await;
}

#[tokio::test]
async fn a_film_does_not_come_byte_by_byte() {
    let app = App::configured(|config| {
        config.limits.upload_piece =
            Policy::Gcra(Gcra { burst: 2, per_seconds: 3600, cells: 1, exempt_loopback: false });
    })
    .await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await.at("203.0.113.9"));
    let url = begun(&mona, 5).await;
    assert_eq!(piece(&mona, &url, 0, "a").await.status, 204);
    assert_eq!(piece(&mona, &url, 1, "b").await.status, 204);
    piece(&mona, &url, 2, "c").await.refused(429, "too_many_attempts");
    let other = begun(&nils, 5).await;
    assert_eq!(piece(&nils, &other, 0, "abcde").await.status, 204);
    app.finish().await;
}

#[tokio::test]
async fn what_nobody_goes_on_with_is_removed_with_its_file() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    let (kept, over) = (begun(&mona, 5).await, begun(&mona, 5).await);
    assert_eq!(piece(&mona, &over, 0, "abc").await.status, 204);
    app.sql(&format!("update uploads set expires_at = to_timestamp({NOW}) where token = '{}'", &over[PATH.len()..]))
        .await;
    let path = |name: &str| app.state().incoming.path(name);
    let clock = SystemTime::UNIX_EPOCH + Duration::from_secs(NOW.unsigned_abs());
    let touch =
        |name: &str, at| std::fs::File::options().write(true).open(path(name)).unwrap().set_modified(at).unwrap();
    // Left behind by a node that ended between the disk and the row; the second may be one that begins.
    let [orphan, young, made] = ["o", "y", "m"].map(|sign| sign.repeat(43));
    // Of this one there is a video, and who made it ended before it removed what it was made of.
    app.sql(&format!(
        "insert into uploads (token, user_id, kind, file_name, size_bytes, received_bytes, state, expires_at)
         values ('{made}', {}, 'video', 'film', 5, 5, 'done', now())",
        mona.id
    ))
    .await;
    for name in [&orphan, &young, &made, &"download".to_owned()] {
        app.state().incoming.create(name).await.unwrap();
        touch(name, clock);
    }
    touch(&orphan, clock - Duration::from_secs(49 * 3600));
    touch("download", clock - Duration::from_secs(49 * 3600));
    touch(&made, clock - Duration::from_secs(49 * 3600));
    touch(&kept[PATH.len()..], clock - Duration::from_secs(49 * 3600));
    assert_eq!(app.state().sweep_uploads().await.unwrap(), 3);
    let there =
        [&kept[PATH.len()..], &young, "download", &over[PATH.len()..], &orphan, &made].map(|name| path(name).exists());
    assert_eq!(there, [true, true, true, false, false, false]);
    piece(&mona, &over, 3, "de").await.refused(404, "upload_not_found");
    app.finish().await;
}
