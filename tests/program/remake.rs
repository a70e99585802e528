//! `lantern store remake`, as operators use it, with the confined worker.

use std::fs;

use lantern_testing::{TestDb, film};
use serde_json::Value;

use crate::{
    import::{on, open_folder, text},
    jobs::work,
};

const NOTHING_WAITS: &str = "select (not exists (select from jobs where kind in ('film', 'film_remake') and state in ('queued', 'running')))::text";
const KEPT: (&str, &str) = ("LANTERN__FILMS__KEEP_ORIGINAL", "always");

#[tokio::test(flavor = "multi_thread")]
async fn films_with_an_old_ladder_are_counted_and_remade() {
    let (db, folder) = (TestDb::create().await.unwrap(), open_folder());
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    sqlx::query("insert into users (username, email) values ('studio', 'studio@mail.example')")
        .execute(&db.pool)
        .await
        .unwrap();
    fs::create_dir(path("films")).unwrap();
    let lantern = |words: &[&str]| on(&db, folder.path(), words);
    let import = async |number: u8, settings: &[(&str, &str)]| {
        fs::write(path("films/film.mp4"), film("3", number)).unwrap();
        let line = format!(r#"{{"id":"f{number}","title":"Film {number}","file":"film.mp4","nobody":true}}"#);
        fs::write(path("films.jsonl"), format!("{{\"category\":{{\"titles\":{{\"en\":\"City\"}}}}}}\n{line}\n"))
            .unwrap();
        let words =
            ["import", "--source", "old", "--member", "studio", "--files", &path("films"), &path("films.jsonl")];
        let (is_done, output) = lantern(&words);
        assert!(is_done, "{output}");
        work(&db, &folder, settings, NOTHING_WAITS).await;
    };
    import(1, &[KEPT]).await;
    import(2, &[]).await;
    let (is_done, output) = lantern(&["store"]);
    let bytes = film("3", 1).len();
    assert!(is_done && output.contains(&format!("Originals      1 of {bytes} bytes in the media folder")), "{output}");
    assert!(output.contains("Group 0        2 films and 0 pictures in the media folder"), "{output}");

    // Today's settings make the same renditions, until a rung is added.
    let remake = |words: &[&str]| lantern(&[&["store", "remake"], words].concat());
    let (is_done, output) = remake(&["--where", "ladder=old"]);
    assert!(is_done && output.contains("Matching       0 films") && output.contains("Enqueued       0"), "{output}");
    let ladder = "[[films.ladder]]\nheight = 120\ncrf = 27\nmax_rate = 300\naudio = 64\n\
                  [[films.ladder]]\nheight = 480\ncrf = 25\nmax_rate = 1400\naudio = 96\n";
    fs::write(path("new.toml"), ladder).unwrap();
    let config = path("new.toml");
    let remake = |words: &[&str]| lantern(&[&["--config", &config, "store", "remake"], words].concat());
    let (is_done, output) = remake(&["--where", "ladder=old", "--dry-run"]);
    assert!(is_done && output.contains("Matching       2 films\nRequested      0"), "{output}");
    assert!(output.contains("Originals      1 have one\nNo original    1 are left as they are"), "{output}");
    assert!(output.ends_with("Nothing was enqueued (--dry-run).\n"), "{output}");
    let (is_done, output) = remake(&["--where", "ladder=old,member=studio"]);
    assert!(is_done && output.contains("Enqueued       1 remakes"), "{output}");
    let (_, output) = remake(&["--where", "all"]);
    assert!(output.contains("Requested      1 are") && output.contains("Enqueued       0"), "{output}");
    let (_, output) = lantern(&["store"]);
    assert!(output.contains("To remake      1"), "{output}");
    let (_, output) = lantern(&["jobs", "--kind", "film_remake"]);
    assert!(output.contains("film_remake  waiting") && output.contains("“Film 1” from its original"), "{output}");
    work(&db, &folder, &[("LANTERN_CONFIG", &config)], NOTHING_WAITS).await;
    assert_eq!(text(&db, "select string_agg(state, ' ') from jobs where kind = 'film_remake'").await, "done");
    let heights =
        "select string_agg(jsonb_path_query_array(encoding, '$.rungs.height')::text, ' ' order by id) from videos
                   where media_key like 'films/%'";
    assert_eq!(text(&db, heights).await, "[120, 240] [240]");
    let key = text(&db, "select min(v.media_key) from videos v join originals o on o.video_id = v.id").await;
    let playlist = fs::read_to_string(folder.path().join("made").join(key).join("hls/master.m3u8")).unwrap();
    assert_eq!(playlist.matches("RESOLUTION=").count(), 2, "{playlist}");
    let (_, output) = lantern(&["store"]);
    assert!(output.contains("To remake      0\n") && output.contains("former files of 1 remade films"), "{output}");

    // A film without an original is remade only if that is wanted.
    let (is_done, output) = remake(&["--where", "ladder=old"]);
    assert!(!is_done && output.contains("Matching       1 films"), "{output}");
    assert!(output.contains("use --from-renditions to encode their largest renditions again"), "{output}");
    let (is_done, output) = remake(&["--where", "ladder=old", "--from-renditions"]);
    assert!(is_done && output.contains("Enqueued       1 remakes"), "{output}");
    let (_, output) = lantern(&["jobs", "--json"]);
    let job: Value = serde_json::from_str(output.trim()).unwrap_or_else(|_| panic!("{output}"));
    assert!(job["about"].as_str().unwrap().ends_with("“Film 2” from its largest rendition"), "{job}");
    work(&db, &folder, &[("LANTERN_CONFIG", &config)], NOTHING_WAITS).await;
    assert_eq!(text(&db, heights).await, "[120, 240] [120, 240]");

    // A failed remake says why and can be retried while its original exists.
    sqlx::raw_sql("update originals set size_bytes = size_bytes + 1").execute(&db.pool).await.unwrap();
    assert!(lantern(&["store", "remake", "--where", "all"]).0);
    work(&db, &folder, &[], NOTHING_WAITS).await;
    let (_, output) = lantern(&["jobs", "--state", "failed"]);
    assert!(output.contains("last error: the original in group 0 has"), "{output}");
    let retry = ["jobs", "retry", "--kind", "film_remake", "--failed"];
    let (is_done, output) = lantern(&retry);
    assert!(is_done && output.contains("“Film 1” from its original: retried"), "{output}");
    work(&db, &folder, &[], NOTHING_WAITS).await;
    sqlx::raw_sql("delete from originals").execute(&db.pool).await.unwrap();
    let (is_done, output) = lantern(&retry);
    assert!(!is_done && output.contains("not retried: the original is gone"), "{output}");

    for (words, why) in [
        (&["--where", "height=tall"][..], "is none of the conditions all, ladder=old"),
        (&["--where", "video=1,video=2"], "give each condition only once"),
        (&[], "--where <CONDITIONS>"),
    ] {
        let (is_done, output) = remake(words);
        assert!(!is_done && output.contains(why), "{words:?}: {output}");
    }
    let (is_done, output) = lantern(&["store", "--move-to", "9", "--only", "originals"]);
    assert!(!is_done && output.contains("no storage group 9"), "{output}");
}
