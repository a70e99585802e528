//! Pages with fixed texts.

use lantern_errors::ApiResult;
use lantern_listing::pages::{TOPICS, address::Address, fixed::FixedPage, topic_path};
use maud::{Markup, html};

use crate::{
    body,
    describe::{DESCRIPTION, Scene},
    document::Document,
    list_pages::{MEMBERS, sorts},
    shorten::beginning,
};

impl Scene<'_> {
    /// Describes a page.
    pub async fn fixed(&self, page: FixedPage) -> ApiResult<Document> {
        Ok(match page {
            FixedPage::SignIn => self.form("/signin/", "account.signIn"),
            FixedPage::SignUp => self.form("/signup/", "account.signUp"),
            FixedPage::Confirm => self.form("/confirm/", "account.confirmTitle"),
            FixedPage::Unsubscribe => self.form("/unsubscribe/", "account.unsubscribeTitle"),
            FixedPage::Restore => self.form("/restore-password/", "account.restoreTitle"),
            FixedPage::Upload => self.form("/upload-video/", "account.uploadVideos"),
            FixedPage::EditVideo => self.form("/upload-video/", "account.editVideo"),
            FixedPage::EditAlbum => self.form("/upload-album/", "account.editAlbum"),
            FixedPage::UploadAlbum => self.form("/upload-album/", "account.uploadAlbum"),
            FixedPage::Moderate => self.form("/moderate/", "account.moderate"),
            FixedPage::Download => self.form("/download/", "account.download"),
            FixedPage::Information(topic) => self.information(topic),
            FixedPage::Sitemap => self.site_map().await?,
        })
    }

    /// Describes the page for a form, which the app renders. There is nothing to index on it.
    fn form(&self, path: &str, key: &str) -> Document {
        let title = self.text(key);
        let mut page = Document { description: title.clone(), ..self.bare(title) };
        page.address = Some(Address::new(path));
        page.indexed = false;
        page
    }

    fn information(&self, topic: &str) -> Document {
        let words = self.text(&format!("topics.{topic}"));
        let mut page = Document::new(self.text(&format!("information.{topic}")), beginning(&words, DESCRIPTION));
        page.address = Some(Address::new(topic_path(topic)));
        page.trail = vec![self.top(), (page.title.clone(), Address::new(topic_path(topic)))];
        page.main = html! {
            h1 { (page.title) }
            @for words in words.split("\n\n") { p { (words) } }
            (self.topics())
        };
        page
    }

    /// Renders links to all information pages.
    fn topics(&self) -> Markup {
        let links = TOPICS.iter().map(|topic| (topic_path(topic), self.text(&format!("information.{topic}"))));
        body::nav(&self.text("information.all"), links)
    }

    async fn site_map(&self) -> ApiResult<Document> {
        let found = self.all_categories().await?;
        let name = self.text("information.sitemap");
        let title = self.named(&name, None);
        let about = self.with_title(&self.text("nav.categories"), &title, &self.text("about.categories"));
        let mut page = Document::new(title, about);
        let own = Address::new("/sitemap-page/");
        page.orientations = Some(own.clone());
        page.address = Some(self.own(own.clone()));
        page.trail = vec![self.top(), (page.title.clone(), self.own(own))];
        let list = |root: &str, sort: &str| {
            let address = Address::new(format!("/{root}/{sort}/1/"));
            let address = if root == MEMBERS { address } else { self.own(address) };
            (address.in_lang(None), self.order(sort))
        };
        let categories = found.categories.iter().map(|item| (self.category(&item.dir), &item.title));
        page.main = html! {
            h1 { (page.title) }
            @for (root, sorts) in sorts() {
                @let name = self.text(&format!("nav.{root}"));
                h2 { (name) }
                (body::nav(&name, sorts.into_iter().map(|sort| list(root, sort))))
            }
            (body::nav(&self.text("nav.categories"), categories))
            (self.topics())
        };
        Ok(page)
    }
}
