//! Hidden objects cannot be found by trying all ids.

use crate::support::App;

/// A number of objects that is higher than a person opens by accident.
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
async fn requests_of_unknown_ids_are_rate_limited() {
    let app = App::start().await;
    let crawler = app.guest().at("203.0.113.1");
    let statuses_of_ids =
        statuses(&crawler, (0..MANY).map(|n| format!("/api/videofile.php?video_id={}", 900_000 + n))).await;
    assert_eq!(refused(&statuses_of_ids[..120]), 0, "a person never reaches the limit");
    assert!(refused(&statuses_of_ids[250..]) >= 40, "{statuses_of_ids:?}");
    // The limit covers every endpoint.
    for path in [
        "/api/videofile.php?video_id=999999",
        "/api/json/video/86400/999000/999999.json",
        "/api/json/album/86400/999000/999999.json",
        "/api/json/playlist/86400/999000/999999.json",
    ] {
        crawler.get(path).await.refused(429, "too_many_attempts");
    }
    // Public objects stay available to the address, and other addresses are unaffected.
    assert_eq!(crawler.get("/api/json/video/86400/0/4.json").await.status, 200);
    assert_eq!(crawler.get("/api/videofile.php?video_id=4").await.status, 200);
    app.guest().at("203.0.113.2").get("/api/videofile.php?video_id=999999").await.refused(404, "video_not_found");
    app.finish().await;
}

#[tokio::test]
async fn private_videos_opened_by_id_are_rate_limited() {
    let app = App::start().await;
    let member = app.member("collector").await.at("203.0.113.3");
    app.change("update videos set is_private = true where id = 4").await;
    // The limit allows as many views as a person needs, but no enumeration.
    let opened = statuses(&member, (0..MANY).map(|_| "/api/videofile.php?video_id=4".to_owned())).await;
    assert_eq!(opened.iter().filter(|status| **status == 200).count(), MANY - refused(&opened));
    assert_eq!(refused(&opened[..120]), 0);
    assert!(refused(&opened[250..]) >= 40, "{opened:?}");
    app.finish().await;
}

#[tokio::test]
async fn owners_are_not_limited_on_their_own_videos() {
    let app = App::start().await;
    let owner = app.member("owner").await.at("203.0.113.4");
    app.change(&format!("update videos set is_private = true, user_id = {} where id = 4", owner.id)).await;
    let opened = statuses(&owner, (0..MANY).map(|_| "/api/videofile.php?video_id=4".to_owned())).await;
    assert_eq!(refused(&opened), 0);
    app.finish().await;
}

#[tokio::test]
async fn limit_counts_a_member_across_addresses() {
    let app = App::start().await;
    let mut member = app.member("wanderer").await;
    let mut opened = Vec::new();
    for n in 0..MANY {
        member = member.at(&format!("198.51.{}.{}", n / 250, n % 250));
        let path = format!("/api/videofile.php?video_id={}", 900_000 + n);
        // Every endpoint counts.
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
