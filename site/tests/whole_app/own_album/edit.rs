//! Members create albums and edit them.

use axum::{body::Body, http::Method};
use image::{ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};

use crate::{
    area::pictures::encoded,
    moderate::decide::{DECIDE, QUEUE},
    support::{App, Reply, Session},
};

pub const EDIT: &str = "/api/album_edit.php";

/// Sends fields and pictures as a browser's form would.
pub async fn send(session: &Session, fields: &[(&str, &str)], photos: &[&[u8]]) -> Reply {
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend(format!("--x\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").into_bytes());
    }
    for photo in photos {
        body.extend(b"--x\r\ncontent-disposition: form-data; name=\"photos\"; filename=\"photo.svg\"\r\n\r\n");
        body.extend([photo, &b"\r\n"[..]].concat());
    }
    body.extend(b"--x--\r\n");
    let headers = [("content-type", "multipart/form-data; boundary=x"), ("sec-fetch-site", "same-origin")];
    session.send(Method::POST, EDIT, &headers, Body::from(body)).await
}

/// Returns the form fields of a new album.
pub fn form(title: &str) -> Vec<(&str, &str)> {
    vec![("title", title), ("lang", "en"), ("orientation", "str"), ("categories", "city,dance")]
}

/// Adds fields to a form.
pub fn with<'a>(fields: &[(&'a str, &'a str)], more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [fields, more].concat()
}

/// Returns a picture in a single color. Numbers up to 12 give colors that differ even as JPEG.
pub fn photo(number: u8) -> Vec<u8> {
    encoded(RgbImage::from_pixel(320, 330, Rgb([number * 20, 90, 200])), ImageFormat::Png)
}

