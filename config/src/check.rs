//! Validates what the types of the values cannot express.

use std::net::SocketAddr;

use crate::{
    AddressRange, Config, ConfigError, Crawlers, Mode, NO_PROXY, SECRET_MIN, SITEMAP_MOST, SYSTEM_NAME_SERVER, Server,
    accounts, at_least_one, niceness, reject,
};

/// Checks the public URL. Without it, canonical tags, sitemaps and feeds would repeat whatever `Host` a request claims.
fn public_url(url: &str, mode: Mode) -> Result<(), ConfigError> {
    let key = "server.public_url";
    if url.is_empty() {
        return match mode {
            Mode::Development => Ok(()),
            Mode::Production => reject(
                key,
                "is empty: set it to the address visitors see, such as \"https://tube.example\"; canonical URLs, \
                 sitemaps and feeds are built from it",
            ),
        };
    }
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or_default();
    let host = host.strip_suffix('/').unwrap_or(host);
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.:[]".contains(&byte);
    if host.is_empty() || !host.bytes().all(plain) {
        return reject(key, format!("is {url:?}, must be like \"https://tube.example\", without a path"));
    }
    Ok(())
}

/// Checks the trusted proxies. In production they must be listed, because behind an unlisted proxy all visitors would count as one.
fn proxies(listed: &[String], mode: Mode) -> Result<(), ConfigError> {
    let wrong = |why: String| ConfigError::Value { key: "server.trusted_proxies", why };
    if listed.is_empty() && mode == Mode::Production {
        return Err(wrong(format!(
            "is empty: name the addresses your proxy connects from, such as [\"127.0.0.1\"], or set {NO_PROXY:?} if visitors \
             connect directly; rate limits rely on the client address the proxy reports"
        )));
    }
    if listed == [NO_PROXY] {
        return Ok(());
    }
    listed.iter().try_for_each(|range| range.parse::<AddressRange>().map(drop).map_err(wrong))
}

fn server(server: &Server) -> Result<(), ConfigError> {
    for (key, value) in [
        ("server.request_timeout", server.request_timeout),
        ("server.flush_seconds", server.flush_seconds),
        ("server.connections", server.connections as u64),
        ("server.connections_per_client", server.connections_per_client as u64),
        ("server.header_timeout", server.header_timeout),
        ("server.body_timeout", server.body_timeout),
        ("server.upload_timeout", server.upload_timeout),
        ("server.write_timeout", server.write_timeout),
        ("server.linger_seconds", server.linger_seconds),
        ("server.uploads_per_client", server.uploads_per_client as u64),
    ] {
        at_least_one(key, value)?;
    }
    if !server.monitor_listen.is_empty() && server.monitor_listen.parse::<SocketAddr>().is_err() {
        let why = format!("is {:?}, must be empty or an address with a port", server.monitor_listen);
        return reject("server.monitor_listen", why);
    }
    if server.upload_memory < server.form_files_limit {
        let why = format!("is {}, must be at least server.form_files_limit", server.upload_memory);
        return reject("server.upload_memory", why);
    }
    Ok(())
}

fn crawlers(crawlers: &Crawlers) -> Result<(), ConfigError> {
    at_least_one("crawlers.lookup_ms", crawlers.lookup_ms)?;
    at_least_one("crawlers.lookups", crawlers.lookups.try_into().unwrap_or(u64::MAX))?;
    at_least_one("crawlers.remember_seconds", crawlers.remember_seconds)?;
    let server = &crawlers.name_server;
    if !server.is_empty() && server != SYSTEM_NAME_SERVER && server.parse::<SocketAddr>().is_err() {
        let why = format!(
            "is {server:?}, must be {SYSTEM_NAME_SERVER:?}, empty, or an address with a port, such as \"127.0.0.53:53\""
        );
        return reject("crawlers.name_server", why);
    }
    // An empty agent would match every User-Agent, and an empty domain every host.
    let empty = |words: &[String]| words.iter().any(String::is_empty);
    if crawlers.engines.iter().any(|one| one.agents.is_empty() || empty(&one.agents) || empty(&one.domains)) {
        return reject("crawlers.engines", "must each have at least one agent, and no agent or domain may be empty");
    }
    Ok(())
}

