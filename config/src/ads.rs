//! `[ads]`: third-party advertisements, each in a sandboxed frame. `default.toml` explains each key.

use serde::{Deserialize, Serialize};

use crate::{ConfigError, Mode, import::origin, reject};

/// `[ads]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ads {
    /// Countries whose visitors must consent before ads are shown. `*` means all countries.
    pub consent_countries: Vec<String>,
    /// Percentage of video views that show `under_player` instead of `sponsor`, at most 100.
    pub under_player_percent: u8,
    /// Whether banners of channel sponsors are shown.
    pub channel_banners: bool,
    /// Slot under the player.
    pub sponsor: AdSlot,
    /// Slot that is an alternative to `sponsor`.
    pub under_player: AdSlot,
    /// Slot above the related videos.
    pub related: AdSlot,
    /// Slot below the content of every other page.
    pub page: AdSlot,
}

/// URLs of an ad slot. An empty URL means none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AdSlot {
    /// URL for wide windows.
    pub wide: String,
    /// URL for narrow windows.
    pub narrow: String,
}

/// Placeholders that are allowed in a URL. The app fills them in.
const PLACES: [&str; 4] = ["{width}", "{height}", "{lang}", "{vda}"];
/// Maximum length of a URL in bytes.
const ADDRESS_MOST: usize = 2000;

impl Ads {
    /// Returns the slots with the names of their settings.
    #[must_use]
    pub fn slots(&self) -> [(&'static str, &'static str, &AdSlot); 4] {
        [
            ("ads.sponsor.wide", "ads.sponsor.narrow", &self.sponsor),
            ("ads.under_player.wide", "ads.under_player.narrow", &self.under_player),
            ("ads.related.wide", "ads.related.narrow", &self.related),
            ("ads.page.wide", "ads.page.narrow", &self.page),
        ]
    }

    fn addresses(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.slots().into_iter().flat_map(|(wide, narrow, slot)| [(wide, &*slot.wide), (narrow, &*slot.narrow)])
    }

    /// Whether any advertisement is configured.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.channel_banners || self.has_frames()
    }

    fn has_frames(&self) -> bool {
        self.addresses().any(|(_, address)| !address.is_empty())
    }

    /// Returns the distinct origins of the frames.
    #[must_use]
    pub fn origins(&self) -> Vec<&str> {
        let mut origins: Vec<&str> = self.addresses().filter_map(|(_, address)| origin(address)).collect();
        origins.sort_unstable();
        origins.dedup();
        origins
    }

    /// Whether visitors from a country must consent first. This only concerns third-party frames, because only they set cookies.
    #[must_use]
    pub fn asks(&self, country: &str) -> bool {
        self.has_frames() && self.consent_countries.iter().any(|listed| listed == "*" || listed == country)
    }

    pub(crate) fn check(&self, mode: Mode) -> Result<(), ConfigError> {
        if self.under_player_percent > 100 {
            let why = format!("is {}, must be at most 100", self.under_player_percent);
            return reject("ads.under_player_percent", why);
        }
        if self.consent_countries.iter().any(|country| !is_country_or_all(country)) {
            return reject("ads.consent_countries", "must hold country codes such as \"DE\", or \"*\" for all");
        }
        for (key, address) in self.addresses().filter(|(_, address)| !address.is_empty()) {
            web_address(key, address, mode)?;
            let rest = PLACES.iter().fold(address.to_owned(), |rest, place| rest.replace(place, ""));
            if rest.contains(['{', '}']) {
                return reject(key, format!("is {address:?}, may hold no braces but {}", PLACES.join(", ")));
            }
        }
        Ok(())
    }
}

fn is_country_or_all(text: &str) -> bool {
    text == "*" || text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Rejects URLs that a page could not link to or frame. Plain http is accepted only in development.
pub(crate) fn web_address(key: &'static str, address: &str, mode: Mode) -> Result<(), ConfigError> {
    let is_safe = address.starts_with("https://") || mode == Mode::Development;
    let is_plain = address.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'<>;\\`".contains(&byte));
    if !is_safe || !is_plain || origin(address).is_none() || address.len() > ADDRESS_MOST {
        return reject(key, format!("is {address:?}, must be like \"https://other.example/page\""));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    fn with(address: &str) -> Ads {
        let mut ads = Config::default().ads;
        address.clone_into(&mut ads.related.narrow);
        ads
    }

    #[test]
    fn no_ads_by_default() {
        let ads = Config::default().ads;
        assert!(!ads.is_on() && ads.origins().is_empty());
    }

    #[test]
    fn invalid_frame_url_is_rejected_with_its_key() {
        let good = "https://ads.example/zone?size={width}x{height}&lang={lang}&mark={vda}";
        with(good).check(Mode::Production).unwrap();
        assert_eq!(with(good).origins(), ["https://ads.example"]);
        with("http://127.0.0.1:8000/").check(Mode::Development).unwrap();
        for address in [
            "http://ads.example/",
            "//ads.example/",
            "javascript:alert(1)",
            "https://ads.example/; script-src *",
            "https://ads.example/ a",
            "https://ads.example/?who={member}",
            "https://{lang}.ads.example/",
            "https://ads.example/\"><script>",
        ] {
            let error = with(address).check(Mode::Production).unwrap_err().to_string();
            assert!(error.contains("ads.related.narrow"), "{address}: {error}");
        }
    }

    #[test]
    fn invalid_countries_and_percentages_are_rejected() {
        assert!(!Config::default().ads.asks("DE"), "no frames to consent to");
        let mut ads = with("https://ads.example/");
        assert!(ads.asks("DE") && ads.asks("XX"));
        ads.consent_countries = vec!["DE".to_owned()];
        assert!(ads.asks("DE") && !ads.asks("US"));
        ads.check(Mode::Production).unwrap();
        ads.consent_countries = vec!["de".to_owned()];
        assert!(ads.check(Mode::Production).unwrap_err().to_string().contains("ads.consent_countries"));
        let mut ads = Config::default().ads;
        ads.under_player_percent = 101;
        assert!(ads.check(Mode::Production).unwrap_err().to_string().contains("ads.under_player_percent"));
    }
}
