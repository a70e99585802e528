//! View counts after a crash.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use sqlx::PgPool;

use crate::{database, stop, up_at};

/// Counts one view of each video.
fn watch(port: u16, videos: &[i64]) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut answers = BufReader::new(stream.try_clone().unwrap());
    for video in videos {
        let form = format!("act=view&section=video&object_id={video}");
        let length = form.len();
        write!(
            stream,
            "POST /api/stat.php HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: Mozilla/5.0\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n{form}"
        )
        .unwrap();
        let (mut line, mut body) = (String::new(), 0);
        answers.read_line(&mut line).unwrap();
        assert!(line.starts_with("HTTP/1.1 200"), "{video}: {line}");
        while line != "\r\n" {
            line.clear();
            answers.read_line(&mut line).unwrap();
            if let Some(length) = line.strip_prefix("content-length: ") {
                body = length.trim().parse().unwrap();
            }
        }
        answers.read_exact(&mut vec![0; body]).unwrap();
    }
}

/// Returns the videos viewed in the last half hour, and the total views of all videos.
async fn counted(pool: &PgPool) -> (Vec<i64>, i64) {
    let seen = sqlx::query_scalar("select object_id from recent_views where section = 'video' order by 1");
    let views = sqlx::query_scalar("select sum(viewed)::bigint from video_stats");
    (seen.fetch_all(pool).await.unwrap(), views.fetch_one(pool).await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn crash_loses_at_most_one_second_of_views() {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, port) = up_at(folder.path());
    let pool = database(folder.path()).await;
    let public = sqlx::query_scalar("select id from videos where visible_to('video', id, null) order by id limit 30");
    let videos: Vec<i64> = public.fetch_all(&pool).await.unwrap();
    let (none, before) = counted(&pool).await;
    assert_eq!((none, videos.len()), (Vec::new(), 30));
    let (early, late) = videos.split_at(20);
    watch(port, early);
    // Views are stored periodically.
    let since = Instant::now();
    while counted(&pool).await.0.len() < early.len() {
        assert!(since.elapsed() < Duration::from_secs(60), "views were not stored");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    watch(port, late);
    child.kill().unwrap();
    child.wait().unwrap();
    pool.close().await;

    let (child, port) = up_at(folder.path());
    let pool = database(folder.path()).await;
    let (seen, views) = counted(&pool).await;
    assert!(early.iter().all(|video| seen.contains(video)), "{early:?} were viewed before the last second: {seen:?}");
    assert_eq!(views - before, i64::try_from(seen.len()).unwrap());
    // If the viewer is the same, only views that were lost count again. Ctrl-C stores pending views.
    watch(port, &videos);
    pool.close().await;
    stop(child);
    let (child, _) = up_at(folder.path());
    let pool = database(folder.path()).await;
    assert_eq!(counted(&pool).await, (videos, before + 30));
    pool.close().await;
    stop(child);
}
