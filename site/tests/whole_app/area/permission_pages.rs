//! Pages in `docs/PERMISSIONS.md`. For every row and column, the page agrees with the API response.

use axum::{body::Body, http::Method};
use serde_json::Value;

use super::permissions::{COLUMNS, STATES, Things, World, rows};
use crate::{page::dom::Dom, support::Reply};

/// How a row's page must agree with its API call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Agreement {
    /// The page exists exactly where the cell is `yes`, and it shows this text.
    Shows(&'static str),
    /// The app makes the call itself, and the server's page reveals nothing.
    Bare,
}

/// Returns the page for a row, or `None` for a call without a page.
fn page(row: &str, world: &World, things: &Things) -> Option<(String, Agreement)> {
    use Agreement::{Bare, Shows};
    let state = row.rsplit(' ').next().unwrap();
    let at = STATES.iter().position(|known| *known == state);
    let videos = things.videos();
    let (owner, of_video) = (things.owner, |at: usize| format!("/videos/{}/", videos[at]));
    Some(match (row, at) {
        ("listing of private videos", _) => (format!("/members/{owner}/uploaded_videos/1/"), Shows(": private")),
        (row, Some(at)) if row.starts_with("video ") => (of_video(at), Shows("Of ")),
        // A film is played on its video's page.
        (row, Some(at)) if row.starts_with("film ") || row.starts_with("seek bar ") => (of_video(at), Shows("Of ")),
        (row, Some(at)) if row.starts_with("download ") => (format!("/download/?video_id={}", videos[at]), Bare),
        (row, Some(at)) if row.starts_with("album ") => (format!("/album/{}/", things.albums[at]), Shows("Of ")),
        (row, Some(at)) if row.starts_with("playlist ") => {
            (format!("/playlist/{}/1/", things.playlists[at]), Shows("A playlist"))
        }
        ("videos of a public playlist", _) => (format!("/playlist/{}/1/", things.playlists[0]), Shows(": public")),
        ("videos of a private playlist", _) => (format!("/playlist/{}/1/", things.playlists[1]), Shows(": public")),
        ("profile", _) => (format!("/members/{owner}/info/"), Shows("")),
        ("profile of somebody banned", _) => (format!("/members/{}/", world.banned), Shows("")),
        ("wall", _) => (format!("/members/{owner}/wall/1/"), Shows("An entry")),
        ("friends", _) => (format!("/members/{owner}/friends/1/"), Shows("")),
        ("subscriptions", _) => (format!("/members/{owner}/subscriptions/"), Shows("")),
        // The app shows comments on their object's page.
        ("comments on a public video", _) => (of_video(0), Shows("Of ")),
        ("comments on a private video", _) => (of_video(1), Shows("Of ")),
        ("comments on a deleted video", _) => (of_video(3), Shows("Of ")),
        ("comments on a private album", _) => (format!("/album/{}/", things.albums[1]), Shows("Of ")),
        ("comments on a private playlist", _) => (format!("/playlist/{}/1/", things.playlists[1]), Shows("A playlist")),
        (
            "own favourite_videos" | "own watch_later_videos" | "own history" | "own messages" | "own notifications",
            _,
        ) => (format!("/members/{owner}/{}/", &row[4..]), Bare),
        ("conversation of the owner with another", _) => (format!("/members/{owner}/messages/"), Bare),
        ("own mutes" | "own watched videos" | "own blocks", _) => ("/muted/".to_owned(), Bare),
        ("own saved_searches" | "save a search" | "rename the saved search", _) => {
            ("/saved-searches/".to_owned(), Bare)
        }
        ("upload a film in one form", _) => ("/upload-video/".to_owned(), Bare),
        ("change the album" | "delete the album" | "delete a draft of an album", _) => {
            (format!("/edit/?album_id={}", things.albums[1]), Bare)
        }
        ("make the video private" | "delete the video" | "re-add the video", _) => {
            (format!("/edit/?video_id={}", things.private), Bare)
        }
        _ => return None,
    })
}

async fn open(world: &World, column: usize, path: &str) -> Reply {
    let guest = world.app.guest();
    let viewer = world.people[column].as_ref().unwrap_or(&guest);
    let cookie = format!("{}; age_agreed=1", viewer.cookie);
    let cookie = cookie.trim_start_matches("; ");
    let mut adult = viewer.at(&viewer.address.to_string());
    cookie.clone_into(&mut adult.cookie);
    adult.send(Method::GET, path, &[], Body::empty()).await
}

