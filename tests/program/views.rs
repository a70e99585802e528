//! What a program that is killed has counted.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use sqlx::PgPool;

use crate::{database, stop, up_at};

/// Looks at the videos, which all must be there.
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

/// Videos seen in the last half hour, and the views of all videos ever.
async fn counted(pool: &PgPool) -> (Vec<i64>, i64) {
    let seen = sqlx::query_scalar("select object_id from recent_views where section = 'video' order by 1");
    let views = sqlx::query_scalar("select sum(viewed)::bigint from video_stats");
    (seen.fetch_all(pool).await.unwrap(), views.fetch_one(pool).await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_program_loses_the_views_of_its_last_second_at_most_and_counts_none_twice() {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, port) = up_at(folder.path());
    let pool = database(folder.path()).await;
    let public = sqlx::query_scalar("select id from videos where visible_to('video', id, null) order by id limit 30");
    let videos: Vec<i64> = public.fetch_all(&pool).await.unwrap();
    let (none, before) = counted(&pool).await;
    assert_eq!((none, videos.len()), (Vec::new(), 30));
    let (early, late) = videos.split_at(20);
    watch(port, early);
    // Written while it runs, without being asked to.
    let since = Instant::now();
    while counted(&pool).await.0.len() < early.len() {
        assert!(since.elapsed() < Duration::from_secs(60), "views wait in memory");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    watch(port, late);
    child.kill().unwrap();
    child.wait().unwrap();
    pool.close().await;

    let (child, port) = up_at(folder.path());
    let pool = database(folder.path()).await;
    let (seen, views) = counted(&pool).await;
    assert!(early.iter().all(|video| seen.contains(video)), "{early:?} were there before the last second: {seen:?}");
    assert_eq!(views - before, i64::try_from(seen.len()).unwrap());
    // The same viewer again: only what was lost counts. Ctrl-C writes what waits.
    watch(port, &videos);
    pool.close().await;
    stop(child);
    let (child, _) = up_at(folder.path());
    let pool = database(folder.path()).await;
    assert_eq!(counted(&pool).await, (videos, before + 30));
    pool.close().await;
    stop(child);
}
