//! Limits on uploads: size, disk space, time and requests.

use std::time::{Duration, SystemTime};

use axum::extract::FromRef;
use lantern_catalog::room;
use lantern_config::{Gcra, Policy};
use lantern_uploads::Intake;

use super::tus::{PATH, begin, begun, piece};
use crate::support::{App, NOW};

#[tokio::test]
async fn upload_needs_a_size_within_the_limit() {
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
async fn unfinished_uploads_of_a_member_are_limited_in_number_and_size() {
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
    // A complete upload frees its slot, but its bytes still count.
    assert_eq!(piece(&mona, &first, 0, "abcdef").await.status, 204);
    begin(&mona, "1").await.refused(403, "upload_quota");
    app.sql("update uploads set state = 'done' where received_bytes = 6").await;
    begun(&mona, 6).await;
    // So do those of a failed one whose file is retained.
    app.sql(
        "update uploads set state = 'failed', error_code = 'video_upload_error', is_kept = true where size_bytes = 94",
    )
    .await;
    begin(&mona, "90").await.refused(403, "upload_quota");
    app.sql("update uploads set is_kept = false").await;
    begun(&mona, 90).await;
    let files = std::fs::read_dir(app.state().incoming.folder().await.unwrap()).unwrap().count();
    assert_eq!(files, 6, "refused uploads leave no files");
    app.finish().await;
}

#[tokio::test]
async fn concurrent_uploads_respect_the_limit() {
    let app = App::configured(|config| config.uploads.per_member = 3).await;
    let mona = app.member("mona").await;
    let all = futures_util::future::join_all((0..12).map(|_| begin(&mona, "5"))).await;
    assert_eq!(all.iter().filter(|reply| reply.status == 201).count(), 3);
    app.finish().await;
}

#[tokio::test]
async fn refuses_uploads_that_would_use_reserved_disk_space() {
    let app = App::configured(|config| config.uploads.reserve_bytes = u64::MAX / 2).await;
    let mona = app.member("mona").await;
    begin(&mona, "5").await.refused(507, "disk_full");
    app.finish().await;
}

/// Names of members.
const NAMES: [&str; 6] = ["mona", "nils", "olga", "pere", "quin", "rosa"];

#[tokio::test]
async fn announced_bytes_reserve_no_disk_space() {
    let free = |app: &App| nix::sys::statvfs::statvfs(&app.state().config.data_dir).unwrap();
    let app = App::configured(|config| {
        (config.uploads.reserve_bytes, config.uploads.member_bytes) = (0, u64::MAX / 4);
        (config.uploads.new_bytes, config.uploads.per_member) = (u64::MAX / 4, 10_000);
    })
    .await;
    let disk = free(&app);
    let bytes = disk.blocks_available() * disk.fragment_size();
    // Each of six members announces uploads that fit one by one but together take more than twice the free space.
    let (one, members) = (10_737_418_240.min(bytes / 2), NAMES.len() as u64);
    let each = (2 * bytes).div_ceil(one * members).min(100);
    for name in NAMES {
        let member = app.member(name).await;
        for _ in 0..each {
            begun(&member, usize::try_from(one).unwrap()).await;
        }
    }
    let honest = app.member("tove").await;
    let url = begun(&honest, 6).await;
    assert_eq!(piece(&honest, &url, 0, "abc").await.status, 204);
    assert_eq!(piece(&honest, &url, 3, "def").await.status, 204);
    assert_eq!(app.numbers("select count(*) from upload_room").await, [0], "unused reservations are released");
    app.finish().await;
}

#[tokio::test]
async fn upload_without_disk_space_keeps_its_bytes_and_resumes_later() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    let url = begun(&mona, 6).await;
    assert_eq!(piece(&mona, &url, 0, "abc").await.status, 204);
    // Other uploads have reserved the whole disk.
    let other =
        "insert into upload_room (bytes, until) values (1::bigint << 60, now() + interval '1 hour') returning id";
    let id = app.numbers(other).await[0];
    piece(&mona, &url, 3, "def").await.refused(507, "disk_full");
    begin(&mona, "5").await.refused(507, "disk_full");
    assert_eq!(app.numbers("select received_bytes from uploads").await, [3]);
    app.sql(&format!("delete from upload_room where id = {id}")).await;
    assert_eq!(piece(&mona, &url, 3, "def").await.status, 204);
    // The reservation of a node that has died is released when it expires.
    app.sql("insert into upload_room (bytes, until) values (1::bigint << 60, now())").await;
    begun(&mona, 5).await;
    let path = app.state().incoming.path(&url[PATH.len()..]);
    assert_eq!(std::fs::read(path).unwrap(), b"abcdef");
    app.finish().await;
}

