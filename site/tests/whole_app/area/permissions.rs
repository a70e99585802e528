//! Checks every cell of `docs/PERMISSIONS.md` through HTTP.

use lantern_config::CaptchaProvider;
use serde_json::Value;

use crate::{
    support::{App, Reply, Session},
    upload::{tus, whole},
    video::timeline,
};

const TABLE: &str = include_str!("../../../../docs/PERMISSIONS.md");
pub const COLUMNS: [&str; 6] = ["guest", "member", "friend", "owner", "6", "banned"];
/// Minimum number of rows. If there are fewer, the file was not parsed.
const ROWS: usize = 60;

/// Returns the rows in the file. Each has a name and its cells in the order of [`COLUMNS`].
pub fn rows() -> Vec<(String, Vec<String>)> {
    let lines = TABLE.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let cells = lines.map(|line| line.split(" | ").map(str::to_owned).collect::<Vec<_>>());
    let mut rows = Vec::new();
    for mut cells in cells {
        let name = cells.remove(0);
        assert_eq!(cells.len(), COLUMNS.len(), "{name}");
        match name.strip_prefix('`').and_then(|name| name.strip_suffix('`')) {
            Some(name) => rows.push((name.to_owned(), cells)),
            None => assert_eq!(cells, COLUMNS, "every table has the columns in this order"),
        }
    }
    rows
}

/// Objects that belong to one owner.
pub struct Things {
    pub owner: i64,
    pub public: i64,
    pub private: i64,
    pub unfinished: i64,
    pub deleted: i64,
    pub scheduled: i64,
    pub albums: [i64; 4],
    pub playlists: [i64; 2],
}

pub struct World {
    pub app: App,
    /// Sessions in the order of [`COLUMNS`], with `None` for the guest.
    pub people: Vec<Option<Session>>,
    pub things: Things,
    pub managed: Things,
    stranger: i64,
    pub banned: i64,
}

impl World {
    pub async fn new() -> Self {
        let app = App::configured(|config| {
            // The requests for all cells are made by the same few members.
            config.limits.act = config.limits.search.clone();
            config.limits.comment = config.limits.search.clone();
            config.limits.message = config.limits.search.clone();
            config.limits.guest_vote = config.limits.search.clone();
            config.limits.hidden = config.limits.search.clone();
            config.captcha.provider = CaptchaProvider::Altcha;
        })
        .await;
        let (member, friend) = (app.member("mona").await, app.member("fred").await);
        let (owner, manager) = (app.member("olga").await, app.member("max_six").await);
        let (banned, stranger) = (app.member("barred").await, app.member("stranger").await);
        app.change(&format!(
            "update users set status_id = manages_uploads() where id = {}; update users set status_id = banned() where id = {};
             insert into friends (user_id, friend_id, state, accepted_at) values ({}, {}, 'accepted', now()), ({}, {}, 'accepted', now())",
            manager.id, banned.id, owner.id, friend.id, friend.id, manager.id
        ))
        .await;
        let (things, managed) =
            (Things::of(&app, owner.id, stranger.id).await, Things::of(&app, manager.id, stranger.id).await);
        app.reindex().await;
        let (stranger, banned_id) = (stranger.id, banned.id);
        let people = vec![None, Some(member), Some(friend), Some(owner), Some(manager), Some(banned)];
        Self { app, people, things, managed, stranger, banned: banned_id }
    }

    async fn get(&self, column: usize, path: &str) -> Reply {
        match &self.people[column] {
            Some(session) => session.get(path).await,
            None => self.app.get(path).await,
        }
    }

    async fn post(&self, column: usize, path: &str, form: &[(&str, &str)]) -> Reply {
        match &self.people[column] {
            Some(session) => session.post(path, form).await,
            None => self.app.guest_posts(path, form).await,
        }
    }

    async fn new_id(&self, insert: &str) -> String {
        self.app.numbers(&format!("{insert} returning id")).await[0].to_string()
    }
}

