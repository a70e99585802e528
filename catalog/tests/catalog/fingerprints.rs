//! Recognition of re-encoded films, and of films that are merely similar.

use lantern_catalog::fingerprints::{self, FRAMES, Fingerprint, LikeFilm};
use lantern_config::Config;
use lantern_testing::TestDb;
use sqlx::Executor;

const WORLD: &str = "
    insert into users (username, email, email_confirmed_at) values ('anna', 'a@mail.example', now());
    insert into videos (dir, title, lang, gender, duration, user_id) values ('a', 'A', 'en', 'str', 600, 1), ('b', 'B', 'en', 'str', 600, 1);";

/// Returns a film of ten unrelated frames, each of which has the given number of changed bits.
fn film(seconds: f32, changed: [i32; FRAMES]) -> Fingerprint {
    let frame = |at: i64| at.wrapping_mul(0x5851_f42d_4c95_7f2d);
    let mut frames = [None; FRAMES];
    for ((at, seen), changed) in (1..).zip(&mut frames).zip(changed) {
        *seen = Some(frame(at) ^ ((1 << changed) - 1));
    }
    Fingerprint { seconds, frames }
}

/// Returns a film with this many uninformative frames.
fn dark(frames: usize) -> Fingerprint {
    let mut film = film(600.0, [0; FRAMES]);
    film.frames[..frames].fill(None);
    film
}

#[tokio::test]
async fn film_is_recognized_by_duration_and_frames() {
    let db = TestDb::create().await.unwrap();
    db.pool.execute(WORLD).await.unwrap();
    let (conn, bounds) = (&mut *db.pool.acquire().await.unwrap(), Config::default().films.likeness);
    let all = |bits| film(600.0, [bits; FRAMES]);
    let one = |bits| film(600.0, [0, 0, 0, bits, 0, 0, 0, 0, 0, 0]);
    fingerprints::keep(conn, 1, &all(0), &[]).await.unwrap();
    for (case, film, distance) in [
        ("itself", all(0), Some(0.0)),
        ("a little in every frame", all(8), Some(8.0)),
        ("more in every frame", all(9), None),
        ("much in one frame", one(14), Some(1.4)),
        ("too much in one frame", one(15), None),
        ("a little longer", film(612.0, [0; FRAMES]), Some(0.0)),
        ("longer", film(613.0, [0; FRAMES]), None),
        ("shorter", film(588.0, [0; FRAMES]), None),
        ("mostly black", dark(6), Some(0.0)),
        ("all but black", dark(7), None),
        ("black", dark(10), None),
    ] {
        let found = fingerprints::find(conn, &film, &bounds).await.unwrap();
        let like = |distance| LikeFilm { video_id: 1, user_id: Some(1), is_banned: false, distance };
        assert_eq!(found, distance.map(like).into_iter().collect::<Vec<_>>(), "{case}");
    }
    assert!(all(0).spread() > 16.0 && dark(9).spread() < 0.1, "{}", all(0).spread());

    // Banned films come first. Films that their owner deleted aren't found.
    fingerprints::keep(conn, 2, &all(0), &[]).await.unwrap();
    let ids = async || -> Vec<(i64, bool)> {
        let found = fingerprints::find(&mut db.pool.acquire().await.unwrap(), &all(0), &bounds).await.unwrap();
        found.iter().map(|like| (like.video_id, like.is_banned)).collect()
    };
    fingerprints::ban(conn, 2).await.unwrap();
    assert_eq!(ids().await, [(2, true), (1, false)]);
    db.pool.execute("update videos set status_id = deleted()").await.unwrap();
    assert_eq!(ids().await, [(2, true)]);
}
