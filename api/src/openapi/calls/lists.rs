//! Lists and the frame of every page.

use lantern_config::{Config, MemberFilter, ModelFilter, lifetimes};

use crate::{
    album::list::AlbumsAnswer,
    category::CategoriesAnswer,
    home::{blocks::HomeAnswer, frame::MainAnswer},
    index::VideosAnswer,
    member::list::MembersAnswer,
    model::list::ModelsAnswer,
    openapi::{
        Doc,
        errors::{invalid, refusal, too_often, unknown_address},
        params::{self, segment},
    },
    playlist::list::PlaylistsAnswer,
    search::suggest::SuggestionsAnswer,
    video::related::RelatedAnswer,
};

const TAG: &str = "lists";
const KEPT: &str = "public, max-age=86400, stale-while-revalidate=8640";

fn doc(id: &'static str, template: &'static str, summary: &'static str) -> Doc {
    Doc::new(TAG, id, template, summary).refuses(unknown_address())
}

/// `main`
#[must_use]
pub fn main(config: &Config) -> Doc {
    doc("main", "/api/json/main/{lifetime}/{gender}.{lang}.json", "What every page's frame needs")
        .about(format!(
            "Categories that have videos, most first; {} keywords, the same all day; the {} most popular models.",
            config.listing.keywords, config.listing.home_block
        ))
        .takes_all([params::lifetime(lifetimes::MAIN), params::gender(), params::lang_segment()])
        .answers::<MainAnswer>("Categories, keywords and models.")
        .kept("public, max-age=14400, stale-while-revalidate=1440")
        .tagged()
}

/// `home`
#[must_use]
pub fn home(config: &Config) -> Doc {
    let country = serde_json::json!({ "type": "string", "pattern": "^[A-Z]{2}$" });
    doc("home", "/api/json/home/{lifetime}/{gender}.{country}.{lang}.json", "The blocks of the home page")
        .about(format!(
            "The first {} of each list: watched most in the country, watched most today, newest, most popular models.",
            config.listing.home_block
        ))
        .takes_all([params::lifetime(lifetimes::HOME_BLOCKS), params::gender()])
        .takes(segment("country", "ISO 3166-1 alpha-2; `XX` where it isn't known.", country, "JP"))
        .takes(params::lang_segment())
        .answers::<HomeAnswer>("The blocks in their order on the page.")
        .kept("public, max-age=3600, stale-while-revalidate=360")
        .tagged()
}

/// `videos2`
#[must_use]
pub fn videos(config: &Config) -> Doc {
    let sections = [
        ("all", ""),
        ("categories", "travel"),
        ("model", "nguyen-thu-ha"),
        ("channel", "1"),
        ("member", "2"),
        ("playlist", "1"),
        ("top-country", "JP"),
    ];
    doc(
        "videos2",
        "/api/json/videos2/{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.{type}.{duration}.{date}.json",
        "A list of videos",
    )
    .about(
        "With the counts of categories and models over the whole result. A playlist keeps its own order, whatever the \
         orientation; a country's chart is what is watched most there.",
    )
    .takes_all([params::lifetime(lifetimes::LISTS), params::gender(), params::video_sort(), params::count(config)])
    .takes_all(params::section(sections, config))
    .takes(params::page_of_list(config))
    .takes_all(params::choices())
    .takes(params::lang())
    .answers::<VideosAnswer>("A page of videos.")
    .kept(KEPT)
    .tagged()
    .refuses(refusal(
        404,
        &[
            ("category_not_found", "no such category"),
            ("model_not_found", "no such model"),
            ("channel_not_found", "no such channel"),
            ("member_not_found", "no such member"),
            ("playlist_not_found", "no such playlist"),
        ],
    ))
    .refuses(refusal(403, &[("playlist_is_private", "the playlist is its owner's alone")]))
    .refuses(invalid())
    .refuses(too_often())
}

/// `videos_related2`
#[must_use]
pub fn related(config: &Config) -> Doc {
    let counts = serde_json::json!({ "type": "integer", "enum": config.listing.related_counts });
    doc(
        "videos_related2",
        "/api/json/videos_related2/{lifetime}/{count}/{bucket}/{video_id}.{type}.{page}.json",
        "Videos like another one",
    )
    .about(
        "By shared models, categories and words of the title; never the video itself. A private or deleted video has \
         none.",
    )
    .takes(params::lifetime(lifetimes::RELATED_LISTS))
    .takes(segment("count", "Items of a page.", counts, config.listing.related_counts[0]))
    .takes_all([params::bucket(), params::id("video_id", 1), params::kind(), params::page(), params::lang()])
    .answers::<RelatedAnswer>("A page of videos.")
    .kept("public, max-age=432000, stale-while-revalidate=43200")
    .tagged()
    .refuses(refusal(404, &[("video_not_found", "no such video, or another bucket than its own")]))
    .refuses(invalid())
}

