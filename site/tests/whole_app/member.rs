//! The calls `members` and `member`.

use lantern_config::{Lang, labels};
use serde_json::{Value, json};

use crate::support::App;

const MEMBERS: &str =
    "select u.id from users u join user_stats s on s.user_id = u.id left join profiles p on p.user_id = u.id
    where status_id <> banned() and email_confirmed_at is not null";
const AGE: &str = "extract(year from age(date '2026-09-21', birth_date))";

fn path(filters: &str, sort: &str, rest: &str) -> String {
    format!("/api/json/members/7200/{filters}/{sort}/{rest}")
}

fn ids(answer: &Value) -> Vec<i64> {
    answer["members"].as_array().unwrap().iter().map(|member| member["user_id"].as_i64().unwrap()).collect()
}

async fn count(app: &App, condition: &str) -> i64 {
    app.numbers(&format!("select count(*) from ({MEMBERS} and {condition}) x")).await[0]
}

#[tokio::test]
async fn every_sort_order_and_page_matches_the_catalog() {
    let app = App::start().await;
    for (sort, key) in [
        ("recent", "u.created_at desc"),
        ("most-viewed", "viewed desc"),
        ("alphabet", "username collate \"C\" asc"),
        ("most-popular", "subscribers desc"),
        ("count-videos", "(select count(*) from videos v where v.user_id = u.id and v.visible) desc"),
    ] {
        let expected = app.numbers(&format!("{MEMBERS} order by {key}, u.id desc")).await;
        assert_eq!(expected.len(), 38);
        let mut found = Vec::new();
        for page in 1.. {
            let answer = app.json(&path("filt", sort, &format!("16/{page}.json"))).await;
            assert_eq!((&answer["total_count"], &answer["pages"]), (&json!(38), &json!(3)), "{sort}");
            if ids(&answer).is_empty() {
                assert_eq!(answer["code"], "members_not_found");
                break;
            }
            found.extend(ids(&answer));
        }
        assert_eq!(found, expected, "{sort}");
    }
    app.finish().await;
}

#[tokio::test]
async fn filters_match_any_of_their_values() {
    let app = App::start().await;
    for (filters, condition) in [
        ("filt-country~DE,JP", "country in ('DE', 'JP')".to_owned()),
        ("filt-gender~couple", "gender = 'couple'".to_owned()),
        (
            "filt-gender~female,male-relationship~open",
            "gender in ('female', 'male') and relationship = 'open'".to_owned(),
        ),
        ("filt-avatar~yes", "avatar_key is not null".to_owned()),
        ("filt-avatar~no,yes", "true".to_owned()),
        ("filt-orientation~bisexual,gay", "orientation in ('bisexual', 'gay')".to_owned()),
        ("filt-age~30.40", format!("{AGE} between 30 and 40")),
    ] {
        let answer = app.json(&path(filters, "recent", "96/1.json")).await;
        let expected = app.numbers(&format!("{MEMBERS} and {condition} order by u.created_at desc, u.id desc")).await;
        assert!(!expected.is_empty(), "{filters}: the catalog has no match");
        assert_eq!(ids(&answer), expected, "{filters}");
    }
    // The order of values does not matter, but other spellings are refused.
    let one = app.json(&path("filt-country~DE,JP", "recent", "96/1.json")).await;
    assert_eq!(app.json(&path("filt-country~JP,DE,JP", "recent", "96/1.json")).await, one);
    for filters in
        ["filt-country~de", "filt-gender~str", "filt-race~asian", "filt-age~40.30", "filt-gender~male-country~DE"]
    {
        app.get(&path(filters, "recent", "96/1.json")).await.refused(404, "not_found");
    }
    app.get(&path("filt", "longest", "96/1.json")).await.refused(404, "not_found");
    app.get(&path("filt", "recent", "101/1.json")).await.refused(404, "not_found");
    app.finish().await;
}

