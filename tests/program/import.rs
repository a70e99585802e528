//! Import of videos from another system, and their export.

use std::{
    fs,
    io::{Read, Write},
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::Path,
};

use lantern_testing::TestDb;
use tempfile::TempDir;
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};

use crate::{lantern, run};

const NAMES: &str = r#"{"category":{"titles":{"en":"City walks","de":"Stadtspaziergänge"}}}
{"model":{"title":"Ana Dvořák","birth_date":"1990-02-28","aliases":["アナ"],"names":{"ja":"アナ・ドヴォルザーク","ru":"Ана Дворжак"}}}
"#;
const VIDEOS: &str = r#"{"id":"a","title":"A walk","duration":"12:34","categories":["stadtspaziergange"],"models":["アナ"],"embed":{"site":"videos","id":"x1"},"views":12,"likes":3,"date":"2024-05-01T10:00:00Z","translations":{"de":{"title":"Ein Spaziergang"}},"consents":[{"model":"Ana Dvorak","signed_on":"2023-01-01","document":"passport","reference":"A 1"}]}
{"id":"b","title":"Another walk","duration":600,"models":["Somebody"],"embed":{"site":"videos","id":"x2"}}
{"id":"c","title":"A film to come","duration":600}
{"id":"d","title":"placeholder-prohibited","duration":600}
{"id":"a","title":"A walk again","duration":600}
{"id":"e","titel":"A walk"}
"#;

/// Runs `lantern` on the database. Returns whether it succeeded, and standard output followed by standard error.
pub fn on(db: &TestDb, folder: &Path, words: &[&str]) -> (bool, String) {
    let mut command = lantern(&folder.join("data"));
    command
        .args(words)
        .env("LANTERN__DATABASE__URL", &db.url)
        .env("LANTERN__EMBEDS__VIDEOS", "https://player.example/embed/{id}")
        .env("LANTERN__SAFETY__PROHIBITED_TERMS", r#"["placeholder-prohibited"]"#)
        .env("LANTERN__UPLOADS__RESERVE_BYTES", "0");
    let (output, errors) = run(&mut command);
    (output.status.success(), format!("{}{errors}", String::from_utf8(output.stdout).unwrap()))
}

/// Creates a folder that remains accessible after Lantern has dropped root privileges.
pub fn open_folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    folder
}

/// Returns the line with the counts in a report.
pub fn counts(output: &str) -> &str {
    output.lines().find(|line| line.contains(" added, ")).unwrap_or(output)
}

pub async fn text(db: &TestDb, sql: &'static str) -> String {
    sqlx::query_scalar(sql).fetch_one(&db.pool).await.unwrap()
}

const STATES: &str = "select string_agg(concat(i.source_id, v.status_id), ' ' order by i.source_id) from imports i join videos v on v.id = i.video_id";

