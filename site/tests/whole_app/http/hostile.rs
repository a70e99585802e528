//! At least 200 hostile requests per endpoint. Each is refused with a 4xx, and none gets a 5xx or 200.

use axum::{body::Body, http::Request};

use crate::support::App;

/// Returns attacks with SQL, filter syntax, path traversal, NUL, broken encodings, sizes and numbers.
fn attacks() -> Vec<String> {
    let texts = [
        "' OR '1'='1",
        "\" OR id > 0 OR \"",
        "1; drop table videos; --",
        "a\" AND gender = \"gay",
        "x) OR (true",
        "category_dirs EXISTS",
        "_geoRadius(0,0,1)",
        "id IN [1,2]",
        "NOT id = 1",
        "../../etc/passwd",
        "..\\..\\secret.key",
        "....//....//",
        "<script>alert(1)</script>",
        "${jndi:ldap://x}",
        "{{7*7}}",
        "%s%s%n",
        "\u{202e}evil",
        "\u{0}",
        "a\u{0}b",
        "-1",
        "0",
        "00",
        "+1",
        "1e9",
        "0x10",
        "1.5",
        "NaN",
        "Infinity",
        "99999999999999999999",
        "-9223372036854775808",
        "18446744073709551616",
        "٣",
        "null",
        "undefined",
        "[]",
        "{}",
        "true",
        "*",
        "%",
        "🙂",
        "é",
        " ",
        "a b",
        "A",
    ];
    let mut attacks: Vec<String> =
        texts.iter().map(|text| text.bytes().map(|b| format!("%{b:02X}")).collect()).collect();
    // These are raw invalid encodings.
    let raw =
        ["%", "%2", "%zz", "%ff", "%c0%af", "%ed%a0%80", "%fe%fe", "%80", "%00", "a%00", "%e2%82", "%f8%88%80%80%80"];
    attacks.extend(raw.map(str::to_owned));
    attacks.extend(["a".repeat(300), "9".repeat(400), "a-".repeat(500), "%2e%2e%2f".repeat(100), "x".repeat(60_000)]);
    attacks
}

/// Sends every attack in every place, at least 200 requests, and expects each to be refused.
async fn all_refused(places: &[&str]) {
    let app = App::start().await;
    let attacks = attacks();
    let mut sent = 0;
    for place in places {
        for attack in &attacks {
            let path = place.replace("{}", attack);
            // Anything that is not a valid URL never reaches a server.
            let Ok(request) = Request::get(&path).body(Body::empty()) else {
                continue;
            };
            let reply = app.call(request).await;
            assert!((400..500).contains(&reply.status), "{} {:.200}: {:.300}", reply.status, path, reply.text());
            if !path.starts_with("/media/") {
                reply.refused(reply.status, reply.json()["code"].as_str().unwrap());
            }
            sent += 1;
        }
    }
    assert!(sent >= 200, "{sent} requests");
    // The catalog is unchanged.
    assert_eq!(app.numbers("select count(*) from videos").await, [300]);
    app.finish().await;
}

#[tokio::test]
async fn listings_refuse_attacks() {
    all_refused(&[
        "/api/json/videos2/{}/str/longest/60/all..1.all.all.all.json",
        "/api/json/videos2/86400/{}/longest/60/all..1.all.all.all.json",
        "/api/json/videos2/86400/str/{}/60/all..1.all.all.all.json",
        "/api/json/videos2/86400/str/longest/{}/all..1.all.all.all.json",
        "/api/json/videos2/86400/str/longest/60/{}.json",
        "/api/json/videos2/86400/str/longest/60/all.{}.1.all.all.all.json",
        "/api/json/videos2/86400/str/longest/60/categories.{}.1.all.all.all.json",
        "/api/json/videos2/86400/str/longest/60/categories.music,{}.1.all.all.all.json",
        "/api/json/videos2/86400/str/longest/60/model.{}.1.all.all.all.json",
        "/api/json/videos2/86400/str/longest/60/channel.{}.1.all.all.all.json",
        "/api/json/videos2/86400/str/longest/60/member.{}.1.all.all.all.json",
        "/api/json/videos2/86400/str/longest/60/playlist.{}.1.all.all.all.json",
        "/api/json/videos2/86400/str/longest/60/top-country.{}.1.all.all.all.json",
        "/api/json/videos2/86400/str/longest/60/all..{}.all.all.all.json",
        "/api/json/videos2/86400/str/longest/60/all..1.{}.all.all.json",
        "/api/json/videos2/86400/str/longest/60/all..1.all.{}.all.json",
        "/api/json/videos2/86400/str/longest/60/all..1.all.all.{}.json",
        "/api/json/videos2/86400/str/longest/60/all..1.all.all.all.json?lang={}",
    ])
    .await;
}

#[tokio::test]
async fn searches_refuse_attacks() {
    all_refused(&[
        "/api/videos2.php?s=harbour&params={}",
        "/api/videos2.php?s=harbour&params=86400/str/longest/60/search..{}.all.all.all",
        "/api/videos2.php?s=harbour&params=86400/str/longest/60/search..1.all.all.all&lang={}",
        "/api/videos2.php?s=harbour&params=86400/str/longest/60/search..1.all.all.all&categories={}",
        "/api/videos2.php?s=harbour&params=86400/str/longest/60/search..1.all.all.all&models={},nobody%22",
    ])
    .await;
}

#[tokio::test]
async fn videos_and_related_videos_refuse_attacks() {
    all_refused(&[
        "/api/json/video/{}/0/1.json",
        "/api/json/video/86400/{}/1001.json",
        "/api/json/video/86400/0/{}.json",
        "/api/json/videos_related2/432000/{}/0/1.all.1.json",
        "/api/json/videos_related2/432000/12/0/{}.all.1.json",
        "/api/json/videos_related2/432000/12/0/1.{}.1.json",
        "/api/json/videos_related2/432000/12/0/1.all.{}.json",
    ])
    .await;
}

