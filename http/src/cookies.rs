//! Cookies that scripts may read. They hold preferences and are never used for authentication.

use axum::http::{HeaderMap, HeaderValue, header};
use lantern_config::{Config, Lang, Mode};

/// Language that the visitor chose.
pub const LANG: &str = "app_lang";
/// Country of the visitor as detected by the server.
pub const COUNTRY: &str = "country_code";
/// Country whose chart the visitor chose.
pub const CHART_COUNTRY: &str = "chart_country";
/// `1` once the visitor has confirmed that they are an adult.
pub const AGE_AGREED: &str = "age_agreed";
/// `1` once a member has signed out, so that open pages drop the data of the member.
pub const LOGOUT: &str = "logout";

/// One year in seconds.
const MAX_AGE: u32 = 31_536_000;

/// Returns the value of a request cookie.
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

/// Returns the language from the cookie [`LANG`], otherwise the one that the browser prefers, otherwise English.
pub fn lang(headers: &HeaderMap) -> Lang {
    get(headers, LANG).and_then(|lang| lang.parse().ok()).or_else(|| preferred_lang(headers)).unwrap_or(Lang::En)
}

/// Returns the language of the site that has the highest quality in `Accept-Language` (RFC 9110, section 12.5.4). The first of equals wins,
/// and regions are ignored.
fn preferred_lang(headers: &HeaderMap) -> Option<Lang> {
    let values = headers.get_all(header::ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
    let ranges = values.flat_map(|value| value.split(',')).filter_map(|range| {
        let (tag, quality) = range.split_once(';').map_or((range, "q=1"), |(tag, quality)| (tag, quality.trim()));
        let primary = tag.trim().split('-').next()?.to_ascii_lowercase();
        let quality: f32 = quality.strip_prefix("q=")?.parse().ok().filter(|quality| *quality > 0.0)?;
        Some((primary.parse::<Lang>().ok()?, quality))
    });
    let best = |best: (Lang, f32), next: (Lang, f32)| if next.1 > best.1 { next } else { best };
    ranges.reduce(best).map(|(lang, _)| lang)
}

/// Returns a `Set-Cookie` value for one year on the configured domain, readable by scripts; `None` if `value` is invalid in a header.
pub fn set(config: &Config, name: &str, value: &str) -> Option<HeaderValue> {
    set_cookie(config, name, value, MAX_AGE)
}

/// Returns a `Set-Cookie` value that deletes a cookie set by [`set`].
pub fn unset(config: &Config, name: &str) -> Option<HeaderValue> {
    set_cookie(config, name, "", 0)
}

fn set_cookie(config: &Config, name: &str, value: &str, seconds: u32) -> Option<HeaderValue> {
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
    fn language_is_chosen_by_cookie_then_browser_then_english() {
        for (cookie, accepted, expected) in [
            ("", "", Lang::En),
            ("", "de-AT,de;q=0.9,en;q=0.8", Lang::De),
            ("app_lang=ja", "de", Lang::Ja),
            ("app_lang=xx", "de", Lang::De),
            ("", "sv,fi;q=0.9", Lang::En),
            ("", "sv, pt-BR;q=0.5 , fr;q=0.7", Lang::Fr),
            ("", "en;q=0,PL;q=0.1,*;q=0.5", Lang::Pl),
            ("", "es;q=x,it;q=nan,nl;q=1.0", Lang::Nl),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, HeaderValue::from_static(cookie));
            headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(accepted));
            assert_eq!(lang(&headers), expected, "{cookie} {accepted}");
        }
    }

    #[test]
    fn cookies_are_found_by_their_whole_name() {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_static("my_app_lang=de; app_lang=ja;age_agreed=1"));
        assert_eq!(get(&headers, LANG), Some("ja"));
        assert_eq!(get(&headers, AGE_AGREED), Some("1"));
        assert_eq!(get(&headers, COUNTRY), None);
    }
}
