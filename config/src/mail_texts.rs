//! Mail texts in ten languages, from `mails.toml`.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

use crate::{Lang, MailKind};

/// Text around the body of every mail.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// Greeting for members.
    pub hello: String,
    /// Greeting for recipients without an account.
    pub hello_guest: String,
    /// Footer that explains why the recipient got this mail.
    pub foot: String,
    /// Label of the unsubscribe link in recurring mails.
    pub stop: String,
}

/// Texts of one kind of mail.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailText {
    /// Subject line.
    pub subject: String,
    /// Body.
    pub text: String,
    /// Label of the link. It is empty if there is no link.
    pub button: String,
    /// Advice in case someone else caused the mail.
    pub otherwise: String,
}

#[derive(Deserialize)]
struct File {
    frame: BTreeMap<Lang, Frame>,
    #[serde(flatten)]
    kinds: BTreeMap<MailKind, BTreeMap<Lang, MailText>>,
}

static FILE: LazyLock<File> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the embedded file is covered by a test")]
    toml::from_str(include_str!("../mails.toml")).expect("mails.toml is valid")
});

/// Returns the frame in `lang`.
#[must_use]
pub fn frame(lang: Lang) -> &'static Frame {
    &FILE.frame[&lang]
}

/// Returns the texts of `kind` in `lang`.
#[must_use]
pub fn text(kind: MailKind, lang: Lang) -> &'static MailText {
    &FILE.kinds[&kind][&lang]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mail_exists_in_every_language() {
        assert_eq!(FILE.kinds.len(), MailKind::ALL.len());
        for lang in Lang::ALL {
            assert!(frame(*lang).hello.contains("{username}"), "{lang}");
            for (kind, texts) in &FILE.kinds {
                let text = texts.get(lang).unwrap_or_else(|| panic!("{kind} lacks {lang}"));
                let english = &texts[&Lang::En];
                assert_eq!(text.button.is_empty(), english.button.is_empty(), "{kind}.{lang}");
                for place in ["{site}", "{username}", "{number}"] {
                    let whole = |text: &MailText| [&text.subject[..], &text.text, &text.otherwise].join(" ");
                    assert_eq!(whole(text).contains(place), whole(english).contains(place), "{kind}.{lang} {place}");
                }
                assert!(*lang == Lang::En || text.text != english.text, "{kind}.{lang} is not translated");
            }
        }
    }
}