/// States of the owner's objects. Only videos can be scheduled.
pub const STATES: [&str; 5] = ["public", "private", "unfinished", "deleted", "scheduled"];

impl Things {
    /// Returns the videos, in the order of [`STATES`].
    pub fn videos(&self) -> [i64; 5] {
        [self.public, self.private, self.unfinished, self.deleted, self.scheduled]
    }

    async fn of(app: &App, owner: i64, stranger: i64) -> Self {
        let mut videos = Vec::new();
        let mut albums = Vec::new();
        for (name, status, private) in
            [("public", 1, false), ("private", 1, true), ("unfinished", 2, false), ("deleted", 5, false)]
        {
            videos.extend(
                app.numbers(&format!(
                    "insert into videos (dir, title, lang, gender, duration, status_id, is_private, user_id, media_key)
                     values ('{name}', 'Of {owner}: {name}', 'en', 'str', 700, {status}, {private}, {owner}, 'demo/01') returning id"
                ))
                .await,
            );
            albums.extend(
                app.numbers(&format!(
                    "insert into albums (dir, title, lang, gender, status_id, is_private, user_id)
                     values ('{name}', 'Of {owner}: {name}', 'en', 'str', {status}, {private}, {owner}) returning id"
                ))
                .await,
            );
        }
        let mut playlists = Vec::new();
        for visibility in ["public", "private"] {
            let playlist = app
                .numbers(&format!(
                    "insert into playlists (user_id, title, description, visibility)
                     values ({owner}, 'Of {owner}', 'A playlist', '{visibility}') returning id"
                ))
                .await[0];
            app.sql(&format!(
                "insert into playlist_items (playlist_id, video_id, position) values ({playlist}, {}, 1)",
                videos[0]
            ))
            .await;
            playlists.push(playlist);
        }
        let scheduled = app
            .numbers(&format!(
                "insert into videos (dir, title, lang, gender, duration, publish_at, user_id, media_key)
                 values ('scheduled', 'Of {owner}: scheduled', 'en', 'str', 700, now() + interval '1 day', {owner}, 'demo/01') returning id"
            ))
            .await[0];
        for (section, id) in [
            ("video", videos[0]),
            ("video", videos[1]),
            ("video", videos[3]),
            ("album", albums[1]),
            ("playlist", playlists[1]),
        ] {
            app.sql(&format!(
                "insert into comments (section, object_id, user_id, body) values ('{section}', {id}, {stranger}, 'A comment')"
            ))
            .await;
        }
        app.sql(&format!(
            "insert into walls (user_id, author_id, body) values ({owner}, {stranger}, 'An entry');
             insert into subscriptions (user_id, section, object_id) values ({owner}, 'model', 1);
             insert into messages (sender_id, recipient_id, body) values ({owner}, {stranger}, 'A message')"
        ))
        .await;
        Self {
            owner,
            public: videos[0],
            private: videos[1],
            unfinished: videos[2],
            scheduled,
            deleted: videos[3],
            albums: [albums[0], albums[1], albums[2], albums[3]],
            playlists: [playlists[0], playlists[1]],
        }
    }
}

/// Returns the bucket and id in an object's address.
fn bucketed(id: i64) -> String {
    format!("{}/{id}", id / 1000 * 1000)
}

/// Returns the cell for a response. `shown` checks whether the response contains the protected content.
fn cell(reply: &Reply, shown: impl Fn(&Value) -> bool) -> String {
    let body = reply.json();
    match reply.status {
        200 if shown(&body) => "yes".to_owned(),
        200 => "hidden".to_owned(),
        _ => body["code"].as_str().unwrap_or("no code").to_owned(),
    }
}

fn some(list: &'static str) -> impl Fn(&Value) -> bool {
    move |body| body[list].as_array().is_some_and(|items| !items.is_empty())
}