/// Returns the JSON body of the response to a form that must be accepted.
pub async fn sent(session: &Session, fields: &[(&str, &str)], photos: &[&[u8]]) -> Value {
    let reply = send(session, fields, photos).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

/// Returns the ids of a response's pictures.
pub fn ids(answer: &Value) -> Vec<i64> {
    answer["photos"].as_array().unwrap().iter().map(|photo| photo["photo_id"].as_i64().unwrap()).collect()
}

/// Returns every file of the albums' pictures.
pub fn files(app: &App) -> Vec<String> {
    let mut files: Vec<String> = app
        .media_files("albums")
        .into_iter()
        .flat_map(|folder| {
            let names = app.media_files(&format!("albums/{folder}"));
            names.into_iter().map(move |name| format!("{folder}/{name}"))
        })
        .collect();
    files.sort();
    files
}

/// Returns this album's row in the moderation queue.
async fn waiting(moderator: &Session, id: i64) -> Option<Value> {
    let queue = moderator.get(QUEUE).await.json();
    queue["uploads"].as_array().unwrap().iter().find(|row| row["section"] == "album" && row["id"] == id).cloned()
}

/// Approves the album's current revision.
pub async fn approve(moderator: &Session, id: i64, more: &[(&str, &str)]) -> Reply {
    let seen = moderator.get(&format!("/api/moderate/upload?section=album&id={id}")).await.json();
    let (id, revision) = (id.to_string(), seen["upload"]["revision"].to_string());
    let decision = [("section", "album"), ("id", &*id), ("revision", &*revision), ("verdict", "approve")];
    moderator.post(DECIDE, &with(&decision, more)).await
}

const NOBODY: (&str, &str) = ("nobody", "1");

#[tokio::test]
async fn album_is_drafted_approved_edited_rejected_and_deleted() {
    let app = App::start().await;
    let (mona, nils, olga) = (app.member("mona").await, app.moderator("nils").await, app.member("olga").await);
    let draft = sent(&mona, &with(&form("Night market"), &[("description", "Lanterns"), ("draft", "1")]), &[]).await;
    let id = draft["album_id"].as_i64().unwrap();
    let album = id.to_string();
    let of = ("album_id", album.as_str());
    assert_eq!((&draft["status_id"], &draft["photos"]), (&json!(3), &json!([])));
    mona.post(EDIT, &[of]).await.refused(422, "no_photos");
    let added = sent(&mona, &[of, ("draft", "1")], &[&photo(1), &photo(2)]).await;
    assert_eq!((&added["status_id"], &added["refused"]), (&json!(3), &json!([])));
    assert!(waiting(&nils, id).await.is_none(), "drafts are not in the queue");
    let seen = added["photos"][0].clone();
    assert_eq!((&seen["width"], &seen["height"], &seen["is_cover"]), (&json!(320), &json!(330), &json!(true)));
    let addresses = ["src", "thumb", "large"].map(|size| seen[size].as_str().unwrap().to_owned());
    let statuses = async |session: &Session| session.get(&addresses[2]).await.status;
    assert_eq!([statuses(&mona).await, statuses(&olga).await, app.get(&addresses[2]).await.status], [200, 404, 404]);

    // Once the album has been submitted, a moderator reviews it and decides on a revision.
    assert_eq!(mona.post(EDIT, &[of]).await.json()["status_id"], 2);
    let row = waiting(&nils, id).await.unwrap();
    assert_eq!((&row["title"], &row["username"]), (&json!("Night market"), &json!("mona")));
    assert_eq!((statuses(&nils).await, row["thumb"].as_str()), (200, Some(addresses[1].as_str())));
    let whole = nils.get(&format!("/api/moderate/upload?section=album&id={id}")).await.json();
    assert_eq!((&whole["description"], whole["frames"].as_array().unwrap().len()), (&json!("Lanterns"), 2));
    approve(&nils, id, &[]).await.refused(409, "no_performers");
    let old = [("section", "album"), ("id", &*album), ("revision", "0"), ("verdict", "approve"), NOBODY];
    nils.post(DECIDE, &old).await.refused(409, "changed_meanwhile");
    app.sql(&format!("update albums set post_date = now() - interval '3 days' where id = {id}")).await;
    assert_eq!(approve(&nils, id, &[NOBODY]).await.status, 200);
    let age = format!("select extract(epoch from now() - post_date)::bigint from albums where id = {id}");
    assert!(app.numbers(&age).await[0] < 60, "its date is that of the approval");
    app.drain().await;
    let page = format!("/api/json/album/86400/0/{id}.json");
    let shown = app.json(&page).await["album"].clone();
    assert_eq!((&shown["photos"][0]["large"], &shown["photos_amount"]), (&json!(addresses[2]), &json!(2)));
    let list = format!("/api/json/albums/86400/str/latest-updates/60/member.{}.1.json", mona.id);
    assert_eq!(app.json(&list).await["albums"][0]["thumb"], addresses[1]);
    for address in &addresses {
        let file = app.get(address).await;
        assert_eq!((file.status, file.header("content-type")), (200, "image/jpeg"), "{address}");
    }

    // A change of visibility needs no review, but a new title does.
    let private = with(&form("Night market"), &[of, ("description", "Lanterns"), ("visible", "1")]);
    assert_eq!(mona.post(EDIT, &private).await.json()["status_id"], 1);
    app.drain().await;
    assert_eq!([statuses(&mona).await, statuses(&olga).await], [200, 404], "only its owner sees a private album");
    assert_eq!(mona.post(EDIT, &with(&form("Day market"), &[of])).await.json()["status_id"], 2);
    app.drain().await;
    app.get(&page).await.refused(404, "album_not_found");
    assert_eq!((app.json(&list).await["total_count"].clone(), app.get(&addresses[0]).await.status), (json!(0), 404));
    // A rejected album is reviewed again after pictures have been removed.
    let (revision, gone) = (waiting(&nils, id).await.unwrap()["revision"].to_string(), seen["photo_id"].to_string());
    let no =
        [("section", "album"), ("id", &*album), ("revision", &*revision), ("verdict", "reject"), ("reason", "quality")];
    assert_eq!(nils.post(DECIDE, &no).await.status, 200);
    assert_eq!(mona.get(&format!("{EDIT}?album_id={id}")).await.json()["album"]["reason"], "quality");
    assert_eq!(mona.get("/api/member_lists.php?list=albums").await.json()["albums"][0]["reason"], "quality");
    assert_eq!(mona.post(EDIT, &[of, ("remove", &*gone)]).await.json()["status_id"], 2);
    assert_eq!((statuses(&mona).await, files(&app).len()), (404, 3), "the files of the other picture");
    assert_eq!(approve(&nils, id, &[NOBODY]).await.status, 200);
    assert_eq!(sent(&mona, &[of], &[&photo(3)]).await["status_id"], 2, "the new picture needs a review");
    let last = ids(&sent(&mona, &[of], &[]).await).iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    mona.post(EDIT, &[of, ("remove", &*last)]).await.refused(422, "no_photos");

    // Only users with the permission can delete albums. The files are removed after the retention time.
    mona.post(EDIT, &[of, ("act", "2")]).await.refused(403, "dont_have_permission");
    app.sql(&format!("update users set status_id = manages_uploads() where id = {}", mona.id)).await;
    assert_eq!(mona.post(EDIT, &[of, ("act", "2")]).await.json(), json!({ "ok": 1 }));
    mona.post(EDIT, &[of, ("act", "2")]).await.refused(404, "album_not_found");
    mona.get(&format!("{EDIT}?album_id={id}")).await.refused(404, "album_not_found");
    assert_eq!((app.sweep_albums().await, files(&app).len()), (0, 6));
    app.sql(&format!("update albums set deleted_at = now() - interval '169 hours' where id = {id}")).await;
    assert_eq!((app.sweep_albums().await, files(&app).len()), (2, 0));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn only_the_owner_orders_removes_and_chooses_cover_of_pictures() {
    let app = App::start().await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    let made = sent(&mona, &form("In order"), &[&photo(1), &photo(2), &photo(3)]).await;
    assert_eq!(made["status_id"], 2, "an album with pictures in one form is submitted");
    let (album, first) = (made["album_id"].to_string(), ids(&made));
    let [a, b, c] = first[..] else { panic!("{made}") };
    let of = ("album_id", album.as_str());
    let text = |id: i64| id.to_string();
    let cover = |answer: &Value| {
        let photos = answer["photos"].as_array().unwrap();
        photos
            .iter()
            .filter(|photo| photo["is_cover"] == true)
            .map(|photo| photo["photo_id"].as_i64().unwrap())
            .collect::<Vec<_>>()
    };
    let moved = mona.post(EDIT, &[of, ("order", &format!("{c}, {a}"))]).await.json();
    assert_eq!((ids(&moved), cover(&moved)), (vec![c, a, b], vec![c]));
    let chosen = mona.post(EDIT, &[of, ("cover", &text(b))]).await.json();
    assert_eq!((ids(&chosen), cover(&chosen)), (vec![c, a, b], vec![b]));
    let chosen = mona.post(EDIT, &[of, ("cover", &text(a))]).await.json();
    assert_eq!(cover(&chosen), [a]);
    app.sql(&format!("update albums set status_id = published() where id = {album}")).await;
    app.drain().await;
    let card = app.json(&format!("/api/json/albums/86400/str/latest-updates/60/member.{}.1.json", mona.id)).await;
    assert_eq!(card["albums"][0]["thumb"], chosen["photos"][1]["thumb"]);
    assert_eq!(
        app.json(&format!("/api/json/album/86400/0/{album}.json")).await["album"]["thumb"],
        chosen["photos"][1]["thumb"]
    );
    assert_eq!(
        mona.get("/api/member_lists.php?list=albums").await.json()["albums"][0]["thumb"],
        chosen["photos"][1]["thumb"]
    );
    let moved = mona.post(EDIT, &[of, ("order", &text(b))]).await.json();
    assert_eq!((&moved["status_id"], ids(&moved)), (&json!(1), vec![b, c, a]), "reordering needs no review");
    let removed = mona.post(EDIT, &[of, ("remove", &text(a))]).await.json();
    assert_eq!((ids(&removed), cover(&removed)), (vec![b, c], vec![b]));

    // Another member's pictures and invalid ids are refused.
    let other = sent(&nils, &form("Of nils"), &[&photo(1)]).await;
    for field in ["remove", "order", "cover"] {
        let of_nils = text(ids(&other)[0]);
        mona.post(EDIT, &[of, (field, &of_nils)]).await.refused(404, "photo_not_found");
        nils.post(EDIT, &[of, (field, &text(b))]).await.refused(404, "album_not_found");
        mona.post(EDIT, &[of, (field, "x")]).await.refused(422, "invalid");
    }
    nils.post(EDIT, &with(&form("Mine now"), &[of])).await.refused(404, "album_not_found");
    send(&nils, &[of], &[&photo(9)]).await.refused(404, "album_not_found");
    nils.post(EDIT, &[of, ("act", "2")]).await.refused(403, "dont_have_permission");
    nils.get(&format!("{EDIT}?album_id={album}")).await.refused(404, "album_not_found");
    app.guest().post(EDIT, &[of]).await.refused(401, "need_auth");
    let own = mona.get(&format!("{EDIT}?album_id={album}")).await.json();
    assert_eq!(
        (ids(&own["album"]), &own["album"]["title"], &own["limits"]["max_photos"]),
        (vec![b, c], &json!("In order"), &json!(200))
    );
    assert_eq!((mona.get(EDIT).await.json()["album"].clone(), files(&app).len()), (json!(null), 9));
    app.drain().await;
    app.finish().await;
}
