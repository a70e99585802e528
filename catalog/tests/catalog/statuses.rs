//! The names that SQL has for statuses are those of the enums, and cost no index.

use lantern_catalog::status::{MemberStatus, UploadStatus};
use lantern_testing::TestDb;
use sqlx::AssertSqlSafe;

#[tokio::test]
async fn sql_and_enums_have_the_same_names() {
    let db = TestDb::create().await.unwrap();
    let uploads = "select unnest(array[published(), in_review(), draft(), rejected(), deleted(), scheduled()])";
    let uploads: Vec<UploadStatus> = sqlx::query_scalar(uploads).fetch_all(&db.pool).await.unwrap();
    let all = [
        UploadStatus::Published,
        UploadStatus::InReview,
        UploadStatus::Draft,
        UploadStatus::Rejected,
        UploadStatus::Deleted,
        UploadStatus::Scheduled,
    ];
    assert_eq!(uploads, all);
    let members = "select unnest(array[ordinary(), banned(), manages_uploads()])";
    let members: Vec<MemberStatus> = sqlx::query_scalar(members).fetch_all(&db.pool).await.unwrap();
    assert_eq!(members, [MemberStatus::Ordinary, MemberStatus::Banned, MemberStatus::ManagesUploads]);
    let unknown = sqlx::query_scalar::<_, MemberStatus>("select deleted() - 1::smallint").fetch_one(&db.pool).await;
    assert!(unknown.is_err(), "{unknown:?}");
}

/// Queries with names, and the same with numbers.
const SAME: [(&str, &str); 6] = [
    ("albums where status_id = draft() and is_new", "albums where status_id = 3::smallint and is_new"),
    ("albums where status_id in (in_review(), draft())", "albums where status_id in (2::smallint, 3::smallint)"),
    (
        "videos where status_id = scheduled() and publish_at <= now()",
        "videos where status_id = 6::smallint and publish_at <= now()",
    ),
    (
        "users where id = 1 and is_active(users)",
        "users where id = 1 and status_id <> 5::smallint and email_confirmed_at is not null",
    ),
    (
        "videos v left join users u on u.id = v.user_id where is_visible(u)",
        "videos v left join users u on u.id = v.user_id
         where u.status_id <> 5::smallint and u.email_confirmed_at is not null and u.hidden_at is null",
    ),
    (
        "history h join videos v on v.id = h.video_id where h.user_id = 1 and is_open_to(v, h.user_id)",
        "history h join videos v on v.id = h.video_id
         where h.user_id = 1 and (v.status_id = 1::smallint or v.user_id = h.user_id and v.status_id <> 5::smallint)
           and v.replaces is null",
    ),
];

#[tokio::test]
async fn plans_are_those_of_the_numbers() {
    let db = TestDb::create().await.unwrap();
    let mut conn = db.pool.acquire().await.unwrap();
    sqlx::raw_sql("set enable_seqscan = off").execute(&mut *conn).await.unwrap();
    for (index, (named, bare)) in SAME.into_iter().enumerate() {
        let mut plans = Vec::new();
        for query in [named, bare] {
            let explain = AssertSqlSafe(format!("explain (costs off) select 1 from {query}"));
            plans.push(sqlx::query_scalar::<_, String>(explain).fetch_all(&mut *conn).await.unwrap());
        }
        assert_eq!(plans[0], plans[1], "{named}");
        assert!(index > 0 || plans[0].concat().contains("albums_drafts"), "{:?}", plans[0]);
        assert!(!named.contains("scheduled") || plans[0].concat().contains("videos_publish_at"), "{:?}", plans[0]);
    }
}
