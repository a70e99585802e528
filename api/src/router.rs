//! The route table, on one page.

use axum::{Router, extract::DefaultBodyLimit, middleware, routing::get};
use lantern_media::MediaState;
use tower_http::compression::CompressionLayer;

use crate::{
    cache,
    envelope::envelope,
    error::ApiError,
    pages,
    resources::{
        album, albums, categories, comments, facets, friends, health, home, home_blocks, me, member, members, metrics,
        model, models, playlist, playlists, promo, related, search, subscriptions, suggester, video, videofile, videos,
    },
    security,
    state::AppState,
};

/// The whole site: calls, media, pages.
pub fn router(state: AppState) -> Router {
    let media = lantern_media::router(MediaState {
        root: state.media_root.clone(),
        signer: state.signer.clone(),
        now: state.now,
    });
    let cached = Router::new()
        .route("/main/{lifetime}/{file}", get(home::home))
        .route("/home/{lifetime}/{file}", get(home_blocks::blocks))
        .route("/videos2/{lifetime}/{gender}/{sort}/{count}/{file}", get(videos::videos))
        .route("/video/{lifetime}/{bucket}/{file}", get(video::video))
        .route("/videos_related2/{lifetime}/{count}/{bucket}/{file}", get(related::related))
        .route("/suggester/{lifetime}/{file}", get(suggester::popular))
        .route("/categories/{lifetime}/{file}", get(categories::categories))
        .route("/models/{lifetime}/{gender}/{filters}/{sort}/{count}/{file}", get(models::models))
        .route("/model/{lifetime}/{prefix}/{file}", get(model::model))
        .route("/model_wall/{lifetime}/{prefix}/{file}", get(comments::model_wall))
        .route("/albums/{lifetime}/{gender}/{sort}/{count}/{file}", get(albums::albums))
        .route("/album/{lifetime}/{bucket}/{file}", get(album::album))
        .route("/playlists/{lifetime}/{gender}/{sort}/{count}/{file}", get(playlists::playlists))
        .route("/playlist/{lifetime}/{bucket}/{file}", get(playlist::playlist))
        .route("/members/{lifetime}/{filters}/{sort}/{count}/{file}", get(members::members))
        .route("/member/{lifetime}/{bucket}/{file}", get(member::member))
        .route("/member_wall/{lifetime}/{bucket}/{file}", get(comments::member_wall))
        .route("/friends/{lifetime}/{bucket}/{file}", get(friends::friends))
        .route("/subscriptions/{lifetime}/{bucket}/{file}", get(subscriptions::subscriptions))
        .route("/comments/{lifetime}/{section}/{bucket}/{file}", get(comments::comments));
    // What scripts and pages ask by query.
    let asked = Router::new()
        .route("/api/videos2.php", get(search::search))
        .route("/api/suggester.php", get(suggester::complete))
        .route("/api/facets.php", get(facets::facets))
        .route("/api/videofile.php", get(videofile::videofile))
        .route("/api/me.php", get(me::me))
        .route("/static/tf/{file}", get(promo::promo))
        .with_state(state.clone());
    let cached = Router::new().nest("/api/json", cached).with_state(state.clone());
    let api = cached.clone().merge(asked.clone());
    let rest = Router::new()
        .route("/health/live", get(health::live))
        .route("/health/ready", get(health::ready))
        .route("/metrics", get(metrics::metrics))
        .with_state(state.clone())
        .merge(asked)
        .merge(pages::router(state.clone(), api))
        .method_not_allowed_fallback(async || ApiError::Method)
        .layer(CompressionLayer::new());
    // Finished answers come compressed.
    cached
        .merge(rest)
        .layer(DefaultBodyLimit::max(state.config.server.body_limit))
        // Films, pictures and sitemaps are compressed already.
        .merge(media)
        .merge(pages::sitemaps(state.clone()))
        .layer(middleware::from_fn_with_state(state.clone(), envelope))
        .layer(middleware::from_fn(security::headers))
        .layer(middleware::from_fn_with_state(state, cache::shortcut))
}
