//! Mutes. Muted objects appear in none of the viewer's lists, pages stay full and totals exact, and other viewers are unaffected.

use serde_json::{Value, json};

use crate::support::{App, Reply, Session, done, listing, toasted, video_ids};

const UNMUTED: &str = "/api/unmuted.php";
/// Mutes of each kind.
const MUTED: [(&str, &str); 4] =
    [("categories", "travel"), ("models", "mika-sato"), ("members", "2"), ("videos", "7,13,21")];
/// SQL condition for the videos that remain.
const LEFT: &str = "v.visible and v.gender = 'str' and v.id not in (7, 13, 21) and v.user_id <> 2
    and not exists (select from video_categories c join categories k on k.id = c.category_id where c.video_id = v.id and k.dir = 'travel')
    and not exists (select from video_models m join models o on o.id = m.model_id where m.video_id = v.id and o.dir = 'mika-sato')";

fn form<'a>(list: &'a str, muted: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut form = vec![("list", list)];
    form.extend(muted);
    form
}

#[track_caller]
fn own(reply: &Reply) -> Value {
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(reply.header("cache-control"), "private, no-store");
    reply.json()
}

async fn guest(app: &App, list: &str, muted: &[(&str, &str)]) -> Value {
    own(&app.guest_posts(UNMUTED, &form(list, muted)).await)
}

async fn of(session: &Session, list: &str) -> Value {
    own(&session.post(UNMUTED, &form(list, &[])).await)
}

#[tokio::test]
async fn lists_omit_muted_videos_with_full_pages_and_exact_totals() {
    let app = App::start().await;
    let left = app.numbers(&format!("select v.id from videos v where {LEFT} order by post_date desc, id desc")).await;
    let path = listing("latest-updates", 10, "all..1.all.all.all");
    let before = app.json(&path).await;
    let first = guest(&app, &path, &MUTED).await;
    assert_eq!((video_ids(&first), &first["total_count"]), (left[..10].to_vec(), &json!(left.len())));
    let second = guest(&app, &listing("latest-updates", 10, "all..2.all.all.all"), &MUTED).await;
    assert_eq!(video_ids(&second), left[10..20]);
    assert!(!first["categories"].as_array().unwrap().iter().any(|category| category["dir"] == "travel"));
    // Without mutes, the list is the same as the shared one, which is unchanged.
    assert_eq!(guest(&app, &path, &[]).await, before);
    assert_eq!(app.json(&path).await, before);

    let chart = app
        .numbers(&format!(
            "select v.id from view_countries w join videos v on v.id = w.video_id where {LEFT} and w.country = 'JP' order by w.viewed desc, v.id desc"
        ))
        .await;
    let listed = guest(&app, &listing("most-popular", 10, "top-country.JP.1.all.all.all"), &MUTED).await;
    assert_eq!((video_ids(&listed), &listed["total_count"]), (chart[..10].to_vec(), &json!(chart.len())));
    let home = guest(&app, "/api/json/home/3600/str.JP.en.json", &MUTED).await;
    assert_eq!(video_ids(&home["country"]), chart[..chart.len().min(25)]);
    assert_eq!(video_ids(&home["latest"]), left[..25]);
    let related = guest(&app, "/api/json/videos_related2/432000/20/0/11.all.1.json", &MUTED).await;
    assert!(!video_ids(&related).is_empty() && video_ids(&related).iter().all(|id| left.contains(id)));
    let search = "/api/videos2.php?s=harbour+lights&params=86400/str/relevance/60/search..1.all.all.all";
    let found = guest(&app, search, &MUTED).await;
    assert!(!video_ids(&found).is_empty() && video_ids(&found).iter().all(|id| left.contains(id)));
    let expected =
        app.number(&format!("select count(*) from videos v where {LEFT} and title like 'Harbour lights%'")).await;
    assert_eq!(found["total_count"], expected);
    app.finish().await;
}

