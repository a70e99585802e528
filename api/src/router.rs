//! The route table, on one page.

use axum::{
    Router,
    extract::{DefaultBodyLimit, State},
    http::{HeaderMap, HeaderValue, StatusCode},
    middleware,
    response::{IntoResponse, Response},
    routing::MethodFilter,
};
use lantern_config::{Config, Media};
use lantern_media::{MediaState, Refused};

use crate::{
    account, action, album, area, category, comment, document, friend, home,
    http::{ApiError, compression::compression, cost, envelope::envelope, same_origin, security},
    media, member, message, model, moderate, mute, notification,
    openapi::{Calls, Doc, errors},
    page, playlist, report, search,
    state::AppState,
    subscription, upload, video, view,
};

pub fn router(state: &AppState) -> Router {
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
    let queries = query_routes(&state.config).into_router().with_state(state.clone());
    let cached = cached_routes(&state.config).into_router().with_state(state.clone());
    let rest = document_routes(&state.config)
        .into_router()
        .with_state(state.clone())
        .merge(queries)
        .merge(account_routes(&state.config).into_router().with_state(state.clone()))
        .merge(member_routes(&state.config).into_router().with_state(state.clone()))
        .merge(action_routes(&state.config).into_router().with_state(state.clone()))
        .merge(
            upload_routes(&state.config)
                .into_router()
                .with_state(state.clone())
                .layer(middleware::map_response(upload::tus::mark)),
        )
        .merge(moderate_routes(&state.config).into_router().with_state(state.clone()))
        .merge(
            page::router(state)
                .layer(middleware::from_fn_with_state(state.clone(), account::captcha::policy::allow_sources)),
        )
        .method_not_allowed_fallback(async || ApiError::Method)
        .layer(compression());
    // Requests that no cached response fits go through these calls, too.
    cached
        .layer(compression())
        .merge(rest)
        .layer(middleware::from_fn_with_state(state.clone(), cost::payer))
        .layer(DefaultBodyLimit::max(state.config.server.body_limit))
        // Films, pictures and sitemaps are compressed already.
        .merge(media)
        .merge(page::sitemaps(state))
        .layer(middleware::from_fn_with_state(state.clone(), same_origin::guard))
        .layer(middleware::from_fn_with_state(state.clone(), envelope))
        .layer(middleware::from_fn(security::headers))
}

/// `Cache-Control` of pictures.
fn picture_cache(settings: &Media) -> HeaderValue {
    let text = format!("public, max-age={}, s-maxage={}", settings.browser_seconds, settings.shared_seconds);
    HeaderValue::try_from(text).unwrap_or_else(|_| unreachable!("words and numbers are a valid header value"))
}

/// Media are refused like anything else.
async fn map_media_error(mut response: Response) -> Response {
    let Some(Refused(code)) = response.extensions_mut().remove() else { return response };
    let error = match response.status() {
        StatusCode::SERVICE_UNAVAILABLE => ApiError::store_away(),
        StatusCode::NOT_FOUND => ApiError::NotFound(code),
        StatusCode::FORBIDDEN => ApiError::Forbidden(code),
        _ => ApiError::Malformed("address"),
    };
    let (parts, _) = response.into_parts();
    let mut refused = error.into_response();
    refused.headers_mut().extend(parts.headers);
    refused
}

/// What the document says of all that, in its order.
pub fn docs(config: &Config) -> Vec<Doc> {
    let calls = [
        cached_routes(config),
        query_routes(config),
        account_routes(config),
        action_routes(config),
        member_routes(config),
        upload_routes(config),
        moderate_routes(config),
        document_routes(config),
    ];
    let docs = calls.into_iter().flat_map(Calls::into_docs);
    docs.chain(media::doc::all(config)).chain(page::docs(config)).collect()
}

