//! `POST /api/unmuted.php`: a list without what the viewer has muted. The request contains the address of the unfiltered list, and the
//! answer has the same shape. Mutes are part of the engine query, so that pages stay full and totals exact. The call takes a form because
//! a guest's watched videos must not appear in logged addresses.

use axum::{
    extract::{FromRef, State},
    response::Response,
};
use lantern_accounts::viewer::Viewer;
use lantern_config::{Config, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client, Form, Query, Segments, cost,
    openapi::{Doc, field, refusal, too_often},
    private,
};
use lantern_listing::{ModelList, VideoList, json_name};
use lantern_ratelimit::Action;
use lantern_search::{
    exclusions::Exclusions,
    index::{Reader, VideosAnswer},
    searches::Searches,
};
use serde::Serialize;
use serde_json::json;
use sqlx::PgPool;
use utoipa::ToSchema;

use super::form::UnmutedForm;
use crate::{
    home::blocks::{self, HomeAnswer},
    model::list::{self as models, ModelsAnswer},
    search::{
        ask::{self, SearchAnswer},
        searcher::{Searcher, UNMUTED},
        spoken::{self, SpokenAnswer},
    },
    state::AppState,
    video::{
        list,
        related::{self, RelatedAnswer},
    },
};

/// The answer of the list's own call.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum UnmutedAnswer {
    /// `videos2.php`
    Search(Box<SearchAnswer>),
    /// `spoken.php`
    Spoken(SpokenAnswer),
    /// `videos2`
    Videos(VideosAnswer),
    /// `videos_related2`
    Related(RelatedAnswer),
    /// `home`
    Home(HomeAnswer),
    /// `models`
    Models(ModelsAnswer),
}

pub fn doc(config: &Config) -> Doc {
    let text = json!({ "type": "string" });
    let of_guest = |name, what: &str, most: u32| {
        field(name, &format!("{what} that a guest muted, comma-separated, at most {most}."), text.clone(), "")
    };
    let per_kind = config.mutes.per_kind;
    let list = "/api/json/videos2/86400/str/latest-updates/60/all..1.all.all.all.json?lang=en";
    Doc::post("lists", "unmuted", UNMUTED, "A list without what the viewer muted")
        .about(
            "Takes the address of a list (`videos2`, `videos_related2`, `home`, `models`, `videos2.php` or `spoken.php`) and answers \
             like that call. A member's mutes come from the session (`/api/mutes.php`). Pages of a muted category, model or member still show its \
             videos; playlists are never filtered.",
        )
        .field(field("list", "Path and query of the list.", text.clone(), list).required())
        .field(of_guest("videos", "Watched videos", config.mutes.watched))
        .field(of_guest("categories", "Categories", per_kind))
        .field(of_guest("models", "Models", per_kind))
        .field(of_guest("members", "Members", per_kind))
        .answers::<UnmutedAnswer>("The answer of the list's own call.")
        .refuses(refusal(
            404,
            &[
                ("not_found", "`list` is not the address of such a list"),
                ("category_not_found", "no such category"),
                ("model_not_found", "no such model"),
                ("channel_not_found", "no such channel"),
                ("member_not_found", "no such member"),
                ("video_not_found", "no such video"),
            ],
        ))
        .refuses(refusal(
            422,
            &[
                ("required", "`list`, or one of its parameters, is missing"),
                ("min_length", "the query is too short"),
                ("max_length", "the query is too long"),
            ],
        ))
        .refuses(too_often())
}

pub async fn unmuted(
    State(state): State<AppState>,
    viewer: Viewer,
    client: Client,
    searcher: Searcher,
    Form(form): Form<UnmutedForm>,
) -> ApiResult<Response> {
    let exclusions = match &viewer.0 {
        Some(member) => Exclusions::of_member(&state.pool, &state.config, member.id).await?,
        None => Exclusions::parse(|list| form.value(list), &state.config.mutes)?,
    };
    let (path, query) = form.list.split_once('?').unwrap_or((&form.list, ""));
    let query = Query::parse(query)?;
    let answer = match path.strip_prefix("/api/").ok_or(ApiError::NotFound("not_found"))? {
        "videos2.php" => {
            state.limits.check(Action::Search, client.key)?;
            let request = ask::read(&state.config, &query)?;
            let found = ask::find_without(&Searches::from_ref(&state), searcher, request, exclusions).await?;
            UnmutedAnswer::Search(Box::new(found))
        }
        "spoken.php" => {
            state.limits.check(Action::Search, client.key)?;
            let request = ask::read(&state.config, &query)?;
            UnmutedAnswer::Spoken(spoken::find_without(&Searches::from_ref(&state), request, exclusions).await?)
        }
        list => cost::paid(cached_list(&state.pool, &state.reader, list, &query, exclusions)).await?,
    };
    Ok(private::answer(answer))
}

/// Computes a list whose usual call is cached. This answer is not cached.
async fn cached_list(
    pool: &PgPool,
    reader: &Reader,
    address: &str,
    query: &Query,
    exclusions: Exclusions,
) -> ApiResult<UnmutedAnswer> {
    let lang = query.lang()?;
    let segments: Vec<&str> = address.split('/').collect();
    match segments[..] {
        ["json", "videos2", lifetime, gender, sort, count, file] => {
            let segments = [lifetime, gender, sort, count, json_name(file)?];
            let list = VideoList::parse(segments, |name| query.get(name), lifetimes::LISTS, &reader.config)?;
            list::without(pool, reader, &list, lang, exclusions).await.map(UnmutedAnswer::Videos)
        }
        ["json", "videos_related2", ref rest @ ..] => {
            let (path, page) = related::read(Segments::of(rest), &reader.config)?;
            related::without(pool, reader, path, page, lang, exclusions).await.map(UnmutedAnswer::Related)
        }
        ["json", "models", ref rest @ ..] => {
            let segments = rest.try_into().map_err(|_| ApiError::NotFound("not_found"))?;
            let list = ModelList::parse(segments, &reader.config)?;
            models::without(reader, &list, lang, exclusions).await.map(UnmutedAnswer::Models)
        }
        ["json", "home", lifetime, file] => {
            let (_, gender, country, lang) = blocks::read(lifetime, file)?;
            blocks::without(reader, (gender, &country), lang, exclusions).await.map(UnmutedAnswer::Home)
        }
        _ => Err(ApiError::NotFound("not_found")),
    }
}
