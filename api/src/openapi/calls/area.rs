//! What members keep for themselves.

use lantern_catalog::profiles;
use lantern_config::{Config, MemberList, labels};
use serde_json::{Value, json};

use crate::{
    area::{lists::MemberListAnswer, profile::ProfileAnswer},
    message::{MessageAnswer, MessagesAnswer},
    openapi::{
        Doc,
        errors::{Refusal, invalid, refusal, too_often},
        params::{self, Param, field, query},
    },
    video::edit::ManagedAnswer,
};

const TAG: &str = "member";

/// `GET member.php`
#[must_use]
pub fn profile(_: &Config) -> Doc {
    Doc::new(TAG, "own_profile", "/api/member.php", "The own profile")
        .about("Every field of the form, empty ones as null.")
        .for_members()
        .answers::<ProfileAnswer>("The profile.")
}

/// `POST member.php`
#[must_use]
pub fn change(config: &Config) -> Doc {
    let pictures = &config.pictures;
    let ([avatar_width, avatar_height], [width, height]) =
        (<[u32; 2]>::from(pictures.avatar_min), <[u32; 2]>::from(pictures.cover_min));
    Doc::post(TAG, "change_profile", "/api/member.php", "Change the own profile")
        .about(
            "A field that is sent is set, an empty one cleared, one that isn't sent stays; all of it or nothing. A form without \
             pictures may be sent in any way. Pictures are JPEG, PNG, WebP or GIF (of which the first frame is kept); they are \
             cropped and written anew, without what else the file held.",
        )
        .for_members()
        .fields(profile_fields())
        .file("u_ava", &format!("Avatar, at least {avatar_width} × {avatar_height} pixels, shown square."))
        .file("u_cover", &format!("Picture above the profile, at least {width} × {height} pixels, five times as wide as high."))
        .answers::<ProfileAnswer>("The profile as it is now.")
        .refuses(refusal(
            422,
            &[
                ("max_length", "a text is too long"),
                ("prohibited_terms", "a text holds what may not be said"),
                ("file_invalid_type", "no picture of a kind that is accepted, whatever its name says"),
                ("file_too_large", "more bytes than `pictures.max_bytes`"),
                ("invalid_img_size", "too many pixels, or too few"),
            ],
        ))
        .refuses(invalid())
        .refuses(too_often())
}

fn profile_fields() -> Vec<Param> {
    let word = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let text = |most: usize| json!({ "type": "string", "maxLength": most });
    let tick = || json!({ "type": "string", "enum": ["1"] });
    vec![
        field("gender", "Code.", word("MemberGender"), "female"),
        field("birth_date", "`YYYY-MM-DD` of an adult.", json!({ "type": "string", "format": "date" }), "1990-05-04"),
        field("relationship", "Code.", word("Relationship"), "single"),
        field("orientation", "Code.", word("Orientation"), "straight"),
        field("education", "Own words.", text(profiles::EDUCATION_MAX), "university"),
        field("website", "Address, `http` or `https`.", text(profiles::WEBSITE_MAX), "https://member.example/"),
        field("about", "Some sentences.", text(profiles::ABOUT_MAX), "Some words about me."),
        field("city", "Own words.", text(profiles::CITY_MAX), "Osaka"),
        field("country", "ISO 3166-1 alpha-2.", json!({ "type": "string", "enum": labels::codes("country") }), "JP"),
        field("interests", "Own words.", text(profiles::INTERESTS_MAX), "Trains"),
        field("occupation", "Own words.", text(profiles::OCCUPATION_MAX), "Gardener"),
        field("u_ava_rem", "Removes the avatar.", tick(), ""),
        field("u_cover_rem", "Removes the picture above the profile.", tick(), ""),
    ]
}

