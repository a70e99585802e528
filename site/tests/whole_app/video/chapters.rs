//! Chapters: what members write, descriptions contain and files bring along, on pages, in searches and in review.

use std::{fs, process::Command};

use lantern_testing::film;
use serde_json::{Value, json};

use crate::{
    page::dom::path,
    support::{App, Session, done},
    upload::films::{self, EDIT, latest, work, worker},
};

const DESCRIBED: &str = "A walk.\n\n[0:00] Arrival\n0:40 - The lanterns\n1:30 Farewell";

/// Returns a form for video 4, which lasts 268 seconds.
fn form<'a>(description: &'a str, chapters: &'a str) -> [(&'a str, &'a str); 7] {
    [
        ("video_id", "4"),
        ("title", "Neon rain"),
        ("description", description),
        ("chapters", chapters),
        ("lang", "en"),
        ("orientation", "str"),
        ("categories", "dance"),
    ]
}

/// Saves a form and approves the video.
async fn edit(app: &App, owner: &Session, description: &str, chapters: &str) {
    let status = done(&owner.post(EDIT, &form(description, chapters)).await)["status_id"].clone();
    if status == 2 {
        app.change("update videos set status_id = published() where id = 4").await;
    }
}

async fn shown(app: &App, query: &str) -> Value {
    app.json(&format!("/api/json/video/86400/0/4.json{query}")).await["video"]["chapters"].clone()
}

#[tokio::test]
async fn chapters_come_from_the_form_or_else_the_description() {
    let app = App::start().await;
    app.sql("update videos set user_id = 1 where id = 4").await;
    let owner = app.sign_in(1, "uploader").await;
    assert_eq!(shown(&app, "").await, json!([]));
    edit(&app, &owner, DESCRIBED, "").await;
    let described = json!([
        { "start": 0, "title": "Arrival" },
        { "start": 40, "title": "The lanterns" },
        { "start": 90, "title": "Farewell" }
    ]);
    assert_eq!(shown(&app, "").await, described);
    app.sql("insert into video_translations (video_id, lang, title, description) values (4, 'ru', 'Дождь', E'0:00 Приход\\n0:40 Фонари\\n1:30 Прощание')")
        .await;
    app.drain().await;
    assert_eq!(shown(&app, "?lang=ru").await[1]["title"], "Фонари");
    assert_eq!(shown(&app, "?lang=de").await, described);

    edit(&app, &owner, DESCRIBED, " 0:00   One\r\n\r\n４：２７　Two").await;
    let own = json!([{ "start": 0, "title": "One" }, { "start": 267, "title": "Two" }]);
    assert_eq!(shown(&app, "").await, own);
    assert_eq!(owner.get("/api/video_edit.php?video_id=4").await.json()["chapters"], "0:00 One\n4:27 Two");
    edit(&app, &owner, DESCRIBED, "").await;
    assert_eq!(shown(&app, "").await, described, "an empty field brings them back");
    app.finish().await;
}

#[tokio::test]
async fn edited_chapters_are_checked_and_reviewed() {
    let app = App::start().await;
    app.sql("update videos set user_id = 1 where id = 4").await;
    let owner = app.sign_in(1, "uploader").await;
    edit(&app, &owner, DESCRIBED, "").await;
    let prohibited = format!("0:00 One\n0:30 So {} it is", app.state().config.safety.prohibited_terms[0]);
    for (text, code, info) in [
        ("0:00 One\nTwo", "chapter_unreadable", json!({ "line": 2 })),
        ("\n0:10 One", "chapter_start", json!({ "line": 2 })),
        ("0:00 One\n0:30 Two\n0:20 Three", "chapter_order", json!({ "line": 3 })),
        ("0:00 One\n4:28 Two", "chapter_late", json!({ "line": 2 })),
        (&format!("0:00 {}", "x".repeat(101)), "chapter_title_length", json!({ "line": 1, "bound": 100 })),
        (&prohibited, "prohibited_terms", json!({ "line": 2 })),
    ] {
        let reply = owner.post(EDIT, &form(DESCRIBED, text)).await;
        reply.refused(422, code);
        let answer = reply.json();
        assert_eq!((&answer["field"], &answer["info"]), (&json!("chapters"), &info), "{text}");
    }
    assert_eq!(shown(&app, "").await.as_array().unwrap().len(), 3, "nothing has changed");
    let sent = owner.post(EDIT, &form(DESCRIBED, "0:00 One")).await;
    assert_eq!(done(&sent)["status_id"], 2, "chapters need a decision, like a title");
    let moderator = app.moderator("boss").await;
    assert_eq!(moderator.get("/api/moderate/upload?section=video&id=4").await.json()["chapters"], "0:00 One");
    app.finish().await;
}

