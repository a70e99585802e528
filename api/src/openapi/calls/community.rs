//! What members write, follow and befriend.

use lantern_config::{CommentSection, Config, lifetimes};

use crate::{
    comment::list::CommentsAnswer,
    friend::list::FriendsAnswer,
    openapi::{
        Doc,
        errors::{Refusal, invalid, refusal, too_often, unknown_address},
        params::{self, segment},
    },
    subscription::list::SubscriptionsAnswer,
};

const KEPT: &str = "public, max-age=86400, stale-while-revalidate=8640";

fn doc(id: &'static str, template: &'static str, summary: &'static str) -> Doc {
    Doc::new("community", id, template, summary).refuses(unknown_address())
}

const fn no_member() -> Refusal {
    refusal(404, &[("member_not_found", "no such member, or another bucket than theirs")])
}

fn live(config: &Config) -> String {
    format!(
        "{} a page, newest first. A lifetime of 0 asks for what is true now: nothing is kept, there is no `ETag`.",
        config.listing.comments_page
    )
}

/// `comments`
#[must_use]
pub fn comments(config: &Config) -> Doc {
    let sections = serde_json::json!({ "$ref": "#/components/schemas/CommentSection" });
    doc("comments", "/api/json/comments/{lifetime}/{section}/{bucket}/{object_id}.json", "Comments on something")
        .about(live(config))
        .takes(params::lifetime(lifetimes::COMMENTS))
        .takes(segment("section", "What the comments are on.", sections, CommentSection::Video.as_str()))
        .takes_all([params::bucket(), params::id("object_id", 1), params::page_query()])
        .answers::<CommentsAnswer>("A page of comments.")
        .kept(KEPT)
        .tagged()
        .refuses(refusal(
            404,
            &[
                ("video_not_found", "no such video, or another bucket than its own"),
                ("album_not_found", "no such album, or another bucket than its own"),
                ("model_not_found", "no such model, or another bucket than its own"),
                ("playlist_not_found", "no such playlist, or another bucket than its own"),
            ],
        ))
        .refuses(invalid())
        .refuses(too_often())
}

/// `model_wall`
#[must_use]
pub fn model_wall(config: &Config) -> Doc {
    doc("model_wall", "/api/json/model_wall/{lifetime}/{prefix}/{dir}.{page}.json", "Comments on a model, by its name")
        .about(live(config))
        .takes(params::lifetime(lifetimes::COMMENTS))
        .takes_all(params::prefixed_dir("nguyen-thu-ha"))
        .takes(params::page())
        .answers::<CommentsAnswer>("A page of comments.")
        .kept(KEPT)
        .tagged()
        .refuses(refusal(404, &[("model_not_found", "no such model, or a prefix that is not the name's")]))
}

/// `member_wall`
#[must_use]
pub fn member_wall(config: &Config) -> Doc {
    doc("member_wall", "/api/json/member_wall/{lifetime}/{bucket}/{member_id}.{page}.json", "A member's wall")
        .about(live(config))
        .takes(params::lifetime(lifetimes::COMMENTS))
        .takes_all([params::bucket(), params::id("member_id", 2), params::page()])
        .answers::<CommentsAnswer>("A page of what was written on the wall.")
        .kept(KEPT)
        .tagged()
        .refuses(no_member())
}

/// `friends`
#[must_use]
pub fn friends(config: &Config) -> Doc {
    doc("friends", "/api/json/friends/{lifetime}/{bucket}/{member_id}.{page}.json", "A member's friends")
        .about(format!("{} a page, the newest friendship first.", config.listing.people_page))
        .takes(params::lifetime(lifetimes::LISTS))
        .takes_all([params::bucket(), params::id("member_id", 2), params::page()])
        .answers::<FriendsAnswer>("A page of members.")
        .kept(KEPT)
        .tagged()
        .refuses(no_member())
}

/// `subscriptions`
#[must_use]
pub fn subscriptions(config: &Config) -> Doc {
    doc("subscriptions", "/api/json/subscriptions/{lifetime}/{bucket}/{member_id}.{page}.json", "What a member follows")
        .about(format!("Models, channels and members, {} a page, the newest first.", config.listing.people_page))
        .takes(params::lifetime(lifetimes::LISTS))
        .takes_all([params::bucket(), params::id("member_id", 2), params::page()])
        .answers::<SubscriptionsAnswer>("A page of subscriptions.")
        .kept(KEPT)
        .tagged()
        .refuses(no_member())
}