/// Calls whose answers are kept.
fn cached_routes(config: &Config) -> Calls<AppState> {
    Calls::below("/api/json")
        .get("/main/{lifetime}/{file}", home::frame::home, home::frame::doc(config))
        .get("/home/{lifetime}/{file}", home::blocks::blocks, home::blocks::doc(config))
        .get("/videos2/{lifetime}/{gender}/{sort}/{count}/{file}", video::list::videos, video::list::doc(config))
        .get(
            "/video_counts/{lifetime}/{gender}/{sort}/{count}/{file}",
            video::counts::counts,
            video::counts::doc(config),
        )
        .get("/video/{lifetime}/{bucket}/{file}", video::show::video, video::show::doc(config))
        .get(
            "/videos_related2/{lifetime}/{count}/{bucket}/{file}",
            video::related::related,
            video::related::doc(config),
        )
        .get("/suggester/{lifetime}/{file}", search::suggest::popular, search::suggest::popular_doc(config))
        .get("/categories/{lifetime}/{file}", category::categories, category::doc(config))
        .get(
            "/models/{lifetime}/{gender}/{filters}/{sort}/{count}/{file}",
            model::list::models,
            model::list::doc(config),
        )
        .get("/model/{lifetime}/{prefix}/{file}", model::show::model, model::show::doc(config))
        .get(
            "/model_wall/{lifetime}/{prefix}/{file}",
            comment::walls::model_wall,
            comment::walls::model_wall_doc(config),
        )
        .get("/albums/{lifetime}/{gender}/{sort}/{count}/{file}", album::list::albums, album::list::doc(config))
        .get("/album/{lifetime}/{bucket}/{file}", album::show::album, album::show::doc(config))
        .get(
            "/playlists/{lifetime}/{gender}/{sort}/{count}/{file}",
            playlist::list::playlists,
            playlist::list::doc(config),
        )
        .get("/playlist/{lifetime}/{bucket}/{file}", playlist::show::playlist, playlist::show::doc(config))
        .get("/members/{lifetime}/{filters}/{sort}/{count}/{file}", member::list::members, member::list::doc(config))
        .get("/member/{lifetime}/{bucket}/{file}", member::show::member, member::show::doc(config))
        .get(
            "/member_wall/{lifetime}/{bucket}/{file}",
            comment::walls::member_wall,
            comment::walls::member_wall_doc(config),
        )
        .get("/friends/{lifetime}/{bucket}/{file}", friend::list::friends, friend::list::doc(config))
        .get(
            "/subscriptions/{lifetime}/{bucket}/{file}",
            subscription::list::subscriptions,
            subscription::list::doc(config),
        )
        .get(
            "/comments/{lifetime}/{section}/{bucket}/{file}",
            comment::list::comments,
            comment::list::comments_doc(config),
        )
        .refusing(errors::too_often())
}

/// What scripts and pages ask by query.
fn query_routes(config: &Config) -> Calls<AppState> {
    Calls::below("")
        .get("/api/videos2.php", search::ask::search, search::ask::doc(config))
        .post(mute::form::ADDRESS, mute::unmuted::unmuted, mute::unmuted::doc(config))
        .get("/api/suggester.php", search::suggest::complete, search::suggest::complete_doc(config))
        .get("/api/facets.php", search::facets::facets, search::facets::doc(config))
        .get("/api/video_counts.php", video::counts::search_counts, video::counts::search_doc(config))
        .get("/api/new_videos.php", search::news::news, search::news::doc(config))
        .get("/api/videofile.php", video::file::videofile, video::file::doc(config))
        .get("/api/download.php", video::download::offer, video::download::offer_doc(config))
        .post("/api/download.php", video::download::link, video::download::link_doc(config))
        .get(
            "/media/t/{format}/{dir_path}/{video_id}/{count}/{interval}",
            video::timeline::timeline,
            video::timeline::doc(config),
        )
        .get("/api/me.php", account::me::me, account::me::doc(config))
        .get("/static/tf/{file}", video::promo::promo, video::promo::doc(config))
}

/// Signing up and in, and the account itself.
fn account_routes(config: &Config) -> Calls<AppState> {
    Calls::below("")
        .post("/api/login.php", account::login::login, account::login::doc(config))
        .post("/api/logout.php", account::logout::logout, account::logout::doc(config))
        .post("/api/signup.php", account::signup::signup, account::signup::doc(config))
        .get("/api/confirm.php", account::confirm::look, account::confirm::look_doc(config))
        .post("/api/confirm.php", account::confirm::confirm, account::confirm::confirm_doc(config))
        .post("/api/confirm_again.php", account::confirm_again::confirm_again, account::confirm_again::doc(config))
        .post("/api/restore.php", account::restore::restore, account::restore::restore_doc(config))
        .post(
            "/api/restore_confirm.php",
            account::restore::restore_confirm,
            account::restore::restore_confirm_doc(config),
        )
        .get("/api/account.php", account::show::account, account::show::doc(config))
        .post("/api/account.php", account::change::change, account::change::doc(config))
        .get("/api/account_export.php", account::export::account_export, account::export::doc(config))
        .get("/api/login.g.php", account::openid::login::start, account::openid::login::start_doc(config))
        .get("/api/login.g.callback", account::openid::login::callback, account::openid::login::callback_doc(config))
        .get("/api/captcha.php", account::captcha::challenge::captcha, account::captcha::challenge::doc(config))
        .post_files("/api/report.php", report::send::report, report::send::doc(config), config.server.form_files_limit)
}

