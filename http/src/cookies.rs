//! The cookies a page may read. They are preferences, never proof of anything.

use axum::http::{HeaderMap, HeaderValue, header};
use lantern_config::{Config, Lang, Mode};

pub const LANG: &str = "app_lang";
/// Country of the visitor as the server sees it.
pub const COUNTRY: &str = "country_code";
/// Country whose chart the visitor chose.
pub const CHART_COUNTRY: &str = "chart_country";
/// `1` once the visitor agreed to be an adult.
pub const AGE_AGREED: &str = "age_agreed";

/// `1` once a member has signed out, for pages that must forget what they know of them.
pub const LOGOUT: &str = "logout";

/// A year, in seconds.
const MAX_AGE: u32 = 31_536_000;

/// The value of a cookie the client sent.
pub fn get<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(found, _)| *found == name)
        .map(|(_, value)| value)
}

/// Language that the visitor chose, English by default.
pub fn lang(headers: &HeaderMap) -> Lang {
    get(headers, LANG).and_then(|lang| lang.parse().ok()).unwrap_or(Lang::En)
}

/// A `Set-Cookie` the page may read, on the configured domain.
pub fn set(config: &Config, name: &str, value: &str) -> Option<HeaderValue> {
    line(config, name, value, MAX_AGE)
}

/// A `Set-Cookie` that takes such a cookie back.
pub fn unset(config: &Config, name: &str) -> Option<HeaderValue> {
    line(config, name, "", 0)
}

fn line(config: &Config, name: &str, value: &str, seconds: u32) -> Option<HeaderValue> {
    let mut cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; SameSite=Lax");
    if !config.server.cookie_domain.is_empty() {
        cookie.push_str("; Domain=");
        cookie.push_str(&config.server.cookie_domain);
    }
    if config.mode == Mode::Production {
        cookie.push_str("; Secure");
    }
    HeaderValue::try_from(cookie).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_found_by_their_whole_name() {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_static("my_app_lang=de; app_lang=ja;age_agreed=1"));
        assert_eq!(get(&headers, LANG), Some("ja"));
        assert_eq!(get(&headers, AGE_AGREED), Some("1"));
        assert_eq!(get(&headers, COUNTRY), None);
    }
}
