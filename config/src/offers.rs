//! `[offers]`: promotion of the site and its partners. `default.toml` explains each key.

use serde::{Deserialize, Serialize};

use crate::{ConfigError, Mode, ads::web_address, at_least_one, import::origin, reject};

/// `[offers]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offers {
    /// Whether a video's page links to the most watched videos of its category.
    pub trending: bool,
    /// Premium membership.
    pub premium: PremiumOffer,
    /// Link to another site, shown next to a video.
    pub suggestion: NamedLink,
    /// Friend site and the URL of the video list that it provides for this site, which is shown below a video's comments.
    pub friend: NamedLink,
    /// Links to other sites in the footer of every page. There are at most [`PARTNERS_MOST`].
    pub partners: Vec<NamedLink>,
}

/// `[offers.premium]`
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PremiumOffer {
    /// URL of the shop. If it is empty, the offer is disabled.
    pub url: String,
    /// Seconds for which the offer lasts from a visitor's first view, at least 1.
    pub seconds: u32,
    /// Days until the offer is shown to the same visitor again, at least 1.
    pub again_days: u32,
}

/// Link with its label.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NamedLink {
    /// Name of the site.
    pub name: String,
    /// URL. If it is empty, there is no link.
    pub url: String,
}

/// Maximum number of partners. They take a few lines of the footer on a phone.
pub const PARTNERS_MOST: usize = 30;
/// Maximum length of a site's name in characters.
const NAME_MOST: usize = 60;

impl Offers {
    /// Whether anything is configured.
    #[must_use]
    pub fn is_on(&self) -> bool {
        let links = [&self.premium.url, &self.suggestion.url, &self.friend.url];
        self.trending || !self.partners.is_empty() || links.iter().any(|url| !url.is_empty())
    }

    /// Returns the origin of the friend site's list and pictures.
    #[must_use]
    pub fn friend_origin(&self) -> Option<&str> {
        origin(&self.friend.url)
    }

    pub(crate) fn check(&self, mode: Mode) -> Result<(), ConfigError> {
        at_least_one("offers.premium.seconds", self.premium.seconds.into())?;
        at_least_one("offers.premium.again_days", self.premium.again_days.into())?;
        if !self.premium.url.is_empty() {
            web_address("offers.premium.url", &self.premium.url, mode)?;
        }
        if !self.suggestion.url.is_empty() {
            self.suggestion.check(["offers.suggestion.name", "offers.suggestion.url"], mode)?;
        }
        if !self.friend.url.is_empty() {
            self.friend.check(["offers.friend.name", "offers.friend.url"], mode)?;
        }
        if self.partners.len() > PARTNERS_MOST {
            return reject("offers.partners", format!("are {}, must be at most {PARTNERS_MOST}", self.partners.len()));
        }
        self.partners.iter().try_for_each(|partner| partner.check(["offers.partners", "offers.partners"], mode))
    }
}

impl NamedLink {
    fn check(&self, [name, url]: [&'static str; 2], mode: Mode) -> Result<(), ConfigError> {
        let length = self.name.trim().chars().count();
        if !(1..=NAME_MOST).contains(&length) || self.name.chars().any(char::is_control) {
            return reject(name, format!("has the name {:?}, must have 1 to {NAME_MOST} characters", self.name));
        }
        web_address(url, &self.url, mode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    fn link(name: &str, url: &str) -> NamedLink {
        NamedLink { name: name.to_owned(), url: url.to_owned() }
    }

    #[test]
    fn no_offers_by_default() {
        let offers = Config::default().offers;
        assert!(!offers.is_on());
        offers.check(Mode::Production).unwrap();
    }

    #[test]
    fn invalid_link_is_rejected_with_its_key() {
        let refusal = |change: fn(&mut Offers)| {
            let mut offers = Config::default().offers;
            change(&mut offers);
            offers.check(Mode::Production).unwrap_err().to_string()
        };
        assert!(refusal(|o| o.premium.url = "javascript:alert(1)".to_owned()).contains("offers.premium.url"));
        assert!(refusal(|o| o.premium.seconds = 0).contains("offers.premium.seconds"));
        assert!(refusal(|o| o.suggestion = link("", "https://a.example/")).contains("offers.suggestion.name"));
        assert!(refusal(|o| o.suggestion = link("A", "a.example")).contains("offers.suggestion.url"));
        assert!(refusal(|o| o.friend = link(" ", "https://a.example/")).contains("offers.friend.name"));
        assert!(refusal(|o| o.friend = link("A", "https://a.example/; script-src *")).contains("offers.friend.url"));
        assert!(refusal(|o| o.partners = vec![link("A", "http://a.example/")]).contains("offers.partners"));
        assert!(refusal(|o| o.partners = vec![link("A", "https://a.example/"); 31]).contains("at most 30"));
        let mut offers = Config::default().offers;
        offers.partners = vec![link("A friend", "https://a.example/?from=us")];
        offers.check(Mode::Production).unwrap();
        assert!(offers.is_on());
    }
}
