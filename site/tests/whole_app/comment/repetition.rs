//! Repeated texts. A double click is deduplicated, but a later repetition is not.

use serde_json::Value;

use crate::support::{App, Session, done};

const TEXT: &str = "What an evening!";

async fn write_comment(member: &Session, video: &str) -> Value {
    let form = [("act", "comm"), ("section", "video"), ("object_id", video), ("msg", TEXT)];
    done(&member.act(&form).await)["comment_id"].clone()
}

async fn write_entry(member: &Session, wall: &str) -> Value {
    done(&member.act(&[("act", "wall"), ("object_id", wall), ("msg", TEXT)]).await)["wall_id"].clone()
}

#[tokio::test]
async fn same_text_on_another_object_is_not_a_duplicate() {
    let app = App::start().await;
    let (mika, anna) = (app.member("mika").await, app.member("anna").await);
    let first = write_comment(&mika, "1").await;
    assert_eq!(write_comment(&mika, "1").await, first);
    assert_ne!(write_comment(&mika, "2").await, first);
    let first = write_entry(&anna, "3").await;
    assert_eq!(write_entry(&anna, "3").await, first);
    assert_ne!(write_entry(&anna, "4").await, first);
    let shown = "select count(*) from (select object_id from comments where body = 'What an evening!'
                 union all select user_id from walls where body = 'What an evening!') as written";
    assert_eq!(app.number(shown).await, 4);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn deleted_text_can_be_written_again() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let comment = write_comment(&mika, "1").await;
    done(&mika.act(&[("act", "comm_del"), ("comment_id", &comment.to_string())]).await);
    assert_ne!(write_comment(&mika, "1").await, comment);
    let entry = write_entry(&mika, "3").await;
    done(&mika.act(&[("act", "wall_del"), ("wall_id", &entry.to_string())]).await);
    let second = write_entry(&mika, "3").await;
    assert_ne!(second, entry);
    app.sql("update walls set created_at = created_at - interval '31 seconds'").await;
    assert_ne!(write_entry(&mika, "3").await, second, "half a minute later");
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
async fn owning_a_video_grants_no_rights_on_other_objects_with_its_id() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    // Member 1 owns video 2, and member 3 owns album 2 and playlist 2. A model has no owner.
    let owner = app.sign_in(1, "uploader").await;
    assert_eq!(
        app.numbers("select user_id from videos where id = 2 union select user_id from albums where id = 2")
            .await
            .len(),
        2
    );
    for section in ["album", "model", "playlist"] {
        let form = [("act", "comm"), ("section", section), ("object_id", "2"), ("msg", TEXT)];
        let comment = done(&mika.act(&form).await)["comment_id"].to_string();
        let delete = [("act", "comm_del"), ("comment_id", &*comment)];
        owner.act(&delete).await.refused(404, "comment_not_found");
    }
    app.drain().await;
    app.finish().await;
}
