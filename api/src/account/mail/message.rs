//! The mail itself: text and HTML in the reader's language, and headers that tell programs no person wrote it.

use anyhow::Context;
use lantern_config::{
    Config, Lang,
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
/// Where a new password is requested.
const RESTORE_PAGE: &str = "/restore-password/";

/// Writes mails with the settings of this site.
pub struct Writer {
    from: Mailbox,
    site: String,
    root: String,
}

/// What a mail says, before it has a form.
struct Letter {
    kind: &'static str,
    to: String,
    lang: Lang,
    username: Option<String>,
    number: String,
    link: Option<String>,
}

impl Writer {
    pub fn new(config: &Config) -> anyhow::Result<Self> {
        let from: Mailbox = config.mail.from.parse().context("mail.from must be like \"Name <name@tube.example>\"")?;
        let site = from.name.clone().unwrap_or_else(|| from.email.domain().to_owned());
        Ok(Self { from, site, root: config.public_url() })
    }

    /// The message for the mail with this number in the queue; the same number gives the same `Message-ID`, by which a second
    /// copy is known as one.
    pub fn write(&self, mail: &Mail, id: i64) -> anyhow::Result<Message> {
        let letter = letter(mail);
        let frame = mail_texts::frame(letter.lang);
        let text = mail_texts::text(letter.kind, letter.lang).context("mails.toml lacks a text")?;
        let to: Address = letter.to.parse().context("not an address")?;
        let link = letter.link.as_ref().map(|path| format!("{}{path}", self.root));
        let builder = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(letter.username.clone(), to))
            .subject(self.filled(&text.subject, &letter))
            .date_now()
            .message_id(Some(format!("<{id}.{}@{}>", letter.kind.replace('_', "-"), self.from.email.domain())))
            .raw_header(header("Auto-Submitted", "auto-generated"))
            .raw_header(header("X-Auto-Response-Suppress", "All"))
            .raw_header(header("Content-Language", letter.lang.as_str()));
        let (plain, html) =
            (self.plain(frame, text, &letter, link.as_deref()), self.html(frame, text, &letter, link.as_deref()));
        Ok(builder.multipart(MultiPart::alternative_plain_html(plain, html))?)
    }

    fn filled(&self, text: &str, letter: &Letter) -> String {
        text.replace("{site}", &self.site)
            .replace("{number}", &letter.number)
            .replace("{username}", letter.username.as_deref().unwrap_or_default())
    }

    fn hello(&self, frame: &Frame, letter: &Letter) -> String {
        self.filled(if letter.username.is_some() { &frame.hello } else { &frame.hello_guest }, letter)
    }

    fn plain(&self, frame: &Frame, text: &MailText, letter: &Letter, link: Option<&str>) -> String {
        let link = link.map(|link| format!("{}\n{link}", text.button));
        let foot = format!("-- \n{}\n{}/", self.filled(&frame.foot, letter), self.root);
        let [about, otherwise] = [&text.text, &text.otherwise].map(|part| self.filled(part, letter));
        let parts = [Some(self.hello(frame, letter)), Some(about), link, Some(otherwise), Some(foot)];
        parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n") + "\n"
    }

    /// No pictures, no styles from elsewhere: nothing is fetched when the mail is opened.
    fn html(&self, frame: &Frame, text: &MailText, letter: &Letter, link: Option<&str>) -> String {
        let page = html! {
            (DOCTYPE)
            html lang=(letter.lang.as_str()) {
                head { meta charset="utf-8"; title { (self.filled(&text.subject, letter)) } }
                body style="margin:0;padding:24px;font-family:sans-serif;font-size:16px;line-height:1.5;color:#1d1d1f" {
                    p { (self.hello(frame, letter)) }
                    p { (self.filled(&text.text, letter)) }
                    @if let Some(link) = link {
                        p { a href=(link) style=(BUTTON) { (text.button) } }
                        p style="font-size:13px;color:#555555;word-break:break-all" { (link) }
                    }
                    p { (self.filled(&text.otherwise, letter)) }
                    p style="font-size:13px;color:#555555" {
                        (self.filled(&frame.foot, letter)) br; a href={ (self.root) "/" } { (self.root) "/" }
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

fn letter(mail: &Mail) -> Letter {
    let of = |kind, to: &String, username: Option<&String>, lang: &Lang, link: Option<&str>| Letter {
        kind,
        to: to.clone(),
        lang: *lang,
        username: username.cloned(),
        number: String::new(),
        link: link.map(str::to_owned),
    };
    match mail {
        Mail::Confirm { to, username, lang, link } => of("confirm", to, Some(username), lang, Some(link)),
        Mail::Restore { to, username, lang, link } => of("restore", to, Some(username), lang, Some(link)),
        Mail::MailAsked { to, username, lang, link } => of("mail_asked", to, Some(username), lang, Some(link)),
        Mail::MailChanged { to, username, lang } => of("mail_changed", to, Some(username), lang, None),
        Mail::PasswordChanged { to, username, lang } => {
            of("password_changed", to, Some(username), lang, Some(RESTORE_PAGE))
        }
        Mail::PasswordDropped { to, username, lang } => {
            of("password_dropped", to, Some(username), lang, Some(RESTORE_PAGE))
        }
        Mail::ReportReceived { to, lang, number } => {
            Letter { number: number.to_string(), ..of("report_received", to, None, lang, None) }
        }
    }
}