/// `suggester`
#[must_use]
pub fn popular(config: &Config) -> Doc {
    doc("suggester", "/api/json/suggester/{lifetime}/{count}.json", "What is searched most now")
        .takes_all([params::lifetime(lifetimes::SUGGESTIONS), params::count(config), params::lang()])
        .answers::<SuggestionsAnswer>("Frequent searches in the language, most first.")
        .kept("public, max-age=43200, stale-while-revalidate=4320")
        .tagged()
        .refuses(invalid())
}

/// `categories`
#[must_use]
pub fn categories(config: &Config) -> Doc {
    let sections = serde_json::json!({ "$ref": "#/components/schemas/CategorySection" });
    let about = format!(
        "`all`: most videos first; `sidebar`: those with at least {} videos, or {} per cent of the orientation's where that \
         is less; `letters`: by title, with the letter each stands under.",
        config.listing.sidebar_min_videos, config.listing.sidebar_min_percent
    );
    doc("categories", "/api/json/categories/{lifetime}/{gender}.{section}.{lang}.json", "Categories that have videos")
        .takes_all([params::lifetime(lifetimes::LISTS), params::gender()])
        .takes(segment("section", &about, sections, "all"))
        .takes(params::lang_segment())
        .answers::<CategoriesAnswer>("Categories.")
        .kept(KEPT)
        .tagged()
}

/// `models`
#[must_use]
pub fn models(config: &Config) -> Doc {
    doc(
        "models",
        "/api/json/models/{lifetime}/{gender}/filt{filters}/{sort}/{count}/{page}.json",
        "A list of models, with counts of every filter",
    )
    .about("The counts of a filter ignore its own choice: they say what choosing another value would show.")
    .takes_all([params::lifetime(lifetimes::LISTS), params::gender()])
    .takes(params::filters::<ModelFilter>("-race~asian-age~25.34"))
    .takes_all([params::model_sort(), params::count(config), params::page_of_list(config), params::lang()])
    .answers::<ModelsAnswer>("A page of models.")
    .kept(KEPT)
    .tagged()
    .refuses(invalid())
}

/// `albums`
#[must_use]
pub fn albums(config: &Config) -> Doc {
    let sections = [("all", ""), ("categories", "city-nights"), ("model", "yuka-matsumoto"), ("member", "1")];
    doc(
        "albums",
        "/api/json/albums/{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.json",
        "A list of photo albums",
    )
    .takes_all([params::lifetime(lifetimes::LISTS), params::gender(), params::album_sort(), params::count(config)])
    .takes_all(params::section(sections, config))
    .takes_all([params::page_of_list(config), params::lang()])
    .answers::<AlbumsAnswer>("A page of albums.")
    .kept(KEPT)
    .tagged()
    .refuses(refusal(
        404,
        &[
            ("category_not_found", "no such category"),
            ("model_not_found", "no such model"),
            ("channel_not_found", "albums have no channels"),
            ("member_not_found", "no such member"),
            ("playlist_not_found", "albums have no playlists"),
        ],
    ))
    .refuses(invalid())
}

/// `playlists`
#[must_use]
pub fn playlists(config: &Config) -> Doc {
    doc(
        "playlists",
        "/api/json/playlists/{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.json",
        "A list of public playlists",
    )
    .about("Titles are their owners' own words, the same in every language.")
    .takes_all([params::lifetime(lifetimes::LISTS), params::gender(), params::playlist_sort(), params::count(config)])
    .takes_all(params::section([("all", ""), ("member", "1")], config))
    .takes(params::page_of_list(config))
    .answers::<PlaylistsAnswer>("A page of playlists.")
    .kept(KEPT)
    .tagged()
    .refuses(refusal(
        404,
        &[
            ("category_not_found", "playlists have no categories"),
            ("model_not_found", "playlists have no models"),
            ("channel_not_found", "playlists have no channels"),
            ("member_not_found", "no such member"),
            ("playlist_not_found", "playlists have no playlists"),
        ],
    ))
}

/// `members`
#[must_use]
pub fn members(config: &Config) -> Doc {
    doc(
        "members",
        "/api/json/members/{lifetime}/filt{filters}/{sort}/{count}/{page}.json",
        "The community, with counts of every filter",
    )
    .about("The counts of a filter ignore its own choice: they say what choosing another value would show.")
    .takes(params::lifetime(lifetimes::LISTS))
    .takes(params::filters::<MemberFilter>("-country~DE,JP-age~20.60"))
    .takes_all([params::member_sort(), params::count(config), params::page_of_list(config), params::lang()])
    .answers::<MembersAnswer>("A page of members.")
    .kept("public, max-age=7200, stale-while-revalidate=720")
    .tagged()
    .refuses(invalid())
}
