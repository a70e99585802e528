//! The route table.

use axum::{
    Router,
    http::{HeaderValue, StatusCode},
    middleware,
    response::{IntoResponse, Response},
};
use lantern_accounts::calls::{calls, me};
use lantern_config::{Config, Media};
use lantern_errors::ApiError;
use lantern_http::openapi::{Calls, Doc, errors};
use lantern_media::{FileRefusal, MediaState};

use crate::{
    album, area, category, comment, friend, home, media, member, message, model, moderate, mute, notification,
    playlist, report, saved_search, search, stat, state::AppState, subscription, video, view,
};

/// Routers of all calls. They differ in the middleware around them.
pub struct Routers {
    /// Calls with cached responses. Only these responses are stored compressed.
    pub cached: Router,
    /// All other calls.
    pub calls: Router,
    /// Pictures and films.
    pub media: Router,
}

/// Creates the routers of all calls.
#[must_use]
pub fn routers(state: &AppState) -> Routers {
    let media = lantern_media::router(MediaState {
        stores: state.stores.clone(),
        signer: state.signer.clone(),
        picture_cache: picture_cache(&state.config.media),
        read_bytes: usize::try_from(state.config.media.read_bytes).unwrap_or(usize::MAX),
        now: state.now,
    })
    .method_not_allowed_fallback(async || ApiError::Method)
    .layer(middleware::from_fn_with_state(state.clone(), media::guard))
    .layer(middleware::map_response(map_media_error));
    let uploads = lantern_uploads::calls(&state.config).into_router().with_state(state.clone());
    let rest = [query_routes, account_routes, member_routes, action_routes, moderate_routes];
    Routers {
        cached: cached_routes(&state.config).into_router().with_state(state.clone()),
        calls: rest
            .into_iter()
            .map(|routes| routes(&state.config).into_router().with_state(state.clone()))
            .fold(uploads.layer(middleware::map_response(lantern_uploads::add_version)), Router::merge),
        media,
    }
}

/// Returns the `Cache-Control` value of pictures.
fn picture_cache(settings: &Media) -> HeaderValue {
    let text = format!("public, max-age={}, s-maxage={}", settings.browser_seconds, settings.shared_seconds);
    HeaderValue::try_from(text).unwrap_or_else(|_| unreachable!("words and numbers are a valid header value"))
}

/// Converts refusals of the media router to API errors.
async fn map_media_error(mut response: Response) -> Response {
    let Some(FileRefusal(code)) = response.extensions_mut().remove() else { return response };
    let error = match response.status() {
        StatusCode::SERVICE_UNAVAILABLE => lantern_uploads::store_unavailable(),
        StatusCode::NOT_FOUND => ApiError::NotFound(code),
        StatusCode::FORBIDDEN => ApiError::Forbidden(code),
        _ => ApiError::Malformed("address"),
    };
    let (parts, _) = response.into_parts();
    let mut refused = error.into_response();
    refused.headers_mut().extend(parts.headers);
    refused
}

/// Returns the documentation of all calls except media, in document order.
#[must_use]
pub fn docs(config: &Config) -> Vec<Doc> {
    let calls = [
        cached_routes(config),
        query_routes(config),
        account_routes(config),
        action_routes(config),
        member_routes(config),
        lantern_uploads::calls(config),
        moderate_routes(config),
    ];
    calls.into_iter().flat_map(Calls::into_docs).collect()
}

/// Returns the calls with cached responses.
fn cached_routes(config: &Config) -> Calls<AppState> {
    Calls::default()
        .serve(home::frame::home, home::frame::doc(config))
        .serve(home::blocks::blocks, home::blocks::doc(config))
        .serve(video::list::videos, video::list::doc(config))
        .serve(video::counts::counts, video::counts::doc(config))
        .serve(video::show::video, video::show::doc(config))
        .serve(video::related::related, video::related::doc(config))
        .serve(search::suggest::popular, search::suggest::popular_doc(config))
        .serve(category::categories, category::doc(config))
        .serve(model::list::models, model::list::doc(config))
        .serve(model::show::model, model::show::doc(config))
        .serve(comment::walls::model_wall, comment::walls::model_wall_doc(config))
        .serve(album::list::albums, album::list::doc(config))
        .serve(album::show::album, album::show::doc(config))
        .serve(playlist::list::playlists, playlist::list::doc(config))
        .serve(playlist::show::playlist, playlist::show::doc(config))
        .serve(member::list::members, member::list::doc(config))
        .serve(member::show::member, member::show::doc(config))
        .serve(comment::walls::member_wall, comment::walls::member_wall_doc(config))
        .serve(friend::list::friends, friend::list::doc(config))
        .serve(subscription::list::subscriptions, subscription::list::doc(config))
        .serve(comment::list::comments, comment::list::comments_doc(config))
        .refusing(errors::too_often())
}