#[tokio::test]
async fn model_lists_omit_muted_models() {
    let app = App::start().await;
    let models = |answer: &Value| -> Vec<String> {
        let models = answer["models"].as_array().unwrap();
        models.iter().map(|model| model["dir"].as_str().unwrap().to_owned()).collect()
    };
    let path = |filters: &str| format!("/api/json/models/86400/str/filt{filters}/most-popular/3/1.json?lang=en");
    let all = app.json(&path("")).await;
    let muted = models(&all)[1].clone();
    let left = guest(&app, &path(""), &[("models", &muted), ("categories", "travel")]).await;
    assert_eq!(left["total_count"].as_i64(), all["total_count"].as_i64().map(|total| total - 1));
    assert_eq!(models(&left)[..2], [&models(&all)[0], &models(&all)[2]].map(String::clone));
    assert_eq!(models(&left).len(), 3, "the page is full");
    let letters = |answer: &Value| -> i64 {
        answer["facets"]["alphabet"].as_array().unwrap().iter().map(|letter| letter["total"].as_i64().unwrap()).sum()
    };
    assert_eq!(letters(&left), letters(&all) - 1, "muted models are not counted");
    assert_eq!(guest(&app, &path(""), &[("categories", "travel")]).await, all);
    let home = "/api/json/home/3600/str.JP.en.json";
    let mut popular = models(&app.json(home).await["models"]);
    popular.retain(|model| *model != muted);
    let remaining = models(&guest(&app, home, &[("models", &muted)]).await["models"]);
    assert_eq!(remaining[..popular.len()], popular);
    for list in ["/api/json/models/86400/str/filt/most-popular/3.json", &path("-shoe~40")] {
        app.guest_posts(UNMUTED, &form(list, &[])).await.refused(404, "not_found");
    }
    app.finish().await;
}

#[tokio::test]
async fn page_of_a_muted_object_still_shows_it() {
    let app = App::start().await;
    for (file, muted) in [
        ("categories.travel.1.all.all.all", ("categories", "travel")),
        ("model.mika-sato.1.all.all.all", ("models", "mika-sato")),
        ("member.2.1.all.all.all", ("members", "2")),
    ] {
        let path = listing("latest-updates", 60, file);
        assert_eq!(guest(&app, &path, &[muted]).await, app.json(&path).await, "{file}");
    }
    app.finish().await;
}

#[tokio::test]
async fn refuses_unknown_lists_and_invalid_mutes() {
    let app = App::configured(|config| (config.mutes.per_kind, config.mutes.watched) = (2, 3)).await;
    let all = listing("latest-updates", 10, "all..1.all.all.all");
    for (list, status, code) in [
        ("", 422, "required"),
        ("/api/me.php", 404, "not_found"),
        ("https://example.org/api/json/home/3600/str.JP.en.json", 404, "not_found"),
        ("/api/json/video/86400/0/1.json", 404, "not_found"),
        ("/api/json/videos2/86400/str/latest-updates/10/playlist.1.1.all.all.all.json", 404, "not_found"),
        ("/api/json/videos2/86400/str/latest-updates/101/all..1.all.all.all.json", 404, "not_found"),
        ("/api/json/home/3600/str.ZZ.en.json", 404, "not_found"),
        ("/api/videos2.php?s=x", 422, "min_length"),
    ] {
        app.guest_posts(UNMUTED, &form(list, &[])).await.refused(status, code);
    }
    for muted in [
        ("videos", "1,2,3,4"),
        ("videos", "x"),
        ("categories", "a,b,c"),
        ("categories", "no such"),
        ("models", "../x"),
        ("members", "1,x"),
    ] {
        let reply = app.guest_posts(UNMUTED, &form(&all, &[muted])).await;
        reply.refused(422, "invalid");
        assert_eq!(reply.json()["field"], muted.0);
    }
    app.finish().await;
}

