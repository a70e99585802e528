//! Pages whose words are fixed: signing in and up, what the site says about itself, and its map.

use lantern_config::{AlbumSort, Gender, MemberSort, ModelSort, PlaylistSort, VideoSort};

use super::{
    address::Address,
    body,
    calls::Part,
    describe::{DESCRIPTION, Scene},
    document::Document,
    shorten::beginning,
    view::Categories,
};
use crate::web::{TOPICS, topic_path};

/// One of these pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixed {
    /// `/signin/`
    SignIn,
    /// `/signup/`
    SignUp,
    /// `/confirm/`
    Confirm,
    /// `/restore-password/`
    Restore,
    /// `/information/{topic}/`
    Information(&'static str),
    /// `/sitemap-page/`
    Sitemap,
}

impl Fixed {
    /// The page of a path's segments.
    pub fn of(segments: &[&str]) -> Option<Self> {
        Some(match segments {
            ["signin"] => Self::SignIn,
            ["signup"] => Self::SignUp,
            ["confirm"] => Self::Confirm,
            ["restore-password"] => Self::Restore,
            ["sitemap-page"] => Self::Sitemap,
            ["information", topic] => Self::Information(TOPICS.into_iter().find(|known| known == topic)?),
            _ => return None,
        })
    }
}

/// Where members are listed, the same ones to every orientation.
const MEMBERS: &str = "community";

/// Lists and their orders.
fn sorts() -> [(&'static str, Vec<&'static str>); 5] {
    let videos = VideoSort::ALL.iter().filter(|sort| **sort != VideoSort::Relevance);
    [
        ("videos", videos.map(|sort| sort.as_str()).collect()),
        ("models", ModelSort::ALL.iter().map(|sort| sort.as_str()).collect()),
        ("albums", AlbumSort::ALL.iter().map(|sort| sort.as_str()).collect()),
        ("playlists", PlaylistSort::ALL.iter().map(|sort| sort.as_str()).collect()),
        (MEMBERS, MemberSort::ALL.iter().map(|sort| sort.as_str()).collect()),
    ]
}

/// Addresses of lists and of pages about the site, for search engines. `filled` are the kinds of lists with something on
/// them, each with its orientation: an empty page is not worth finding.
pub fn lists(filled: &[(String, String)]) -> Vec<Address> {
    let mut found = Vec::new();
    for gender in Gender::ALL {
        let fills = |kind: &str| filled.iter().any(|(known, of)| known == kind && of == gender.as_str());
        let own = |path: &str| Address::new(path).gender(*gender);
        let first = *gender == Gender::Str;
        // The first orientation's pages are where everyone arrives.
        let tops = [("/", first), ("/sitemap-page/", first), ("/categories/", false), ("/top-country/1/", first)];
        found.extend(tops.iter().filter(|(_, always)| *always || fills("videos")).map(|(path, _)| own(path)));
        for (root, sorts) in sorts() {
            if fills(root) || root == MEMBERS && first {
                found.extend(sorts.iter().map(|sort| own(&format!("/{root}/{sort}/1/"))));
            }
        }
    }
    found.extend(TOPICS.map(|topic| Address::new(topic_path(topic))));
    found
}

impl Scene<'_> {
    /// The page of a screen.
    pub fn fixed(&self, page: Fixed) -> Option<Document> {
        Some(match page {
            Fixed::SignIn => self.form("/signin/", "account.signIn"),
            Fixed::SignUp => self.form("/signup/", "account.signUp"),
            Fixed::Confirm => self.form("/confirm/", "account.confirmTitle"),
            Fixed::Restore => self.form("/restore-password/", "account.restoreTitle"),
            Fixed::Information(topic) => self.information(topic),
            Fixed::Sitemap => return self.site_map(),
        })
    }

    /// A form is the app's; search engines have nothing to find there.
    fn form(&self, path: &str, key: &str) -> Document {
        let title = self.text(key);
        let mut page = Document::new(title.clone(), title);
        page.address = Some(Address::new(path));
        page.indexed = false;
        body::heading(&mut page.main, &page.title);
        page
    }

    fn information(&self, topic: &str) -> Document {
        let words = self.text(&format!("topics.{topic}"));
        let mut page = Document::new(self.text(&format!("information.{topic}")), beginning(&words, DESCRIPTION));
        page.address = Some(Address::new(topic_path(topic)));
        page.trail = vec![self.top(), (page.title.clone(), Address::new(topic_path(topic)))];
        body::heading(&mut page.main, &page.title);
        for words in words.split("\n\n") {
            body::paragraph(&mut page.main, words);
        }
        self.topics(&mut page);
        page
    }

    /// Links to all pages about the site.
    fn topics(&self, page: &mut Document) {
        let links = TOPICS.map(|topic| (topic_path(topic), self.text(&format!("information.{topic}"))));
        body::nav(&mut page.main, &self.text("information.all"), links.into_iter());
    }

    fn site_map(&self) -> Option<Document> {
        let Categories { categories } = self.answers.read(Part::Categories)?;
        let name = self.text("information.sitemap");
        let title = self.named(&name, None);
        let about = self.told(&self.text("nav.categories"), &title, &self.text("about.categories"));
        let mut page = Document::new(title, about);
        let own = Address::new("/sitemap-page/");
        page.orientations = Some(own.clone());
        page.address = Some(self.own(own.clone()));
        page.trail = vec![self.top(), (page.title.clone(), self.own(own))];
        body::heading(&mut page.main, &page.title);
        for (root, sorts) in sorts() {
            let list = |sort: &str| {
                let address = Address::new(format!("/{root}/{sort}/1/"));
                let address = if root == MEMBERS { address } else { self.own(address) };
                (address.in_lang(None), self.order(sort))
            };
            let name = self.text(&format!("nav.{root}"));
            body::subheading(&mut page.main, &name);
            body::nav(&mut page.main, &name, sorts.into_iter().map(list));
        }
        body::names(&mut page.main, &self.text("nav.categories"), &categories, |dir| self.category(dir));
        self.topics(&mut page);
        Some(page)
    }
}