fn done(body: &Value) -> bool {
    body["ok"] == 1
}

/// Returns the cell that corresponds to the site's actual response.
async fn actual_cell(world: &World, row: &str, column: usize) -> String {
    let things = if COLUMNS[column] == "6" { &world.managed } else { &world.things };
    match row.split(' ').next().unwrap() {
        "video" | "film" | "seek" | "download" | "album" | "playlist" | "videos" | "listing" => {
            object(world, row, column, things).await
        }
        "profile" | "wall" | "friends" | "subscriptions" | "comments" => community(world, row, column, things).await,
        "own" | "conversation" => own(world, row, column, things).await,
        _ => act(world, row, column, things).await,
    }
}

async fn object(world: &World, row: &str, column: usize, things: &Things) -> String {
    let state = row.rsplit(' ').next().unwrap();
    let at = STATES.iter().position(|known| *known == state).unwrap_or(1);
    let videos = things.videos();
    match row.split(' ').next().unwrap() {
        "video" => {
            let reply = world.get(column, &format!("/api/json/video/86400/{}.json", bucketed(videos[at]))).await;
            cell(&reply, |body| body["video"]["title"] != "")
        }
        "film" => {
            let reply = world.get(column, &format!("/api/videofile.php?video_id={}", videos[at])).await;
            cell(&reply, |body| body["video_url"].is_array())
        }
        "seek" => {
            world.app.media("demo/01/timeline.vtt", timeline::CUES);
            world.app.media("demo/01/timeline.jpg", b"all frames");
            let path = format!("/media/t/160x90/{}/2/5.jpg", bucketed(videos[at]));
            let reply = world.get(column, &path).await;
            match reply.status {
                303 if world.get(column, reply.header("location")).await.text() == "all frames" => "yes".to_owned(),
                _ => cell(&reply, |_| false),
            }
        }
        "download" => {
            world.app.media("demo/01/video.mp4", b"a film");
            let reply = world.get(column, &format!("/api/download.php?video_id={}", videos[at])).await;
            cell(&reply, |body| body["ticket"].is_string())
        }
        "album" => {
            let reply = world.get(column, &format!("/api/json/album/86400/{}.json", bucketed(things.albums[at]))).await;
            cell(&reply, |body| body["album"]["title"] != "")
        }
        "playlist" => {
            let reply =
                world.get(column, &format!("/api/json/playlist/86400/{}.json", bucketed(things.playlists[at]))).await;
            cell(&reply, |body| body["playlist"]["private"] == i32::from(at == 0))
        }
        "videos" => {
            let id = things.playlists[usize::from(row.contains("private"))];
            let path = format!("/api/json/videos2/86400/str/latest-updates/60/playlist.{id}.1.all.all.all.json");
            cell(&world.get(column, &path).await, some("videos"))
        }
        _ => {
            let path =
                format!("/api/json/videos2/86400/str/latest-updates/60/member.{}.1.all.all.all.json", things.owner);
            let private = things.private;
            cell(&world.get(column, &path).await, |body| {
                body["videos"].as_array().unwrap().iter().any(|video| video["video_id"] == private)
            })
        }
    }
}

async fn community(world: &World, row: &str, column: usize, things: &Things) -> String {
    let owner = bucketed(things.owner);
    let comments = |section: &str, id: i64| format!("/api/json/comments/0/{section}/{}.json", bucketed(id));
    let (path, list) = match row {
        "profile" => (format!("/api/json/member/7200/{owner}.json"), "member"),
        "profile of somebody banned" => (format!("/api/json/member/7200/{}.json", bucketed(world.banned)), "member"),
        "wall" => (format!("/api/json/member_wall/7200/{owner}.1.json"), "comments"),
        "friends" => (format!("/api/json/friends/7200/{owner}.1.json"), "friends"),
        "subscriptions" => (format!("/api/json/subscriptions/7200/{owner}.1.json"), "subscriptions"),
        "comments on a public video" => (comments("video", things.public), "comments"),
        "comments on a private video" => (comments("video", things.private), "comments"),
        "comments on a deleted video" => (comments("video", things.deleted), "comments"),
        "comments on a private album" => (comments("album", things.albums[1]), "comments"),
        "comments on a private playlist" => (comments("playlist", things.playlists[1]), "comments"),
        unknown => panic!("docs/PERMISSIONS.md has an untested row: {unknown}"),
    };
    let reply = world.get(column, &path).await;
    cell(&reply, |body| body["member"].is_object() || some(list)(body))
}