/// What members keep for themselves.
fn member_routes(config: &Config) -> Calls<AppState> {
    Calls::below("/api")
        .get("/member.php", area::profile::own, area::profile::own_doc(config))
        .post_files(
            "/member.php",
            area::profile::change,
            area::profile::change_doc(config),
            config.server.form_files_limit,
        )
        .get("/member_lists.php", area::lists::lists, area::lists::doc(config))
        .get("/mutes.php", mute::show::mutes, mute::show::mutes_doc(config))
        .get("/watched.php", mute::show::watched, mute::show::watched_doc(config))
        .get("/messages.php", message::conversation, message::conversation_doc(config))
        .post("/messages.php", message::act, message::act_doc(config))
        .get("/notifications.php", notification::act::settings, notification::act::settings_doc(config))
        .post("/notifications.php", notification::act::act, notification::act::act_doc(config))
        .get("/unsubscribe.php", notification::stop::lead, notification::stop::lead_doc(config))
        .post("/unsubscribe.php", notification::stop::stop, notification::stop::doc(config))
        .get("/album_edit.php", album::own::own, album::own::doc(config))
        .post_files("/album_edit.php", album::edit::album_edit, album::edit::doc(config), config.albums.form_bytes)
        .get("/video_edit.php", video::own::own, video::own::doc(config))
        .post_files("/video_edit.php", video::edit::video_edit, video::edit::doc(config), usize::MAX)
}

/// Films on their way in.
fn upload_routes(config: &Config) -> Calls<AppState> {
    const ONE: &str = "/uploads/{token}";
    Calls::below("/api")
        .by(MethodFilter::OPTIONS, "/uploads/", upload::show::options, upload::show::options_doc(config))
        .get("/uploads/", upload::show::list, upload::show::list_doc(config))
        .post("/uploads/", upload::create::create, upload::create::doc(config))
        .by(MethodFilter::HEAD, ONE, upload::show::offset, upload::show::offset_doc(config))
        .by(MethodFilter::PATCH, ONE, upload::receive::receive, upload::receive::doc(config))
        .by(MethodFilter::DELETE, ONE, upload::remove::remove, upload::remove::doc(config))
        .post(ONE, upload::remove::overridden, upload::remove::overridden_doc(config))
}

/// What moderators see and decide.
fn moderate_routes(config: &Config) -> Calls<AppState> {
    use moderate::{ban, consent, decide, proof, queue, reports, second_step, show, take_down};
    Calls::below("/api/moderate")
        .get("/second_step", second_step::look, second_step::look_doc(config))
        .post("/second_step", second_step::take, second_step::doc(config))
        .get("/queue", queue::list, queue::doc(config))
        .get("/upload", show::show, show::doc(config))
        .post("/decide", decide::decide, decide::doc(config))
        .post("/take_down", take_down::take_down, take_down::doc(config))
        .post("/ban", ban::ban, ban::doc(config))
        .post("/reports", reports::close, reports::doc(config))
        .post_files("/consent", consent::record, consent::doc(config), config.server.form_files_limit)
        .get("/proof", proof::show, proof::doc(config))
}

/// What visitors do, and what they have done.
fn action_routes(config: &Config) -> Calls<AppState> {
    Calls::below("/api")
        .post("/stat.php", action::stat::stat, action::stat::doc(config))
        .post("/pageview.php", view::page::pageview, view::page::doc(config))
        .get("/member_state.php", action::state::member_state, action::state::doc(config))
}

fn document_routes(config: &Config) -> Calls<AppState> {
    let served = document::Served::default();
    let openapi = async move |State(state): State<AppState>, headers: HeaderMap| served.answer(&state.config, &headers);
    Calls::below("").get("/api/openapi.json", openapi, document::doc(config))
}
