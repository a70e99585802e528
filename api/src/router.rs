//! The route table, on one page.

use axum::{Router, extract::DefaultBodyLimit, middleware, routing::get};
use lantern_media::MediaState;
use tower_http::compression::CompressionLayer;

use crate::{
    envelope::envelope,
    error::ApiError,
    pages,
    resources::{
        categories, facets, health, home, me, model, models, related, search, suggester, video, videofile, videos,
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
        .route("/videos2/{lifetime}/{gender}/{sort}/{count}/{file}", get(videos::videos))
        .route("/video/{lifetime}/{bucket}/{file}", get(video::video))
        .route("/videos_related2/{lifetime}/{count}/{bucket}/{file}", get(related::related))
        .route("/suggester/{lifetime}/{file}", get(suggester::popular))
        .route("/categories/{lifetime}/{file}", get(categories::categories))
        .route("/models/{lifetime}/{gender}/{filters}/{sort}/{count}/{file}", get(models::models))
        .route("/model/{lifetime}/{prefix}/{file}", get(model::model));
    let api = Router::new()
        .nest("/api/json", cached)
        .route("/api/videos2.php", get(search::search))
        .route("/api/suggester.php", get(suggester::complete))
        .route("/api/facets.php", get(facets::facets))
        .route("/api/videofile.php", get(videofile::videofile))
        .route("/api/me.php", get(me::me))
        .with_state(state.clone());
    Router::new()
        .route("/health/live", get(health::live))
        .route("/health/ready", get(health::ready))
        .with_state(state.clone())
        .merge(pages::router(state.clone(), api.clone()))
        .merge(api)
        .method_not_allowed_fallback(async || ApiError::Method)
        .layer(CompressionLayer::new())
        .layer(DefaultBodyLimit::max(state.config.server.body_limit))
        // Films, pictures and sitemaps are compressed already.
        .merge(media)
        .merge(pages::sitemaps(state.clone()))
        .layer(middleware::from_fn_with_state(state, envelope))
        .layer(middleware::from_fn(security::headers))
}