/// Returns how a row's page disagrees with its cell, if it does.
async fn disagreement(world: &World, row: &str, column: usize, cell: &str) -> Option<String> {
    let things = if COLUMNS[column] == "6" { &world.managed } else { &world.things };
    let (path, agreement) = page(row, world, things)?;
    let mut reply = open(world, column, &path).await;
    if reply.status == 307 {
        // Guests are redirected to the sign-in page.
        let is_redirected = cell == "need_auth" && reply.header("location").starts_with("/?next=");
        return (!is_redirected).then(|| format!("{path} redirects elsewhere"));
    }
    if reply.status == 308 {
        let path = reply.header("location").to_owned();
        reply = open(world, column, &path).await;
    }
    let dom = Dom::parse(&reply);
    let main = dom.texts("main").concat();
    let found = format!("{path} is {}: {main:?}", reply.status);
    match agreement {
        Agreement::Shows(": private") => main.contains(": private").then_some(found),
        Agreement::Shows(what) => {
            let is_shown = reply.status == 200 && main.contains(what) && !main.contains("private.");
            let is_hidden = reply.status >= 400 && !main.contains(&format!("Of {}", things.owner));
            let agrees = if cell == "yes" { is_shown } else { is_hidden };
            (!agrees).then_some(found)
        }
        Agreement::Bare => {
            let has_content = ["Of ", "A playlist", "A message", "private"].iter().any(|word| main.contains(word));
            (reply.status != 200 || has_content || dom.meta("robots") != "noindex").then_some(found)
        }
    }
}

#[tokio::test]
async fn every_page_agrees_with_its_api_response() {
    let (world, rows) = (World::new().await, rows());
    let (mut wrong, mut opened) = (Vec::new(), 0);
    for (row, cells) in &rows {
        opened += usize::from(page(row, &world, &world.things).is_some());
        for (column, cell) in cells.iter().enumerate() {
            if let Some(found) = disagreement(&world, row, column, cell).await {
                wrong.push(format!("{row}, {}: the table has {cell}, {found}", COLUMNS[column]));
            }
        }
    }
    assert!(opened > 45, "only {opened} rows have a page");
    assert!(wrong.is_empty(), "{} pages:\n{}", wrong.len(), wrong.join("\n"));
    world.app.finish().await;
}

/// Returns the pages of the hidden objects.
fn hidden(things: &Things) -> [String; 3] {
    [
        format!("/videos/{}/private/", things.private),
        format!("/album/{}/private/", things.albums[1]),
        format!("/playlist/{}/1/", things.playlists[1]),
    ]
}

#[tokio::test]
async fn hidden_page_is_private_to_its_viewer() {
    let world = World::new().await;
    let owner = COLUMNS.iter().position(|column| *column == "owner").unwrap();
    for path in hidden(&world.things) {
        for (column, status) in [(owner, 200), (0, 403)] {
            let reply = open(&world, column, &path).await;
            assert_eq!((reply.status, reply.header("cache-control")), (status, "private, no-store"), "{path}");
            assert!(reply.header("vary").contains("cookie"), "{path}");
            let dom = Dom::parse(&reply);
            assert_eq!(dom.meta("robots"), "noindex", "{path}");
            assert!(dom.texts("script[type='application/ld+json']").is_empty(), "{path}");
            assert!(dom.attrs("link[type*='oembed'], link[type*='rss']", "href").is_empty(), "{path}");
            // The boot data is the same as the responses to this viewer's own calls.
            let boot = dom.boot();
            for (url, answer) in boot["answers"].as_object().unwrap() {
                let call = open(&world, column, url).await;
                assert_eq!(*answer, call.json(), "{path} {url}");
            }
            let of_it = boot["answers"].as_object().unwrap().keys().filter(|url| !url.contains("/main/")).count();
            assert!(of_it >= usize::from(status == 200), "{path}: {boot}");
        }
        // The app's request for the metadata finds the page, too.
        let viewer = world.people[owner].as_ref().unwrap();
        let head = [("accept", "application/vnd.lantern.head+json")];
        let mut adult = viewer.at("127.0.0.1");
        adult.cookie.push_str("; age_agreed=1");
        let head: Value = adult.send(Method::GET, &path, &head, Body::empty()).await.json();
        assert_eq!(head["status"], 200, "{path}");
    }
    // Having a session does not change public pages.
    let public = format!("/videos/{}/public/", world.things.public);
    let reply = open(&world, owner, &public).await;
    assert_eq!((reply.status, reply.header("cache-control")), (200, "private, no-cache"));
    world.app.finish().await;
}

#[tokio::test]
async fn embed_player_follows_the_viewers_permissions() {
    let world = World::new().await;
    world.app.media("demo/01/video.mp4", b"a film");
    let path = format!("/embed/{}/", world.things.private);
    for (column, status) in [403, 200, 200, 200, 200, 403].into_iter().enumerate() {
        assert_eq!(open(&world, column, &path).await.status, status, "{}", COLUMNS[column]);
    }
    let unfinished = format!("/embed/{}/", world.things.unfinished);
    assert_eq!(open(&world, 0, &unfinished).await.status, 404);
    world.app.finish().await;
}
