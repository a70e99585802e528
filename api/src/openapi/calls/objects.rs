//! One object each.

use lantern_config::{Config, lifetimes};

use crate::{
    album::show::AlbumAnswer,
    member::show::MemberAnswer,
    model::show::ModelAnswer,
    openapi::{
        Doc,
        errors::{invalid, refusal, too_often, unknown_address},
        params,
    },
    playlist::show::PlaylistAnswer,
    video::show::VideoAnswer,
};

const KEPT: &str = "public, max-age=86400, stale-while-revalidate=8640";

fn doc(id: &'static str, template: &'static str, summary: &'static str) -> Doc {
    Doc::new("objects", id, template, summary).refuses(unknown_address()).takes(params::lifetime(lifetimes::LISTS))
}

/// `video`
#[must_use]
pub fn video(_: &Config) -> Doc {
    doc("video", "/api/json/video/{lifetime}/{bucket}/{video_id}.json", "One video")
        .about("A deleted or private one tells only what it is, so that its page can say so.")
        .takes_all([params::bucket(), params::id("video_id", 1), params::lang()])
        .answers::<VideoAnswer>("The video, or what became of it.")
        .kept(KEPT)
        .tagged()
        .refuses(refusal(404, &[("video_not_found", "no such video, or another bucket than its own")]))
        .refuses(invalid())
        .refuses(too_often())
}

/// `album`
#[must_use]
pub fn album(_: &Config) -> Doc {
    doc("album", "/api/json/album/{lifetime}/{bucket}/{album_id}.json", "One album with its photos")
        .takes_all([params::bucket(), params::id("album_id", 1), params::lang()])
        .answers::<AlbumAnswer>("The album.")
        .kept(KEPT)
        .tagged()
        .refuses(refusal(404, &[("album_not_found", "no such album, or another bucket than its own")]))
        .refuses(refusal(403, &[("dont_have_permission", "the album is private or not released yet")]))
        .refuses(invalid())
        .refuses(too_often())
}

/// `model`
#[must_use]
pub fn model(_: &Config) -> Doc {
    doc("model", "/api/json/model/{lifetime}/{prefix}/{dir}.json", "One model")
        .about("Codes such as `hair_color` have their labels in `facets` of the list of models.")
        .takes_all(params::prefixed_dir("nguyen-thu-ha"))
        .answers::<ModelAnswer>("The model.")
        .kept(KEPT)
        .tagged()
        .refuses(refusal(404, &[("model_not_found", "no such model, or a prefix that is not the name's")]))
}

/// `playlist`
#[must_use]
pub fn playlist(_: &Config) -> Doc {
    doc("playlist", "/api/json/playlist/{lifetime}/{bucket}/{playlist_id}.json", "One playlist")
        .about("Its videos are the section `playlist` of `videos2`.")
        .takes_all([params::bucket(), params::id("playlist_id", 1)])
        .answers::<PlaylistAnswer>("The playlist.")
        .kept(KEPT)
        .tagged()
        .refuses(refusal(404, &[("playlist_not_found", "no such playlist, or another bucket than its own")]))
        .refuses(refusal(403, &[("playlist_is_private", "the playlist is its owner's alone")]))
        .refuses(too_often())
}

/// `member`
#[must_use]
pub fn member(_: &Config) -> Doc {
    doc("member", "/api/json/member/{lifetime}/{bucket}/{member_id}.json", "A member's public profile")
        .takes_all([params::bucket(), params::id("member_id", 2)])
        .answers::<MemberAnswer>("The member.")
        .kept(KEPT)
        .tagged()
        .refuses(refusal(
            404,
            &[(
                "member_not_found",
                "no such member, another bucket than theirs, or an account that is closed or unconfirmed",
            )],
        ))
}