/// Returns the calls with query parameters.
fn query_routes(config: &Config) -> Calls<AppState> {
    Calls::default()
        .serve(search::ask::search, search::ask::doc(config))
        .serve(search::spoken::spoken, search::spoken::doc(config))
        .serve(mute::unmuted::unmuted, mute::unmuted::doc(config))
        .serve(search::suggest::complete, search::suggest::complete_doc(config))
        .serve(search::facets::facets, search::facets::doc(config))
        .serve(video::counts::search_counts, video::counts::search_doc(config))
        .serve(saved_search::news::news, saved_search::news::doc(config))
        .serve(video::file::videofile, video::file::doc(config))
        .serve(video::captions::show::captions, video::captions::show::doc(config))
        .serve(video::captions::hls::stream, video::captions::hls::doc(config))
        .serve(video::download::offer, video::download::offer_doc(config))
        .serve(video::download::link, video::download::link_doc(config))
        .serve(video::timeline::timeline, video::timeline::doc(config))
        .serve(me::me, me::doc(config))
        .serve(video::promo::promo, video::promo::doc(config))
}

/// Returns the calls for sign-up, sign-in and accounts.
fn account_routes(config: &Config) -> Calls<AppState> {
    calls(config).serve_files(report::send::report, report::send::doc(config), config.server.form_files_limit)
}

/// Returns the calls for members' private data.
fn member_routes(config: &Config) -> Calls<AppState> {
    Calls::default()
        .serve(area::profile::own, area::profile::own_doc(config))
        .serve_files(area::profile::change, area::profile::change_doc(config), config.server.form_files_limit)
        .serve(area::lists::lists, area::lists::doc(config))
        .serve(mute::show::mutes, mute::show::mutes_doc(config))
        .serve(mute::show::watched, mute::show::watched_doc(config))
        .serve(message::conversation, message::conversation_doc(config))
        .serve(message::act, message::act_doc(config))
        .serve(notification::act::settings, notification::act::settings_doc(config))
        .serve(notification::act::act, notification::act::act_doc(config))
        .serve(notification::stop::lead, notification::stop::lead_doc(config))
        .serve(notification::stop::stop, notification::stop::doc(config))
        .serve(album::own::own, album::own::doc(config))
        .serve_files(album::edit::album_edit, album::edit::doc(config), config.albums.form_bytes)
        .serve(video::own::own, video::own::doc(config))
        .serve_files(video::edit::video_edit, video::edit::doc(config), usize::MAX)
        .serve_files(video::poster::video_poster, video::poster::doc(config), config.server.form_files_limit)
        .serve_files(
            video::captions::edit::video_captions,
            video::captions::edit::doc(config),
            config.server.form_files_limit,
        )
}

/// Returns the calls for moderation.
fn moderate_routes(config: &Config) -> Calls<AppState> {
    use moderate::{
        ban, captions, clear, community, consent, decide, profile, proof, queue, reports, restore, revoke, second_step,
        show, take_down,
    };
    Calls::default()
        .serve(second_step::show, second_step::show_doc(config))
        .serve(second_step::take, second_step::doc(config))
        .serve(queue::list, queue::doc(config))
        .serve(show::show, show::doc(config))
        .serve(decide::decide, decide::doc(config))
        .serve(take_down::take_down, take_down::doc(config))
        .serve(restore::list, restore::list_doc(config))
        .serve(restore::restore, restore::doc(config))
        .serve(ban::ban, ban::doc(config))
        .serve(community::list, community::doc(config))
        .serve(profile::decide, profile::doc(config))
        .serve(clear::clear, clear::doc(config))
        .serve_files(captions::change, captions::doc(config), config.server.form_files_limit)
        .serve(reports::close, reports::doc(config))
        .serve_files(consent::record, consent::doc(config), config.server.form_files_limit)
        .serve(revoke::revoke, revoke::doc(config))
        .serve(proof::show, proof::doc(config))
}

/// Returns the calls for visitors' actions and the state of these actions.
fn action_routes(config: &Config) -> Calls<AppState> {
    Calls::default()
        .serve(stat::stat, stat::doc(config))
        .serve(view::page::pageview, view::page::doc(config))
        .serve(stat::state::member_state, stat::state::doc(config))
}