#[tokio::test]
async fn page_and_its_structured_data_contain_chapters() {
    let app = App::start().await;
    let (_, dom) = app.page("/videos/4/").await;
    assert!(dom.texts(".chapters").is_empty() && dom.data("VideoObject").unwrap()["hasPart"].is_null());
    app.change("update videos set chapters = E'0:00 Arrival\\n0:40 <b>Lanterns</b> & \"more\"' where id = 4").await;
    let (_, dom) = app.page("/videos/4/?start_time=40").await;
    assert_eq!(dom.texts(".chapters a"), ["0:00 Arrival", "0:40 <b>Lanterns</b> & \"more\""]);
    let links = ["/videos/4/video-4/?start_time=0", "/videos/4/video-4/?start_time=40"];
    assert_eq!(dom.attrs(".chapters a", "href"), links);
    let parts = dom.data("VideoObject").unwrap()["hasPart"].clone();
    let part = |at: usize| {
        let part = &parts[at];
        let url = path(part["url"].as_str().unwrap()).to_owned();
        (part["@type"].clone(), part["name"].clone(), part["startOffset"].clone(), part["endOffset"].clone(), url)
    };
    let title = "<b>Lanterns</b> & \"more\"";
    assert_eq!(part(0), (json!("Clip"), json!("Arrival"), json!(0), json!(40), links[0].to_owned()));
    assert_eq!(part(1), (json!("Clip"), json!(title), json!(40), json!(268), links[1].to_owned()));

    app.media("demo/04/video.mp4", b"a film");
    let (reply, dom) = app.page("/embed/4/?lang=de").await;
    assert_eq!(dom.texts(".chapters summary"), ["Kapitel"]);
    assert_eq!(dom.attrs(".chapters a", "data-start"), ["0", "40"]);
    assert_eq!(dom.attrs(".chapters a", "href")[1], "/embed/4/?start_time=40&lang=de");
    assert_eq!(dom.attrs("script", "src"), ["/assets/embed.js"], "scripts are never inline");
    assert!(reply.header("content-security-policy").contains("script-src 'self';"));
    app.finish().await;
}

#[tokio::test]
async fn search_finds_videos_by_their_chapters() {
    let app = App::start().await;
    let hits = async |query: &str| {
        let answer =
            app.json(&format!("/api/videos2.php?params=86400/str/relevance/10/search..1.all..&s={query}")).await;
        let video = answer["videos"].as_array().unwrap().iter().find(|video| video["video_id"] == 4).cloned();
        (answer["total_count"].clone(), video.map(|video| video["chapter"].clone()))
    };
    app.change("update videos set chapters = E'0:00 Arrival\\n0:40 Zeppelins over neon roofs' where id = 4").await;
    let chapter = json!({ "start": 40, "time": "0:40", "title": "Zeppelins over neon roofs", "lang": "en" });
    assert_eq!(hits("zeppelin").await, (json!(1), Some(chapter.clone())));
    assert_eq!(hits("neon%20zeppelins").await.1, Some(chapter), "it matches more than the title");
    assert_eq!(hits("neon%20rain%204").await.1, Some(json!(null)), "the title matches");
    app.change("update videos set chapters = '' where id = 4").await;
    assert_eq!(hits("zeppelin").await.1, None);
    app.finish().await;
}

/// Adds chapters to a film.
fn with_chapters(film: &[u8], chapters: &[(&str, &str)]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("film.mp4"), film).unwrap();
    let list =
        chapters.iter().map(|(start, title)| format!("[CHAPTER]\nTIMEBASE=1/1\nSTART={start}\nEND=9\ntitle={title}\n"));
    fs::write(at("list.txt"), format!(";FFMETADATA1\n{}", list.collect::<String>())).unwrap();
    let made = Command::new("ffmpeg")
        .current_dir(folder.path())
        .args([
            "-nostdin",
            "-v",
            "error",
            "-i",
            "film.mp4",
            "-i",
            "list.txt",
            "-map_chapters",
            "1",
            "-c",
            "copy",
            "out.mkv",
        ])
        .status();
    assert!(made.unwrap().success());
    fs::read(at("out.mkv")).unwrap()
}

#[tokio::test]
async fn chapters_of_a_file_are_kept_unless_there_are_others() {
    let app = films::app().await;
    let mona = app.member("mona").await;
    let worker = worker(&app, |config| config.films.chapter_title_max = 8);
    let film = |number| {
        let chapters = [("0", "Opening \u{202E}credits"), ("1", ""), ("2", "- Harbour"), ("3", "Stairs")];
        with_chapters(&film("4", number), &chapters)
    };
    let upload = async |number, fields: &[(&str, &str)]| {
        let token = films::sent(&mona, &film(number)).await;
        let form = films::form(&token, "Evenings by the harbour");
        let reply = mona.post(EDIT, &[&form[..], fields].concat()).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        assert!(work(&worker).await);
        let id = latest(&mona).await["video"]["video_id"].clone();
        mona.get(&format!("/api/video_edit.php?video_id={id}")).await.json()["chapters"].clone()
    };
    assert_eq!(upload(1, &[]).await, "0:00 Opening\n0:02 Harbour\n0:03 Stairs");
    assert_eq!(upload(2, &[("description", "0:00 A\n0:01 B\n0:02 C")]).await, "");
    assert_eq!(upload(3, &[("chapters", "0:00 A\n0:01 B")]).await, "0:00 A\n0:01 B");
    app.drain().await;
    app.finish().await;
}
