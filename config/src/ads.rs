//! `[ads]`: advertisements of others, each in a frame without rights; `default.toml` has the reason of every key.

use serde::{Deserialize, Serialize};

use crate::{ConfigError, Mode, import::origin, refuse};

/// `[ads]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ads {
    /// Countries whose visitors see none before they agree; `*` means all.
    pub consent_countries: Vec<String>,
    /// Of a hundred views of a video, how many have `under_player` in the place of `sponsor`; at most 100.
    pub under_player_percent: u8,
    /// Whether banners of channels' sponsors are shown.
    pub channel_banners: bool,
    /// Under the player.
    pub sponsor: AdSlot,
    /// What takes its place now and then.
    pub under_player: AdSlot,
    /// Above the related videos.
    pub related: AdSlot,
    /// Below the content of every other page.
    pub page: AdSlot,
}

/// The addresses of a place for an advertisement; empty means none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AdSlot {
    /// In a wide window.
    pub wide: String,
    /// In a narrow one.
    pub narrow: String,
}

/// What an address may hold in braces; the app puts the value there.
const PLACES: [&str; 4] = ["{width}", "{height}", "{lang}", "{vda}"];
/// Longest address.
const ADDRESS_MOST: usize = 2000;

impl Ads {
    /// The places with the names of their settings.
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

    /// Whether there is any advertisement.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.channel_banners || self.has_frames()
    }

    fn has_frames(&self) -> bool {
        self.addresses().any(|(_, address)| !address.is_empty())
    }

    /// Where frames come from, each site once.
    #[must_use]
    pub fn origins(&self) -> Vec<&str> {
        let mut origins: Vec<&str> = self.addresses().filter_map(|(_, address)| origin(address)).collect();
        origins.sort_unstable();
        origins.dedup();
        origins
    }

    /// Whether visitors of a country are asked first: only frames of others set cookies.
    #[must_use]
    pub fn asks(&self, country: &str) -> bool {
        self.has_frames() && self.consent_countries.iter().any(|listed| listed == "*" || listed == country)
    }

    pub(crate) fn check(&self, mode: Mode) -> Result<(), ConfigError> {
        if self.under_player_percent > 100 {
            let why = format!("is {}, must be at most 100", self.under_player_percent);
            return refuse("ads.under_player_percent", why);
        }
        if self.consent_countries.iter().any(|country| !is_country_or_all(country)) {
            return refuse("ads.consent_countries", "must hold codes of countries such as \"DE\", or \"*\" for all");
        }
        for (key, address) in self.addresses().filter(|(_, address)| !address.is_empty()) {
            web_address(key, address, mode)?;
            let rest = PLACES.iter().fold(address.to_owned(), |rest, place| rest.replace(place, ""));
            if rest.contains(['{', '}']) {
                return refuse(key, format!("is {address:?}, may hold no braces but {}", PLACES.join(", ")));
            }
        }
        Ok(())
    }
}

fn is_country_or_all(text: &str) -> bool {
    text == "*" || text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Refuses what a page could not lead to or frame. Without TLS only where nobody but its developer is.
pub(crate) fn web_address(key: &'static str, address: &str, mode: Mode) -> Result<(), ConfigError> {
    let is_safe = address.starts_with("https://") || mode == Mode::Development;
    let is_plain = address.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'<>;\\`".contains(&byte));
    if !is_safe || !is_plain || origin(address).is_none() || address.len() > ADDRESS_MOST {
        return refuse(key, format!("is {address:?}, must be like \"https://other.example/page\""));
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
    fn nothing_is_advertised_by_default() {
        let ads = Config::default().ads;
        assert!(!ads.is_on() && ads.origins().is_empty());
    }

    #[test]
    fn an_address_that_could_not_be_framed_is_refused_by_its_name() {
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
    fn countries_and_shares_out_of_range_are_refused() {
        assert!(!Config::default().ads.asks("DE"), "nothing to agree to");
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