#[tokio::test(flavor = "multi_thread")]
async fn import_is_idempotent() {
    let (db, folder) = (TestDb::create().await.unwrap(), open_folder());
    let (file, refused) = (folder.path().join("videos.jsonl"), folder.path().join("refused.jsonl"));
    let import = |lines: &str, more: &[&str]| {
        fs::write(&file, lines).unwrap();
        let words = ["import", "--source", "oldsite", "--refused", refused.to_str().unwrap(), file.to_str().unwrap()];
        on(&db, folder.path(), &[&words, more].concat())
    };
    let all = format!("{NAMES}{VIDEOS}");

    let (is_done, output) = import(&all, &["--cleared", "--dry-run"]);
    assert!(is_done, "{output}");
    assert_eq!(
        counts(&output),
        "3 added, 0 changed, 0 unchanged, 0 closed here, 0 films enqueued, 2 categories and models, 3 refused; 2 wait for review or a film"
    );
    assert_eq!(
        text(&db, "select count(*)::text from (select id from videos union all select id from models) a").await,
        "0"
    );

    let (is_done, output) = import(&all, &["--cleared"]);
    assert!(is_done, "{output}");
    assert!(counts(&output).starts_with("3 added, "), "{output}");
    assert!(output.contains(r#"model "Somebody": 1"#), "{output}");
    let refusals = fs::read_to_string(&refused).unwrap();
    let codes: Vec<String> = refusals
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|row| format!("{} {}", row["line"], row["code"].as_str().unwrap()))
        .collect();
    assert_eq!(codes, ["6 prohibited_terms", "7 twice", "8 required"], "{refusals}");
    assert!(output.contains(r#"field "titel": 1"#), "{output}");
    // A video with a consent is published, one with an unknown model awaits a review, and one without a film waits for
    // it.
    assert_eq!(text(&db, STATES).await, "a1 b2 c3");
    let whole = "select concat_ws('|', v.dir, v.duration, v.ex_tube, v.ex_id, v.post_date at time zone 'UTC', s.viewed, s.likes, t.title, c.dir, m.dir, p.document_ref)
                 from videos v join video_stats s on s.video_id = v.id join video_translations t on t.video_id = v.id
                      join video_categories vc on vc.video_id = v.id join categories c on c.id = vc.category_id
                      join video_models vm on vm.video_id = v.id join models m on m.id = vm.model_id
                      join performer_consents p on p.video_id = v.id";
    assert_eq!(
        text(&db, whole).await,
        "a-walk|754|videos|x1|2024-05-01 10:00:00|12|3|Ein Spaziergang|city-walks|ana-dvorak|A 1"
    );
    assert_eq!(
        text(&db, "select concat(act, ' ', details::json->>'videos') from decisions").await,
        format!("import [{}]", text(&db, "select id::text from videos where ex_id = 'x1'").await)
    );

    let (_, output) = import(&all, &["--cleared"]);
    assert!(counts(&output).starts_with("0 added, 0 changed, 3 unchanged, "), "{output}");

    // Differences are updated. Videos that were deleted or rejected on this site stay so.
    sqlx::query("update videos set status_id = deleted() where ex_id = 'x2'").execute(&db.pool).await.unwrap();
    sqlx::query("update videos set status_id = rejected() where title = 'A film to come'")
        .execute(&db.pool)
        .await
        .unwrap();
    let other =
        VIDEOS.replace("A walk\"", "A long walk\"").replace("Another walk", "Another one").replace("to come", "to go");
    let (_, output) = import(&other, &["--cleared"]);
    assert!(counts(&output).starts_with("0 added, 1 changed, 0 unchanged, 2 closed here, "), "{output}");
    assert_eq!(
        text(&db, "select string_agg(title, ', ' order by id) from videos").await,
        "A long walk, Another walk, A film to come"
    );
    assert_eq!(text(&db, STATES).await, "a1 b5 c4");

    // An import doesn't override a revoked consent.
    sqlx::query("update performer_consents set revoked_at = now()").execute(&db.pool).await.unwrap();
    import(&other.replace("A long walk", "The longest walk"), &["--cleared"]);
    assert_eq!(text(&db, STATES).await, "a2 b5 c4");

    // If the same line is imported again with --cleared, it is published, but only once.
    let late = r#"{"id":"n","title":"Nobody there","duration":600,"nobody":true,"embed":{"site":"videos","id":"x9"}}"#;
    for (more, expected, state) in [
        (&[][..], "1 added, 0 changed, ", "2"),
        (&["--cleared"], "0 added, 1 changed, ", "1"),
        (&["--cleared"], "0 added, 0 changed, 1 unchanged, ", "1"),
    ] {
        let (_, output) = import(late, more);
        assert!(counts(&output).starts_with(expected), "{output}");
        assert_eq!(text(&db, "select status_id::text from videos where ex_id = 'x9'").await, state);
    }

    // The embed of another video is refused.
    let (_, output) = import(r#"{"id":"z","title":"A thief","duration":600,"embed":{"site":"videos","id":"x1"}}"#, &[]);
    assert!(output.contains("taken: 1"), "{output}");
}

#[tokio::test(flavor = "multi_thread")]
async fn birth_date_changes_only_on_request() {
    let (db, folder) = (TestDb::create().await.unwrap(), open_folder());
    let file = folder.path().join("models.jsonl");
    let import = |birth_date: &str, more: &[&str]| {
        fs::write(&file, NAMES.replace("1990-02-28", birth_date)).unwrap();
        let words = ["import", "--source", "oldsite", file.to_str().unwrap()];
        on(&db, folder.path(), &[&words, more].concat()).1
    };
    let known = "select concat(birth_date, ' ', (select count(*) from decisions)) from models";
    import("1990-02-28", &[]);
    for (birth_date, more, refused, expected) in [
        ("1990-02-28", &[][..], 0, "1990-02-28 0"),
        ("1991-01-01", &[], 1, "1990-02-28 0"),
        ("1991-01-01", &["--dry-run"], 1, "1990-02-28 0"),
        ("1991-01-01", &["--dry-run", "--allow-birth-dates"], 0, "1990-02-28 0"),
        ("1991-01-01", &["--allow-birth-dates"], 0, "1991-01-01 1"),
        ("1991-01-01", &["--allow-birth-dates"], 0, "1991-01-01 1"),
    ] {
        let output = import(birth_date, more);
        assert!(counts(&output).contains(&format!(" {refused} refused")), "{birth_date} {more:?}: {output}");
        assert_eq!(output.contains("other_birth_date"), refused > 0, "{output}");
        assert_eq!(text(&db, known).await, expected, "{birth_date} {more:?}");
    }
    let change = "select concat_ws(' ', actor, act, section, details) from decisions";
    assert_eq!(text(&db, change).await, r#"operator change birth date model {"from":"1990-02-28","to":"1991-01-01"}"#);
}

/// As root, Lantern runs as another user, who can't enter the folder.
#[tokio::test(flavor = "multi_thread")]
async fn files_of_import_may_be_in_a_folder_of_root() {
    let (db, data, own) =
        (TestDb::create().await.unwrap(), open_folder(), tempfile::tempdir_in(std::env::temp_dir()).unwrap());
    fs::set_permissions(own.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let [file, refused] = ["videos.jsonl", "refused.jsonl"].map(|name| own.path().join(name));
    fs::write(&file, r#"{"id":7,"title":"A walk","views":"many"}"#).unwrap();
    let [file, refused_file] = [&file, &refused].map(|path| path.to_str().unwrap());
    let (is_done, output) = on(&db, data.path(), &["import", "--source", "oldsite", "--refused", refused_file, file]);
    assert!(is_done, "{output}");
    let refusal = fs::read_to_string(&refused).unwrap();
    assert!(refusal.starts_with(r#"{"line":1,"id":"7","code":"malformed","#), "{refusal}");
    // Invalid arguments overwrite nothing.
    let (is_done, output) = on(
        &db,
        data.path(),
        &["import", "--source", "oldsite", "--form", "delimited", "--columns", "id", "--refused", refused_file, file],
    );
    assert!(!is_done && output.contains("title is missing"), "{output}");
    assert_eq!(fs::read_to_string(refused_file).unwrap(), refusal);
}

#[tokio::test(flavor = "multi_thread")]
async fn delimited_file_and_export_round_trip() {
    let (db, folder) = (TestDb::create().await.unwrap(), open_folder());
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("names.jsonl"), NAMES).unwrap();
    fs::write(
        path("synonyms.toml"),
        "[categories]\n\"Urban\" = \"city-walks\"\n\"Misc\" = \"\"\n[models]\n\"A. D.\" = \"ana-dvorak\"\n",
    )
    .unwrap();
    fs::write(
        path("dump.csv"),
        "id|title|time|x|tags|who|key\n7|\"A walk; with | inside\"|10:00|y|Urban;Misc;Parks|A. D.|k7\n8|Too few|1\n",
    )
    .unwrap();
    let (is_done, output) = on(&db, folder.path(), &["import", "--source", "dump", &path("names.jsonl")]);
    assert!(is_done, "{output}");
    let columns = [
        "--form",
        "delimited",
        "--header",
        "--columns",
        "id,title,duration,-,categories,models,embed",
        "--site",
        "videos",
    ];
    let more = ["--synonyms", &path("synonyms.toml"), "--create-categories", &path("dump.csv")];
    let (is_done, output) = on(&db, folder.path(), &[&["import", "--source", "dump"][..], &columns, &more].concat());
    assert!(is_done, "{output}");
    assert!(output.contains("expected 7 columns, found 3"), "{output}");
    let tags = "select concat_ws('|', v.title, (select string_agg(c.dir, ',' order by c.dir) from video_categories l join categories c on c.id = l.category_id where l.video_id = v.id),
                       (select m.dir from video_models l join models m on m.id = l.model_id where l.video_id = v.id)) from videos v";
    assert_eq!(text(&db, tags).await, "A walk; with | inside|city-walks,parks|ana-dvorak");

    // A later line changes the names that it contains and leaves the others. Invalid names are refused.
    let named =
        |names: &str| format!(r#"{{"model":{{"title":"Ana Dvořák","birth_date":"1990-02-28","names":{names}}}}}"#);
    for (names, refusal) in [
        (r#"{"ja":"ドヴォルザーク・アナ"}"#, ""),
        (r#"{"de":"placeholder-prohibited"}"#, "prohibited_terms"),
        (r#"{"xx":"Ana"}"#, "invalid"),
        (r#"{"de":" "}"#, "required"),
    ] {
        fs::write(path("model.jsonl"), named(names)).unwrap();
        let (_, output) = on(&db, folder.path(), &["import", "--source", "dump", &path("model.jsonl")]);
        assert!(output.contains(if refusal.is_empty() { " 0 refused" } else { refusal }), "{names}: {output}");
    }
    let names = "select string_agg(concat(lang, ' ', name), ', ' order by lang) from model_names";
    assert_eq!(text(&db, names).await, "ja ドヴォルザーク・アナ, ru Ана Дворжак");

    let (is_done, exported) = on(&db, folder.path(), &["export", "--source", "dump"]);
    assert!(is_done, "{exported}");
    fs::write(path("export.jsonl"), &exported).unwrap();
    let (other, elsewhere) = (TestDb::create().await.unwrap(), open_folder());
    let (is_done, output) = on(&other, elsewhere.path(), &["import", "--source", "dump", &path("export.jsonl")]);
    assert!(is_done && counts(&output).contains(" 0 refused"), "{output}");
    assert_eq!(text(&other, names).await, "ja ドヴォルザーク・アナ, ru Ана Дворжак");
    assert_eq!(on(&other, elsewhere.path(), &["export", "--source", "dump"]), (true, exported));
}

#[tokio::test(flavor = "multi_thread")]
async fn publication_is_scheduled_by_a_line_and_exported() {
    let (db, folder) = (TestDb::create().await.unwrap(), open_folder());
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let tomorrow = OffsetDateTime::now_utc().replace_nanosecond(0).unwrap() + Duration::days(1);
    let at = tomorrow.format(&Rfc3339).unwrap();
    let line = |id: &str, title: &str, more: &str| {
        let site = format!(r#""embed":{{"site":"videos","id":"{id}"}}"#);
        format!(r#"{{"id":"{id}","title":"{title}","duration":600,"nobody":true,"cleared":true,{site}{more}}}"#)
    };
    let with = |time: &str| format!(r#","publish_at":"{time}""#);
    let import = |lines: &[String]| {
        fs::write(path("videos.jsonl"), lines.join("\n")).unwrap();
        on(&db, folder.path(), &["import", "--source", "oldsite", &path("videos.jsonl")])
    };
    let (is_done, output) = import(&[
        line("a", "Tomorrow", &with(&at)),
        line("b", "Yesterday", &with("2024-05-01")),
        line("c", "Now", ""),
        line("d", "In years", &with("2199-05-01")),
    ]);
    assert!(is_done && output.contains("publish_too_late"), "{output}");
    assert_eq!(text(&db, STATES).await, "a6 b1 c1");
    let (is_done, exported) = on(&db, folder.path(), &["export", "--source", "oldsite"]);
    assert!(is_done && exported.matches(&with(&at)).count() == 1, "{exported}");
    // Other details leave the time as it is, and a time does not hide what is public.
    import(&[line("a", "The day after", ""), line("c", "Now again", &with(&at))]);
    let titles =
        "select string_agg(concat(title, ' ', status_id, ' ', publish_at is not null), ', ' order by id) from videos";
    assert_eq!(text(&db, titles).await, "The day after 6 t, Yesterday 1 f, Now again 1 f");
    import(&[line("a", "The day after", &with("2024-05-01"))]);
    assert_eq!(text(&db, STATES).await, "a1 b1 c1");
}

#[tokio::test(flavor = "multi_thread")]
async fn films_are_imported_from_permitted_sources_only() {
    let (db, folder) = (TestDb::create().await.unwrap(), open_folder());
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    sqlx::query("insert into users (username, email) values ('studio', 'studio@mail.example')")
        .execute(&db.pool)
        .await
        .unwrap();
    fs::create_dir(path("films")).unwrap();
    let bytes = lantern_testing::film("3", 1);
    fs::write(path("films/one.mp4"), &bytes).unwrap();
    fs::write(path("secret"), b"not for the site").unwrap();
    std::os::unix::fs::symlink(path("secret"), path("films/link.mp4")).unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let origin = format!("http://127.0.0.1:{port}");
    // The server redirects the first request and sends bytes in response to the second.
    let serving = std::thread::spawn(move || {
        for answer in [
            "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.2:9/x\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbytes",
        ] {
            let (mut stream, _) = server.accept().unwrap();
            let mut request = [0; 1024];
            assert!(stream.read(&mut request).unwrap() > 0);
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    let lines = format!(
        r#"{{"id":"1","title":"A file","file":"one.mp4","views":5,"date":"2024-05-01","nobody":true}}
{{"id":"2","title":"Up and out","file":"../secret"}}
{{"id":"3","title":"By a link","file":"link.mp4"}}
{{"id":"4","title":"Sent elsewhere","address":"{origin}/elsewhere.mp4"}}
{{"id":"5","title":"Fetched","address":"{origin}/film.mp4"}}
{{"id":"6","title":"Not listed","address":"http://127.0.0.1:1/film.mp4"}}
{{"id":"7","title":"Nobody's","file":"one.mp4","member":"nobody"}}
"#
    );
    fs::write(path("films.jsonl"), lines).unwrap();
    let import = |more: &[&str]| {
        let mut command = lantern(&folder.path().join("data"));
        command
            .args(["import", "--source", "oldsite", "--member", "Studio", "--files", &path("films")])
            .args(more)
            .arg(path("films.jsonl"))
            .env("LANTERN__DATABASE__URL", &db.url)
            .env("LANTERN__UPLOADS__RESERVE_BYTES", "0")
            .env("LANTERN__IMPORT__ORIGINS", format!(r#"["{origin}"]"#));
        let (output, errors) = run(&mut command);
        format!("{}{errors}", String::from_utf8(output.stdout).unwrap())
    };
    let output = import(&[]);
    assert!(counts(&output).contains(" 2 films enqueued, "), "{output}");
    for refusal in ["not_found: 2", "fetch_failed: 1", "origin_not_listed: 1", "unknown_member: 1"] {
        assert!(output.contains(refusal), "{refusal} in {output}");
    }
    serving.join().unwrap();
    // Two films are enqueued with complete files. Nothing remains of the others.
    let waiting = "select string_agg(concat_ws(' ', u.metadata->>'title', u.state, u.size_bytes, j.kind, u.metadata->'origin'->'counts'->>0), ', ' order by u.id)
                   from uploads u join jobs j on j.id = u.job_id";
    let expected = format!("A file processing {} film 5, Fetched processing 5 film 0", bytes.len());
    assert_eq!(text(&db, waiting).await, expected);
    let token = text(&db, "select token from uploads order by id limit 1").await;
    assert_eq!(fs::read(folder.path().join(format!("data/uploads/{token}.part"))).unwrap(), bytes);
    assert_eq!(fs::read_dir(folder.path().join("data/uploads")).unwrap().count(), 2);
    assert!(counts(&import(&[])).contains(" 2 unchanged, "), "already enqueued");

    // From the valid film, the worker creates a video with the metadata in the line. The other film fails.
    let mut work = lantern(&folder.path().join("data"));
    work.arg("work").env("LANTERN__DATABASE__URL", &db.url).env("LANTERN__UPLOADS__RESERVE_BYTES", "0");
    work.env("LANTERN__MEDIA__FOLDER", path("made"));
    let work = work.env("LANTERN__FILMS__POLL_MS", "10").stdout(std::process::Stdio::null()).spawn().unwrap();
    let since = std::time::Instant::now();
    while text(&db, "select count(*)::text from jobs where kind = 'film' and state in ('queued', 'running')").await
        != "0"
    {
        assert!(since.elapsed() < std::time::Duration::from_secs(600), "the work doesn't end");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    crate::stop(work);
    let made = "select string_agg(concat_ws(' ', u.state, u.error_code, v.title, v.status_id, v.duration, s.viewed, v.post_date::date, i.source_id), ', ' order by u.id)
                from uploads u left join videos v on v.id = u.video_id left join video_stats s on s.video_id = v.id
                     left join imports i on i.upload_id = u.id";
    assert_eq!(text(&db, made).await, "done A file 2 3 5 2024-05-01 1, failed video_corrupted_file 5");
    let key = text(&db, "select media_key from videos").await;
    assert!(folder.path().join("made").join(key).join("hls/master.m3u8").is_file());
    assert!(counts(&import(&[])).contains(" 0 films enqueued, "), "finished films are not enqueued again");
    assert!(counts(&import(&["--cleared"])).contains(" 1 changed, "), "the film is published without a review");
    assert_eq!(text(&db, "select status_id::text from videos").await, "1");
}
