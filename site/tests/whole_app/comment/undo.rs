//! Restoring a comment or wall entry. Only the member who deleted it can restore it, and only their own deletion is
//! undone.

use crate::support::{App, Reply, Session, done};

/// Writes a comment on a video of member 2 and an entry on the wall of member 3. Returns each with that owner.
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

    async fn restore(&self, who: &Session) {
        done(&self.act(who, "undel").await);
    }

    async fn cannot_restore(&self, who: &Session) {
        self.act(who, "undel").await.refused(404, "comment_not_found");
    }
}

#[tokio::test]
async fn members_cannot_undo_deletions_by_others() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    for remark in &written(&app, &mika, "What an evening!").await {
        let owner = &remark.owner;
        // Each member can undo their own deletion.
        remark.delete(owner).await;
        remark.cannot_restore(&mika).await;
        remark.restore(owner).await;
        remark.delete(&mika).await;
        remark.cannot_restore(owner).await;
        remark.restore(&mika).await;
        // The remark was deleted by the author and then by the owner. Neither may restore it against the other's will.
        remark.delete(&mika).await;
        remark.delete(owner).await;
        remark.cannot_restore(&mika).await;
        remark.cannot_restore(owner).await;
    }
    for remark in &written(&app, &mika, "And what a morning!").await {
        // The order of the deletions is reversed. Deleting again does not help.
        for who in [&remark.owner, &mika, &remark.owner] {
            remark.delete(who).await;
        }
        remark.cannot_restore(&remark.owner).await;
        remark.cannot_restore(&mika).await;
    }
    let left = "select count(*) from comments where deleted_at is null and body like '%What an evening!'
                union all select count(*) from walls where deleted_at is null and body like '%What an evening!'";
    assert_eq!(app.numbers(left).await, [0, 0]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn author_cannot_restore_what_a_moderator_removed() {
    let app = App::start().await;
    let (mika, nils) = (app.member("mika").await, app.moderator("nils").await);
    for remark in &written(&app, &mika, "What an evening!").await {
        let what = if remark.kind == "comm" { "comment" } else { "wall" };
        remark.delete(&mika).await;
        let cleared = nils.post("/api/moderate/clear", &[("what", what), ("id", &remark.id)]).await;
        assert_eq!(cleared.status, 200, "{what}: {}", cleared.text());
        remark.cannot_restore(&mika).await;
        remark.delete(&mika).await;
        remark.cannot_restore(&mika).await;
    }
    app.drain().await;
    app.finish().await;
}
