//! What guests can't see, and what isn't there, is not found out by trying all ids.

use crate::support::App;

/// More than anybody opens by accident.
const MANY: usize = 300;

async fn statuses(session: &crate::support::Session, paths: impl IntoIterator<Item = String>) -> Vec<u16> {
    let mut statuses = Vec::new();
    for path in paths {
        statuses.push(session.get(&path).await.status);
    }
    statuses
}

fn refused(statuses: &[u16]) -> usize {
    statuses.iter().filter(|status| **status == 429).count()
}

#[tokio::test]
async fn ids_that_lead_to_nothing_are_not_tried_without_end() {
    let app = App::start().await;
    let robot = app.guest().at("203.0.113.1");
    let tried = statuses(&robot, (0..MANY).map(|n| format!("/api/videofile.php?video_id={}", 900_000 + n))).await;
    assert_eq!(refused(&tried[..120]), 0, "a person meets none of this");
    assert!(refused(&tried[250..]) >= 40, "{tried:?}");
    // However it is asked.
    for path in [
        "/api/videofile.php?video_id=999999",
        "/api/json/video/86400/999000/999999.json",
        "/api/json/album/86400/999000/999999.json",
        "/api/json/playlist/86400/999000/999999.json",
    ] {
        robot.get(path).await.refused(429, "too_many_attempts");
    }
    // What everybody may see stays open to the same address, and others are not concerned.
    assert_eq!(robot.get("/api/json/video/86400/0/4.json").await.status, 200);
    assert_eq!(robot.get("/api/videofile.php?video_id=4").await.status, 200);
    app.guest().at("203.0.113.2").get("/api/videofile.php?video_id=999999").await.refused(404, "video_not_found");
    app.finish().await;
}

#[tokio::test]
async fn a_member_opens_few_private_videos_by_their_ids() {
    let app = App::start().await;
    let member = app.member("collector").await.at("203.0.113.3");
    app.change("update videos set is_private = true where id = 4").await;
    // One is opened as often as a person looks at it; trying all of a site's is something else.
    let opened = statuses(&member, (0..MANY).map(|_| "/api/videofile.php?video_id=4".to_owned())).await;
    assert_eq!(opened.iter().filter(|status| **status == 200).count(), MANY - refused(&opened));
    assert_eq!(refused(&opened[..120]), 0);
    assert!(refused(&opened[250..]) >= 40, "{opened:?}");
    app.finish().await;
}

#[tokio::test]
async fn an_owner_opens_what_is_theirs_without_end() {
    let app = App::start().await;
    let owner = app.member("owner").await.at("203.0.113.4");
    app.change(&format!("update videos set is_private = true, user_id = {} where id = 4", owner.id)).await;
    let opened = statuses(&owner, (0..MANY).map(|_| "/api/videofile.php?video_id=4".to_owned())).await;
    assert_eq!(refused(&opened), 0);
    app.finish().await;
}

#[tokio::test]
async fn a_member_with_many_addresses_is_counted_as_one() {
    let app = App::start().await;
    let mut member = app.member("wanderer").await;
    let mut opened = Vec::new();
    for n in 0..MANY {
        member = member.at(&format!("198.51.{}.{}", n / 250, n % 250));
        let path = format!("/api/videofile.php?video_id={}", 900_000 + n);
        // Every way to ask counts.
        opened.push(match n % 3 {
            0 => member.get(&path).await.status,
            1 => member.get(&format!("/api/json/album/86400/999000/{}.json", 999_000 + n)).await.status,
            _ => {
                member
                    .act(&[("act", "view"), ("section", "video"), ("object_id", &(900_000 + n).to_string())])
                    .await
                    .status
            }
        });
    }
    assert_eq!(refused(&opened[..120]), 0, "{opened:?}");
    assert!(refused(&opened[250..]) >= 40, "{opened:?}");
    app.finish().await;
}