#[tokio::test]
async fn suggestions_and_facets_refuse_attacks() {
    all_refused(&[
        "/api/json/suggester/43200/{}.json",
        "/api/json/suggester/{}/10.json",
        "/api/suggester.php?c=mu&lang={}",
        "/api/suggester.php?c=mu&count={}00000",
        "/api/facets.php?facet={}",
        "/api/facets.php?facet=race&gender={}",
        "/api/facets.php?facet=race&index={}",
        "/api/facets.php?index=members&facet={}",
    ])
    .await;
}

#[tokio::test]
async fn models_and_main_data_refuse_attacks() {
    all_refused(&[
        "/api/json/models/86400/str/{}/alphabet/60/1.json",
        "/api/json/models/86400/str/filt-race~{}/alphabet/60/1.json",
        "/api/json/models/86400/str/filt-age~20.{}/alphabet/60/1.json",
        "/api/json/models/86400/str/filt/{}/60/1.json",
        "/api/json/models/86400/str/filt/alphabet/60/{}.json",
        "/api/json/model/86400/mi/{}.json",
        "/api/json/model/86400/{}/mika-sato.json",
        "/api/json/main/14400/{}.json",
        "/api/json/main/14400/str.{}.json",
        "/api/json/categories/86400/str.{}.en.json",
    ])
    .await;
}

#[tokio::test]
async fn albums_and_playlists_refuse_attacks() {
    all_refused(&[
        "/api/json/albums/{}/str/top-rated/60/all..1.json",
        "/api/json/albums/86400/{}/top-rated/60/all..1.json",
        "/api/json/albums/86400/str/{}/60/all..1.json",
        "/api/json/albums/86400/str/top-rated/{}/all..1.json",
        "/api/json/albums/86400/str/top-rated/60/{}.json",
        "/api/json/albums/86400/str/top-rated/60/model.{}.1.json",
        "/api/json/albums/86400/str/top-rated/60/member.{}.1.json",
        "/api/json/albums/86400/str/top-rated/60/all..{}.json",
        "/api/json/albums/86400/str/top-rated/60/all..1.json?lang={}",
        "/api/json/album/86400/0/{}.json",
        "/api/json/album/86400/{}/1001.json",
        "/api/json/playlists/86400/str/{}/60/all..1.json",
        "/api/json/playlists/86400/str/top-rated/60/member.{}.1.json",
        "/api/json/playlists/86400/str/top-rated/60/{}.1.json",
        "/api/json/playlist/86400/0/{}.json",
        "/api/json/playlist/{}/0/1.json",
    ])
    .await;
}

#[tokio::test]
async fn community_refuses_attacks() {
    all_refused(&[
        "/api/json/members/7200/{}/recent/96/1.json",
        "/api/json/members/7200/filt-country~JP,{}/recent/96/1.json",
        "/api/json/members/7200/filt-age~20.{}/recent/96/1.json",
        "/api/json/members/7200/filt/{}/96/1.json",
        "/api/json/members/7200/filt/recent/{}/1.json",
        "/api/json/members/7200/filt/recent/96/{}.json",
        "/api/json/member/7200/0/{}.json",
        "/api/json/member_wall/7200/0/{}.1.json",
        "/api/json/member_wall/7200/0/3.{}.json",
        "/api/json/friends/7200/0/{}.1.json",
        "/api/json/friends/7200/{}/1003.1.json",
        "/api/json/subscriptions/7200/0/{}.1.json",
        "/api/json/subscriptions/7200/0/3.{}.json",
        "/api/json/model_wall/86400/mi/{}.1.json",
        "/api/json/model_wall/86400/mi/mika-sato.{}.json",
        "/api/json/comments/86400/{}/0/1.json",
        "/api/json/comments/86400/video/0/{}.json",
        "/api/json/comments/86400/video/{}/1001.json",
        "/api/json/comments/86400/video/0/1.json?page={}",
        "/static/tf/{}",
        "/static/tf/videos.{}.json",
        "/static/tf/videos.1.json?gender={}",
    ])
    .await;
}

#[tokio::test]
async fn films_and_files_refuse_attacks() {
    all_refused(&[
        "/api/videofile.php?video_id={}",
        "/api/videofile.php?video_id=1&lifetime={}",
        "/assets/{}",
        "/api/{}",
    ])
    .await;
}

#[tokio::test]
async fn media_refuses_attacks() {
    all_refused(&["/media/p/{}", "/media/p/demo/{}", "/media/s/1/00/{}", "/media/s/{}/00/demo/01/video.mp4"]).await;
}

#[tokio::test]
async fn search_text_is_not_parsed_as_syntax() {
    let app = App::start().await;
    let everything = app.numbers("select count(*) from videos where visible and gender = 'str'").await[0];
    for text in
        ["' OR '1'='1", "\" OR id > 0", "gender = gay", "*", "harbour\" OR \"", "-- drop table", "a:b AND c", "\\\\\\"]
    {
        let encoded: String = text.bytes().map(|b| format!("%{b:02X}")).collect();
        for call in [
            "/api/videos2.php?params=86400/str/relevance/60/search..1.all.all.all&s=",
            "/api/suggester.php?c=",
            "/api/facets.php?facet=categories&q=",
        ] {
            let reply = app.get(&format!("{call}{encoded}")).await;
            assert!(matches!(reply.status, 200 | 422), "{text}: {}", reply.text());
            if let Some(total) = reply.json()["total_count"].as_i64() {
                assert!(total < everything, "{text} found {total}");
            }
        }
    }
    app.finish().await;
}