#[tokio::test]
async fn facet_counts_ignore_their_own_filter() {
    let app = App::start().await;
    let answer = app.json(&path("filt-country~DE,JP-gender~couple,female", "recent", "96/1.json?lang=ja")).await;
    let (country, gender) = ("country in ('DE', 'JP')", "gender in ('couple', 'female')");
    for (facet, others) in [
        ("country", gender.to_owned()),
        ("gender", country.to_owned()),
        ("relationship", format!("{country} and {gender}")),
        ("orientation", format!("{country} and {gender}")),
    ] {
        let values = answer["facets"][facet].as_array().unwrap();
        assert!(!values.is_empty(), "{facet}");
        for value in values {
            let code = value["value"].as_str().unwrap();
            assert_eq!(
                value["total"],
                count(&app, &format!("{others} and {facet} = '{code}'")).await,
                "{facet} {code}"
            );
            assert_eq!(value["label"], labels::label(facet, code, Lang::Ja));
        }
    }
    assert_eq!(answer["facets"]["country"].as_array().unwrap().len(), 3, "values that could also be chosen");
    for value in answer["facets"]["avatar"].as_array().unwrap() {
        let has = if value["value"] == "yes" { "is not null" } else { "is null" };
        assert_eq!(value["total"], count(&app, &format!("{country} and {gender} and avatar_key {has}")).await);
    }
    for lang in Lang::ALL {
        let answer = app.json(&path("filt", "recent", &format!("96/1.json?lang={lang}"))).await;
        for value in answer["facets"]["relationship"].as_array().unwrap() {
            assert_eq!(
                value["label"],
                labels::label("relationship", value["value"].as_str().unwrap(), *lang),
                "{lang}"
            );
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn friends_of_a_member_can_be_filtered() {
    let app = App::start().await;
    let of = "3 in (select unnest(array[f.user_id, f.friend_id]) from friends f where state = 'accepted' and u.id in (f.user_id, f.friend_id)) and u.id <> 3";
    let friends = app.numbers(&format!("{MEMBERS} and {of} order by u.created_at desc, u.id desc")).await;
    assert!((25..38).contains(&friends.len()));
    let answer = app.json(&path("filt-object_id~3", "recent", "96/1.json")).await;
    assert_eq!((ids(&answer), &answer["total_count"]), (friends.clone(), &json!(friends.len())));
    let japanese =
        app.numbers(&format!("{MEMBERS} and {of} and country = 'JP' order by u.created_at desc, u.id desc")).await;
    assert!(!japanese.is_empty());
    let some = app.json(&path("filt-country~JP-object_id~3", "recent", "96/1.json")).await;
    assert_eq!(ids(&some), japanese);
    for value in some["facets"]["country"].as_array().unwrap() {
        let code = value["value"].as_str().unwrap();
        assert_eq!(value["total"], count(&app, &format!("{of} and country = '{code}'")).await, "{code}");
    }
    assert_eq!(some["facets"].get("object_id"), None);
    // The end of a friendship is visible at once.
    app.change(&format!(
        "delete from friends where 3 in (user_id, friend_id) and {} in (user_id, friend_id)",
        friends[0]
    ))
    .await;
    assert_eq!(ids(&app.json(&path("filt-object_id~3", "recent", "96/1.json")).await), friends[1..]);
    assert_eq!(app.json(&path("filt-object_id~5", "recent", "96/1.json")).await["code"], "members_not_found");
    app.get(&path("filt-object_id~999", "recent", "96/1.json")).await.refused(404, "member_not_found");
    app.finish().await;
}

#[tokio::test]
async fn age_counts_are_exact_with_any_number_of_birth_dates() {
    for most in [1000, 5] {
        let app = App::configured(|config| config.listing.max_facet_values = most).await;
        let answer = app.json(&path("filt", "recent", "96/1.json")).await;
        let ages = answer["facets"]["age"].as_array().unwrap();
        for age in ages {
            let condition = format!("{AGE} = {}", age["value"].as_str().unwrap());
            assert_eq!(age["total"], count(&app, &condition).await, "{most}: {age}");
        }
        let total: i64 = ages.iter().map(|age| age["total"].as_i64().unwrap()).sum();
        assert_eq!(total, count(&app, "birth_date is not null").await, "{most}");
        let bounds = app.numbers(&format!("select unnest(array[min({AGE}), max({AGE})])::bigint from users u join profiles p on p.user_id = u.id where status_id <> banned() and email_confirmed_at is not null")).await;
        assert_eq!(answer["stats"]["age"], json!({"min": bounds[0], "max": bounds[1]}));
        app.finish().await;
    }
}

#[tokio::test]
async fn profile_shows_only_public_fields() {
    let app = App::start().await;
    let reply = app.get("/api/json/member/7200/0/3.json").await;
    let member = reply.json()["member"].clone();
    let friends = app.numbers("select count(*) from friends where state = 'accepted' and 3 in (user_id, friend_id) and not 39 in (user_id, friend_id) and not 40 in (user_id, friend_id)").await[0];
    let albums = app.numbers("select count(*) from albums where user_id = 3 and visible").await[0];
    let playlists = app.numbers("select count(*) from playlists where user_id = 3 and visibility = 'public'").await[0];
    assert!(friends > 10 && albums > 5 && playlists > 2);
    assert_eq!(
        member,
        json!({
            "user_id": 3, "username": "member-03", "avatar": null, "cover": null, "gender": "couple", "age": 53, "country": "JP",
            "added_date": "2026-09-18T14:13:20Z", "viewed": 51, "subscribers": 0, "total_videos": 0, "relationship": "open",
            "orientation": "gay", "education": "Evening classes", "website": "https://m3.example/", "about": "About 3", "city": "Town 3",
            "interests": "Lanterns", "occupation": "Baker",
            "statistics": {"viewed": 51, "subscribers": 0, "videos": 0, "albums": albums, "playlists": playlists, "friends": friends},
        })
    );
    assert!(!reply.text().contains("birth") && !reply.text().contains("example.org"), "{}", reply.text());
    let list = app.json(&path("filt", "recent", "96/1.json")).await;
    let card = list["members"].as_array().unwrap().iter().find(|card| card["user_id"] == 3).unwrap();
    for (name, value) in card.as_object().unwrap() {
        assert_eq!(member[name], *value, "{name}: the list and the page agree");
    }
    let bare = app.json("/api/json/member/7200/0/10.json").await;
    assert_eq!((&bare["member"]["gender"], &bare["member"]["age"]), (&json!(null), &json!(null)), "without a profile");
    for (bucket, id) in [("0", "999"), ("0", "39"), ("0", "40"), ("1000", "3"), ("3", "3"), ("0", "03"), ("0", "0")] {
        app.get(&format!("/api/json/member/7200/{bucket}/{id}.json")).await.refused(404, "member_not_found");
    }
    app.change("update users set status_id = banned() where id = 3").await;
    app.get("/api/json/member/7200/0/3.json").await.refused(404, "member_not_found");
    assert!(!ids(&app.json(&path("filt", "recent", "96/1.json")).await).contains(&3));
    app.finish().await;
}
