//! Who may bring a comment or an entry of a wall back: who took it away, and never against somebody else's deletion.

use crate::support::{App, Reply, Session, done};

/// A comment under the second user's video and an entry on the third one's wall, with who else may delete each.
async fn written(app: &App, author: &Session, msg: &str) -> [Remark; 2] {
    let comment = [("act", "comm"), ("section", "video"), ("object_id", "1"), ("msg", msg)];
    let entry = [("act", "wall"), ("object_id", "3"), ("msg", msg)];
    let comment = done(&author.act(&comment).await)["comment_id"].to_string();
    let entry = done(&author.act(&entry).await)["wall_id"].to_string();
    [
        Remark { kind: "comm", field: "comment_id", id: comment, owner: app.sign_in(2, "other").await },
        Remark { kind: "wall", field: "wall_id", id: entry, owner: app.sign_in(3, "member-03").await },
    ]
}

struct Remark {
    kind: &'static str,
    field: &'static str,
    id: String,
    owner: Session,
}

impl Remark {
    async fn act(&self, who: &Session, what: &str) -> Reply {
        let act = format!("{}_{what}", self.kind);
        who.act(&[("act", act.as_str()), (self.field, self.id.as_str())]).await
    }

    async fn delete(&self, who: &Session) {
        done(&self.act(who, "del").await);
    }

    async fn comes_back(&self, who: &Session) {
        done(&self.act(who, "undel").await);
    }

    async fn stays_away(&self, who: &Session) {
        self.act(who, "undel").await.refused(404, "comment_not_found");
    }
}

#[tokio::test]
async fn nobody_undoes_the_deletion_of_another() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    for remark in &written(&app, &mika, "What an evening!").await {
        let owner = &remark.owner;
        // Each their own.
        remark.delete(owner).await;
        remark.stays_away(&mika).await;
        remark.comes_back(owner).await;
        remark.delete(&mika).await;
        remark.stays_away(owner).await;
        remark.comes_back(&mika).await;
        // Taken away by the author and then by the owner: neither may show it against the other.
        remark.delete(&mika).await;
        remark.delete(owner).await;
        remark.stays_away(&mika).await;
        remark.stays_away(owner).await;
    }
    for remark in &written(&app, &mika, "And what a morning!").await {
        // The other way round, and not by deleting again either.
        for who in [&remark.owner, &mika, &remark.owner] {
            remark.delete(who).await;
        }
        remark.stays_away(&remark.owner).await;
        remark.stays_away(&mika).await;
    }
    let left = "select count(*) from comments where deleted_at is null and body like '%What an evening!'
                union all select count(*) from walls where deleted_at is null and body like '%What an evening!'";
    assert_eq!(app.numbers(left).await, [0, 0]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn what_a_moderator_takes_away_after_its_author_stays_away() {
    let app = App::start().await;
    let (mika, nils) = (app.member("mika").await, app.moderator("nils").await);
    for remark in &written(&app, &mika, "What an evening!").await {
        let what = if remark.kind == "comm" { "comment" } else { "wall" };
        remark.delete(&mika).await;
        let cleared = nils.post("/api/moderate/clear", &[("what", what), ("id", &remark.id)]).await;
        assert_eq!(cleared.status, 200, "{what}: {}", cleared.text());
        remark.stays_away(&mika).await;
        remark.delete(&mika).await;
        remark.stays_away(&mika).await;
    }
    app.drain().await;
    app.finish().await;
}
