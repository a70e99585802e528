//! Mail messages: text and HTML in the recipient's language, with headers that mark them as automatic.

use anyhow::Context;
use lantern_config::{
    Config,
    mail_texts::{self, Frame, MailText},
};
use lettre::{
    Address, Message,
    message::{
        Mailbox, MultiPart,
        header::{HeaderName, HeaderValue},
    },
};
use maud::{DOCTYPE, html};

use super::Mail;

const BUTTON: &str = "display:inline-block;padding:12px 20px;border-radius:6px;\
    background:#b3261e;color:#ffffff;text-decoration:none";

/// Builds mail messages with the settings of this site.
pub struct MailWriter {
    from: Mailbox,
    site: String,
    root: String,
}

impl MailWriter {
    pub fn new(config: &Config) -> anyhow::Result<Self> {
        let from: Mailbox = config.mail.from.parse().context("mail.from must be like \"Name <name@tube.example>\"")?;
        let site = from.name.clone().unwrap_or_else(|| from.email.domain().to_owned());
        Ok(Self { from, site, root: config.public_url() })
    }

    /// Builds the message for a queued mail. The queue id determines the `Message-ID`, so that a second copy is recognized as a
    /// duplicate.
    pub fn write(&self, mail: &Mail, id: i64) -> anyhow::Result<Message> {
        let (frame, text) = (mail_texts::frame(mail.lang), mail_texts::text(mail.kind, mail.lang));
        let to: Address = mail.to.parse().context("not an address")?;
        let link = mail.link.as_ref().map(|path| format!("{}{path}", self.root));
        let mut builder = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(mail.username.clone(), to))
            .subject(self.filled(&text.subject, mail))
            .date_now()
            .message_id(Some(format!("<{id}.{}@{}>", mail.kind.as_str().replace('_', "-"), self.from.email.domain())))
            .raw_header(header("Auto-Submitted", "auto-generated"))
            .raw_header(header("X-Auto-Response-Suppress", "All"))
            .raw_header(header("Content-Language", mail.lang.as_str()));
        if let Some(query) = &mail.stop {
            // Mail programs show their own unsubscribe button (RFC 8058).
            builder = builder
                .raw_header(header("List-Unsubscribe", &format!("<{}/api/unsubscribe.php{query}>", self.root)))
                .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"));
        }
        let (plain, html) =
            (self.plain(frame, text, mail, link.as_deref()), self.html(frame, text, mail, link.as_deref()));
        Ok(builder.multipart(MultiPart::alternative_plain_html(plain, html))?)
    }

    fn filled(&self, text: &str, mail: &Mail) -> String {
        text.replace("{site}", &self.site)
            .replace("{number}", &mail.number.map(|number| number.to_string()).unwrap_or_default())
            .replace("{username}", mail.username.as_deref().unwrap_or_default())
    }

    /// Returns the address of the page that unsubscribes from this kind of mail.
    fn stop(&self, mail: &Mail) -> Option<String> {
        mail.stop.as_ref().map(|query| format!("{}/unsubscribe/{query}", self.root))
    }

    fn hello(&self, frame: &Frame, mail: &Mail) -> String {
        self.filled(if mail.username.is_some() { &frame.hello } else { &frame.hello_guest }, mail)
    }

    fn plain(&self, frame: &Frame, text: &MailText, mail: &Mail, link: Option<&str>) -> String {
        let link = link.map(|link| format!("{}\n{link}", text.button));
        let foot = format!("-- \n{}\n{}/", self.filled(&frame.foot, mail), self.root);
        let stop = self.stop(mail).map(|link| format!("{}\n{link}", frame.stop));
        let [about, otherwise] = [&text.text, &text.otherwise].map(|part| self.filled(part, mail));
        let parts = [Some(self.hello(frame, mail)), Some(about), link, Some(otherwise), stop, Some(foot)];
        parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n") + "\n"
    }

    /// Renders HTML without images or external styles, so that opening the mail fetches nothing.
    fn html(&self, frame: &Frame, text: &MailText, mail: &Mail, link: Option<&str>) -> String {
        let page = html! {
            (DOCTYPE)
            html lang=(mail.lang.as_str()) {
                head { meta charset="utf-8"; title { (self.filled(&text.subject, mail)) } }
                body style="margin:0;padding:24px;font-family:sans-serif;font-size:16px;line-height:1.5;color:#1d1d1f" {
                    p { (self.hello(frame, mail)) }
                    p { (self.filled(&text.text, mail)) }
                    @if let Some(link) = link {
                        p { a href=(link) style=(BUTTON) { (text.button) } }
                        p style="font-size:13px;color:#555555;word-break:break-all" { (link) }
                    }
                    p { (self.filled(&text.otherwise, mail)) }
                    @if let Some(link) = self.stop(mail) {
                        p style="font-size:13px" { a href=(link) { (frame.stop) } }
                    }
                    p style="font-size:13px;color:#555555" {
                        (self.filled(&frame.foot, mail)) br; a href={ (self.root) "/" } { (self.root) "/" }
                    }
                }
            }
        };
        page.into_string()
    }
}

fn header(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}