async fn own(world: &World, row: &str, column: usize, things: &Things) -> String {
    if row == "own profile" {
        let id = world.people[column].as_ref().map(|session| session.id);
        return cell(&world.get(column, "/api/member.php").await, |body| body["user"]["user_id"].as_i64() == id);
    }
    if row == "own mutes" || row == "own watched videos" {
        let (call, list) = if row == "own mutes" { ("mutes", "models") } else { ("watched", "videos") };
        let path = format!("/api/{call}.php?user_id={}", things.owner);
        return cell(&world.get(column, &path).await, |body| body[list].is_array());
    }
    if row == "conversation of the owner with another" {
        let path = format!("/api/messages.php?with={}", world.stranger);
        let owner = things.owner;
        let sent = format!("select count(*) from messages where sender_id = {owner} and body = 'A message'");
        assert_eq!(world.app.numbers(&sent).await, [1]);
        return cell(&world.get(column, &path).await, |body| {
            body["messages"].as_array().unwrap().iter().any(|message| message["text"] == "A message")
        });
    }
    let list = row.strip_prefix("own ").unwrap_or_else(|| panic!("untested row: {row}"));
    let reply = world.get(column, &format!("/api/member_lists.php?list={list}&user_id={}", things.owner)).await;
    cell(&reply, |body| body["total_count"].is_i64())
}

