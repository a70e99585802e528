//! Pictures for the seek bar at the specified path.

use crate::support::App;

/// Two frames, five seconds apart.
pub const CUES: &[u8] = b"WEBVTT\n\n00:00:00.000 --> 00:00:05.000\ntimeline.jpg#xywh=0,0,160,90\n\n\
    00:00:05.000 --> 00:00:09.500\ntimeline.jpg#xywh=160,0,160,90\n";

#[tokio::test]
async fn path_redirects_to_the_frames_of_its_video_only() {
    let app = App::start().await;
    app.sql("update videos set media_key = 'demo/01' where id = 1").await;
    app.media("demo/01/timeline.vtt", CUES);
    app.media("demo/01/timeline.jpg", b"all frames");
    let redirect = app.get("/media/t/160x90/0/1/2/5.jpg").await;
    assert_eq!((redirect.status, redirect.header("cache-control")), (303, "private, no-store"));
    let picture = app.get(redirect.header("location")).await;
    assert_eq!(
        (picture.status, picture.header("content-type"), picture.text()),
        (200, "image/jpeg", "all frames".into())
    );
    for (path, code) in [
        ("160x90/0/1/3/5.jpg", "file_not_found"),
        ("160x90/0/1/2/6.jpg", "file_not_found"),
        ("320x180/0/1/2/5.jpg", "not_found"),
        ("160x90/0/1/2/5", "not_found"),
        ("160x90/0/1/02/5.jpg", "not_found"),
        ("160x90/0/1/0/5.jpg", "not_found"),
        ("160x90/1000/1/2/5.jpg", "video_not_found"),
        ("160x90/0/987/2/5.jpg", "video_not_found"),
    ] {
        app.get(&format!("/media/t/{path}")).await.refused(404, code);
    }
    // The film's pictures no longer exist.
    app.media("demo/01/timeline.vtt", b"");
    app.get("/media/t/160x90/0/1/2/5.jpg").await.refused(404, "file_not_found");
    app.finish().await;
}
