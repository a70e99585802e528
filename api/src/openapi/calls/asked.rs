//! Calls that are asked by query and not kept.

use lantern_config::{Config, Gender, MemberFilter, ModelFilter, lifetimes};
use lantern_indexer::IndexName;
use serde_json::json;

use crate::{
    account::me::Me,
    http::extract::{FilterWord, Kind},
    openapi::{
        Doc,
        errors::{invalid, refusal, too_often, unknown_address},
        params::{self, query},
    },
    search::{ask::SearchAnswer, facets::FacetsAnswer, suggest::SuggestionsAnswer},
    video::promo::{PromoAnswer, SITES},
};

const TAG: &str = "search";

/// `videos2.php`
#[must_use]
pub fn search(config: &Config) -> Doc {
    let listing = &config.listing;
    let about = format!(
        "What to look for, in any language; typos are forgiven. {} to {} characters.",
        listing.search_min, listing.search_max
    );
    Doc::new(TAG, "search", "/api/videos2.php", "Videos found by words")
        .about(
            "Every word must match, `-word` and `-\"some words\"` must not. When nothing does, the duration, the date, the \
             categories and the last word are given up in that order until something is found; `relaxed` says what was. The \
             titles come with what matched in `_formatted`.",
        )
        .takes(params::text("s", &about, listing.search_min, config, "night market").required())
        .takes(params::search_list(lifetimes::LISTS))
        .takes_all([params::lang(), params::dirs("categories", config, "travel"), params::dirs("models", config, "")])
        .takes(params::dirs("not_categories", config, ""))
        .answers::<SearchAnswer>("A page of videos.")
        .refuses(refusal(
            404,
            &[
                ("not_found", "`params` names a listing outside the contract"),
                ("category_not_found", "no such category"),
                ("model_not_found", "no such model"),
            ],
        ))
        .refuses(refusal(
            422,
            &[
                ("required", "a parameter that must be there is not"),
                ("min_length", "the words are too short"),
                ("max_length", "the words are too long"),
            ],
        ))
        .refuses(invalid())
        .refuses(too_often())
}

/// `suggester.php`
#[must_use]
pub fn complete(config: &Config) -> Doc {
    let most = config.listing.max_page_size;
    let count = json!({ "type": "integer", "minimum": 1, "maximum": most, "default": 10 });
    Doc::new(TAG, "complete", "/api/suggester.php", "Completions of what is being typed")
        .about("Queries in the language, categories and models in every one, found by prefix with typos forgiven.")
        .takes(params::text("c", "What is typed so far.", 1, config, "tra").required())
        .takes_all([params::lang(), query("count", "Most suggestions.", count, 5)])
        .answers::<SuggestionsAnswer>("Suggestions, the best first.")
        .refuses(refusal(
            422,
            &[("required", "`c` is not there"), ("min_length", "`c` is blank"), ("max_length", "`c` is too long")],
        ))
        .refuses(invalid())
        .refuses(too_often())
}

/// `facets.php`
#[must_use]
pub fn facets(config: &Config) -> Doc {
    let mut facets = vec!["categories"];
    let coded = |filter: &&'static str| !facets.contains(filter);
    let people: Vec<&str> =
        codes_of::<ModelFilter>().into_iter().chain(codes_of::<MemberFilter>()).filter(coded).collect();
    for facet in people {
        // A picture is there or not; there is nothing to type.
        if !facets.contains(&facet) && facet != MemberFilter::Avatar.as_str() {
            facets.push(facet);
        }
    }
    let indexes = [IndexName::Videos, IndexName::Models, IndexName::Members].map(IndexName::uid);
    Doc::new(TAG, "facets", "/api/facets.php", "Values of a filter, found by typing")
        .about(
            "Labels in the visitor's language that begin with what is typed, with counts; the value is the code for addresses. The \
             index follows from the facet, except that what both models and members have is the models' unless `index` says so.",
        )
        .takes(query("facet", "The filter.", json!({ "type": "string", "enum": facets }), "race").required())
        .takes(query("q", "The beginning of a label; all when empty.", json!({ "type": "string", "maxLength": config.listing.search_max }), "a"))
        .takes(params::lang())
        .takes(params::dirs("not_categories", config, ""))
        .takes(query("index", "Whose filter it is.", json!({ "type": "string", "enum": indexes }), IndexName::Models.uid()))
        .takes(query(
            "gender",
            "Counts only videos or models of the orientation; members have none.",
            json!({ "$ref": "#/components/schemas/Gender" }),
            Gender::Str.as_str(),
        ))
        .answers::<FacetsAnswer>("Values with labels and counts, most first.")
        .refuses(refusal(404, &[("category_not_found", "no such category in `not_categories`")]))
        .refuses(refusal(422, &[("required", "`facet` is not there"), ("max_length", "`q` is too long")]))
        .refuses(invalid())
        .refuses(too_often())
}

fn codes_of<F: FilterWord>() -> Vec<&'static str> {
    F::ALL.iter().filter(|filter| filter.kind() == Kind::Codes).map(|filter| filter.as_str()).collect()
}

/// `videofile.php`
#[must_use]
pub fn videofile(_: &Config) -> Doc {
    let lifetime = json!({ "type": "integer", "enum": lifetimes::VIDEO_FILE });
    Doc::new("site", "videofile", "/api/videofile.php", "Signed links to a video's streams")
        .about("The links are nobody's in particular but run out at `expires`, so no cache may keep the answer.")
        .takes(query("video_id", "Id of the video.", params::id_schema(), 1).required())
        .takes(query(
            "lifetime",
            "Seconds of the specification; the links' own time counts.",
            lifetime,
            lifetimes::VIDEO_FILE[0],
        ))
        .answers::<lantern_media::clips::Manifest>("Streams, the preferred one first.")
        .refuses(refusal(403, &[("dont_have_permission", "the video is private or not released yet")]))
        .refuses(refusal(404, &[("video_not_found", "no such video, or it was deleted")]))
        .refuses(refusal(422, &[("required", "`video_id` is not there")]))
        .refuses(invalid())
        .refuses(too_often())
}

/// `me.php`
#[must_use]
pub fn me(_: &Config) -> Doc {
    Doc::new("site", "me", "/api/me.php", "Who is visiting")
        .about("What a page must know before it shows anything; from the session, the cookies `app_lang` and `age_agreed` and the address.")
        .answers::<Me>("The visitor.")
}

/// `static/tf/`
#[must_use]
pub fn promo(config: &Config) -> Doc {
    let site = json!({ "type": "integer", "minimum": 1, "maximum": SITES });
    let gender = json!({ "$ref": "#/components/schemas/Gender", "default": Gender::Str.as_str() });
    Doc::new("site", "promo", "/static/tf/videos.{id}.json", "What a friend site shows of ours")
        .about(format!(
            "{} of this month's most watched videos, another draw for every site and day.",
            config.listing.friend_promo
        ))
        .takes(params::segment("id", "Number of the friend site.", site, 3))
        .takes(query("gender", "Orientation of the videos.", gender, Gender::Str.as_str()))
        .takes(params::lang())
        .answers::<PromoAnswer>("Videos with absolute addresses.")
        .kept("public, max-age=86400, stale-while-revalidate=8640")
        .tagged()
        .for_other_sites()
        .refuses(unknown_address())
        .refuses(invalid())
}