/// Rejects invalid values.
pub fn check(config: &Config) -> Result<(), ConfigError> {
    crate::actions::check(&config.comments, &config.playlists, &config.views)?;
    server(&config.server)?;
    crate::supervision::check(&config.supervision)?;
    at_least_one("database.max_connections", config.database.max_connections.into())?;
    at_least_one("sync.poll_ms", config.sync.poll_ms)?;
    at_least_one("sync.batch", config.sync.batch.try_into().unwrap_or(0))?;
    if !(1..=config.sync.batch).contains(&config.sync.derived_batch) {
        let why = format!("is {}, must be 1 to sync.batch ({})", config.sync.derived_batch, config.sync.batch);
        return reject("sync.derived_batch", why);
    }
    at_least_one("sync.lease", config.sync.lease)?;
    // An empty list counts as 0.
    at_least_one("sync.parked_retry_seconds", config.sync.parked_retry_seconds.iter().copied().min().unwrap_or(0))?;
    at_least_one("sync.writer_lease", config.sync.writer_lease)?;
    if config.sync.consumer_expires <= config.sync.writer_lease {
        return reject(
            "sync.consumer_expires",
            format!("must be above sync.writer_lease ({})", config.sync.writer_lease),
        );
    }
    at_least_one("sync.counters_interval", config.sync.counters_interval)?;
    at_least_one("sync.charts_interval", config.sync.charts_interval)?;
    at_least_one("sync.words_interval", config.sync.words_interval)?;
    at_least_one("sync.known_words", config.sync.known_words as u64)?;
    at_least_one("sync.aligned_videos", config.sync.aligned_videos as u64)?;
    at_least_one("sync.rebuild_batch", config.sync.rebuild_batch.try_into().unwrap_or(0))?;
    at_least_one("sync.rebuild_ahead", config.sync.rebuild_ahead as u64)?;
    config.listing.check()?;
    at_least_one("listing.comments_page", config.listing.comments_page.into())?;
    at_least_one("listing.replies_shown", config.listing.replies_shown.into())?;
    at_least_one("listing.people_page", config.listing.people_page.into())?;
    at_least_one("listing.group_items", config.listing.group_items as u64)?;
    at_least_one("listing.date_seconds", config.listing.date_seconds.into())?;
    at_least_one("safety.compound_letters", config.safety.compound_letters as u64)?;
    at_least_one("search_log.min_count", config.search_log.min_count.try_into().unwrap_or(0))?;
    at_least_one("search_log.retention_days", config.search_log.retention_days.try_into().unwrap_or(0))?;
    at_least_one("search_log.remembered", config.search_log.remembered as u64)?;
    at_least_one("search_log.visitor_queries", config.search_log.visitor_queries.into())?;
    at_least_one("search.budget_ms", config.search.budget_ms)?;
    niceness::check("search.indexing_niceness", config.search.indexing_niceness)?;
    config.limits.check()?;
    config.notifications.check()?;
    if config.listing.search_min > config.listing.search_max {
        return reject("listing.search_min", format!("is above listing.search_max ({})", config.listing.search_max));
    }
    at_least_one("sitemap.urls_per_file", config.sitemap.urls_per_file.into())?;
    at_least_one("sitemap.refresh_seconds", config.sitemap.refresh_seconds)?;
    if config.sitemap.urls_per_file > SITEMAP_MOST {
        return reject(
            "sitemap.urls_per_file",
            format!("is {}, must be at most {SITEMAP_MOST}", config.sitemap.urls_per_file),
        );
    }
    crawlers(&config.crawlers)?;
    accounts::check(&config.accounts)?;
    crate::pictures::check(&config.pictures, &config.member_area)?;
    crate::uploads::check(&config.uploads)?;
    crate::films::check(&config.films)?;
    crate::import::check(&config.import, &config.embeds)?;
    crate::captions::check(&config.captions)?;
    config.albums.check(config.pictures.photo_bytes.saturating_add(config.server.body_limit))?;
    config.moderation.check()?;
    let secret = config.security.secret.chars().count();
    if (config.mode == Mode::Production || secret > 0) && secret < SECRET_MIN {
        return reject(
            "security.secret",
            format!("has {secret} characters, must have at least {SECRET_MIN} (openssl rand -hex 32)"),
        );
    }
    public_url(&config.server.public_url, config.mode)?;
    proxies(&config.server.trusted_proxies, config.mode)?;
    config.media.check()?;
    crate::storage::check(config)?;
    config.purge.check()?;
    config.mail.check()?;
    config.captcha.check(config.mode)?;
    config.openid.check()?;
    config.reports.check()?;
    config.ads.check(config.mode)?;
    config.page_views.check()?;
    config.offers.check(config.mode)?;
    // With a smaller map, milli fails on the first write.
    if config.search.map_size < 16 << 20 {
        return reject("search.map_size", format!("is {} bytes, must be at least 16 MiB", config.search.map_size));
    }
    Ok(())
}
