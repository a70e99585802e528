//! The typo tolerance settings.

use std::collections::{BTreeSet, HashSet};

use milli_core::update::{Setting, Settings};
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Typo {
    #[serde(default)]
    enabled: Setting<bool>,
    #[serde(default)]
    min_word_size_for_typos: Setting<MinWordSize>,
    #[serde(default)]
    disable_on_words: Setting<BTreeSet<String>>,
    #[serde(default)]
    disable_on_attributes: Setting<HashSet<String>>,
    #[serde(default)]
    disable_on_numbers: Setting<bool>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct MinWordSize {
    #[serde(default)]
    one_typo: Setting<u8>,
    #[serde(default)]
    two_typos: Setting<u8>,
}

/// Hands the changes to milli.
pub fn apply(typo: Setting<Typo>, settings: &mut Settings<'_, '_, '_>) {
    let typo = match typo {
        Setting::Set(typo) => typo,
        Setting::Reset => Typo {
            enabled: Setting::Reset,
            min_word_size_for_typos: Setting::Reset,
            disable_on_words: Setting::Reset,
            disable_on_attributes: Setting::Reset,
            disable_on_numbers: Setting::Reset,
        },
        Setting::NotSet => return,
    };
    let sizes = match typo.min_word_size_for_typos {
        Setting::Set(sizes) => sizes,
        Setting::Reset => MinWordSize { one_typo: Setting::Reset, two_typos: Setting::Reset },
        Setting::NotSet => MinWordSize { one_typo: Setting::NotSet, two_typos: Setting::NotSet },
    };
    macro_rules! hand {
        ($($value:expr, $set:ident, $reset:ident;)+) => {$(
            match $value {
                Setting::Set(value) => settings.$set(value),
                Setting::Reset => settings.$reset(),
                Setting::NotSet => {}
            }
        )+};
    }
    hand! {
        typo.enabled, set_autorize_typos, reset_authorize_typos;
        sizes.one_typo, set_min_word_len_one_typo, reset_min_word_len_one_typo;
        sizes.two_typos, set_min_word_len_two_typos, reset_min_word_len_two_typos;
        typo.disable_on_words, set_exact_words, reset_exact_words;
        typo.disable_on_attributes, set_exact_attributes, reset_exact_attributes;
        typo.disable_on_numbers, set_disable_on_numbers, reset_disable_on_numbers;
    }
}
