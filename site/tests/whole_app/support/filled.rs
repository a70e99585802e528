//! Catalog and index with content. The first test that needs them builds them, and the others copy them.

use std::sync::Arc;

use lantern_config::{Config, Server};
use lantern_testing::{TestDb, TestSearch};
use time::OffsetDateTime;

use super::{App, settings};

impl App {
    /// Starts with the content that `fill` writes into the catalog, already indexed. `content` is the name of this content in the cache.
    pub async fn filled(content: &str, change: impl FnOnce(&mut Config), fill: impl AsyncFnOnce(&Self)) -> Self {
        let (config, folder) = settings(change);
        let (plain, plain_folder) = settings(|_| {});
        let index = folder.path().join("index");
        if TestSearch::is_server() || source(&config) != source(&plain) {
            let db = TestDb::create().await.unwrap();
            let app = Self::open(Arc::new(db), config, folder, &index).await;
            app.fill(fill).await;
            return app;
        }
        // Some rows contain the date on which they were written.
        let content = format!("{content} {}", OffsetDateTime::now_utc().date());
        let db = TestDb::prepared(&content, &index, async |db, index| {
            let app = Self::open(db, plain, plain_folder, index).await;
            app.fill(fill).await;
            app.finish().await;
            Ok(())
        });
        Self::open(Arc::new(db.await.unwrap()), config, folder, &index).await
    }

    async fn fill(&self, fill: impl AsyncFnOnce(&Self)) {
        fill(self).await;
        self.reindex().await;
        self.make_sitemaps().await;
    }
}

/// Returns all settings except those that are known to affect neither documents, nor index settings, nor sitemaps. A test that changes
/// one of the returned settings can't use the copy.
fn source(config: &Config) -> String {
    let plain = Config::default();
    let config = Config {
        data_dir: plain.data_dir,
        server: Server { public_url: config.server.public_url.clone(), ..plain.server },
        accounts: plain.accounts,
        comments: plain.comments,
        playlists: plain.playlists,
        views: plain.views,
        cache: plain.cache,
        visitors: plain.visitors,
        crawlers: plain.crawlers,
        purge: plain.purge,
        pictures: plain.pictures,
        member_area: plain.member_area,
        mail: plain.mail,
        captcha: plain.captcha,
        openid: plain.openid,
        reports: plain.reports,
        limits: plain.limits,
        ..config.clone()
    };
    format!("{config:?}")
}