async fn act(world: &World, row: &str, column: usize, things: &Things) -> String {
    let id = |id: i64| id.to_string();
    let stat = async |form: &[(&str, &str)]| cell(&world.post(column, "/api/stat.php", form).await, done);
    let comment = async |section: &str, id: i64| {
        stat(&[
            ("act", "comm"),
            ("section", section),
            ("object_id", &id.to_string()),
            ("msg", &format!("Said by {column}")),
        ])
        .await
    };
    let vote = async |id: i64| {
        stat(&[("act", "vote"), ("section", "video"), ("object_id", &id.to_string()), ("vote", "1")]).await
    };
    let favourite =
        async |id: i64| stat(&[("act", "favourite"), ("section", "add"), ("object_id", &id.to_string())]).await;
    // Insert a new comment by a stranger for each cell.
    let stranger_comment = async |video: i64| {
        let insert = format!(
            "insert into comments (section, object_id, user_id, body) values ('video', {video}, {}, 'What do you think?')",
            world.stranger
        );
        world.new_id(&insert).await
    };
    let answer = async |video: i64| {
        let (about, parent) = (id(video), stranger_comment(video).await);
        let text = format!("Answered by {column}");
        stat(&[("act", "comm"), ("section", "video"), ("object_id", &about), ("msg", &text), ("parent_id", &parent)])
            .await
    };
    let like = async |video: i64| {
        stat(&[("act", "comm_like"), ("section", "add"), ("comment_id", &stranger_comment(video).await)]).await
    };
    let playlist = async || {
        let insert = format!(
            "insert into playlists (user_id, title, description) values ({}, 'Shortly', 'A playlist')",
            things.owner
        );
        world.new_id(&insert).await
    };
    let manage = async |act: &str| {
        let video = world
            .new_id(&format!(
                "insert into videos (dir, title, lang, gender, duration, user_id) values ('m', 'M', 'en', 'str', 9, {})",
                things.owner
            ))
            .await;
        cell(&world.post(column, "/api/video_edit.php", &[("act", act), ("video_id", &video)]).await, done)
    };
    let album = async |status: i16, form: &[(&str, &str)]| {
        let owner = things.owner;
        let id = world
            .new_id(&format!(
                "insert into albums (dir, title, lang, gender, status_id, user_id) values ('m', 'M', 'en', 'str', {status}, {owner})"
            ))
            .await;
        let photo =
            format!("insert into photos (album_id, position, media_key, width, height) values ({id}, 1, 'k', 1, 1)");
        world.app.sql(&photo).await;
        cell(&world.post(column, "/api/album_edit.php", &[form, &[("album_id", &*id)]].concat()).await, done)
    };
    match row {
        "upload a film in one form" => {
            let guest = world.app.guest();
            let who = world.people[column].as_ref().unwrap_or(&guest);
            cell(&whole::sent(who, &whole::TEXTS, "film.mp4", b"a film").await, done)
        }
        "vote on a public video" => {
            // Guests with the same address are one voter, so each cell uses a different video.
            let insert = format!(
                "insert into videos (dir, title, lang, gender, duration, user_id) values ('v', 'V', 'en', 'str', 9, {})",
                things.owner
            );
            vote(world.new_id(&insert).await.parse().unwrap()).await
        }
        "vote on a private video" => vote(things.private).await,
        "favourite a public video" => favourite(things.public).await,
        "favourite a private video" => favourite(things.private).await,
        "favourite a deleted video" => favourite(things.deleted).await,
        "comment on a public video" => comment("video", things.public).await,
        "comment on a private video" => comment("video", things.private).await,
        "comment on a private album" => comment("album", things.albums[1]).await,
        "comment on a private playlist" => comment("playlist", things.playlists[1]).await,
        "delete a stranger's comment on the video" => {
            let insert = format!(
                "insert into comments (section, object_id, user_id, body) values ('video', {}, {}, 'Delete me')",
                things.public, world.stranger
            );
            stat(&[("act", "comm_del"), ("comment_id", &world.new_id(&insert).await)]).await
        }
        "answer a comment on a public video" => answer(things.public).await,
        "answer a comment on a private video" => answer(things.private).await,
        "like a comment on a public video" => like(things.public).await,
        "like a comment on a private video" => like(things.private).await,
        "delete a stranger's reply on the video" => {
            let comment = stranger_comment(things.public).await;
            let insert = format!(
                "insert into comments (section, object_id, user_id, body, parent_id) values ('video', {}, {}, 'Delete me', {comment})",
                things.public, world.stranger
            );
            stat(&[("act", "comm_del"), ("comment_id", &world.new_id(&insert).await)]).await
        }
        "write on the wall" => {
            stat(&[("act", "wall"), ("object_id", &id(things.owner)), ("msg", &format!("Written by {column}"))]).await
        }
        "delete a stranger's entry on the wall" => {
            let insert = format!(
                "insert into walls (user_id, author_id, body) values ({}, {}, 'Delete me')",
                things.owner, world.stranger
            );
            stat(&[("act", "wall_del"), ("wall_id", &world.new_id(&insert).await)]).await
        }
        "send a message to the owner" => {
            let form = [("act", "send"), ("to", &*id(things.owner)), ("text", "Good evening")];
            cell(&world.post(column, "/api/messages.php", &form).await, done)
        }
        "delete a message of the owner" => {
            let insert = format!(
                "insert into messages (sender_id, recipient_id, body) values ({}, {}, 'Delete me')",
                things.owner, world.stranger
            );
            let form = [("act", "delete"), ("message_id", &*world.new_id(&insert).await)];
            cell(&world.post(column, "/api/messages.php", &form).await, done)
        }
        "change the playlist" => {
            let form = [("title", "Another title"), ("desc", "Another text"), ("visible", "1"), ("orientation", "str")];
            let of = [("act", "playlist"), ("section", "upd"), ("object_id", &*playlist().await)];
            stat(&[&of[..], &form[..]].concat()).await
        }
        "put a video into the playlist" => {
            let of = [("act", "playlist"), ("section", "add"), ("object_id", &*playlist().await), ("video_id", "1")];
            stat(&of).await
        }
        "delete the playlist" => {
            stat(&[("act", "playlist"), ("section", "del"), ("object_id", &*playlist().await)]).await
        }
        "save a search" => {
            stat(&[("act", "saved_search"), ("section", "add"), ("title", "Night"), ("address", "/search/1/?s=night")])
                .await
        }
        "rename the saved search" => {
            let insert = format!(
                "insert into saved_searches (user_id, name, address, seen_at) values ({}, 'Night', '/{column}/', now())",
                things.owner
            );
            let id = world.new_id(&insert).await;
            stat(&[("act", "saved_search"), ("section", "upd"), ("title", "Nights"), ("object_id", &id)]).await
        }
        "change the own profile" => cell(
            &world.post(column, "/api/member.php", &[("city", "Osaka"), ("user_id", &id(things.owner))]).await,
            done,
        ),
        "report a public video" => {
            let form = [
                ("section", "video"),
                ("object_id", &*id(things.public)),
                ("reason", "broken"),
                ("email", "reporter@example.org"),
                ("message", "It does not play"),
            ];
            cell(&world.post(column, "/api/report.php", &form).await, done)
        }
        "change the album" => {
            let form = [("title", "Another title"), ("lang", "en"), ("orientation", "str"), ("categories", "city")];
            album(1, &form).await
        }
        "delete the album" => album(1, &[("act", "2")]).await,
        "delete a draft of an album" => album(3, &[("act", "2")]).await,
        "replace the film of the video" => {
            let insert = format!(
                "insert into videos (dir, title, lang, gender, duration, user_id, media_key) values ('m', 'M', 'en', 'str', 9, {}, 'clips/m')",
                things.owner
            );
            let video = world.new_id(&insert).await.parse().unwrap();
            let guest = world.app.guest();
            let reply = tus::begin_replacing(world.people[column].as_ref().unwrap_or(&guest), 9, video).await;
            if reply.status == 201 { "yes".to_owned() } else { cell(&reply, done) }
        }
        "make the video private" => manage("3").await,
        "delete the video" => manage("2").await,
        "re-add the video" => manage("4").await,
        unknown => panic!("docs/PERMISSIONS.md has an untested row: {unknown}"),
    }
}

#[tokio::test]
async fn every_cell_matches_the_response() {
    let (world, rows) = (World::new().await, rows());
    assert!(rows.len() >= ROWS, "only {} rows parsed", rows.len());
    let mut wrong = Vec::new();
    for (row, cells) in &rows {
        for (column, expected) in cells.iter().enumerate() {
            let found = actual_cell(&world, row, column).await;
            if found != *expected {
                wrong.push(format!("{row}, {}: the table has {expected}, the site {found}", COLUMNS[column]));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} cells:\n{}", wrong.len(), rows.len() * COLUMNS.len(), wrong.join("\n"));
    world.app.drain().await;
    world.app.finish().await;
}

#[tokio::test]
async fn managers_of_own_uploads_cannot_manage_others() {
    let world = World::new().await;
    let manager = COLUMNS.iter().position(|column| *column == "6").unwrap();
    for act in ["2", "3", "4"] {
        let form = [("act", act), ("video_id", &*world.things.public.to_string())];
        world.post(manager, "/api/video_edit.php", &form).await.refused(404, "video_not_found");
    }
    let of_table = format!("select status_id::bigint from videos where id = {}", world.things.public);
    assert_eq!(world.app.numbers(&of_table).await, [1]);
    world.app.finish().await;
}