/// `member_lists.php`
#[must_use]
pub fn lists(config: &Config) -> Doc {
    let list = json!({ "$ref": "#/components/schemas/MemberList" });
    let count = json!({ "type": "integer", "minimum": 1, "maximum": config.listing.max_page_size });
    Doc::new(TAG, "member_lists", "/api/member_lists.php", "The own lists")
        .about(
            "The newest first. A video that was deleted since, or is not finished, keeps its place without a title, so that it can \
             be taken out. The feed has the new videos of what is followed: `next` of a page is `after` of the next one, so that \
             nothing comes twice when something new is posted meanwhile; totals are then of what is left. A history without entries \
             says `empty_history`, a page past the end of one `videos_not_found`.",
        )
        .for_members()
        .takes(query("list", "Which.", list, MemberList::FavouriteVideos.as_str()).required())
        .takes_all([params::page_query(), query("count", "Items of a page.", count, 20), params::lang()])
        .takes(query("after", "Where the feed goes on.", json!({ "type": "string", "pattern": "^-?[0-9]+\\.[0-9]+$" }), ""))
        .answers::<MemberListAnswer>("A page of the list.")
        .refuses(refusal(422, &[("required", "`list` is not there")]))
        .refuses(invalid())
}

const fn no_member() -> Refusal {
    refusal(404, &[("member_not_found", "no such member, or oneself")])
}

/// `GET messages.php`
#[must_use]
pub fn conversation(config: &Config) -> Doc {
    let count = json!({ "type": "integer", "minimum": 1, "maximum": config.listing.max_page_size });
    Doc::new(TAG, "conversation", "/api/messages.php", "A conversation")
        .about("The latest message first. Reading it marks nothing as read.")
        .for_members()
        .takes(query("with", "The other member.", params::id_schema(), 2).required())
        .takes_all([params::page_query(), query("count", "Messages of a page.", count, 20)])
        .answers::<MessagesAnswer>("A page of messages.")
        .refuses(no_member())
        .refuses(refusal(422, &[("required", "`with` is not there")]))
        .refuses(invalid())
}

/// `POST messages.php`
#[must_use]
pub fn messages(config: &Config) -> Doc {
    let text = json!({ "type": "string", "minLength": 1, "maxLength": config.member_area.message_max });
    Doc::post(TAG, "messages", "/api/messages.php", "Send, read and delete messages")
        .about(
            "`send` needs `to` and `text`; `read` marks what `to` has sent; `delete` takes one message (`message_id`) or a whole \
             conversation (`to`) out of one's own view, not the other's.",
        )
        .for_members()
        .field(field("act", "What to do.", json!({ "type": "string", "enum": ["send", "read", "delete"] }), "send").required())
        .field(field("to", "The other member.", params::id_schema(), 2))
        .field(field("text", "Plain text.", text, "See you there."))
        .field(field("message_id", "The message to delete.", params::id_schema(), ""))
        .answers::<MessageAnswer>("It is done.")
        .refuses(refusal(403, &[("blocked", "the other member doesn't want messages from this one")]))
        .refuses(no_member())
        .refuses(refusal(404, &[("message_not_found", "no such message in the own view")]))
        .refuses(refusal(
            422,
            &[
                ("required", "a field the act needs is not there or blank"),
                ("max_length", "the text is too long"),
                ("prohibited_terms", "the text holds what may not be said"),
            ],
        ))
        .refuses(invalid())
        .refuses(too_often())
}

/// `video_edit.php`
#[must_use]
pub fn video_edit(config: &Config) -> Doc {
    let days = json!({ "type": "integer", "minimum": 1, "maximum": config.member_area.readd_days_max,
        "default": config.member_area.readd_days });
    let acts: Value = json!({ "type": "string", "enum": ["2", "3", "4"] });
    Doc::post(TAG, "video_edit", "/api/video_edit.php", "Manage an own upload")
        .about(
            "Only for members with `status_id` 6. 2 deletes, 3 makes private or public again, 4 takes the video away and brings it \
             back, as it was, after `days`; so does one that its owner deleted, not one that moderation did.",
        )
        .for_members()
        .field(field("act", "Code of the action.", acts, "3").required())
        .field(field("video_id", "The own video.", params::id_schema(), 1).required())
        .field(field("days", "Days until it comes back.", days, ""))
        .answers::<ManagedAnswer>("It is done.")
        .refuses(refusal(403, &[("dont_have_permission", "the member doesn't manage uploads")]))
        .refuses(refusal(404, &[("video_not_found", "no such video of this member")]))
        .refuses(refusal(422, &[("required", "`act` or `video_id` is not there")]))
        .refuses(invalid())
        .refuses(too_often())
}