#[tokio::test]
async fn concurrent_reservations_do_not_exceed_the_disk_space() {
    let app = App::start().await;
    let lease = Duration::from_secs(60);
    let taken = (0..20).map(|_| room::reserve(app.pool(), None, 10, lease, || 100));
    let taken = futures_util::future::try_join_all(taken).await.unwrap();
    let ids: Vec<i64> = taken.into_iter().flatten().collect();
    assert_eq!((ids.len(), room::promised(app.pool()).await.unwrap()), (10, 100));
    // Renewing a reservation replaces its size.
    assert!(room::reserve(app.pool(), Some(ids[0]), 10, lease, || 100).await.unwrap().is_some());
    assert_eq!(room::reserve(app.pool(), Some(ids[1]), 20, lease, || 100).await.unwrap(), None);
    assert_eq!(room::promised(app.pool()).await.unwrap(), 90);
    app.finish().await;
}

#[tokio::test]
async fn new_accounts_have_a_lower_limit() {
    let app = App::configured(|config| {
        (config.uploads.max_bytes, config.uploads.member_bytes) = (100, 150);
        config.uploads.new_bytes = 60;
    })
    .await;
    let mona = app.member("mona").await;
    app.sql(&format!("update users set created_at = to_timestamp({NOW}) - interval '6 days' where id = {}", mona.id))
        .await;
    begin(&mona, "61").await.refused(403, "upload_new_account");
    begun(&mona, 50).await;
    begin(&mona, "11").await.refused(403, "upload_new_account");
    begun(&mona, 10).await;
    app.sql(&format!("update users set created_at = to_timestamp({NOW}) - interval '7 days' where id = {}", mona.id))
        .await;
    begun(&mona, 90).await;
    begin(&mona, "1").await.refused(403, "upload_quota");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn slow_upload_expires_despite_new_pieces() {
    let app = App::configured(|config| config.uploads.hour_bytes = 2).await;
    let mona = app.member("mona").await;
    let (slow, steady) = (begun(&mona, 100).await, begun(&mona, 100).await);
    // Both uploads were created two days ago, and one piece extends the life of one of them by an hour and a half.
    app.sql(&format!("update uploads set created_at = to_timestamp({NOW}) - interval '48 hours'")).await;
    let until = async |url: &str| {
        let query = format!(
            "select extract(epoch from expires_at)::bigint - {NOW} from uploads where token = '{}'",
            &url[PATH.len()..]
        );
        app.numbers(&query).await[0]
    };
    assert_eq!(piece(&mona, &steady, 0, "abc").await.status, 204);
    assert_eq!(until(&steady).await, 5400);
    assert_eq!(piece(&mona, &slow, 0, "").await.status, 204);
    app.sql(&format!("update uploads set created_at = to_timestamp({NOW}) - interval '169 hours'")).await;
    assert_eq!(piece(&mona, &slow, 0, "abcdefgh").await.status, 204);
    assert!(until(&slow).await < 0, "limited to a week");
    assert_eq!(lantern_uploads::sweep(&Intake::from_ref(&app.state().app)).await.unwrap(), 1);
    piece(&mona, &slow, 8, "ij").await.refused(404, "upload_not_found");
    app.finish().await;
}

#[tokio::test]
async fn pieces_are_rate_limited() {
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
async fn abandoned_uploads_are_removed_with_their_files() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    let (active, expired) = (begun(&mona, 5).await, begun(&mona, 5).await);
    assert_eq!(piece(&mona, &expired, 0, "abc").await.status, 204);
    app.sql(&format!("update uploads set expires_at = to_timestamp({NOW}) where token = '{}'", &expired[PATH.len()..]))
        .await;
    let path = |name: &str| app.state().incoming.path(name);
    let clock = SystemTime::UNIX_EPOCH + Duration::from_secs(NOW.unsigned_abs());
    let touch =
        |name: &str, at| std::fs::File::options().write(true).open(path(name)).unwrap().set_modified(at).unwrap();
    // These were left behind by nodes that died before writing the row. The second may belong to an upload that is
    // being created.
    let [orphan, young, made] = ["o", "y", "m"].map(|sign| sign.repeat(43));
    // The video of this upload exists, but its worker died before removing the upload.
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
    touch(&active[PATH.len()..], clock - Duration::from_secs(49 * 3600));
    assert_eq!(lantern_uploads::sweep(&Intake::from_ref(&app.state().app)).await.unwrap(), 3);
    let exist = [&active[PATH.len()..], &young, "download", &expired[PATH.len()..], &orphan, &made]
        .map(|name| path(name).exists());
    assert_eq!(exist, [true, true, true, false, false, false]);
    piece(&mona, &expired, 3, "de").await.refused(404, "upload_not_found");
    app.finish().await;
}
