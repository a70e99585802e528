//! Error messages by code in ten languages, from `errors.toml`.

use std::{collections::BTreeMap, sync::LazyLock};

use crate::Lang;

static ERRORS: LazyLock<BTreeMap<String, BTreeMap<Lang, String>>> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the embedded file is covered by a test")]
    toml::from_str(include_str!("../errors.toml")).expect("errors.toml is valid")
});

/// Returns the message for `code` in `lang`, or `None` if the code is unknown.
#[must_use]
pub fn text(code: &str, lang: Lang) -> Option<&'static str> {
    ERRORS.get(code)?.get(&lang).map(String::as_str)
}

/// Returns all codes in alphabetical order.
pub fn codes() -> impl Iterator<Item = &'static str> {
    ERRORS.keys().map(String::as_str)
}

/// Returns all codes with their messages in `lang`, as the web app loads them.
#[must_use]
pub fn of_language(lang: Lang) -> BTreeMap<&'static str, &'static str> {
    codes().filter_map(|code| Some((code, text(code, lang)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the placeholders in double braces, which the web app fills in.
    fn places(text: &str) -> Vec<&str> {
        let mut found: Vec<&str> =
            text.split("{{").skip(1).map(|rest| rest.split("}}").next().unwrap_or_default()).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn every_code_has_a_text_in_every_language() {
        assert!(ERRORS.len() > 80);
        for (code, texts) in ERRORS.iter() {
            assert!(code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'), "{code}");
            let english = &texts[&Lang::En];
            for lang in Lang::ALL {
                let text = texts.get(lang).unwrap_or_else(|| panic!("{code} lacks {lang}"));
                assert!(!text.trim().is_empty() && text.trim() == text, "{code}.{lang}");
                assert_eq!(places(text), places(english), "{code}.{lang}");
                assert!(*lang == Lang::En || text != english, "{code}.{lang} is not translated");
            }
        }
    }

    #[test]
    fn all_specified_codes_exist() {
        for code in [
            "invalid_usr_or_pwd",
            "not_confirmed",
            "required",
            "too_many_attempts",
            "need_auth",
            "watch_later_already_added",
            "favorites_already_added",
            "playlist_already_added",
            "subscribe_cant_subscribe_myself",
            "vote_already_voted",
            "vote_success",
            "add_friend_already_added",
            "video_bad_filename",
            "video_corrupted_file",
            "video_duplicate",
            "video_size_limit",
            "video_upload_error",
            "screen_upload_error",
            "need_select_screenshot",
            "invalid_img_size",
            "videos_not_found",
            "albums_not_found",
            "channels_not_found",
            "members_not_found",
            "models_not_found",
            "playlists_not_found",
            "subscriptions_not_found",
            "dont_have_permission",
            "playlist_is_private",
            "empty_history",
            "email_invalid",
            "file_invalid_type",
            "file_too_large",
            "max_length",
            "min_length",
            "eml_doesnt_exist",
            "eml_invalid",
            "eml_occupied",
            "usr_occupied",
        ] {
            assert!(text(code, Lang::En).is_some(), "{code}");
        }
    }

    #[test]
    fn every_reason_has_a_text() {
        let config = crate::Config::default();
        for reason in config.reports.reasons {
            assert!(text(&format!("reason_{reason}"), Lang::En).is_some(), "{reason}");
        }
        for reason in config.moderation.reasons {
            assert!(text(&format!("rejected_{reason}"), Lang::En).is_some(), "{reason}");
        }
    }
}
