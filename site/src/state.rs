//! The state of the site.

use std::{ops::Deref, sync::Arc};

use lantern_api::AppState;

use crate::{list_texts::ListTexts, web_app::WebApp};

/// State of the calls, and what only pages need. A clone is another handle.
#[derive(Clone)]
pub struct SiteState {
    /// State of the calls.
    pub app: AppState,
    /// Web app.
    pub web: Arc<WebApp>,
    /// Operators' texts below lists.
    pub list_texts: Arc<ListTexts>,
}

impl SiteState {
    /// Creates the state of a site with this web app (`WebApp::embedded`).
    #[must_use]
    pub fn new(app: AppState, web: WebApp) -> Self {
        Self { app, web: Arc::new(web), list_texts: Arc::default() }
    }
}

impl Deref for SiteState {
    type Target = AppState;

    fn deref(&self) -> &AppState {
        &self.app
    }
}