#[tokio::test]
async fn mutes_of_members_are_stored_and_apply_everywhere() {
    let app = App::configured(|config| config.mutes.per_kind = 2).await;
    let mona = app.member("mona").await;
    let mute = async |section: &str, kind: &str, name: &str| {
        let field = if kind == "user" { "object_id" } else { "dir" };
        mona.act(&[("act", "mute"), ("section", section), ("object_type", kind), (field, name)]).await
    };
    for (kind, name) in [("category", "travel"), ("model", "mika-sato"), ("user", "1")] {
        for _ in 0..2 {
            done(&mute("add", kind, name).await);
        }
    }
    let muted = own(&mona.get("/api/mutes.php?lang=ru").await);
    assert_eq!(muted["categories"], json!([{"dir": "travel", "title": "Путешествия"}]));
    assert_eq!(muted["models"], json!([{"dir": "mika-sato", "title": "Mika Sato"}]));
    let members = json!([{"user_id": 1, "username": "uploader"}]);
    assert_eq!((&muted["watched"], &muted["members"]), (&json!(false), &members));

    let path = listing("latest-updates", 60, "all..1.all.all.all");
    let hidden = "select count(*) from videos v where visible and gender = 'str' and user_id <> 1
        and not exists (select from video_categories c join categories k on k.id = c.category_id where c.video_id = v.id and k.dir = 'travel')
        and not exists (select from video_models m join models o on o.id = m.model_id where m.video_id = v.id and o.dir = 'mika-sato')";
    let left = app.number(hidden).await;
    // Mutes in the form are for guests only.
    let listed = own(&mona.post(UNMUTED, &form(&path, &[("models", "anna-lind")])).await);
    assert_eq!(listed["total_count"], left);
    assert_eq!(of(&app.member("nils").await, &path).await, app.json(&path).await);

    for id in ["1", "2", "3"] {
        done(&mona.act(&[("act", "history"), ("section", "add"), ("object_id", id)]).await);
    }
    done(&mona.act(&[("act", "mute"), ("section", "watched")]).await);
    assert_eq!(of(&mona, &path).await["total_count"], app.number(&format!("{hidden} and v.id not in (1, 2, 3)")).await);
    done(&mona.act(&[("act", "mute"), ("section", "unwatched")]).await);
    assert_eq!(of(&mona, &path).await["total_count"], left);

    done(&mute("add", "category", "city").await);
    toasted(&mute("add", "category", "dance").await, 409, "too_many_mutes");
    done(&mute("rem", "category", "city").await);
    for (kind, name, code) in [
        ("category", "nothing", "category_not_found"),
        ("model", "nobody", "model_not_found"),
        ("user", "999", "member_not_found"),
        ("user", &mona.id.to_string(), "member_not_found"),
    ] {
        mute("add", kind, name).await.refused(404, code);
    }
    mute("add", "channel", "north").await.refused(422, "invalid");
    mute("add", "model", "../x").await.refused(422, "invalid");
    done(&mona.act(&[("act", "mute"), ("section", "clear")]).await);
    assert_eq!(of(&mona, &path).await, app.json(&path).await);
    app.finish().await;
}

#[tokio::test]
async fn partly_watched_videos_are_listed_to_continue() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    let watch = async |id: i64, second: i64| {
        let (id, second) = (id.to_string(), second.to_string());
        done(&mona.act(&[("act", "history"), ("section", "add"), ("object_id", &id), ("stopped_at", &second)]).await);
    };
    let duration = async |id: i64| app.number(&format!("select duration from videos where id = {id}")).await;
    watch(1, duration(1).await / 2).await;
    watch(2, 4).await;
    watch(3, duration(3).await).await;
    watch(4, 5).await;
    watch(6, 30).await;
    app.change("update videos set status_id = deleted() where id = 6").await;
    let list = own(&mona.get("/api/member_lists.php?list=continue_watching&count=2").await);
    assert_eq!((video_ids(&list), &list["total_count"]), (vec![4, 1], &json!(2)));
    assert_eq!(list["videos"][0]["stopped_at"], 5);
    let watched = own(&mona.get("/api/watched.php").await);
    let percent = |id: i64| {
        let videos = watched["videos"].as_array().unwrap();
        videos.iter().find(|video| video["video_id"] == id).unwrap()["percent"].clone()
    };
    assert_eq!((video_ids(&watched), percent(3)), (vec![6, 4, 3, 2, 1], json!(100)));
    assert!((49..=50).contains(&percent(1).as_i64().unwrap()));
    app.finish().await;
}
