//! Pages whose words are fixed: signing in and up, what the site says about itself, and its map.

use lantern_config::{AlbumSort, MemberSort, ModelSort, PlaylistSort, VideoSort};

use super::{
    address::{self, Address},
    body,
    calls::Part,
    describe::{DESCRIPTION, Scene},
    document::Document,
    view::{Categories, beginning},
};
use crate::web::{TOPICS, topic_path};

/// One of these pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixed {
    /// `/signin/`
    SignIn,
    /// `/signup/`
    SignUp,
    /// `/restore-password/`
    Restore,
    /// `/information/{topic}/`
    Information(&'static str),
    /// `/sitemap-page/`
    Sitemap,
}

impl Fixed {
    /// The page of a path's segments.
    #[must_use]
    pub fn of(segments: &[&str]) -> Option<Self> {
        Some(match segments {
            ["signin"] => Self::SignIn,
            ["signup"] => Self::SignUp,
            ["restore-password"] => Self::Restore,
            ["sitemap-page"] => Self::Sitemap,
            ["information", topic] => Self::Information(TOPICS.into_iter().find(|known| known == topic)?),
            _ => return None,
        })
    }
}

impl Scene<'_> {
    /// The page of a screen.
    pub(super) fn fixed(&self, page: Fixed) -> Option<Document> {
        Some(match page {
            Fixed::SignIn => self.form("/signin/", "account.signIn"),
            Fixed::SignUp => self.form("/signup/", "account.signUp"),
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
        page.trail = vec![self.top(), (page.title.clone(), topic_path(topic))];
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
        let mut page = Document::new(self.text("information.sitemap"), self.text("about.categories"));
        page.address = Some(Address::new("/sitemap-page/").gender(self.visitor.gender));
        page.trail = vec![self.top(), (page.title.clone(), "/sitemap-page/".to_owned())];
        body::heading(&mut page.main, &page.title);
        let links = |root: &str, sorts: Vec<&str>| {
            let key =
                |sort: &str| if sort == "recent" { "community.recent".to_owned() } else { format!("sort.{sort}") };
            sorts.into_iter().map(|sort| (format!("/{root}/{sort}/1/"), self.text(&key(sort)))).collect::<Vec<_>>()
        };
        let videos = VideoSort::ALL.iter().filter(|sort| **sort != VideoSort::Relevance);
        for (root, key, sorts) in [
            ("videos", "nav.videos", videos.map(|sort| sort.as_str()).collect()),
            ("models", "nav.models", ModelSort::ALL.iter().map(|sort| sort.as_str()).collect()),
            ("albums", "nav.albums", AlbumSort::ALL.iter().map(|sort| sort.as_str()).collect()),
            ("playlists", "nav.playlists", PlaylistSort::ALL.iter().map(|sort| sort.as_str()).collect()),
            ("community", "nav.community", MemberSort::ALL.iter().map(|sort| sort.as_str()).collect()),
        ] {
            body::subheading(&mut page.main, &self.text(key));
            body::nav(&mut page.main, &self.text(key), links(root, sorts).into_iter());
        }
        body::names(&mut page.main, &self.text("nav.categories"), &categories, address::category);
        self.topics(&mut page);
        Some(page)
    }
}
