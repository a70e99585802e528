//! The same words again: the second click is the first one, a second thought is not.

use serde_json::Value;

use crate::support::{App, Session, done};

const WORDS: &str = "What an evening!";

async fn commented(member: &Session, video: &str) -> Value {
    let form = [("act", "comm"), ("section", "video"), ("object_id", video), ("msg", WORDS)];
    done(&member.act(&form).await)["comment_id"].clone()
}

async fn wrote(member: &Session, wall: &str) -> Value {
    done(&member.act(&[("act", "wall"), ("object_id", wall), ("msg", WORDS)]).await)["wall_id"].clone()
}

#[tokio::test]
async fn the_same_words_about_something_else_are_others() {
    let app = App::start().await;
    let (mika, anna) = (app.member("mika").await, app.member("anna").await);
    let first = commented(&mika, "1").await;
    assert_eq!(commented(&mika, "1").await, first);
    assert_ne!(commented(&mika, "2").await, first);
    let first = wrote(&anna, "3").await;
    assert_eq!(wrote(&anna, "3").await, first);
    assert_ne!(wrote(&anna, "4").await, first);
    let shown = "select count(*) from (select object_id from comments where body = 'What an evening!'
                 union all select user_id from walls where body = 'What an evening!') as written";
    assert_eq!(app.number(shown).await, 4);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn words_that_were_taken_away_can_be_written_again() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let comment = commented(&mika, "1").await;
    done(&mika.act(&[("act", "comm_del"), ("comment_id", &comment.to_string())]).await);
    assert_ne!(commented(&mika, "1").await, comment);
    let entry = wrote(&mika, "3").await;
    done(&mika.act(&[("act", "wall_del"), ("wall_id", &entry.to_string())]).await);
    let second = wrote(&mika, "3").await;
    assert_ne!(second, entry);
    app.sql("update walls set created_at = created_at - interval '31 seconds'").await;
    assert_ne!(wrote(&mika, "3").await, second, "half a minute later");
    assert_eq!(
        app.number("select count(*) from comments where body = 'What an evening!' and deleted_at is null").await,
        1
    );
    assert_eq!(
        app.number("select count(*) from walls where body = 'What an evening!' and deleted_at is null").await,
        2
    );
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn the_number_of_an_own_video_gives_no_right_to_comments_on_others() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    // Video 2 is the first user's; album 2 and playlist 2 are the third's, and a model is nobody's.
    let owner = app.sign_in(1, "uploader").await;
    assert_eq!(
        app.numbers("select user_id from videos where id = 2 union select user_id from albums where id = 2")
            .await
            .len(),
        2
    );
    for section in ["album", "model", "playlist"] {
        let form = [("act", "comm"), ("section", section), ("object_id", "2"), ("msg", WORDS)];
        let comment = done(&mika.act(&form).await)["comment_id"].to_string();
        let delete = [("act", "comm_del"), ("comment_id", &*comment)];
        owner.act(&delete).await.refused(404, "comment_not_found");
    }
    app.drain().await;
    app.finish().await;
}
