//! The visitor of a page: language, orientation, country, and whether the age gate applies.

use axum::http::HeaderMap;
use lantern_accounts::calls::me::Boot;
use lantern_config::{Config, Gender, Lang, labels};
use lantern_http::{Client, cookies, crawlers::Crawlers};
use lantern_listing::pages::query::Params;
use serde::Serialize;

/// Parameter and cookie for the orientation selected in the header.
const GENDER: &str = "gender";

/// The visitor of one page.
#[derive(Debug, Clone, Serialize)]
pub struct Visitor {
    /// Fields that `me.php` returns, too. The language is that of the page.
    #[serde(flatten)]
    pub boot: Boot,
    /// Country for the charts: the selected one, otherwise the visitor's, otherwise the most likely one for the
    /// language.
    pub country: String,
    pub gender: Gender,
    /// Language in the address (`?lang=`), rather than in the cookie.
    #[serde(skip)]
    pub address_lang: Option<Lang>,
}

impl Visitor {
    /// Determines the visitor from the network address, cookies and the page's parameters.
    pub async fn new(
        config: &Config,
        crawlers: &Crawlers,
        client: &Client,
        headers: &HeaderMap,
        params: &Params,
    ) -> Self {
        let mut boot = Boot::new(config, client, headers);
        let address_lang = params.word("lang");
        boot.lang = address_lang.unwrap_or(boot.lang);
        // Search engines require that they not see an age gate. They get what an adult gets.
        boot.age_gate = boot.age_gate && !is_crawler(crawlers, client, headers).await;
        let saved = cookies::get(headers, GENDER).and_then(|gender| gender.parse().ok());
        let chosen = cookies::get(headers, cookies::CHART_COUNTRY).filter(|country| labels::is_country(country));
        let country = match chosen {
            Some(country) => country,
            None if boot.country_code == config.visitors.default_country => likely_country(boot.lang),
            None => &boot.country_code,
        };
        Self {
            country: country.to_owned(),
            gender: params.word(GENDER).or(saved).unwrap_or(Gender::Str),
            address_lang,
            boot,
        }
    }

    pub fn lang(&self) -> Lang {
        self.boot.lang
    }
}

/// Whether the client is a search engine, judging by user agent *and* network address, because a user agent can be
/// faked.
async fn is_crawler(crawlers: &Crawlers, client: &Client, headers: &HeaderMap) -> bool {
    let agent = headers.get(axum::http::header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    crawlers.verified(agent, client.address).await
}

/// Returns the country with the most readers in a language.
pub fn likely_country(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "US",
        Lang::Ru => "RU",
        Lang::De => "DE",
        Lang::Fr => "FR",
        Lang::Es => "ES",
        Lang::Pl => "PL",
        Lang::It => "IT",
        Lang::Pt => "BR",
        Lang::Ja => "JP",
        Lang::Nl => "NL",
    }
}
